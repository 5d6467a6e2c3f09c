package triage

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// Sanitizers and valgrind see what is undefined, so that a reduced test which is
// would not go unnoticed.
func TestUndefinedIsNoticed(t *testing.T) {
	need.Long(t)
	need.Command(t, "gcc")
	need.Command(t, "valgrind")
	env := compilers.EnvFrom(os.Environ())
	env.CC = "gcc"
	found, named, err := targets.Find(t.Context(), env)
	require.NoError(t, err)
	o, err := oracle.New(t.Context(), workspace(t), found, named)
	require.NoError(t, err)
	o.Limits.CompileWall, o.Limits.RunWall = time.Minute, time.Minute // the machine may be busy
	f := &failure{oracle: o}
	for text, undefined := range map[string]bool{
		"int main(void) { volatile int a = 7; return a - 7; }\n":                               false,
		"int main(void) { volatile int a = 2147483647; a = a + 1; return 0; }\n":               true,
		"int f(int *a) { return *a ? 3 : 4; }\nint main(void) { int a; return f(&a) == 5; }\n": true,
		"int g[2]; int main(void) { volatile int i = 2; return g[i] == 5; }\n":                 true,
		"int main(void) { volatile int z = 0, a = 1; if (z) a = a / z; return a - 1; }\n":      false,
	} {
		who, err := f.clean(t.Context(), compilers.Job{Files: compilers.Single([]byte(text))})
		if undefined {
			assert.ErrorIs(t, err, ErrUndefined, text)
		} else {
			assert.NoError(t, err, text)
			assert.Len(t, who, len(o.Sanitizers)+1, text)
		}
	}
}

// A valgrind that cannot run has not found that nothing is undefined.
func TestValgrindThatCannotRun(t *testing.T) {
	for status, want := range map[string]bool{"0": true, "1": false, "127": false} {
		valgrind := filepath.Join(t.TempDir(), "valgrind")
		require.NoError(t, os.WriteFile(valgrind, []byte("#!/bin/sh\nexit "+status+"\n"), 0o700))
		looked, err := memcheck(t.Context(), valgrind, compilers.Built{Path: "/bin/true"})
		require.NoError(t, err)
		assert.Equal(t, want, looked, status)
	}
}
