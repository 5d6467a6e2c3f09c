package link

import (
	"fmt"

	"goreify/reify/ir"
)

// resetting returns assignments that give the globals and statics that f may assign to
// their initial values. At the head of its entry they have each call find these as the
// first one did. Those that f only reads are left alone. It panics if an initial value is a
// symbol.
//
// That does not suffice for a function that is called again while it is being executed
// and reads memory that it has written before: the inner call changes it.
func resetting(f *ir.Function, u *use) []ir.Stmt {
	r := &resetter{f: f}
	for _, v := range f.Vars {
		if u.written[v.Index] && v.Kind.Lasts() {
			r.v, r.cell = v, 0
			r.reset(func() ir.Place { return &ir.VarRef{Var: v} }, v.Type)
		}
	}
	return r.stmts
}

// A resetter collects assignments of initial values.
type resetter struct {
	f     *ir.Function
	v     *ir.Var
	cell  int // of v, the next one
	stmts []ir.Stmt
}

// reset assigns to the part of the variable that place makes, of type t. Of a
// union it assigns to the first member, which alone has an initial value.
func (r *resetter) reset(place func() ir.Place, t ir.Type) {
	switch t := t.(type) {
	case ir.Int:
		r.add(&ir.Assign{Dst: place(), Src: &ir.Const{T: t, V: r.next()}})
	case ir.Float:
		r.add(&ir.Assign{Dst: place(), Src: &ir.FloatConst{T: t, V: float64(r.next())}})
	case ir.Pointer:
		var src ir.Expr = &ir.Null{T: t}
		if r.v.Ptrs != nil && r.v.Ptrs[r.cell] != nil {
			src = ir.CopyExpr(r.v.Ptrs[r.cell])
		}
		r.cell++
		r.add(&ir.Assign{Dst: place(), Src: src})
	case ir.Vector:
		value := &ir.VecOf{T: t}
		for range t.Lanes {
			value.Lanes = append(value.Lanes, &ir.Const{T: t.Elem, V: r.next()})
		}
		r.add(&ir.Assign{Dst: place(), Src: value})
	case ir.Array:
		for i := range t.Len {
			r.reset(func() ir.Place {
				return &ir.Elem{Base: place(), Index: &ir.Const{T: ir.I32, V: int64(i)}}
			}, t.Elem)
		}
	case *ir.Record:
		start := r.cell
		for i := range t.Fields {
			r.reset(func() ir.Place { return &ir.Member{Base: place(), Field: i} }, t.Member(i))
			if t.Union {
				break
			}
		}
		r.cell = start + ir.Count(t)
	default:
		panic(fmt.Sprintf("link: unknown type %T", t))
	}
}

func (r *resetter) add(s ir.Stmt) { r.stmts = append(r.stmts, s) }

// next returns the initial value of the next cell.
func (r *resetter) next() int64 {
	i := r.cell
	r.cell++
	if r.v.Init == nil {
		return 0
	}
	c, ok := r.v.Init[i].(*ir.Const)
	if !ok {
		panic(fmt.Sprintf("link: %s of @%s is initialised with a %T", r.v, r.f.Name, r.v.Init[i]))
	}
	return c.V
}
