package search

import "slices"

// backjump gives up the values of a site that may be to blame for a failure and goes
// back to the position where it was chosen.
func (r *run) backjump(f *failure) {
	r.stats.Backjumps++
	if f.at == nil {
		// The walk went round without a way out: a value in the loop must change.
		missed := r.missed
		if f = &missed; f.at == nil || f.pos >= len(r.path) || r.path[f.pos] != f.at.block {
			r.start()
			return
		}
		r.back(f.pos)
	}
	if f.since > 0 && r.s.Chance(f.leave, 3) {
		// Leave where the data last changed.
		r.back(f.since)
		r.forced.pos, r.forced.to = f.since, f.to
		info := &r.blocks[f.at.block]
		if info.leaveTo != f.to {
			info.leave = 0
		}
		info.leaveTo = f.to
		info.leave++
		return
	}
	if f.at.stmt != nil && len(r.blocks[f.at.block].visits) > 1 && r.s.Chance(1, 2) {
		r.forget(f.at)
		return
	}
	if f.at.stmt == nil && r.s.Chance(2, 3) {
		if between := r.between(f); len(between) > 0 {
			r.forget(between[r.s.Intn(len(between))])
			return
		}
	}
	if len(f.at.reads) == 0 {
		r.forget(f.at)
		return
	}
	v := f.at.reads[r.s.Intn(len(f.at.reads))]
	if writer := r.lastWriter(int(v), f.pos, f.at); writer != nil && !r.s.Chance(1, 8) {
		r.forget(writer)
		return
	}
	r.initialize(r.f.Vars[v], r.state(0))
	r.back(0)
}

// forget unsets the symbols of a site and goes back to its first visit.
func (r *run) forget(at *site) {
	at.fails++
	r.unset(at.syms)
	r.back(int(r.blocks[at.block].visits[0]))
}

// between returns the statements that write operands of a condition and that ran since
// the last visit of the condition that went the other way. Without such a visit, these
// are the statements since the visit before.
func (r *run) between(f *failure) []*site {
	visits := r.blocks[f.at.block].visits
	if len(visits) < 2 {
		return nil
	}
	start := int(visits[len(visits)-2])
	for i := len(visits) - 2; i >= 0; i-- {
		if p := int(visits[i]); r.path[p+1] != r.path[start+1] {
			start = p
			break
		}
	}
	r.culprits = r.culprits[:0]
	for i := start + 1; i <= f.pos; i++ {
		sites := r.blocks[r.path[i]].sites
		for j := range sites {
			if at := &sites[j]; at.stmt != nil && len(at.syms) > 0 && at.feeds(f.at) {
				r.culprits = append(r.culprits, at)
			}
		}
	}
	return r.culprits
}

// lastWriter returns the last statement before a site at a position that
// assigns to variable v and has symbols, or nil.
func (r *run) lastWriter(v, pos int, before *site) *site {
	for i := pos; i >= 0; i-- {
		list := r.blocks[r.path[i]].sites
		for j := len(list) - 1; j >= 0; j-- {
			if i == pos && before != nil {
				if &list[j] == before {
					before = nil
				}
				continue
			}
			if list[j].writesTo(v) && len(list[j].syms) > 0 {
				return &list[j]
			}
		}
	}
	return nil
}

// feeds reports whether a statement may write to an operand of another site.
func (at *site) feeds(reader *site) bool {
	if at.writes >= 0 {
		return slices.Contains(reader.reads, int32(at.writes))
	}
	return slices.ContainsFunc(at.also, func(v int32) bool { return slices.Contains(reader.reads, v) })
}
