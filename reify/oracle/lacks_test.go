package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// partial has the stand-ins of a family lack features, and reject programs with a word.
func partial(o *oracle.Oracle, family, word string, lacks ...string) {
	for _, t := range o.Targets {
		if t.ID().Family != family {
			continue
		}
		s := t.(*standIn)
		s.traits.Lacks, s.traits.Partial = lacks, true
		s.change = func(job compilers.Job, _ []string, right compilers.Outcome) compilers.Outcome {
			if strings.Contains(string(job.Files[0].Content), word) {
				right.Verdict, right.Message = compilers.Rejected, "what is that?"
			}
			return right
		}
	}
}

// A target is asked about those members that need nothing which it lacks.
func TestMembersThatATargetLacks(t *testing.T) {
	o, log := standIns(t)
	partial(o, "ax", "__int128", "int128")
	report, err := o.Check(t.Context(), group("a", "__int128", "b"), 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	assert.Empty(t, report.Suspicions)
	assert.Equal(t, 3, report.Asked)
	assert.Equal(t, []string{"ax-1 fast: a b", "ax-2 fast: a b", "bx-1 fast: a __int128 b"}, *log)

	*log = nil
	report, err = o.Check(t.Context(), group("__int128", "__int128~2"), 0)
	require.NoError(t, err)
	assert.Equal(t, 1, report.Asked)
	assert.Equal(t, []string{"bx-1 fast: __int128 __int128~2"}, *log, "nothing is left for the others")
}

// Nor are such targets witnesses: they would only say that they lack it.
func TestWitnessesThatLack(t *testing.T) {
	o, _ := standIns(t)
	partial(o, "ax", "__int128", "int128")
	garbles(o.Targets[2], "fast", "__int128")
	report, err := o.Check(t.Context(), group("a", "__int128"), 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Equal(t, "__int128", report.Finding.Subject.Name())
	for _, w := range report.Finding.Witnesses {
		assert.False(t, strings.HasPrefix(w.Who, "ax-1 ") || w.Who == "ax-2 slow", "%v", w)
	}
	list := o.Replay(t.Context(), entryOf(t, report.Finding))
	unclear := slices.DeleteFunc(list, func(r oracle.Replay) bool { return r.Status != oracle.Unclear })
	require.Len(t, unclear, 2)
	assert.Contains(t, unclear[0].Outcome.Message, "the program is for targets that have int128")
}

// What a target rejects that was asked what it lacks may be a feature that has no probe.
func TestRejectionsOfPartialTargets(t *testing.T) {
	o, _ := standIns(t)
	partial(o, "ax", "new", "int128")
	report, err := o.Check(t.Context(), group("a", "new"), 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	require.NotEmpty(t, report.Suspicions)
	assert.Contains(t, report.Suspicions[0].Doubt, "it may lack")

	for _, target := range o.Targets { // a compiler that lacks nothing has rejected it
		target.(*standIn).traits.Partial = false
	}
	report, err = o.Check(t.Context(), group("a", "new"), 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Equal(t, compilers.Rejected, report.Finding.Outcome.Verdict)
}

func entryOf(t *testing.T, f *oracle.Finding) *corpus.Entry {
	e, err := f.Entry()
	require.NoError(t, err)
	return e
}
