package interp

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"goreify/reify/ir"
)

// An image says where the variables of a function lie.
type image struct {
	// base holds by Var.Index the address of a global or static, and for the
	// others the distance from the start of the activation's memory.
	base  []int
	size  int  // of an activation, in scalars
	ready bool // globals and statics have been initialised
}

// link gives places to the globals and statics of functions. Unless these are all
// functions, it also does so for those that they call, directly or not. These places
// are at the top of the memory, where they stay, so link runs once: before the program
// runs, or when the outermost function makes its first call.
func (m *storage) link(all bool, funcs ...*ir.Function) error {
	m.mem.images = make(map[*ir.Function]*image, len(funcs))
	for len(funcs) > 0 {
		f := funcs[0]
		funcs = funcs[1:]
		if m.mem.images[f] != nil {
			continue
		}
		m.mem.linked = append(m.mem.linked, f)
		im := &image{base: make([]int, len(f.Vars)), ready: f == m.at.f}
		m.mem.images[f] = im
		for i, v := range f.Vars {
			n := ir.Count(v.Type)
			switch {
			case !v.Kind.Lasts():
				im.base[i] = im.size
				im.size += n
			case f == m.at.f:
				im.base[i] = m.at.base[i] // of the outermost function, which is running
			default:
				if im.base[i] = len(m.mem.cells); len(m.mem.cells)+n > MaxMemory {
					return fmt.Errorf("globals and statics up to those of @%s: %w: more than %d scalars", f.Name, ErrDepth, MaxMemory)
				}
				m.mem.grow(n)
			}
		}
		if all {
			continue // a callee that is not in the program
		}
		for call := range f.Calls() {
			if m.mem.images[call.Func] == nil {
				funcs = append(funcs, call.Func)
			}
		}
	}
	m.mem.statics = len(m.mem.cells)
	m.order.ambiguous = newBitset(m.mem.statics)
	return nil
}

// grow adds n scalars to the memory, which are zero and have no value.
func (m *memory) grow(n int) {
	size := len(m.cells) + n
	m.cells = slices.Grow(m.cells, n)[:size]
	m.defined = slices.Grow(m.defined, n)[:size]
	clear(m.cells[size-n:])
	clear(m.defined[size-n:])
}

// usualPath is the length of the paths of most functions.
const usualPath = 32

// push makes room for an activation of f and makes its frame the current one. At most
// so many calls may be nested.
func (m *storage) push(f *ir.Function, im *image, most int) error {
	depth, start := m.at.depth, len(m.mem.cells)
	if m.at.f != nil {
		depth++
	}
	if depth > most {
		return fmt.Errorf("@%s calls @%s: %w: %d inside each other", m.at.f.Name, f.Name, ErrDepth, depth)
	}
	if start+im.size > MaxMemory {
		return fmt.Errorf("call of @%s: %w: %d scalars", f.Name, ErrDepth, start+im.size)
	}
	m.mem.grow(im.size)
	n := len(m.mem.bases)
	for i, v := range f.Vars {
		at := im.base[i]
		if !v.Kind.Lasts() {
			at += start
		}
		m.mem.bases = append(m.mem.bases, at)
	}
	m.at = frame{
		rules: m.at.rules, brief: m.at.brief, f: f, depth: depth, base: m.mem.bases[n:len(m.mem.bases):len(m.mem.bases)], start: start,
		limit: math.MaxInt, first: len(m.order.accesses), path: make([]int, 0, usualPath),
		firstObject: len(m.mem.objects),
	}
	if m.mem.exposed { // the memory may have been that of another call
		for addr := start; addr < len(m.mem.cells); addr++ {
			m.order.ambiguous.remove(addr)
		}
	}
	return nil
}

// callersMemory returns how much of the memory the functions that have called
// the current one can notice changes in.
func (m *storage) callersMemory() int {
	if m.mem.exposed {
		return max(m.mem.statics, m.at.start)
	}
	return m.mem.statics
}

// pop gives back the memory of the current frame.
func (m *storage) pop() {
	m.mem.endLifetimes(m.at.firstObject, m.at.start)
	m.mem.cells, m.mem.defined = m.mem.cells[:m.at.start], m.mem.defined[:m.at.start]
	m.mem.bases = m.mem.bases[:len(m.mem.bases)-len(m.at.f.Vars)]
	m.order.accesses = m.order.accesses[:m.at.first]
}

// trapped returns the error that ended a call. Where operands may be evaluated in any
// order, a trap has no answer if the statement of the call may trap elsewhere, or makes
// another call.
func (m *machine) trapped(e *ir.Call, err error) error {
	trap := new(Trap)
	if m.at.rules.unordered && errors.As(err, &trap) && m.at.mayTrapElsewhere() {
		return m.at.ub(UnspecifiedOrder, "a trap in @%s, beside what may trap as well", e.Func.Name)
	}
	return err
}

// call evaluates a call (6.5.2.2): first the arguments, in an order that is
// not specified, then, after a sequence point (p10), the function.
func (m *machine) call(e *ir.Call) (int64, ir.Int, error) {
	t := e.Func.Result
	since := len(m.order.accesses)
	args := make([]int64, len(e.Args))
	for i, arg := range e.Args {
		v, of, err := m.eval(arg)
		if err != nil {
			return 0, t, err
		}
		if want := e.Func.Vars[i].Type; of != want {
			panic(fmt.Sprintf("interp: argument %d of @%s is %s, not %s", i, e.Func.Name, of, want))
		}
		args[i] = v
	}
	if e.Func.Foreign != nil {
		v, err := m.foreign(e, args)
		return v, t, err
	}
	if m.mem.images == nil {
		if err := m.link(false, m.at.f); err != nil {
			return 0, t, err
		}
	}
	caller, im := m.at, m.mem.images[e.Func]
	if im == nil {
		panic(fmt.Sprintf("interp: @%s is not a function of the program", e.Func.Name))
	}
	if err := m.push(e.Func, im, m.o.Depth); err != nil {
		return 0, t, err
	}
	m.at.site = e
	m.at.effects = m.order.newEffects(m.callersMemory())
	first := !im.ready
	im.ready = true
	value, err := m.execute(args, first)
	if err != nil {
		m.at = caller
		return 0, t, m.trapped(e, err)
	}
	m.pop()
	callee := m.at
	m.at = caller
	if callee.loop.everSideEffect {
		m.at.loop.noteSideEffect()
	}
	return value, t, m.returned(callee.effects, since)
}
