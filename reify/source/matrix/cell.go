package matrix

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// A Cell is a small function: one to three operations, each on the result of the one
// before, and a context. Its name tells all of it:
//
//	rotl.u17.const31.narrow     one operation, its second operand, the context
//	sub.u8+lt.i32.first.branch  two, of which the second compares with an operand of the first
//
// A name is steps, joined by "+", and the word of a context, if any. A step is an
// operation, a type, and words for the second and third operand, where these are no
// arguments of the function. The first step has one for the operand of an operation that
// takes no other.
//
//	arg        argument (the second operand; named only before another word)
//	constN     constant
//	lateN      one that is a constant once a loop or shuffles were computed
//	knownN     one of two, of which conditions that exclude each other choose this
//	mixN       constant vector of different lanes
//	same       first operand
//	first      first operand of the first step
//	before     what the step before was given: the result of the one before that, or its first operand
//	mem        loaded from memory
//	narrowed   argument of twice the width, of which the low half is taken
//	extended   argument of half the width
//	flip       operands change places: said last
type Cell struct {
	steps   []step
	context string
}

type step struct {
	op    operation
	t     ir.Type
	words []string // one for each operand after the first, or for the only one
	flip  bool
}

// contexts are the words for the use of the result, beside "" for a result that is returned.
//
//	widened, narrow       converted to twice or half the width
//	resigned              converted to the type of the other sign, and to twice the width
//	call, resignedcall    stored, and alive while a function is called: widened or resigned, if it is narrow
//	zero                  compared with zero
//	branch, block, loopN  condition of a branch; in a block of its own; in a loop of N rounds
//	sign                  a branch on whether zero is greater
//	twice, both           used twice; both it and its lower half, with a sign
//	widths                used in 32 and in 64 bits, and its sign
//	passed                a vector that a function takes and returns
//	chosen                an argument chooses its lower half, with a sign, or the first operand
var contexts = []string{"widened", "resigned", "narrow", "call", "resignedcall", "zero", "sign", "branch", "twice", "both", "widths", "passed", "chosen", "block", "loop4", "loop16", "loop37", "loop67"}

// String returns the name.
func (c Cell) String() string {
	text := c.join(step.String)
	if c.context != "" {
		text += "." + c.context
	}
	return text
}

func (s step) String() string {
	parts := []string{s.op.name, word(s.t)}
	words := s.words
	for len(words) > 0 && words[len(words)-1] == "arg" {
		words = words[:len(words)-1]
	}
	parts = append(parts, words...)
	if s.flip {
		parts = append(parts, "flip")
	}
	return strings.Join(parts, ".")
}

// Key returns the operations and the classes of their types: what failures of one cause
// have in common. It has one word for each step, joined by "+". A cell that only moves its
// operand fails by what the operand or the context is, and has its name for a key.
func (c Cell) Key() string {
	if len(c.steps) == 1 && c.steps[0].op.name == "mov" {
		return c.String()
	}
	return c.join(func(s step) string { return s.op.name + "." + typeClass(s.t) })
}

// typeClass returns the word for types that are treated alike: those of one width class, and vectors
// of so many bits.
func typeClass(t ir.Type) string {
	switch t := t.(type) {
	case ir.Wide:
		switch {
		case !t.BitInt:
			return "int128"
		case t.Bits > 64:
			return "odd128"
		}
		return "odd"
	case ir.Vector:
		text := "v" + strconv.Itoa(t.Padded()*t.Elem.Bits) + "x" + strconv.Itoa(t.Elem.Bits)
		if t.Padded() != t.Lanes {
			text = "odd" + text
		}
		return text
	}
	return strings.TrimPrefix(word(t), "u")
}

// Operation returns the operations of the steps, joined by "+", and Type their types: a
// place in a grid.
func (c Cell) Operation() string {
	return c.join(func(s step) string { return s.op.name })
}

// Type returns the types of the steps, each once.
func (c Cell) Type() string {
	var list []string
	for _, s := range c.steps {
		if w := word(s.t); !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return strings.Join(list, "+")
}

// join returns a text of each step, joined by "+".
func (c Cell) join(text func(step) string) string {
	var list []string
	for _, s := range c.steps {
		list = append(list, text(s))
	}
	return strings.Join(list, "+")
}

// wide reports whether the cell computes in more than 64 bits, which not all compilers
// can.
func (c Cell) wide() bool {
	most := func(t ir.Type, bits int) bool {
		return (classOf(t) == integers || classOf(t) == wides) && bitsOf(t) > bits
	}
	for _, s := range c.steps {
		twice := strings.ContainsAny(s.op.body, "WV") || slices.Contains(s.words, "narrowed")
		if most(s.t, 64) || twice && most(s.t, 32) {
			return true
		}
	}
	last := c.steps[len(c.steps)-1]
	result, ok := last.op.resultType(last.t)
	return ok && most(result, 32) && (c.context == "widened" || c.context == "resigned")
}

// mostSteps bounds a composition.
const mostSteps = 4

// Parse returns the cell of a name.
func Parse(name string) (Cell, error) {
	var c Cell
	texts := strings.Split(name, "+")
	if len(texts) > mostSteps {
		return Cell{}, fmt.Errorf("cell %q: more than %d steps", name, mostSteps)
	}
	for i, text := range texts {
		words := strings.Split(text, ".")
		if last := words[len(words)-1]; i == len(texts)-1 && slices.Contains(contexts, last) {
			c.context, words = last, words[:len(words)-1]
		}
		s, err := parseStep(words, i > 0)
		if err != nil {
			return Cell{}, fmt.Errorf("cell %q: %w", name, err)
		}
		c.steps = append(c.steps, s)
	}
	if c.String() != name {
		return Cell{}, fmt.Errorf("cell %q is called %q", name, c)
	}
	return c, nil
}

func parseStep(words []string, later bool) (step, error) {
	if len(words) < 2 {
		return step{}, fmt.Errorf("%q: want an operation and a type", strings.Join(words, "."))
	}
	t, ok := typeNamed(words[1])
	if !ok {
		return step{}, fmt.Errorf("unknown type %q", words[1])
	}
	op, ok := operationOn(words[0], t)
	if !ok {
		return step{}, fmt.Errorf("no operation %s on %s", words[0], words[1])
	}
	s := step{op: op, t: t}
	rest := words[2:]
	if n := len(rest); n > 0 && rest[n-1] == "flip" && op.operands > 1 {
		s.flip, rest = true, rest[:n-1]
	}
	if len(rest) > op.words(later) {
		return step{}, fmt.Errorf("%s has %d operands", op.name, op.operands)
	}
	for i := range op.words(later) {
		w := "arg"
		if i < len(rest) {
			w = rest[i]
		}
		if err := checkWord(w, t, later); err != nil {
			return step{}, err
		}
		s.words = append(s.words, w)
	}
	return s, nil
}

func checkWord(w string, t ir.Type, later bool) error {
	switch w {
	case "arg", "same", "mem", "narrowed", "extended":
		return nil
	case "first", "before":
		if later {
			return nil
		}
	}
	if n, ok := mixOf(w); ok && classOf(t) == vectors && n < mixes {
		return nil
	}
	if v, ok := constantOf(w); ok && classOf(t) == floats || ok && wrap(t, v).Cmp(v) == 0 {
		return nil
	}
	return fmt.Errorf("no operand %q of type %s", w, word(t))
}

// words returns how many words there are for the operands of a step.
func (o operation) words(later bool) int {
	if o.operands == 1 && !later {
		return 1
	}
	return o.operands - 1
}

// constantOf returns the value of the word constN, lateN or knownN.
func constantOf(w string) (*big.Int, bool) {
	digits := strings.TrimLeft(w, "abcdefghijklmnopqrstuvwxyz")
	if !slices.Contains(constants, strings.TrimSuffix(w, digits)) {
		return nil, false
	}
	v, ok := new(big.Int).SetString(digits, 10)
	return v, ok && v.String() == digits && v.BitLen() <= 128
}

// constants are what words for constants begin with.
var constants = []string{"const", "late", "known"}

// mixes is how many constant vectors of different lanes a type has.
const mixes = 16

// mixOf returns the number of the word mixN.
func mixOf(w string) (n int, ok bool) {
	digits, ok := strings.CutPrefix(w, "mix")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n >= 0 && strconv.Itoa(n) == digits
}

// operationOn returns the row of an operation for a type.
func operationOn(name string, t ir.Type) (operation, bool) {
	i := slices.IndexFunc(operations, func(o operation) bool { return o.name == name && o.on(t) })
	if i < 0 {
		return operation{}, false
	}
	return operations[i], true
}

// on reports whether the operation is one of the type.
func (o operation) on(t ir.Type) bool {
	c := classOf(t)
	if !strings.Contains(o.classes, string(c)) {
		return false
	}
	if c == floats {
		return true
	}
	if t == ir.Bool && (o.only != "" || strings.ContainsAny(o.body, "KMWVHLSUN")) {
		return false
	}
	if _, ok := o.resultType(t); !ok {
		return false
	}
	bits, widths := bitsOf(t), false
	for _, w := range o.conditions() {
		switch w {
		case "s", "u":
			if signed(t) != (w == "s") {
				return false
			}
		case "even":
			if bits%2 != 0 || bits < 4 {
				return false
			}
		case "pow2":
			if bits&(bits-1) != 0 {
				return false
			}
		case "pow2lanes": // or any, if they are no standard integers
			v := t.(ir.Vector)
			if v.Padded() != v.Lanes && v.Elem.Standard() {
				return false
			}
		case "pairs": // of lanes of 64 bits
			if v := t.(ir.Vector); v.Elem.Bits != 64 || v.Padded() != v.Lanes {
				return false
			}
		case "odd":
			if t.(ir.Vector).Elem.Standard() {
				return false
			}
		default:
			widths = true
		}
	}
	return !widths || slices.Contains(o.conditions(), strconv.Itoa(bits))
}

// resultType returns the type of the result on a type, or false if there is none.
func (o operation) resultType(t ir.Type) (ir.Type, bool) {
	switch o.result {
	case "bool":
		if classOf(t) == vectors {
			return withWidth(t, bitsOf(t), true)
		}
		return ir.I32, true
	case "W", "V", "H", "U":
		return lettered(o.result, t)
	case "elem":
		return elem(t), true
	case "castH", "castW", "cast8", "castL":
		v := t.(ir.Vector)
		// Lanes of half and twice the width, of 8 bits, of as many bits as there were lanes.
		bits := map[string]int{"castH": v.Elem.Bits / 2, "castW": v.Elem.Bits * 2, "cast8": 8, "castL": v.Lanes}[o.result]
		all, lane := v.Lanes*v.Elem.Bits, ir.Int{Bits: bits, Signed: v.Elem.Signed}
		if bits < 2 || bits > 64 || all%bits != 0 || all > 8*mainBytes || v.Elem.Standard() && !lane.Standard() {
			return nil, false
		}
		return ir.Vector{Elem: lane, Lanes: all / bits}, all >= 2*bits && all <= 64*bits
	}
	return t, true
}
