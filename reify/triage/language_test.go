package triage

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/ir"
)

// A program in Go has forms of Go, of which the plainest check one call and print
// nothing, in the file that its entry names. What Go cannot write has none.
func TestFormsOfGo(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) i32 {
  entry:
    goto exit
  exit:
    return 10 / %a
}
case f(a = 3) = 3 path entry exit
case f(a = 0) under go traps divide-by-zero path entry exit
`)
	e := &corpus.Entry{Language: compilers.Go, Main: compilers.MainGo}
	e.SetNote(corpus.NoteStyle, "noinline cond=else")
	forms, err := formsOf(e, p)
	require.NoError(t, err)
	require.Greater(t, len(forms), 3)
	job := forms[0].job(p, "@O")
	assert.Equal(t, []string{compilers.MainGo}, job.Names())
	assert.Equal(t, "3\n", string(job.Want))
	assert.Contains(t, string(job.Files[0].Content), "println(f(3))")
	e.Reduced, e.ReducedProgram, e.Mode = string(job.Files[0].Content), p.String(), "@O"
	again, err := (&failure{entry: e}).reducedJob(t.Context())
	require.NoError(t, err)
	assert.Equal(t, job, again, "println does not print on standard output")
	last := forms[len(forms)-1].job(p, "@O")
	assert.Equal(t, "f 3\n", string(last.Want))

	_, err = formsOf(&corpus.Entry{Language: compilers.C}, p)
	assert.ErrorContains(t, err, "case 1, of @f, is under go in an entry of C")
	_, err = formsOf(&corpus.Entry{Language: compilers.Wasm}, p)
	assert.Error(t, err)
	unknown := &corpus.Entry{Language: compilers.Go}
	unknown.SetNote(corpus.NoteStyle, "noinline sideways")
	_, err = formsOf(unknown, p)
	assert.ErrorContains(t, err, "sideways")

	list := starts(p)
	require.Len(t, list, 2)
	job = forms[0].job(list[1], "@O")
	assert.Equal(t, "true\n", string(job.Want), "that it ends in a trap")

	p = ir.MustParse("func @f(%a i32) i32 {\n    cast C {x i32, y [2]i16}\n    local %v C = {1}\n  entry:\n    goto exit\n  exit:\n    return %a\n}\ncase f(a = 3) = 3 path entry exit\n")
	forms, err = formsOf(e, p)
	require.NoError(t, err)
	assert.Empty(t, forms)
}

// Of a whole program the last form has the function of the case and those that it calls each in
// the style in which it was found.
func TestFormsOfPrograms(t *testing.T) {
	p := ir.MustParse(`
func @g(%a i32) i32 {
  entry:
    return %a
}
func @f(%a i32) i32 {
  entry:
    return @g(%a + 1)
}
case f(a = 3) = 4 path entry
`)
	e := &corpus.Entry{Language: compilers.Wasm, Main: "repro.wasm.hex", Notes: []corpus.Note{
		{Key: corpus.NoteStyle, Value: "spill"}, {Key: corpus.NoteStyle, Value: "memory"},
	}}
	forms, err := formsOf(e, p)
	require.NoError(t, err)
	last := forms[len(forms)-1]
	assert.Equal(t, "as found: a whole program", last.Name)
	found, want := last.Write(p)
	assert.Equal(t, "f 4\n", want)
	texts := map[string]bool{found: true}
	for _, f := range forms[:len(forms)-1] {
		text, _ := f.Write(p)
		texts[text] = true
	}
	assert.Greater(t, len(texts), 2)
	e.Notes[0].Value = "memory"
	again, err := formsOf(e, p)
	require.NoError(t, err)
	other, _ := again[len(forms)-1].Write(p)
	assert.NotEqual(t, found, other, "how the function is written that is called")

	e.Notes[0].Value = "sideways"
	_, err = formsOf(e, p)
	assert.ErrorContains(t, err, "sideways")
}
