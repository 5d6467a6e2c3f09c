// Package coretest helps tests inside the rooms of package sketch, which cannot import
// that.
package coretest

import (
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// Value draws a value of type t, often one at an end of a type.
func Value(s *choice.Stream, t ir.Int) int64 {
	return t.Wrap(s.Constant(ir.I64.Min(), ir.I64.Max()))
}

// Run runs f with arguments that are drawn.
func Run(f *ir.Function, s *choice.Stream, fuel int) (args []int64, err error) {
	for _, v := range f.Params() {
		args = append(args, Value(s, v.Type.(ir.Int)))
	}
	_, err = interp.Run(f, args, interp.Options{Fuel: fuel})
	return args, err
}

// Returning makes f, whose variables are there, return e.
func Returning(f *ir.Function, e ir.Expr) {
	f.Result = ir.IntOf(e)
	exit := &ir.Block{Name: "exit", Index: 1, Term: &ir.Return{Val: e}}
	f.Blocks = []*ir.Block{{Name: "entry", Term: &ir.Goto{To: exit}}, exit}
}
