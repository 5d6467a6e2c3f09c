package llvm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/llvm/ll"
	"goreify/compilers/native"
)

// A Finding is a failure of clang on a program that checks its own answer, in a mode.
type Finding struct {
	Job     compilers.Job
	Verdict compilers.Verdict
	Others  []native.Toolchain // other versions of clang, with the same arguments
}

// ErrNoTest says that no test in IR was found, and why. It comes wrapped.
var ErrNoTest = errors.New("no test in LLVM IR")

// levels returns the arguments of llc that do what clang does with its arguments in a mode,
// besides what the IR says itself.
func selection(args []string, mode compilers.Mode) []string {
	level := mode
	if !slices.Contains([]string{"-O0", "-O1", "-O2", "-O3"}, mode) {
		level = "-O2"
	}
	list := []string{level}
	for n, arg := range args {
		switch {
		case arg == "-fglobal-isel":
			list = append(list, "-global-isel", "-global-isel-abort=2")
		case arg == "-mllvm" && n+1 < len(args):
			list = append(list, args[n+1])
		}
	}
	return list
}

// Find returns the smallest test of a failure. The error wraps ErrNoTest, or is of ctx.
func Find(ctx context.Context, t Tools, f Finding) (*Test, error) {
	test, err := t.find(ctx, f)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNoTest, err)
	}
	return test, nil
}

func (t Tools) find(ctx context.Context, f Finding) (*Test, error) {
	if passes := t.own.Passes(f.Job.Mode); f.Verdict == compilers.InternalError && passes != nil {
		if test, err := t.stopped(ctx, f, passes); test != nil || err != nil {
			return test, err
		}
	}
	text, _, err := t.IR(ctx, f.Job)
	if err != nil {
		return nil, err
	}
	m, calls, wrong, err := program(text)
	if err != nil {
		return nil, err
	}
	args := selection(t.Clang.Args, f.Job.Mode)
	if t.own.IsTool() {
		args = t.own.Selection(f.Job.Mode)
	}
	if t.own.Language() == compilers.LLVM { // whose functions say nothing of the processor
		args = append(args, t.own.Processor()...)
	}
	s := &search{Tools: t, Finding: f, m: m, calls: calls, args: args}
	switch {
	case f.Verdict == compilers.InternalError:
		return s.broken(ctx, text)
	case errors.Is(wrong, ll.ErrUnknown):
		return nil, wrong
	case wrong != nil:
		return s.middle(ctx)
	}
	return s.code(ctx)
}

// program reads a program that is to return 0, and executes it: calls are the first of each
// function, and wrong is why it does not return that.
func program(text string) (m *ll.Module, calls map[string]*ll.Result, wrong, err error) {
	if m, err = ll.Parse(text); err != nil {
		return nil, nil, nil, err
	}
	main, args := m.Main()
	if main == nil || main.Result.Kind != ll.Int {
		return nil, nil, nil, errors.New("the program has no main that returns an integer")
	}
	calls, wrong = m.Watch(main, args...)
	r := calls["main"]
	if r == nil {
		return nil, nil, nil, wrong
	}
	if wrong == nil && r.Value.String() != "0" {
		wrong = fmt.Errorf("the program returns %v", r.Value)
	}
	m.Steps = longer * r.Steps
	return m, calls, wrong, nil
}

// longer is how many times as long as the program a part of it may run.
const longer = 4

// A search is the way from a finding to its test.
type search struct {
	Tools
	Finding
	m     *ll.Module
	calls map[string]*ll.Result
	args  []string // of llc
	asked int
}

// code makes a test of a fault of code generation.
func (s *search) code(ctx context.Context) (*Test, error) {
	j, err := s.newCoder(ctx, s.llc(s.args...), s.Verdict)
	if err != nil {
		return nil, err
	}
	j.good[0] = s.llc(unoptimised(s.args)...)
	var c Candidate
	itself := j.bad // where no other way is right: package ll's answer is, if it is printed
	itself.told = true
	j.good = slices.Concat(j.good, s.versions(), []way{itself}) // a fault may show without optimising, too
	if c, err = s.reduce(ctx, j, starts(s.m, s.calls, true)); err != nil {
		return nil, err
	}
	c, err = s.plain(ctx, c, func(args []string) judge {
		plainer := *j
		plainer.bad = s.llc(args...)
		if c.passesVectors() && !slices.Equal(machines(args), machines(s.args)) {
			plainer.good = []way{s.llc(unoptimised(args)...)} // its caller agrees on where vectors are
			return &plainer
		}
		if n := len(j.good) - 1; j.good[n].told {
			told := plainer.bad
			told.told = true
			plainer.good = append(slices.Clone(j.good[:n]), told)
		}
		return &plainer
	})
	if err != nil {
		return nil, err
	}
	j.bad = s.llc(s.args...)
	return s.coded(ctx, j, c)
}

// broken makes a test of an internal error of code generation.
func (s *search) broken(ctx context.Context, text string) (*Test, error) {
	_, o := s.llc(s.args...).make(ctx, text, object)
	if o.Verdict != compilers.InternalError {
		return nil, fmt.Errorf("llc %s has no internal error: %v", strings.Join(s.args, " "), o)
	}
	make := func(args []string) judge { return &breaker{s.Tools, s.llc(args...), o.Crash} }
	c, err := s.reduce(ctx, make(s.args), starts(s.m, s.calls, false))
	if err != nil {
		return nil, err
	}
	if c, err = s.plain(ctx, c, make); err != nil {
		return nil, err
	}
	return s.crashed(ctx, c, o)
}

// reduce returns the simplest candidate that the judge takes.
func (s *search) reduce(ctx context.Context, j judge, start []Candidate) (Candidate, error) {
	r := &reduction{judge: j, m: s.m, seen: map[string]bool{}}
	c, ok, err := r.best(ctx, start)
	if err == nil && !ok {
		err = errNotShown
	}
	if err == nil {
		err = j.settle(ctx, s.m, c, r)
	}
	if err != nil {
		return c, err
	}
	c, err = r.shrink(ctx, c)
	s.asked += r.asked
	c.F.Rename()
	return c, err
}

// machine tells whether an argument of llc says which instructions there are. How vectors are
// passed depends on them.
func machine(arg string) bool {
	return strings.HasPrefix(arg, "-mcpu") || strings.HasPrefix(arg, "-mattr")
}

// machines returns those of some arguments of llc that say which instructions there are.
func machines(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(a string) bool { return !machine(a) })
}

// unoptimised returns arguments of llc that do not optimise, for the processor of others.
func unoptimised(args []string) []string { return append([]string{"-O0"}, machines(args)...) }

// passesVectors tells whether the function takes or returns vectors, so that its caller must be
// made for the same processor.
func (c Candidate) passesVectors() bool {
	return c.F.Result.Kind == ll.Vector || slices.ContainsFunc(c.F.Params, func(p ll.Param) bool { return p.Type.Kind == ll.Vector })
}

// plain leaves out arguments of llc, and puts others in place of what the function says of
// the processor, unless its caller relies on them.
func (s *search) plain(ctx context.Context, c Candidate, of func(args []string) judge) (Candidate, error) {
	var failed error
	holds := func(c Candidate, args []string) bool {
		r := &reduction{judge: of(args), m: s.m, seen: map[string]bool{}}
		_, ok, err := r.best(ctx, []Candidate{c})
		s.asked += r.asked
		failed = errors.Join(failed, err)
		return ok
	}
	called := of(s.args).answers() && c.passesVectors()
	for n := len(s.args) - 1; n >= 0; n-- {
		if less := slices.Delete(slices.Clone(s.args), n, n+1); holds(c, less) {
			s.args = less
		}
	}
	if less := slices.DeleteFunc(slices.Clone(s.args), func(a string) bool { return strings.HasPrefix(a, "-global-isel") }); len(less) < len(s.args) {
		if less = append(less, "-O0"); holds(c, less) { // which selects so
			s.args = less
		}
	}
	for n := range s.args {
		list, ok := strings.CutPrefix(s.args[n], "-mattr=")
		features := strings.Split(list, ",")
		with := func(features []string) []string {
			args := slices.Clone(s.args)
			args[n] = "-mattr=" + strings.Join(features, ",")
			return args
		}
		if !ok {
			continue
		}
		if alone := slices.IndexFunc(features, func(f string) bool { return holds(c, with([]string{f})) }); alone >= 0 {
			features = features[alone : alone+1]
		}
		for k := len(features) - 1; k >= 0 && len(features) > 1; k-- {
			if less := slices.Delete(slices.Clone(features), k, k+1); holds(c, with(less)) {
				features = less
			}
		}
		s.args = with(features)
	}
	for _, attr := range slices.Clone(c.F.Attrs) {
		name, value, ok := strings.Cut(attr, "=")
		if !ok || called && strings.HasPrefix(name, `"target-`) {
			continue
		}
		value = strings.Trim(value, `"`)
		bare := c.clone()
		bare.F.Attrs = slices.DeleteFunc(bare.F.Attrs, func(a string) bool { return a == attr })
		flags := []string{"-mcpu=" + value}
		if name != `"target-cpu"` {
			flags = nil
			for _, feature := range strings.Split(value, ",") {
				flags = append(flags, "-mattr="+feature)
			}
			flags = append(flags, "-mattr="+value)
		}
		for _, flag := range flags {
			if more := append(slices.Clone(s.args), flag); holds(bare, more) {
				c, s.args = bare, more
				break
			}
		}
	}
	return c, failed
}
