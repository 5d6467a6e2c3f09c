package pool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"

	"goreify/compilers"
	"goreify/reify/others/csource"
)

// MaxText is how many bytes a seed may have, preprocessed.
const MaxText = 1 << 20

// A Candidate is a program that is to become a seed.
type Candidate struct {
	Name string  // for people, and in errors
	Text []byte  // the original text
	Dirs []fs.FS // directory of its headers
	// Trusted says that the generator of the program avoids undefined behaviour, as
	// csmith does. Sanitizers are asked only when a variant of it fails.
	Trusted bool
	// Inputs are the arguments and standard input of each run; without Inputs, there is
	// one run with neither. See csource.Drive. A Trusted candidate has none.
	Inputs []csource.Input
}

// Reasons of refusals.
const (
	ReasonParse         = "parse"         // it does not parse, or needs a header or a function that is missing here
	ReasonLarge         = "large"         // it has more than MaxText bytes
	ReasonRejected      = "rejected"      // a compiler gives up on it
	ReasonStatus        = "status"        // its exit status is not 0
	ReasonSilent        = "silent"        // it prints nothing
	ReasonEndless       = "endless"       // it takes more than a second
	ReasonCrash         = "crash"         // a signal ends it
	ReasonOutput        = "output"        // its output does not end in a newline, or could not stand in a reproducer
	ReasonDiffers       = "differs"       // two runs, families, or data models give different outputs
	ReasonSanitizer     = "sanitizer"     // a sanitizer reports something
	ReasonUninitialised = "uninitialised" // its output depends on uninitialised memory
	ReasonCut           = "cut"           // it does not end by return or exit
)

// A Refusal says why a candidate is not admitted.
type Refusal struct {
	Sum, Name string
	Reason    string // one of the reasons
	Err       error  // names the file
}

// Error returns the reason and the message.
func (r *Refusal) Error() string { return r.Reason + ": " + r.Err.Error() }

// Unwrap returns the error behind the reason.
func (r *Refusal) Unwrap() error { return r.Err }

// A Judge admits seeds. It may be used concurrently.
type Judge struct {
	targets    []compilers.Target // one of each family and each meaning of a program; the first two are of two families
	sanitizers []compilers.Target // of two families, or none
	space      *compilers.Workspace
	limits     compilers.Limits
}

// NewJudge returns a judge with some targets of C in their reference modes, the newest
// of each family. The error says which family is missing: two are needed. Without
// sanitizers of two families only Trusted candidates are admitted.
func NewJudge(targets, sanitizers []compilers.Target, space *compilers.Workspace) (*Judge, error) {
	j := &Judge{space: space, limits: compilers.DefaultLimits().ForFunctions(60)}
	j.limits.RunWall *= 5 // a machine may be busy
	var families []string
	for _, t := range slices.Backward(targets) {
		t = compilers.Plain(t)
		if t.Language() != compilers.C || t.Traits().Emulated {
			continue
		}
		family := t.ID().Family
		if slices.ContainsFunc(j.targets, func(o compilers.Target) bool { return o.ID().Family == family && o.Traits().Alike(t.Traits()) }) {
			continue
		}
		at := len(j.targets)
		if !slices.Contains(families, family) && t.Traits().Pointer == 8 {
			at, families = len(families), append(families, family)
		}
		j.targets = slices.Insert(j.targets, at, t)
	}
	if len(families) < 2 {
		return nil, fmt.Errorf("gcc and clang must agree on the output of a program, and only %v are here", families)
	}
	families = nil
	for _, t := range sanitizers {
		if t.Language() == compilers.C && !slices.Contains(families, t.ID().Family) {
			families = append(families, t.ID().Family)
			j.sanitizers = append(j.sanitizers, t)
		}
	}
	if len(families) < 2 {
		j.sanitizers = nil
	}
	return j, nil
}

// prints finds calls that print; ends is added to a program without such calls, and
// says that the program came to its end.
var (
	prints = regexp.MustCompile(`\b(__builtin_)?(printf|puts|putchar|putc|fputs|fputc|fwrite|fprintf)(_unlocked)?\b`)
	ends   = []byte(`__attribute__((destructor)) static void __reify_ends(void) { __builtin_printf("%s\n", "ended"); }` + "\n")
)

// Prepare preprocesses a candidate and returns its text as a seed has it. A program
// that is not Trusted may be old C, and gets the declarations that it lacks. A program
// that prints nothing and aborts if something is wrong, as tests of compilers do,
// prints a line at its end. The error is a *Refusal.
func Prepare(c Candidate) ([]byte, error) {
	text, err := csource.Preprocess(c.Name, c.Text, csource.LP64, c.Dirs...)
	if err == nil && !c.Trusted {
		text, err = declared(c, text)
	}
	switch {
	case err != nil:
		return nil, &Refusal{c.sum(), c.Name, ReasonParse, err}
	case len(text) > MaxText:
		return nil, &Refusal{c.sum(), c.Name, ReasonLarge, fmt.Errorf("%s: %d bytes after preprocessing, and %d are the most", c.Name, len(text), MaxText)}
	case !keepable(text):
		return nil, &Refusal{c.sum(), c.Name, ReasonParse, fmt.Errorf("%s: a line starts with two dashes", c.Name)}
	}
	if !prints.Match(text) {
		text = append(text, ends...)
	}
	return text, nil
}

// sum returns the sum of a candidate with its inputs: a refusal of the inputs is not
// one of the text alone.
func (c Candidate) sum() string {
	if len(c.Inputs) == 0 {
		return Sum(c.Text)
	}
	return Sum(fmt.Appendf(slices.Clone(c.Text), "%q", c.Inputs))
}

// declared returns a text with the declarations that old C leaves out, and with its
// inputs.
func declared(c Candidate, text []byte) ([]byte, error) {
	if err := csource.Try(c.Name, text, csource.LP64); err != nil {
		return nil, err
	}
	p, err := csource.Parse(c.Name, text, csource.LP64)
	if err != nil {
		return nil, err
	}
	if text = p.Declared(); len(c.Inputs) == 0 {
		return text, nil
	}
	if p, err = csource.Parse(c.Name, text, csource.LP64); err != nil {
		return nil, err
	}
	return p.Drive(c.Inputs)
}

// keepable tells whether a reproducer can hold a text.
func keepable(text []byte) bool {
	return bytes.HasSuffix(text, []byte("\n")) && !bytes.HasPrefix(text, []byte("-- ")) && !bytes.Contains(text, []byte("\n-- "))
}

// Admit returns the seed that a candidate becomes. The error is a *Refusal, that of
// ctx, or says what kept the machine from answering.
func (j *Judge) Admit(ctx context.Context, c Candidate) (*Seed, error) {
	text, err := Prepare(c)
	if err != nil {
		return nil, err
	}
	s := &Seed{Sum: Sum(text), Name: c.Name, Text: text}
	refuse := func(reason string, err error) (*Seed, error) {
		var lacks *lacking
		if errors.As(err, &lacks) { // it says nothing about the candidate
			return nil, lacks.err
		}
		return nil, &Refusal{s.Sum, c.Name, reason, fmt.Errorf("%s: %w", c.Name, err)}
	}
	p, err := csource.Parse(c.Name, text, csource.LP64)
	if err != nil {
		return nil, &Refusal{s.Sum, c.Name, ReasonParse, err}
	}
	a := admission{j, s, len(c.Inputs)}
	if !c.Trusted && j.sanitizers == nil {
		return nil, errors.New("sanitizers of gcc and of clang are needed for programs that csmith did not make")
	}
	for _, t := range j.targets {
		if reason, err := a.agree(ctx, t); err != nil {
			return refuse(reason, err)
		}
	}
	if !c.Trusted {
		if reason, err := a.clean(ctx); err != nil {
			return refuse(reason, err)
		}
	}
	counters := p.Counters()
	for i := range s.hits {
		if s.hits[i], err = a.instrumented(ctx, j.targets[i], counters); err != nil {
			return refuse(ReasonCut, err)
		}
	}
	hits, err := s.counts(p)
	if err != nil {
		return refuse(ReasonCut, err)
	}
	values := p.Values(points(p, hits))
	s.made = instruments(counters, values)
	for i := range s.rows {
		if s.rows[i], err = a.instrumented(ctx, j.targets[i], values); err != nil {
			return refuse(ReasonCut, err)
		}
	}
	if _, err := s.Profile(); err != nil {
		return refuse(ReasonCut, err)
	}
	return s, nil
}

// A lacking is the error of a question that the machine kept from being answered.
type lacking struct{ err error }

func (l *lacking) Error() string { return l.err.Error() }

// An admission is the examination of one candidate.
type admission struct {
	*Judge
	seed   *Seed
	inputs int
}

// agree runs the candidate twice, as a target builds it in its reference mode. The
// answer is that of the first target.
func (a admission) agree(ctx context.Context, t compilers.Target) (reason string, err error) {
	job := compilers.Job{Files: compilers.Single(a.seed.Text), Mode: t.Reference()}
	built, o := t.Build(ctx, a.space, job, a.limits)
	if built.Path == "" {
		return a.reason(ctx, t, o, ReasonRejected)
	}
	defer built.Remove()
	for range 2 {
		o := t.Run(ctx, built, nil, a.seed.Want, a.limits)
		if a.seed.Want == nil && o.Verdict == compilers.WrongAnswer && len(o.Stdout) > 0 {
			a.seed.Want = o.Stdout // the next runs find out whether it does, and its exit status
			o = t.Run(ctx, built, nil, a.seed.Want, a.limits)
		}
		switch {
		case o.Verdict == compilers.OK && len(a.seed.Want) == 0:
			return ReasonSilent, errors.New("it prints nothing")
		case o.Verdict == compilers.WrongAnswer && !bytes.Equal(o.Stdout, a.seed.Want):
			return a.reason(ctx, t, o, ReasonDiffers)
		case o.Verdict != compilers.OK:
			return a.reason(ctx, t, o, ReasonStatus)
		case !keepable(a.seed.Want):
			return ReasonOutput, errors.New("what it prints does not end in a newline, or has a line that starts with two dashes")
		}
	}
	return "", nil
}

// reason returns why an outcome refuses the candidate; usual is the reason for a wrong
// answer, or for a compiler that rejects it.
func (a admission) reason(ctx context.Context, t compilers.Target, o compilers.Outcome, usual string) (string, error) {
	err := fmt.Errorf("%s: %v", compilers.Name(t, t.Reference()), o)
	switch {
	case ctx.Err() != nil:
		return "", &lacking{context.Cause(ctx)}
	case o.Verdict == compilers.Discarded:
		return "", &lacking{err}
	case o.Verdict == compilers.Endless:
		return ReasonEndless, err
	case o.Verdict == compilers.Crash:
		return ReasonCrash, err
	case o.Report:
		return ReasonSanitizer, err
	}
	return usual, err
}

// clean asks the sanitizers, which see undefined behaviour.
func (a admission) clean(ctx context.Context) (reason string, err error) {
	job := compilers.Job{Files: compilers.Single(a.seed.Text), Want: a.seed.Want}
	for _, t := range a.sanitizers {
		job.Mode = t.Reference()
		if o := compilers.Test(ctx, t, a.space, job, a.limits.ForSanitizers()); o.Verdict != compilers.OK {
			return a.reason(ctx, t, o, ReasonSanitizer)
		}
	}
	for _, t := range a.targets {
		l, ok := t.(compilers.Lenient)
		if !ok {
			continue
		}
		for _, arg := range l.Filled() {
			t := l.With(arg)
			job.Mode = t.Reference()
			o := compilers.Test(ctx, t, a.space, job, a.limits)
			if o.Verdict != compilers.OK && o.Verdict != compilers.Rejected { // by a version that does not know the argument
				return a.reason(ctx, t, o, ReasonUninitialised)
			}
		}
	}
	return "", nil
}

// mostPrinted is the largest output of an instrumented program in bytes, and slowed the
// factor by which it may take longer.
const (
	mostPrinted = 16 << 20
	slowed      = 5
)

// instrumented returns the additional output of an instrumented copy of the candidate,
// input by input.
func (a admission) instrumented(ctx context.Context, t compilers.Target, text []byte) ([]byte, error) {
	limits := a.limits
	limits.Output, limits.RunCPU, limits.RunWall = mostPrinted, slowed*limits.RunCPU, slowed*limits.RunWall
	built, o := t.Build(ctx, a.space, compilers.Job{Files: compilers.Single(text), Mode: t.Reference()}, limits)
	if built.Path == "" {
		_, err := a.reason(ctx, t, o, ReasonCut)
		return nil, err
	}
	defer built.Remove()
	var printed []byte
	for i := range max(1, a.inputs) {
		var args []string
		if a.inputs > 1 {
			args = []string{strconv.Itoa(i)}
		}
		o := t.Run(ctx, built, args, nil, limits)
		if o.Verdict != compilers.WrongAnswer { // the output has an unwanted part: there is no answer
			_, err := a.reason(ctx, t, o, ReasonCut)
			return nil, err
		}
		printed = append(printed, o.Stdout...)
	}
	return printed, nil
}
