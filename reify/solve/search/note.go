package search

import "goreify/reify/ir"

// addStatement adds the site of a statement other than an Assign.
func (r *run) addStatement(b int, s ir.Stmt) {
	at := site{block: b, stmt: s, writes: -1}
	syms, reads := len(r.symBuf), len(r.readBuf)
	r.collect(s)
	switch s := s.(type) {
	case *ir.AssignPtr:
		at.also = r.written(nil, s.Dst)
	case *ir.AssignFloat:
		at.also = r.written(nil, s.Dst)
	case *ir.AssignVec:
		at.also = r.written(nil, s.Dst)
	case *ir.Copy:
		at.also = r.written(nil, s.Dst)
	case *ir.Overflow:
		at.also = r.written(r.written(nil, s.Dst), s.Flag)
	}
	at.syms = r.symBuf[syms:len(r.symBuf):len(r.symBuf)]
	at.reads = r.readBuf[reads:len(r.readBuf):len(r.readBuf)]
	r.siteBuf = append(r.siteBuf, at)
}

// rootOf returns the index of the variable that p is a part of, or -1.
func rootOf(p ir.Place) int {
	if v := ir.Root(p); v != nil {
		return v.Index
	}
	return -1
}

// written appends the variables that a store to p may change.
func (r *run) written(list []int32, p ir.Place) []int32 {
	if v := rootOf(p); v >= 0 {
		return append(list, int32(v))
	}
	return r.pointees(list, p)
}

// pointees appends the variables that have a part of the type that the pointer
// of p points to.
func (r *run) pointees(list []int32, p ir.Place) []int32 {
	for {
		switch q := p.(type) {
		case *ir.Elem:
			p = q.Base
			continue
		case *ir.Member:
			p = q.Base
			continue
		case *ir.Deref:
			for i, v := range r.f.Vars {
				if holds(v.Type, q.Type()) {
					list = append(list, int32(i))
				}
			}
		}
		return list
	}
}

// holds reports whether an elem can be a part of a t.
func holds(t, elem ir.Type) bool {
	if alike(t, elem) {
		return true
	}
	switch t := t.(type) {
	case ir.Array:
		return holds(t.Elem, elem)
	case *ir.Record:
		for i := range t.Fields {
			if holds(t.Member(i), elem) {
				return true
			}
		}
	}
	return false
}

// writesTo reports whether a statement may write to a variable.
func (at *site) writesTo(v int) bool { return at.writes == v || contains(at.also, v) }

// collect lists the symbols and the variables that are read below n, in the order of
// evaluation. A place is only located: what is read of it is collected by its Load.
func (r *run) collect(n ir.Node) {
	switch n := n.(type) {
	case *ir.Sym:
		r.symBuf = append(r.symBuf, n)
	case *ir.Const, *ir.VarRef: // these and the next fast, as there are many
	case *ir.Binary:
		r.collect(n.X)
		r.collect(n.Y)
	case *ir.Load:
		r.collectLoad(n.Place)
	case *ir.LoadPtr:
		r.collectLoad(n.Place)
	case *ir.FloatLoad:
		r.collectLoad(n.Place)
	case *ir.VecLoad:
		r.collectLoad(n.Place)
	case *ir.Copy:
		r.collectLoad(n.Src)
		r.collect(n.Dst)
	case *ir.Call:
		r.unsupported = called(n)
	default:
		ir.Parts(n, func(part ir.Node) bool {
			r.collect(part)
			return true
		})
	}
}

// collectLoad is collect for the value of a place.
func (r *run) collectLoad(p ir.Place) {
	if v := rootOf(p); v >= 0 {
		r.readBuf = append(r.readBuf, int32(v))
	} else {
		r.readBuf = r.pointees(r.readBuf, p)
	}
	r.collect(p)
}
