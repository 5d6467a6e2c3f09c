// Package bisect says which pass of a compiler is to blame for a failure.
//
//	test := bisect.NewTest(toolchain, workspace, job, limits, first)
//	blame, err := bisect.Find(ctx, test)
//	fmt.Println(blame.Pass, blame.Function, blame.Flags)
//
// clang is asked to stop optimising after so many passes (-opt-bisect-limit):
// the first limit at which the program fails names the pass and the function.
// gcc is asked to leave out flags, and then passes: of the passes without which
// the program is right the last one is to blame, for what comes before it only
// prepares the ground, and what comes after cannot mend what is wrong already.
//
// Both ends of every search are looked at: a failure that no limit, flag or pass
// has a say in is reported as such and blames nobody.
package bisect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"goreify/compilers"
)

// A Blame is what is known of the cause of a failure.
type Blame struct {
	// Pass is the culprit: for gcc the name of its dump, such as "tree-vrp2" or
	// "rtl-combine"; for clang that of its log, such as "InstCombinePass". It is
	// empty if no pass could be named.
	Pass string
	// Function is the one that the pass went wrong on, "[module]" if the pass
	// works on all, or empty if that is not known.
	Function string
	// Flags is the smallest set of flags found that, added to the command,
	// makes the program right: none can be left out. They are sorted.
	Flags []string
	// Wrapv and NoStrictAliasing tell whether -fwrapv or -fno-strict-aliasing
	// alone makes the program right: the compiler drew a conclusion from what
	// would be undefined, or from types.
	Wrapv, NoStrictAliasing bool

	Tests int           // compilations made
	CPU   time.Duration // that they and the programs took
}

// String returns the culprit and the flags in a line.
func (b *Blame) String() string {
	pass := b.Pass
	if pass == "" {
		pass = "unknown pass"
	}
	if b.Function != "" {
		pass += " on " + b.Function
	}
	if len(b.Flags) > 0 {
		pass += ", mended by " + strings.Join(b.Flags, " ")
	}
	return pass
}

// What Find fails with. They come wrapped.
var (
	// ErrGone means that the program did not fail when it was run first, so that
	// nothing can be said about why.
	ErrGone = errors.New("the failure does not show any more")
	// ErrNobody means that no limit, flag or pass makes the program right.
	ErrNobody = errors.New("nothing that can be switched off is to blame")
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
	tc     compilers.Toolchain
	ws     *compilers.Workspace
	job    compilers.Job
	limits compilers.Limits
	first  compilers.Outcome
	tests  int
	cpu    time.Duration
}

// NewTest returns the test for a job that fails with the given outcome, which is
// a finding. The toolchain's commands are those that users type.
func NewTest(tc compilers.Toolchain, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits, first compilers.Outcome) *Test {
	return &Test{tc: tc.Plain(), ws: ws, job: job, limits: limits, first: first}
}

// outcome compiles and runs the job with further arguments.
func (t *Test) outcome(ctx context.Context, args ...string) compilers.Outcome {
	job := t.job
	job.Extra = append(append([]string(nil), job.Extra...), args...)
	o := t.tc.Test(ctx, t.ws, job, t.limits)
	t.tests++
	t.cpu += o.CompileCPU + o.LinkCPU + o.RunCPU
	return o
}

// ask says what the job does with further arguments. A question that the machine
// is to blame for the answer to is asked once more.
func (t *Test) ask(ctx context.Context, args ...string) answer {
	for range 2 {
		switch o := t.outcome(ctx, args...); {
		case o.Verdict == compilers.OK:
			return right
		case o.Verdict == compilers.Discarded:
			continue
		case o.Same(t.first):
			return fails
		default:
			return other
		}
	}
	return other
}

// log returns what the compiler prints on standard error with further arguments,
// while it fails as at first or not at all.
func (t *Test) log(ctx context.Context, args ...string) (string, error) {
	job := t.job
	job.Extra = append(append([]string(nil), job.Extra...), args...)
	binary, o := t.tc.Build(ctx, t.ws, job, t.limits)
	t.tests++
	t.cpu += o.CompileCPU + o.LinkCPU
	if binary != "" {
		if err := t.ws.Remove(binary); err != nil {
			return "", err
		}
	}
	if len(o.Stderr) >= t.limits.Output && t.limits.Output > 0 {
		return "", fmt.Errorf("%v %s: more than %d bytes of log", t.tc, strings.Join(args, " "), t.limits.Output)
	}
	return string(o.Stderr), nil
}

// Find says which pass is to blame. With an error that wraps ErrNobody the Blame
// still tells what has been tried; with ErrGone it is nil.
func Find(ctx context.Context, t *Test) (*Blame, error) {
	if t.ask(ctx) != fails {
		return nil, fmt.Errorf("%v %s: %w", t.tc, t.job.Level, ErrGone)
	}
	b := new(Blame)
	var err error
	switch t.tc.Family {
	case compilers.GCC:
		err = t.gcc(ctx, b)
	case compilers.Clang:
		err = t.clang(ctx, b)
	default:
		err = fmt.Errorf("%v: passes of family %q cannot be told: %w", t.tc, t.tc.Family, ErrNobody)
	}
	b.Wrapv = t.ask(ctx, "-fwrapv") == right
	b.NoStrictAliasing = t.ask(ctx, "-fno-strict-aliasing") == right
	b.Tests, b.CPU = t.tests, t.cpu
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return b, err
}
