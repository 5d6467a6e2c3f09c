package ir_test

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

func (b *builder) record(name string) *ir.Record {
	r := &ir.Record{Name: name, Union: b.s.Chance(1, 4)}
	for i := range b.s.Range(1, 4) {
		f := ir.Field{Name: fmt.Sprintf("m%d", i), Type: b.typ(2)}
		if t, ok := f.Type.(ir.Int); ok && b.s.Chance(1, 3) {
			f.Bits = b.s.Range(1, t.Bits)
		}
		r.Fields = append(r.Fields, f)
	}
	return r
}

// typ returns a type of at most the given number of levels.
func (b *builder) typ(levels int) ir.Type {
	if levels > 0 && (!b.plain || b.s.Chance(1, 2)) {
		switch b.s.Intn(6) {
		case 0, 1:
			return ir.Array{Elem: b.typ(levels - 1), Len: b.s.Range(1, 3)}
		case 2:
			if len(b.f.Types) > 0 {
				return choice.Pick(b.s, b.f.Types)
			}
		case 3:
			if !b.plain {
				return ir.Pointer{Elem: b.typ(levels - 1), Const: b.s.Chance(1, 4), Volatile: b.s.Chance(1, 4)}
			}
		case 4:
			if !b.plain {
				return ir.Vector{Elem: choice.Pick(b.s, allInts), Lanes: b.s.Range(2, 8)}
			}
		}
	}
	if !b.plain {
		switch b.s.Intn(8) {
		case 0:
			return choice.Pick(b.s, []ir.Float{ir.F32, ir.F64})
		case 1:
			return ir.Bool
		}
	}
	return choice.Pick(b.s, allInts)
}

func (b *builder) variable(i int) *ir.Var {
	v := &ir.Var{Name: fmt.Sprintf("v%d", i), Kind: ir.Param, Index: i, Volatile: b.s.Chance(1, 4)}
	v.Type = choice.Pick(b.s, allInts)
	if i < 3 {
		return v
	}
	if !b.plain && b.s.Chance(1, 8) {
		v.Kind, v.Volatile, v.Type = ir.Local, false, b.wideType()
		return v
	}
	v.Kind = ir.Kind(b.s.Range(int(ir.Local), int(ir.Static)))
	v.Type = b.typ(3)
	if b.s.Chance(2, 3) {
		b.init(v, v.Type, false)
		pointers := false
		for i := range ir.Count(v.Type) {
			_, ok := ir.Cell(v.Type, i).(ir.Pointer)
			pointers = pointers || ok
		}
		if !pointers {
			v.Ptrs = nil
		}
		v.Const = !b.plain && b.s.Chance(1, 4)
	}
	return v
}

func (b *builder) init(v *ir.Var, t ir.Type, hidden bool) {
	var e ir.Expr
	var ptr ir.Expr
	switch t := t.(type) {
	case ir.Array:
		for range t.Len {
			b.init(v, t.Elem, hidden)
		}
		return
	case ir.Vector:
		for range t.Lanes {
			b.init(v, t.Elem, hidden)
		}
		return
	case *ir.Record:
		for i := range t.Fields {
			b.init(v, t.Member(i), hidden || t.Union && i > 0)
		}
		return
	case ir.Pointer:
		if !hidden {
			ptr = b.address(v, t)
		}
	case ir.Float:
		e = &ir.Const{T: ir.I32, V: int64(b.s.Range(-9, 9))}
		if b.s.Chance(1, 3) {
			e = b.symbol(ir.I32)
		}
	case ir.Int:
		e = b.leaf(t)
	}
	if hidden {
		e = nil
	}
	v.Init = append(v.Init, e)
	v.Ptrs = append(v.Ptrs, ptr)
}

// address returns the address of something declared before v that a pointer of
// type t in v may begin with, or nil.
func (b *builder) address(v *ir.Var, t ir.Pointer) ir.Expr {
	for range 8 {
		if v.Index == 0 {
			break
		}
		root := choice.Pick(b.s, b.f.Vars[:v.Index])
		if v.Kind != ir.Local && (root.Kind == ir.Param || root.Kind == ir.Local) {
			continue
		}
		var p ir.Place = &ir.VarRef{Var: root}
		for {
			if q := p.Type(); q == t.Elem && !root.Const && !root.Volatile && addressable(p) {
				return &ir.AddrOf{Place: p}
			}
			if a, ok := p.Type().(ir.Array); ok {
				p = &ir.Elem{Base: p, Index: &ir.Const{T: ir.I32, V: int64(b.s.Intn(a.Len))}}
			} else if r, ok := p.Type().(*ir.Record); ok {
				p = &ir.Member{Base: p, Field: b.s.Intn(len(r.Fields))}
			} else {
				break
			}
		}
	}
	return nil
}

func addressable(p ir.Place) bool {
	if _, wide := p.Type().(ir.Wide); wide {
		return false
	}
	switch p := p.(type) {
	case *ir.Elem:
		_, lane := p.Base.Type().(ir.Vector)
		return !lane
	case *ir.Member:
		return p.Base.Type().(*ir.Record).Fields[p.Field].Bits == 0
	}
	return true
}

// place returns a place for which ok holds, or nil if it has not found one.
func (b *builder) place(ok func(p ir.Place) bool) ir.Place {
	if len(b.f.Vars) == 0 {
		return nil
	}
	for range 6 {
		var p ir.Place = &ir.VarRef{Var: choice.Pick(b.s, b.f.Vars)}
		for steps := 0; p != nil && steps < 8; steps++ {
			if ok(p) && b.s.Chance(3, 4) {
				return p
			}
			p = b.part(p)
		}
	}
	return nil
}

// part returns a part of p, or what it points to, or nil.
func (b *builder) part(p ir.Place) ir.Place {
	switch t := p.Type().(type) {
	case ir.Array, ir.Vector:
		return &ir.Elem{Base: p, Index: b.expr(choice.Pick(b.s, allInts), 1)}
	case *ir.Record:
		return &ir.Member{Base: p, Field: b.s.Intn(len(t.Fields))}
	case ir.Pointer:
		var x ir.Expr = &ir.Load{Place: p}
		if b.s.Chance(1, 3) {
			x = b.ptr(t, 1)
		}
		return &ir.Deref{X: x}
	}
	return nil
}

func typed(t ir.Type) func(ir.Place) bool {
	return func(p ir.Place) bool { return p.Type() == t }
}

// writable reports whether p can be assigned to.
func writable(p ir.Place) bool {
	if addressable(p) {
		return !ir.TypeOf[ir.Pointer]((&ir.AddrOf{Place: p})).Const
	}
	switch p := p.(type) {
	case *ir.Elem:
		return writable(p.Base)
	case *ir.Member:
		return writable(p.Base)
	}
	return true
}

// stmt returns a statement, or nil if it has found nothing to assign to.
func (b *builder) stmt() ir.Stmt {
	if !b.plain && b.s.Chance(1, 16) {
		return &ir.Unreachable{}
	}
	if !b.plain && b.s.Chance(1, 16) {
		a := &ir.Assume{Cond: b.expr(choice.Pick(b.s, wideInts), 2), Guard: b.s.Chance(1, 2)}
		if acts(a.Cond) {
			a.Cond = b.leaf(ir.I32)
		}
		return a
	}
	if !b.plain && b.s.Chance(1, 8) {
		op := choice.Pick(b.s, []ir.Op{ir.Add, ir.Sub, ir.Mul})
		s := &ir.Overflow{Op: op, X: b.expr(choice.Pick(b.s, wideInts), 2), Y: b.expr(choice.Pick(b.s, wideInts), 2)}
		s.Dst = b.place(func(p ir.Place) bool {
			t, ok := p.Type().(ir.Int)
			return ok && t.Standard() && t != ir.Bool && addressable(p) && writable(p)
		})
		s.Flag = b.place(func(p ir.Place) bool { return (p.Type() == ir.I32 || p.Type() == ir.Bool) && writable(p) })
		if s.Dst == nil || s.Flag == nil {
			return nil
		}
		if x, ok := s.Dst.(*ir.VarRef); ok {
			if y, ok := s.Flag.(*ir.VarRef); ok && x.Var == y.Var {
				return nil
			}
		}
		return s
	}
	if !b.plain && b.s.Chance(1, 8) {
		t := ir.Pointer{Elem: b.typ(1)}
		n := b.expr(choice.Pick(b.s, allInts), 2)
		if ir.Bytewise(t.Elem) && b.s.Chance(1, 2) {
			return &ir.Fill{Dst: b.ptr(t, 2), Byte: b.expr(choice.Pick(b.s, allInts), 2), N: n}
		}
		from := t
		from.Const = b.s.Chance(1, 2)
		return &ir.Transfer{Move: b.s.Chance(1, 2), Dst: b.ptr(t, 2), Src: b.ptr(from, 2), N: n}
	}
	dst := b.place(func(p ir.Place) bool {
		_, array := p.Type().(ir.Array)
		return !array && writable(p)
	})
	if dst == nil {
		return nil
	}
	switch t := dst.Type().(type) {
	case ir.Int:
		if t.Standard() {
			return &ir.Assign{Dst: dst, Src: b.expr(t, 4)}
		}
		if b.s.Chance(1, 2) {
			return &ir.Assign{Dst: dst, Src: b.leaf(t)}
		}
		return &ir.Assign{Dst: dst, Src: &ir.Convert{T: t, X: b.expr(choice.Pick(b.s, allInts), 3)}}
	case ir.Pointer:
		src := t
		src.Const, src.Volatile = t.Const && b.s.Chance(1, 2), t.Volatile && b.s.Chance(1, 2)
		return &ir.Assign{Dst: dst, Src: b.ptr(src, 3)}
	case ir.Float:
		return &ir.Assign{Dst: dst, Src: b.float(t, 3)}
	case ir.Wide:
		return &ir.Assign{Dst: dst, Src: b.wide(t, 3)}
	case ir.Vector:
		return &ir.Assign{Dst: dst, Src: b.vec(t, 3)}
	case *ir.Record:
		if src := b.place(typed(t)); src != nil {
			return &ir.Assign{Dst: dst, Src: &ir.Load{Place: src}}
		}
		return nil
	}
	panic("unknown type")
}

func (b *builder) switchTerm() ir.Term {
	target := func() *ir.Block { return b.f.Blocks[b.s.Range(1, len(b.f.Blocks)-1)] }
	t := choice.Pick(b.s, wideInts)
	s := &ir.Switch{X: b.expr(t, 3), Default: target()}
	at := t.Wrap(int64(b.s.Uint64()) >> 1)
	for range b.s.Intn(6) {
		c := ir.SwitchCase{Lo: &ir.Const{T: t, V: t.Wrap(at)}, To: target()}
		if b.s.Chance(1, 3) {
			c.Lo = b.symbol(t)
		}
		if b.s.Chance(1, 3) {
			at += int64(b.s.Intn(9))
			c.Hi = &ir.Const{T: t, V: t.Wrap(at)}
		}
		if at++; t.Wrap(at) == t.Wrap(at+100) || t.Max()-t.Wrap(at) < 100 {
			break // the labels would wrap
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

func (b *builder) symbol(t ir.Int) ir.Expr {
	b.f.Syms++
	return &ir.Sym{T: t, ID: b.f.Syms - 1}
}

func (b *builder) leaf(t ir.Int) ir.Expr {
	if b.s.Chance(1, 2) {
		return b.symbol(t)
	}
	return &ir.Const{T: t, V: t.Wrap(choice.Pick(b.s, []int64{0, 1, -1, t.Min(), t.Max(), int64(b.s.Uint64())}))}
}

// expr returns an expression of type t and of about the given depth.
func (b *builder) expr(t ir.Int, depth int) ir.Expr {
	if depth <= 0 {
		return b.leaf(t)
	}
	kinds := 15
	if b.plain {
		kinds = 4
	}
	wide := t.Bits >= 32
	switch b.s.Intn(kinds) {
	case 0:
		if wide {
			op := ir.Op(b.s.Range(int(ir.Add), int(ir.Rem)))
			return &ir.Binary{Op: op, X: b.expr(t, depth-1), Y: b.expr(t, depth-1)}
		}
	case 1:
		if t == ir.I32 {
			op := ir.Op(b.s.Range(int(ir.Lt), int(ir.Ne)))
			of := choice.Pick(b.s, wideInts)
			return &ir.Binary{Op: op, X: b.expr(of, depth-1), Y: b.expr(of, depth-1)}
		}
	case 2:
		return &ir.Convert{T: t, X: b.expr(choice.Pick(b.s, allInts), depth-1)}
	case 3, 4:
		load := b.place(func(p ir.Place) bool { _, ok := p.Type().(ir.Int); return ok })
		if load == nil {
			break
		}
		if load.Type() == t {
			return &ir.Load{Place: load}
		}
		return &ir.Convert{T: t, X: &ir.Load{Place: load}}
	case 5:
		if wide {
			op := ir.Op(b.s.Range(int(ir.And), int(ir.Shr)))
			return &ir.Binary{Op: op, X: b.expr(t, depth-1), Y: b.expr(t, depth-1)}
		}
	case 6:
		if wide {
			return &ir.Unary{Op: choice.Pick(b.s, []ir.UnOp{ir.Neg, ir.Not}), X: b.expr(t, depth-1)}
		}
	case 7:
		if wide {
			return &ir.Select{If: b.expr(choice.Pick(b.s, allInts), depth-1), X: b.expr(t, depth-1), Y: b.expr(t, depth-1)}
		}
	case 8:
		return b.flag(t, depth)
	case 9:
		return b.builtin(t, depth)
	case 10:
		x := b.ptrType()
		y := ir.Pointer{Elem: x.Elem, Const: b.s.Chance(1, 2)}
		if t == ir.I64 {
			return &ir.Binary{Op: ir.Sub, X: b.ptr(x, depth-1), Y: b.ptr(y, depth-1)}
		}
		if t == ir.I32 {
			return &ir.Binary{Op: ir.Op(b.s.Range(int(ir.Lt), int(ir.Ne))), X: b.ptr(x, depth-1), Y: b.ptr(y, depth-1)}
		}
	case 11:
		of := choice.Pick(b.s, []ir.Float{ir.F32, ir.F64})
		if t == ir.I32 && b.s.Chance(1, 2) {
			return &ir.Binary{Op: ir.Op(b.s.Range(int(ir.Lt), int(ir.Ne))), X: b.float(of, depth-1), Y: b.float(of, depth-1)}
		}
		if t != ir.Bool {
			return &ir.Convert{T: t, X: b.float(of, depth-1)}
		}
	case 12:
		of := b.wideType()
		if t == ir.I32 && b.s.Chance(1, 2) {
			if !of.BitInt && b.s.Chance(1, 3) {
				return &ir.Builtin{Fn: choice.Pick(b.s, []ir.Fn{ir.AddOverflows, ir.SubOverflows, ir.MulOverflows}), Args: []ir.Expr{b.wide(of, depth-1), b.wide(of, depth-1)}}
			}
			return &ir.Binary{Op: ir.Op(b.s.Range(int(ir.Lt), int(ir.Ne))), X: b.wide(of, depth-1), Y: b.wide(of, depth-1)}
		}
		return &ir.Convert{T: t, X: b.wide(of, depth-1)}
	}
	return b.leaf(t)
}

// flag returns a logical operation, converted to t.
func (b *builder) flag(t ir.Int, depth int) ir.Expr {
	of := choice.Pick(b.s, wideInts)
	var e ir.Expr = &ir.Unary{Op: ir.LNot, X: b.expr(of, depth-1)}
	if b.s.Chance(1, 2) {
		op := choice.Pick(b.s, []ir.Op{ir.LAnd, ir.LOr})
		e = &ir.Binary{Op: op, X: b.expr(of, depth-1), Y: b.expr(of, depth-1)}
	}
	if t == ir.I32 {
		return e
	}
	return &ir.Convert{T: t, X: e}
}

// builtin returns a call of a builtin function, converted to t.
func (b *builder) builtin(t ir.Int, depth int) ir.Expr {
	e := &ir.Builtin{Fn: ir.Fn(b.s.Range(int(ir.Popcount), int(ir.ExpectProbably)))}
	of := ir.Int{Bits: 32 << b.s.Intn(2), Signed: e.Fn.Signed()}
	if e.Fn.Hints() {
		of = ir.I32
	}
	e.Args = append(e.Args, b.expr(of, depth-1))
	if e.Fn.Hints() {
		e.Args = append(e.Args, b.leaf(of))
	}
	if ir.IntOf(e) == t {
		return e
	}
	return &ir.Convert{T: t, X: e}
}

func (b *builder) ptrType() ir.Pointer {
	return ir.Pointer{Elem: b.typ(1), Const: b.s.Chance(1, 4), Volatile: b.s.Chance(1, 4)}
}

func (b *builder) ptr(t ir.Pointer, depth int) ir.Expr {
	if depth > 0 {
		switch b.s.Intn(5) {
		case 0:
			if p := b.place(typed(t)); p != nil {
				return &ir.Load{Place: p}
			}
		case 1:
			fits := func(p ir.Place) bool { return addressable(p) && ir.TypeOf[ir.Pointer]((&ir.AddrOf{Place: p})) == t }
			if p := b.place(fits); p != nil {
				return &ir.AddrOf{Place: p}
			}
		case 2:
			return &ir.PtrAdd{X: b.ptr(t, depth-1), Index: b.expr(choice.Pick(b.s, allInts), depth-1)}
		case 3:
			return &ir.Cast{T: t, X: b.ptr(b.ptrType(), depth-1)}
		case 4:
			return &ir.Select{If: b.expr(choice.Pick(b.s, wideInts), depth-1), X: b.ptr(t, depth-1), Y: b.ptr(t, depth-1)}
		}
	}
	return &ir.Null{T: t}
}

func (b *builder) float(t ir.Float, depth int) ir.Expr {
	if depth > 0 {
		switch b.s.Intn(5) {
		case 0:
			if p := b.place(typed(t)); p != nil {
				return &ir.Load{Place: p}
			}
		case 1:
			return &ir.Binary{Op: ir.Op(b.s.Range(int(ir.Add), int(ir.Div))), X: b.float(t, depth-1), Y: b.float(t, depth-1)}
		case 2:
			return &ir.Unary{Op: ir.Neg, X: b.float(t, depth-1)}
		case 3:
			return &ir.Convert{T: t, X: b.float(choice.Pick(b.s, []ir.Float{ir.F32, ir.F64}), depth-1)}
		case 4:
			return &ir.Convert{T: t, X: b.expr(choice.Pick(b.s, allInts), depth-1)}
		}
	}
	return &ir.FloatConst{T: t, V: choice.Pick(b.s, []float64{0, 1, -1, 0.5, -1.25, 1 << 40, 1.0 / (1 << 30)})}
}

func (b *builder) vec(t ir.Vector, depth int) ir.Expr {
	if depth > 0 {
		switch b.s.Intn(10) {
		case 0:
			if p := b.place(typed(t)); p != nil {
				return &ir.Load{Place: p}
			}
		case 1:
			op := ir.Op(b.s.Range(int(ir.Add), int(ir.Shr)))
			if t.Padded() != t.Lanes && t.Elem.Unsafe(op) {
				op = ir.Xor
			}
			return &ir.Binary{Op: op, X: b.vec(t, depth-1), Y: b.vec(t, depth-1)}
		case 2:
			if t.Elem.Signed {
				of := ir.Vector{Elem: ir.Int{Bits: t.Elem.Bits, Signed: b.s.Chance(1, 2)}, Lanes: t.Lanes}
				op := ir.Op(b.s.Range(int(ir.Lt), int(ir.Ne)))
				return &ir.Binary{Op: op, X: b.vec(of, depth-1), Y: b.vec(of, depth-1)}
			}
		case 3:
			op := choice.Pick(b.s, []ir.UnOp{ir.Neg, ir.Not})
			if t.Padded() != t.Lanes {
				op = ir.Not
			}
			return &ir.Unary{Op: op, X: b.vec(t, depth-1)}
		case 4:
			of := ir.Vector{Elem: t.Elem, Lanes: b.s.Range(2, 8)}
			e := &ir.Shuffle{X: b.vec(of, depth-1), Y: b.vec(of, depth-1)}
			for range t.Lanes {
				e.Index = append(e.Index, b.s.Intn(2*of.Lanes))
			}
			if b.s.Chance(1, 3) { // a lane of X in which anything may be, and none that is made of it
				x := &ir.Shuffle{X: e.X, Y: b.vec(of, depth-1), Index: make([]int, of.Lanes)}
				at := b.s.Intn(of.Lanes)
				x.Index[at] = -1
				for i, k := range e.Index {
					if k == at {
						e.Index[i] = (at + 1) % of.Lanes
					}
				}
				e.X = x
			}
			return e
		case 5:
			of := ir.Vector{Elem: choice.Pick(b.s, allInts), Lanes: t.Lanes}
			return &ir.Convert{T: t, X: b.vec(of, depth-1)}
		case 6, 8, 9:
			of := ir.Vector{Elem: choice.Pick(b.s, allInts), Lanes: t.Lanes}
			if of.Elem.Bits != t.Elem.Bits {
				of = ir.Vector{Elem: ir.Int{Bits: t.Elem.Bits, Signed: b.s.Chance(1, 2)}, Lanes: t.Lanes}
				if n := 2 * t.Lanes; t.Elem.Bits > 8 && t.Padded() == t.Lanes {
					of = ir.Vector{Elem: ir.Int{Bits: t.Elem.Bits / 2}, Lanes: n}
				}
			}
			return &ir.Cast{T: t, X: b.vec(of, depth-1)}
		case 7:
			return &ir.VecCall{X: &ir.Unary{Op: ir.Not, X: b.vec(t, depth-1)}}
		}
	}
	e := &ir.VecOf{T: t}
	for range t.Lanes {
		e.Lanes = append(e.Lanes, b.expr(t.Elem, depth-1))
	}
	return e
}

func (b *builder) wideType() ir.Wide {
	if b.s.Chance(1, 3) {
		return choice.Pick(b.s, []ir.Wide{ir.I128, ir.U128})
	}
	return ir.Wide{Bits: b.s.Range(2, ir.MaxWide), Signed: b.s.Chance(1, 2), BitInt: true}
}

func (b *builder) wide(t ir.Wide, depth int) ir.Expr {
	if depth > 0 {
		switch b.s.Intn(5) {
		case 0:
			if p := b.place(typed(t)); p != nil {
				return &ir.Load{Place: p}
			}
		case 1, 2:
			return &ir.Binary{Op: ir.Op(b.s.Range(int(ir.Add), int(ir.Shr))), X: b.wide(t, depth-1), Y: b.wide(t, depth-1)}
		case 3:
			return &ir.Unary{Op: choice.Pick(b.s, []ir.UnOp{ir.Neg, ir.Not}), X: b.wide(t, depth-1)}
		case 4:
			if b.s.Chance(1, 2) {
				return &ir.Select{If: b.expr(choice.Pick(b.s, allInts), depth-1), X: b.wide(t, depth-1), Y: b.wide(t, depth-1)}
			}
			return &ir.Convert{T: t, X: b.wide(b.wideType(), depth-1)}
		}
	}
	return &ir.Convert{T: t, X: b.expr(choice.Pick(b.s, allInts), depth-1)}
}

// acts reports whether to evaluate n may do something.
func acts(n ir.Node) (does bool) {
	switch n := n.(type) {
	case *ir.Call:
		return true
	case *ir.VarRef:
		return n.Var.Volatile
	case *ir.Deref:
		if ir.TypeOf[ir.Pointer](n.X).Volatile {
			return true
		}
	}
	ir.Parts(n, func(part ir.Node) bool {
		does = acts(part)
		return !does
	})
	return does
}
