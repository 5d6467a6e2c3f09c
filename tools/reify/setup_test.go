package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A standIn machine has a PATH of its own, with the commands of a shell and scripts. The file
// asked has a line for each call of apt-get.
type standIn struct{ dir, asked string }

func newStandIn(t *testing.T, scripts map[string]string) standIn {
	m := standIn{dir: t.TempDir(), asked: filepath.Join(t.TempDir(), "asked")}
	for _, name := range []string{"sh", "env", "mktemp", "rm", "grep", "tail", "dirname", "true"} {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(m.dir, name)))
	}
	for name, text := range scripts {
		require.NoError(t, os.WriteFile(filepath.Join(m.dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	}
	return m
}

// run runs a script of tools/, with variables, and returns its status and what it printed.
func (m standIn) run(t *testing.T, env []string, script string, args ...string) (status int, out string) {
	cmd := exec.Command("sh", append([]string{"../../tools/" + script}, args...)...)
	tmp := t.TempDir()
	cmd.Env = append(env, "PATH="+m.dir, "HOME="+m.dir, "ASKED="+m.asked, "TMPDIR="+tmp)
	text, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); !exited {
		require.NoError(t, err)
	}
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	assert.Empty(t, left, "temporary files")
	return cmd.ProcessState.ExitCode(), string(text)
}

// Packages are installed for make setup, for the two commands of the quick start and on CI,
// which say so; where they cannot be, and before all other targets, a line says what is
// missing, and the target goes on if there is a compiler.
func TestSetup(t *testing.T) {
	const (
		apt   = `echo "$*" >>"$ASKED"; case "$*" in *install*absent*|*install*clang*libz3*) echo "E: no clang here" >&2; exit 100 ;; esac`
		works = `exit 0`
		no    = `exit 1`
	)
	for name, tt := range map[string]struct {
		scripts   map[string]string
		env, args []string
		status    int
		out       string
		asked     string
	}{
		"all is here": {scripts: map[string]string{"gcc": works, "clang-19": works, "apt-get": apt}, args: []string{"test"}},
		"all is here, said": {scripts: map[string]string{"gcc": works, "clang-19": works, "apt-get": apt}, args: []string{"-with", "", "setup"},
			out: "setup: nothing is missing\n"},
		"another target installs nothing": {scripts: map[string]string{"gcc": no, "apt-get": apt, "id": "echo 0"}, args: []string{"replay"},
			out: "setup: missing here: clang (make setup installs it); going on without it\n"},
		"on CI it does": {scripts: map[string]string{"gcc": works, "apt-get": apt, "id": "echo 0"}, env: []string{"CI=true"}, args: []string{"replay"},
			out: "setup: installing with apt-get: clang\n", asked: "-qq -y update\n-qq -y install clang\n"},
		"the quick start": {scripts: map[string]string{"clang": works, "gcc-11": works, "apt-get": apt, "id": "echo 0"}, args: []string{"check", "test"},
			out:   "setup: installing with apt-get: gcc libc6-dev libz3-dev\n",
			asked: "-qq -y update\n-qq -y install gcc libc6-dev libz3-dev\n"},
		"a package that is not there": {scripts: map[string]string{"gcc": no, "apt-get": apt, "id": "echo 0"}, args: []string{"test"},
			out:   "setup: installing with apt-get: clang libz3-dev\n",
			asked: "-qq -y update\n-qq -y install clang libz3-dev\n-qq -y install clang\n-qq -y install libz3-dev\n"},
		"libz3 is for tests": {scripts: map[string]string{"gcc": no, "clang": works, "apt-get": apt, "id": "echo 0"}, args: []string{"fuzz"}},
		"no network": {scripts: map[string]string{"gcc": works, "apt-get": `echo "E: no route" >&2; exit 100`, "id": "echo 0"}, args: []string{"fuzz"},
			out: "setup: installing with apt-get: clang\nsetup: could not install clang (E: no route); going on without it\n"},
		"no apt-get": {scripts: map[string]string{"gcc": works, "id": "echo 0"}, args: []string{"test"},
			out: "setup: missing here: clang (please install it: packages cannot be installed from here); going on without it\n"},
		"no sudo": {scripts: map[string]string{"gcc": works, "apt-get": apt, "id": "echo 1000"}, args: []string{"test"},
			out: "setup: missing here: clang (please install it: packages cannot be installed from here); going on without it\n"},
		"sudo that asks for a password": {scripts: map[string]string{"gcc": works, "apt-get": apt, "sudo": no, "id": "echo 1000"}, args: []string{"test"},
			out: "setup: missing here: clang (please install it: packages cannot be installed from here); going on without it\n"},
		"sudo": {scripts: map[string]string{"gcc": works, "apt-get": apt, "sudo": `shift; echo sudo >>"$ASKED"; exec "$@"`, "id": "echo 1000"}, args: []string{"test"},
			out: "setup: installing with apt-get: clang\n", asked: "sudo\nsudo\n-qq -y update\nsudo\n-qq -y install clang\n"},
		"no compiler": {scripts: map[string]string{"id": "echo 0"}, args: []string{"test"}, status: 1,
			out: "setup: missing here: gcc libc6-dev clang libz3-dev (please install it: packages cannot be installed from here); going on without it\nsetup: there is no C compiler here\n"},
		"an old compiler": {scripts: map[string]string{"gcc-11": works, "id": "echo 0"}, args: []string{"test"},
			out: "setup: missing here: gcc libc6-dev clang libz3-dev (please install it: packages cannot be installed from here); going on without it\n"},
		"more of it": {scripts: map[string]string{"gcc": works, "gcc-12": `case "$*" in *-o\ /dev/null*) exit 0 ;; esac; exit 1`, "apt-get": apt, "id": "echo 0",
			"gcc-11": works, "clang-14": works, "clang-16": works, "clang-19": works, "dot": works, "llc": works, "valgrind": works, "cvise": works, "chromium": works,
			"csmith": works, "tcc": works, "gccgo-12": works, "wasm-opt": works, "wasm-interp": works}, args: []string{"-with", "all", "setup"},
			out: "setup: installing with apt-get: gcc-12-multilib\n", asked: "-qq -y update\n-qq -y install gcc-12-multilib\n"},
		"WITH of another target": {scripts: map[string]string{"gcc": works, "clang": works}, args: []string{"-with", "cross", "trunk"}},
		"an unknown WITH": {args: []string{"-with", "everything", "setup"}, status: 2,
			out: "setup: there is nothing to set up that is called everything; there are all, engines and harness\n"},
		"no npm": {args: []string{"-with", "engines", "setup"},
			out: "setup: there is no npm; wazero, and node on PATH, need nothing\n"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newStandIn(t, tt.scripts)
			status, out := m.run(t, tt.env, "setup.sh", tt.args...)
			// Where this machine has csmith's headers is not asked through PATH.
			out = strings.ReplaceAll(out, " libcsmith-dev", "")
			assert.Equal(t, tt.status, status, out)
			assert.Equal(t, tt.out, out)
			asked, _ := os.ReadFile(m.asked)
			assert.Equal(t, tt.asked, strings.ReplaceAll(string(asked), " libcsmith-dev", ""))
		})
	}
}

// Only what a case is called and what it is given is checked before root is needed.
func TestFreshRefuses(t *testing.T) {
	m := newStandIn(t, map[string]string{"go": "exit 1", "id": "echo 1000"})
	for _, name := range []string{"cut", "grep"} {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		_ = os.Symlink(path, filepath.Join(m.dir, name))
	}
	status, cases := m.run(t, nil, "fresh.sh", "-cases")
	assert.Zero(t, status)
	assert.Contains(t, cases, "machine-root\n")
	assert.Contains(t, cases, "container-user\n")
	list := strings.Join(strings.Fields(cases), " ")
	for args, want := range map[string]string{
		"machine-root nowhere": "there is no case nowhere; there are " + list,
		"machine":              "there is no case machine; there are " + list,
		"-fast":                "there is no flag -fast; there are -cases and -c COMMAND",
		"-c":                   "-c wants a command",
		"machine-root":         "this takes root: it mounts file systems and makes users",
	} {
		status, out := m.run(t, nil, "fresh.sh", strings.Fields(args)...)
		assert.Equal(t, 2, status, args)
		assert.Equal(t, "fresh: "+want+"\n", out, args)
	}
}

// What variables of make hold reaches the command as it is, and words that mean nothing
// to a target are refused before it does anything.
func TestMakeVariables(t *testing.T) {
	path, err := exec.LookPath("make")
	if err != nil {
		t.Skip("NOT TESTED: variables of make; there is no make")
	}
	run := func(args ...string) (out string, ok bool) {
		cmd := exec.Command(path, append([]string{"--no-print-directory", "-n"}, args...)...)
		cmd.Dir = "../.."
		text, err := cmd.CombinedOutput()
		return string(text), err == nil
	}
	plan, dir := `"gcc-12 -m32" one; it's $HOME`, "a 'b"
	out, ok := run("hunt", "PLAN="+strings.ReplaceAll(plan, "$", "$$"), "DIR="+dir)
	require.True(t, ok, out)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	_, flags, found := strings.Cut(lines[len(lines)-1], "./tools/reify ")
	require.True(t, found, out)
	words, err := exec.Command("sh", "-c", `printf '%s\n' `+flags).Output()
	require.NoError(t, err)
	assert.Equal(t, strings.Join([]string{"hunt", "-o", dir, "-time", "1h", "-plan", plan}, "\n")+"\n", string(words))
	for _, args := range [][]string{{"hunt", "WITH=nothing"}, {"others", "WHAT=nothing"}, {"faults", "WHAT=nothing"}, {"trunk", "WITH=nothing"}} {
		out, ok := run(args...)
		assert.False(t, ok, args)
		assert.Contains(t, out, "=nothing: want ", args)
	}
	trunk, err := exec.Command("sh", "../../tools/trunk.sh", filepath.Join(t.TempDir(), "root"), "nothing").CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(trunk), "nothing is called nothing: want cross or java")
}
