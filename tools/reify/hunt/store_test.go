package hunt

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is not a hunt of this version is refused, and nothing is written.
func TestForeign(t *testing.T) {
	o := fake(t, "", "-O0")
	for what, c := range map[string]struct{ text, want string }{
		"no database":    {"-", "no hunt of this version"},
		"of others":      {"CREATE TABLE mine (id INTEGER)", "no hunt of this version"},
		"without a mark": {schema, "no hunt of this version"},
		"log of others":  {"PRAGMA journal_mode = WAL; CREATE TABLE mine (id INTEGER)", "no hunt of this version"},
		"newer": {fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = 7; CREATE TABLE hunt (id INTEGER)", applicationID),
			"its schema is version 7, not 3"},
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
	exists, err := inspect(dir)
	require.NoError(t, err)
	assert.False(t, exists)
	s, err := openStore(dir)
	require.NoError(t, err)
	defer s.close()
	exists, err = inspect(dir) // while it is open: nothing has been moved out of the log
	require.NoError(t, err)
	assert.True(t, exists)
	var mode string
	require.NoError(t, s.db.QueryRow(`PRAGMA journal_mode`).Scan(&mode))
	assert.Equal(t, "wal", mode)
}

// A batch that another version began, of a mix that is gone, ends no hunt.
func TestUnknownMix(t *testing.T) {
	o := fake(t, "", "-O0")
	opt := options(t, t.TempDir(), 2, 2)
	_, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	s, err := openStore(opt.Dir)
	require.NoError(t, err)
	_, err = s.db.Exec(`UPDATE batches SET done = 0, kind = 'gone' WHERE number = 0`)
	require.NoError(t, err)
	require.NoError(t, s.close())
	sum, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	assert.EqualValues(t, 2, sum.Batches)
	assert.EqualValues(t, 2, sum.Functions, "of the other one")
	assert.EqualValues(t, 1, sum.Discards)
	assert.Equal(t, []string{`batch 0: discarded: it is of the mix "gone", which this version does not know`}, query(t, opt.Dir, `SELECT text FROM events`))
}
