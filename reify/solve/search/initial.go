package search

import (
	"fmt"
	"math"

	"goreify/reify/ir"
)

// initialize chooses the initial value of v, the input if it is a parameter, and
// puts it in the state on arrival at the entry.
func (ev *evaluator) initialize(v *ir.Var, state []int64) {
	if ev.unions || !integers(v.Type) {
		ev.initializeParts(v, state)
		return
	}
	state = state[ev.offset[v.Index]:]
	room := ev.roomFor(ir.Scalar(v.Type))
	if v.Kind == ir.Param {
		state[0] = drawInitial(ev.s, room)
		return
	}
	for i, e := range v.Init {
		state[i] = ev.initial(e, room)
	}
}

// integers reports whether all scalars of t are integers of one type.
func integers(t ir.Type) bool {
	switch ir.Innermost(t).(type) {
	case ir.Int, ir.Vector:
		return true
	}
	return false
}

// initializeParts is initialize for variables whose scalars are not all
// integers of one type.
func (ev *evaluator) initializeParts(v *ir.Var, state []int64) {
	from, n := ev.offset[v.Index], ir.Count(v.Type)
	if ev.unions {
		valid := state[ev.cells:]
		clear(valid[from : from+n])
		inUse(v.Type, from, func(i int) { valid[i] = 1 })
	}
	clear(state[from : from+n])
	ev.initializeScalars(v, state)
	if ev.unions && v.Kind != ir.Param {
		ev.castInitial(v.Type, from, state)
	}
}

func (ev *evaluator) initializeScalars(v *ir.Var, state []int64) {
	from := ev.offset[v.Index]
	if v.Kind == ir.Param {
		state[from] = drawInitial(ev.s, ev.roomFor(v.Type.(ir.Int)))
		return
	}
	for i, e := range v.Init {
		switch t := ir.Cell(v.Type, i).(type) {
		case ir.Pointer:
			if v.Ptrs != nil && v.Ptrs[i] != nil {
				x, ok := ev.pointer(v.Ptrs[i], state, nil)
				if !ok {
					panic("search: a pointer starts with no address")
				}
				state[from+i] = x
			}
		case ir.Int:
			state[from+i] = ev.initial(e, ev.roomFor(t))
		case ir.Float:
			x := ev.initial(e, interval{-1 << 12, 1 << 12})
			state[from+i] = int64(math.Float64bits(float64(x)))
		}
	}
}

// initial returns the initial value of a scalar: one of a room if it is a symbol.
func (ev *evaluator) initial(e ir.Expr, room interval) int64 {
	switch e := e.(type) {
	case *ir.Const:
		return e.V
	case *ir.Sym:
		return ev.assign(e, drawInitial(ev.s, room.and(all(e.T))))
	case nil: // it has no value
		return 0
	}
	panic(fmt.Sprintf("search: %T as an initial value", e))
}

// roomFor draws the room for the initial values of a variable.
func (ev *evaluator) roomFor(t ir.Int) interval {
	room := all(t)
	if ev.daring && ev.s.Chance(1, 6) {
		// Near an end of its range.
		near := int64(room.width() >> 8)
		if ev.s.Chance(1, 2) {
			room.hi = room.lo + near
		} else {
			room.lo = room.hi - near
		}
	} else if !ev.daring || ev.s.Chance(1, 2) {
		room = room.clamp(1 << 16)
	}
	return room
}
