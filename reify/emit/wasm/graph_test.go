package wasm_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/emit/wasm"
	"goreify/tools/need"
)

// Equal units make equal modules, and what is written can be read.
func TestText(t *testing.T) {
	for _, profile := range []string{"focus", "wild", "paper"} {
		list := units(cases(t, profile, 0, 10))
		m := emit(t, list)
		assert.Equal(t, m.Binary, emit(t, units(cases(t, profile, 0, 10))).Binary)
		text, err := wasm.Text(m.Binary)
		require.NoError(t, err)
		for _, u := range list {
			assert.Contains(t, text, fmt.Sprintf("(export %q)", u.Claim.Func.Name))
		}
		assert.Equal(t, strings.Count(text, "("), strings.Count(text, ")"))
	}
}

func FuzzWasm(f *testing.F) {
	for _, profile := range []string{"focus", "wild"} {
		f.Add(emit(f, units(cases(f, profile, 0, 2))).Binary)
	}
	f.Fuzz(func(t *testing.T, module []byte) {
		module = module[:min(len(module), need.MostInput)]
		var text string
		var err error
		need.Little(t, func() { text, err = wasm.Text(module) })
		if err != nil {
			return
		}
		again, err := wasm.Text(slices.Clone(module))
		require.NoError(t, err)
		require.Equal(t, text, again)
		need.Little(t, func() { _, _ = wasm.Graphs(module, [][]wasm.Location{{{}}}) }) // what it says of nonsense is no matter
	})
}

// A module of some bytes does not become gigabytes when it is read.
func TestManyLocals(t *testing.T) {
	const n = 100
	body := []byte{6, 1, 0xd0, 0x86, 0x03, 0x7f, 0x0b} // 50,000 locals
	code := append([]byte{n}, bytes.Repeat(body, n)...)
	module := []byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03")
	module = append(append(module, n+1, n), make([]byte, n)...)
	module = append(binary.AppendUvarint(append(module, 10), uint64(len(code))), code...)
	_, err := wasm.Text(module)
	assert.EqualError(t, err, "section 10: function 20: wasm: malformed module: byte 6: too many locals")
}
