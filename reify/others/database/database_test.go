package database_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/others/database"
	"goreify/reify/safefile"
)

// ours is a schema with all that a schema of ours has.
const ours = `
CREATE TABLE IF NOT EXISTS a (
	id INTEGER PRIMARY KEY CHECK (id = 1), -- as it is (always)
	text TEXT NOT NULL DEFAULT '',
	other INTEGER REFERENCES b, UNIQUE (id, text)
);
CREATE TABLE b (x BLOB /* as (f(x)) */, y REAL, PRIMARY KEY (x, y)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS i ON a (text) WHERE id = 0;
ALTER TABLE a ADD COLUMN more INTEGER NOT NULL DEFAULT 0;
ALTER TABLE a RENAME TO "c";
INSERT INTO c (id, text, other) VALUES (1, 'x', 2);
`

// made makes a database, and returns its path.
func made(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec(database.Marks(7, 3) + text)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	return path
}

// checked returns what Check says of a file.
func checked(t *testing.T, path string) string {
	db, err := database.Open(path, "ro")
	require.NoError(t, err)
	defer db.Close()
	said, err := database.Check(db)
	if err != nil {
		return err.Error()
	}
	return said
}

func TestCheck(t *testing.T) {
	assert.Empty(t, checked(t, made(t, ours)))
	const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
	for text, want := range map[string]string{
		"CREATE VIEW v AS " + endless + ";":                                          `the view "v" is not ours`,
		"CREATE TRIGGER t AFTER INSERT ON c BEGIN DELETE FROM b; END;":               `the trigger "t" is not ours`,
		"CREATE TABLE g (x TEXT, y TEXT GENERATED ALWAYS AS (upper(x)));":            `"g" computes`,
		"CREATE TABLE g (x TEXT, y TEXT AS (upper(x)));":                             `"g" computes`,
		"CREATE TABLE g (x TEXT DEFAULT (hex(zeroblob(100000000))));":                `"g" computes`,
		"CREATE TABLE g (x TEXT CHECK (length(x) > 3));":                             `"g" computes`,
		"CREATE TABLE g (x TEXT DEFAULT '--', y TEXT AS (upper(x)));":                `"g" computes`,
		"CREATE TABLE g (x TEXT DEFAULT \"/*\", y TEXT AS (upper(x)), z TEXT /**/);": `"g" computes`,
		"CREATE INDEX j ON c (abs(id));":                                             `"j" computes`,
		"CREATE INDEX j ON c (id) WHERE abs(id) > 1;":                                `"j" computes`,
		"CREATE VIRTUAL TABLE f USING fts5(x);":                                      `computes`,
		strings.Repeat("CREATE TABLE t%d (x);", 1):                                   "",
	} {
		if strings.Contains(text, "%d") {
			var b strings.Builder
			for i := range 200 {
				fmt.Fprintf(&b, text, i)
			}
			text, want = b.String(), "more than 100 tables"
		}
		assert.Contains(t, checked(t, made(t, ours+text)), want, "%.100s", text)
	}
}

// TestCycle has a page of a table twice in it: without SQLite's check of pages, a few like
// that are rows without end.
func TestCycle(t *testing.T) {
	path := made(t, "CREATE TABLE a (x TEXT);"+strings.Repeat("INSERT INTO a VALUES (hex(zeroblob(1000)));", 100))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	const page, interior, cells = 4096, 5, 12
	root := data[page:]
	require.EqualValues(t, interior, root[0])
	first := int(root[cells])<<8 | int(root[cells+1])
	second := int(root[cells+2])<<8 | int(root[cells+3])
	copy(root[first:first+4], root[second:second+4])
	require.NoError(t, os.WriteFile(path, data, 0o600))
	assert.Contains(t, checked(t, path), "2nd reference")
}

// TestIrregular opens what is no file, or has something else beside it.
func TestIrregular(t *testing.T) {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		path := made(t, ours)
		for what, put := range map[string]func(string) error{
			"pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
			"link": func(path string) error { return os.Symlink("/dev/zero", path) },
			"dir":  func(path string) error { return os.Mkdir(path, 0o700) },
		} {
			_ = os.Remove(path + suffix)
			require.NoError(t, put(path+suffix))
			began := time.Now()
			_, err := database.Schema(path, 7)
			assert.Error(t, err, "%s as %q", what, suffix)
			assert.Less(t, time.Since(began), time.Minute)
		}
	}
	path := made(t, ours)
	schema, err := database.Schema(path, 7)
	require.NoError(t, err)
	assert.EqualValues(t, 3, schema)
	require.NoError(t, os.Symlink(path, path+".link"))
	_, err = database.Schema(path+".link", 7)
	assert.ErrorIs(t, err, safefile.ErrLink)
	schema, err = database.Schema(path+".none", 7)
	require.NoError(t, err)
	assert.Zero(t, schema)
}

// BenchmarkCheck looks through a database of 327 MB.
func BenchmarkCheck(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.db")
	db, err := database.Open(path, "rwc")
	require.NoError(b, err)
	_, err = db.Exec(`CREATE TABLE s (id INTEGER PRIMARY KEY, sum TEXT UNIQUE, text BLOB); CREATE TABLE r (a INTEGER, b TEXT);
WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 20000) INSERT INTO s SELECT x, hex(x), randomblob(15000) FROM n;
WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 500000) INSERT INTO r SELECT x, 'some text of a row' FROM n;`)
	require.NoError(b, err)
	require.NoError(b, db.Close())
	for b.Loop() {
		db, err := database.Open(path, "ro")
		require.NoError(b, err)
		said, err := database.Check(db)
		require.NoError(b, err)
		require.Empty(b, said)
		require.NoError(b, db.Close())
	}
}
