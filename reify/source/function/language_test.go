package function

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// A batch in Go has answers under Go's rules, traps among them, and can be had in C
// without those.
func TestGo(t *testing.T) {
	in := Source{Options{Profile: "wild", Size: 60, Language: compilers.Go}}.Options.Draw(Name, choice.From(1))
	b := made(t, in)
	a := b.Artefact()
	assert.Equal(t, compilers.Go, a.Language)
	assert.Equal(t, compilers.MainGo, a.Files[0].Name)
	assert.Equal(t, a, made(t, in).Artefact(), "same input, same program")
	planted, traps, further := 0, 0, 0
	for _, k := range b.Cases {
		for _, c := range k.Claims() {
			require.NoError(t, interp.Verify(c))
			if c.Trap != "" {
				traps++
			}
			if c.Under == interp.Go {
				further++
			}
		}
		if k.Trap != "" {
			planted++
		}
	}
	assert.Positive(t, planted)
	assert.Greater(t, traps, planted)
	assert.Greater(t, further, traps)
	assert.Equal(t, traps, strings.Count(string(a.Want), " traps "))

	inC := b.Translations()
	require.Len(t, inC, 1)
	assert.Equal(t, compilers.C, inC[0].Language)
	assert.NotContains(t, string(inC[0].Want), "traps")
	assert.Empty(t, made(t, Encode(Name, Seeds{First: 1, Count: 1})).Translations())

	e, err := b.Entry()
	require.NoError(t, err)
	e.Title, e.Verdict, e.Command = "a batch", corpus.Untested, "true"
	require.NoError(t, e.Check())
	back, err := corpus.Parse("entry", e.Format())
	require.NoError(t, err)
	assert.Equal(t, "Go", back.Language)
	p, err := ir.Parse(back.Program)
	require.NoError(t, err)
	require.NoError(t, p.Check())
	for _, c := range p.Claims {
		assert.NoError(t, interp.Verify(c))
	}

	wrong := strings.Replace(string(a.Want), "f3 ", "f3 1", 1)
	assert.Equal(t, []int{3}, b.Guilty(compilers.Outcome{Verdict: compilers.WrongAnswer, Stdout: []byte(wrong)}))
	assert.Equal(t, []int{5}, b.Guilty(compilers.Outcome{Verdict: compilers.InternalError, Named: []string{"f5", "main"}}))

	_, err = Source{}.Make(t.Context(), Encode(Name, Seeds{First: 1, Count: 1, Language: "Java"}))
	assert.ErrorContains(t, err, `language "Java" is not supported`)
}
