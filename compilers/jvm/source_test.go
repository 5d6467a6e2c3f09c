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

// A program of source text is right, or ends with what it got.
func TestRunSource(t *testing.T) {
	need.Command(t, "java")
	env := compilers.EnvFrom(os.Environ())
	env.CC = "java"
	found, _, err := targets.Find(t.Context(), env)
	require.NoError(t, err)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer func() { require.NoError(t, ws.Close()) }()
	for value, want := range map[string]compilers.Verdict{"2": compilers.OK, "3": compilers.WrongAnswer} {
		text := "class Reduced {\n    public static void main(String[] args) { if (" + value + " != 2) throw new AssertionError(" + value + "); }\n}\n"
		o := found[0].(compilers.Sourced).RunSource(t.Context(), ws, compilers.File{Name: "Reduced.java", Content: []byte(text)}, []string{"-Xbatch"}, compilers.DefaultLimits())
		assert.Equal(t, want, o.Verdict, "%v\n%s%s", o, o.Stdout, o.Stderr)
	}
}
