package compilers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// helperVar turns the test binary into a process that waits for an endless
// child, for TestKilledProcessLeavesNothing to kill.
const helperVar = "COMPILERS_TEST_HELPER"

// helperBoxVar has it wait for one in a box.
const helperBoxVar = "COMPILERS_TEST_HELPER_BOX"

func TestMain(m *testing.M) {
	if base := os.Getenv(helperVar); base != "" {
		ws, err := NewWorkspace(base)
		if err != nil {
			panic(err)
		}
		dir, err := ws.NewDir()
		if err != nil {
			panic(err)
		}
		program := filepath.Join(dir, "endless")
		if err := os.WriteFile(program, []byte("#!/bin/sh\nexec sleep 1000\n"), 0o700); err != nil {
			panic(err)
		}
		fmt.Println(ws.Dir())
		Run(context.Background(), Built{Path: program}, nil, nil, Limits{})
		return
	}
	os.Exit(m.Run())
}

// patient are limits for a busy machine: small in CPU time, large in wall time.
func patient() Limits {
	l := DefaultLimits()
	l.CompileCPU, l.CompileWall = time.Second, time.Minute
	l.RunCPU, l.RunWall = time.Second, time.Minute
	return l
}

func newWorkspace(t testing.TB) *Workspace {
	t.Helper()
	ws, err := NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	return ws
}

// script writes an executable shell script.
func script(t testing.TB, file, body string) string {
	t.Helper()
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+body+"\n"), 0o700))
	return file
}

// fakeProgram writes a shell script where Build would put a binary.
func fakeProgram(t testing.TB, ws *Workspace, body string) Built {
	t.Helper()
	dir, err := ws.NewDir()
	require.NoError(t, err)
	return Built{Path: script(t, filepath.Join(dir, "repro"), body), Space: ws}
}

// processesIn returns the processes whose working directory is in dir, which
// is where all that we start begin. Zombies have none.
func processesIn(dir string) []int {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	var pids []int
	for _, link := range links {
		cwd, err := os.Readlink(link)
		if err != nil || !strings.HasPrefix(cwd, dir+"/") {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// requireNothingLeft waits until every process started in the workspace is
// gone: one that was killed may take a moment to go.
func requireNothingLeft(t testing.TB, ws *Workspace) {
	t.Helper()
	require.Eventually(t, func() bool { return len(processesIn(ws.Dir())) == 0 },
		20*time.Second, 5*time.Millisecond, "processes left behind")
}

func kill(pids []int) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
