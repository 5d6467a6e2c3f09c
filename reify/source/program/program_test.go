package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
)

var _ source.Source = Source{}

// one returns an oracle with one compiler and one level.
func one(t *testing.T) *oracle.Oracle {
	found, named, err := targets.Find(t.Context(), compilers.Env{Path: os.Getenv("PATH"), CC: "gcc", Modes: "-O1"})
	require.NoError(t, err)
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, space.Close()) })
	o, err := oracle.New(t.Context(), space, found, named)
	require.NoError(t, err)
	return o
}

// A program says the same in every form: text, C with and without assertions,
// reproducer.
func TestProgramEntry(t *testing.T) {
	o := one(t)
	splits := map[int]bool{}
	for seed := uint64(1); seed < 9; seed++ {
		r := reify.FromSeed(seed)
		_, conf := r.Plan()
		p, err := Make(r, 4, conf, search.Engine{}, Foreign{})
		require.NoError(t, err)
		again, err := Make(r, 4, conf, search.Engine{}, Foreign{})
		require.NoError(t, err)
		assert.Equal(t, p.Artefact(), again.Artefact(), "same bytes, same program")
		files := p.Artefact().Files
		splits[min(len(files), 3)] = true

		e, err := p.Entry()
		require.NoError(t, err)
		e.Title, e.Verdict = "a program", corpus.Untested
		e.Command = oracle.Command(compilers.Outcome{Command: []string{"gcc -O1 *.c -o repro", "./repro"}})
		require.NoError(t, e.Check())
		back, err := corpus.Parse("entry", e.Format())
		require.NoError(t, err)
		assert.Equal(t, []string{Name, "proved", compilers.C}, []string{back.Source, back.Trust, back.Language})
		assert.Equal(t, p.Weight(), back.Weight)
		assert.Equal(t, subject.Sources(files), back.Sources)
		assert.Equal(t, r.Streams(), back.Recipe)
		text, err := ir.Parse(back.Program)
		require.NoError(t, err)
		require.NoError(t, text.Check())
		assert.NoError(t, interp.VerifyProgram(text))
		if seed > 3 {
			continue
		}
		for _, replay := range o.Replay(t.Context(), back) {
			assert.Equal(t, oracle.Passes, replay.Status, "seed %d: %v", seed, replay.Outcome)
		}
	}
	assert.Greater(t, len(splits), 1, "one file and several")
}

// Joined programs print what each answers, one after another.
func TestJoined(t *testing.T) {
	o := one(t)
	_, conf := reify.FromSeed(5).Plan()
	var list []*Program
	functions, calls := 0, 0
	for seed := range uint64(4) {
		p, err := Make(reify.FromSeed(seed), 4, conf, search.Engine{}, Foreign{})
		require.NoError(t, err)
		functions += p.Weight()
		calls += p.Linked.Calls
		p.name = fmt.Sprintf("program-%d", seed)
		list = append(list, p)
	}
	j := join(list)
	assert.Equal(t, functions, j.Weight())
	assert.Len(t, j.Linked.IR.Claims, 4)
	assert.Equal(t, calls, j.Linked.Calls)
	require.NoError(t, j.Linked.IR.Check(), "names are unique")
	report, err := o.Check(t.Context(), j, 0)
	require.NoError(t, err)
	assert.Equal(t, 1, report.Asked)

	assert.Equal(t, "program-0 program-1 program-2 program-3", j.Name())
	require.Len(t, j.Members(), 4)
	for i, m := range j.Members() {
		assert.Same(t, list[i], m)
		only, err := j.Only(i)
		require.NoError(t, err)
		assert.Same(t, list[i], only)
	}
	some, err := j.Only(0, 2)
	require.NoError(t, err)
	assert.Equal(t, "program-0 program-2", some.Name())
	assert.Equal(t, list[0].Weight()+list[2].Weight(), some.Weight())
	assert.Equal(t, join([]*Program{list[0], list[2]}).Artefact(), some.Artefact())
}

// The functions that a compiler names are those of joined programs.
func TestGuilty(t *testing.T) {
	s, err := Source{}.Make(t.Context(), function.Encode(Name, function.Seeds{Profile: "focus", First: 1, Count: 3}))
	require.NoError(t, err)
	j := s.(*Joined)
	last := func(i int) string {
		funcs := j.list[i].Linked.IR.Funcs
		return fmt.Sprintf("p%d_%s", i, funcs[len(funcs)-1].Name)
	}
	for _, tt := range []struct {
		named []string
		want  []int
	}{
		{nil, nil},
		{[]string{"main"}, nil},
		{[]string{j.list[0].Linked.IR.Funcs[0].Name}, nil}, // as it is called alone
		{[]string{last(0)}, []int{0}},
		{[]string{"main", last(2)}, []int{2}},
		{[]string{last(2), last(1), last(2)}, []int{1, 2}},
	} {
		o := compilers.Outcome{Verdict: compilers.InternalError, Named: tt.named}
		assert.Equal(t, tt.want, j.Guilty(o), "%q", tt.named)
	}
	wrong := compilers.Outcome{Verdict: compilers.WrongAnswer, Stdout: []byte("1\n")}
	assert.Empty(t, j.Guilty(wrong))
}

// The eight bytes of a stream are the first of the seeds, which follow each other.
func TestDraw(t *testing.T) {
	s := Source{Options: function.Options{Profile: "focus", Size: 3}}
	in := s.Draw(choice.New([]byte{8, 7, 6, 5, 4, 3, 2, 1}))
	assert.Equal(t, in, s.Draw(choice.New([]byte{8, 7, 6, 5, 4, 3, 2, 1})))
	assert.Equal(t, Name, in.Source)
	made, err := s.Make(t.Context(), in)
	require.NoError(t, err)
	again, err := Source{}.Make(t.Context(), in)
	require.NoError(t, err)
	assert.Equal(t, made.Artefact(), again.Artefact())
	assert.Equal(t, "program-0 program-1 program-2", made.Name())
	focus, err := reify.FindProfile("focus")
	require.NoError(t, err)
	for i, p := range made.(*Joined).list {
		r := reify.FromSeed(0x0102030405060708 + uint64(i))
		want, err := Make(r, Size(r), focus.Configure(r), search.Engine{}, Foreign{})
		require.NoError(t, err)
		assert.Equal(t, want.Artefact(), p.Artefact())
		assert.Equal(t, r, p.recipe)
	}

	r := reify.FromSeed(2)
	_, conf := r.Plan()
	want, err := Make(r, Size(r), conf, search.Engine{}, Foreign{})
	require.NoError(t, err)
	alone, err := Source{}.Make(t.Context(), FromRecipe(r))
	require.NoError(t, err)
	assert.Equal(t, "program-0", alone.Name())
	assert.Equal(t, want.Artefact(), alone.Artefact())
}

// With variants about half of the functions are others, and what the programs print
// is as sure.
func TestVariants(t *testing.T) {
	with := Source{Options: function.Options{Profile: "focus", Size: 8}, Variants: true}
	without := Source{Options: with.Options}
	parts := func(s Source) (list []*Program) {
		made, err := s.Make(t.Context(), s.Draw(choice.From(7)))
		require.NoError(t, err)
		again, err := s.Make(t.Context(), s.Draw(choice.From(7)))
		require.NoError(t, err)
		assert.Equal(t, made.Artefact(), again.Artefact())
		return made.(*Joined).list
	}
	mutated, plain := parts(with), parts(without)
	require.Len(t, mutated, len(plain))
	others := 0
	for i, p := range mutated {
		require.NoError(t, p.Linked.IR.Check())
		require.NoError(t, interp.VerifyProgram(p.Linked.IR))
		assert.Equal(t, p.recipe, plain[i].recipe)
		if p.Linked.IR.String() != plain[i].Linked.IR.String() {
			others++
		}
	}
	assert.GreaterOrEqual(t, others, 6)
}

// Inputs of other sources are refused.
func TestInputs(t *testing.T) {
	_, err := Source{}.Make(t.Context(), function.FromRecipe(reify.FromSeed(1)))
	assert.EqualError(t, err, `an input of source "function" is not one of "program"`)
	_, err = Source{}.Make(t.Context(), source.Input{Source: Name, Data: []byte("rubbish")})
	assert.ErrorContains(t, err, "input of source program: invalid character")
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("time is up")
	cancel(why)
	_, err = Source{}.Make(ctx, FromRecipe(reify.FromSeed(1)))
	assert.ErrorIs(t, err, why)
}

// A recipe alone is an input of one program.
func TestFromRecipe(t *testing.T) {
	r := reify.FromSeed(1)
	_, conf := r.Plan()
	want, err := Make(r, Size(r), conf, search.Engine{}, Foreign{})
	require.NoError(t, err)
	s, err := Source{}.Make(t.Context(), function.Encode(Name, function.Seeds{Recipe: &r}))
	require.NoError(t, err)
	assert.Equal(t, want.Artefact(), s.Artefact())
}

// unable solves nothing.
type unable struct{}

func (unable) Name() string { return "unable" }

func (unable) Solve(solve.Problem, *choice.Stream) (*ir.Model, error) {
	return nil, fmt.Errorf("unable: %w", solve.ErrUnknown)
}

// No program comes of functions that cannot be solved.
func TestNone(t *testing.T) {
	r := reify.FromSeed(1)
	_, conf := r.Plan()
	_, err := Make(r, 3, conf, unable{}, Foreign{})
	require.ErrorIs(t, err, source.ErrNone)
	assert.EqualError(t, err, "none of 3 functions: the input gives no program")
}

// FromRecipe returns the input of one program.
func FromRecipe(r reify.Recipe) source.Input {
	return function.Encode(Name, function.Seeds{Recipe: &r})
}
