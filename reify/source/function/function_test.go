package function

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	"goreify/reify/source"
	"goreify/reify/subject"
)

var _ source.Source = Source{}

// made makes the batch of an input.
func made(t *testing.T, in source.Input) *Batch {
	s, err := Source{}.Make(t.Context(), in)
	require.NoError(t, err)
	return s.(*Batch)
}

// The eight bytes of a stream are the first of the seeds, which follow each other.
func TestDraw(t *testing.T) {
	s := Source{Options{Profile: "focus", Features: "-float", Size: 5}}
	require.NoError(t, s.Check())
	const first = 0x0102030405060708
	st := choice.New([]byte{8, 7, 6, 5, 4, 3, 2, 1})
	in := s.Draw(st)
	assert.Equal(t, 1, st.Draws())
	assert.Equal(t, in, s.Draw(choice.New([]byte{8, 7, 6, 5, 4, 3, 2, 1})), "same bytes, same input")
	assert.Equal(t, Name, in.Source)
	assert.Equal(t, reify.Version, in.Version)
	seeds, err := Decode(Name, in)
	require.NoError(t, err)
	assert.Equal(t, Seeds{Profile: "focus", Features: "-float", First: first, Count: 5}, seeds)

	focus, err := reify.FindProfile("focus")
	require.NoError(t, err)
	b := made(t, in)
	require.Len(t, b.Cases, 5)
	for i, k := range b.Cases {
		r := reify.FromSeed(first + uint64(i))
		assert.Equal(t, fmt.Sprintf("f%d", i), k.Func.Name)
		assert.Equal(t, r, k.Recipe)
		conf, err := focus.Configure(r).With("-float")
		require.NoError(t, err)
		assert.Equal(t, conf, k.Config)
	}
	assert.Equal(t, b.Artefact(), made(t, in).Artefact(), "same input, same program")
	assert.Equal(t, b.Artefact(), made(t, source.Input{Source: in.Source, Version: in.Version, Data: bytes.Clone(in.Data)}).Artefact(),
		"whatever the options of who makes it")
	in.Data = s.Draw(choice.New([]byte{9, 7, 6, 5, 4, 3, 2, 1})).Data
	assert.NotEqual(t, b.Artefact(), made(t, in).Artefact())
}

// Without a profile the recipes draw their configurations, as they do where they
// are given.
func TestRecipes(t *testing.T) {
	for i, k := range made(t, Encode(Name, Seeds{First: 7, Count: 3})).Cases {
		r := reify.FromSeed(uint64(7 + i))
		_, conf := r.Plan()
		assert.Equal(t, r, k.Recipe)
		assert.Equal(t, conf, k.Config)
	}

	r := reify.Recipe{Config: []byte{12}, Graph: []byte("graph"), Body: []byte{}}
	n, conf := r.Plan()
	b := made(t, FromRecipe(r))
	require.Len(t, b.Cases, n)
	for i, k := range b.Cases {
		assert.Equal(t, r.Nth(i), k.Recipe)
		assert.Equal(t, conf, k.Config)
	}
}

func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "input of source function: unexpected end of JSON input",
		"rubbish":                        "input of source function: invalid character 'r'",
		`{"Count":"1"}`:                  "input of source function: json: ",
		`{"Count":1} more`:               "input of source function: invalid character 'm'",
		`{"Recipe":{"Graph":"rubbish"}}`: "input of source function: illegal base64 data",
		"null":                           "want seeds or one recipe, and not both",
		"{}":                             "want seeds or one recipe, and not both",
		`{"First":1}`:                    "want seeds or one recipe, and not both",
		`{"Count":1,"Recipe":{}}`:        "want seeds or one recipe, and not both",
		`{"First":1,"Count":1000000000}`: "1000000000 seeds, want at most",
		`{"First":1,"Count":-1}`:         "want seeds or one recipe, and not both",
	} {
		in := source.Input{Source: Name, Data: []byte(text)}
		_, err := Decode(Name, in)
		assert.ErrorContains(t, err, want, "%q", text)
		_, err = Source{}.Make(t.Context(), in)
		assert.ErrorContains(t, err, want, "%q", text)
	}
	_, err := Source{}.Make(t.Context(), Encode("program", Seeds{Count: 1}))
	assert.EqualError(t, err, `an input of source "program" is not one of "function"`)
}

// Functions of one input each are those of the profile without the further ones.
func TestSingle(t *testing.T) {
	o := Options{Profile: "focus", Size: 8}
	all := made(t, o.Draw(Name, choice.From(1)))
	o.Single = true
	single := made(t, o.Draw(Name, choice.From(1)))
	more := 0
	for i, k := range all.Cases {
		more += len(k.More)
		assert.Empty(t, single.Cases[i].More)
		assert.Equal(t, k.Func.String(), single.Cases[i].Func.String())
	}
	assert.Positive(t, more)
}

// What an input asks for must be there.
func TestUnknownOptions(t *testing.T) {
	for want, o := range map[string]Options{
		`unknown profile "none"`: {Profile: "none", Size: 1},
		`feature "ptr"`:          {Profile: "wild", Features: "ptr", Size: 1},
		`feature "none"`:         {Features: "+none", Size: 1},
	} {
		assert.ErrorContains(t, o.Check(), want)
		_, err := Source{}.Make(t.Context(), Source{o}.Draw(choice.New(nil)))
		assert.ErrorContains(t, err, want)
		assert.NotErrorIs(t, err, source.ErrNone)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("time is up")
	cancel(why)
	_, err := Source{}.Make(ctx, Encode(Name, Seeds{Count: 1}))
	assert.ErrorIs(t, err, why)
}

// A part of a batch is the batch of some of its cases.
func TestParts(t *testing.T) {
	b := made(t, Encode(Name, Seeds{Profile: "focus", First: 1, Count: 4}))
	assert.Equal(t, "f0 f1 f2 f3", b.Name())
	assert.Equal(t, 4, b.Weight())
	assert.Equal(t, subject.Proved, b.Trust())
	members := b.Members()
	require.Len(t, members, 4)
	for i, m := range members {
		assert.Equal(t, In(language.C, b.Cases[i]).Artefact(), m.Artefact())
	}
	some, err := b.Only(3, 1)
	require.NoError(t, err)
	assert.Equal(t, "f3 f1", some.Name())
	assert.Equal(t, []*reify.Case{b.Cases[3], b.Cases[1]}, some.(*Batch).Cases)
}

// A batch says the same in a reproducer, where each case has its streams.
func TestEntry(t *testing.T) {
	b := made(t, Encode(Name, Seeds{First: 1, Count: 3}))
	e, err := b.Entry()
	require.NoError(t, err)
	e.Title, e.Verdict, e.Command = "a batch", corpus.Untested, "true"
	require.NoError(t, e.Check())
	back, err := corpus.Parse("entry", e.Format())
	require.NoError(t, err)
	assert.Equal(t, []string{Name, "proved", compilers.C}, []string{back.Source, back.Trust, back.Language})
	assert.Equal(t, 3, back.Weight)
	a := b.Artefact()
	assert.Equal(t, string(a.Files[0].Content), back.Sources[back.Main])
	assert.Equal(t, string(a.Want), back.Want)
	for i, k := range b.Cases {
		for stream, data := range k.Recipe.Streams() {
			assert.Equal(t, data, back.Recipe[fmt.Sprintf("%s-%d", stream, i)])
		}
	}
	p, err := ir.Parse(back.Program)
	require.NoError(t, err)
	for _, one := range p.Claims {
		assert.NoError(t, interp.Verify(one))
	}
	alone, err := b.Members()[1].Entry()
	require.NoError(t, err)
	assert.Equal(t, b.Cases[1].Recipe.Streams(), alone.Recipe)
}
