package hunt

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
)

// marked is a database of a hunt, of another schema.
const marked = "PRAGMA application_id = %d; PRAGMA user_version = %d; CREATE TABLE hunt (id INTEGER)"

// What is not a hunt of this version is refused, and nothing is written.
func TestForeign(t *testing.T) {
	o := fake(t, "", "-O0")
	for what, c := range map[string]struct{ text, want string }{
		"no database":    {"-", "no hunt of this version"},
		"of others":      {"CREATE TABLE mine (id INTEGER)", "no hunt of this version"},
		"without a mark": {schema, "no hunt of this version"},
		"log of others":  {"PRAGMA journal_mode = WAL; CREATE TABLE mine (id INTEGER)", "no hunt of this version"},
		"newer":          {fmt.Sprintf(marked, applicationID, schemaVersion+1), fmt.Sprintf("its schema is version %d, not %d: no hunt of this version", schemaVersion+1, schemaVersion)},
		"old":            {fmt.Sprintf(marked, applicationID, 9) + `; CREATE TABLE runs (id INTEGER, version TEXT); INSERT INTO runs VALUES (1, '0.8'), (2, '0.9')`, "goreify 0.9 wrote it, with a schema of version 9, not 11; to bring it up to date, go on with it for a second by goreify of commit 0996a2b (hunt -time 1s): no hunt of this version"},
		"old and empty":  {fmt.Sprintf(marked, applicationID, 2), "goreify of an unknown version wrote it, with a schema of version 2, not 11"},
		"too old":        {fmt.Sprintf(marked, applicationID, 1), fmt.Sprintf("its schema is version 1, not %d: no hunt of this version", schemaVersion)},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, databaseName)
		if c.text == "-" {
			require.NoError(t, os.WriteFile(path, []byte("my notes\n"), 0o600))
		} else {
			db, err := sql.Open("sqlite", path)
			require.NoError(t, err)
			_, err = db.Exec(c.text)
			require.NoError(t, err)
			require.NoError(t, db.Close())
		}
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		_, err = Start(t.Context(), o, options(t, dir, 1, 1))
		require.ErrorIs(t, err, ErrForeign, what)
		assert.ErrorContains(t, err, c.want, what)
		_, err = Read(dir)
		require.ErrorIs(t, err, ErrForeign, what)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, before, after, what)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Len(t, left, 1, "%s: nothing is put beside it", what)
	}
}

// The marks are in the file before anything else is, whatever kills the run;
// an empty file is what one leaves that was killed at once.
func TestMarks(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, databaseName), nil, 0o600))
	found, err := inspect(dir)
	require.NoError(t, err)
	assert.Zero(t, found)
	s, err := openStore(dir)
	require.NoError(t, err)
	defer s.close()
	found, err = inspect(dir) // while it is open: nothing has been moved out of the log
	require.NoError(t, err)
	assert.EqualValues(t, schemaVersion, found)
	var mode string
	require.NoError(t, s.db.QueryRow(`PRAGMA journal_mode`).Scan(&mode))
	assert.Equal(t, "wal", mode)
}

// A batch of a mix that is gone is made by the source of its input. Without an
// input it is discarded, and ends no hunt.
func TestUnknownMix(t *testing.T) {
	o := fake(t, "", "-O0")
	opt := options(t, t.TempDir(), 2, 2)
	finished(t, o, opt)
	change(t, opt.Dir, `UPDATE batches SET done = 0, kind = 'gone' WHERE number = 0`)
	sum := finished(t, o, opt)
	assert.EqualValues(t, 4, sum.Functions)
	assert.Zero(t, sum.Discards)
	assert.Empty(t, query(t, opt.Dir, `SELECT text FROM log`))

	change(t, opt.Dir, `UPDATE batches SET done = 0 WHERE number = 0`, `DELETE FROM inputs`)
	sum = finished(t, o, opt)
	assert.EqualValues(t, 2, sum.Batches)
	assert.EqualValues(t, 2, sum.Functions, "of the other one")
	assert.EqualValues(t, 1, sum.Discards)
	assert.Equal(t, []string{`batch 0: discarded: its input was not recorded, and it is of the kind "gone", which is not among those of this run`}, query(t, opt.Dir, `SELECT text FROM log`))
}

// What was drawn by another version is said to be, and what this one cannot read
// ends no hunt.
func TestOtherVersion(t *testing.T) {
	o := fake(t, "", "-O0")
	opt := options(t, t.TempDir(), 1, 2)
	finished(t, o, opt)
	assert.Empty(t, query(t, opt.Dir, `SELECT text FROM log`))
	change(t, opt.Dir, `UPDATE batches SET done = 0`, `UPDATE inputs SET version = '0.8', sum = ''`)
	sum := finished(t, o, opt)
	assert.EqualValues(t, 2, sum.Functions)
	other := "batch 0: its input was drawn by version 0.8 of source function; version " + reify.Version + " may make another program of it"
	assert.Equal(t, []string{other}, query(t, opt.Dir, `SELECT text FROM log`))

	change(t, opt.Dir, `UPDATE batches SET done = 0`, `UPDATE inputs SET data = '{"Profile":"gone","Count":2}'`, `DELETE FROM log`)
	sum = finished(t, o, opt)
	assert.EqualValues(t, 1, sum.Discards)
	log := query(t, opt.Dir, `SELECT text FROM log`)
	require.Len(t, log, 2)
	assert.Equal(t, other, log[0])
	assert.Contains(t, log[1], "batch 0: discarded: ")
}

// Where the clock is set back by a day, what a run finds is new all the same, and known
// to the next one.
func TestClockSetBack(t *testing.T) {
	o := fake(t, miscompile, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 8)
	opt.Time = time.Nanosecond // only makes the state
	finished(t, o, opt)
	opt.Time = 0
	back := `UPDATE runs SET started = started + 86400000, seen = seen + 86400000`
	change(t, opt.Dir, back)
	sum := finished(t, o, opt)
	require.Positive(t, sum.Buckets)
	assert.Equal(t, sum.Buckets, sum.NewBuckets)
	change(t, opt.Dir, back, `UPDATE buckets SET found = found + 86400000`)
	sum = finished(t, o, opt)
	assert.Zero(t, sum.NewBuckets)
}
