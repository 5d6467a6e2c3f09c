package fuzzing

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The coordinator shows what workers tell while they run, ends the run at the first new
// finding unless it is to go on, and says what was done.
func TestWatch(t *testing.T) {
	const again, found = "AGAIN: gcc-9 -O2\n  looks like   x\n", "FOUND: gcc-9 -O1\n  to see it    y\n"
	for name, tt := range map[string]struct {
		told   string
		goOn   bool
		status int // of the targets
		want   int
		stops  int
	}{
		"nothing":          {},
		"fails":            {status: 1, want: 1},
		"known":            {told: again},
		"new":              {told: again + found, want: 1, stops: 1},
		"new, and goes on": {told: found + again + found, goOn: true, want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			cache := flag.Lookup("test.fuzzcachedir").Value.String()
			defer func() { require.NoError(t, flag.Set("test.fuzzcachedir", cache)) }()
			var out bytes.Buffer
			stops := 0
			stopped := make(chan bool, 1)
			w := watcher{run: runOf(os.Getpid()), out: &out, goOn: tt.goOn, stop: func() { stops++; stopped <- true }}
			code, err := w.watch(func() int {
				own, _ := filepath.Abs(string(w.run))
				assert.Equal(t, filepath.Join(own, "cache"), flag.Lookup("test.fuzzcachedir").Value.String())
				assert.NoError(t, w.run.tell(tt.told))
				assert.NoError(t, w.run.tally(tally{"gcc-9 -O1": {Batches: 3, Functions: 90}, "gcc-9 -O2": {Batches: 1, Functions: 30, Unanswered: 1}}))
				if tt.stops > 0 {
					<-stopped // it is told of at once
				}
				return tt.status
			})
			require.NoError(t, err)
			assert.Equal(t, tt.want, code)
			assert.Equal(t, tt.stops, stops)
			assert.Contains(t, out.String(), tt.told)
			assert.Contains(t, out.String(), "fuzz: 0 s: asked about 120 functions in 4 compilations by gcc-9, 0 CPU s; findings: 0 new; compilations without an answer in time: 1\n")
			assert.Equal(t, tt.want == 1 && tt.told != "", strings.Contains(out.String(), "make keep"))
			assert.NoDirExists(t, string(w.run))
		})
	}
}

// A second interrupt ends what does not end after the first.
func TestInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	cache := flag.Lookup("test.fuzzcachedir").Value.String()
	defer func() { require.NoError(t, flag.Set("test.fuzzcachedir", cache)) }()
	w := watcher{run: runOf(os.Getpid()), out: new(bytes.Buffer)}
	forever := make(chan int)
	defer close(forever)
	code, err := w.watch(func() int {
		for range 2 {
			interrupt()
			time.Sleep(200 * time.Millisecond)
		}
		return <-forever
	})
	require.NoError(t, err)
	assert.Equal(t, exitUnable, code)
	assert.NoDirExists(t, string(w.run))
}

// Directories of coordinators that were killed are removed, those of others stay.
func TestRunsAreSwept(t *testing.T) {
	t.Chdir(t.TempDir())
	gone := exec.Command("true")
	require.NoError(t, gone.Run())
	require.NoError(t, os.MkdirAll(runOf(gone.Process.Pid).path("cache"), 0o755))
	require.NoError(t, os.MkdirAll(runOf(os.Getppid()).path("cache"), 0o755))
	require.NoError(t, runOf(os.Getpid()).open())
	assert.NoDirExists(t, string(runOf(gone.Process.Pid)))
	assert.DirExists(t, string(runOf(os.Getppid())))
	assert.DirExists(t, runOf(os.Getpid()).path("cache"))
}

// The exit status of the script is 1 for findings that are new alone. It leaves nothing
// behind, and passes on what is said last when it is interrupted.
func TestFuzzScript(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "bin"), 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "tools"), 0o755))
	script, err := os.ReadFile("../fuzz.sh")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tools", "fuzz.sh"), script, 0o644))
	const common = "test -run ^$ -fuzz ^%$ -fuzztime "
	// The real one prints a line where there is no libz3.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tools", "tags.sh"), []byte("echo z3"), 0o644))
	for name, tt := range map[string]struct {
		engine string // a shell script in place of go
		args   string
		status int
		want   string
	}{
		"by default":  {"echo $*", "", 0, strings.ReplaceAll(common, "%", "FuzzReify") + "60s -fuzzminimizetime 0x .\n"},
		"flags":       {"echo $*", "program 5x -go-on", 0, strings.ReplaceAll(common, "%", "FuzzProgram") + "5x -fuzzminimizetime 0x . -go-on\n"},
		"package":     {"echo $*", "portfolio 1s", 0, strings.ReplaceAll(common, "%", "FuzzPortfolio") + "1s -fuzzminimizetime 0x ./reify -tags z3\n"},
		"keep":        {"echo $*", "keep", 0, "run ./tools/keep\n"},
		"nothing":     {"echo PASS; printf 'ok  \\tx\\t1s\\n'", "reify 1s", 0, ""},
		"fails":       {"echo '--- FAIL: FuzzReify'; echo FAIL; exit 1", "reify 1s", 2, "--- FAIL: FuzzReify\n"},
		"time is up":  {"echo context deadline exceeded; exit 1", "reify 1s", 0, "context deadline exceeded\n"},
		"wrong input": {"echo context deadline exceeded; echo Failing input written to x; exit 1", "reify 1s", 2, "context deadline exceeded\nFailing input written to x\n"},
		"known":       {"echo AGAIN: gcc; echo PASS", "reify 1s", 0, "AGAIN: gcc\n"},
		"finding":     {"echo FOUND: gcc; echo PASS; echo exit status 1; printf 'FAIL\\tx\\n'; exit 1", "reify 1s", 1, "FOUND: gcc\n"},
		"interrupted": {"trap 'echo FOUND: gcc; exit 1' INT; kill -INT 0; sleep 5", "reify 1s", 1, "FOUND: gcc\n"},
		"cut short":   {"echo fuzz: 5 s: asked about 30 functions; exit 1", "reify 1s", 0, "fuzz: 5 s: asked about 30 functions\n"},
		"bug of ours": {"echo '--- FAIL: FuzzReify'; echo fuzz: 5 s: asked about 30 functions; exit 1", "reify 1s", 2, "--- FAIL: FuzzReify\nfuzz: 5 s: asked about 30 functions\n"},
		"unknown":     {"echo $*", "tea 1s", 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "bin", "go"), []byte("#!/bin/sh\n"+tt.engine+"\n"), 0o755))
			cmd := exec.Command("sh", append([]string{"tools/fuzz.sh"}, strings.Fields(tt.args)...)...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "TMPDIR="+dir, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			got, _ := cmd.Output()
			assert.Equal(t, tt.status, cmd.ProcessState.ExitCode())
			text := string(got)
			if head, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(head, "fuzz: building Fuzz") {
				text = rest
			}
			assert.Equal(t, tt.want, text)
			left, err := filepath.Glob(filepath.Join(dir, "tmp.*"))
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}
