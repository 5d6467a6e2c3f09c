package jvm_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/tools/need"
)

// A program of source text is run, and what it prints is kept.
func TestRunSource(t *testing.T) {
	need.Command(t, "java")
	env := compilers.EnvFrom(os.Environ())
	env.CC = "java"
	found, _, err := targets.Find(t.Context(), env)
	require.NoError(t, err)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer func() { require.NoError(t, ws.Close()) }()
	for status, ok := range map[string]bool{"0": true, "1": false} {
		text := "class Reduced {\n    public static void main(String[] args) { System.out.println(2); System.exit(" + status + "); }\n}\n"
		o := found[0].(compilers.Sourced).RunSource(t.Context(), ws, compilers.File{Name: "Reduced.java", Content: []byte(text)}, []string{"-Xbatch"}, compilers.DefaultLimits())
		assert.Equal(t, ok, o.Verdict == compilers.OK, "%v\n%s", o, o.Stderr)
		assert.Equal(t, "2\n", string(o.Stdout))
	}
}
