package reduce

import (
	"context"
	"errors"

	"github.com/cespare/xxhash/v2"

	"goreify/reify/ir"
)

// An engine is a reduction under way.
type engine struct {
	ctx    context.Context
	o      Options
	fuel   int  // of a candidate's run
	untidy bool // the failure needs code that tidy would remove

	best   *trial
	stats  Stats
	round  int
	memory map[uint64]answer // by trial.key
	ahead  map[uint64]answer // likewise, of what Test was asked about too early
	spent  bool              // there may be no more calls of Test
	failed map[string]uint64 // by the name of a pass: the key of the program for which it could do nothing
}

// A trial is a candidate and the engine's knowledge of it.
type trial struct {
	Candidate
	run  *run // of the interpreter, as execute returns it
	size size
	key  uint64 // a hash of the text and the form
	seen *run   // as observe returns it; nil until a pass needs it
}

// An answer is the knowledge about a candidate.
type answer int

const (
	unknown   answer = iota
	asked            // and not answered yet
	refused          // by the interpreter, by Test or by Confirm
	liked            // by Test
	confirmed        // by Confirm
)

// errSpent ends a reduction that has made as many tests as it may.
var errSpent = errors.New("no more tests")

func newTrial(c Candidate, r *run) *trial {
	return &trial{Candidate: c, run: r, size: measure(c, r), key: key(c)}
}

func key(c Candidate) uint64 {
	return xxhash.Sum64String(c.Program.String()) + uint64(c.Form)
}

// observed returns the record of the run of the best program.
func (e *engine) observed() *run {
	if e.best.seen == nil {
		e.best.seen = observe(e.best.Program)
	}
	return e.best.seen
}

// reduce goes through the passes until a round brings nothing.
func (e *engine) reduce(passes []pass) error {
	if err := e.start(); err != nil {
		return err
	}
	var group, last []pass
	for changed := true; changed && !e.spent; {
		e.round++
		before := e.best
		group, last = []pass{{name: "form"}}, nil
		for _, p := range passes {
			if p.last {
				last = append(last, p)
				continue
			}
			group = append(group, p)
			if p.milestone {
				if err := e.try(group); err != nil {
					return err
				}
				group = nil
			}
		}
		if err := e.try(group); err != nil {
			return err
		}
		changed = e.best.size.coarse() != before.size.coarse()
		e.report("", e.best != before)
	}
	return e.try(last)
}

func (e *engine) report(name string, changed bool) {
	if e.o.Progress != nil {
		e.o.Progress(Step{Round: e.round, Pass: name, Changed: changed, Best: e.best.Candidate, Stats: e.stats})
	}
}

// start finds out whether the failure survives tidying, and tidies if it does.
func (e *engine) start() error {
	t := e.candidate(func(*ir.Program) {}, false)
	if t == nil {
		return nil
	}
	i, err := e.judge([]*trial{t}, true)
	if err == errSpent {
		e.spent = true
		return nil
	}
	if i < 0 {
		e.untidy = true
		return err
	}
	e.best = t
	return err
}

// try runs passes. If Confirm rejects their result, they are undone, and each half of
// them is tried on its own; a single pass is then done with Confirm asked about each
// candidate. Up to the first rejected step, the answers of Test are known by then.
func (e *engine) try(passes []pass) error {
	before := e.best
	for _, p := range passes {
		if err := e.apply(p, false); err != nil {
			if e.o.Confirm != nil {
				e.best = before
			}
			return err
		}
	}
	if e.best == before || e.o.Confirm == nil {
		return nil
	}
	ok, err := e.confirm(e.best)
	if ok || err != nil {
		if err != nil {
			e.best = before
		}
		return err
	}
	e.best = before
	if len(passes) == 1 {
		delete(e.failed, passes[0].name)
		return e.apply(passes[0], true)
	}
	for _, half := range [][]pass{passes[:len(passes)/2], passes[len(passes)/2:]} {
		if err := e.try(half); err != nil {
			return err
		}
	}
	return nil
}

// apply runs one pass, unless it is known to bring nothing.
func (e *engine) apply(p pass, confirm bool) error {
	before := e.best
	if key, ok := e.failed[p.name]; ok && key == before.key {
		return nil
	}
	var err error
	if p.edits == nil {
		err = e.forms(confirm)
	} else {
		err = e.search(p, confirm)
	}
	switch {
	case err == errSpent:
		e.spent, err = true, nil
	case err == nil && e.best == before:
		e.failed[p.name] = before.key
	}
	if e.best != before {
		e.report(p.name, true)
	}
	return err
}

// forms looks for the plainest way to write the program.
func (e *engine) forms(confirm bool) error {
	var list []*trial
	for form := range e.best.Form {
		t := newTrial(Candidate{e.best.Program, form}, e.best.run)
		if e.memory[t.key] != refused {
			list = append(list, t)
		}
	}
	for len(list) > 0 {
		n := min(e.o.Workers, len(list))
		i, err := e.judge(list[:n], confirm)
		if i >= 0 {
			e.best = list[i]
		}
		if i >= 0 || err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// search tries the edits of a pass in its order. A candidate that holds becomes the
// best program, and the search goes on from there.
func (e *engine) search(p pass, confirm bool) error {
	n := len(p.edits(e.best.Program, e.observed()))
	c := p.order.first(n)
	for {
		// The next candidates, under the assumption that none of them holds.
		var list []*trial
		var after []cursor
		done := false
		for len(list) < e.o.Workers {
			was := c
			from, to := c.next(n)
			if from == to {
				done = true
				break
			}
			if t := e.edited(p, from, to); t != nil {
				list = append(list, t)
				was.size, was.at = c.size, from
				after = append(after, was)
			}
			if err := e.ctx.Err(); err != nil {
				return err
			}
		}
		i, err := e.judge(list, confirm)
		if err != nil {
			return err
		}
		if i < 0 {
			if done {
				return nil
			}
			continue
		}
		e.best = list[i]
		n = len(p.edits(e.best.Program, e.observed()))
		if c = after[i]; c.order == bold {
			c = p.order.first(n)
		}
	}
}

// edited returns the program with some of the edits of a pass applied, or nil if it is
// not worth a test.
func (e *engine) edited(p pass, from, to int) *trial {
	seen := e.observed()
	return e.candidate(func(q *ir.Program) {
		list := p.edits(q, seen.rebind(e.best.Program, q))
		if to > len(list) {
			panic("reduce: pass " + p.name + " lists other edits for a clone")
		}
		for _, change := range list[from:to] {
			change()
		}
	}, p.rescue)
}
