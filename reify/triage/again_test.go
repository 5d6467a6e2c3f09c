package triage

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/tools/need"
)

// ofIR is a compiler of C that is given LLVM IR instead.
type ofIR struct{ compilers.Target }

func (ofIR) Language() compilers.Language { return compilers.LLVM }

// The newest compiler that is no older than the entry's is asked, about the reduced test first.
func TestAgain(t *testing.T) {
	need.Long(t)
	o := fakes(t, map[string]string{"98.1.0": "", "99.1.0": "", "100.1.0": "", "102.1.0": "wrong="})
	e := entry(t, compilers.WrongAnswer)
	r, err := Finding(t.Context(), o, e, Options{})
	require.NoError(t, err)
	job, _, ok := reducedJob(r.Entry)
	require.True(t, ok)
	assert.Equal(t, r.Entry.Reduced, string(job.Files[0].Content))
	for _, tt := range []struct {
		to   []string
		want corpus.Life
	}{
		{[]string{"gcc-98", "gcc-99", "gcc-100"}, corpus.Life{Compiler: "gcc 100.1.0", State: corpus.StillFails}},
		{[]string{"gcc-100", "gcc-102"}, corpus.Life{Compiler: "gcc 102.1.0", State: corpus.Fixed}},
	} {
		l, err := Again(t.Context(), o, named(t, o, tt.to...), r.Entry)
		require.NoError(t, err)
		assert.Equal(t, tt.want, l)
	}
	for _, to := range [][]compilers.Target{named(t, o, "gcc-98"), {ofIR{named(t, o, "gcc-100")[0]}}} {
		_, err = Again(t.Context(), o, to, r.Entry)
		assert.ErrorIs(t, err, ErrNoHome, "an older one, or of another language")
	}

	// Its command is plainer now.
	e.Flags, e.Mode = []string{"-funroll-loops", "-march=x86-64-v3"}, "-O3"
	asked := 0
	for _, tt := range []struct {
		now, holds []string // verdicts with the flags, and what holds with fewer
		want       string
	}{
		{[]string{"wrong-answer at -O3"}, nil, ""},
		{[]string{"wrong-answer at -O1", "wrong-answer at -O3"}, nil, "also with -funroll-loops -march=x86-64-v3 -O1"},
		{[]string{"wrong-answer at -O3"}, []string{"-mavx2 -O3"}, "also with -mavx2 -O3"},
		{[]string{"crash at -O1", "wrong-answer at -O2", "wrong-answer at -O3"}, []string{" -O2"}, "also with -O2"},
	} {
		got, err := plainer(e, named(t, o, "gcc-100")[0], []string{"wrong-answer at -O3"}, tt.now, func(target compilers.Target, mode compilers.Mode) ([]string, error) {
			if asked++; slices.Contains(tt.holds, strings.Join(target.ID().Args, " ")+" "+mode) {
				return []string{"wrong-answer at " + mode}, nil
			}
			return nil, nil
		})
		require.NoError(t, err)
		assert.Equal(t, tt.want, got)
	}
	assert.Less(t, asked, 50)

	// The reduced test fails no more, the program that was found does.
	changed := *r.Entry
	changed.Reduced, changed.ReducedProgram = "int main(void) { return 0; }\n", ""
	l, err := Again(t.Context(), o, named(t, o, "gcc-100"), &changed)
	require.NoError(t, err)
	assert.Equal(t, corpus.ChangedForm, l.State)
	assert.Contains(t, l.Detail, "as it was found: wrong-answer at -O2")
}
