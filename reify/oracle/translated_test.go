package oracle_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/subject"
)

// tongue is a language that programs in toy can be translated to.
const tongue compilers.Language = "tongue"

// A translated text can be had in tongue.
type translated struct{ text }

func (s translated) Translations() []subject.Artefact {
	return []subject.Artefact{{
		Language: tongue,
		Files:    []compilers.File{{Name: "main.tongue", Content: []byte(strings.Join(s.words, " "))}},
		Want:     []byte(printed(s.words)),
	}}
}

// Who fails is asked in another language as well: sanitizers of that vouch for the
// program, and one that objects, with none to contradict it, accuses it.
func TestTranslations(t *testing.T) {
	for name, tt := range map[string]struct {
		bad, ours bool
		says      []string // of the second target and both sanitizers, which know the other language
	}{
		"right there":     {says: []string{"ok", "ok"}},
		"wrong there":     {bad: true, ours: true},
		"one contradicts": {bad: true, says: []string{"wrong-answer", "ok"}},
	} {
		t.Run(name, func(t *testing.T) {
			o, log := standIns(t)
			for _, list := range [][]compilers.Target{o.Targets[1:], o.Sanitizers} {
				for _, other := range list {
					other.(*standIn).language = tongue
				}
			}
			garbles(o.Targets[0], "fast", "a")
			if tt.bad {
				objects(o.Sanitizers[0], "a")
			}
			if tt.ours {
				objects(o.Sanitizers[1], "a")
			}
			report, err := o.Check(t.Context(), translated{text{words: []string{"a"}}}, 0)
			assert.Contains(t, *log, "ax-2 check slow: a")
			assert.Contains(t, *log, "bx-1 check slow: a")
			assert.NotContains(t, *log, "ax-2 slow: a", "sanitizers are enough")
			if tt.ours {
				var c *oracle.Contradiction
				require.ErrorAs(t, err, &c)
				assert.True(t, c.Ours())
				assert.Contains(t, c.Error(), "in tongue")
				return
			}
			require.NoError(t, err)
			require.NotNil(t, report.Finding)
			e, err := report.Finding.Entry()
			require.NoError(t, err)
			for i, who := range []string{"ax-2 check slow in tongue", "bx-1 check slow in tongue"} {
				assert.Contains(t, e.Witness, corpus.Witness{Who: who, Said: tt.says[i]})
			}
		})
	}
}
