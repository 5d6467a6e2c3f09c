package hunt

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/jvm"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// A virtual machine that gets answers wrong which are 7 modulo 50, unless it interprets or a
// pass is left out, is found, and what it gets wrong is kept with all that people need.
// One that lies only when it has served other classes before is not accused.
func TestMachines(t *testing.T) {
	need.Long(t)
	java, javac := need.Command(t, "java"), need.Command(t, "java", "javac")
	const call = "value = f.applyAsLong(c.request);"
	dir := t.TempDir()
	text := strings.Replace(jvm.Runner, call, call+` if ((Boolean.getBoolean("always") || ++used > 100) && value % 50 == 7) value++;`, 1)
	text = strings.Replace(text, "	// A call is", "	private static int used;\n\n	// A call is", 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, jvm.RunnerFile), []byte(text), 0o600))
	out, err := exec.Command(javac, "-J-XX:TieredStopAtLevel=1", "--release", "8", "-Xlint:-options", "-d", dir, filepath.Join(dir, jvm.RunnerFile)).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, name := range []string{"always", "used"} {
		t.Run(name, func(t *testing.T) {
			script := fmt.Sprintf(`#!/bin/bash
case "$*" in
-version | *-Xint* | *-PartialPeelLoop*) ;;
*) args=(); for a; do [ "$a" = . ] && a=%s; args+=("$a"); done; set -- -D%s=true "${args[@]}" ;;
esac
exec %s "$@"
`, dir, name, java)
			fake := filepath.Join(t.TempDir(), "java")
			require.NoError(t, os.WriteFile(fake, []byte(script), 0o700))
			found, unknown, err := jvm.Finder.Find(t.Context(), compilers.Env{CC: "java=" + fake + ",java=" + java, Modes: "@int,@c1", Path: os.Getenv("PATH")})
			require.NoError(t, err)
			require.Empty(t, unknown)
			space, err := compilers.NewWorkspace(t.TempDir())
			require.NoError(t, err)
			defer space.Close()
			o, err := oracle.New(t.Context(), space, found, true)
			require.NoError(t, err)

			opt := options(t, t.TempDir(), 1, 60)
			opt.Kinds, err = SelectKinds(Kinds(), "jvm-focus")
			require.NoError(t, err)
			source := opt.Kinds[0]
			opt.Mix, opt.Seeds = []Kind{source}, int64(source.Seeds)
			sum := finished(t, o, opt)
			if name == "used" {
				assert.Zero(t, sum.Findings, "what is right in a process of its own")
				return
			}
			assert.EqualValues(t, 1, sum.Buckets)
			paths, err := filepath.Glob(filepath.Join(opt.Dir, "findings", "*", "finding.txtar"))
			require.NoError(t, err)
			require.Len(t, paths, 1)
			e, err := corpus.Load(paths[0])
			require.NoError(t, err)
			assert.Equal(t, compilers.JVM, e.Language)
			assert.Equal(t, "@c1", e.Mode)
			assert.Contains(t, e.Command, "TieredStopAtLevel=1")
			assert.Contains(t, e.Members["repro.jasm"], "class Cases")
			assert.Contains(t, e.Members, jvm.RunnerFile)
		})
	}
}
