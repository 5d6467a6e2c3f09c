//go:build cgo && z3

package z3

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A writer fills a small graph without loops with random statements of the
// whole integer language:
//
//	entry: goto b1
//	b1:    ...; if ... goto b2 else b3
//	b2:    ...; switch ... {... b3, else exit}
//	b3:    ...; goto exit
type writer struct {
	s       *choice.Stream
	f       *ir.Function
	symbols int // leaves that are symbols, in percent
}

var wide = []ir.Int{ir.I32, ir.I32, ir.U32, ir.I64, ir.U64}

// paths are the ways through the graph.
var paths = [][]int{{0, 1, 2, 3, 4}, {0, 1, 2, 4}, {0, 1, 3, 4}}

func randomLanguage(symbols int, s *choice.Stream) *ir.Function {
	w := &writer{s: s, f: &ir.Function{Name: "f", Result: ir.U32}, symbols: symbols}
	record := &ir.Record{Name: "S", Fields: []ir.Field{
		{Name: "a", Type: ir.I32, Bits: 5}, {Name: "b", Type: ir.Array{Elem: ir.I16, Len: 2}},
		{Name: "c", Type: ir.U32, Bits: 1}, {Name: "d", Type: ir.Bool}, {Name: "e", Type: ir.U64, Bits: 40}}}
	union := &ir.Record{Name: "U", Union: true, Fields: []ir.Field{{Name: "x", Type: ir.I64}, {Name: "y", Type: record}, {Name: "z", Type: ir.U8}}}
	w.f.Types = []*ir.Record{record, union}
	w.variable("a", ir.I32, ir.Param)
	w.variable("b", choice.Pick(s, []ir.Int{ir.Bool, ir.U8, ir.I8, ir.U64}), ir.Param)
	w.variable("c", choice.Pick(s, wide), ir.Local)
	w.variable("s", ir.Array{Elem: record, Len: 2}, ir.Local)
	w.variable("u", union, choice.Pick(s, []ir.Kind{ir.Local, ir.Global}))
	w.variable("g", ir.Array{Elem: choice.Pick(s, []ir.Int{ir.I32, ir.U16, ir.Bool}), Len: 3}, ir.Static)
	w.variable("p", ir.Pointer{Elem: ir.Scalar(w.f.Vars[5].Type)}, ir.Static)
	w.variable("flag", ir.I32, ir.Local)
	for i := range 5 {
		w.f.Blocks = append(w.f.Blocks, &ir.Block{Name: fmt.Sprintf("b%d", i), Index: i})
	}
	b := w.f.Blocks
	for _, block := range b[1:4] {
		for range s.Range(1, 2) {
			block.Stmts = append(block.Stmts, w.statement())
		}
	}
	b[0].Term = &ir.Goto{To: b[1]}
	b[1].Term = &ir.If{Cond: w.expr(ir.I32, 1), Then: b[2], Else: b[3]}
	b[2].Term = w.dispatch(b[3], b[4])
	b[3].Term = &ir.Goto{To: b[4]}
	b[4].Term = &ir.Return{Val: w.expr(ir.U32, 1)}
	return w.f
}

func (w *writer) variable(name string, t ir.Type, k ir.Kind) {
	v := &ir.Var{Name: name, Type: t, Kind: k, Index: len(w.f.Vars)}
	w.f.Vars = append(w.f.Vars, v)
	if k == ir.Param || w.s.Chance(1, 15) {
		return
	}
	v.Init = make([]ir.Expr, ir.Count(t))
	for i := range v.Init {
		switch own := ir.Cell(t, i).(type) {
		case ir.Int:
			if first(t, i) {
				v.Init[i] = w.leaf(own)
			}
		case ir.Pointer:
			array := &ir.VarRef{Var: w.f.Vars[5]}
			v.Ptrs = []ir.Expr{&ir.AddrOf{Place: &ir.Elem{Base: array, Index: &ir.Const{T: ir.I32, V: w.s.Int64(0, 2)}}}}
		}
	}
}

// dispatch returns a switch that goes to either block.
func (w *writer) dispatch(x, y *ir.Block) ir.Term {
	t := choice.Pick(w.s, wide)
	to := func() *ir.Block { return choice.Pick(w.s, []*ir.Block{x, x, y}) }
	return &ir.Switch{X: w.expr(t, 1), Default: y, Cases: []ir.SwitchCase{
		{Lo: &ir.Const{T: t}, To: x},
		{Lo: w.sym(t), To: to()},
		{Lo: &ir.Const{T: t, V: 10}, Hi: &ir.Const{T: t, V: 90}, To: to()},
		{Lo: w.sym(t), To: to()},
	}}
}

func (w *writer) sym(t ir.Int) ir.Expr {
	w.f.Syms++
	return &ir.Sym{T: t, ID: w.f.Syms - 1}
}

func (w *writer) leaf(t ir.Int) ir.Expr {
	if w.s.Chance(w.symbols, 100) {
		return w.sym(t)
	}
	return &ir.Const{T: t, V: t.Wrap(w.value())}
}

// value is most often small, so that indices and counts are in range.
func (w *writer) value() int64 { return someValue(w.s) }

func someValue(s *choice.Stream) int64 {
	if s.Chance(1, 5) {
		return int64(s.Uint64()) >> s.Intn(64)
	}
	return s.Int64(-1, 3)
}

func (w *writer) index() ir.Expr {
	if w.s.Chance(1, 2) {
		return &ir.Const{T: ir.I32, V: w.s.Int64(0, 1)}
	}
	return &ir.Binary{Op: ir.And, X: w.expr(ir.I32, 1), Y: &ir.Const{T: ir.I32, V: w.s.Int64(1, 2)}}
}

// place returns a scalar integer.
func (w *writer) place() ir.Place {
	ref := func(i int) ir.Place { return &ir.VarRef{Var: w.f.Vars[i]} }
	i := w.s.Intn(9)
	if (i == 5 || i == 6) && w.s.Chance(2, 3) {
		i -= 5 // a member of a union seldom has a value
	}
	switch i {
	case 0, 1, 2:
		return ref(i)
	case 3, 4:
		return w.member(&ir.Elem{Base: ref(3), Index: w.index()})
	case 5:
		return w.member(&ir.Member{Base: ref(4), Field: 1})
	case 6:
		return &ir.Member{Base: ref(4), Field: choice.Pick(w.s, []int{0, 2})}
	case 7:
		return &ir.Elem{Base: ref(5), Index: w.index()}
	}
	var p ir.Expr = &ir.Load{Place: ref(6)}
	if w.s.Chance(1, 2) {
		p = &ir.PtrAdd{X: p, Index: &ir.Const{T: ir.I32, V: w.s.Int64(0, 1)}}
	}
	return &ir.Deref{X: p}
}

// member returns a scalar of an S.
func (w *writer) member(s ir.Place) ir.Place {
	field := w.s.Intn(5)
	m := &ir.Member{Base: s, Field: field}
	if field == 1 {
		return &ir.Elem{Base: m, Index: w.index()}
	}
	return m
}

func (w *writer) statement() ir.Stmt {
	ref := func(i int) ir.Place { return &ir.VarRef{Var: w.f.Vars[i]} }
	switch w.s.Intn(8) {
	case 0:
		from := ir.Place(&ir.Elem{Base: ref(3), Index: w.index()})
		to := ir.Place(&ir.Member{Base: ref(4), Field: 1})
		if w.s.Chance(1, 2) {
			from, to = to, from
		}
		return &ir.Assign{Dst: to, Src: &ir.Load{Place: from}}
	case 1:
		op := choice.Pick(w.s, []ir.Op{ir.Add, ir.Sub, ir.Mul})
		return &ir.Overflow{Flag: ref(7), Dst: ref(2), Op: op, X: w.expr(choice.Pick(w.s, wide), 1), Y: w.expr(choice.Pick(w.s, wide), 1)}
	case 2:
		array := ref(5)
		return &ir.Assign{Dst: ref(6), Src: &ir.AddrOf{Place: &ir.Elem{Base: array, Index: &ir.Const{T: ir.I32, V: w.s.Int64(0, 2)}}}}
	}
	dst := w.place()
	t := dst.Type().(ir.Int)
	if t.Standard() && t.Bits >= 32 {
		return &ir.Assign{Dst: dst, Src: w.expr(t, 2)}
	}
	return &ir.Assign{Dst: dst, Src: &ir.Convert{T: t, X: w.expr(choice.Pick(w.s, wide), 2)}}
}

// expr returns an expression of a type of at least 32 bits.
func (w *writer) expr(t ir.Int, depth int) ir.Expr {
	if depth == 0 || w.s.Chance(1, 6) {
		if w.s.Chance(1, 3) {
			return w.leaf(t)
		}
		return convert(&ir.Load{Place: w.place()}, t)
	}
	of := choice.Pick(w.s, wide)
	sub := func(t ir.Int) ir.Expr { return w.expr(t, depth-1) }
	switch w.s.Intn(8) {
	case 0:
		op := ir.Op(w.s.Range(int(ir.Lt), int(ir.LOr)))
		return convert(&ir.Binary{Op: op, X: sub(of), Y: sub(of)}, t)
	case 1:
		return &ir.Select{If: sub(of), X: sub(t), Y: sub(t)}
	case 2:
		op := choice.Pick(w.s, []ir.UnOp{ir.Neg, ir.Not, ir.LNot})
		if op == ir.LNot {
			return convert(&ir.Unary{Op: op, X: sub(of)}, t)
		}
		return &ir.Unary{Op: op, X: sub(t)}
	case 3:
		fn := ir.Fn(w.s.Range(int(ir.Popcount), int(ir.Abs)))
		of.Signed = fn.Signed()
		return convert(&ir.Builtin{Fn: fn, Args: []ir.Expr{sub(of)}}, t)
	case 4:
		return convert(sub(of), t)
	case 5:
		op := choice.Pick(w.s, []ir.Op{ir.Shl, ir.Shr})
		count := &ir.Binary{Op: ir.And, X: sub(t), Y: &ir.Const{T: t, V: choice.Pick(w.s, []int64{3, 31, 32})}}
		return &ir.Binary{Op: op, X: sub(t), Y: count}
	case 6:
		return &ir.Binary{Op: choice.Pick(w.s, []ir.Op{ir.And, ir.Or, ir.Xor}), X: sub(t), Y: sub(t)}
	}
	op := choice.Pick(w.s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem})
	return &ir.Binary{Op: op, X: sub(t), Y: sub(t)}
}
