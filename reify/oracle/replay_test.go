package oracle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// statuses returns what became of each configuration.
func statuses(list []oracle.Replay) map[string]oracle.Status {
	got := map[string]oracle.Status{}
	for _, r := range list {
		got[r.Config.String()] = r.Status
	}
	return got
}

// replayed returns a reproducer of two files with a flag.
func replayed() *corpus.Entry {
	return &corpus.Entry{
		Language: compilers.C, Main: compilers.MainC,
		Family: "gcc", Version: "12.2.0", Mode: "-O2", Flags: []string{"-DANSWER=42"},
		Sources: map[string]string{
			compilers.MainC: "#include <stdio.h>\nint second(void);\nint main(void) { printf(\"%d\\n\", second()); return 0; }\n",
			"second.c":      "#ifndef ANSWER\n#define ANSWER 42\n#endif\nint second(void) { return ANSWER; }\n",
		},
		Want: "42\n",
	}
}

// The flags go to the compilers of the family alone, and who does not take them
// is no regression.
func TestReplayFlags(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	refuses := `case "$*" in *-DANSWER*) echo "error: unknown argument" >&2; exit 1 ;; esac`
	writeFake(t, filepath.Join(dir, "gcc-98"), gccBanner, refuses)
	writeFake(t, filepath.Join(dir, "gcc-99"), gccBanner, "")
	writeFake(t, filepath.Join(dir, "clang-99"), "clang version 99.1.0", refuses)
	o := asking(t, compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: "gcc-98,gcc-99,gcc-99 -DANSWER=41,clang-99", Modes: "-O0,-O2"})

	list := o.Replay(t.Context(), replayed())
	assert.Equal(t, map[string]oracle.Status{
		"gcc-98 -DANSWER=42 -O0": oracle.Unclear, "gcc-98 -DANSWER=42 -O2": oracle.Unclear,
		"gcc-99 -DANSWER=42 -O0": oracle.Passes, "gcc-99 -DANSWER=42 -O2": oracle.Passes,
		"gcc-99 -DANSWER=41 -O0": oracle.AlsoFails, "gcc-99 -DANSWER=41 -O2": oracle.AlsoFails,
		"clang-99 -O0": oracle.Passes, "clang-99 -O2": oracle.Passes,
	}, statuses(list))
	assert.Equal(t, compilers.Discarded, list[0].Outcome.Verdict)
	assert.Contains(t, list[0].Outcome.Message, "gcc-98 -DANSWER=42 cannot be used")
	assert.Contains(t, list[0].Outcome.Message, "unknown argument")
}

// Only who is listed as right, or vouched for the answer, is a regression.
func TestReplayRegressions(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	wrong := `sed -i 's/second());/second() + 1);/' repro.c`
	for name, version := range map[string]string{"gcc-98": "98.1.0", "gcc-99": "99.1.0", "gcc-100": "100.0.0"} {
		writeFake(t, filepath.Join(dir, name), strings.Replace(gccBanner, "99.1.0", version, 1), wrong)
	}
	o := asking(t, compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: "gcc-98,gcc-99,gcc-100", Modes: "-O0,-O1,-O2"})
	e := replayed()
	e.Compiler, e.Version, e.Flags = "gcc-99", "99.1.0", nil
	e.Good = []corpus.Configuration{{Family: "gcc", Version: "98.1.0", Modes: []string{"-O0", "-O2"}}}
	e.Witness = []corpus.Witness{{Who: "gcc-99 -O0", Said: "ok"}, {Who: "gcc-100 -O0", Said: "ok"}}
	assert.Equal(t, map[string]oracle.Status{
		"gcc-98 -O0": oracle.Regression, "gcc-98 -O1": oracle.AlsoFails, "gcc-98 -O2": oracle.Regression,
		"gcc-99 -O0": oracle.Regression, "gcc-99 -O1": oracle.AlsoFails, "gcc-99 -O2": oracle.Known,
		"gcc-100 -O0": oracle.AlsoFails, "gcc-100 -O1": oracle.AlsoFails, "gcc-100 -O2": oracle.AlsoFails, // another of that name, maybe
	}, statuses(o.Replay(t.Context(), e)))
	e.Verdict = corpus.Untested
	assert.Equal(t, oracle.Regression, statuses(o.Replay(t.Context(), e))["gcc-100 -O2"], "nobody was asked before")
}

// Flags that could do more than change how a program is compiled reach no
// compiler, unless the user gave them.
func TestReplayScreensFlags(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	writeFake(t, filepath.Join(dir, "gcc-99"), gccBanner, "echo \"$*\" >>"+log)
	env := compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: "gcc-99", Modes: "-O2"}
	o := asking(t, env)
	e := replayed()
	require.NoError(t, o.Admit(e))
	e.Flags = []string{"-DANSWER=42", "-wrapper", "/tmp/evil"}
	assert.ErrorContains(t, o.Admit(e), "flags: -wrapper is not a flag that a reproducer may bring")
	list := o.Replay(t.Context(), e)
	require.Len(t, list, 1)
	assert.Equal(t, oracle.Unclear, list[0].Status)
	assert.Contains(t, list[0].Outcome.Message, "flags: -wrapper")
	said, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.NotContains(t, string(said), "evil")

	e.Flags = []string{"-B", dir}
	require.Error(t, o.Admit(e))
	env.CC = "gcc-99,gcc-99 -B " + dir
	o = asking(t, env)
	require.NoError(t, o.Admit(e))
	assert.Len(t, o.Replay(t.Context(), e), 2)
}

// A target that takes no flags is not asked without them.
func TestReplayWithoutFlags(t *testing.T) {
	o, log := standIns(t)
	e, err := text{words: []string{"a"}}.Entry()
	require.NoError(t, err)
	e.Family, e.Flags = "ax", []string{"-flag"}
	assert.NoError(t, o.Admit(e))
	list := o.Replay(t.Context(), e)
	assert.Equal(t, map[string]oracle.Status{
		"ax-1 fast": oracle.Unclear, "ax-2 fast": oracle.Unclear, "bx-1 fast": oracle.Passes,
	}, statuses(list))
	assert.Equal(t, compilers.Discarded, list[0].Outcome.Verdict)
	assert.Equal(t, "ax-1 takes no flags, and the program needs -flag", list[0].Outcome.Message)
	assert.Equal(t, []string{"bx-1 fast: a"}, *log)
}

// Families that never failed are asked at the level of the finding alone, unless
// nobody is asked there.
func TestReplayBriefly(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	writeFake(t, filepath.Join(dir, "gcc-99"), gccBanner, "")
	writeFake(t, filepath.Join(dir, "clang-99"), "clang version 99.1.0", "")
	o := asking(t, compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: "clang-99,gcc-99", Modes: "-O0,-O2,-O3"})

	e := replayed()
	assert.Equal(t, map[string]oracle.Status{
		"gcc-99 -DANSWER=42 -O0": oracle.Passes, "gcc-99 -DANSWER=42 -O2": oracle.Passes,
		"clang-99 -O2": oracle.Passes,
	}, statuses(o.ReplayBriefly(t.Context(), e)))

	e.Bad = []corpus.Configuration{{Family: "clang", Version: "99.1.0", Modes: []string{"-O2"}}}
	assert.Equal(t, map[string]oracle.Status{
		"gcc-99 -DANSWER=42 -O0": oracle.Passes, "gcc-99 -DANSWER=42 -O2": oracle.Passes,
		"clang-99 -O0": oracle.Passes, "clang-99 -O2": oracle.Fixed,
	}, statuses(o.ReplayBriefly(t.Context(), e)))

	e.Bad, e.Mode = nil, "-Os"
	assert.Len(t, o.ReplayBriefly(t.Context(), e), 6)
}

// The command of a finding fails if the program does anything but print the
// right answer and exit with status 0.
func TestFindingCommand(t *testing.T) {
	need.Command(t, "gcc")
	f := &oracle.Finding{
		Subject: cases(t, 1), Config: oracle.Config{Target: native.Toolchain{Name: "gcc"}, Mode: "-O0"},
		Outcome: compilers.Outcome{Verdict: compilers.WrongAnswer, Command: []string{"gcc -O0 -w repro.c -o repro", "./repro"}},
	}
	e := entry(t, f)
	for name, tt := range map[string]struct {
		statements string
		want       int // exit status
	}{
		"right":             {`puts("42");`, 0},
		"wrong":             {`puts("41");`, 1},
		"right but status":  {`puts("42"); return 1;`, 1},
		"right but crashes": {`puts("42"); fflush(stdout); __builtin_trap();`, 1},
		"mute":              {``, 1},
	} {
		t.Run(name, func(t *testing.T) {
			e.Sources[compilers.MainC] = "#include <stdio.h>\nint main(void) { " + tt.statements + " return 0; }\n"
			e.Want = "42\n"
			dir := t.TempDir()
			for file, text := range map[string]string{compilers.MainC: e.Sources[compilers.MainC], "want.txt": e.Want} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
			}
			cmd := exec.Command("sh", "-c", e.Command)
			cmd.Dir = dir
			out, _ := cmd.CombinedOutput()
			assert.Equal(t, tt.want, cmd.ProcessState.ExitCode(), "%s", out)
		})
	}
}
