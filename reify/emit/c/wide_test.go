package c

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/tools/need"
)

func wideProgram(t *testing.T) *ir.Program {
	t.Helper()
	data, err := os.ReadFile("testdata/run/wide.ir")
	require.NoError(t, err)
	p, err := ir.Parse(string(data))
	require.NoError(t, err)
	p.Claims = drawCases(t, choice.New([]byte("wide")), p.Funcs[0], 1)
	return p
}

// Short tests know the types, too.
func TestWideTests(t *testing.T) {
	need.Long(t)
	p := wideProgram(t)
	for _, form := range []TestForm{{}, {Goto: true, Print: true}, {Labels: true, Style: Style{VolatileArgs: true}}} {
		requireTestRight(t, p, form)
	}
}

// A compiler without the types answers right, whatever the functions say.
func TestWidesAreNotThere(t *testing.T) {
	p := wideProgram(t)
	p.Claims[0].Want++
	units := []Unit{{Claim: p.Claims[0]}}
	for _, compiler := range compilersFound(t) {
		program, err := compile(t, Emit(units), compiler, "-U__SIZEOF_INT128__", "-U__BITINT_MAXWIDTH__")
		require.NoError(t, err)
		got, status := execute(t, program)
		assert.Equal(t, Want(units), got)
		assert.Zero(t, status)
	}
}

func TestWideNames(t *testing.T) {
	for name, want := range map[string]bool{"i128": true, "u128": true, "bit5": true, "ubit77": true, "UBIT77": true, "bit": false, "u64": false, "i12": false, "x128": false} {
		assert.Equal(t, want, reserved(name), name)
	}
}
