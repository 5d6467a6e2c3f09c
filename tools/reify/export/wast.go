package export

import (
	"context"
	"fmt"
	"strings"

	engines "goreify/compilers/wasm"
	"goreify/corpus"
	"goreify/reify/emit/wasm"
	"goreify/reify/ir"
)

// trapTexts are the messages of the specification's tests.
var trapTexts = map[ir.Trap]string{
	ir.DivideByZero:   "integer divide by zero",
	ir.DivideOverflow: "integer overflow",
	ir.OutOfBounds:    "out of bounds memory access",
	ir.Truncate:       "integer overflow",
	ir.Unreached:      "unreachable",
}

// wast writes a module with an assertion for each of its calls.
func wast(_ context.Context, t Test) ([]corpus.File, error) {
	hex, err := t.source()
	if err != nil {
		return nil, err
	}
	module, err := engines.Decode([]byte(hex))
	if err != nil {
		return nil, err
	}
	text, err := wasm.Text(module)
	if err != nil {
		return nil, err
	}
	p, err := t.calls()
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, ";; %s\n%s\n", t.origin(), withoutComments(text))
	for _, k := range p.Claims {
		if strings.Contains(text, fmt.Sprintf("(export %q)", k.Func.Name+".reset")) {
			fmt.Fprintf(&b, "(invoke %q)\n", k.Func.Name+".reset")
		}
		call := fmt.Sprintf("(invoke %q", k.Func.Name)
		for i, v := range k.Func.Params() {
			call += " " + value(v.Type.(ir.Int), k.Args[i])
		}
		call += ")"
		switch message, ok := trapTexts[k.Trap]; {
		case k.Trap == "":
			fmt.Fprintf(&b, "(assert_return %s %s)\n", call, value(k.Func.Result, k.Want))
		case ok:
			fmt.Fprintf(&b, "(assert_trap %s %q)\n", call, message)
		default:
			return nil, fmt.Errorf("@%s ends in %s: %w", k.Func.Name, k.Trap, ErrNotForThis)
		}
	}
	return one(t.Name+".wast", b.String()), nil
}

// value returns an integer as a constant.
func value(t ir.Int, v int64) string {
	kind := "i32"
	if t.Bits > 32 {
		kind = "i64"
	}
	return fmt.Sprintf("(%s.const %d)", kind, v)
}
