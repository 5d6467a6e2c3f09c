package link

import (
	"fmt"

	"goreify/reify/ir"
)

// A use is what a function does with its variables, wherever it may go.
type use struct {
	stored []bool // by variable: it is assigned to by name
	taken  []bool // by variable: its address is taken, or that of a part of it
	// written is by variable whether it may be assigned to: by name, or through a
	// pointer, which is taken to point to any variable whose address is taken.
	written  []bool
	volatile bool // something volatile may be accessed
}

// survey finds out how f uses its variables.
func survey(f *ir.Function) *use {
	n := len(f.Vars)
	u := &use{stored: make([]bool, n), taken: make([]bool, n), written: make([]bool, n)}
	for _, v := range f.Vars {
		u.volatile = u.volatile || v.Volatile
		for _, p := range v.Ptrs {
			u.ptr(p)
		}
	}
	through := false // something is assigned to through a pointer
	store := func(p ir.Place) {
		u.place(p)
		if v := ir.Root(p); v != nil {
			u.stored[v.Index] = true
		} else {
			through = true
		}
	}
	for _, b := range f.Blocks {
		for _, s := range b.Stmts {
			switch s := s.(type) {
			case *ir.Assign:
				store(s.Dst)
			case *ir.AssignPtr:
				store(s.Dst)
				u.ptr(s.Src)
			case *ir.AssignFloat:
				store(s.Dst)
				u.float(s.Src)
			case *ir.AssignVec:
				store(s.Dst)
				u.vec(s.Src)
			case *ir.Copy:
				store(s.Dst)
				u.place(s.Src)
			case *ir.Overflow:
				store(s.Dst)
				store(s.Flag)
			case *ir.Unreachable:
			default:
				panic(fmt.Sprintf("link: unknown statement %T", s))
			}
		}
	}
	for at := range f.Exprs() {
		u.expr(*at)
	}
	for i, v := range f.Vars {
		u.written[i] = u.stored[i] || through && u.taken[i] && !v.Const
	}
	return u
}

// The functions below look at what an expression or a place is made of, but for
// integer expressions, which survey looks at one by one.

func (u *use) expr(e ir.Expr) {
	switch e := e.(type) {
	case nil, *ir.Const, *ir.Sym, *ir.Unary, *ir.Binary, *ir.Select, *ir.Convert, *ir.Builtin, *ir.Call:
	case *ir.Checksum:
		u.volatile = true // what computes it reads a volatile variable
	case *ir.Load:
		u.place(e.Place)
	case *ir.PtrCompare:
		u.ptr(e.X)
		u.ptr(e.Y)
	case *ir.PtrDiff:
		u.ptr(e.X)
		u.ptr(e.Y)
	case *ir.FloatToInt:
		u.float(e.X)
	case *ir.FloatCompare:
		u.float(e.X)
		u.float(e.Y)
	default:
		panic(fmt.Sprintf("link: unknown expression %T", e))
	}
}

func (u *use) place(p ir.Place) {
	switch p := p.(type) {
	case *ir.VarRef:
	case *ir.Elem:
		u.place(p.Base)
	case *ir.Member:
		u.place(p.Base)
	case *ir.Deref:
		u.volatile = u.volatile || p.X.Type().Volatile
		u.ptr(p.X)
	default:
		panic(fmt.Sprintf("link: unknown place %T", p))
	}
}

func (u *use) ptr(e ir.PtrExpr) {
	switch e := e.(type) {
	case nil, *ir.Null:
	case *ir.AddrOf:
		if v := ir.Root(e.Place); v != nil {
			u.taken[v.Index] = true
		}
		u.place(e.Place)
	case *ir.LoadPtr:
		u.place(e.Place)
	case *ir.PtrAdd:
		u.ptr(e.X)
	case *ir.PtrCast:
		u.ptr(e.X)
	default:
		panic(fmt.Sprintf("link: unknown pointer %T", e))
	}
}

func (u *use) float(e ir.FloatExpr) {
	switch e := e.(type) {
	case *ir.FloatConst, *ir.FloatOf:
	case *ir.FloatLoad:
		u.place(e.Place)
	case *ir.FloatNeg:
		u.float(e.X)
	case *ir.FloatBinary:
		u.float(e.X)
		u.float(e.Y)
	case *ir.FloatConvert:
		u.float(e.X)
	default:
		panic(fmt.Sprintf("link: unknown floating-point expression %T", e))
	}
}

func (u *use) vec(e ir.VecExpr) {
	switch e := e.(type) {
	case *ir.VecOf:
	case *ir.VecLoad:
		u.place(e.Place)
	case *ir.VecUnary:
		u.vec(e.X)
	case *ir.VecBinary:
		u.vec(e.X)
		u.vec(e.Y)
	case *ir.VecShuffle:
		u.vec(e.X)
		u.vec(e.Y)
	case *ir.VecConvert:
		u.vec(e.X)
	default:
		panic(fmt.Sprintf("link: unknown vector %T", e))
	}
}
