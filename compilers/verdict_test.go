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

// A program that is wrong with one model of a processor, and right with another, accuses
// its emulator.
func TestOtherModel(t *testing.T) {
	ws := newWorkspace(t)
	for body, want := range map[string]Verdict{
		"test $1 = new && echo 42 || echo 41":      Discarded,
		"test $1 = new && echo 42 || kill -ILL $$": Discarded,
		"test $1 = new && kill -ILL $$ || echo 42": OK,
		"echo 41":      WrongAnswer,
		"kill -ILL $$": Crash,
	} {
		b := fakeProgram(t, ws, body)
		b.Traits = &Traits{Emulated: true, Runner: []string{"/bin/sh"}, Other: []string{"/bin/sh", b.Path, "new"}}
		o := Run(t.Context(), b, []string{"old"}, []byte("42\n"), patient())
		assert.Equal(t, want, o.Verdict, "%s: %v", body, o)
	}
}
