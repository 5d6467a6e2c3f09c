package matrix

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// finish returns the text of the function, whose result is used as the context says.
func (f *writer) finish(name, value string, t ir.Type) (string, error) {
	bits := bitsOf(t)
	convert := func(bits int, sign bool, fails string) (err error) {
		w, ok := withWidth(t, bits, sign)
		if !ok || t == ir.Bool {
			return fmt.Errorf("%s %s", word(t), fails)
		}
		value, err = f.as(w, operand{value, t})
		t = w
		return err
	}
	var branch string
	context, calls := strings.CutSuffix(f.cell.context, "call")
	if calls && classOf(t) != wides { // such that it is computed before the call
		f.body = append(f.body, f.global(t, zero(t))+" = "+value)
	}
	if context == "resigned" {
		if err := convert(bits, !signed(t), "has no other sign"); err != nil {
			return "", err
		}
	}
	if i, ok := t.(ir.Int); calls && ok && i.Bits < 64 && i != ir.Bool || context == "widened" || context == "resigned" && !calls {
		if err := convert(2*bits, signed(t), "is not widened"); err != nil {
			return "", err
		}
	}
	if calls {
		f.body = append(f.body, f.global(ir.U32, "0")+" = checksum("+f.param(ir.U64, ir.U64)+")")
	}
	var err error
	switch context {
	case "narrow":
		if bits < 16 {
			return "", fmt.Errorf("%s is not narrowed", word(t))
		}
		err = convert(bits/2, signed(t), "is not narrowed")
	case "zero":
		zero, _ := f.operand("const0", t, "")
		value, t, err = f.apply("eq", t, value, zero)
	case "branch", "sign":
		i, ok := t.(ir.Int)
		if !ok {
			return "", fmt.Errorf("no branch on %s", word(t))
		}
		branch = f.promotedText(i, value)
		if context == "sign" {
			branch = literal(promoted(i), new(big.Int)) + " > " + branch
		}
		value, t = f.local(ir.I32), ir.I32
	case "both":
		value, t, err = f.apply("xorlow", t, value)
	case "chosen":
		var first, other string
		if first, err = f.as(t, f.first); err != nil {
			return "", err
		}
		if other, err = f.unknown(t, false); err != nil {
			return "", err
		}
		value, t, err = f.apply("sellow", t, value, first, other)
	case "widths":
		i, ok := t.(ir.Int)
		if !ok || i.Bits > 16 {
			return "", fmt.Errorf("%s is not used in 32 bits", word(t))
		}
		other := f.source(ir.I32, ir.I32, false)
		low, high := f.let(ir.I32, "i32("+value+") ^ "+other), f.let(ir.I32, "i32("+value+") >> 31")
		value, t = f.let(ir.U64, fmt.Sprintf("u64(%s) + u64(%s) + u64(%s)", value, low, high)), ir.U64
	case "passed":
		if classOf(t) != vectors {
			return "", fmt.Errorf("%s is no vector", word(t))
		}
		value = f.let(t, "call(~"+value+")")
	case "twice":
		i, ok := t.(ir.Int)
		if !ok || i == ir.Bool {
			return "", fmt.Errorf("%s is not used twice", word(t))
		}
		again := f.let(i, settled(i, to(unsigned(i), value)+" * "+literal(unsigned(i), big.NewInt(3))+" + ("+to(unsigned(i), value)+" >> "+literal(unsigned(i), big.NewInt(3))+")"))
		f.store(i, value)
		value = again
	}
	if err != nil {
		return "", err
	}
	result, ret := f.result(t, value)
	return f.write(name, result, ret, branch), nil
}

// apply writes an operation on values of a type.
func (f *writer) apply(name string, t ir.Type, operands ...string) (string, ir.Type, error) {
	op, ok := operationOn(name, t)
	if !ok {
		return "", nil, fmt.Errorf("no operation %s on %s", name, word(t))
	}
	return f.step(step{op: op, t: t}, operands)
}

// store stores a value in a new global, or an array of them.
func (f *writer) store(t ir.Type, value string) {
	place := t
	if f.trips > 0 {
		place = ir.Array{Elem: t, Len: f.trips}
	}
	g := f.global(place, zero(place))
	f.results = append(f.results, g)
	if f.trips > 0 {
		g += "[%i]"
	}
	f.body = append(f.body, g+" = "+value)
}

// result returns the result type of the function, and the expression that it returns.
func (f *writer) result(t ir.Type, value string) (ir.Int, string) {
	switch t := t.(type) {
	case ir.Int:
		if f.trips == 0 && len(f.results) == 0 {
			return t, value
		}
		f.store(t, value)
	case ir.Wide:
		low := ir.Int{Bits: 64, Signed: t.Signed}
		if t.Bits <= 64 && f.trips == 0 {
			return low, f.let(low, low.String()+"("+value+")")
		}
		f.store(low, low.String()+"("+value+")")
		if t.Bits > 64 {
			f.store(low, low.String()+"("+value+" >> "+t.String()+"(64:i32))")
		}
	default:
		f.store(t, value)
	}
	return ir.U32, "checksum(" + strings.Join(f.results, ", ") + ")"
}

// write returns the whole text. The blocks are: entry, with what is computed before; those of
// late constants; the operations, in a loop if there is one, behind a branch in the
// context of a block; those of a branch; exit.
func (f *writer) write(name string, result ir.Int, ret, branch string) string {
	block := f.cell.context == "block"
	var guard string
	if block {
		guard = f.param(ir.I32, ir.Int{Bits: 8, Signed: true})
	}
	if f.trips > 0 {
		f.decls = append(f.decls, "local %i i32 = 0")
	}
	var w strings.Builder
	var params []string
	for _, p := range f.params {
		params = append(params, p.name+" "+p.t.String())
	}
	fmt.Fprintf(&w, "func @%s(%s) %s {\n", name, strings.Join(params, ", "), result)
	line := func(text string) { w.WriteString("    " + text + "\n") }
	for _, d := range f.decls {
		line(d)
	}
	label := func(text string) { w.WriteString("  " + text + ":\n") }
	label("entry")
	for _, s := range f.entry {
		line(s)
	}
	for i := 0; i < len(f.blocks); i += 4 {
		line("goto " + f.blocks[i])
		label(f.blocks[i])
		line(f.blocks[i+1])
		line(f.blocks[i+2])
		line(f.blocks[i+3] + " goto " + f.blocks[i] + " else past" + strconv.Itoa(i))
		label("past" + strconv.Itoa(i))
	}
	switch {
	case block:
		line("if " + guard + " < 5 goto body else exit")
		label("body")
	case f.trips > 0:
		line("goto body")
		label("body")
	}
	for _, s := range f.body {
		line(s)
	}
	switch {
	case f.trips > 0:
		line("%i = %i + 1")
		line("if %i < " + strconv.Itoa(f.trips) + " goto body else exit")
	case branch != "":
		line("if " + branch + " goto yes else no")
		v := strings.TrimSuffix(ret, " ")
		label("yes")
		line(v + " = 1")
		line("goto exit")
		label("no")
		line(v + " = 2")
		line("goto exit")
	default:
		line("goto exit")
	}
	label("exit")
	line("return " + ret)
	w.WriteString("}\n")
	return w.String()
}
