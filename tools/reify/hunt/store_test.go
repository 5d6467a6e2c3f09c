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
	found, err := inspect(dir)
	require.NoError(t, err)
	assert.Zero(t, found)
	s, err := openStore(dir)
	require.NoError(t, err)
	defer s.close()
	found, err = inspect(dir) // while it is open: nothing has been moved out of the log
	require.NoError(t, err)
	assert.Equal(t, schemaVersion, found)
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
	assert.Equal(t, []string{`batch 0: discarded: it is of the mix "gone", which this version does not know`}, query(t, opt.Dir, `SELECT text FROM log`))
}

// A hunt of the schema before goes on: what it has stays, and what it had begun
// is finished.
func TestMigration(t *testing.T) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, databaseName))
	require.NoError(t, err)
	_, err = db.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = 2; PRAGMA journal_mode = WAL;", applicationID) + schemaTwo + `
		INSERT INTO hunt VALUES (1, '1');
		INSERT INTO runs (started, seen, version, plan, toolchains, workers) VALUES (1, 2, '0.8', 'all', 'gcc', 1);
		INSERT INTO batches (number, run, kind, part, seeds, done, functions) VALUES (0, 1, 'tiny', 'all', 4, 1, 4), (1, 1, 'tiny', 'all', 4, 0, 0);
		INSERT INTO events VALUES (1, 1, 'once upon a time');`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = Read(dir)
	require.ErrorContains(t, err, "an earlier version")

	sum, err := Start(t.Context(), fake(t, "", "-O0"), options(t, dir, 3, 4))
	require.NoError(t, err)
	assert.EqualValues(t, 3, sum.Batches)
	assert.EqualValues(t, 12, sum.Functions)
	assert.Len(t, sum.Runs, 2)
	assert.Equal(t, []string{"once upon a time"}, query(t, dir, `SELECT text FROM log`))
}

const schemaTwo = `
CREATE TABLE hunt (id INTEGER PRIMARY KEY CHECK (id = 1), seed TEXT NOT NULL);
CREATE TABLE runs (id INTEGER PRIMARY KEY, started INTEGER NOT NULL, seen INTEGER NOT NULL, version TEXT NOT NULL, plan TEXT NOT NULL,
	toolchains TEXT NOT NULL, workers INTEGER NOT NULL, cpu REAL NOT NULL DEFAULT 0, compiler_cpu REAL NOT NULL DEFAULT 0, ended TEXT);
CREATE TABLE batches (number INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs, kind TEXT NOT NULL, part TEXT NOT NULL,
	seeds INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0, functions INTEGER NOT NULL DEFAULT 0, programs INTEGER NOT NULL DEFAULT 0,
	compilations INTEGER NOT NULL DEFAULT 0, discards INTEGER NOT NULL DEFAULT 0, cpu REAL NOT NULL DEFAULT 0, compiler_cpu REAL NOT NULL DEFAULT 0);
CREATE INDEX unfinished ON batches (number) WHERE done = 0;
CREATE TABLE buckets (fingerprint TEXT PRIMARY KEY, finding TEXT NOT NULL, batch INTEGER NOT NULL, kind TEXT NOT NULL, found INTEGER NOT NULL,
	known TEXT NOT NULL, cpu REAL NOT NULL);
CREATE TABLE findings (name TEXT PRIMARY KEY, batch INTEGER NOT NULL, fingerprint TEXT NOT NULL REFERENCES buckets, compiler TEXT NOT NULL,
	level TEXT NOT NULL, verdict TEXT NOT NULL, functions TEXT NOT NULL, found INTEGER NOT NULL);
CREATE INDEX by_bucket ON findings (fingerprint);
CREATE TABLE events (run INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL);`
