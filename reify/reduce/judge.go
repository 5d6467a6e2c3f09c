package reduce

import (
	"sync"

	"goreify/reify/ir"
)

// candidate returns the best program after a change, tidied, with the path and
// the answer that it has now, or nil if it is not worth asking about.
func (e *engine) candidate(change func(q *ir.Program), rescue bool) *trial {
	q := e.best.Program.Clone()
	change(q)
	tidy(q, !e.untidy)
	k := q.Cases[0]
	q.Cases = nil
	if q.Check() != nil || !accepts(k) {
		e.stats.Invalid++
		return nil
	}
	q.Cases = []*ir.Case{k}
	r, err := execute(q, e.fuel)
	if err != nil && rescue {
		r, err = e.rescued(q)
	}
	if err != nil {
		e.stats.Undefined++
		return nil
	}
	k.Path, k.Want = r.path, r.value
	t := newTrial(Candidate{q, e.best.Form}, r)
	switch {
	case t.key == e.best.key:
		return nil
	case e.memory[t.key] == refused:
		e.stats.Seen++
		return nil
	case !t.size.less(e.best.size):
		e.stats.Invalid++
		return nil
	}
	return t
}

// accepts reports whether the arguments of a case are those that its function
// takes.
func accepts(k *ir.Case) bool {
	params := k.Func.Params()
	if len(params) != len(k.Args) {
		return false
	}
	for i, v := range params {
		if t, ok := v.Type.(ir.Int); !ok || !t.Holds(k.Args[i]) {
			return false
		}
	}
	return true
}

// judge asks about candidates, all at a time, and returns which is the first
// that holds, or -1. Only what comes before that one decides: the answer is the
// same as if they had been asked about one by one.
func (e *engine) judge(list []*trial, confirm bool) (int, error) {
	holds := make([]answer, len(list))
	errs := make([]error, len(list))
	asked := make([]bool, len(list))
	var wait sync.WaitGroup
	for i, t := range list {
		if holds[i] = e.memory[t.key]; holds[i] != unknown {
			e.stats.Seen++
			continue
		}
		asked[i] = true
		e.stats.Tests++
		ask := func() {
			ok, err := e.o.Test(e.ctx, t.Candidate)
			if errs[i] = err; ok {
				holds[i] = liked
			} else {
				holds[i] = refused
			}
		}
		if len(list) == 1 {
			ask()
		} else {
			wait.Go(ask)
		}
	}
	wait.Wait()
	for i, t := range list {
		if errs[i] == nil && asked[i] {
			e.memory[t.key] = holds[i]
		}
	}
	for i, t := range list {
		if errs[i] != nil {
			return -1, errs[i]
		}
		if err := e.ctx.Err(); err != nil {
			return -1, err
		}
		if holds[i] == refused {
			continue
		}
		if confirm {
			ok, err := e.confirm(t)
			if err != nil {
				return -1, err
			}
			if !ok {
				continue
			}
		}
		return i, nil
	}
	return -1, nil
}

// confirm asks Confirm, if there is one, about a candidate that Test likes.
func (e *engine) confirm(t *trial) (bool, error) {
	if e.o.Confirm == nil || e.memory[t.key] == confirmed {
		return true, nil
	}
	e.stats.Confirms++
	ok, err := e.o.Confirm(e.ctx, t.Candidate)
	if err != nil {
		return false, err
	}
	if err := e.ctx.Err(); err != nil {
		return false, err
	}
	e.memory[t.key] = refused
	if ok {
		e.memory[t.key] = confirmed
	}
	return ok, nil
}
