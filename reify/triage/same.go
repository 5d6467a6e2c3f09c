package triage

import (
	"context"
	"errors"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// A Named is a finding, by the name of its file.
type Named struct {
	Name  string
	Entry *corpus.Entry
}

// join puts an entry of which no other version was asked into the bucket of its fault, if findings
// name one alone: these tell since when it fails.
func join(e *corpus.Entry, findings []Named) {
	other := func(c corpus.Configuration) bool { return c.Family == e.Family && c.Version != e.Version }
	if !strings.HasPrefix(e.Culprit, bisect.CodeGeneration) || slices.ContainsFunc(slices.Concat(e.ReducedBad, e.ReducedGood), other) {
		return
	}
	var buckets []string
	for _, f := range findings {
		if stem, _, _ := strings.Cut(f.Entry.Bucket, sinceMark); stem == e.Bucket && !slices.Contains(buckets, f.Entry.Bucket) {
			buckets = append(buckets, f.Entry.Bucket)
		}
	}
	if len(buckets) == 1 {
		e.Bucket = buckets[0]
	}
}

// mostSame bounds the compilations of Same.
const mostSame = 20

// Same returns the names of those findings of other buckets that may be the same bug as an entry: the
// culprit is the same, all compilers that were asked about both reduced tests, some of them
// right, answer both alike, and each test fails by the command of the other. It compiles 20 times at
// most, so it may miss some. The error wraps compilers.ErrMachine, or is of ctx.
func Same(ctx context.Context, o *oracle.Oracle, e *corpus.Entry, findings []Named) (names []string, err error) {
	left := mostSame
	for _, other := range findings {
		if !mayBeSame(e, other.Entry) {
			continue
		}
		ok, err := allHold(
			func() (bool, error) { return failsBy(ctx, o, other.Entry, e, &left) },
			func() (bool, error) { return failsBy(ctx, o, e, other.Entry, &left) },
		)
		if err != nil {
			return nil, err
		}
		if ok {
			names = append(names, other.Name)
		}
	}
	return names, nil
}

// mayBeSame tells whether nothing that is known speaks against it.
func mayBeSame(a, b *corpus.Entry) bool {
	if a.Bucket == b.Bucket || a.Family != b.Family || a.Language != b.Language || !sameVerdict(a.Verdict, b.Verdict) ||
		a.Culprit != b.Culprit || a.Culprit == "" || a.Note(corpus.NoteRule) != b.Note(corpus.NoteRule) || a.Note(corpus.NoteMends) != b.Note(corpus.NoteMends) {
		return false
	}
	seen := map[bool]bool{}
	others := answers(b)
	for asked, fails := range answers(a) {
		if other, ok := others[asked]; ok && fails != other {
			return false
		} else if ok {
			seen[fails] = true
		}
	}
	return seen[true] && seen[false]
}

// sameVerdict tells whether two verdicts may be of one bug, which is none in the compiler itself:
// those have messages.
func sameVerdict(a, b string) bool {
	return slices.Contains(wrongCode, a) && slices.Contains(wrongCode, b)
}

// asked is what a compiler was asked with.
type asked struct{ family, version, args, mode string }

// answers returns whether the reduced test of an entry fails, by what was asked.
func answers(e *corpus.Entry) map[asked]bool {
	known := map[asked]bool{}
	for fails, list := range map[bool][]corpus.Configuration{true: e.ReducedBad, false: e.ReducedGood} {
		for _, c := range list {
			for _, mode := range c.Modes {
				known[asked{c.Family, c.Version, strings.Join(c.Args, " "), mode}] = fails
			}
		}
	}
	return known
}

// failsBy tells whether the reduced test of an entry fails with the compiler, the flags and in the mode
// of another one. A question that was asked before is not asked again, nor one if there are none left.
func failsBy(ctx context.Context, o *oracle.Oracle, test, by *corpus.Entry, left *int) (bool, error) {
	if fails, ok := answers(test)[asked{by.Family, by.Version, strings.Join(by.Flags, " "), by.Mode}]; ok {
		return fails, nil
	}
	job, _, ok := reducedJob(test)
	t, err := Target(ctx, o, by)
	switch {
	case errors.Is(err, ErrNoCompiler):
		return false, nil
	case err != nil || !ok || *left < 2:
		return false, err
	}
	job.Mode = by.Mode
	*left -= 2 // a failure of the machine is asked about again
	ask := func() compilers.Outcome { return compilers.Test(ctx, t, o.Space, job, o.Limits) }
	out, err := compilers.Answer(ctx, ask, ask)
	return err == nil && slices.Contains(wrongCode, out.Verdict.String()), err // a test may abort, too
}
