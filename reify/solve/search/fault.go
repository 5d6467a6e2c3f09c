package search

import (
	"fmt"

	"goreify/reify/ir"
)

// A fault is the cause of an undefined expression: an operation whose operands are
// defined, or an index out of bounds. Without a place it cannot be replaced.
type fault struct {
	at  *ir.Expr
	len int // of the array, if it is an index; else 0
}

// faultIn returns the first fault of a site whose symbols have values, and
// whether there is any.
func (r *run) faultIn(at *site, state []int64) (f fault, undefined bool) {
	in := faults{&r.evaluator, state}
	if at.expr != nil {
		if _, ok := r.value(at, state); !ok {
			return in.expr(r.slot(at)), true
		}
	}
	if at.dst != nil {
		if _, ok := r.locate(at.dst, state, nil); !ok {
			return in.place(at.dst), true
		}
	}
	if at.expr == nil {
		r.trial = append(r.trial[:0], state...)
		if !r.execute(at.stmt, r.trial, nil) {
			return in.statement(at.stmt), true
		}
	}
	return fault{}, false
}

// faults looks for the first fault in a state. All symbols have values.
type faults struct {
	*evaluator
	state []int64
}

// expr returns the first fault of an undefined expression.
func (in faults) expr(at *ir.Expr) fault {
	try := func(list ...*ir.Expr) fault {
		for _, x := range list {
			if _, ok := in.eval(*x, in.state); !ok {
				return in.expr(x)
			}
		}
		return fault{at: at}
	}
	switch e := (*at).(type) {
	case *ir.Load:
		return in.place(e.Place)
	case *ir.Binary:
		return try(&e.X, &e.Y)
	case *ir.Convert:
		return try(&e.X)
	case *ir.Unary:
		return try(&e.X)
	case *ir.Select:
		if c, ok := in.eval(e.If, in.state); !ok {
			return in.expr(&e.If)
		} else if c == 0 {
			return try(&e.Y)
		}
		return try(&e.X)
	case *ir.Builtin:
		return try(&e.Args[0])
	case *ir.PtrCompare:
		return in.pointers(e.X, e.Y)
	case *ir.PtrDiff:
		return in.pointers(e.X, e.Y)
	case *ir.FloatCompare:
		return in.floats(e.X, e.Y)
	case *ir.FloatToInt:
		return in.floats(e.X)
	case *ir.WideCompare:
		return in.wides(e.X, e.Y)
	case *ir.WideToInt:
		return in.wides(e.X)
	case *ir.Const, *ir.Sym, *ir.Checksum:
		return fault{}
	}
	panic(fmt.Sprintf("search: unknown expression %T", *at))
}

// place returns the first fault of a place that is undefined or has no value.
func (in faults) place(p ir.Place) fault {
	switch p := p.(type) {
	case *ir.Elem:
		if _, ok := in.locate(p.Base, in.state, nil); !ok {
			return in.place(p.Base)
		}
		if _, ok := in.eval(p.Index, in.state); !ok {
			return in.expr(&p.Index)
		}
		_, n := elements(p.Base.Type())
		return fault{&p.Index, n}
	case *ir.Member:
		return in.place(p.Base)
	case *ir.Deref:
		return in.pointers(p.X)
	case *ir.VarRef:
		return fault{}
	}
	panic(fmt.Sprintf("search: unknown place %T", p))
}

// pointers returns the first fault of some pointers.
func (in faults) pointers(list ...ir.Expr) fault {
	for _, e := range list {
		if _, ok := in.pointer(e, in.state, nil); ok {
			continue
		}
		switch e := e.(type) {
		case *ir.AddrOf:
			return in.place(e.Place)
		case *ir.LoadPtr:
			return in.place(e.Place)
		case *ir.PtrAdd:
			if _, ok := in.pointer(e.X, in.state, nil); !ok {
				return in.pointers(e.X)
			}
			if _, ok := in.eval(e.Index, in.state); !ok {
				return in.expr(&e.Index)
			}
			x, _ := in.pointer(e.X, in.state, nil)
			if k, n, ok := in.within(x, ir.TypeOf[ir.Pointer](e.X).Elem); ok {
				return fault{&e.Index, max(1, n-k)}
			}
		case *ir.PtrCast:
			return in.pointers(e.X)
		case *ir.PtrSelect:
			if c, ok := in.eval(e.If, in.state); !ok {
				return in.expr(&e.If)
			} else if c != 0 {
				return in.pointers(e.X)
			}
			return in.pointers(e.Y)
		default:
			panic(fmt.Sprintf("search: unknown pointer expression %T", e))
		}
		return fault{}
	}
	return fault{}
}

// floats returns the first fault of some floating-point expressions.
func (in faults) floats(list ...ir.Expr) fault {
	for _, e := range list {
		if _, ok := in.float(e, in.state, nil); ok {
			continue
		}
		switch e := e.(type) {
		case *ir.FloatLoad:
			return in.place(e.Place)
		case *ir.FloatNeg:
			return in.floats(e.X)
		case *ir.FloatBinary:
			return in.floats(e.X, e.Y)
		case *ir.FloatConvert:
			return in.floats(e.X)
		case *ir.FloatOf:
			if _, ok := in.eval(e.X, in.state); !ok {
				return in.expr(&e.X)
			}
		case *ir.FloatConst:
		default:
			panic(fmt.Sprintf("search: unknown floating-point expression %T", e))
		}
		return fault{}
	}
	return fault{}
}

// vectors returns the first fault of some vectors.
func (in faults) vectors(list ...ir.Expr) fault {
	for _, e := range list {
		if _, ok := in.vector(e, in.state, nil); ok {
			continue
		}
		switch e := e.(type) {
		case *ir.VecLoad:
			return in.place(e.Place)
		case *ir.VecOf:
			for i := range e.Lanes {
				if _, ok := in.eval(e.Lanes[i], in.state); !ok {
					return in.expr(&e.Lanes[i])
				}
			}
		case *ir.VecUnary:
			return in.vectors(e.X)
		case *ir.VecBinary:
			return in.vectors(e.X, e.Y)
		case *ir.VecShuffle:
			return in.vectors(e.X, e.Y)
		case *ir.VecConvert:
			return in.vectors(e.X)
		case *ir.VecCast:
			return in.vectors(e.X)
		case *ir.VecCall:
			return in.vectors(e.X)
		default:
			panic(fmt.Sprintf("search: unknown vector expression %T", e))
		}
		return fault{}
	}
	return fault{}
}

// wides returns the first fault of some wide expressions.
func (in faults) wides(list ...ir.Expr) fault {
	for _, e := range list {
		if _, ok := in.wide(e, in.state, nil); ok {
			continue
		}
		switch e := e.(type) {
		case *ir.WideLoad:
			return in.place(e.Place)
		case *ir.WideUnary:
			return in.wides(e.X)
		case *ir.WideBinary:
			return in.wides(e.X, e.Y)
		case *ir.WideSelect:
			if c, ok := in.eval(e.If, in.state); !ok {
				return in.expr(&e.If)
			} else if c != 0 {
				return in.wides(e.X)
			}
			return in.wides(e.Y)
		case *ir.WideConvert:
			return in.wides(e.X)
		case *ir.WideOf:
			if _, ok := in.eval(e.X, in.state); !ok {
				return in.expr(&e.X)
			}
		default:
			panic(fmt.Sprintf("search: unknown wide expression %T", e))
		}
		return fault{}
	}
	return fault{}
}

// statement returns the first fault of a statement other than an Assign,
// which is undefined.
func (in faults) statement(s ir.Stmt) (f fault) {
	var places []ir.Place
	switch s := s.(type) {
	case *ir.AssignPtr:
		f, places = in.pointers(s.Src), []ir.Place{s.Dst}
	case *ir.AssignFloat:
		f, places = in.floats(s.Src), []ir.Place{s.Dst}
	case *ir.AssignVec:
		f, places = in.vectors(s.Src), []ir.Place{s.Dst}
	case *ir.AssignWide:
		f, places = in.wides(s.Src), []ir.Place{s.Dst}
	case *ir.Copy:
		places = []ir.Place{s.Src, s.Dst}
	case *ir.Overflow:
		for _, x := range []*ir.Expr{&s.X, &s.Y} {
			if _, ok := in.eval(*x, in.state); !ok {
				return in.expr(x)
			}
		}
		places = []ir.Place{s.Dst, s.Flag}
	case *ir.Transfer:
		return in.bytes(&s.N, s.Dst, s.Src)
	case *ir.Fill:
		if _, ok := in.eval(s.Byte, in.state); !ok {
			return in.expr(&s.Byte)
		}
		return in.bytes(&s.N, s.Dst)
	case *ir.Unreachable:
	case *ir.Assume:
		if _, ok := in.eval(s.Cond, in.state); !ok {
			return in.expr(&s.Cond)
		}
	default:
		panic(fmt.Sprintf("search: unknown statement %T", s))
	}
	if f.at != nil {
		return f
	}
	for _, p := range places {
		if _, ok := in.locate(p, in.state, nil); !ok {
			return in.place(p)
		}
	}
	return fault{}
}

// bytes returns the first fault of the arguments of memcpy or its like, which are
// pointers to n elements.
func (in faults) bytes(n *ir.Expr, list ...ir.Expr) fault {
	most := 0
	for i, e := range list {
		x, ok := in.pointer(e, in.state, nil)
		if !ok {
			return in.pointers(e)
		}
		if k, length, ok := in.within(x, ir.TypeOf[ir.Pointer](e).Elem); ok && (i == 0 || length-k < most) {
			most = length - k
		}
	}
	if _, ok := in.eval(*n, in.state); !ok {
		return in.expr(n)
	}
	return fault{n, most}
}
