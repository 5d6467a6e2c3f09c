package compilers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The names stand in reproducers, so they must not change.
func TestVerdictNames(t *testing.T) {
	var names []string
	for _, v := range Verdicts() {
		names = append(names, v.String())
		parsed, err := ParseVerdict(v.String())
		require.NoError(t, err)
		assert.Equal(t, v, parsed)
	}
	assert.Equal(t, "discarded ok wrong-answer crash endless internal-error slow-compile rejected", strings.Join(names, " "))

	_, err := ParseVerdict("fine")
	assert.EqualError(t, err, `unknown verdict "fine"`)
	assert.Equal(t, "Verdict(99)", Verdict(99).String())
}

func TestVerdictFinding(t *testing.T) {
	for _, v := range Verdicts() {
		assert.Equal(t, v != OK && v != Discarded, v.Finding(), v)
	}
	assert.False(t, Outcome{}.Verdict.Finding(), "an empty outcome is no finding")
	assert.NotEqual(t, OK, Outcome{}.Verdict, "an empty outcome is not right either")
}
