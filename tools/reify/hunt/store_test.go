package hunt

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/source"
	"goreify/reify/source/function"
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
	_, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	change(t, opt.Dir, `UPDATE batches SET done = 0, kind = 'gone' WHERE number = 0`)
	sum, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	assert.EqualValues(t, 4, sum.Functions)
	assert.Zero(t, sum.Discards)
	assert.Empty(t, query(t, opt.Dir, `SELECT text FROM log`))

	change(t, opt.Dir, `UPDATE batches SET done = 0 WHERE number = 0`, `DELETE FROM inputs`)
	sum, err = Start(t.Context(), o, opt)
	require.NoError(t, err)
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
	_, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	assert.Empty(t, query(t, opt.Dir, `SELECT text FROM log`))
	change(t, opt.Dir, `UPDATE batches SET done = 0`, `UPDATE inputs SET version = '0.8', sum = ''`)
	sum, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	assert.EqualValues(t, 2, sum.Functions)
	other := "batch 0: its input was drawn by version 0.8 of source function; version " + reify.Version + " may make another program of it"
	assert.Equal(t, []string{other}, query(t, opt.Dir, `SELECT text FROM log`))

	change(t, opt.Dir, `UPDATE batches SET done = 0`, `UPDATE inputs SET data = '{"Profile":"gone","Count":2}'`, `DELETE FROM log`)
	sum, err = Start(t.Context(), o, opt)
	require.NoError(t, err)
	assert.EqualValues(t, 1, sum.Discards)
	log := query(t, opt.Dir, `SELECT text FROM log`)
	require.Len(t, log, 2)
	assert.Equal(t, other, log[0])
	assert.Contains(t, log[1], "batch 0: discarded: ")
}

// A hunt of an earlier schema goes on: what it has stays, and what it had begun
// is finished, made of what its kind draws for its number.
func TestMigration(t *testing.T) {
	o := fake(t, "", "-O0")
	for version, old := range map[int]string{
		2: schemaTwo + oldRows + `INSERT INTO events VALUES (1, 1, 'once upon a time');`,
		3: schemaThree + oldRows + `INSERT INTO log VALUES (1, 1, 'once upon a time');`,
		9: schemaThree + oldRows + migrations[3] + migrations[4] + migrations[5] + migrations[6] + migrations[7] + migrations[8] + `INSERT INTO log VALUES (1, 1, 'once upon a time');`,
		5: schemaThree + oldRows + migrations[3] + migrations[4] + `INSERT INTO log VALUES (1, 1, 'once upon a time');`,
	} {
		dir := t.TempDir()
		db, err := sql.Open("sqlite", filepath.Join(dir, databaseName))
		require.NoError(t, err)
		_, err = db.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d; PRAGMA journal_mode = WAL;", applicationID, version) + old)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		reproducer := filepath.Join(dir, corpus.FindingsDir, "crash-gcc-12-O2-00", corpus.FindingFile)
		require.NoError(t, os.MkdirAll(filepath.Dir(reproducer), 0o700))
		require.NoError(t, os.WriteFile(reproducer, []byte("as it was\n"), 0o600))
		_, err = Read(dir)
		require.ErrorContains(t, err, "an earlier version")

		opt := options(t, dir, 3, 4)
		var made []source.Input
		opt.watch(func(in source.Input) { made = append(made, in) })
		sum, err := Start(t.Context(), o, opt)
		require.NoError(t, err, "schema %d", version)
		assert.EqualValues(t, 3, sum.Batches)
		assert.EqualValues(t, 12, sum.Functions)
		assert.Len(t, sum.Runs, 2)
		drawn := tiny(4)[0].Source
		assert.Equal(t, []source.Input{drawn.Draw(stream(9, 1)), drawn.Draw(stream(9, 2))}, made)
		assert.Equal(t, []string{"2"}, query(t, dir, `SELECT batch FROM inputs`), "of what earlier schemas had there, nothing is left")

		assert.EqualValues(t, 2, sum.Findings)
		assert.EqualValues(t, 2, sum.Buckets)
		assert.EqualValues(t, 1, sum.KnownBuckets)
		assert.Equal(t, []string{"crash-gcc-12-O2-00 0 crash gcc gcc-12 -O2 crash f1 7", "wrong-answer-gcc-12-O3-01 0 wrong gcc gcc-12 -m32 -O3 wrong-answer f2 f3 8"},
			query(t, dir, `SELECT name || ' ' || batch || ' ' || fingerprint || ' ' || compiler || ' ' || mode || ' ' || verdict || ' ' || functions || ' ' || found
				FROM findings ORDER BY name`))
		assert.Equal(t, []string{"", "gcc/wrong-answer/tree-vrp/O3"}, query(t, dir, `SELECT known FROM buckets ORDER BY fingerprint`))
		assert.Equal(t, []string{"", ""}, query(t, dir, `SELECT flags FROM buckets`), "no finding needed any")
		assert.Empty(t, query(t, dir, `SELECT flag FROM flags`))
		assert.Empty(t, query(t, dir, `SELECT cell FROM cells UNION SELECT target FROM asked`))
		assert.Nil(t, sum.Cells)
		assert.Equal(t, []string{"once upon a time"}, query(t, dir, `SELECT text FROM log`))
		text, err := os.ReadFile(reproducer)
		require.NoError(t, err)
		assert.Equal(t, "as it was\n", string(text))
	}
}

// What a hunt of schema 3 had begun is made of the profile and the features that
// it recorded, whatever its kind draws by now; what was bred of others is not made.
func TestMigratedInputs(t *testing.T) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, databaseName))
	require.NoError(t, err)
	_, err = db.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = 3;", applicationID) + schemaThree + oldRows + `
DELETE FROM batches WHERE number = 1;
INSERT INTO batches (number, run, kind, part, seeds, profile, features, parents) VALUES
	(1, 1, 'wild', 'all', 4, 'wild', '-all,+shift', ''),
	(2, 1, 'wild-programs', 'all', 2, 'wild', '', ''),
	(3, 1, 'mutants', 'all', 4, 'wild', '', '1'),
	(4, 1, 'tiny', 'all', 4, '', '', '');`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	s, err := openStore(dir)
	require.NoError(t, err)
	list, err := s.resume()
	require.NoError(t, err)
	require.NoError(t, s.close())
	require.Len(t, list, 4)
	wild := function.Options{Profile: "wild", Features: "-all,+shift", Size: 4}.Draw("function", stream(9, 1))
	linked := function.Options{Profile: "wild", Size: 2}.Draw("program", stream(9, 2))
	wild.Version, linked.Version = "0.8", "0.8" // of the run that began them
	assert.Equal(t, []source.Input{wild, linked, {}, {}}, []source.Input{list[0].input, list[1].input, list[2].input, list[3].input})
}

// oldRows are a finished batch with two findings, one of them known, and one that
// was not finished. Their hunt was killed.
const oldRows = `
INSERT INTO hunt VALUES (1, '9');
INSERT INTO runs (started, seen, version, plan, toolchains, workers) VALUES (1, 2, '0.8', 'all', 'gcc', 1);
INSERT INTO batches (number, run, kind, part, seeds, done, functions) VALUES (0, 1, 'tiny', 'all', 4, 1, 4), (1, 1, 'tiny', 'all', 4, 0, 0);
INSERT INTO buckets VALUES ('crash gcc', 'crash-gcc-12-O2-00', 0, 'tiny', 7, '', 1.5),
	('wrong gcc', 'wrong-answer-gcc-12-O3-01', 0, 'tiny', 8, 'gcc/wrong-answer/tree-vrp/O3', 2.5);
INSERT INTO findings VALUES ('crash-gcc-12-O2-00', 0, 'crash gcc', 'gcc-12', '-O2', 'crash', 'f1', 7),
	('wrong-answer-gcc-12-O3-01', 0, 'wrong gcc', 'gcc-12 -m32', '-O3', 'wrong-answer', 'f2 f3', 8);`

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

// schemaThree has inputs of another meaning than those of today.
var schemaThree = strings.Replace(schemaTwo, "TABLE events", "TABLE log", 1) + `
ALTER TABLE batches ADD COLUMN profile TEXT NOT NULL DEFAULT '';
ALTER TABLE batches ADD COLUMN features TEXT NOT NULL DEFAULT '';
ALTER TABLE batches ADD COLUMN parents TEXT NOT NULL DEFAULT '';
ALTER TABLE batches ADD COLUMN fresh INTEGER;
CREATE TABLE inputs (id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, profile TEXT NOT NULL, features TEXT NOT NULL, config BLOB NOT NULL,
	graph BLOB NOT NULL, path BLOB NOT NULL, body BLOB NOT NULL, tweak TEXT NOT NULL);
CREATE TABLE heard (event TEXT PRIMARY KEY, functions INTEGER NOT NULL, input INTEGER NOT NULL REFERENCES inputs);
INSERT INTO inputs VALUES (1, 1, 'wild', '', x'00', x'01', x'02', x'03', '0');
INSERT INTO heard VALUES ('gcc ccp.1', 1, 1);`

// Where the clock is set back by a day, what a run finds is new all the same, and known
// to the next one.
func TestClockSetBack(t *testing.T) {
	o := fake(t, miscompile, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 8)
	opt.Time = time.Nanosecond // only makes the state
	_, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	opt.Time = 0
	back := `UPDATE runs SET started = started + 86400000, seen = seen + 86400000`
	change(t, opt.Dir, back)
	sum, err := Start(t.Context(), o, opt)
	require.NoError(t, err)
	require.Positive(t, sum.Buckets)
	assert.Equal(t, sum.Buckets, sum.NewBuckets)
	change(t, opt.Dir, back, `UPDATE buckets SET found = found + 86400000`)
	sum, err = Start(t.Context(), o, opt)
	require.NoError(t, err)
	assert.Zero(t, sum.NewBuckets)
}
