package hunt

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"goreify/compilers/native"
	"goreify/tools/need"
)

// Every kind of failure a compiler can have, in one hunt.
func TestVerdicts(t *testing.T) {
	need.Long(t)
	mark := filepath.Join(t.TempDir(), "mark")
	o := fake(t, `
has() { grep -q "^int test_$1(" "$src"; }
edit() { sed -i "s/^int test_$1(void)\$/int test_$1(void); static int own_$1(void); int test_$1(void) { $2 return own_$1(); } static int own_$1(void)/" "$src"; }
[ "$level" = -O3 ] && has f6 && { echo "virtual memory exhausted: Cannot allocate memory" >&2; exit 1; }
[ "$level" = -Os ] && has f7 && mkdir `+mark+` 2>/dev/null && kill -SEGV $$
if [ "$level" = -O2 ]; then
	has f0 && while :; do :; done # the first is tried first, which saves time
	has f4 && { echo "repro.c:3:1: internal compiler error: in foo, at bar.cc:12" >&2; exit 1; }
	has f3 && { echo "repro.c:5:1: error: no such thing" >&2; exit 1; }
	edit f2 'for (;;);'
	edit f1 '__builtin_trap();'
	sed -i 's/printf("f5 /printf("f5 1/' "$src"
fi`, "-O0", "-O2", "-O3", "-Os")
	o.Limits.CompileCPU, o.Limits.RunCPU = 500*time.Millisecond, 200*time.Millisecond // what is endless has ten times that
	opt := options(t, t.TempDir(), 1, 8)
	sum, err := Start(t.Context(), o, opt)
	require.ErrorIs(t, err, ErrUnanswered)
	requireSlowScript(t, o, opt.Dir)
	assert.Equal(t, []string{
		"crash f1", "endless f2", "internal-error f4", "rejected f3", "slow-compile f0", "wrong-answer f5",
	}, query(t, opt.Dir, `SELECT verdict || ' ' || functions FROM findings ORDER BY verdict`))
	assert.EqualValues(t, 6, sum.Findings)
	assert.EqualValues(t, 6, sum.Buckets)
	assert.EqualValues(t, 1, sum.Unfinished, "one has not answered")
	assert.EqualValues(t, 2, sum.Discards, "out of memory, and what happened only once")
	assert.DirExists(t, mark)
	log := opt.Log.(*buffer).String()
	assert.Contains(t, log, "virtual memory exhausted")
	assert.Contains(t, log, "not confirmed: internal-error")
	assert.Contains(t, strings.Join(query(t, opt.Dir, `SELECT text FROM log`), "\n"), "the next run asks again: gcc-99 -O3: virtual memory exhausted")
}

// A bug that is known is counted, not saved again; and what a hunt finds does
// not depend on how many are at it, nor on how often it stops.
func TestBucketsWorkersAndResume(t *testing.T) {
	need.Long(t)
	o := fake(t, miscompile, "-O0", "-O2")
	const batches, size = 3, 8
	one := options(t, t.TempDir(), batches, size)
	sum := finished(t, o, one)
	requireSound(t, one.Dir, batches)
	require.Greater(t, sum.Findings, sum.Buckets, "the test needs one that is found twice")
	require.Greater(t, sum.Buckets, int64(1))
	assert.Greater(t, sum.CompilerCPUSeconds, 0.0)
	assert.Greater(t, sum.CPUSeconds, sum.CompilerCPUSeconds)

	two := options(t, t.TempDir(), batches, size)
	two.Workers = 2
	finished(t, o, two)
	requireSound(t, two.Dir, batches)
	assert.Equal(t, findings(t, one.Dir), findings(t, two.Dir))

	// Stopped in its third batch, then resumed.
	three := options(t, t.TempDir(), batches, size)
	ctx, cancel := context.WithCancel(t.Context())
	three.watch(calledAt(2, cancel))
	sum, err := Start(ctx, o, three)
	require.NoError(t, err)
	assert.EqualValues(t, 2, sum.Batches)
	assert.EqualValues(t, 1, sum.Unfinished)
	assert.Equal(t, "stopped", sum.Runs[0].Ended)
	three = options(t, three.Dir, batches, size)
	sum = finished(t, o, three)
	requireSound(t, three.Dir, batches)
	assert.Equal(t, findings(t, one.Dir), findings(t, three.Dir))
	assert.Len(t, sum.Runs, 2)
	assert.Equal(t, "done", sum.Runs[0].Ended)

	// There is nothing more to do.
	again := finished(t, o, three)
	assert.Equal(t, sum.Functions, again.Functions)
	assert.Equal(t, sum.Findings, again.Findings)

	// Another seed is another hunt.
	three.Seed = 6
	_, err = Start(t.Context(), o, three)
	assert.ErrorContains(t, err, "a hunt with seed 5, not 6")
}

func TestStatusWhileItRuns(t *testing.T) {
	o := fake(t, "", "-O0")
	opt := options(t, t.TempDir(), 3, 4)
	_, err := Read(opt.Dir)
	require.ErrorContains(t, err, "there is no hunt in it")
	seen := false
	opt.watch(calledAt(1, func() {
		seen = true
		sum, err := Read(opt.Dir)
		if !assert.NoError(t, err) {
			return
		}
		assert.True(t, sum.Running)
		assert.EqualValues(t, 1, sum.Batches)
		assert.EqualValues(t, 1, sum.Unfinished)
		assert.EqualValues(t, 4, sum.Functions)
		_, err = Start(t.Context(), o, options(t, opt.Dir, 3, 4))
		assert.ErrorIs(t, err, ErrLocked)
	}))
	finished(t, o, opt)
	assert.True(t, seen)
	sum, err := Read(opt.Dir)
	require.NoError(t, err)
	assert.False(t, sum.Running)
	assert.EqualValues(t, 12, sum.Functions)
	var text strings.Builder
	require.NoError(t, sum.Write(&text))
	assert.Regexp(t, "functions +12 ", text.String())
	assert.Contains(t, text.String(), "3 batches done, 0 not finished")
}

// Of a compiler that gets everything wrong, so much is kept of each batch.
func TestMostFindings(t *testing.T) {
	need.Long(t)
	o := fake(t, `[ "$level" = -O2 ] && sed -i -E 's/printf\("(f[0-9]+) /printf("\1 1/' "$src"`, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, mostFindings+2)
	sum := finished(t, o, opt)
	assert.EqualValues(t, mostFindings, sum.Findings)
	assert.EqualValues(t, 1, sum.Discards)
	assert.Equal(t, []string{"batch 0: more than 12 findings, the rest is left"}, query(t, opt.Dir, `SELECT text FROM log`))
}

// Whoever looks whether a hunt runs holds the lock for an instant, which keeps
// no hunt from beginning; another hunt does.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	looks, err := os.Create(filepath.Join(dir, lockName))
	require.NoError(t, err)
	require.NoError(t, unix.Flock(int(looks.Fd()), unix.LOCK_SH))
	release := time.AfterFunc(patience/4, func() { _ = looks.Close() })
	defer release.Stop()
	assert.False(t, locked(dir), "two may look")
	unlock, err := lock(dir)
	require.NoError(t, err)
	assert.True(t, locked(dir))
	_, err = lock(dir)
	require.ErrorIs(t, err, ErrLocked)
	unlock()
	assert.False(t, locked(dir))
}

func TestTimeIsUp(t *testing.T) {
	o := fake(t, "", "-O0")
	opt := options(t, t.TempDir(), 1000, 4)
	opt.Time = time.Second
	sum := finished(t, o, opt)
	assert.Less(t, sum.Batches, int64(1000))
	assert.Positive(t, sum.Batches)
	require.NotNil(t, sum.Runs[0].Until)
	assert.Equal(t, time.Second, sum.Runs[0].Until.Sub(sum.Runs[0].Started))
}

// A batch that goes on when the time is up is given up soon after, and begun again by the
// next run. A run that had nothing but this batch says which compiler it waited for.
func TestTimeIsUpForABatch(t *testing.T) {
	need.Long(t)
	slow := `[ "$level" = -O2 ] && grep -q 'int test_f0(' "$src" && sleep 60;` + miscompile
	o := fake(t, slow, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 8)
	opt.Time = time.Second
	begun := time.Now()
	sum := finished(t, o, opt)
	assert.Less(t, time.Since(begun), 50*time.Second, "of the minute that the compiler sleeps")
	assert.Equal(t, "stopped", sum.Runs[0].Ended)
	assert.Zero(t, sum.Batches)
	require.Len(t, sum.Unanswered, 1)
	assert.Regexp(t, `^gcc-99 -O2: not done after \d+s, when the time was up$`, sum.Unanswered[0].Reason)
	assert.Regexp(t, `batch 0 \(tiny\): no answer, 1 of 3 times, the next run asks again: gcc-99 -O2: not done after `, opt.Log.(*buffer).String())

	writeFake(t, filepath.Dir(pathOf(o)), miscompile)
	var err error
	o.Targets, err = findFake(t.Context(), filepath.Dir(pathOf(o)), "-O0", "-O2")
	require.NoError(t, err)
	opt.Time = 0
	finished(t, o, opt)
	assert.Equal(t, whatIsWrong(t, 1, 8), query(t, opt.Dir, wrongFunctions))
}

// A bucket is new in the run that has found it.
func TestNewBuckets(t *testing.T) {
	o := fake(t, miscompile, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 8)
	sum := finished(t, o, opt)
	require.Positive(t, sum.Buckets)
	assert.Equal(t, sum.Buckets, sum.NewBuckets)
	assert.True(t, sum.ByBucket[0].New)
	assert.Contains(t, sum.ByBucket[0].Title, "gcc-99 -O2: ")
	sum = finished(t, o, opt)
	assert.Positive(t, sum.Buckets)
	assert.Zero(t, sum.NewBuckets)
	assert.False(t, sum.ByBucket[0].New)
}

// A compiler that is not there any more is given up, and what the others say
// still counts; when none is left, the hunt ends and nothing is passed over.
func TestVanishedCompiler(t *testing.T) {
	need.Long(t)
	o := fake(t, "", "-O0", "-O2")
	second := fake(t, miscompile, "-O0", "-O2")
	other := second.Targets[0].(native.Toolchain)
	other.Name = "gcc-98"
	o.Targets = append(o.Targets, other)
	opt := options(t, t.TempDir(), 3, 4)
	opt.Seed = 1
	opt.watch(calledAt(1, func() { require.NoError(t, os.Remove(pathOf(o))) }))
	sum, err := Start(t.Context(), o, opt)
	require.ErrorIs(t, err, ErrUnanswered)
	assert.EqualValues(t, 2, sum.Batches)
	assert.EqualValues(t, 1, sum.Unfinished, "it has not answered")
	assert.EqualValues(t, 2, sum.Discards)
	assert.Positive(t, sum.Findings, "the other goes on")
	assert.Equal(t, 1, strings.Count(opt.Log.(*buffer).String(), "goes on without it: gcc-99 cannot be used: "))

	opt = options(t, t.TempDir(), 3, 4)
	o.Targets = o.Targets[1:]
	opt.watch(calledAt(1, func() { require.NoError(t, os.Remove(pathOf(o))) }))
	sum, err = Start(t.Context(), o, opt)
	require.ErrorIs(t, err, ErrNoCompilers)
	assert.ErrorContains(t, err, "gcc-98 cannot be used")
	assert.EqualValues(t, 1, sum.Batches)
	assert.EqualValues(t, 1, sum.Unfinished)
	assert.Contains(t, sum.Runs[0].Ended, "no compiler can be used any more")
}

// When the only compiler that a plan always asks is gone, others are asked about
// what was begun, and the directory is as good as before.
func TestOneIsGone(t *testing.T) {
	o := fake(t, "", "-O0")
	opt := options(t, t.TempDir(), 2, 3)
	finished(t, o, opt)
	change(t, opt.Dir, `UPDATE batches SET part = '', done = 0, functions = 0 WHERE number = 1`)
	sum := finished(t, o, opt)
	assert.EqualValues(t, 2, sum.Batches)
	assert.EqualValues(t, 6, sum.Functions)
}
