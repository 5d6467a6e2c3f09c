package variant

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
)

var (
	_ source.Source = Source{}
	_ source.Source = Corpus{}
)

// made makes the batch of an input.
func made(t *testing.T, in source.Input) *function.Batch {
	s, err := Source{}.Make(t.Context(), in)
	require.NoError(t, err)
	return s.(*function.Batch)
}

// Each function has its variants behind it, which do the same and are others.
func TestMake(t *testing.T) {
	s := Source{Options: function.Options{Profile: "focus", Size: 3}, Variants: 4}
	st := choice.From(5)
	in := s.Draw(st)
	assert.Equal(t, 1, st.Draws())
	assert.Equal(t, in, s.Draw(choice.From(5)), "same bytes, same input")
	b := made(t, in)
	assert.Equal(t, b.Artefact(), made(t, source.Input{Source: in.Source, Version: in.Version, Data: bytes.Clone(in.Data)}).Artefact(), "same input, same program")
	assert.NotEqual(t, b.Artefact(), made(t, s.Draw(choice.From(6))).Artefact())
	assert.Equal(t, subject.Proved, b.Trust())

	functions := function.Source{Options: s.Options}
	plain, err := functions.Make(t.Context(), functions.Draw(choice.From(5)))
	require.NoError(t, err)
	seeds := map[string]*ir.Claim{}
	for _, k := range plain.(*function.Batch).Cases {
		seeds[k.Func.Name] = k.Claim
	}
	variants := 0
	for _, k := range b.Cases {
		name, number, _ := strings.Cut(k.Func.Name, "v")
		seed := seeds[name]
		require.NotNil(t, seed, k.Func.Name)
		if number == "" {
			assert.Equal(t, seed.Func.String(), k.Func.String())
			continue
		}
		variants++
		assert.Equal(t, seed.Args, k.Args)
		assert.Equal(t, seed.Want, k.Want)
		require.NoError(t, interp.Verify(k.Claim))
		was := strings.Replace(seed.Func.String(), "@"+name+"(", "@"+k.Func.Name+"(", 1)
		assert.NotEqual(t, was, k.Func.String())
	}
	assert.Greater(t, variants, 3*len(seeds), "of %d", 4*len(seeds))
}

// A reproducer of a variant names its seed and its edits.
func TestEntry(t *testing.T) {
	s := Source{Options: function.Options{Profile: "focus", Size: 1}, Variants: 2}
	b := made(t, s.Draw(choice.From(1)))
	for i, m := range b.Members() {
		e, err := m.Entry()
		require.NoError(t, err)
		e.Title, e.Verdict, e.Command = "a variant", corpus.Untested, "true"
		require.NoError(t, e.Check())
		if i == 0 {
			assert.Empty(t, e.Note(corpus.NoteSeed))
			continue
		}
		assert.Equal(t, "f0", e.Note(corpus.NoteSeed))
		assert.Regexp(t, regexp.MustCompile(`^[a-z]+@\w+( [a-z]+@\w+)*$`), e.Note(corpus.NoteMutations))
		assert.NotEmpty(t, e.Note(corpus.NoteConfig))
		assert.NotEmpty(t, e.Recipe)
	}
}

const plain = `
func @g(%a i32) i32 {
  entry:
    if %a < 3 goto small else large
  small:
    %a = %a + 1
    goto exit
  large:
    %a = %a / 0
    goto exit
  exit:
    return %a
}
case g(a = 1) = 2 path entry small exit
`

// entryOf returns a reproducer that holds a program.
func entryOf(program string) *corpus.Entry {
	return &corpus.Entry{
		Tool: "devel", Title: "t", Verdict: corpus.Untested, Command: "true", Language: "C", Main: corpus.MainC,
		Sources: map[string]string{corpus.MainC: "int main(void) {}\n"}, Program: program,
	}
}

// Variants of reproducers do not depend on what becomes of these.
func TestCorpus(t *testing.T) {
	dir := t.TempDir()
	require.Error(t, NewCorpus(dir, 2, 5).Check())
	in := NewCorpus(dir, 2, 5).Draw(choice.From(1))
	_, err := Source{}.Make(t.Context(), in)
	require.ErrorIs(t, err, source.ErrNone)

	e := entryOf(strings.TrimPrefix(plain, "\n"))
	path, err := corpus.Save(dir, e)
	require.NoError(t, err)
	s := NewCorpus(dir, 2, 5)
	require.NoError(t, s.Check())
	in = s.Draw(choice.From(1))
	s = NewCorpus(filepath.Join(dir, "gone"), 2, 5)
	made, err := s.Make(t.Context(), in)
	require.NoError(t, err)
	b := made.(*function.Batch)
	assert.Greater(t, b.Weight(), 5)
	for _, k := range b.Cases {
		assert.Regexp(t, `^f[01]v[1-5]$`, k.Func.Name)
		assert.Equal(t, int64(2), k.Want)
	}
	one, err := b.Members()[0].Entry()
	require.NoError(t, err)
	assert.Equal(t, filepath.Base(path), one.Note(corpus.NoteSeed))
	assert.Empty(t, one.Recipe, "it has none")
	one.Title, one.Verdict, one.Command = "a variant", corpus.Untested, "true"
	assert.NoError(t, one.Check())
}

// What there can be no variants of is told, and why.
func TestTexts(t *testing.T) {
	calls := strings.Replace(plain, "return %a", "return @g(%a)", 1)
	wrong := strings.Replace(plain, "= 2 path", "= 3 path", 1)
	undefined := strings.Replace(strings.Replace(plain, "a = 1", "a = 5", 1), "path entry small", "path entry large", 1)
	for want, program := range map[string]string{
		"only C":                  "",
		"calls @g":                calls,
		"the case says 3":         wrong,
		"DivisionByZero":          undefined,
		"0 functions and 0 cases": "// nothing\n",
		"1 functions and 0 cases": plain[:strings.Index(plain, "case")],
	} {
		_, err := Texts("x.txtar", entryOf(program))
		assert.ErrorContains(t, err, want)
		assert.ErrorContains(t, err, "x.txtar: ")
	}
	list, err := Texts("x.txtar", entryOf(plain))
	require.NoError(t, err)
	assert.Equal(t, []Text{{Name: "x.txtar", Program: plain}}, list)
}

func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "unexpected end of JSON input",
		`{"Variants":0}`:              "0 variants of each of 0 functions, want 1 to 100000",
		`{"Variants":1000000000}`:     "1000000000 variants of each",
		`{"Variants":"x"}`:            "input of source variant: json: ",
		`{"Variants":1,"Texts":[{}]}`: "bad seed: ",
	} {
		_, err := Source{}.Make(t.Context(), source.Input{Source: Name, Data: []byte(text)})
		assert.ErrorContains(t, err, want, fmt.Sprintf("%q", text))
	}
	_, err := Source{}.Make(t.Context(), source.Input{Source: "function"})
	assert.EqualError(t, err, `an input of source "function" is not one of "variant"`)
}
