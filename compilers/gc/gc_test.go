package gc

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
)

func TestTry(t *testing.T) {
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer ws.Close()
	env := compilers.EnvFrom(os.Environ())
	env.CC = os.Getenv("TRYCC")
	found, unknown, err := findAll(t.Context(), env)
	require.NoError(t, err)
	require.Empty(t, unknown)
	for _, n := range []string{"focus", "mixed", "wild", "paper"} {
		text, _ := os.ReadFile("/tmp/g/" + n + "/repro.go")
		want, _ := os.ReadFile("/tmp/g/" + n + "/want")
		for _, f := range found {
			for _, m := range f.Modes() {
				o := compilers.Test(t.Context(), f, ws, compilers.Job{Files: []compilers.File{{Name: compilers.MainGo, Content: text}}, Want: want, Mode: m}, compilers.DefaultLimits().ForFunctions(40))
				t.Log(n, f, m, o.CompileCPU, o.LinkCPU, o.RunCPU, o.Verdict, o.Message, o.Crash, o.Named, o.Command)
				assert.Equal(t, compilers.OK, o.Verdict)
			}
		}
	}
}
