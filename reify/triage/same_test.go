package triage

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/tools/need"
)

// Two tests of one fault fail by each other's command, and all compilers answer them alike.
func TestSame(t *testing.T) {
	need.Long(t)
	o := fakes(t, map[string]string{"98.1.0": "wrong=", "99.1.0": `case $args in *-funswitch-loops*) wrong= ;; esac`})
	r, err := Finding(t.Context(), o, entry(t, compilers.WrongAnswer), Options{})
	require.NoError(t, err)
	e := r.Entry
	require.NotEmpty(t, e.Culprit)
	of := func(change func(*corpus.Entry)) []Named {
		other := *e
		other.Bucket += ",O1"
		change(&other)
		return []Named{{"b", &other}}
	}
	for name, tt := range map[string]struct {
		change func(*corpus.Entry)
		want   []string
	}{
		"another level":             {func(e *corpus.Entry) { e.Mode = "-O3" }, []string{"b"}},
		"flags that change nothing": {func(e *corpus.Entry) { e.Flags = []string{"-funroll-loops"} }, []string{"b"}},
		"another verdict":           {func(e *corpus.Entry) { e.Verdict = compilers.Endless.String() }, []string{"b"}},
		"flags that mend it":        {func(e *corpus.Entry) { e.Flags = []string{"-funswitch-loops"} }, nil},
		"a level that is right":     {func(e *corpus.Entry) { e.Mode = "-O1" }, nil},
		"another pass":              {func(e *corpus.Entry) { e.Culprit = "tree-vrp1" }, nil},
		"an error":                  {func(e *corpus.Entry) { e.Verdict = compilers.InternalError.String() }, nil},
		"another answer": {func(e *corpus.Entry) {
			e.ReducedGood = corpus.Add(nil, "gcc", "99.1.0", nil, "-O2")
			e.ReducedBad = nil
		}, nil},
		"too little is known": {func(e *corpus.Entry) { e.ReducedGood = nil }, nil},
		"no compiler":         {func(e *corpus.Entry) { e.Version, e.Compiler = "97.1.0", "gcc-97"; e.Family = "other" }, nil},
	} {
		names, err := Same(t.Context(), o, e, of(tt.change))
		require.NoError(t, err, name)
		assert.Equal(t, tt.want, names, name)
	}
	many := of(func(e *corpus.Entry) { e.Flags = []string{"-funroll-loops"} })
	for range 40 {
		many = append(many, many[0])
	}
	names, err := Same(t.Context(), o, e, many)
	require.NoError(t, err)
	assert.Len(t, names, mostSame/2, "time is bounded")
	same := *e
	names, err = Same(t.Context(), o, e, []Named{{"a", &same}})
	require.NoError(t, err)
	assert.Empty(t, names, "of its bucket")
}
