package wasm_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/emit/structure"
	"goreify/reify/emit/wasm"
	"goreify/reify/ir"
)

// expected returns the graph of a function as Graphs has it: without what cannot be
// reached.
func expected(f *ir.Function) [][]int {
	g := f.Graph()
	want := make([][]int, len(g))
	var visit func(at int)
	visit = func(at int) {
		if want[at] != nil {
			return
		}
		want[at] = append([]int{}, g[at]...)
		slices.Sort(want[at])
		for _, to := range g[at] {
			visit(to)
		}
	}
	visit(0)
	return want
}

// The graph that is read back is the graph of the function, in all forms. GRAPHS is the
// number of functions of each profile.
func TestGraphs(t *testing.T) {
	n := 50
	if text := os.Getenv("GRAPHS"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	functions := 0
	for _, profile := range []string{"focus", "mixed", "swarm", "wild", "loops", "paper", "machine"} {
		for first := 0; first < n; first += 50 {
			list := units(cases(t, profile, first, min(50, n-first)))
			for i := range list {
				list[i].Style.Form = structure.Form(i % int(structure.NumForms))
			}
			m := wasm.Emit(list)
			graphs, err := wasm.Graphs(m.Binary, m.Locations)
			require.NoError(t, err, profile)
			for i, u := range list {
				want := expected(u.Claim.Func)
				got := graphs[i]
				for b := range got {
					if want[b] == nil { // of a dispatcher of all blocks
						got[b] = nil
					}
				}
				for len(got) < len(want) {
					got = append(got, nil)
				}
				require.Equal(t, want, got, "%s %d in the form %d\n%s", profile, first+i, u.Style.Form, u.Claim.Func)
				functions++
			}
		}
	}
	t.Log(functions, "functions")
}

// Equal units make equal modules, and what is written can be read.
func TestText(t *testing.T) {
	for _, profile := range []string{"focus", "wild", "paper"} {
		list := units(cases(t, profile, 0, 10))
		m := wasm.Emit(list)
		assert.Equal(t, m.Binary, wasm.Emit(units(cases(t, profile, 0, 10))).Binary)
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
		f.Add(wasm.Emit(units(cases(f, profile, 0, 2))).Binary)
	}
	f.Fuzz(func(t *testing.T, module []byte) {
		text, err := wasm.Text(module)
		if err != nil {
			return
		}
		again, err := wasm.Text(slices.Clone(module))
		require.NoError(t, err)
		require.Equal(t, text, again)
		_, _ = wasm.Graphs(module, [][]wasm.Location{{{}}}) // what it says of nonsense is no matter
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
