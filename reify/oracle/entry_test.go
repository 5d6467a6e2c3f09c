package oracle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

// The command of a reproducer shows the failure in a shell, and nothing in its
// arguments means anything to the shell.
func TestCommandIsQuoted(t *testing.T) {
	need.Long(t)
	args := []string{"-DZ(a)=a", "-DX=$(touch${IFS}escaped)", "-DY=`touch${IFS}escaped`", "-DV=';&|*'"}
	cc := "gcc,gcc-99"
	for _, a := range args {
		cc += " " + a
	}
	o := fakes(t, cc, "-O0,-O2", map[string]string{"gcc-99": wrongF3})
	report, err := o.Check(t.Context(), cases(t, 4), 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	e := entry(t, report.Finding)
	e.Date = "2026-01-02"
	assert.Equal(t, args, e.Flags)
	dir, bin := t.TempDir(), t.TempDir()
	require.NoError(t, e.Extract(dir, false))
	writeFake(t, filepath.Join(bin, "gcc-99"), gccBanner, wrongF3)
	cmd := exec.Command("sh", "-c", e.Command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	assert.Error(t, err)
	assert.Equal(t, 1, cmd.ProcessState.ExitCode(), "%s", out)
	assert.Contains(t, string(out), "< f3 ", "the answers differ")
	assert.FileExists(t, filepath.Join(dir, "repro"))
	assert.NoFileExists(t, filepath.Join(dir, "escaped"))
}
