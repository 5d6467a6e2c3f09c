package search

import "goreify/reify/ir"

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

// defined reports whether an expression has a value.
func (in faults) defined(e ir.Expr) (ok bool) {
	switch ir.FamilyOf(e) {
	case ir.Integers:
		_, ok = in.eval(e, in.state)
	case ir.Pointers:
		_, ok = in.pointer(e, in.state, nil)
	case ir.Floats:
		_, ok = in.float(e, in.state, nil)
	case ir.Vectors:
		_, ok = in.vector(e, in.state, nil)
	case ir.Wides:
		_, ok = in.wide(e, in.state, nil)
	case ir.Records:
		_, ok = in.locate(e.(*ir.Load).Place, in.state, nil)
	}
	return ok
}

// operand returns the first fault of the first operand of n that is undefined, and
// whether there is such an operand.
func (in faults) operand(n ir.Node) (f fault, found bool) {
	ir.Operands(n, func(x *ir.Expr) bool {
		if found = !in.defined(*x); found {
			f = in.expr(x)
		}
		return !found
	}, func(p *ir.Place) bool {
		_, ok := in.locate(*p, in.state, nil)
		if found = !ok; found {
			f = in.place(*p)
		}
		return !found
	})
	return f, found
}

// expr returns the first fault of an undefined expression.
func (in faults) expr(at *ir.Expr) fault {
	switch e := (*at).(type) {
	case *ir.Load:
		return in.place(e.Place)
	case *ir.AddrOf:
		return in.place(e.Place)
	case *ir.Select:
		c, ok := in.eval(e.If, in.state)
		switch {
		case !ok:
			return in.expr(&e.If)
		case c != 0:
			return in.expr(&e.X)
		}
		return in.expr(&e.Y)
	}
	f, found := in.operand(*at)
	switch e := (*at).(type) {
	case *ir.PtrAdd:
		if found {
			break
		}
		x, _ := in.pointer(e.X, in.state, nil)
		if k, n, ok := in.within(x, ir.TypeOf[ir.Pointer](e.X).Elem); ok {
			return fault{&e.Index, max(1, n-k)}
		}
	case *ir.Unary, *ir.Binary, *ir.Convert, *ir.Builtin:
		if !found && allIntegers(e) {
			return fault{at: at}
		}
	}
	return f
}

// allIntegers reports whether an operation and its operands are integers.
func allIntegers(e ir.Expr) bool {
	return ir.IsInt(e) && ir.Parts(e, func(x ir.Node) bool { return ir.IsInt(x.(ir.Expr)) })
}

// place returns the first fault of a place that is undefined or has no value.
func (in faults) place(p ir.Place) fault {
	if m, ok := p.(*ir.Member); ok {
		return in.place(m.Base)
	}
	f, found := in.operand(p)
	if elem, ok := p.(*ir.Elem); ok && !found {
		_, n := elements(elem.Base.Type())
		return fault{&elem.Index, n}
	}
	return f
}

// statement returns the first fault of a statement other than the Assign of an integer,
// which is undefined.
func (in faults) statement(s ir.Stmt) fault {
	switch s := s.(type) {
	case *ir.Transfer:
		return in.bytes(&s.N, &s.Dst, &s.Src)
	case *ir.Fill:
		if !in.defined(s.Byte) {
			return in.expr(&s.Byte)
		}
		return in.bytes(&s.N, &s.Dst)
	}
	f, _ := in.operand(s)
	if a, ok := s.(*ir.Assign); ok && f.at == nil && ir.FamilyOf(a.Src) != ir.Records {
		// The source may be what has no place.
		if _, ok := in.locate(a.Dst, in.state, nil); !ok {
			return in.place(a.Dst)
		}
	}
	return f
}

// bytes returns the first fault of the arguments of memcpy or its like, which are
// pointers to n elements.
func (in faults) bytes(n *ir.Expr, list ...*ir.Expr) fault {
	most := 0
	for i, e := range list {
		x, ok := in.pointer(*e, in.state, nil)
		if !ok {
			return in.expr(e)
		}
		if k, length, ok := in.within(x, ir.TypeOf[ir.Pointer](*e).Elem); ok && (i == 0 || length-k < most) {
			most = length - k
		}
	}
	if !in.defined(*n) {
		return in.expr(n)
	}
	return fault{n, most}
}
