package llvm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/llvm/ll"
)

// A shaper judges passes of the middle end: what they have made of a candidate is executed.
type shaper struct {
	Tools
	passes []string
	triple string
}

func (s *shaper) answers() bool { return true }

func (s *shaper) settle(context.Context, *ll.Module, Candidate, *reduction) error { return nil }

// arguments returns those of opt.
func (s *shaper) arguments() []string {
	return []string{"-mtriple=" + s.triple, "-passes=" + strings.Join(s.passes, ","), "-S"}
}

// holds tells which candidates do not mean the same any more.
func (s *shaper) holds(ctx context.Context, m *ll.Module, list []Candidate, want []ll.Value) ([]bool, error) {
	holds := make([]bool, len(list))
	var functions []*ll.Func
	for n, c := range list {
		own := c.F.Clone()
		own.Rename() // no name is a number that opt gives
		own.Name, own.Internal = fmt.Sprintf("f%d", n), false
		functions = append(functions, own)
	}
	part := needed(m, functions...)
	part.Funcs = append(part.Funcs, functions...)
	text, o := s.Call(ctx, "opt", part.String(), s.arguments()...)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case o.Verdict != compilers.OK && len(list) > 1:
		half := len(list) / 2
		a, err := s.holds(ctx, m, list[:half], want[:half])
		if err != nil {
			return nil, err
		}
		b, err := s.holds(ctx, m, list[half:], want[half:])
		return append(a, b...), err
	case o.Verdict != compilers.OK:
		return holds, nil
	}
	after, err := ll.Parse(string(text))
	if err != nil {
		return holds, nil
	}
	after.Steps = longer * m.Steps
	for n, f := range functions {
		holds[n] = deviation(after, after.Func(f.Name), list[n].Args, want[n]) != ""
	}
	return holds, nil
}

// deviation returns how a call differs from what it is to return, or nothing. Lanes of that
// that are poison may become anything.
func deviation(m *ll.Module, f *ll.Func, args []ll.Operand, want ll.Value) string {
	r, err := m.Run(f, args...)
	switch {
	case errors.Is(err, ll.ErrUnknown):
		return ""
	case errors.Is(err, ll.ErrEndless):
		return "no end"
	case err != nil:
		return "undefined"
	}
	for n, l := range want.Lanes {
		if !l.Poison && (r.Value.Lanes[n].Poison || r.Value.Lanes[n].N.Cmp(l.N) != 0) {
			return r.Value.String()
		}
	}
	return ""
}

var (
	bisected    = regexp.MustCompile(`(?m)^BISECT: running pass \(\d+\) (\S+) on (?:.* in function )?(\S+)$`)
	mostBefore  = 8 // passes before the one that shows the fault, of which one may be at fault
	bisectLimit = "-opt-bisect-limit="
)

// limited returns the program after so many passes, and what is wrong with it.
func (s *search) limited(ctx context.Context, n int) (*ll.Module, map[string]*ll.Result, error, error) {
	text, _, err := s.IR(ctx, s.Job, fmt.Sprint(bisectLimit, n))
	if err != nil {
		return nil, nil, nil, err
	}
	return program(text)
}

// middle makes a test of a fault of the middle end: the IR before the first pass after
// which the program is wrong, or before one of those before.
func (s *search) middle(ctx context.Context) (*Test, error) {
	_, log, err := s.IR(ctx, s.Job, bisectLimit+"-1")
	if err != nil {
		return nil, err
	}
	steps := bisected.FindAllStringSubmatch(log, -1)
	lo, hi := 0, len(steps)
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		_, _, wrong, err := s.limited(ctx, mid)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			return nil, err
		case wrong == nil || errors.Is(wrong, ll.ErrUnknown):
			lo = mid
		default:
			hi = mid
		}
	}
	if hi == 0 {
		return nil, errors.New("there are no passes in the log of " + bisectLimit)
	}
	last := steps[hi-1]
	var passes []string
	for n := hi - 1; n >= 0 && len(passes) <= mostBefore; n-- {
		if steps[n][2] != last[2] {
			continue
		}
		passes = append([]string{steps[n][1]}, passes...)
		m, calls, wrong, err := s.limited(ctx, n)
		if err != nil {
			return nil, err
		}
		if wrong != nil && !errors.Is(wrong, ll.ErrUnknown) {
			return nil, fmt.Errorf("the program is wrong before %s, and not after it", steps[n][1])
		}
		s.m, s.calls = m, calls
		j := &shaper{s.Tools, passes, s.triple()}
		c, err := s.reduce(ctx, j, starts(m, calls, false))
		if errors.Is(err, errNotShown) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return s.shaped(ctx, j, c)
	}
	return nil, fmt.Errorf("%s shows the fault, and does not with IR that is read anew, nor do %d passes before it", last[1], len(passes)-1)
}

// shaped returns the test of a candidate that passes make wrong.
func (s *search) shaped(ctx context.Context, j *shaper, c Candidate) (*Test, error) {
	r, err := s.m.Run(c.F, c.Args...)
	if err != nil {
		return nil, err
	}
	list, want := []Candidate{c}, []ll.Value{r.Value}
	for n := len(j.passes) - 1; n >= 0 && len(j.passes) > 1; n-- {
		fewer := *j
		fewer.passes = slices.Delete(slices.Clone(j.passes), n, n+1)
		holds, err := fewer.holds(ctx, s.m, list, want)
		if err != nil {
			return nil, err
		}
		if holds[0] {
			*j = fewer
		}
	}
	t := s.newTest(c)
	t.Tool, t.Args, t.Call, t.Want = "opt", j.arguments(), c.call(), r.Value.String()
	text, _ := j.Call(ctx, t.Tool, t.IR, t.Args...)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	after, err := ll.Parse(string(text))
	if err != nil {
		return nil, err
	}
	if t.Got = deviation(after, after.Func(c.F.Name), c.Args, r.Value); t.Got == "" {
		return nil, fmt.Errorf("%s is wrong in a module with a layout only", t.Call)
	}
	if never := "unreachable"; strings.Contains(string(text), never) && !strings.Contains(t.IR, never) {
		t.Diff, t.DiffTo = []string{"+ " + never}, "the input"
	}
	for _, o := range s.others() {
		args := slices.Concat(t.Args, o.asks)
		text, said := o.Call(ctx, t.Tool, o.reads(t.IR), args...)
		after, err := ll.Parse(string(text))
		switch {
		case said.Verdict != compilers.OK || err != nil: // it does not read this
		case deviation(after, after.Func(c.F.Name), c.Args, r.Value) == "":
			t.Good = append(t.Good, o.name(t.Tool, o.asks))
		default:
			t.Bad = append(t.Bad, o.name(t.Tool, o.asks))
		}
	}
	return t, context.Cause(ctx)
}

// stopped makes a test of an internal error of opt with some arguments; nothing if it has none.
func (t Tools) stopped(ctx context.Context, f Finding, args []string) (*Test, error) {
	plain := f.Job
	plain.Mode = t.own.Reference()
	text, _, err := t.IR(ctx, plain)
	if err != nil {
		return nil, err
	}
	by := func(args []string) way {
		return way{make: func(ctx context.Context, ir, _ string) ([]byte, compilers.Outcome) {
			return t.Call(ctx, "opt", ir, args...)
		}}
	}
	_, o := by(args).make(ctx, text, object)
	if o.Verdict != compilers.InternalError {
		return nil, nil
	}
	m, calls, wrong, err := program(text)
	if err = cmp.Or(err, wrong); err != nil {
		return nil, err
	}
	s := &search{Tools: t, Finding: f, m: m, calls: calls}
	c, err := s.reduce(ctx, &breaker{t, by(args), o.Crash}, starts(m, calls, false))
	if err != nil {
		return nil, err
	}
	test := s.newTest(c)
	test.Tool, test.Args, test.Message = "opt", slices.Concat(args, []string{"-S"}), o.Message
	pipeline := args[len(args)-1]                                                                          // by Passes
	bare := strings.NewReplacer("function(", "", "loop(", "", "loop-mssa(", "", ")", "").Replace(pipeline) // opt knows where a pass works
	for _, simpler := range []string{bare, pipeline} {
		fewer := []string{"-mtriple=" + s.triple(), simpler, "-S"}
		if _, same := by(fewer).make(ctx, test.IR, object); same.Verdict == o.Verdict && same.Crash == o.Crash {
			test.Args = fewer
			break
		}
	}
	return test, nil
}
