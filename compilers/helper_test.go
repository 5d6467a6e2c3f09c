package compilers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

// helperVar turns the test binary into a process that waits for an endless
// child, for TestKilledProcessLeavesNothing to kill.
const helperVar = "COMPILERS_TEST_HELPER"

// largeVar turns the test binary into a process that has had much memory and
// runs the binaries named, for TestLargeProcess.
const largeVar = "COMPILERS_TEST_LARGE"

func TestMain(m *testing.M) {
	if binaries := os.Getenv(largeVar); binaries != "" {
		memory := make([]byte, 400<<20)
		for i := 0; i < len(memory); i += 4096 {
			memory[i] = 1
		}
		runtime.KeepAlive(memory)
		limits := roomy()
		limits.RunMemory, limits.RunCPU = 256<<20, time.Minute // where pages are slow to come
		for binary := range strings.SplitSeq(binaries, ":") {
			fmt.Println(Run(context.Background(), binary, nil, nil, limits))
		}
		return
	}
	if base := os.Getenv(helperVar); base != "" {
		ws, err := NewWorkspace(base)
		if err != nil {
			panic(err)
		}
		dir, err := ws.newJob()
		if err != nil {
			panic(err)
		}
		program := filepath.Join(dir, "endless")
		if err := os.WriteFile(program, []byte("#!/bin/sh\nexec sleep 1000\n"), 0o700); err != nil {
			panic(err)
		}
		fmt.Println(ws.Dir())
		Run(context.Background(), program, nil, nil, Limits{})
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

// fake returns a toolchain that is a shell script.
func fake(t testing.TB, body string) Toolchain {
	t.Helper()
	return Toolchain{
		Name:       "gcc-99",
		Path:       script(t, filepath.Join(t.TempDir(), "gcc-99"), body),
		Family:     GCC,
		Version:    "99.1.0",
		searchPath: os.Getenv("PATH"),
	}
}

// fakeProgram writes a shell script where Build would put a binary.
func fakeProgram(t testing.TB, ws *Workspace, body string) string {
	t.Helper()
	dir, err := ws.newJob()
	require.NoError(t, err)
	return script(t, filepath.Join(dir, binaryName), body)
}

// installed returns the toolchains of the machine.
func installed(t testing.TB) []Toolchain {
	t.Helper()
	found, err := Find(t.Context(), Env{Path: os.Getenv("PATH")})
	require.NoError(t, err)
	return found
}

// oneOfEachFamily returns the first gcc and the first clang there are.
func oneOfEachFamily(t testing.TB) []Toolchain {
	t.Helper()
	var some []Toolchain
	for _, tc := range installed(t) {
		if len(some) == 0 || some[len(some)-1].Family != tc.Family {
			some = append(some, tc)
		}
	}
	for _, family := range []Family{GCC, Clang} {
		if !slices.ContainsFunc(some, func(tc Toolchain) bool { return tc.Family == family }) {
			need.Partly(t, string(family), "no %s on PATH", family)
		}
	}
	return some
}

// firstOf returns a toolchain of the family, or skips the test.
func firstOf(t testing.TB, family Family) Toolchain {
	t.Helper()
	for _, tc := range oneOfEachFamily(t) {
		if tc.Family == family {
			return tc
		}
	}
	need.Missing(t, string(family), "no %s on PATH", family)
	return Toolchain{}
}

// roomy are limits that a real compilation never meets.
func roomy() Limits {
	l := DefaultLimits()
	l.CompileCPU, l.CompileWall = 20*time.Second, time.Minute
	l.RunWall = time.Minute
	return l
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
