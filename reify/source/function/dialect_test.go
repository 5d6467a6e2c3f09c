package function

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/lower"
)

// For a compiler without vectors and wide integers functions that have them are lowered, and
// nothing that is written needs them.
func TestDialect(t *testing.T) {
	lacks := []string{"vector", "int128", "bitint", "overflow", "builtin"}
	for _, profile := range []string{"vectors", "wide"} {
		const n = 25
		o := Options{Profile: profile, Lacks: lacks, Size: n}
		require.NoError(t, o.Check())
		in := Encode(Name, Seeds{Profile: profile, Lacks: lacks, First: 3, Count: n})
		lang, err := Seeds{Lacks: lacks}.In()
		require.NoError(t, err)
		b := made(t, in)
		assert.Greater(t, len(b.Cases), n/2, profile)
		lowered := 0
		for _, k := range b.Cases {
			assert.False(t, lower.Needs(k.Func, lang.Lacks), k.Func)
		}
		needs := compilers.NeedsOf(b.Artefact().Files).Features
		for _, name := range lacks {
			assert.NotContains(t, needs, name, profile)
		}
		all := made(t, Encode(Name, Seeds{Profile: profile, Lacks: lacks[4:], First: 3, Count: n}))
		for _, k := range all.Cases {
			if lower.Needs(k.Func, lang.Lacks) {
				lowered++
			}
		}
		assert.Greater(t, lowered, len(b.Cases)/2, "with these features they are what they were")
	}
}
