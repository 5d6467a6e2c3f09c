package crosscheck

import (
	"fmt"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// Conversions returns functions that convert all values of 8 bits to every type, to
// bit-fields of all widths among them, and back. The error is a *reify.GeneratorBug.
func Conversions() (list []Member, err error) {
	for _, from := range []ir.Int{ir.I8, ir.U8, ir.Bool} {
		for _, to := range targets() {
			f := converter(fmt.Sprintf("c%d", len(list)), from, to)
			if err := ir.Check(f); err != nil {
				return nil, bug(f, err)
			}
			r, err := interp.Run(f, nil, interp.Options{})
			if err != nil {
				return nil, bug(f, err)
			}
			for i := range 1 << from.Bits { // the interpreter's idea of it, apart from any compiler's
				in, out, back := r.Vars[0][i], r.Vars[1][i], r.Vars[2][i]
				right := in == back // of a type that is exact for it
				if integer, ok := to.Type.(ir.Int); ok {
					right = out == integer.Wrap(in) && back == from.Wrap(out)
				}
				if !right || in != int64(i)+from.Min() {
					return nil, bug(f, fmt.Errorf("%v of %d is %d, and back %d", to, in, out, back))
				}
			}
			list = append(list, Member{Claim: &ir.Claim{Func: f, Want: r.Value, Path: r.Path}})
		}
	}
	return list, nil
}

// A target is a type to convert to.
type target struct {
	ir.Type
	bitField bool // of that width and sign
}

// targets returns the types of variables, and bit-fields of all widths.
func targets() []target {
	var list []target
	for _, t := range integers {
		list = append(list, target{t, false})
	}
	for bits := 1; bits <= 64; bits++ {
		list = append(list, target{ir.Int{Bits: bits, Signed: true}, true}, target{ir.Int{Bits: bits}, true})
	}
	return append(list, target{ir.F32, false}, target{ir.F64, false})
}

// converter returns a function that converts all values of from, by way of to:
//
//	in = {...}; do { out[i] = to(in[i]); back[i] = from(out[i]); hash ...; } while (++i < n);
//
// It returns a hash and not a checksum of the arrays, which would be a thousand
// calls in C.
func converter(name string, from ir.Int, to target) *ir.Function {
	n := 1 << from.Bits
	in := &ir.Var{Name: "in", Kind: ir.Static, Type: ir.Array{Elem: from, Len: n}}
	for i := range n {
		in.Init = append(in.Init, &ir.Const{T: from, V: int64(i) + from.Min()})
	}
	// The intermediate value, as it is kept.
	kept, isInt := to.Type.(ir.Int)
	mid := to.Type
	if to.bitField {
		mid = ir.I64
		if !kept.Signed {
			mid = ir.U64
		}
	}
	out := &ir.Var{Name: "out", Kind: ir.Static, Type: ir.Array{Elem: mid, Len: n}, Index: 1}
	back := &ir.Var{Name: "back", Kind: ir.Static, Type: ir.Array{Elem: from, Len: n}, Index: 2}
	i := &ir.Var{Name: "i", Kind: ir.Local, Type: ir.I32, Init: []ir.Expr{&ir.Const{T: ir.I32}}, Index: 3}
	hash := &ir.Var{Name: "hash", Kind: ir.Local, Type: ir.U64, Init: []ir.Expr{&ir.Const{T: ir.U64}}, Index: 4}
	f := &ir.Function{Name: name, Result: ir.U64, Vars: []*ir.Var{in, out, back, i, hash}}

	index := func() ir.Expr { return &ir.Load{Place: &ir.VarRef{Var: i}} }
	at := func(v *ir.Var) ir.Place { return &ir.Elem{Base: &ir.VarRef{Var: v}, Index: index()} }
	as := func(t ir.Int, e ir.Expr) ir.Expr {
		if ir.IntOf(e) == t {
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
			&ir.Assign{Dst: at(out), Src: &ir.Convert{T: to.Type.(ir.Float), X: source}},
			&ir.Assign{Dst: at(back), Src: fromFloat(from, &ir.Load{Place: at(out)})},
		}
	case !to.bitField:
		loop.Stmts = []ir.Stmt{
			&ir.Assign{Dst: at(out), Src: as(kept, source)},
			&ir.Assign{Dst: at(back), Src: as(from, &ir.Load{Place: at(out)})},
		}
	default:
		declared := ir.I64
		declared.Signed = kept.Signed
		rec := &ir.Record{Name: "s", Fields: []ir.Field{{Name: "m", Type: declared, Bits: kept.Bits}}}
		f.Types = []*ir.Record{rec}
		field := &ir.Var{Name: "s", Kind: ir.Local, Type: rec, Index: 5}
		f.Vars = append(f.Vars, field)
		member := func() ir.Place { return &ir.Member{Base: &ir.VarRef{Var: field}} }
		loop.Stmts = []ir.Stmt{
			&ir.Assign{Dst: member(), Src: as(kept, source)},
			&ir.Assign{Dst: at(out), Src: as(declared, &ir.Load{Place: member()})},
			&ir.Assign{Dst: at(back), Src: as(from, &ir.Load{Place: member()})},
		}
	}
	// FNV-1a, of values in place of bytes.
	mix := func(e ir.Expr) {
		var x ir.Expr = &ir.Load{Place: &ir.VarRef{Var: hash}}
		x = &ir.Binary{Op: ir.Xor, X: x, Y: as(ir.U64, e)}
		x = &ir.Binary{Op: ir.Mul, X: x, Y: &ir.Const{T: ir.U64, V: 1099511628211}}
		loop.Stmts = append(loop.Stmts, &ir.Assign{Dst: &ir.VarRef{Var: hash}, Src: x})
	}
	if isInt {
		mix(&ir.Load{Place: at(out)})
	} else {
		mix(&ir.Convert{T: ir.I64, X: &ir.Load{Place: at(out)}})
	}
	mix(&ir.Load{Place: at(back)})
	next := &ir.Binary{Op: ir.Add, X: index(), Y: &ir.Const{T: ir.I32, V: 1}}
	loop.Stmts = append(loop.Stmts, &ir.Assign{Dst: &ir.VarRef{Var: i}, Src: next})
	entry.Term = &ir.Goto{To: loop}
	loop.Term = &ir.If{Cond: &ir.Binary{Op: ir.Lt, X: index(), Y: &ir.Const{T: ir.I32, V: int64(n)}}, Then: loop, Else: exit}
	exit.Term = &ir.Return{Val: &ir.Load{Place: &ir.VarRef{Var: hash}}}
	return f
}

// fromFloat converts a whole number to an integer: to a Bool, by comparison.
func fromFloat(t ir.Int, e ir.Expr) ir.Expr {
	if t == ir.Bool {
		return &ir.Convert{T: t, X: &ir.Binary{Op: ir.Ne, X: e, Y: &ir.FloatConst{T: ir.TypeOf[ir.Float](e)}}}
	}
	return &ir.Convert{T: t, X: e}
}
