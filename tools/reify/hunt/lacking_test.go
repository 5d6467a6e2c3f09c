package hunt

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/source/function"
	"goreify/reify/source/program"
	"goreify/reify/subject"
)

// A lacking target is one of C without some features.
type lacking struct {
	compilers.Target
	lacks []string
}

func (l lacking) Language() compilers.Language { return compilers.C }
func (l lacking) Traits() compilers.Traits {
	return compilers.Traits{ByteOrder: binary.LittleEndian, CharSigned: true, Long: 8, Pointer: 8, Lacks: l.lacks}
}

// A hunt draws nothing that all its targets lack.
func TestLacking(t *testing.T) {
	less, more := lacking{lacks: []string{"vector", "builtin", "other-types"}}, lacking{lacks: []string{"builtin", "asm", "vector"}}
	for _, name := range []string{"vectors", "narrow", "wild-programs"} {
		k, ok := findKind(Kinds(), name)
		require.True(t, ok)
		of := func(k Kind) []string {
			switch s := k.Source.(type) {
			case function.Source:
				return s.Lacks
			case program.Source:
				return s.Lacks
			}
			return []string{"another source"}
		}
		assert.Empty(t, of(k.Lacking(nil)))
		assert.Empty(t, of(k.Lacking([]compilers.Target{less, lacking{}})), "one has it all")
		masked := k.Lacking([]compilers.Target{less, more})
		assert.Equal(t, []string{"vector", "builtin"}, of(masked))
		assert.Empty(t, of(k), "as it was")

		// The input says it, so that another run makes the same of it.
		in := masked.Source.Draw(stream(7, 3))
		assert.Contains(t, string(in.Data), `"Lacks":["vector","builtin"]`)
		assert.NotContains(t, string(k.Source.Draw(stream(7, 3)).Data), "Lacks")
		s, err := k.Source.Make(t.Context(), in)
		require.NoError(t, err)
		needs := compilers.NeedsOf(s.Artefact().Files).Features
		assert.NotContains(t, needs, "vector") // of builtins the shapes have some of their own, which the oracle leaves out
		with, err := k.Source.Make(t.Context(), k.Source.Draw(stream(7, 3)))
		require.NoError(t, err)
		assert.NotEqual(t, s.Artefact().Files, with.Artefact().Files)
		_, ok = s.(subject.Group)
		assert.True(t, ok)
	}
	k, ok := findKind(Kinds(), "go-focus")
	require.True(t, ok)
	assert.Equal(t, k.Source, k.Lacking([]compilers.Target{less}).Source, "of another language")
}
