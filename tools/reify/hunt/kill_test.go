package hunt

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/oracle"
	fns "goreify/reify/others/foreign"
	"goreify/reify/others/inject"
	"goreify/tools/need"
)

// commandVar turns the test binary into a hunt in the directory that its first argument
// names, for TestKilled to kill, with the gcc-99 beside and as many batches of
// helperSize as the second one says. With "pool FILE" behind them batches are variants
// of the seeds of a pool, which clang is asked about, too; with "functions" they call
// functions of others, of a database beside the directory, which the hunt writes to.
const (
	commandVar = "REIFY_TEST_COMMAND"
	helperSize = 8
)

var kills = flag.Int("kills", 0, "how often TestKilled kills, also hunts that call functions of others; 0 is a few times")

func TestMain(m *testing.M) {
	if os.Getenv(commandVar) != "" {
		if err := helper(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	os.Exit(kept.Run(m))
}

func helper(dir, count string, more []string) error {
	beside := filepath.Dir(dir)
	o, closer, err := newOracle(context.Background(), beside, beside, "-O0", "-O2")
	if err != nil {
		return err
	}
	defer closer()
	plan, err := ParsePlan("all")
	if err != nil {
		return err
	}
	batches, err := strconv.ParseInt(count, 10, 64)
	if err != nil {
		return err
	}
	kinds := tiny(helperSize)
	if len(more) == 2 {
		kinds = []Kind{textVariants(more[1])}
		if err := withClang(o, beside); err != nil {
			return err
		}
	}
	if len(more) == 1 {
		path := dir + "-functions.db"
		if err := addToys(path); err != nil {
			return err
		}
		db, err := fns.Read(path)
		if err != nil {
			return err
		}
		kinds = []Kind{calling(db, helperSize, inject.Both), calling(db, helperSize, inject.Fixed)}
		kinds[1].Name = "inject-programs"
		if err := withClang(o, beside); err != nil {
			return err
		}
	}
	_, err = Start(context.Background(), o, Options{
		Dir: dir, Seeds: batches * int64(kinds[0].Seeds), Seed: 3, Workers: 1, Plan: plan, Kinds: kinds, Mix: kinds, Log: os.Stderr,
	})
	return err
}

// withClang adds clang, and the sanitizers of both families.
func withClang(o *oracle.Oracle, dir string) error {
	found, _, err := targets.Find(context.Background(), compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: "gcc-99,clang", Modes: "-O0,-O2"})
	if err != nil {
		return err
	}
	o.Targets = found
	for _, t := range found {
		s, err := t.(compilers.Sanitizer).Sanitized(context.Background(), o.Space, o.Limits)
		if err != nil {
			return err
		}
		o.Sanitizers = append(o.Sanitizers, s)
	}
	return nil
}

// start starts a hunt in a process of its own.
func start(t *testing.T, dir string, batches int, more []string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe, append([]string{dir, strconv.Itoa(batches)}, more...)...)
	cmd.Env = append(os.Environ(), commandVar+"=1")
	log, err := os.OpenFile(filepath.Join(filepath.Dir(dir), "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	defer log.Close()
	cmd.Stderr = log
	require.NoError(t, cmd.Start())
	return cmd
}

// waiting counts the calls of a compiler in a file, a byte each. Beside it is
// said at which call it waits to be killed, and whether before or after it has
// compiled. That it waits is told by another file there.
const waiting = `
calls=%s
printf . >>$calls
waits() { : >$calls.waits; exec sleep 60; }
read -r call when <$calls.wait
if [ $(wc -c <$calls) -eq $call ]; then
	[ $when = after ] || waits
	gcc "$@" -O0
	waits
fi
`

// A hunt that is killed again and again ends with what one finds that is left
// alone.
func TestKilled(t *testing.T) {
	need.Named(t)
	t.Run("functions", func(t *testing.T) { killed(t, 4, 3, miscompile) })
	t.Run("texts", func(t *testing.T) {
		need.Sanitizers(t, "clang")
		o := textOracle(t, "")
		killed(t, 2, 1, forgetful, "pool", textPool(t, o, largeSeed))
	})
	t.Run("functions of others", func(t *testing.T) {
		if *kills == 0 {
			t.Skip("NOT TESTED: kills of hunts that call functions of others; make faults WHAT=kill does")
		}
		need.Sanitizers(t, "clang")
		killed(t, 20, 1, edit(another, "", " + 1"), "functions")
	})
}

// killed kills a hunt so many times, unless -kills says otherwise, that has at
// least so many findings. More are arguments of helper.
func killed(t *testing.T, usual, least int, script string, more ...string) {
	times := cmp.Or(*kills, usual)
	batches := max(4, times*2/3) // so many that the last kill comes before the end
	tmp := t.TempDir()
	calls := filepath.Join(tmp, "calls") // a byte for each time a compiler is called
	require.NoError(t, os.WriteFile(calls, nil, 0o600))
	called := func() int64 {
		info, err := os.Stat(calls)
		require.NoError(t, err)
		return info.Size()
	}
	waits := func() bool {
		_, err := os.Stat(calls + ".waits")
		return err == nil
	}
	writeFake(t, tmp, fmt.Sprintf(waiting, calls)+script)
	if len(more) == 2 { // of a pool
		writeClang(t, tmp)
	}
	waitAt := func(call int64, when string) {
		require.NoError(t, os.WriteFile(calls+".wait", fmt.Appendf(nil, "%d %s\n", call, when), 0o600))
	}
	waitAt(0, "never")
	quiet := filepath.Join(tmp, "quiet")
	require.NoError(t, start(t, quiet, batches, more).Wait())
	whole := called()
	want := findings(t, quiet)
	require.GreaterOrEqual(t, len(want), least, "the test needs something to find")

	killed := filepath.Join(tmp, "killed")
	moments := rand.New(rand.NewPCG(3, 0))
	struck := 0
	var progress []int64
	for range times {
		// It gets through two batches at most, and about one on average: one
		// under way is begun again.
		waitAt(called()+1+moments.Int64N(5*whole/2/int64(batches)), []string{"before", "after"}[moments.IntN(2)])
		cmd := start(t, killed, batches, more)
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for !waits() && len(ended) == 0 {
			time.Sleep(time.Millisecond)
		}
		_ = cmd.Process.Kill() // it may have ended
		if <-ended != nil {
			struck++
		}
		_ = os.Remove(calls + ".waits")           // if it did not
		if sum, err := Read(killed); err == nil { // else it had not begun yet
			progress = append(progress, sum.Batches)
		}
	}
	t.Logf("batches done when it was killed: %d, of %d", progress, batches)
	assert.Positive(t, struck, "no run was under way when it was to be killed")
	out, err := os.ReadFile(filepath.Join(tmp, "log"))
	require.NoError(t, err)
	waitAt(0, "never")
	require.NoError(t, start(t, killed, batches, more).Wait(), "%s", out)
	t.Logf("%d of %d kills struck a hunt under way, %d findings in %d buckets", struck, times, len(want), len(saved(t, killed)))

	assert.Equal(t, want, findings(t, killed))
	assert.Equal(t, saved(t, quiet), saved(t, killed))
	requireSound(t, killed, batches)
	sum, err := Read(killed)
	require.NoError(t, err)
	undisturbed, err := Read(quiet)
	require.NoError(t, err)
	assert.Equal(t, undisturbed.Functions, sum.Functions)
	assert.Equal(t, undisturbed.Compilations, sum.Compilations)
}

// limited mounts a file system of so many bytes.
func limited(t *testing.T, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	need.Disk(t, dir, bytes)
	return dir
}

// fillUp leaves so many bytes of a file system, and returns the file that
// takes the others.
func fillUp(t *testing.T, dir string, leave int64) string {
	t.Helper()
	var stat syscall.Statfs_t
	require.NoError(t, syscall.Statfs(dir, &stat))
	file := filepath.Join(dir, "filler")
	require.NoError(t, os.WriteFile(file, make([]byte, int64(stat.Bavail)*stat.Bsize-leave), 0o600))
	return file
}

// A disk that fills up ends the hunt, with a clear line and an intact state;
// when there is room again it goes on. However much was left.
func TestFullDisk(t *testing.T) {
	need.Long(t)
	o := fake(t, miscompile, "-O0", "-O2")
	reference := options(t, t.TempDir(), 1, 8)
	finished(t, o, reference)
	want := findings(t, reference.Dir)
	require.NotEmpty(t, want)

	disk := limited(t, 4<<20)
	opt := options(t, filepath.Join(disk, "hunt"), 1, 8)
	opt.Time = time.Nanosecond // only makes the state
	finished(t, o, opt)
	opt.Time = 0
	ended := 0
	for _, leave := range []int64{8 << 10, 36 << 10, 56 << 10} {
		filler := fillUp(t, disk, leave)
		if _, err := Start(t.Context(), o, opt); err != nil {
			ended++
			assert.ErrorContains(t, err, "no room left in "+opt.Dir, "with %d bytes", leave)
		}
		require.NoError(t, os.Remove(filler))
	}
	assert.Greater(t, ended, 1)
	finished(t, o, opt)
	assert.Equal(t, want, findings(t, opt.Dir))
	requireSound(t, opt.Dir, 1)
}

// Where the compilers have no room to work, no batch counts as done.
func TestNoRoomToCompile(t *testing.T) {
	o := fake(t, "", "-O0")
	disk := limited(t, 1<<20)
	var err error
	o.Space, err = compilers.NewWorkspace(disk)
	require.NoError(t, err)
	filler := fillUp(t, disk, 0)
	opt := options(t, t.TempDir(), 1, 4)
	sum, err := Start(t.Context(), o, opt)
	require.ErrorIs(t, err, ErrNoCompilers)
	assert.ErrorContains(t, err, "o space left on device")
	assert.Zero(t, sum.Batches)
	assert.EqualValues(t, 1, sum.Unfinished)
	require.NoError(t, os.Remove(filler))
	sum = finished(t, o, opt)
	assert.EqualValues(t, 1, sum.Batches)
	require.NoError(t, o.Space.Close())
}
