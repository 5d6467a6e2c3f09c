package native

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

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
			fmt.Println(compilers.Run(context.Background(), compilers.Built{Path: binary}, nil, nil, limits))
		}
		return
	}
	os.Exit(m.Run())
}

// patient are limits for a busy machine: small in CPU time, large in wall time.
func patient() compilers.Limits {
	l := compilers.DefaultLimits()
	l.CompileCPU, l.CompileWall = time.Second, time.Minute
	l.RunCPU, l.RunWall = time.Second, time.Minute
	return l
}

func newWorkspace(t testing.TB) *compilers.Workspace {
	t.Helper()
	ws, err := compilers.NewWorkspace(t.TempDir())
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
		Family:     "gcc",
		Version:    "99.1.0",
		searchPath: os.Getenv("PATH"),
	}
}

// installed returns the toolchains of the machine.
func installed(t testing.TB) []Toolchain {
	t.Helper()
	found, err := Toolchains(t.Context(), compilers.Env{Path: os.Getenv("PATH")})
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
	for _, family := range []string{"gcc", "clang"} {
		if !slices.ContainsFunc(some, func(tc Toolchain) bool { return tc.Family == family }) {
			need.Partly(t, family, "no %s on PATH", family)
		}
	}
	return some
}

// firstOf returns a toolchain of the family, or skips the test.
func firstOf(t testing.TB, family string) Toolchain {
	t.Helper()
	for _, tc := range oneOfEachFamily(t) {
		if tc.Family == family {
			return tc
		}
	}
	need.Missing(t, family, "no %s on PATH", family)
	return Toolchain{}
}

// roomy are limits that a real compilation never meets.
func roomy() compilers.Limits {
	l := compilers.DefaultLimits()
	l.CompileCPU, l.CompileWall = 20*time.Second, time.Minute
	l.RunWall = time.Minute
	return l
}

// requireNothingLeft waits until no process is in the workspace, which is where
// all that we start begin: one that was killed may take a moment to go.
func requireNothingLeft(t testing.TB, ws *compilers.Workspace) {
	t.Helper()
	inside := func(link string) bool {
		cwd, err := os.Readlink(link)
		return err == nil && strings.HasPrefix(cwd, ws.Dir()+"/")
	}
	require.Eventually(t, func() bool {
		links, _ := filepath.Glob("/proc/[0-9]*/cwd")
		return !slices.ContainsFunc(links, inside)
	}, 20*time.Second, 5*time.Millisecond, "processes left behind")
}

// findAll is find where an entry of REIFY_CC that is unknown is an error.
func findAll(ctx context.Context, env compilers.Env) ([]compilers.Target, error) {
	found, unknown, err := find(ctx, env)
	if err == nil {
		err = complaint(env, unknown)
	}
	return found, err
}
