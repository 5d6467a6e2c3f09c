package reduce

import (
	"fmt"

	"goreify/reify/ir"
)

// A slot says which expressions may replace one.
type slot int

const (
	typed  slot = iota // an expression of the same type
	loose              // an expression of any type: a condition, an index, an operand of a conversion
	whole              // the whole source of an assignment, or an initial value: also a constant of a bit-field's type
	leaf               // a constant of the same type: a label, or a hint
	frozen             // nothing else: an index within an initial value that is a pointer
)

// slots has a function for each kind of node. It is called with the address of the
// node, so that an assignment to it replaces the node. Outer nodes come before their
// parts, and a node that has been replaced is visited in its new place. A function that
// is nil is not called.
type slots struct {
	last  bool // expr, vec and stmt are called after the parts of the node, not before
	expr  func(at *ir.Expr, s slot)
	ptr   func(at *ir.Expr)
	float func(at *ir.Expr)
	vec   func(at *ir.Expr)
	wide  func(at *ir.Expr)
	place func(at *ir.Place)
	stmt  func(at *ir.Stmt)
}

// program visits the nodes of all functions.
func (v *slots) program(p *ir.Program) {
	for _, f := range ours(p) {
		v.function(f)
	}
}

// function visits the initial values, then the blocks.
func (v *slots) function(f *ir.Function) {
	for _, x := range f.Vars {
		for i := range x.Init {
			if x.Init[i] != nil {
				v.onExpr(&x.Init[i], whole)
			}
		}
		for i := range x.Ptrs {
			if x.Ptrs[i] != nil {
				v.frozenPtr(x.Ptrs[i])
			}
		}
	}
	v.code(f)
}

// code visits the blocks of f.
func (v *slots) code(f *ir.Function) {
	for _, b := range f.Blocks {
		for i := range b.Stmts {
			v.onStmt(&b.Stmts[i])
		}
		switch t := b.Term.(type) {
		case *ir.Goto:
		case *ir.If:
			v.onExpr(&t.Cond, loose)
		case *ir.Switch:
			v.onExpr(&t.X, typed)
			for i := range t.Cases {
				v.onExpr(&t.Cases[i].Lo, leaf)
				if t.Cases[i].Hi != nil {
					v.onExpr(&t.Cases[i].Hi, leaf)
				}
			}
		case *ir.Return:
			v.onExpr(&t.Val, typed)
		default:
			panic(fmt.Sprintf("reduce: unknown terminator %T", t))
		}
	}
}

// frozenPtr visits the places in an initial value that is a pointer, and the
// constants of their indices.
func (v *slots) frozenPtr(p ir.Expr) {
	a, ok := p.(*ir.AddrOf)
	if !ok {
		panic(fmt.Sprintf("reduce: initial value %T", p))
	}
	for at := &a.Place; ; {
		if v.place != nil {
			v.place(at)
		}
		switch q := (*at).(type) {
		case *ir.Elem:
			if v.expr != nil {
				v.expr(&q.Index, frozen)
			}
			at = &q.Base
		case *ir.Member:
			at = &q.Base
		default:
			return
		}
	}
}

func (v *slots) onStmt(at *ir.Stmt) {
	if v.stmt != nil {
		if v.last {
			defer v.stmt(at)
		} else {
			v.stmt(at)
		}
	}
	switch s := (*at).(type) {
	case *ir.Assign:
		v.onExpr(&s.Src, whole)
		v.onPlace(&s.Dst)
	case *ir.AssignPtr:
		v.onPtr(&s.Src)
		v.onPlace(&s.Dst)
	case *ir.AssignFloat:
		v.onFloat(&s.Src)
		v.onPlace(&s.Dst)
	case *ir.AssignVec:
		v.onVec(&s.Src)
		v.onPlace(&s.Dst)
	case *ir.AssignWide:
		v.onWide(&s.Src)
		v.onPlace(&s.Dst)
	case *ir.Copy:
		v.onPlace(&s.Src)
		v.onPlace(&s.Dst)
	case *ir.Overflow:
		v.onExpr(&s.X, typed)
		v.onExpr(&s.Y, typed)
		v.onPlace(&s.Dst)
		v.onPlace(&s.Flag)
	case *ir.Transfer:
		v.onPtr(&s.Dst)
		v.onPtr(&s.Src)
		v.onExpr(&s.N, loose)
	case *ir.Fill:
		v.onPtr(&s.Dst)
		v.onExpr(&s.Byte, loose)
		v.onExpr(&s.N, loose)
	case *ir.Unreachable:
	case *ir.Assume:
		v.onExpr(&s.Cond, whole)
	default:
		panic(fmt.Sprintf("reduce: unknown statement %T", s))
	}
}

func (v *slots) onExpr(at *ir.Expr, s slot) {
	if v.expr != nil {
		if v.last {
			defer v.expr(at, s)
		} else {
			v.expr(at, s)
		}
	}
	switch e := (*at).(type) {
	case *ir.Const, *ir.Sym, *ir.Checksum:
	case *ir.Load:
		v.onPlace(&e.Place)
	case *ir.Unary:
		v.onExpr(&e.X, typed)
	case *ir.Binary:
		v.onExpr(&e.X, typed)
		v.onExpr(&e.Y, typed)
	case *ir.Select:
		v.onExpr(&e.If, loose)
		v.onExpr(&e.X, typed)
		v.onExpr(&e.Y, typed)
	case *ir.Convert:
		v.onExpr(&e.X, loose)
	case *ir.Builtin:
		v.onExpr(&e.Args[0], typed)
		if len(e.Args) > 1 {
			v.onExpr(&e.Args[1], leaf)
		}
	case *ir.Call:
		for i := range e.Args {
			v.onExpr(&e.Args[i], typed)
		}
	case *ir.PtrCompare:
		v.onPtr(&e.X)
		v.onPtr(&e.Y)
	case *ir.PtrDiff:
		v.onPtr(&e.X)
		v.onPtr(&e.Y)
	case *ir.FloatToInt:
		v.onFloat(&e.X)
	case *ir.FloatCompare:
		v.onFloat(&e.X)
		v.onFloat(&e.Y)
	case *ir.WideToInt:
		v.onWide(&e.X)
	case *ir.WideCompare:
		v.onWide(&e.X)
		v.onWide(&e.Y)
	default:
		panic(fmt.Sprintf("reduce: unknown expression %T", e))
	}
}

func (v *slots) onPlace(at *ir.Place) {
	if v.place != nil {
		v.place(at)
	}
	switch p := (*at).(type) {
	case *ir.VarRef:
	case *ir.Elem:
		v.onPlace(&p.Base)
		v.onExpr(&p.Index, loose)
	case *ir.Member:
		v.onPlace(&p.Base)
	case *ir.Deref:
		v.onPtr(&p.X)
	default:
		panic(fmt.Sprintf("reduce: unknown place %T", p))
	}
}

func (v *slots) onPtr(at *ir.Expr) {
	if v.ptr != nil {
		v.ptr(at)
	}
	switch p := (*at).(type) {
	case *ir.Null:
	case *ir.AddrOf:
		v.onPlace(&p.Place)
	case *ir.LoadPtr:
		v.onPlace(&p.Place)
	case *ir.PtrAdd:
		v.onPtr(&p.X)
		v.onExpr(&p.Index, loose)
	case *ir.PtrCast:
		v.onPtr(&p.X)
	case *ir.PtrSelect:
		v.onExpr(&p.If, loose)
		v.onPtr(&p.X)
		v.onPtr(&p.Y)
	default:
		panic(fmt.Sprintf("reduce: unknown pointer %T", p))
	}
}

func (v *slots) onFloat(at *ir.Expr) {
	if v.float != nil {
		v.float(at)
	}
	switch e := (*at).(type) {
	case *ir.FloatConst:
	case *ir.FloatLoad:
		v.onPlace(&e.Place)
	case *ir.FloatNeg:
		v.onFloat(&e.X)
	case *ir.FloatBinary:
		v.onFloat(&e.X)
		v.onFloat(&e.Y)
	case *ir.FloatConvert:
		v.onFloat(&e.X)
	case *ir.FloatOf:
		v.onExpr(&e.X, loose)
	default:
		panic(fmt.Sprintf("reduce: unknown floating-point expression %T", e))
	}
}

func (v *slots) onVec(at *ir.Expr) {
	if v.vec != nil {
		if v.last {
			defer v.vec(at)
		} else {
			v.vec(at)
		}
	}
	switch e := (*at).(type) {
	case *ir.VecLoad:
		v.onPlace(&e.Place)
	case *ir.VecOf:
		for i := range e.Lanes {
			v.onExpr(&e.Lanes[i], typed)
		}
	case *ir.VecUnary:
		v.onVec(&e.X)
	case *ir.VecBinary:
		v.onVec(&e.X)
		v.onVec(&e.Y)
	case *ir.VecShuffle:
		v.onVec(&e.X)
		v.onVec(&e.Y)
	case *ir.VecConvert:
		v.onVec(&e.X)
	case *ir.VecCast:
		v.onVec(&e.X)
	case *ir.VecCall:
		v.onVec(&e.X)
	default:
		panic(fmt.Sprintf("reduce: unknown vector %T", e))
	}
}

func (v *slots) onWide(at *ir.Expr) {
	if v.wide != nil {
		v.wide(at)
	}
	switch e := (*at).(type) {
	case *ir.WideLoad:
		v.onPlace(&e.Place)
	case *ir.WideOf:
		v.onExpr(&e.X, loose)
	case *ir.WideConvert:
		v.onWide(&e.X)
	case *ir.WideUnary:
		v.onWide(&e.X)
	case *ir.WideBinary:
		v.onWide(&e.X)
		v.onWide(&e.Y)
	case *ir.WideSelect:
		v.onExpr(&e.If, loose)
		v.onWide(&e.X)
		v.onWide(&e.Y)
	default:
		panic(fmt.Sprintf("reduce: unknown wide expression %T", e))
	}
}
