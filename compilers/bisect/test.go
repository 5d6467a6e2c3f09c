package bisect

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
)

// An answer is what came of one question.
type answer int

const (
	other answer = iota // neither: the switches broke something else
	fails               // as it did at first
	right
)

// A Test asks a toolchain about one job with further arguments.
type Test struct {
	// CPU is the time that the search may take. Confirming what it has found
	// takes a second or two more where a program does not end.
	CPU time.Duration
	// Rules says to make a compiler of its source whose rules can be left out, where the
	// compiler can be had so. It takes a minute or two more, once for each version.
	Rules bool
	// Host, if not nil, is a compiler of the same family for this machine's processor. It runs what a
	// compiler for another one, which is wrong without optimising, too, has made of the program.
	Host compilers.Target

	tc     compilers.Target // as users call it
	quick  compilers.Target // links directly, if that can be had
	ws     *compilers.Workspace
	job    compilers.Job
	limits compilers.Limits
	short  compilers.Limits // of the search
	first  compilers.Outcome

	said     map[string]answer  // what the search was told, by the arguments
	listings map[string]listing // what dumps told, by the arguments
	tests    int
	cpu      time.Duration
	cut      bool  // a question was not asked for want of CPU time
	err      error // why a question got no answer; nothing is asked after that
}

// DefaultCPU suits a hunt, where findings wait for each other.
const DefaultCPU = 12 * time.Second

// NewTest returns the test for a job that fails with the given outcome, which is a
// finding, and DefaultCPU. Results are confirmed with the commands that users type and
// within the limits given; the search between makes do with less.
func NewTest(tc compilers.Target, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits, first compilers.Outcome) *Test {
	return &Test{
		CPU: DefaultCPU,
		tc:  compilers.Plain(tc), quick: tc, ws: ws, job: job, limits: limits, short: limits, first: first,
		said: map[string]answer{}, listings: map[string]listing{},
	}
}

// The least that the search allows a program and a compilation. A right program
// runs for a millisecond, and CPU time is counted by the hundredth of a second.
const (
	leastRun     = 30 * time.Millisecond
	leastCompile = 500 * time.Millisecond
)

// hurry makes the questions of the search cheap: it links directly, and stops
// what takes much longer than the program takes without optimising, where it is right. An
// endless program costs its limit at each question. If the failure does not show
// that way, the search asks as everybody does.
func (t *Test) hurry(ctx context.Context) {
	if l, ok := t.tc.(compilers.Linker); ok && !compilers.Direct(t.quick) {
		if direct, err := l.LinkDirectly(ctx, t.ws, t.limits); err == nil {
			t.quick = direct
		}
	}
	job := t.job
	job.Mode = t.tc.Reference()
	if o := t.test(ctx, t.quick, job, t.limits); o.Verdict == compilers.OK {
		t.short.RunCPU = lower(t.limits.RunCPU, max(leastRun, 20*o.RunCPU))
		t.short.CompileCPU = lower(t.limits.CompileCPU, max(leastCompile, 20*o.CompileCPU))
	}
	if t.ask(ctx) != fails {
		t.quick, t.short = t.tc, t.limits
		clear(t.said)
	}
}

// lower returns the lower of a limit, which may be 0 for none, and another.
func lower(limit, than time.Duration) time.Duration {
	if limit <= 0 {
		return than
	}
	return min(limit, than)
}

func (t *Test) test(ctx context.Context, tc compilers.Target, job compilers.Job, limits compilers.Limits) compilers.Outcome {
	o := compilers.TestFor(ctx, t.first.Verdict, tc, t.ws, job, limits)
	t.tests++
	t.cpu += o.CompileCPU + o.LinkCPU + o.RunCPU
	return o
}

// with returns the job with further arguments.
func (t *Test) with(args []string) compilers.Job {
	job := t.job
	job.Extra = slices.Concat(job.Extra, args)
	return job
}

// ask says what the job does with further arguments, as fast as that can be told,
// or other if there is no time left.
func (t *Test) ask(ctx context.Context, args ...string) answer {
	key := strings.Join(args, "\x00")
	if a, ok := t.said[key]; ok {
		return a
	}
	if t.over() {
		return other
	}
	a := t.answer(ctx, t.quick, t.with(args), t.short)
	t.said[key] = a
	return a
}

// over tells whether there is no time left for a question that is to be asked.
func (t *Test) over() bool {
	t.cut = t.cut || t.cpu >= t.CPU
	return t.cpu >= t.CPU
}

// confirm says the same by the commands that users type.
func (t *Test) confirm(ctx context.Context, args ...string) answer {
	return t.answer(ctx, t.tc, t.with(args), t.limits)
}

// answer returns other, and notes the error, if the machine keeps the compiler from
// answering. The search has come to nothing then, see Find.
func (t *Test) answer(ctx context.Context, tc compilers.Target, job compilers.Job, limits compilers.Limits) answer {
	o := t.sure(ctx, func() compilers.Outcome { return t.test(ctx, tc, job, limits) })
	switch {
	case t.err != nil || o.Verdict == compilers.Discarded:
		return other
	case o.Verdict == compilers.OK:
		return right
	case o.Same(t.first):
		return fails
	}
	return other
}

// sure asks a question by compilers.Answer. The control is the job as it is.
func (t *Test) sure(ctx context.Context, ask func() compilers.Outcome) (o compilers.Outcome) {
	if t.err == nil {
		o, t.err = compilers.Answer(ctx, ask, func() compilers.Outcome { return t.test(ctx, t.tc, t.job, t.limits) })
	}
	return o
}

// log returns what the compiler prints on standard error with further arguments,
// while it fails as at first or not at all.
func (t *Test) log(ctx context.Context, args ...string) (string, error) {
	// Passes and counters are listed once for each translation unit.
	o := t.sure(ctx, func() compilers.Outcome {
		built, o := t.tc.Build(ctx, t.ws, t.with(args), t.limits)
		t.tests++
		t.cpu += o.CompileCPU + o.LinkCPU
		built.Remove()
		return o
	})
	if t.err != nil {
		return "", t.err
	}
	if len(o.Stderr) >= t.limits.Output && t.limits.Output > 0 {
		return "", fmt.Errorf("%v %s: more than %d bytes of log", t.tc.ID(), strings.Join(args, " "), t.limits.Output)
	}
	return string(o.Stderr), nil
}
