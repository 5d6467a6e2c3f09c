package ll

import (
	"fmt"
	"math/big"
	"strings"
)

// promised returns the promise of a call's result, which is 0, or of an argument, from 1 on.
func (i *Instr) promised(n int) Promise {
	if n >= len(i.Promises) {
		return Promise{}
	}
	return i.Promises[n]
}

// keep returns a value as it is once a promise is made of it.
func (p Promise) keep(v Value) Value {
	if p.Hi != nil {
		lanes := make([]Lane, len(v.Lanes))
		for n, l := range v.Lanes {
			lanes[n] = l
			if !l.Poison && !p.holds(l.N) {
				lanes[n] = poisonLane
			}
		}
		v.Lanes = lanes
	}
	if p.NoUndef && v.Poisoned() {
		undefined("poison where there must be none")
	}
	return v
}

// holds tells whether an integer is in the range.
func (p Promise) holds(n *big.Int) bool {
	from, to := n.Cmp(p.Lo) >= 0, n.Cmp(p.Hi) < 0
	if p.Lo.Cmp(p.Hi) < 0 {
		return from && to
	}
	return from || to
}

// words returns the attributes that promise it of a value of a type.
func (p Promise) words(t *Type) (list []string) {
	if p.NoUndef {
		list = append(list, "noundef")
	}
	if p.Hi != nil {
		s := t.Scalar()
		list = append(list, fmt.Sprintf("range(%v %s, %s)", s, lane(s, Lane{N: p.Lo}), lane(s, Lane{N: p.Hi})))
	}
	return list
}

// metadata returns what promises it of what is loaded.
func (p Promise) metadata(t *Type) (text string) {
	if p.NoUndef {
		text = ", !noundef !{}"
	}
	if p.Hi != nil {
		s := t.Scalar()
		text += fmt.Sprintf(", !range !{%v %s, %v %s}", s, lane(s, Lane{N: p.Lo}), s, lane(s, Lane{N: p.Hi}))
	}
	return text
}

// spaced returns words with a space before each.
func spaced(words ...string) (text string) {
	for _, w := range words {
		if w != "" {
			text += " " + w
		}
	}
	return text
}

// within tells whether an address is where a getelementptr promises that it is. Offsets are
// added one after the other.
func (i *Instr) within(base Lane, index []Value) bool {
	for _, v := range index {
		if i.has("nuw") && signed(v.Lanes[0].N, v.Type.Bits).Sign() < 0 {
			return false
		}
	}
	for n := range len(index) + 1 {
		off, _ := offset(i.Elem, index[:n])
		at := new(big.Int).Add(base.N, off)
		switch {
		case !i.has("inbounds"):
		case base.object == nil && at.Sign() != 0:
			return false
		case base.object != nil && (base.object.dead || at.Sign() < 0 || at.Cmp(big.NewInt(int64(len(base.object.bytes)))) > 0):
			return false
		}
	}
	return true
}

// printed returns what printf prints.
func (x *machine) printed(args []Value) (text string) {
	at := args[0].Lanes[0]
	if at.Poison || at.object == nil {
		undefined("a text at no variable")
	}
	format := ""
	for _, c := range at.object.bytes[at.N.Int64():] {
		if c.b == 0 {
			break
		}
		format += string(rune(c.b))
	}
	args = args[1:]
	for format != "" {
		literal, rest, more := strings.Cut(format, "%")
		text += literal
		if !more {
			break
		}
		n := strings.IndexAny(rest, "diouxXcsp%")
		conversion := rest[:n+1]
		format = rest[n+1:]
		if conversion == "%" {
			text += "%"
			continue
		}
		if len(args) == 0 {
			undefined("too few arguments of printf")
		}
		switch a := args[0]; {
		case a.Poisoned():
			text += "poison"
		case conversion == "lld" || conversion == "d":
			text += signed(a.Lanes[0].N, a.Type.Bits).String()
		case conversion == "llu" || conversion == "u":
			text += a.Lanes[0].N.String()
		default:
			text += "?"
		}
		args = args[1:]
	}
	return text
}
