package own_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/own"
	"goreify/compilers/targets"
	"goreify/tools/need"
)

// file writes a file of lines.
func file(t *testing.T, lines ...string) string {
	path := filepath.Join(t.TempDir(), "own.txt")
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	return path
}

func TestRead(t *testing.T) {
	list, err := own.Read(file(t, "# mine", "", `a language=C path=/b/cc  ask=-v says="^A (\S+)" mode=-O0 mode=-O2 flags="-x -y" lacks=-w,vector`,
		`b language=JVM path=/b/java says=(.*) mode="@int -Xint" mode=@jit`, "c language=Wasm path=/b/js says=(.*)"))
	require.NoError(t, err)
	require.Len(t, list, 3)
	a := list[0]
	assert.Equal(t, "A 3", a.Says.FindString("x\nA 3"))
	a.Says = nil
	assert.Equal(t, compilers.Line{
		Name: "a", Language: "C", Path: "/b/cc", Ask: "-v", Modes: []compilers.LineMode{{Mode: "-O0", Flags: []string{}}, {Mode: "-O2", Flags: []string{}}},
		Flags: []string{"-x", "-y"}, Lacks: []string{"-w", "vector"},
	}, a)
	assert.Equal(t, "--version", list[1].Ask)
	assert.Equal(t, []compilers.LineMode{{Mode: "@int", Flags: []string{"-Xint"}}, {Mode: "@jit", Flags: []string{}}}, list[1].Modes)
	assert.Equal(t, []compilers.LineMode{{Mode: "@usual"}}, list[2].Modes)

	good := "a language=C path=/b says=(.*)"
	for line, want := range map[string]string{
		"":                                "no line about a compiler",
		"# a":                             "no line about a compiler",
		"A language=C":                    `own.txt:1: "A" is no name`,
		"gcc language=C":                  "gcc is the name of what is known",
		"a":                               "language=: want C, JVM or Wasm",
		"a language=Go path=/b says=(.*)": "language=Go: want C, JVM or Wasm",
		"a language=C path=b says=(.*)":   "path=b: want an absolute path",
		"a language=C path=/b":            "says= is missing",
		good + " x":                       `"x" is no WORD=VALUE`,
		good + ` mode="-O0`:               "is no WORD=VALUE",
		good + " size=3":                  "want language, path, ask, says, mode, flags or lacks",
		"a language=C path=/b says=.*":    "want a group for the version",
		"a language=C path=/b says=(.*":   "missing closing",
		good + " mode=@int":               "that of C is one flag",
		good + ` mode="-O2 -g"`:           "that of C is one flag",
		good + " lacks=speed":             "neither a flag nor a feature: vector, int128",
		good + "\n" + good:                "own.txt:2: there are two of the name a",
		"a language=JVM path=/b says=(.*) mode=-Xint": "others begin with @",
	} {
		_, err := own.Read(file(t, line))
		assert.ErrorContains(t, err, want, line)
	}
	for _, name := range targets.Families() {
		_, err := own.Read(file(t, name+" language=C path=/b says=(.*)"))
		assert.ErrorContains(t, err, "is the name of what is known", name)
	}
}

// env returns an environment with a place to compile in.
func env(t *testing.T, cc string) compilers.Env {
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	return compilers.Env{Path: os.Getenv("PATH"), CC: cc, Space: ws}
}

// A compiler of C that no package knows is one of those that are asked.
func TestCompiler(t *testing.T) {
	need.Command(t, "gcc")
	cc := filepath.Join(t.TempDir(), "strange")
	require.NoError(t, os.WriteFile(cc, []byte(`#!/bin/sh
[ "$1" = -hello ] && { echo "Strange C, release 7.3 (teapot)"; exit; }
for a; do
	shift
	case $a in
	-w) echo "strange: error: there is no -w" >&2; exit 1 ;;
	-fast) ;;
	*) set -- "$@" "$a" ;;
	esac
done
exec gcc -w "$@"
`), 0o700))
	lines := file(t, `strange language=C path=`+cc+` ask=-hello says="^Strange C, release (\S+)" mode=-O0 mode=-fast lacks=-w,vector`)
	for _, entry := range []string{lines, "strange=" + lines} {
		e := env(t, entry+" -g, gcc")
		found, named, err := targets.Find(t.Context(), e)
		require.NoError(t, err)
		assert.True(t, named)
		require.Len(t, found, 2)
		s := found[1]
		assert.Equal(t, compilers.ID{Name: "strange=" + lines, Args: []string{"-g"}, Family: "strange", Version: "7.3"}, s.ID())
		assert.Equal(t, []compilers.Mode{"-O0", "-fast"}, s.Modes())
		assert.Contains(t, s.Traits().Lacks, "vector")
		assert.NotContains(t, s.Traits().Lacks, "overflow")
		require.NoError(t, compilers.Probe(t.Context(), s, e.Space, compilers.DefaultLimits()))
		job := compilers.Job{Files: compilers.Single([]byte("int main(void) { return 0; }\n")), Mode: "-fast"}
		o := compilers.Test(t.Context(), s, e.Space, job, compilers.DefaultLimits())
		assert.Equal(t, compilers.OK, o.Verdict, "%v", o)
		assert.Equal(t, cc+" -g -fast repro.c -o repro", o.Command[0], "as a user types it")
	}
	for entry, want := range map[string]string{
		"other=" + lines: "has no line that begins with other",
		lines + ".txt":   "no such file",
		"strange=" + file(t, "strange language=C path=/none says=(.*)"):               "/none: there is no such file",
		"strange=" + file(t, "strange language=C path="+cc+" ask=-hello says=^x(.*)"): "no strange",
	} {
		_, _, err := targets.Find(t.Context(), env(t, entry))
		assert.ErrorContains(t, err, want, entry)
	}
	e := env(t, lines)
	e.Modes = "@jit"
	_, _, err := targets.Find(t.Context(), e)
	assert.ErrorContains(t, err, `no compiler has the mode "@jit"`)
}

// So are a virtual machine and an engine, of which nothing is known but the lines.
func TestMachineAndEngine(t *testing.T) {
	for name, line := range map[string]string{
		"java": `ask=-version says="version .([0-9._]+)" mode="@slow -Xint" mode="@fast -Xcomp"`,
		"node": `says="v(.*)" mode="@slow --liftoff-only" mode="@fast --no-liftoff"`,
	} {
		t.Run(name, func(t *testing.T) {
			path := need.Command(t, name)
			language := map[string]string{"java": "JVM", "node": "Wasm"}[name]
			e := env(t, file(t, "mine language="+language+" path="+path+" "+line))
			e.Modes = "@fast"
			found, _, err := targets.Find(t.Context(), e)
			require.NoError(t, err)
			require.Len(t, found, 1)
			m := found[0]
			assert.Equal(t, "mine", m.ID().Family)
			assert.Regexp(t, `^\d+\.\d+`, m.ID().Version)
			assert.Equal(t, []compilers.Mode{"@fast"}, m.Modes())
			assert.Equal(t, "@slow", m.Reference())
			assert.True(t, m.Traits().Partial)
			assert.NoError(t, compilers.Probe(t.Context(), m, e.Space, compilers.DefaultLimits()))
			assert.Error(t, compilers.Screen(m, "-Xint"), "nothing is known of flags")
			assert.Empty(t, m.(compilers.Tunable).FlagSets())
			assert.Contains(t, m.(compilers.Commander).Commands(compilers.Job{Mode: "@fast", Files: []compilers.File{{Name: "x"}}}, "")[0], path+" ")
		})
	}
}
