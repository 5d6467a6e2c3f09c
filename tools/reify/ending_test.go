package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

// fullPipe returns the end of a pipe to which nothing can be written, and which nobody reads.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	var fds [2]int
	require.NoError(t, syscall.Pipe2(fds[:], syscall.O_CLOEXEC|syscall.O_NONBLOCK))
	for {
		if _, err := syscall.Write(fds[1], make([]byte, 1024)); errors.Is(err, syscall.EAGAIN) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	require.NoError(t, syscall.SetNonblock(fds[1], false))
	reader, writer := os.NewFile(uintptr(fds[0]), "reader"), os.NewFile(uintptr(fds[1]), "full pipe")
	t.Cleanup(func() { _, _ = reader.Close(), writer.Close() })
	return writer
}

// One SIGTERM ends each command within a second, whatever it waits for: a reader of what it
// prints, a compiler that hangs, a database that is locked. It leaves no process and no file.
func TestOneSignalEndsEachCommand(t *testing.T) {
	need.Long(t)
	const entry = "../../corpus/crash-gcc-12-Os-b7b90d33.txtar"
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.txtar")
	require.NoError(t, os.WriteFile(bad, []byte("no reproducer\n"), 0o644))
	mark := "1" + strconv.Itoa(os.Getpid()) // seconds that no other process sleeps
	// A process in a session of its own is held by each box, and by none with -box off.
	for name, script := range map[string]string{"boxed": "/bin/sleep " + mark + " & exec /usr/bin/setsid -w /bin/sleep " + mark, "off": "/bin/sleep " + mark + " & exec /bin/sleep " + mark} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name, "gcc-99"), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte("int main(void) { return 0; }\n"), 0o644))
	findings := filepath.Join(dir, "findings")
	require.NoError(t, os.Mkdir(findings, 0o755))
	text, err := os.ReadFile(entry)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(findings, "a.txtar"), text, 0o644))
	exe, err := os.Executable()
	require.NoError(t, err)
	need.Command(t, "gcc")
	// Runs when the rows, which are parallel, have ended.
	t.Cleanup(func() {
		assert.Error(t, exec.Command("pgrep", "-f", "sleep "+mark+"$").Run(), "processes live on")
	})
	const hangs, deaf = true, false
	const slack = 4 * time.Second // of a busy machine; what does not heed the signal waits for longer
	for _, row := range []struct {
		name string
		args []string
		cc   bool // the compiler hangs; else nobody reads what is printed
	}{
		{"hunt", []string{"hunt", "-n", "10", "-o", filepath.Join(dir, "hunt")}, deaf},
		{"hunt that asks", []string{"hunt", "-n", "10", "-o", filepath.Join(dir, "hunt2")}, hangs},
		{"status", []string{"status", filepath.Join(dir, "hunt")}, deaf},
		{"triage", []string{"triage", "-do", "reduce", "-o", "-", entry}, deaf},
		{"triage that asks", []string{"triage", findings}, hangs},
		{"report", []string{"report", "-o", filepath.Join(dir, "reports"), findings}, deaf},
		{"replay", []string{"replay", entry}, deaf},
		{"replay that asks", []string{"replay", entry}, hangs},
		{"show", []string{"show", entry}, deaf},
		{"export", []string{"export", bad}, deaf},
		{"gen", []string{"gen", "-n", "1", "-o", filepath.Join(dir, "gen")}, deaf},
		{"others that varies", []string{"others", "vary", "-n", "1", "-check", "-o", filepath.Join(dir, "gen"), entry}, hangs},
		{"known", []string{"known", "-known", "../../corpus/known.txt"}, deaf},
		{"compilers", []string{"compilers"}, deaf},
		{"compilers that asks", []string{"compilers"}, hangs},
		{"prove", []string{"prove", "-n", "1"}, deaf},
		{"prove that asks", []string{"prove", "-n", "1"}, hangs},
		{"others", []string{"others", "status", "-what", "functions", "-db", bad}, deaf},
		{"others that asks", []string{"others", "add", "-db", filepath.Join(dir, "p.db"), filepath.Join(dir, "a.c")}, hangs},
		{"doctor", []string{"doctor"}, deaf},
		{"doctor that asks", []string{"doctor"}, hangs},
		{"version", []string{"version"}, deaf},
	} {
		walls := []string{""}
		if row.cc && strings.Contains("hunt that asks, replay that asks", row.name) {
			walls = []string{"", "landlock", "off"}
		}
		for _, wall := range walls {
			t.Run(strings.TrimSpace(row.name+" "+wall), func(t *testing.T) {
				t.Parallel()
				cmd := exec.Command(exe, row.args...)
				tmp := t.TempDir()
				cmd.Env = append(os.Environ(), commandVar+"=1", "REIFY_CC=gcc", "REIFY_MODES=-O0", "REIFY_BOX=auto", "TMPDIR="+tmp)
				var said bytes.Buffer
				cmd.Stdout, cmd.Stderr = &said, &said
				if row.cc {
					bins := filepath.Join(dir, map[bool]string{true: "off", false: "boxed"}[wall == "off"])
					cmd.Env = append(cmd.Env, "REIFY_CC="+filepath.Join(bins, "gcc-99"), "PATH="+bins)
				} else {
					cmd.Stdout, cmd.Stderr = fullPipe(t), fullPipe(t)
				}
				switch wall {
				case "landlock":
					need.NoNamespaces(t, cmd)
				case "off":
					cmd.Env = append(cmd.Env, "REIFY_BOX=off")
				}
				require.NoError(t, cmd.Start())
				ended := make(chan error, 1)
				go func() { ended <- cmd.Wait() }()
				select {
				case <-ended:
					t.Fatalf("it waits for nothing: status %d: %s", cmd.ProcessState.ExitCode(), &said)
				case <-time.After(time.Second):
				}
				require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
				began := time.Now()
				select {
				case <-ended:
					assert.LessOrEqual(t, time.Since(began), time.Second+slack, "%s", &said)
					assert.GreaterOrEqual(t, cmd.ProcessState.ExitCode(), 0, "it was killed by the signal")
				case <-time.After(20 * time.Second):
					t.Error("it goes on")
					_ = cmd.Process.Kill()
					<-ended
				}
				left, err := filepath.Glob(filepath.Join(tmp, "goreify-*", "*"))
				require.NoError(t, err)
				assert.Empty(t, left)
			})
		}
	}
}
