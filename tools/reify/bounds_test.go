package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/tools/cmdline"
	"goreify/tools/need"
)

// A desk that can be taken in: bounds of what a user has to know. Those of flags are of
// reify; the rest of 90 are lab's, whose test has the other bound.
const (
	mostCommands  = 15
	mostFlags     = 82
	mostTargets   = 16
	mostVariables = 8
	mostLines     = 24 // of help
	mostColumns   = 100
)

func TestBounds(t *testing.T) {
	a := app()
	assert.LessOrEqual(t, len(a.Commands), mostCommands, "commands")
	flags := len(a.Flags) + len(cmdline.Globals())
	for _, c := range a.Commands {
		assert.Empty(t, c.Commands, c.Name)
		flags += len(c.Flags)
	}
	assert.LessOrEqual(t, flags, mostFlags, "flags")
	t.Logf("%d commands, %d flags", len(a.Commands), flags)

	text, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	targets := regexp.MustCompile(`(?m)^[a-z-]+:`).FindAllString(string(text), -1)
	assert.LessOrEqual(t, len(targets), mostTargets, "%q", targets)

	said := compilers.CheckEnv([]string{"REIFY_NONE=1"})
	require.Error(t, said)
	_, list, _ := strings.Cut(said.Error(), "want ")
	assert.LessOrEqual(t, len(strings.Split(list, ", "))+2, mostVariables, "%s, and two of our own", list)
	t.Setenv("REIFY_LEVEL", "-O2")
	assert.Contains(t, complains(t, "version"), "unknown variables in the environment: REIFY_LEVEL")
}

// Help of each command fits a screen, and each line a terminal.
func TestHelpFits(t *testing.T) {
	check := func(name, text string, most int) {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		assert.LessOrEqual(t, len(lines), most, name)
		for _, line := range lines {
			assert.LessOrEqual(t, len(line), mostColumns, "%s: %s", name, line)
		}
	}
	status, out := command(t)
	assert.Zero(t, status)
	check("reify", out, mostLines+7)
	for _, c := range app().Commands {
		status, out := command(t, c.Name, "-help")
		assert.Zero(t, status)
		check(c.Name, out, mostLines)
		assert.Contains(t, out, "USAGE: reify "+c.Name)
		for _, f := range c.Flags {
			if visible, ok := f.(cli.VisibleFlag); !ok || visible.IsVisible() {
				assert.Contains(t, out, "\n  -"+f.Names()[0], c.Name)
			}
		}
	}
	for _, list := range [][]string{{"gen", "-profiles"}, {"hunt", "-mixes"}} {
		_, out := command(t, list...)
		check(strings.Join(list, " "), out, 1000)
	}
	make, err := exec.LookPath("make")
	if err != nil {
		t.Skip("NOT TESTED: make help; there is no make")
	}
	cmd := exec.Command(make, "--no-print-directory")
	cmd.Dir = "../.."
	help, err := cmd.Output()
	require.NoError(t, err)
	check("make", string(help), 40)
	assert.Contains(t, string(help), "hunt      looks for compiler bugs")
}

// Bash completes commands and flags.
func TestCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("NOT TESTED: completion; there is no bash")
	}
	status, script := command(t, "completion", "bash")
	require.Zero(t, status)
	complete := func(words ...string) string {
		dir := t.TempDir()
		exe, err := os.Executable()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(dir+"/reify", []byte("#!/bin/sh\nexec env "+commandVar+"=1 '"+exe+"' \"$@\"\n"), 0o700))
		require.NoError(t, os.WriteFile(dir+"/script", []byte(script), 0o600))
		// What the package bash-completion defines.
		cmd := exec.Command(bash, "-c", `_get_comp_words_by_ref() { :; }; . "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); __reify_bash_autocomplete; echo "${COMPREPLY[@]}"`, dir+"/script")
		cmd.Args = append(cmd.Args, words...)
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	assert.Equal(t, "hunt", complete("reify", "hu"))
	assert.Equal(t, "replay report", sorted(complete("reify", "rep")))
	assert.Equal(t, "--mix --mixes", sorted(complete("reify", "hunt", "--mi")))
}

func sorted(words string) string { return strings.Join(slices.Sorted(strings.FieldsSeq(words)), " ") }

// Doctor tells of all that tests may need, by the same names.
func TestDoctor(t *testing.T) {
	status, out := command(t, "doctor", "-json")
	require.Zero(t, status)
	for _, name := range need.Names {
		assert.Contains(t, out, `"name": "`+name+`"`)
	}
	assert.EqualError(t, lacking([]check{{Name: "gcc"}, {Name: "z3", Here: true}}, "z3,gcc"), "required and not here: gcc")
	assert.ErrorContains(t, lacking([]check{{Name: "gcc"}}, "gc"), `-require: unknown name "gc"; did you mean gcc?`)
	assert.NoError(t, lacking([]check{{Name: "z3", Here: true}}, "z3"))
}
