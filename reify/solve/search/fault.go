package search

import "goreify/reify/ir"

// A fault is what makes an expression undefined: an operation whose operands are
// defined, or an index out of bounds.
type fault struct {
	at  *ir.Expr
	len int // of the array, if it is an index; else 0
}

// faultIn returns the first fault of a site whose symbols have values, and
// whether there is any. What is undefined and cannot be replaced has no place.
func (r *run) faultIn(at *site, state []int64) (f fault, undefined bool) {
	if at.expr != nil {
		if _, ok := r.value(at, state); !ok {
			return r.faultExpr(r.slot(at), state), true
		}
	}
	if at.dst != nil {
		if _, ok := r.locate(at.dst, state, nil); !ok {
			return r.faultPlace(at.dst, state), true
		}
	}
	if at.expr == nil {
		r.trial = append(r.trial[:0], state...)
		if !r.execute(at.stmt, r.trial, nil) {
			return r.faultStatement(at.stmt, state), true
		}
	}
	return fault{}, false
}

// faultExpr returns the first fault of an undefined expression.
func (r *run) faultExpr(at *ir.Expr, state []int64) fault {
	try := func(list ...*ir.Expr) fault {
		for _, x := range list {
			if _, ok := r.eval(*x, state); !ok {
				return r.faultExpr(x, state)
			}
		}
		return fault{at: at}
	}
	switch e := (*at).(type) {
	case *ir.Load:
		return r.faultPlace(e.Place, state)
	case *ir.Binary:
		return try(&e.X, &e.Y)
	case *ir.Convert:
		return try(&e.X)
	case *ir.Unary:
		return try(&e.X)
	case *ir.Select:
		if c, ok := r.eval(e.If, state); !ok {
			return r.faultExpr(&e.If, state)
		} else if c == 0 {
			return try(&e.Y)
		}
		return try(&e.X)
	case *ir.Builtin:
		return try(&e.Args[0])
	case *ir.PtrCompare:
		return r.faultPointers(state, e.X, e.Y)
	case *ir.PtrDiff:
		return r.faultPointers(state, e.X, e.Y)
	case *ir.FloatCompare:
		return r.faultFloats(state, e.X, e.Y)
	case *ir.FloatToInt:
		return r.faultFloats(state, e.X)
	}
	return fault{}
}

func (r *run) faultPlace(p ir.Place, state []int64) fault {
	switch p := p.(type) {
	case *ir.Elem:
		if _, ok := r.locate(p.Base, state, nil); !ok {
			return r.faultPlace(p.Base, state)
		}
		if _, ok := r.eval(p.Index, state); !ok {
			return r.faultExpr(&p.Index, state)
		}
		_, n := elements(p.Base.Type())
		return fault{&p.Index, n}
	case *ir.Member:
		return r.faultPlace(p.Base, state)
	case *ir.Deref:
		return r.faultPointers(state, p.X)
	}
	return fault{}
}

// faultPointers returns the first fault of some pointers.
func (r *run) faultPointers(state []int64, list ...ir.PtrExpr) fault {
	for _, e := range list {
		if _, ok := r.pointer(e, state, nil); ok {
			continue
		}
		switch e := e.(type) {
		case *ir.AddrOf:
			return r.faultPlace(e.Place, state)
		case *ir.LoadPtr:
			return r.faultPlace(e.Place, state)
		case *ir.PtrAdd:
			if _, ok := r.pointer(e.X, state, nil); !ok {
				return r.faultPointers(state, e.X)
			}
			if _, ok := r.eval(e.Index, state); !ok {
				return r.faultExpr(&e.Index, state)
			}
			x, _ := r.pointer(e.X, state, nil)
			if k, n, ok := r.within(x, e.X.Type().Elem); ok {
				return fault{&e.Index, max(1, n-k)}
			}
		case *ir.PtrCast:
			return r.faultPointers(state, e.X)
		}
		return fault{}
	}
	return fault{}
}

// faultFloats returns the first fault of some floating-point expressions.
func (r *run) faultFloats(state []int64, list ...ir.FloatExpr) fault {
	for _, e := range list {
		if _, ok := r.float(e, state, nil); ok {
			continue
		}
		switch e := e.(type) {
		case *ir.FloatLoad:
			return r.faultPlace(e.Place, state)
		case *ir.FloatNeg:
			return r.faultFloats(state, e.X)
		case *ir.FloatBinary:
			return r.faultFloats(state, e.X, e.Y)
		case *ir.FloatConvert:
			return r.faultFloats(state, e.X)
		case *ir.FloatOf:
			if _, ok := r.eval(e.X, state); !ok {
				return r.faultExpr(&e.X, state)
			}
		}
		return fault{}
	}
	return fault{}
}

// faultVectors returns the first fault of some vectors.
func (r *run) faultVectors(state []int64, list ...ir.VecExpr) fault {
	for _, e := range list {
		if _, ok := r.vector(e, state, nil); ok {
			continue
		}
		switch e := e.(type) {
		case *ir.VecLoad:
			return r.faultPlace(e.Place, state)
		case *ir.VecOf:
			for i := range e.Lanes {
				if _, ok := r.eval(e.Lanes[i], state); !ok {
					return r.faultExpr(&e.Lanes[i], state)
				}
			}
		case *ir.VecUnary:
			return r.faultVectors(state, e.X)
		case *ir.VecBinary:
			return r.faultVectors(state, e.X, e.Y)
		case *ir.VecShuffle:
			return r.faultVectors(state, e.X, e.Y)
		case *ir.VecConvert:
			return r.faultVectors(state, e.X)
		}
		return fault{}
	}
	return fault{}
}

// faultStatement returns the first fault of a statement other than an Assign,
// which is undefined.
func (r *run) faultStatement(s ir.Stmt, state []int64) fault {
	places := func(list ...ir.Place) fault {
		for _, p := range list {
			if _, ok := r.locate(p, state, nil); !ok {
				return r.faultPlace(p, state)
			}
		}
		return fault{}
	}
	f := fault{}
	var dst []ir.Place
	switch s := s.(type) {
	case *ir.AssignPtr:
		f, dst = r.faultPointers(state, s.Src), []ir.Place{s.Dst}
	case *ir.AssignFloat:
		f, dst = r.faultFloats(state, s.Src), []ir.Place{s.Dst}
	case *ir.AssignVec:
		f, dst = r.faultVectors(state, s.Src), []ir.Place{s.Dst}
	case *ir.Copy:
		dst = []ir.Place{s.Src, s.Dst}
	case *ir.Overflow:
		for _, x := range []*ir.Expr{&s.X, &s.Y} {
			if _, ok := r.eval(*x, state); !ok {
				return r.faultExpr(x, state)
			}
		}
		dst = []ir.Place{s.Dst, s.Flag}
	}
	if f.at != nil {
		return f
	}
	return places(dst...)
}
