package search

import "goreify/reify/ir"

// repair gives up the values of something that may be to blame for a failure
// and returns the position from which to walk again.
func (r *run) repair(f *failure) int {
	if f.at.writes >= 0 && f.pos != r.first[f.at.block] && r.s.Chance(1, 2) {
		return r.forget(f.at)
	}
	if f.at.writes < 0 && f.pos+1 < len(r.Path) && r.s.Chance(2, 3) {
		if between := r.between(f); len(between) > 0 {
			return r.forget(between[r.s.Intn(len(between))])
		}
	}
	if len(f.at.reads) == 0 {
		return r.forget(f.at)
	}
	v := f.at.reads[r.s.Intn(len(f.at.reads))]
	if writer := r.lastWriter(v, f.pos, f.at); writer != nil && !r.s.Chance(1, 8) {
		return r.forget(writer)
	}
	r.initialize(r.Func.Vars[v])
	return 0
}

// forget unsets the symbols of a site and returns the position where they
// were chosen.
func (r *run) forget(at *site) int {
	at.fails++
	r.unset(at)
	return r.first[at.block]
}

// between returns the statements that write what a condition reads and that
// ran between its failing visit and the last visit that wanted the opposite
// direction, or if that is empty, between it and the visit before.
func (r *run) between(f *failure) []*site {
	start := -1
	for i := f.pos - 1; i >= 0; i-- {
		if r.Path[i] != f.at.block {
			continue
		}
		if start < 0 {
			start = i
		}
		if r.taken(i) != r.taken(f.pos) {
			start = i
			break
		}
	}
	if start < 0 {
		return nil
	}
	var list []*site
	for i := start + 1; i <= f.pos; i++ {
		for _, at := range r.blocks[r.Path[i]] {
			if at.writes >= 0 && contains(f.at.reads, at.writes) {
				list = append(list, at)
			}
		}
	}
	return list
}

// lastWriter returns the last statement before a site at a position that
// assigns to variable v, or nil.
func (r *run) lastWriter(v, pos int, before *site) *site {
	for i := pos; i >= 0; i-- {
		list := r.blocks[r.Path[i]]
		for j := len(list) - 1; j >= 0; j-- {
			if i == pos && before != nil {
				if list[j] == before {
					before = nil
				}
				continue
			}
			if list[j].writes == v {
				return list[j]
			}
		}
	}
	return nil
}

func contains(list []int, v int) bool {
	for _, w := range list {
		if w == v {
			return true
		}
	}
	return false
}

// describe says what a failure is about, for the error of Solve.
func (f *failure) describe(fn *ir.Function) (block, what string) {
	what = "condition"
	if f.at.dst != nil {
		what = "assignment to " + ir.Root(f.at.dst).Name
	}
	return fn.Blocks[f.at.block].Name, what
}
