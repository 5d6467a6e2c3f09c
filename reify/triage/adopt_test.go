package triage

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// named returns the targets of an oracle that have these names.
func named(t *testing.T, o *oracle.Oracle, names ...string) []compilers.Target {
	t.Helper()
	to := slices.DeleteFunc(slices.Clone(o.Targets), func(t compilers.Target) bool { return !slices.Contains(names, t.ID().Name) })
	require.Len(t, to, len(names))
	return to
}

// An entry moves to the newest that fails, and on, and says where it was.
func TestAdopt(t *testing.T) {
	need.Long(t)
	o := fakes(t, map[string]string{"98.1.0": "", "99.1.0": "", "100.1.0": "", "101.1.0": "", "102.1.0": "wrong="})
	e := entry(t, compilers.WrongAnswer)
	e.Title = "gcc-99 -O2: wrong-answer"
	e.Good = []corpus.Configuration{{Family: "gcc", Version: "97", Modes: []string{"-O2"}}}
	e.Notes = append(e.Notes, corpus.Note{Key: "x-mine", Value: "stays"}, corpus.Note{Key: corpus.NoteFirstWrong, Value: "f"})
	done, err := Finding(t.Context(), o, e, Options{})
	require.NoError(t, err)
	before := string(done.Entry.Format())

	r, err := Adopt(t.Context(), o, named(t, o, "gcc-98", "gcc-100"), done.Entry, Options{})
	require.NoError(t, err)
	assert.Equal(t, before, string(done.Entry.Format()), "the entry given stays as it is")
	got := r.Entry
	require.NoError(t, got.Check())
	assert.True(t, Done(got))
	assert.Equal(t, []string{"gcc-100", "gcc", "100.1.0", "-O2", "gcc-100 -O2: wrong-answer", e.Date},
		[]string{got.Compiler, got.Family, got.Version, got.Mode, got.Title, got.Date})
	assert.Contains(t, got.Command, "gcc-100 -O2 ")
	assert.Contains(t, got.ReducedCommand, "gcc-100 -O2 ")
	home := corpus.Home{Configuration: corpus.Configuration{Family: "gcc", Version: "99.1.0", Modes: []string{"-O2"}},
		Compiler: "gcc-99", Verdict: "wrong-answer", Bucket: "gcc/wrong-answer/tree-vrp2/O2,O3"}
	assert.Equal(t, []corpus.Home{home}, got.FormerHomes())
	assert.Equal(t, all("98.1.0", "99.1.0", "100.1.0", "101.1.0"), got.Bad)
	assert.True(t, got.KnownGood("gcc", "97", nil, "-O2"), "who is not here keeps its word")
	assert.True(t, got.KnownGood("gcc", "102.1.0", nil, "-O3"))
	assert.Equal(t, all("98.1.0", "99.1.0", "100.1.0", "101.1.0"), got.ReducedBad)
	assert.Contains(t, got.Witness, corpus.Witness{Who: "gcc-100 -O0", Said: "ok"})
	assert.Equal(t, "stays", got.Note("x-mine"))
	assert.Empty(t, got.Note(corpus.NoteFirstWrong))

	r, err = Adopt(t.Context(), o, named(t, o, "gcc-101", "gcc-102"), got, Options{})
	require.NoError(t, err)
	assert.Equal(t, "101.1.0", r.Entry.Version)
	require.Len(t, r.Entry.FormerHomes(), 2)
	assert.Equal(t, home, r.Entry.FormerHomes()[0])
	assert.Equal(t, "gcc-100", r.Entry.FormerHomes()[1].Compiler)
}

// Where the newest does not fail as the old home does, the entry takes what it does.
func TestAdoptedOtherwise(t *testing.T) {
	need.Named(t)
	o := fakes(t, map[string]string{
		"99.1.0":  "",
		"100.1.0": `[ "$level" = -O3 ] || wrong=`,
		"101.1.0": `[ -z "$wrong" ] || wrong=crash`,
		"102.1.0": `case $level$wrong in -O2answer) wrong=crash ;; esac`,
	})
	for home, want := range map[string][]string{
		"gcc-100": {"-O3", "wrong-answer"}, "gcc-101": {"-O2", "crash"}, "gcc-102": {"-O3", "wrong-answer"},
	} {
		e := entry(t, compilers.WrongAnswer)
		r, err := Adopt(t.Context(), o, named(t, o, home), e, Options{})
		require.NoError(t, err, home)
		assert.Equal(t, want, []string{r.Entry.Mode, r.Entry.Verdict}, home)
		assert.Equal(t, e.Title, r.Entry.Title, "written by hand")
		assert.Equal(t, home, r.Entry.Compiler)
		require.NoError(t, r.Entry.Check())
	}
}

func TestNotAdopted(t *testing.T) {
	need.Named(t)
	o := fakes(t, map[string]string{"98.1.0": "", "99.1.0": "", "100.1.0": "wrong=", "101.1.0": ""})
	e := entry(t, compilers.WrongAnswer)
	before := string(e.Format())
	r, err := Adopt(t.Context(), o, named(t, o, "gcc-100"), e, Options{})
	require.ErrorIs(t, err, ErrNoHome)
	assert.True(t, r.Entry.KnownGood("gcc", "100.1.0", nil, "-O2"))
	assert.True(t, r.Entry.KnownBad("gcc", "98.1.0", nil, "-O3"))
	assert.Empty(t, r.Entry.FormerHomes())
	assert.Equal(t, "99.1.0", r.Entry.Version)

	// What does not end gets all its time, though it is known not to.
	endless := fakes(t, map[string]string{"100.1.0": `[ -z "$wrong" ] || wrong=end`, "99.1.0": `[ -z "$wrong" ] || wrong=end`})
	endless.Limits.RunCPU = 200 * time.Millisecond
	e.Program, e.Verdict, e.Bad = "", "endless", append(e.Bad, all("100.1.0")...)
	r, err = Adopt(t.Context(), endless, named(t, endless, "gcc-100"), e, Options{})
	require.ErrorIs(t, err, ErrNotReduced)
	assert.Equal(t, "used its CPU time of 200ms", r.Entry.Message)

	e = entry(t, compilers.WrongAnswer)
	_, err = Adopt(t.Context(), o, named(t, o, "gcc-98", "gcc-99", "gcc-100"), e, Options{})
	require.ErrorIs(t, err, ErrAtHome)
	assert.EqualError(t, err, "gcc 99.1.0: it is there already")

	r, err = Adopt(t.Context(), o, named(t, o, "gcc-98"), e, Options{})
	require.ErrorIs(t, err, ErrAtHome, "who is not asked may fail still")
	assert.EqualError(t, err, "gcc 98.1.0 fails, which is older than gcc 99.1.0: it is there already")
	assert.Equal(t, "99.1.0", r.Entry.Version)

	e.Family = "clang"
	_, err = Adopt(t.Context(), o, named(t, o, "gcc-100"), e, Options{})
	require.ErrorIs(t, err, ErrNoHome)
	assert.EqualError(t, err, "none of the compilers named is of family clang: no compiler to adopt it")
	e.Family = "gcc"
	assert.Equal(t, before, string(e.Format()))

	// It may go where it cannot be reduced if it was not.
	e.Program = ""
	r, err = Adopt(t.Context(), o, named(t, o, "gcc-101"), e, Options{})
	require.ErrorIs(t, err, ErrNotReduced)
	assert.Equal(t, "101.1.0", r.Entry.Version)
	e.Reduced = "int main(void) { return 1; }\n"
	r, err = Adopt(t.Context(), o, named(t, o, "gcc-101"), e, Options{})
	require.ErrorIs(t, err, ErrNotReduced)
	assert.Nil(t, r)

	e.Verdict = corpus.Untested
	_, err = Adopt(t.Context(), o, named(t, o, "gcc-101"), e, Options{})
	require.ErrorIs(t, err, ErrUntested)
}
