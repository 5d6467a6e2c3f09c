package search

import (
	"fmt"
	"slices"

	"goreify/reify/ir"
	"goreify/reify/solve"
)

// A guide describes the path of a walk.
type guide struct {
	demand []int // the path, block by block; nil if the walk finds its own
	counts []int // by block: visits that demand makes
	cycle  int   // blocks of the shortest cycle through the block to go round
	solve.Target
}

// A failure is the reason why a walk stopped: it could not go on from a position,
// because of a statement or condition there, or it went on too long.
type failure struct {
	pos int
	at  *site // nil if the walk went on too long
	// Of a condition that is to lead to block to and cannot, because it took another
	// successor on the same data before: the first position at which it did. Positions
	// of conditions are never 0.
	since int
	to    int
	off   int // how far the walk, which came to the exit, is from the target
	leave int // chance in 3 that it is to leave there, and not to change its operands
}

// walk goes on from the last block of the path to the exit. The state on arrival
// is known. Symbols met for the first time get values; symbols that have values
// keep them where that works. The result is nil at the exit.
func (r *run) walk() *failure {
walk:
	for {
		pos := len(r.path) - 1
		if r.steps++; r.steps > r.budget || r.scanner.unsupported != "" {
			return &failure{pos: pos}
		}
		info := &r.blocks[r.path[pos]]
		state := r.state(pos + 1)
		copy(state, r.state(pos))
		for i := range info.sites {
			if at := &info.sites[i]; at.stmt != nil && !r.step(at, info, state) {
				if r.replaceUndefined(at, pos) {
					continue walk
				}
				return &failure{pos: pos, at: at}
			}
		}
		next := 0
		switch t := r.f.Blocks[r.path[pos]].Term.(type) {
		case *ir.Goto:
			next = t.To.Index
		case *ir.If:
			at := &info.sites[len(info.sites)-1]
			to, f := r.branch(decision{at, info, pos}, t)
			if f != nil {
				if f.at == at && f.since == 0 && r.replaceUndefined(at, pos) {
					continue
				}
				return f
			}
			next = to
		case *ir.Switch:
			at := &info.sites[len(info.sites)-1]
			to, f := r.jump(decision{at, info, pos}, t)
			if f != nil {
				if f.since == 0 && r.replaceUndefined(at, pos) {
					continue
				}
				return f
			}
			next = to
		case *ir.Return:
			at := &info.sites[len(info.sites)-1]
			if _, ok := r.value(at, state); !ok {
				if r.replaceUndefined(at, pos) {
					continue
				}
				return &failure{pos: pos, at: at}
			}
			if off := r.off(); off > 0 && r.triesLeft > 0 {
				return &failure{pos: pos, off: off}
			}
			return nil
		default:
			panic(fmt.Sprintf("search: unknown terminator %T", t))
		}
		if r.guide.demand == nil && r.tooLong() {
			return &failure{pos: pos}
		}
		r.enter(next)
	}
}

// off returns how far the path is from the target; 0 if it was demanded.
func (r *run) off() int {
	if r.guide.demand != nil {
		return 0
	}
	return r.guide.Off(len(r.path)-r.fixedVisits(), len(r.blocks[r.guide.Loop].visits))
}

// limit is the length at which a walk through n blocks that was to end at
// Length is given up.
func (g *guide) limit(n int) int { return g.Length + g.Length/4 + min(n, 32) + 8 }

// step executes a statement in place.
func (r *run) step(at *site, info *block, state []int64) bool {
	if at.dst == nil {
		return r.stepOther(at, info, state)
	}
	if v, to, ok := r.evalAssign(at, state); ok {
		if at.writes >= 0 && !r.unions {
			state[to] = v
			return true
		}
		if r.put(at, to, v, state) {
			return true
		}
	}
	if len(info.visits) > 1 || len(at.syms) == 0 {
		return false
	}
	const tries = 8
	n := r.visitsExpected(at.block)
	for try := range tries {
		r.unset(at.syms)
		pol := r.policyFor(ir.IntOf(at.expr), n, at.fails+try)
		if at.writes >= 0 {
			pol.dst = r.f.Vars[at.writes]
		}
		if try < 3 && n > 1 {
			pol.result = r.sweep(at, state, pol.result)
		}
		v, ok := r.chooseAt(at, state, pol.result, &pol)
		if !ok {
			continue
		}
		to, ok := r.locate(at.dst, state, &pol)
		if !ok {
			continue
		}
		if state[to] == v && n > 1 && try < tries/2 {
			continue // a loop whose data stands still cannot end
		}
		if r.put(at, to, v, state) {
			return true
		}
	}
	return false
}

// put ends an assignment.
func (r *run) put(at *site, to int, v int64, state []int64) bool {
	if r.moves(source(at.expr), to, state) {
		return false
	}
	return r.store(at.dst, to, v, state)
}

// stepOther is step for a statement other than an Assign.
func (r *run) stepOther(at *site, info *block, state []int64) bool {
	if r.execute(at.stmt, state, nil) {
		return true
	}
	if len(info.visits) > 1 || len(at.syms) == 0 {
		return false
	}
	const tries = 8
	for try := range tries {
		r.unset(at.syms)
		pol := r.policyFor(ir.I32, r.visitsExpected(at.block), at.fails+try)
		if r.execute(at.stmt, state, &pol) {
			return true
		}
	}
	return false
}

// sweep returns wanted results of a statement in a loop that updates a variable from
// itself. Now and then, in a daring walk, these take the variable far across its range
// in the remaining rounds, and not beyond its end.
func (r *run) sweep(at *site, state []int64, room interval) interval {
	v, scalar := at.dst.(*ir.VarRef)
	if !scalar || !r.daring || !slices.Contains(at.reads, int32(at.writes)) || !exact(at.over) || !r.s.Chance(1, 3) {
		return room
	}
	now := state[r.offset[v.Var.Index]]
	rounds := int64(max(2, r.s.Range(2, max(2, r.visitsExpected(at.block)))))
	if r.guide.Rounds > 1 && r.s.Chance(2, 3) {
		rounds = int64(r.guide.Rounds)
	}
	if now < 0 {
		step := (at.over.Max() - now) / rounds
		return interval{now + step/2, now + step}
	}
	step := (now - at.over.Min()) / rounds
	return interval{now - step, now - step/2}
}

// visitsExpected returns how often the path will visit a block.
func (r *run) visitsExpected(b int) int {
	switch {
	case r.guide.demand != nil:
		return r.guide.counts[b]
	case !r.blocks[b].loops:
		return 1
	case r.guide.Rounds > 0:
		return max(8, r.guide.Rounds)
	case r.guide.Sticky >= 75:
		return 8
	}
	return 4
}

func (r *run) evalAssign(at *site, state []int64) (v int64, to int, ok bool) {
	if v, ok = r.value(at, state); !ok {
		return
	}
	to, ok = r.locate(at.dst, state, nil)
	return
}

// start chooses the initial value of every variable and enters the function.
func (r *run) start() {
	if len(r.path) == 0 {
		r.enter(0)
	}
	r.back(0)
	for _, v := range r.f.Vars {
		r.initialize(v, r.state(0))
	}
}
