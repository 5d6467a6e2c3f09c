package ll

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Bounds of a text: mostBits is the width of the widest integers, mostNested how many types or
// operands are inside each other.
const (
	mostBits   = 1 << 12
	mostNested = 100
)

// nest counts a type or an operand until the function that it returns is called.
func (p *parser) nest() func() {
	if p.nested++; p.nested > mostNested {
		fail("more than %d types or operands inside each other", mostNested)
	}
	return func() { p.nested-- }
}

// typ reads a type whose values have no more bytes than a run may have.
func (p *parser) typ() *Type {
	defer p.nest()()
	t := p.anyType()
	if t.Kind == Vector || t.Kind == Array || t.Kind == Struct {
		_, size := t.size()
		if size > mostBytes || t.Kind == Array && t.N > 1 && size == 0 {
			fail("a type of more than %d bytes, or of many values of none", mostBytes)
		}
	}
	return t
}

func (p *parser) anyType() *Type {
	switch w := p.next(); {
	case w == "ptr":
		if p.peek() == "addrspace" {
			fail("an address space")
		}
		return ptrType
	case w == "void":
		return voidType
	case w == "float":
		return &Type{Kind: Float, Bits: 32}
	case w == "double":
		return &Type{Kind: Float, Bits: 64}
	case w[0] == '%':
		t := p.types[w]
		if t == nil {
			fail("type %s", w)
		}
		return t
	case w[0] == 'i' && len(w) > 1:
		n, err := strconv.Atoi(w[1:])
		if err != nil || n < 1 || n > mostBits {
			fail("type %s", w)
		}
		return IntType(n)
	case w == "<" && p.peek() == "{":
		t := p.typ()
		p.want(">")
		t.Packed = true
		return t
	case w == "<":
		t := p.sequence(Vector)
		p.want(">")
		return t
	case w == "[":
		t := p.sequence(Array)
		p.want("]")
		return t
	case w == "{":
		t := &Type{Kind: Struct}
		for !p.take("}") {
			t.Fields = append(t.Fields, p.typ())
			p.take(",")
		}
		return t
	default:
		fail("type %s", w)
	}
	return nil
}

func (p *parser) sequence(k Kind) *Type {
	n, err := strconv.Atoi(p.next())
	if err != nil || n < 0 || n > mostBytes {
		fail("a length")
	}
	p.want("x")
	return &Type{Kind: k, N: n, Elem: p.typ()}
}

// typed reads a type, attributes, and an operand.
func (p *parser) typed() Operand {
	t := p.typ()
	p.attributes()
	return p.operand(t)
}

// operand reads an operand of a type.
func (p *parser) operand(t *Type) Operand {
	defer p.nest()()
	o := Operand{Type: t}
	w := p.next()
	repeat := func(l Lane) {
		for range t.Lanes() {
			o.Const = append(o.Const, l)
		}
	}
	switch {
	case w[0] == '%':
		o.Local = unname(w)
	case w[0] == '@':
		o.Global = unname(w)
	case w == "getelementptr":
		a := p.address()
		if a.Global == "" && a.Offset != 0 {
			fail("the address of no variable")
		}
		return a
	case w == "ptrtoint":
		return p.bytes(t)
	case w == "blockaddress":
		p.want("(")
		o.Global = p.sign('@')
		p.want(",")
		o.Block = p.sign('%')
		p.want(")")
	case w == "undef" || w == "poison":
		if t.Kind == Array || t.Kind == Struct {
			o.Elems = elements(t, true)
			break
		}
		repeat(Lane{Poison: true})
	case w == "zeroinitializer" || w == "null":
		if t.Kind == Array || t.Kind == Struct {
			o.Elems = elements(t, false)
			break
		}
		repeat(Lane{N: new(big.Int)})
	case w == "true" || w == "false":
		repeat(Lane{N: big.NewInt(int64(strings.Count(w, "true")))})
	case w == "splat":
		p.want("(")
		repeat(p.typed().Const[0])
		p.want(")")
	case w == "<" && t.Kind == Vector:
		for !p.take(">") {
			e := p.typed()
			if len(e.Const) != 1 {
				fail("a vector of addresses")
			}
			o.Const = append(o.Const, e.Const[0])
			p.take(",")
		}
	case w == "<" && t.Packed:
		o = p.operand(&Type{Kind: Struct, Fields: t.Fields})
		o.Type = t
		p.want(">")
	case w == "[" && t.Kind == Array || w == "{" && t.Kind == Struct:
		for !p.take("]") && !p.take("}") {
			o.Elems = append(o.Elems, p.typed())
			p.take(",")
		}
	case strings.HasPrefix(w, `c"`) && t.Kind == Array:
		for _, b := range characters(w[2 : len(w)-1]) {
			o.Elems = append(o.Elems, Operand{Type: t.Elem, Const: []Lane{{N: big.NewInt(int64(b))}}})
		}
	case t.Kind == Float:
		o.Const = []Lane{p.float(w, t)}
	default:
		n, ok := new(big.Int).SetString(w, 10)
		if !ok || t.Kind != Int {
			fail("constant %s", w)
		}
		o.Const = []Lane{{N: wrap(n, t.Bits)}}
	}
	return o
}

// elements returns the zeros of an array or a struct, or its poison.
func elements(t *Type, poison bool) (list []Operand) {
	types := t.Fields
	if t.Kind == Array {
		types = slices.Repeat([]*Type{t.Elem}, t.N)
	}
	for _, e := range types {
		o := Operand{Type: e}
		if e.Kind == Array || e.Kind == Struct {
			o.Elems = elements(e, poison)
		} else {
			o.Const = slices.Repeat([]Lane{{Poison: poison, N: new(big.Int)}}, e.Lanes())
		}
		list = append(list, o)
	}
	return list
}

// float returns a floating-point number: a decimal one, or the bits of the double that it is.
func (p *parser) float(w string, t *Type) Lane {
	n, err := strconv.ParseFloat(w, 64)
	if digits, ok := strings.CutPrefix(w, "0x"); ok {
		var all uint64
		all, err = strconv.ParseUint(digits, 16, 64)
		n = math.Float64frombits(all)
	}
	if err != nil {
		fail("number %s", w)
	}
	return floatLane(t.Bits, n)
}

// bytes reads behind its word the constant that is the distance of an address from null.
func (p *parser) bytes(t *Type) Operand {
	p.want("(")
	p.want("ptr")
	p.want("getelementptr")
	a := p.address()
	p.want("to")
	p.typ()
	p.want(")")
	if a.Global != "" {
		fail("the number of an address")
	}
	return Operand{Type: t, Const: []Lane{{N: wrap(big.NewInt(a.Offset), t.Bits)}}}
}

// address reads a constant address behind its word.
func (p *parser) address() Operand {
	for p.peek() != "(" {
		p.next()
	}
	p.want("(")
	t := p.typ()
	p.want(",")
	base := p.typed()
	var index []Value
	for p.take(",") {
		p.take("inrange")
		i := p.typed()
		index = append(index, Value{Type: i.Type, Lanes: i.Const})
	}
	p.want(")")
	if base.Global == "" && (len(base.Const) != 1 || base.Const[0].Poison) || base.Block != "" {
		fail("the address of no variable")
	}
	off, ok := offset(t, index)
	if !ok {
		fail("the index of an address")
	}
	base.Offset += off.Int64()
	return base
}

func characters(s string) (bytes []byte) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				bytes = append(bytes, byte(n))
				i += 2
				continue
			}
		}
		bytes = append(bytes, s[i])
	}
	return bytes
}
