package hunt

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/corpus"
	"goreify/reify/source"
	"goreify/tools/need"
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

const openBatches = `SELECT number FROM batches WHERE done = 0`

const wrongFunctions = `SELECT batch || ' ' || functions FROM findings ORDER BY batch, functions`

// requireNothingLost fails unless each function is in a finding, in a suspicion with
// its reason, or in a batch that is open.
func requireNothingLost(t *testing.T, dir string, wrong []string) {
	t.Helper()
	found := query(t, dir, wrongFunctions)
	whole, _, err := suspicions(dir, unconfirmedName)
	require.NoError(t, err)
	for _, name := range whole {
		e, err := corpus.Load(filepath.Join(dir, unconfirmedName, name, corpus.FindingFile))
		require.NoError(t, err)
		for f := range strings.FieldsSeq(e.Note(corpus.NoteHuntFunctions)) {
			found = append(found, e.Note(corpus.NoteHuntBatch)+" "+f)
		}
	}
	open := query(t, dir, openBatches)
	begun := query(t, dir, `SELECT number FROM batches`)
	for _, w := range wrong {
		batch, _, _ := strings.Cut(w, " ")
		if contains(begun, batch) && !contains(open, batch) {
			assert.Contains(t, found, w, "it is lost")
		}
	}
}

// requireTold fails unless a hunt that came to its end fails if batches are open.
func requireTold(t *testing.T, dir string, err error) {
	t.Helper()
	if len(query(t, dir, openBatches)) > 0 {
		require.ErrorIs(t, err, ErrUnanswered)
	} else {
		require.NoError(t, err)
	}
}

func contains(list []string, s string) bool {
	return strings.Contains(" "+strings.Join(list, " ")+" ", " "+s+" ")
}

// Whatever room compilers have to work in, nothing is lost, a hunt that nobody
// answers says so, and the next run, which has room, finds what there is.
func TestNoRoomLosesNothing(t *testing.T) {
	need.Long(t)
	const batches, size = 2, 8
	wrong := whatIsWrong(t, batches, size)
	for _, room := range []int{100 << 10, 160 << 10, 400 << 10, 2 << 20} {
		t.Run(fmt.Sprint(room>>10, " kB"), func(t *testing.T) {
			o := fake(t, "shelf=\n"+miscompile, "-O0", "-O2") // so that gcc has no room, too
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
	need.Long(t)
	wrong := whatIsWrong(t, 1, 8)
	for _, left := range []int{2, 3, 4, 5, 7} {
		calls := filepath.Join(t.TempDir(), "calls")
		o := fake(t, `[ -z "$src" ] || printf . >>`+calls+`
[ -e `+calls+` ] && [ $(stat -c %s `+calls+`) -gt `+fmt.Sprint(left)+` ] && ! grep -q '41 + argc' "$src" && { echo "repro.s: No space left on device" >&2; exit 1; }
`+miscompile, "-O0", "-O2")
		opt := options(t, t.TempDir(), 1, 8)
		_, err := Start(t.Context(), o, opt)
		requireTold(t, opt.Dir, err)
		requireNothingLost(t, opt.Dir, wrong)
		whole, _, err := suspicions(opt.Dir, unconfirmedName)
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
		finished(t, o, opt)
		assert.Equal(t, wrong, query(t, opt.Dir, wrongFunctions))
	}
}

// A compiler that is removed or replaced while it is asked: what it has failed is
// suspected, or its batch is open. The next batch is asked about without it.
func TestCompilerThatGoes(t *testing.T) {
	need.Long(t)
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
			requireTold(t, opt.Dir, err)
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
		requireTold(t, opt.Dir, err)
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
	assert.Contains(t, sum.SetAside[0].Reason, "gcc-99 -O2: out of memory")
	var text strings.Builder
	require.NoError(t, sum.Write(&text))
	assert.Contains(t, text.String(), "batch 0 (kind tiny) is set aside, as not all answered 3 times: gcc-99 -O2: out of memory")

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
		assert.ErrorContains(t, err, fmt.Sprintf("about %s in a row; batches without an answer run again when the hunt goes on, 3 times in all", count(silent, "batch")))
		assert.ErrorContains(t, err, "No space left on device")
		assert.EqualValues(t, silent, sum.Unfinished)
		assert.Contains(t, sum.Runs[0].Ended, "failed: the machine keeps all compilers from answering")
	}
}

// A run that comes to its end fails if nobody answered about one of its batches,
// and one that a number was asked of if any batch is open; else an answer that is
// missing is a line.
func TestUnansweredIsTold(t *testing.T) {
	need.Long(t)
	for name, tt := range map[string]struct {
		fails string // when
		n     bool   // a number is asked for
		want  string
	}{
		"nobody":               {`[ $batch = 1 ]`, false, "about 1 batch; batches without an answer run again when the hunt goes on, 3 times in all, and then with -again; the reason of one: gcc-99 -O0: No space left on device"},
		"nobody, of a number":  {`[ $batch = 1 ]`, true, "about 1 batch; "},
		"not all":              {`[ $batch = 1 ] && [ "$level" = -O2 ]`, false, ""},
		"not all, of a number": {`[ $batch = 1 ] && [ "$level" = -O2 ]`, true, "about 1 batch; "},
	} {
		t.Run(name, func(t *testing.T) {
			batch := filepath.Join(t.TempDir(), "batch")
			o := fake(t, `batch=$(cat `+batch+` 2>/dev/null || echo 0)
[ -n "$src" ] && ! grep -q '41 + argc' "$src" && `+tt.fails+` && { echo "repro.c: No space left on device" >&2; exit 1; }`, "-O0", "-O2")
			opt := options(t, t.TempDir(), 3, 2)
			if !tt.n {
				opt.Seeds, opt.Time = 0, 3*time.Second
			}
			made := 0
			opt.watch(func(source.Input) {
				require.NoError(t, os.WriteFile(batch, fmt.Append(nil, made), 0o600))
				if made++; made == 3 {
					time.Sleep(opt.Time) // which ends with it
				}
			})
			sum, err := Start(t.Context(), o, opt)
			if tt.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, ErrUnanswered)
				assert.ErrorContains(t, err, tt.want)
			}
			assert.EqualValues(t, 1, sum.Unfinished)
			assert.EqualValues(t, 2, sum.Batches)
		})
	}
}

// What was damaged is told, and a database that was is left alone.
func TestDamage(t *testing.T) {
	need.Long(t)
	o := fake(t, miscompile, "-O0", "-O2")
	opt := options(t, t.TempDir(), 2, 8)
	finished(t, o, opt)
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
	sum = finished(t, o, opt)
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

// A single value that is another than was stored is told, or nothing comes of it but
// another number in what status counts.
func TestFlippedValues(t *testing.T) {
	need.Long(t)
	counts := map[string]bool{ // what nothing else depends on
		"batches.cpu": true, "batches.compiler_cpu": true, "buckets.kind": true, "buckets.found": true, "buckets.cpu": true, "findings.found": true,
	}
	mute := filepath.Join(t.TempDir(), "mute")
	o := fake(t, "[ -e "+mute+` ] && ! grep -qs '41 + argc' "$src" && { echo "No space left on device" >&2; exit 1; }`+miscompile, "-O0", "-O2")
	whole := options(t, t.TempDir(), 2, 8)
	whole.Keep = 1000
	finished(t, o, whole)
	wrong := query(t, whole.Dir, wrongFunctions)
	// Batch 0 is done, batch 1 is open. Runs, compilers and log are for people; flags, of which
	// there are none here, are drawn again if the target does not know them. Nor are there
	// cells of a matrix.
	half := whole
	half.Dir, half.Mix = t.TempDir(), whole.Kinds
	half.watch(calledAt(1, func() { require.NoError(t, os.WriteFile(mute, nil, 0o600)) }))
	_, err := Start(t.Context(), o, half)
	require.ErrorIs(t, err, ErrUnanswered)
	require.NoError(t, os.Remove(mute))
	half.Kinds, half.Mix = whole.Kinds, whole.Mix
	require.Equal(t, []string{"0 1", "1 0"}, query(t, half.Dir, `SELECT number || ' ' || done FROM batches ORDER BY number`))

	told := map[string]bool{}
	for _, column := range query(t, half.Dir, `SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT IN ('runs', 'log', 'flags', 'compilers', 'cells', 'asked') ORDER BY m.name, c.cid`) {
		for _, row := range []string{"MIN", "MAX"} {
			opt := half
			opt.Dir, opt.Log = filepath.Join(t.TempDir(), "hunt"), &buffer{}
			require.NoError(t, os.CopyFS(opt.Dir, os.DirFS(half.Dir)))
			if !flipValue(t, opt.Dir, column, row) {
				continue
			}
			sum, err := Read(opt.Dir)
			told[column] = told[column] || err == nil && len(sum.Damaged) > 0
			if err == nil && len(sum.Damaged) > 0 || counts[column] {
				continue
			}
			require.NoError(t, err)
			_, err = Start(t.Context(), o, opt)
			require.NoError(t, err, "%s, %s", column, row)
			assert.Equal(t, wrong, query(t, opt.Dir, wrongFunctions), "nobody notices: %s, %s", column, row)
		}
	}
	for _, column := range []string{"hunt.seed", "batches.number", "batches.done", "batches.tries", "inputs.data", "findings.name", "findings.fingerprint", "buckets.finding"} {
		assert.True(t, told[column], column)
	}
}

// flipValue changes a bit of the value in the first or last row of a table, and
// tells whether it could.
func flipValue(t *testing.T, dir, column, row string) bool {
	t.Helper()
	table, name, _ := strings.Cut(column, ".")
	s, err := openStore(dir)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.close()) }()
	var value any
	at := fmt.Sprintf(" WHERE rowid = (SELECT %s(rowid) FROM %s)", row, table)
	require.NoError(t, s.db.QueryRow("SELECT "+name+" FROM "+table+at).Scan(&value))
	for _, bit := range []byte{1, 64} { // the other one if a constraint of the table is broken
		var other any
		switch v := value.(type) {
		case int64:
			other = v ^ int64(bit)
		case float64:
			other = v + float64(bit)
		case []byte:
			other = append(bytes.Clone(v[:len(v)-1]), v[len(v)-1]^bit)
		case string:
			if v == "" {
				return false
			}
			other = v[:len(v)-1] + string(v[len(v)-1]^bit)
		default:
			t.Fatalf("%s: %T", column, value)
		}
		if _, err = s.db.Exec("UPDATE "+table+" SET "+name+" = ?"+at, other); err == nil {
			return true
		}
	}
	return false
}

// Nothing is said to be safe of a hunt that has not begun.
func TestFullBeforeItBegins(t *testing.T) {
	disk := limited(t, 64<<10)
	fillUp(t, disk, 8<<10)
	opt := options(t, filepath.Join(disk, "hunt"), 1, 1)
	_, err := Start(context.Background(), fake(t, "", "-O0"), opt)
	require.ErrorContains(t, err, "no room left in "+opt.Dir+"; the hunt has not begun")
}
