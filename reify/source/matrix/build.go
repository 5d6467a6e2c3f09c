package matrix

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A writer holds the text of a cell while it is written.
type writer struct {
	cell    Cell
	draw    *choice.Stream
	params  []param
	decls   []string
	entry   []string // before the operations
	body    []string
	blocks  []string // further blocks, in the order of the text
	first   operand  // of the first step
	before  operand  // what the step before was given
	trips   int      // of the loop around the operations, or 0
	results []string // globals that the result is stored in
	care    care
	n       int
}

// A param is a parameter: values of type are what it takes.
type param struct {
	name   string
	t      ir.Int
	values ir.Type // nil for an index of memory
}

// An operand is the text of a value, and its type.
type operand struct {
	text string
	t    ir.Type
}

// mostIndex is how many elements memory has that arguments choose among.
const mostIndex = 8

// errNone says that a cell has no function.
var errNone = errors.New("no function")

// text returns the function of a cell with the given name, and its parameters.
func (c Cell) text(name string, how care) (string, []param, error) {
	f := &writer{cell: c, care: how, draw: choice.New(choice.Derive(0, c.String()))}
	if n, ok := strings.CutPrefix(c.context, "loop"); ok {
		f.trips, _ = strconv.Atoi(n)
	}
	value, t, err := f.steps()
	if err != nil {
		return "", nil, fmt.Errorf("%w: %w", errNone, err)
	}
	text, err := f.finish(name, value, t)
	if err != nil {
		return "", nil, fmt.Errorf("%w: %w", errNone, err)
	}
	return text, f.params, nil
}

// steps writes the operations, and returns the result.
func (f *writer) steps() (value string, t ir.Type, err error) {
	for i, s := range f.cell.steps {
		given := operand{value, t}
		var x string
		if i == 0 {
			w := "arg"
			if s.op.operands == 1 {
				w = s.words[0]
			}
			if x, err = f.operand(w, s.t, ""); err != nil {
				return "", nil, err
			}
			given = operand{x, s.t}
			f.first = given
		} else {
			if x, err = f.as(s.t, given); err != nil {
				return "", nil, err
			}
		}
		operands := []string{x}
		for _, w := range s.words[:s.op.operands-1] {
			y, err := f.operand(w, s.t, x)
			if err != nil {
				return "", nil, err
			}
			operands = append(operands, y)
		}
		if s.flip {
			operands[0], operands[1] = operands[1], operands[0]
		}
		if value, t, err = f.step(s, operands); err != nil {
			return "", nil, err
		}
		f.before = given
	}
	return value, t, nil
}

// as returns an operand as a value of a type: in a new variable, unless it has that type.
func (f *writer) as(t ir.Type, of operand) (string, error) {
	text, ok := convert(t, of.t, of.text)
	switch {
	case !ok:
		return "", fmt.Errorf("no conversion from %s to %s", word(of.t), word(t))
	case t == of.t:
		return text, nil
	}
	return f.let(t, text), nil
}

// let assigns a value to a new variable, and returns it.
func (f *writer) let(t ir.Type, text string) string {
	v := f.local(t)
	f.body = append(f.body, v+" = "+text)
	return v
}

// local declares a variable.
func (f *writer) local(t ir.Type) string {
	f.n++
	v := "%v" + strconv.Itoa(f.n)
	text := "local " + v + " " + t.String()
	if _, wide := t.(ir.Wide); !wide {
		text += " = " + zero(t)
	}
	f.decls = append(f.decls, text)
	return v
}

// zero returns an initial value of zeros.
func zero(t ir.Type) string {
	n := ir.Count(t)
	if _, array := t.(ir.Array); !array && n == 1 {
		return "0"
	}
	return braces(n, func(int) string { return "0" })
}

// global declares memory of that type, with initial values.
func (f *writer) global(t ir.Type, init string) string {
	f.n++
	v := "@g" + strconv.Itoa(f.n)
	f.decls = append(f.decls, "global "+v+" "+t.String()+" = "+init)
	return v
}

// param declares a parameter.
func (f *writer) param(t ir.Int, values ir.Type) string {
	f.params = append(f.params, param{"%" + string(rune('a'+len(f.params))), t, values})
	return f.params[len(f.params)-1].name
}

// source returns a value of a standard type that the compiler does not know, of which
// values are those of another type: an argument, or an element of memory.
func (f *writer) source(t ir.Int, values ir.Type, memory bool) string {
	if f.trips == 0 && !memory {
		return f.param(t, values)
	}
	return f.element(t, values)
}

// element returns an element of new memory, of which values are those of another type: that
// of the loop's round or, without a loop, one that an argument chooses.
func (f *writer) element(t, values ir.Type) string {
	n, index := f.trips, "%i"
	if n == 0 {
		n, index = mostIndex, f.param(ir.I32, nil)
	}
	return f.global(ir.Array{Elem: t, Len: n}, f.values(values, n)) + "[" + index + "]"
}

// values returns an initialiser of n values of a type, of the edges and others.
func (f *writer) values(t ir.Type, n int) string {
	s := f.draw.Fork("values " + strconv.Itoa(f.n))
	return braces(n*lanesOf(t), func(int) string { return f.care.value(elem(t), s).String() })
}

func lanesOf(t ir.Type) int {
	if v, ok := t.(ir.Vector); ok {
		return v.Lanes
	}
	return 1
}

// random returns 128 random bits, few or many of them ones.
func random(s *choice.Stream) *big.Int {
	v := new(big.Int).SetUint64(s.Uint64())
	v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(s.Uint64()))
	return v.Rsh(v, uint(s.Intn(128)))
}

// operand returns the text of an operand: a variable or a constant.
func (f *writer) operand(w string, t ir.Type, x string) (string, error) {
	switch w {
	case "same":
		if x == "" {
			return "", errors.New("there is no other operand")
		}
		return x, nil
	case "first":
		return f.as(t, f.first)
	case "before":
		return f.as(t, f.before)
	case "arg", "mem":
		return f.unknown(t, w == "mem")
	case "narrowed", "extended":
		if classOf(t) == floats || t == ir.Bool {
			return "", fmt.Errorf("%s is not converted", word(t))
		}
		bits := 2 * bitsOf(t)
		if w == "extended" {
			if bits = bitsOf(t) / 2; bits < 8 {
				return "", fmt.Errorf("%s has no half", word(t))
			}
		}
		from, ok := withWidth(t, bits, signed(t))
		if !ok {
			return "", fmt.Errorf("%s has no type of %d bits", word(t), bits)
		}
		value, err := f.unknown(from, false)
		if err != nil {
			return "", err
		}
		return f.as(t, operand{value, from})
	}
	if n, ok := mixOf(w); ok {
		t := t.(ir.Vector)
		return f.let(t, lanes(t, choice.New(choice.Derive(uint64(n), "lanes of "+t.String())))), nil
	}
	v, ok := constantOf(w)
	if !ok {
		return "", fmt.Errorf("unknown operand %q", w)
	}
	switch {
	case strings.HasPrefix(w, "late"):
		return f.late(t, v)
	case strings.HasPrefix(w, "known"):
		return f.known(t, v)
	}
	if classOf(t) == wides || classOf(t) == vectors {
		return f.let(t, literal(t, v)), nil
	}
	if i, ok := t.(ir.Int); ok && i.Bits < 32 {
		return literal(ir.I32, v), nil
	}
	return literal(t, v), nil
}

// unknown returns a value that the compiler does not know.
func (f *writer) unknown(t ir.Type, memory bool) (string, error) {
	switch t := t.(type) {
	case ir.Int:
		text := f.source(t, t, memory)
		if strings.HasPrefix(text, "@") {
			return f.let(t, text), nil
		}
		return text, nil
	case ir.Wide:
		if t.Bits <= 64 {
			return f.let(t, t.String()+"("+f.source(ir.Int{Bits: 64, Signed: t.Signed}, t, memory)+")"), nil
		}
		high := f.source(ir.U64, high{ir.U64}, memory)
		low := f.source(ir.U64, ir.U64, memory)
		return f.let(t, fmt.Sprintf("%s(u128(%s) << u128(64:i32) | u128(%s))", t, high, low)), nil
	case ir.Float:
		small := ir.Int{Bits: 16, Signed: true}
		return f.let(t, t.String()+"("+f.source(ir.I32, small, memory)+")"), nil
	case ir.Vector:
		return f.let(t, f.element(t, t)), nil
	}
	return "", fmt.Errorf("no values of type %v", t)
}

// lanes returns a constant vector, each of whose lanes is drawn from the edges of the type.
func lanes(t ir.Vector, s *choice.Stream) string {
	return t.String() + braces(t.Lanes, func(int) string { return choice.Pick(s, edges(t)).String() })
}

// known returns a variable that has a value unless an argument is above five and below
// three.
func (f *writer) known(t ir.Type, v *big.Int) (string, error) {
	if classOf(t) == vectors || classOf(t) == floats || t == ir.Bool {
		return "", fmt.Errorf("no known constant of type %s", word(t))
	}
	k, n, p := f.local(t), f.param(ir.I32, ir.Int{Bits: 8, Signed: true}), promoted(t)
	f.entry = append(f.entry, fmt.Sprintf("%s = %s(%s > 5 && %s < 3 ? %s : %s)", k, t, n, n, literal(p, new(big.Int).Not(v)), literal(p, v)))
	return k, nil
}

// late returns a variable that optimisation finds to be constant: a counted loop
// computes it or, of a vector, lanes are reversed twice, each one more than the one before it.
func (f *writer) late(t ir.Type, v *big.Int) (string, error) {
	if t, ok := t.(ir.Vector); ok {
		k := f.local(t)
		f.entry = append(f.entry, k+" = "+t.String()+braces(t.Lanes, func(i int) string { return wrap(t, new(big.Int).Add(v, big.NewInt(int64(i)))).String() }))
		back := k + " = " + shuffle(k, k, t.Lanes, shuffles["reverse"])
		f.entry = append(f.entry, back, back)
		return k, nil
	}
	if classOf(t) == floats || t == ir.Bool {
		return "", fmt.Errorf("no late constant of type %s", word(t))
	}
	const rounds, by = 3, 5
	k, n := f.local(t), f.local(ir.I32)
	start := wrap(t, new(big.Int).Sub(v, big.NewInt(rounds*by)))
	f.entry = append(f.entry, k+" = "+literal(t, start), n+" = 0")
	u := unsigned(t)
	sum := to(u, k) + " + " + literal(u, big.NewInt(by))
	f.blocks = append(f.blocks, fmt.Sprintf("late%d", f.n), k+" = "+t.String()+"("+sum+")", n+" = "+n+" + 1", fmt.Sprintf("if %s < %d", n, rounds))
	return k, nil
}

// step writes an operation on operands, and returns its result.
func (f *writer) step(s step, operands []string) (string, ir.Type, error) {
	result, ok := s.op.resultType(s.t)
	if !ok {
		return "", nil, fmt.Errorf("%s has no result on %s", s.op.name, word(s.t))
	}
	e := &frame{writer: f, op: s.op, t: s.t, names: map[string]string{}}
	for i, text := range operands {
		e.names[string(rune('x'+i))] = f.promotedText(s.t, text)
	}
	if text, ok := f.special(s, result, operands); ok {
		return text, result, nil
	}
	body, tree := strings.CutPrefix(s.op.body, "tree ")
	if v, ok := s.t.(ir.Vector); ok && tree { // halves are combined until one lane is left
		for n := v.Lanes / 2; n > 0 && e.err == nil; n /= 2 {
			e.names["y"] = f.let(v, shuffle(e.names["x"], e.names["x"], v.Lanes, func(i, lanes int) int { return (i + n) % lanes }))
			e.names["x"] = f.let(v, settled(v, e.expand(body)))
		}
		return f.let(result, laneOf(v, e.names["x"], 0)), result, e.err
	}
	statements := strings.Split(body, "; ")
	for _, text := range statements[:len(statements)-1] {
		head, value, _ := strings.Cut(text, " = ")
		words := strings.Fields(head)
		t := e.typeOf(words[1])
		value = e.expand(value)
		if e.err != nil {
			return "", nil, e.err
		}
		v := f.local(t)
		if len(words) == 3 {
			c := f.local(ir.I32)
			f.body = append(f.body, c+", "+v+" = "+value)
			e.names[words[2]] = c
		} else {
			f.body = append(f.body, v+" = "+settled(t, value))
		}
		e.names[words[0]] = f.promotedText(t, v)
	}
	last := statements[len(statements)-1]
	var value string
	if name, ok := strings.CutPrefix(last, "units "); ok {
		value = e.units(name)
	} else {
		value = e.expand(last)
	}
	if e.err != nil {
		return "", nil, e.err
	}
	return f.let(result, settled(result, value)), result, nil
}

// settled returns a value converted to the type of a variable, where it may have another.
func settled(t ir.Type, text string) string {
	switch classOf(t) {
	case vectors:
		return "convert(" + t.String() + ", " + text + ")"
	case floats:
		return text
	}
	return t.String() + "(" + text + ")"
}

// promotedText returns an operand as C promotes it.
func (f *writer) promotedText(t ir.Type, text string) string {
	if p := promoted(t); p != t && strings.HasPrefix(text, "%") {
		return p.String() + "(" + text + ")"
	}
	return text
}

// special writes the operations on lanes.
func (f *writer) special(s step, result ir.Type, operands []string) (string, bool) {
	v, ok := s.t.(ir.Vector)
	if !ok {
		return "", false
	}
	word, rest, _ := strings.Cut(s.op.body, " ")
	switch word {
	case "reduce":
		return f.reduce(v, rest, operands[0]), true
	case "shuffle":
		y := operands[0]
		if len(operands) > 1 {
			y = operands[1]
		}
		return f.let(result, shuffle(operands[0], y, v.Lanes, shuffles[rest])), true
	case "lane": // that the first lane of y chooses
		at := f.let(ir.U64, "u64("+laneOf(v, operands[1], 0)+") % "+strconv.Itoa(v.Lanes)+":u64")
		if rest == "at" {
			return f.let(result, settled(result, operands[0]+"["+at+"]")), true
		}
		all := f.let(v, operands[0])
		f.body = append(f.body, all+"["+at+"] = "+operands[1]+"["+strconv.Itoa(v.Lanes-1)+"]")
		return all, true
	case "cast":
		return f.let(result, "bitcast("+result.String()+", "+operands[0]+")"), true
	case "%x[0]":
		return f.let(result, laneOf(v, operands[0], 0)), true
	case "%x[-1]":
		return f.let(result, laneOf(v, operands[0], v.Lanes-1)), true
	}
	return "", false
}

// laneOf returns the text of a lane, as a scalar.
func laneOf(v ir.Vector, x string, i int) string {
	text := x + "[" + strconv.Itoa(i) + "]"
	if !v.Elem.Standard() {
		text = elem(v).String() + "(" + text + ")"
	}
	return text
}

// reduce folds the lanes of a vector.
func (f *writer) reduce(v ir.Vector, op, x string) string {
	t := elem(v)
	if op == "<" || op == ">" {
		m := f.let(t, laneOf(v, x, 0))
		for i := 1; i < v.Lanes; i++ {
			lane, best := f.promotedText(t, laneOf(v, x, i)), f.promotedText(t, m)
			f.body = append(f.body, m+" = "+settled(t, fmt.Sprintf("%s %s %s ? %s : %s", lane, op, best, lane, best)))
		}
		return m
	}
	var lanes []string
	for i := range v.Lanes {
		lanes = append(lanes, to(unsigned(t), x+"["+strconv.Itoa(i)+"]"))
	}
	return f.let(t, settled(t, strings.Join(lanes, " "+op+" ")))
}

// shuffles are the shuffles of two vectors of n lanes: which lane of both the result has at i.
var shuffles = map[string]func(i, n int) int{
	"reverse":   func(i, n int) int { return n - 1 - i },
	"rotate":    func(i, n int) int { return (i + 1) % n },
	"first":     func(i, n int) int { return 0 },
	"last":      func(i, n int) int { return n - 1 },
	"swap":      func(i, n int) int { return min(i^1, n-1) },
	"ziplow":    func(i, n int) int { return i/2 + i%2*n },
	"ziphigh":   func(i, n int) int { return min((n+i)/2+(n+i)%2*n, 2*n-1) },
	"evens":     func(i, n int) int { return 2 * i },
	"odds":      func(i, n int) int { return 2*i + 1 },
	"alternate": func(i, n int) int { return i + i%2*n },
	"compress":  compressed,
	"shiftin":   func(i, n int) int { return i + 1 },
}

// compressed has every second lane of the first vector, and then those of the second in their places.
func compressed(i, n int) int {
	if 2*i < n {
		return 2 * i
	}
	return n + i
}

// shuffle returns the text of a shuffle of two vectors.
func shuffle(x, y string, n int, from func(i, n int) int) string {
	lanes := braces(n, func(i int) string { return strconv.Itoa(from(i, n)) })
	return fmt.Sprintf("shuffle(%s, %s, %s)", x, y, strings.Trim(lanes, "{}"))
}
