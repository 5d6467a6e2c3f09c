package triage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// What failed with which versions fails with them still, though something smaller
// would fail with the one of the finding. Versions that were right may do as they
// like.
func TestVersionsAreKept(t *testing.T) {
	need.Named(t)
	const divisionsOnly = `case $text in *' / '*) ;; *) wrong= ;; esac`
	for name, tt := range map[string]struct {
		scripts map[string]string
		bad     []corpus.Configuration
		kept    bool // the division
	}{
		"newer":       {map[string]string{"99.1.0": "", "100.1.0": divisionsOnly}, all("99.1.0", "100.1.0"), true},
		"older":       {map[string]string{"98.1.0": divisionsOnly, "99.1.0": "", "100.1.0": ""}, all("98.1.0", "99.1.0", "100.1.0"), true},
		"right":       {map[string]string{"99.1.0": "", "100.1.0": `case $text in *' / '*) wrong= ;; esac`}, all("99.1.0", "100.1.0"), false},
		"another way": {map[string]string{"99.1.0": "", "100.1.0": divisionsOnly + `; [ -z "$wrong" ] || wrong=crash`}, all("99.1.0", "100.1.0"), true},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Finding(t.Context(), fakes(t, tt.scripts), entry(t, compilers.WrongAnswer), Options{})
			require.NoError(t, err)
			assert.Equal(t, tt.bad, r.Entry.ReducedBad)
			if tt.kept {
				assert.Contains(t, r.Entry.Reduced, " / ")
			} else {
				assert.NotContains(t, r.Entry.Reduced, " / ")
			}
			assert.LessOrEqual(t, r.After, 14, r.Entry.Reduced)
		})
	}
}

// all returns a list that names versions at -O2 and -O3.
func all(versions ...string) (list []corpus.Configuration) {
	for _, v := range versions {
		list = append(list, corpus.Configuration{Family: "gcc", Version: v, Modes: []string{"-O2", "-O3"}})
	}
	return list
}

// Where others cannot be had, a test of the one that failed is better than none.
func TestVersionsThatCannotBeKept(t *testing.T) {
	need.Named(t)
	p := ir.MustParse(program + "case f(a = 7, b = 2) = 0 path entry b1 b1 b2 exit\n")
	for _, other := range []string{"98.1.0", "101.1.0"} {
		o := fakes(t, map[string]string{"99.1.0": "", "100.1.0": "", other: `grep -q 'wrong |= got' "$src" || wrong=`})
		var lines strings.Builder
		r, err := Finding(t.Context(), o, entryOf(t, compilers.WrongAnswer, p), Options{Progress: func(line string) { lines.WriteString(line + "\n") }})
		require.NoError(t, err)
		assert.Equal(t, all("99.1.0", "100.1.0"), r.Entry.ReducedBad)
		assert.Contains(t, lines.String(), "not all versions that fail do so on a program that can be reduced")
	}
}

// A version that fails on the original with an internal error fails with the same.
func TestInternalErrorOfPeers(t *testing.T) {
	need.Long(t)
	crash := `if [ -n "$wrong" ]; then case $text in *' / '*) f=alpha ;; *) f=beta ;; esac
		echo "$src:1:1: internal compiler error: in $f, at tree-vrp.c:4711" >&2; exit 1; fi`
	o := fakes(t, map[string]string{"99.1.0": `[ -z "$wrong" ] || wrong=ice`, "100.1.0": crash})
	r, err := Finding(t.Context(), o, entry(t, compilers.InternalError), Options{})
	require.NoError(t, err)
	assert.Contains(t, r.Entry.Reduced, " / ")
}
