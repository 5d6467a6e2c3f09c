package wasm

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// engines returns those that are here, wazero first.
func engines(t testing.TB) (list []Engine) {
	env := compilers.EnvFrom(os.Environ())
	for _, name := range []string{"wazero", "node", "node-26", "bun", "wizer", "wasm-opt", "wasm-interp"} {
		e, err := named(t.Context(), env, name)
		if err != nil {
			program, _, _ := strings.Cut(name, "-2")
			need.Partly(t, program, "%v", err)
			continue
		}
		list = append(list, e)
	}
	return list
}

func space(t testing.TB) *compilers.Workspace {
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, ws.Close()) })
	return ws
}

// Each engine runs a module in each mode, in a process of its own and by a server; a box
// may be in the way in the same manner in all modes.
func TestModes(t *testing.T) {
	need.Long(t)
	for _, boxed := range []compilers.BoxPolicy{compilers.BoxOff, compilers.BoxAuto} {
		ws := space(t)
		wall, why, err := ws.Enclose(t.Context(), boxed)
		require.NoError(t, err)
		t.Log(wall, why)
		for _, e := range engines(t) {
			ws.Show(e.Dirs()...)
			require.NoError(t, e.Probe(t.Context(), ws, compilers.DefaultLimits()))
			direct, err := e.LinkDirectly(t.Context(), ws, compilers.DefaultLimits())
			require.NoError(t, err)
			modes := e.kind.modes
			if boxed != compilers.BoxOff {
				modes = modes[:1]
			}
			for _, m := range modes {
				job := compilers.Job{Files: []compilers.File{{Name: MainFile, Content: Encode(probe)}}, Want: []byte("f 42\n"), Mode: m.name}
				o := compilers.Test(t.Context(), e, ws, job, compilers.DefaultLimits())
				assert.Equal(t, compilers.OK, o.Verdict, "%v %s: %v", e, m.name, o)
				assert.NotZero(t, o.CompileCPU)
				for range 2 {
					o := compilers.Test(t.Context(), direct, ws, job, compilers.DefaultLimits())
					assert.Equal(t, compilers.OK, o.Verdict, "%v %s: %v", e, m.name, o)
				}
				job.Want = []byte("f 41\n")
				o = compilers.Test(t.Context(), direct, ws, job, compilers.DefaultLimits())
				assert.Equal(t, `wrong-answer: printed "f 42", want "f 41"`, o.String(), "%v %s", e, m.name)
			}
			t.Log(e, e.ID())
		}
	}
}

// A function that is called often finds all that its earlier calls left behind: f of this
// module returns 42 until its 301st call.
func TestTraining(t *testing.T) {
	need.Long(t)
	ws := space(t)
	module := []byte("\x00asm\x01\x00\x00\x00" +
		"\x01\x05\x01\x60\x00\x01\x7f" + // () i32
		"\x03\x02\x01\x00" +
		"\x06\x06\x01\x7f\x01\x41\x00\x0b" + // a mutable global
		"\x07\x05\x01\x01f\x00\x00" +
		"\x0a\x14\x01\x12\x00\x23\x00\x41\x01\x6a\x24\x00\x41\x2a\x23\x00\x41\xac\x02\x4a\x6b\x0b" +
		"\x00\x0e\x05calls" + "f f i32\n")
	for _, e := range engines(t) {
		if _, ok := e.kind.modes.Find("@tiered"); !ok {
			continue
		}
		for mode, want := range map[string]string{"@tiered": "f 42 varies 41 at call 301\n", e.Reference(): "f 42\n"} {
			job := compilers.Job{Files: []compilers.File{{Name: MainFile, Content: Encode(module)}}, Want: []byte(want), Mode: mode}
			o := compilers.Test(t.Context(), e, ws, job, compilers.DefaultLimits())
			assert.Equal(t, compilers.OK, o.Verdict, "%v %s: %v", e, mode, o)
		}
	}
}
