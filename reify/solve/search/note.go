package search

import "goreify/reify/ir"

// addStatement adds the site of a statement other than an Assign.
func (r *run) addStatement(b int, s ir.Stmt) {
	at := site{block: b, stmt: s, writes: -1}
	syms, reads := len(r.symBuf), len(r.readBuf)
	switch s := s.(type) {
	case *ir.AssignPtr:
		r.notePointer(s.Src)
		r.notePlace(s.Dst)
		at.also = r.written(nil, s.Dst)
	case *ir.AssignFloat:
		r.noteFloat(s.Src)
		r.notePlace(s.Dst)
		at.also = r.written(nil, s.Dst)
	case *ir.AssignVec:
		r.noteVector(s.Src)
		r.notePlace(s.Dst)
		at.also = r.written(nil, s.Dst)
	case *ir.Copy:
		r.noteLoad(s.Src)
		r.notePlace(s.Dst)
		at.also = r.written(nil, s.Dst)
	case *ir.Overflow:
		r.note(s.X)
		r.note(s.Y)
		r.notePlace(s.Dst)
		r.notePlace(s.Flag)
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

// The note functions list the symbols and the variables that are read, in the
// order of evaluation.

func (r *run) note(e ir.Expr) {
	switch e := e.(type) {
	case *ir.Sym:
		r.symBuf = append(r.symBuf, e)
	case *ir.Load:
		r.noteLoad(e.Place)
	case *ir.Binary:
		r.note(e.X)
		r.note(e.Y)
	case *ir.Convert:
		r.note(e.X)
	case *ir.Unary:
		r.note(e.X)
	case *ir.Select:
		r.note(e.If)
		r.note(e.X)
		r.note(e.Y)
	case *ir.Builtin:
		for _, x := range e.Args {
			r.note(x)
		}
	case *ir.PtrCompare:
		r.notePointer(e.X)
		r.notePointer(e.Y)
	case *ir.PtrDiff:
		r.notePointer(e.X)
		r.notePointer(e.Y)
	case *ir.FloatCompare:
		r.noteFloat(e.X)
		r.noteFloat(e.Y)
	case *ir.FloatToInt:
		r.noteFloat(e.X)
	}
}

// noteLoad is note for the value of a place.
func (r *run) noteLoad(p ir.Place) {
	if v := rootOf(p); v >= 0 {
		r.readBuf = append(r.readBuf, int32(v))
	} else {
		r.readBuf = r.pointees(r.readBuf, p)
	}
	r.notePlace(p)
}

// notePlace is note for where a place is.
func (r *run) notePlace(p ir.Place) {
	switch p := p.(type) {
	case *ir.Elem:
		r.notePlace(p.Base)
		r.note(p.Index)
	case *ir.Member:
		r.notePlace(p.Base)
	case *ir.Deref:
		r.notePointer(p.X)
	}
}

func (r *run) notePointer(e ir.PtrExpr) {
	switch e := e.(type) {
	case *ir.AddrOf:
		r.notePlace(e.Place)
	case *ir.LoadPtr:
		r.noteLoad(e.Place)
	case *ir.PtrAdd:
		r.notePointer(e.X)
		r.note(e.Index)
	case *ir.PtrCast:
		r.notePointer(e.X)
	}
}

func (r *run) noteFloat(e ir.FloatExpr) {
	switch e := e.(type) {
	case *ir.FloatLoad:
		r.noteLoad(e.Place)
	case *ir.FloatNeg:
		r.noteFloat(e.X)
	case *ir.FloatBinary:
		r.noteFloat(e.X)
		r.noteFloat(e.Y)
	case *ir.FloatConvert:
		r.noteFloat(e.X)
	case *ir.FloatOf:
		r.note(e.X)
	}
}

func (r *run) noteVector(e ir.VecExpr) {
	switch e := e.(type) {
	case *ir.VecLoad:
		r.noteLoad(e.Place)
	case *ir.VecOf:
		for _, lane := range e.Lanes {
			r.note(lane)
		}
	case *ir.VecUnary:
		r.noteVector(e.X)
	case *ir.VecBinary:
		r.noteVector(e.X)
		r.noteVector(e.Y)
	case *ir.VecShuffle:
		r.noteVector(e.X)
		r.noteVector(e.Y)
	case *ir.VecConvert:
		r.noteVector(e.X)
	}
}
