package llvm

import (
	"context"
	"errors"
	"slices"

	"goreify/compilers/llvm/ll"
)

// errNotShown says that no candidate to begin with shows the failure.
var errNotShown = errors.New("no function of it alone shows the failure")

// batch is how many candidates are judged at a time, most how many in all, and mostSteps how
// many of their instructions are executed, which takes some ten seconds.
const (
	batch     = 40
	most      = 4000
	mostSteps = 20_000_000
)

// A reduction looks for the simplest candidate.
type reduction struct {
	judge
	m     *ll.Module
	seen  map[string]bool // candidates by their texts
	asked int
	steps int // instructions that were executed
}

// want returns what a candidate is to return, and whether it can be judged.
func (r *reduction) want(c Candidate) (ll.Result, bool) {
	for _, p := range c.F.Params {
		if p.Type.Kind != ll.Int && p.Type.Kind != ll.Vector && p.Type.Kind != ll.Ptr {
			return ll.Result{}, false
		}
	}
	if !c.F.Result.Integers() && r.answers() || c.F.Result.Integers() && c.F.Result.Scalar().Bits > 128 {
		return ll.Result{}, false
	}
	if r.steps > mostSteps {
		return ll.Result{}, false
	}
	got, err := r.m.Run(c.F, c.Args...)
	r.steps += got.Steps
	if !r.answers() {
		return got, true
	}
	return got, err == nil && got.Value.Defined()
}

// best returns the simplest of some candidates that shows the failure, in the order of their
// simplicity, or false.
func (r *reduction) best(ctx context.Context, list []Candidate) (Candidate, bool, error) {
	var ask []Candidate
	var want []ll.Value
	slices.SortStableFunc(list, func(a, b Candidate) int { return slices.Compare(a.weight(), b.weight()) })
	for n, c := range list {
		if text := c.text(); !r.seen[text] {
			r.seen[text] = true
			if result, ok := r.want(c); ok {
				ask, want = append(ask, c), append(want, result.Value)
			}
		}
		if len(ask) == 0 || len(ask) < batch && n < len(list)-1 {
			continue
		}
		r.asked += len(ask)
		holds, err := r.holds(ctx, r.m, ask, want)
		if err != nil {
			return c, false, err
		}
		if n := slices.Index(holds, true); n >= 0 {
			for _, c := range ask[n+1:] {
				delete(r.seen, c.text()) // they were not needed this time
			}
			return ask[n], true, nil
		}
		ask, want = nil, nil
	}
	return Candidate{}, false, nil
}

// shrink returns the simplest candidate that steps lead to.
func (r *reduction) shrink(ctx context.Context, c Candidate) (Candidate, error) {
	for r.asked < most {
		result, _ := r.want(c)
		edits := slices.DeleteFunc(c.edits(result), func(d Candidate) bool { return !d.less(c) })
		next, ok, err := r.best(ctx, edits)
		if !ok || err != nil {
			return c, err
		}
		c = next
	}
	return c, nil
}

// starts returns the candidates to begin with: the functions that a run of main calls, each
// with the arguments of its first call and, if parts is set, cut after each instruction.
func starts(m *ll.Module, calls map[string]*ll.Result, parts bool) (list []Candidate) {
	for _, f := range m.Funcs {
		r := calls[f.Name]
		if r == nil {
			continue
		}
		c := Candidate{F: f.Clone()}
		for _, v := range r.Args {
			a, ok := v.Constant()
			if !ok {
				break
			}
			c.Args = append(c.Args, a)
		}
		if len(c.Args) < len(f.Params) {
			continue
		}
		c.F.Name = "f"
		if !parts {
			list = append(list, c)
			continue
		}
		for _, d := range c.edits(*r) {
			if d.F.Result.Integers() {
				list = append(list, d)
			}
		}
		if c.F.Result.Integers() {
			list = append(list, c)
		}
	}
	return list
}
