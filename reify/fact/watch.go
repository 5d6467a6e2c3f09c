package fact

import (
	"fmt"
	"slices"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// A watch knows the values of variables while a function runs: of the integers and
// pointers that are neither volatile nor in unions and vectors.
type watch struct {
	f     *ir.Function
	cells [][]cell // by variable; nil for one that is not followed
}

// A cell is a scalar of a variable.
type cell struct {
	known bool
	v     int64   // of an integer
	to    *target // of a pointer that is not null
}

// A target is the place that a pointer points to: a scalar, or an object that begins
// with it.
type target struct {
	v    *ir.Var
	elem int
}

// newWatch returns the watch of a run before it begins.
func newWatch(f *ir.Function, args []int64) *watch {
	w := &watch{f: f, cells: make([][]cell, len(f.Vars))}
	for i, v := range f.Vars {
		if !followed(v) {
			continue
		}
		w.cells[i] = make([]cell, ir.Count(v.Type))
		for k := range w.cells[i] {
			w.cells[i][k] = first(v, k)
		}
		if v.Kind == ir.Param {
			w.cells[i][0] = cell{known: true, v: args[i]}
		}
	}
	return w
}

// followed reports whether the values of v are known.
func followed(v *ir.Var) bool {
	switch ir.Innermost(v.Type).(type) {
	case ir.Vector, ir.Float, ir.Wide:
		return false
	}
	return !v.Volatile && !ir.HasUnion(v.Type)
}

// first returns the value that scalar k of a variable starts with.
func first(v *ir.Var, k int) cell {
	if v.Init == nil {
		return cell{known: v.Kind.Lasts()}
	}
	switch ir.Cell(v.Type, k).(type) {
	case ir.Int:
		if c, ok := v.Init[k].(*ir.Const); ok {
			return cell{known: true, v: c.V}
		}
	case ir.Pointer:
		if v.Ptrs == nil || v.Ptrs[k] == nil {
			return cell{known: true}
		}
		if a, ok := v.Ptrs[k].(*ir.AddrOf); ok {
			root, elem := scalar(a.Place)
			return cell{known: root != nil, to: &target{root, elem}}
		}
	}
	return cell{}
}

// scalar returns the variable that contains a place with constant indices, and the
// number of the first of its scalars there; nil if the place is behind a pointer.
func scalar(p ir.Place) (*ir.Var, int) {
	switch p := p.(type) {
	case *ir.VarRef:
		return p.Var, 0
	case *ir.Elem:
		v, at := scalar(p.Base)
		if c, ok := p.Index.(*ir.Const); ok {
			return v, at + int(c.V)*ir.Count(p.Type())
		}
	case *ir.Member:
		v, at := scalar(p.Base)
		return v, at + p.Base.Type().(*ir.Record).Offset(p.Field)
	}
	return nil, 0
}

// run runs a claim and reports each visit to the questions of all points, by block.
func (w *watch) run(c *ir.Claim, points []points) error {
	step, k := -1, 0
	o := interp.Options{Fuel: len(c.Path) + 1, Trace: func(e interp.Event) {
		if e.Step != step {
			step, k = e.Step, 0
		}
		p := &points[e.Block.Index][k]
		p.visits++
		for _, q := range p.asked {
			q.see(w)
		}
		k++
		for _, s := range e.Stores {
			w.store(s)
		}
	}}
	r, err := interp.Run(c.Func, c.Args, o)
	if err != nil {
		return err
	}
	if !slices.Equal(r.Path, c.Path) || r.Value != c.Want {
		return fmt.Errorf("@%s does not return %d by way of %v", c.Func.Name, c.Want, c.Path)
	}
	return nil
}

func (w *watch) store(s interp.Store) {
	if w.cells[s.Var.Index] == nil {
		return
	}
	at := &w.cells[s.Var.Index][s.Elem]
	*at = cell{known: !s.Lost}
	if _, ok := ir.Cell(s.Var.Type, s.Elem).(ir.Pointer); !ok {
		at.v = s.Value
		return
	}
	switch s.Value {
	case 0:
	case -1:
		at.known = false
	default:
		index, elem, behind := interp.PointsTo(s.Value)
		at.known = at.known && !behind
		at.to = &target{w.f.Vars[index], elem}
	}
}
