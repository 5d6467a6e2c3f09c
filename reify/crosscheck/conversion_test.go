package crosscheck

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// All values of 8 bits convert to every type, to bit-fields of all widths among
// them, and back.
func TestConversions(t *testing.T) {
	b := newBench(t, true)
	var units []c.Unit
	values := 0
	for _, from := range []ir.Int{ir.I8, ir.U8, ir.Bool} {
		for _, to := range targets() {
			f := converter(fmt.Sprintf("f%d", len(units)), from, to)
			require.NoError(t, ir.Check(f), "%s", f)
			r, err := interp.Run(f, nil, interp.Options{})
			require.NoError(t, err, "%s", f)
			n := 1 << from.Bits
			require.Len(t, r.Path, n+2, "%s", f)
			for i := range n { // the interpreter's idea of it, apart from any compiler's
				in, out, back := r.Vars[0][i], r.Vars[1][i], r.Vars[2][i]
				require.Equal(t, int64(i)+from.Min(), in)
				if integer, ok := to.(ir.Int); ok {
					require.Equal(t, integer.Wrap(in), out, "%v of %d", to, in)
					require.Equal(t, from.Wrap(out), back, "%v of %d", from, out)
				} else {
					require.Equal(t, in, back, "%v is exact for %d", to, in)
				}
			}
			u := unit(f, nil, r.Value, c.Style{})
			u.Case.Path = r.Path
			units = append(units, u)
			values += n
		}
	}
	b.agree(t, units, func(_ compilers.Toolchain, i int) string { return units[i].Case.Func.String() })
	t.Logf("%d conversions and back agree with %v at -O0, in %d pairs of types", values, b, len(units))
}

// targets returns the types that are converted to.
func targets() []ir.Type {
	var list []ir.Type
	for _, t := range integers {
		list = append(list, t)
	}
	for bits := 1; bits <= 64; bits++ {
		for _, signed := range []bool{true, false} {
			if t := (ir.Int{Bits: bits, Signed: signed}); !t.Standard() {
				list = append(list, t)
			}
		}
	}
	return append(list, ir.F32, ir.F64)
}

// converter returns a function that converts all values of from, by way of to:
//
//	in = {...}; do { out[i] = to(in[i]); back[i] = from(out[i]); } while (++i < n);
func converter(name string, from ir.Int, to ir.Type) *ir.Function {
	n := 1 << from.Bits
	in := &ir.Var{Name: "in", Kind: ir.Static, Type: ir.Array{Elem: from, Len: n}}
	for i := range n {
		in.Init = append(in.Init, &ir.Const{T: from, V: int64(i) + from.Min()})
	}
	// The intermediate value, as it is kept.
	kept, isInt := to.(ir.Int)
	mid := to
	if isInt && !kept.Standard() {
		mid = ir.I64
		if !kept.Signed {
			mid = ir.U64
		}
	}
	out := &ir.Var{Name: "out", Kind: ir.Static, Type: ir.Array{Elem: mid, Len: n}, Index: 1}
	back := &ir.Var{Name: "back", Kind: ir.Static, Type: ir.Array{Elem: from, Len: n}, Index: 2}
	i := &ir.Var{Name: "i", Kind: ir.Local, Type: ir.I32, Init: []ir.Expr{&ir.Const{T: ir.I32}}, Index: 3}
	f := &ir.Function{Name: name, Result: ir.U32, Vars: []*ir.Var{in, out, back, i}}

	index := func() ir.Expr { return &ir.Load{Place: &ir.VarRef{Var: i}} }
	at := func(v *ir.Var) ir.Place { return &ir.Elem{Base: &ir.VarRef{Var: v}, Index: index()} }
	as := func(t ir.Int, e ir.Expr) ir.Expr {
		if e.Type() == t {
			return e
		}
		return &ir.Convert{T: t, X: e}
	}
	entry, loop, exit := &ir.Block{Name: "entry"}, &ir.Block{Name: "loop", Index: 1}, &ir.Block{Name: "exit", Index: 2}
	f.Blocks = []*ir.Block{entry, loop, exit}
	source := &ir.Load{Place: at(in)}
	switch {
	case !isInt:
		loop.Stmts = []ir.Stmt{
			&ir.AssignFloat{Dst: at(out), Src: &ir.FloatOf{T: to.(ir.Float), X: source}},
			&ir.Assign{Dst: at(back), Src: fromFloat(from, &ir.FloatLoad{Place: at(out)})},
		}
	case kept.Standard():
		loop.Stmts = []ir.Stmt{
			&ir.Assign{Dst: at(out), Src: as(kept, source)},
			&ir.Assign{Dst: at(back), Src: as(from, &ir.Load{Place: at(out)})},
		}
	default:
		declared := ir.I64
		declared.Signed = kept.Signed
		rec := &ir.Record{Name: "s", Fields: []ir.Field{{Name: "m", Type: declared, Bits: kept.Bits}}}
		f.Types = []*ir.Record{rec}
		field := &ir.Var{Name: "s", Kind: ir.Local, Type: rec, Index: 4}
		f.Vars = append(f.Vars, field)
		member := func() ir.Place { return &ir.Member{Base: &ir.VarRef{Var: field}} }
		loop.Stmts = []ir.Stmt{
			&ir.Assign{Dst: member(), Src: as(kept, source)},
			&ir.Assign{Dst: at(out), Src: as(declared, &ir.Load{Place: member()})},
			&ir.Assign{Dst: at(back), Src: as(from, &ir.Load{Place: member()})},
		}
	}
	next := &ir.Binary{Op: ir.Add, X: index(), Y: &ir.Const{T: ir.I32, V: 1}}
	loop.Stmts = append(loop.Stmts, &ir.Assign{Dst: &ir.VarRef{Var: i}, Src: next})
	entry.Term = &ir.Goto{To: loop}
	loop.Term = &ir.If{Cond: &ir.Binary{Op: ir.Lt, X: index(), Y: &ir.Const{T: ir.I32, V: int64(n)}}, Then: loop, Else: exit}
	exit.Term = &ir.Return{Val: &ir.Checksum{Of: []*ir.Var{out, back}}}
	return f
}

// fromFloat converts a whole number to an integer: to a Bool, by comparison.
func fromFloat(t ir.Int, e ir.FloatExpr) ir.Expr {
	if t == ir.Bool {
		return &ir.Convert{T: t, X: &ir.FloatCompare{Op: ir.Ne, X: e, Y: &ir.FloatConst{T: e.Type()}}}
	}
	return &ir.FloatToInt{T: t, X: e}
}
