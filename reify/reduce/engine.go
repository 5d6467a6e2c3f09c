package reduce

import (
	"context"

	"github.com/cespare/xxhash/v2"

	"goreify/reify/ir"
)

// An engine is a reduction under way.
type engine struct {
	ctx    context.Context
	o      Options
	fuel   int  // of a candidate's run
	untidy bool // the failure needs what tidy would clear away

	best   *trial
	stats  Stats
	round  int
	memory map[uint64]answer // by trial.key
	failed map[string]uint64 // by the name of a pass: the key of what it could do nothing for
}

// A trial is a candidate and what the engine knows of it.
type trial struct {
	Candidate
	run  *run // of the interpreter, as execute returns it
	size size
	key  uint64 // a hash of the text and the form
	seen *run   // as observe returns it; nil until a pass needs it
}

// An answer is what is known of a candidate.
type answer int

const (
	unknown   answer = iota
	refused          // by the interpreter, by Test or by Confirm
	liked            // by Test
	confirmed        // by Confirm
)

func newTrial(c Candidate, r *run) *trial {
	return &trial{Candidate: c, run: r, size: measure(c, r), key: key(c)}
}

func key(c Candidate) uint64 {
	return xxhash.Sum64String(c.Program.String()) + uint64(c.Form)
}

// observed returns what the run of the best program was like.
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
	for changed := true; changed; {
		e.round++
		before := e.best
		if err := e.try(pass{name: "form"}); err != nil {
			return err
		}
		for _, p := range passes {
			if p.last {
				continue
			}
			if err := e.try(p); err != nil {
				return err
			}
		}
		changed = e.best.size.coarse() != before.size.coarse()
		e.report("", e.best != before)
	}
	for _, p := range passes {
		if p.last {
			if err := e.try(p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *engine) report(name string, changed bool) {
	if e.o.Progress != nil {
		e.o.Progress(Step{Round: e.round, Pass: name, Changed: changed, Best: e.best.Candidate, Stats: e.stats})
	}
}

// start finds out whether the failure survives tidying, and does it.
func (e *engine) start() error {
	t := e.candidate(func(*ir.Program) {}, false)
	if t == nil {
		return nil
	}
	i, err := e.judge([]*trial{t}, true)
	if i < 0 {
		e.untidy = true
		return err
	}
	e.best = t
	return err
}

// try runs one pass, and with Confirm asked about each candidate if the result
// of the first time does not please it.
func (e *engine) try(p pass) error {
	before := e.best
	if key, ok := e.failed[p.name]; ok && key == before.key {
		return nil
	}
	if err := e.apply(p, false); err != nil {
		return err
	}
	if e.best != before && e.o.Confirm != nil {
		ok, err := e.confirm(e.best)
		if err != nil || !ok {
			e.best = before
		}
		if err != nil {
			return err
		}
		if !ok {
			if err := e.apply(p, true); err != nil {
				return err
			}
		}
	}
	if e.best == before {
		e.failed[p.name] = before.key
		return nil
	}
	e.report(p.name, true)
	return nil
}

// apply runs one pass. If it fails, the best is what has been confirmed last.
func (e *engine) apply(p pass, confirm bool) error {
	before := e.best
	var err error
	if p.edits == nil {
		err = e.forms(confirm)
	} else {
		err = e.search(p, confirm)
	}
	if err != nil && !confirm && e.o.Confirm != nil {
		e.best = before
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

// search tries the edits of a pass in its order. What holds becomes the best
// program, and the search goes on from there.
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

// edited returns the program with some of the edits of a pass applied, or nil
// if it is not worth asking about.
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
