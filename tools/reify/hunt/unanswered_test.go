package hunt

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/corpus"
)

// whatIsWrong returns the functions that a healthy machine finds wrong in so many
// batches, a line each: the batch and its name.
func whatIsWrong(t *testing.T, batches, size int) []string {
	t.Helper()
	opt := options(t, t.TempDir(), batches, size)
	_, err := Start(t.Context(), fake(t, miscompile, "-O0", "-O2"), opt)
	require.NoError(t, err)
	list := query(t, opt.Dir, wrongFunctions)
	require.Greater(t, len(list), 2, "the test needs something to find")
	return list
}

const wrongFunctions = `SELECT batch || ' ' || functions FROM findings ORDER BY batch, functions`

// requireNothingLost fails unless each function is in a finding, in a suspicion with
// its reason, or in a batch that is open.
func requireNothingLost(t *testing.T, dir string, wrong []string) {
	t.Helper()
	found := query(t, dir, wrongFunctions)
	whole, _, err := unconfirmed(dir)
	require.NoError(t, err)
	for _, name := range whole {
		e, err := corpus.Load(filepath.Join(dir, unconfirmedName, name, corpus.FindingFile))
		require.NoError(t, err)
		for f := range strings.FieldsSeq(e.Note(corpus.NoteHuntFunctions)) {
			found = append(found, e.Note(corpus.NoteHuntBatch)+" "+f)
		}
	}
	open := query(t, dir, `SELECT number FROM batches WHERE done = 0`)
	begun := query(t, dir, `SELECT number FROM batches`)
	for _, w := range wrong {
		batch, _, _ := strings.Cut(w, " ")
		if contains(begun, batch) && !contains(open, batch) {
			assert.Contains(t, found, w, "it is lost")
		}
	}
}

func contains(list []string, s string) bool {
	return strings.Contains(" "+strings.Join(list, " ")+" ", " "+s+" ")
}

// Whatever room compilers have to work in, nothing is lost, a hunt that nobody
// answers says so, and the next run, which has room, finds what there is.
func TestNoRoomLosesNothing(t *testing.T) {
	const batches, size = 2, 8
	wrong := whatIsWrong(t, batches, size)
	for _, room := range []int{100 << 10, 160 << 10, 400 << 10, 2 << 20} {
		t.Run(fmt.Sprint(room>>10, " kB"), func(t *testing.T) {
			o := fake(t, miscompile, "-O0", "-O2")
			roomy := o.Space
			var err error
			o.Space, err = compilers.NewWorkspace(limited(t, room))
			require.NoError(t, err)
			defer func() { require.NoError(t, o.Space.Close()) }()
			opt := options(t, t.TempDir(), batches, size)
			sum, err := Start(t.Context(), o, opt)
			requireNothingLost(t, opt.Dir, wrong)
			if sum.Batches == 0 {
				require.Error(t, err)
				assert.Regexp(t, "No space left on device|no space left on device|Bus error|no room", err.Error())
			}

			space := o.Space
			o.Space = roomy
			sum, err = Start(t.Context(), o, opt)
			o.Space = space
			require.NoError(t, err)
			assert.EqualValues(t, batches, sum.Batches)
			assert.Equal(t, wrong, query(t, opt.Dir, wrongFunctions))
			assert.Zero(t, sum.Unconfirmed, "what was suspected is found")
		})
	}
}

// Room that runs out at any question after the failure was seen.
func TestRoomThatRunsOut(t *testing.T) {
	wrong := whatIsWrong(t, 1, 8)
	for _, left := range []int{2, 3, 4, 5, 7} {
		calls := filepath.Join(t.TempDir(), "calls")
		o := fake(t, `[ -z "$src" ] || printf . >>`+calls+`
[ -e `+calls+` ] && [ $(stat -c %s `+calls+`) -gt `+fmt.Sprint(left)+` ] && ! grep -q '41 + argc' "$src" && { echo "repro.s: No space left on device" >&2; exit 1; }
`+miscompile, "-O0", "-O2")
		opt := options(t, t.TempDir(), 1, 8)
		_, err := Start(t.Context(), o, opt)
		require.NoError(t, err, left)
		requireNothingLost(t, opt.Dir, wrong)
		whole, _, err := unconfirmed(opt.Dir)
		require.NoError(t, err)
		assert.Positive(t, len(whole)+len(query(t, opt.Dir, wrongFunctions)), "after %d questions: what has failed is suspected or found", left)
		if len(whole) > 0 {
			text, err := os.ReadFile(filepath.Join(opt.Dir, unconfirmedName, whole[0], corpus.FindingFile))
			require.NoError(t, err)
			assert.Contains(t, string(text), "No space left on device")
		}
		require.NoError(t, os.Truncate(calls, 0))
		writeFake(t, filepath.Dir(pathOf(o)), miscompile)
		o.Targets, err = findFake(t.Context(), filepath.Dir(pathOf(o)), "-O0", "-O2")
		require.NoError(t, err)
		_, err = Start(t.Context(), o, opt)
		require.NoError(t, err)
		assert.Equal(t, wrong, query(t, opt.Dir, wrongFunctions))
	}
}

// A compiler that is removed or replaced while it is asked: what it has failed is
// suspected, or its batch is open. The next batch is asked about without it.
func TestCompilerThatGoes(t *testing.T) {
	wrong := whatIsWrong(t, 1, 8)
	for what, change := range map[string]string{
		"goes on without it: gcc-99 cannot be used: ":             `rm -f "$0"`,
		"goes on without it: gcc-99 is not the compiler any more": `cp "$0" "$0".new; mv "$0".new "$0"`,
	} {
		for _, after := range []int{2, 4, 5} {
			calls := filepath.Join(t.TempDir(), "calls")
			o := fake(t, `[ -z "$src" ] || printf . >>`+calls+`
[ -e `+calls+` ] && [ $(stat -c %s `+calls+`) -eq `+fmt.Sprint(after)+` ] && { `+change+`; }
`+miscompile, "-O0", "-O2")
			other := fake(t, "", "-O0", "-O2").Targets[0].(native.Toolchain)
			other.Name = "gcc-98"
			o.Targets = append(o.Targets, other)
			opt := options(t, t.TempDir(), 2, 8)
			_, err := Start(t.Context(), o, opt)
			require.NoError(t, err)
			requireNothingLost(t, opt.Dir, wrong)
			assert.Contains(t, opt.Log.(*buffer).String(), what, "after %d", after)
		}
	}
}

// A batch that not all answer about is asked about three times, and then when
// somebody says so.
func TestSetAside(t *testing.T) {
	fails := `[ "$level" = -O2 ] && grep -q 'int test_f2(' "$src" && { echo "out of memory" >&2; exit 1; }`
	o := fake(t, fails, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 4)
	made := 0
	run := func() *Summary {
		opt := opt
		opt.watch(calledAt(0, func() { made++ }))
		sum, err := Start(t.Context(), o, opt)
		require.NoError(t, err)
		return sum
	}
	for n := 1; n <= mostTries; n++ {
		sum := run()
		assert.Equal(t, n, made)
		assert.Zero(t, sum.Batches)
		assert.Equal(t, n == mostTries, sum.Unfinished == 0)
		assert.Equal(t, n == mostTries, len(sum.SetAside) == 1)
	}
	sum := run()
	assert.Equal(t, mostTries, made, "it does not run by itself")
	require.Len(t, sum.SetAside, 1)
	assert.Contains(t, sum.SetAside[0].Lacked, "gcc-99 -O2: out of memory")
	var text strings.Builder
	require.NoError(t, sum.Write(&text))
	assert.Contains(t, text.String(), "batch 0 (mix tiny) is set aside, as not all answered 3 times: gcc-99 -O2: out of memory")

	writeFake(t, filepath.Dir(pathOf(o)), "")
	var err error
	o.Targets, err = findFake(t.Context(), filepath.Dir(pathOf(o)), "-O0", "-O2")
	require.NoError(t, err)
	opt.Again = true
	sum = run()
	assert.EqualValues(t, 1, sum.Batches)
	assert.Empty(t, sum.SetAside)
}

// When nobody answers about three batches in a row, the hunt ends and says why.
func TestSilence(t *testing.T) {
	o := fake(t, `grep -qs '41 + argc' "$src" || { echo "No space left on device" >&2; exit 1; }`, "-O0")
	for batches, silent := range map[int]int{1: 1, 5: 3} {
		opt := options(t, t.TempDir(), batches, 2)
		sum, err := Start(t.Context(), o, opt)
		require.ErrorIs(t, err, ErrMachine)
		assert.ErrorContains(t, err, fmt.Sprintf("about %d batches in a row", silent))
		assert.ErrorContains(t, err, "No space left on device")
		assert.EqualValues(t, silent, sum.Unfinished)
		assert.Contains(t, sum.Runs[0].Ended, "failed: the machine keeps all compilers from answering")
	}
}

// What was damaged is told, and a database that was is left alone.
func TestDamage(t *testing.T) {
	o := fake(t, miscompile, "-O0", "-O2")
	opt := options(t, t.TempDir(), 2, 8)
	_, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	sum, err := Read(opt.Dir)
	require.NoError(t, err)
	assert.Empty(t, sum.Damaged)

	// Triage writes to findings, which is no damage.
	names := saved(t, opt.Dir)
	file := func(i int) string { return filepath.Join(opt.Dir, corpus.FindingsDir, names[i], corpus.FindingFile) }
	e, err := corpus.Load(file(0))
	require.NoError(t, err)
	e.Bucket, e.Culprit = "gcc/wrong-answer/x/O2", "x"
	require.NoError(t, corpus.Update(file(0), e))
	sum, err = Read(opt.Dir)
	require.NoError(t, err)
	assert.Empty(t, sum.Damaged)

	e.Want += "1\n"
	require.NoError(t, corpus.Update(file(0), e))
	change(t, opt.Dir, `UPDATE inputs SET data = CAST(data || 'x' AS BLOB) WHERE batch = 1`, `UPDATE batches SET done = 0 WHERE number = 1`)
	sum, err = Read(opt.Dir)
	require.NoError(t, err)
	assert.Equal(t, []string{"the input of batch 1 is not what was recorded", names[0] + "/finding.txtar is not what was saved"}, sum.Damaged)
	var text strings.Builder
	require.NoError(t, sum.Write(&text))
	assert.Contains(t, text.String(), "DAMAGED: the input of batch 1 ")
	want := findings(t, opt.Dir)
	sum, err = Start(t.Context(), o, opt)
	require.NoError(t, err)
	assert.EqualValues(t, 16, sum.Functions)
	assert.Equal(t, want, findings(t, opt.Dir), "it was drawn again")
	assert.Contains(t, opt.Log.(*buffer).String(), "the input of batch 1 is damaged and is drawn again")

	path := filepath.Join(opt.Dir, databaseName)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := 4096; i < len(data); i += 512 {
		data[i] ^= 0xff
	}
	require.NoError(t, os.WriteFile(path, data, 0o600))
	_, err = Start(t.Context(), o, opt)
	require.ErrorIs(t, err, ErrDamaged)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, data, after)
}

// Nothing is said to be safe of a hunt that has not begun.
func TestFullBeforeItBegins(t *testing.T) {
	disk := limited(t, 64<<10)
	fillUp(t, disk, 8<<10)
	opt := options(t, filepath.Join(disk, "hunt"), 1, 1)
	_, err := Start(context.Background(), fake(t, "", "-O0"), opt)
	require.ErrorContains(t, err, "no room left in "+opt.Dir+"; the hunt has not begun")
}
