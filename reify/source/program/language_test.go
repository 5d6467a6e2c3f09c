package program

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/solve/search"
	"goreify/reify/source"
	"goreify/reify/source/function"
)

// Programs in another language are a batch whose members have several functions, each
// tested by itself; C vouches for the first.
func TestIn(t *testing.T) {
	s := Source{Options: function.Options{Profile: "focus", Size: 3, Language: compilers.Wasm}}
	in := s.Draw(choice.From(5))
	made, err := s.Make(t.Context(), in)
	require.NoError(t, err)
	again, err := s.Make(t.Context(), in)
	require.NoError(t, err)
	b := made.(*function.Batch)
	assert.Equal(t, b.Artefact(), again.Artefact(), "same input, same program")
	require.Len(t, b.Members(), 3)

	weight := 0
	for i, m := range b.Members() {
		weight += m.Weight()
		assert.Greater(t, m.Weight(), 1)
		e, err := m.Entry()
		require.NoError(t, err)
		assert.Equal(t, corpus.ProgramSource, e.Source)
		p, err := ir.Parse(e.Program)
		require.NoError(t, err)
		require.NoError(t, p.Check())
		assert.Len(t, e.AllNotes(corpus.NoteStyle), len(p.Funcs))
		tested := map[*ir.Function]bool{}
		for _, c := range p.Claims {
			assert.NoError(t, interp.Verify(c))
			tested[c.Func] = true
		}
		assert.Len(t, tested, m.Weight())

		// Whatever function of it is wrong, it is this program.
		lines := strings.SplitAfter(string(m.Artefact().Want), "\n")
		last := lines[len(lines)-2]
		name, _, _ := strings.Cut(last, " ")
		wrong := strings.Replace(string(b.Artefact().Want), last, name+" 17\n", 1)
		assert.Equal(t, []int{i}, b.Guilty(compilers.Outcome{Verdict: compilers.WrongAnswer, Stdout: []byte(wrong)}))
		assert.Nil(t, b.Select(i))
	}
	assert.Equal(t, weight, b.Weight())

	o := one(t)
	require.Len(t, b.Translations(), 1)
	inC := b.Translations()[0]
	outcome := compilers.Test(t.Context(), o.Targets[0], o.Space, inC.Job("-O1"), o.Limits)
	assert.Equal(t, compilers.OK, outcome.Verdict, "%v", outcome)
}

// A language that does not write calls has no programs, and who writes none of the
// functions has none.
func TestCannot(t *testing.T) {
	r := reify.FromSeed(1)
	_, conf := r.Plan()
	noCalls := &language.Language{Name: "NoCalls", Supports: func(f *ir.Function) error {
		for range f.Calls() {
			return assert.AnError
		}
		return nil
	}}
	_, err := MakeIn(noCalls, 0, r, conf, search.Engine{})
	require.ErrorIs(t, err, source.ErrNone)
	assert.ErrorContains(t, err, "language NoCalls has no calls")
	noCalls.Supports = func(f *ir.Function) error {
		if f.Name == "f" { // the one with which it is asked whether it has calls
			return nil
		}
		return assert.AnError
	}
	_, err = MakeIn(noCalls, 0, r, conf, search.Engine{})
	assert.ErrorIs(t, err, source.ErrNone)
	_, err = Source{}.Make(t.Context(), function.Encode(Name, function.Seeds{First: 1, Count: 1, Language: "Java"}))
	assert.ErrorContains(t, err, `language "Java" is not supported`)
}
