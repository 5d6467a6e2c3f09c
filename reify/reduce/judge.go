package reduce

import (
	"sync"

	"goreify/reify/ir"
)

// candidate returns the best program after a change, tidied, with its new path and
// answer, or nil if it is not worth a test.
func (e *engine) candidate(change func(q *ir.Program), rescue bool) *trial {
	q := e.best.Program.Clone()
	change(q)
	tidy(q, !e.untidy)
	k := q.Claims[0]
	q.Claims = nil
	if q.Check() != nil || !accepts(k) {
		e.stats.Invalid++
		return nil
	}
	q.Claims = []*ir.Claim{k}
	r, err := execute(q, e.fuel)
	if err != nil && rescue {
		r, err = e.rescued(q)
	}
	if err != nil {
		e.stats.Undefined++
		return nil
	}
	k.Path, k.Want, k.Trap = r.path, r.value, r.trap
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
func accepts(k *ir.Claim) bool {
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

// judge asks about all candidates at a time and returns the index of the first one that
// holds, or -1. Answers about later candidates are kept for the next time that they are
// met, and have no other effect: the result is that of asking about one at a time.
func (e *engine) judge(list []*trial, confirm bool) (int, error) {
	errs := make([]error, len(list))
	holds := make([]bool, len(list))
	var wait sync.WaitGroup
	tests := e.stats.Tests
	for i, t := range list {
		if e.memory[t.key] != unknown {
			continue
		}
		if tests++; e.ahead[t.key] != unknown || e.o.MaxTests > 0 && tests > e.o.MaxTests {
			continue
		}
		ask := func() { holds[i], errs[i] = e.o.Test(e.ctx, t.Candidate) }
		if len(list) == 1 {
			ask()
		} else {
			wait.Go(ask)
		}
		e.ahead[t.key] = asked
	}
	wait.Wait()
	for i, t := range list {
		if e.ahead[t.key] == asked {
			e.ahead[t.key] = refused
			if holds[i] {
				e.ahead[t.key] = liked
			}
			if errs[i] != nil {
				delete(e.ahead, t.key)
			}
		}
	}
	for i, t := range list {
		if errs[i] != nil {
			return -1, errs[i]
		}
		if err := e.ctx.Err(); err != nil {
			return -1, err
		}
		if e.memory[t.key] != unknown {
			e.stats.Seen++
		} else {
			if e.ahead[t.key] == unknown || e.o.MaxTests > 0 && e.stats.Tests >= e.o.MaxTests {
				return -1, errSpent
			}
			e.stats.Tests++
			e.memory[t.key] = e.ahead[t.key]
			delete(e.ahead, t.key)
		}
		if e.memory[t.key] == refused {
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

// confirm asks Confirm, if there is one, about a candidate that Test accepts.
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
