package hunt

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"goreify/reify/others/database"
)

// databaseName is the file of the state in the directory of a hunt.
const databaseName = "hunt.db"

// The marks of a database of hunts with this schema: a change of the schema takes
// another version.
const (
	applicationID = 0x72656966
	schemaVersion = 11
)

// Databases of schemas from firstMigrated on are brought to schema 11 by the commit
// lastMigrating.
const (
	firstMigrated = 2
	lastMigrating = "0996a2b"
)

// schema is made in a new directory. Times are Unix milliseconds, costs are
// CPU seconds. Numbers that could be counted twice are not kept but counted
// from the rows.
const schema = `
CREATE TABLE IF NOT EXISTS hunt (
	id   INTEGER PRIMARY KEY CHECK (id = 1),
	seed TEXT NOT NULL                -- 64 bits without sign
);
CREATE TABLE IF NOT EXISTS runs (
	id           INTEGER PRIMARY KEY,
	started      INTEGER NOT NULL,
	seen         INTEGER NOT NULL,    -- when it last wrote
	version      TEXT NOT NULL,       -- of the generator
	plan         TEXT NOT NULL,
	toolchains   TEXT NOT NULL,
	workers      INTEGER NOT NULL,
	cpu          REAL NOT NULL DEFAULT 0,
	compiler_cpu REAL NOT NULL DEFAULT 0,
	ended        TEXT,                -- why; NULL while it runs, or if it was killed
	until        INTEGER NOT NULL DEFAULT 0, -- when it ends by itself, or 0
	now          TEXT NOT NULL DEFAULT ''    -- what is asked, a line for each worker, while it runs
);
CREATE TABLE IF NOT EXISTS compilers ( -- that a run had
	run     INTEGER NOT NULL REFERENCES runs,
	place   INTEGER NOT NULL,
	name    TEXT NOT NULL,            -- with arguments
	version TEXT NOT NULL,
	PRIMARY KEY (run, place)
);
CREATE TABLE IF NOT EXISTS batches (
	number       INTEGER PRIMARY KEY,
	run          INTEGER NOT NULL REFERENCES runs,
	kind         TEXT NOT NULL,
	part         TEXT NOT NULL,       -- of the plan
	seeds        INTEGER NOT NULL,
	done         INTEGER NOT NULL DEFAULT 0,
	tries        INTEGER NOT NULL DEFAULT 0, -- that came to their end, but not all configurations answered
	reason       TEXT NOT NULL DEFAULT '',   -- why they did not, in the last one
	functions    INTEGER NOT NULL DEFAULT 0,
	programs     INTEGER NOT NULL DEFAULT 0,
	compilations INTEGER NOT NULL DEFAULT 0,
	discards     INTEGER NOT NULL DEFAULT 0,
	cpu          REAL NOT NULL DEFAULT 0, -- of what it asked, not of making it
	compiler_cpu REAL NOT NULL DEFAULT 0,
	sum          TEXT NOT NULL DEFAULT '' -- of the other columns except costs, and of the seed; nothing if that is not known
);
CREATE TABLE IF NOT EXISTS inputs (  -- what each batch is made of
	batch   INTEGER PRIMARY KEY REFERENCES batches,
	source  TEXT NOT NULL,
	version TEXT NOT NULL,            -- of the source
	data    BLOB NOT NULL,            -- means something to the source only
	sum     TEXT NOT NULL             -- of the others, or nothing if that is not known
);
CREATE INDEX IF NOT EXISTS unfinished ON batches (number) WHERE done = 0;
CREATE TABLE IF NOT EXISTS buckets (
	fingerprint  TEXT PRIMARY KEY,
	finding      TEXT NOT NULL,       -- the one that is saved, unless it is known
	batch        INTEGER NOT NULL,
	kind         TEXT NOT NULL,
	found        INTEGER NOT NULL,
	known        TEXT NOT NULL,       -- name of the bucket that it belongs in and that is known, or nothing
	cpu          REAL NOT NULL,       -- of the whole hunt until then
	flags        TEXT NOT NULL,       -- that the finding needed where it was asked
	culprit      TEXT NOT NULL DEFAULT '' -- as triage has it, or nothing
);
CREATE INDEX IF NOT EXISTS by_culprit ON buckets (culprit);
CREATE TABLE IF NOT EXISTS flags (   -- that targets were given for batches
	batch  INTEGER NOT NULL REFERENCES batches,
	target TEXT NOT NULL,             -- without them
	family TEXT NOT NULL,
	place  INTEGER NOT NULL,
	flag   TEXT NOT NULL,             -- with the word that it takes
	PRIMARY KEY (batch, target, place)
);
CREATE TABLE IF NOT EXISTS findings (
	name         TEXT PRIMARY KEY,
	batch        INTEGER NOT NULL,
	fingerprint  TEXT NOT NULL REFERENCES buckets,
	compiler     TEXT NOT NULL,
	mode         TEXT NOT NULL,
	verdict      TEXT NOT NULL,
	functions    TEXT NOT NULL,       -- their names in the batch
	found        INTEGER NOT NULL,
	sum          TEXT NOT NULL        -- of what is saved, or nothing if it is not or that is not known
);
CREATE INDEX IF NOT EXISTS by_bucket ON findings (fingerprint);
CREATE TABLE IF NOT EXISTS cells (   -- that failed, in batches of cells of a matrix
	batch   INTEGER NOT NULL REFERENCES batches,
	cell    TEXT NOT NULL,            -- its name
	key     TEXT NOT NULL,            -- that it has in common with others
	target  TEXT NOT NULL,            -- with arguments, or nothing if it was not made
	mode    TEXT NOT NULL,
	verdict TEXT NOT NULL,
	finding TEXT NOT NULL,            -- that explains it, or nothing
	seen    INTEGER NOT NULL DEFAULT 0, -- the finding is of this cell, or the failure was looked into without one
	PRIMARY KEY (batch, cell, target, mode)
);
CREATE INDEX IF NOT EXISTS by_cause ON cells (finding) WHERE finding <> '';
CREATE TABLE IF NOT EXISTS asked (   -- about the cells of a batch, in all modes
	batch  INTEGER NOT NULL REFERENCES batches,
	target TEXT NOT NULL,
	cells  INTEGER NOT NULL,          -- how many
	PRIMARY KEY (batch, target)
);
CREATE TABLE IF NOT EXISTS log (
	run  INTEGER NOT NULL,
	at   INTEGER NOT NULL,
	text TEXT NOT NULL
);
`

// A store is the state of a hunt on disk. It may be used concurrently. Every
// transaction reaches the disk before it counts as done. There is about one a
// second.
type store struct{ db *sql.DB }

// ErrForeign says that a database is not a hunt's, or of a schema that this
// version cannot read.
var ErrForeign = errors.New("no hunt of this version; it is left alone, take another directory")

// inspect returns the version of the schema of the state in dir, 0 if there is
// none. It wraps ErrForeign if that is of others.
func inspect(dir string) (schema uint32, err error) {
	path := filepath.Join(dir, databaseName)
	schema, err = database.Schema(path, applicationID)
	switch {
	case errors.Is(err, database.ErrForeign):
		return 0, fmt.Errorf("%s: %w", path, ErrForeign)
	case err != nil || schema == 0:
		return 0, err
	}
	switch {
	case schema == schemaVersion:
		return schema, nil
	case schema >= firstMigrated && schema < schemaVersion:
		return 0, fmt.Errorf("%s: goreify %s wrote it, with a schema of version %d, not %d; to bring it up to date, go on with it for a second by goreify of commit %s (hunt -time 1s): %w",
			path, writer(dir), schema, schemaVersion, lastMigrating, ErrForeign)
	}
	return 0, fmt.Errorf("%s: its schema is version %d, not %d: %w", path, schema, schemaVersion, ErrForeign)
}

// writer returns the version that wrote a database of an earlier schema last.
func writer(dir string) string {
	version := "of an unknown version"
	if s, err := open(dir, "ro"); err == nil {
		if said, err := database.Check(s.db); err == nil && said == "" {
			_ = s.db.QueryRow(`SELECT version FROM runs ORDER BY id DESC LIMIT 1`).Scan(&version) // else it is not known
		}
		_ = s.close() // it was only read
	}
	return version
}

// openStore opens the state in dir, and makes it if there is none. It wraps
// ErrForeign if what is there is of others, and ErrDamaged if it is damaged.
func openStore(dir string) (*store, error) {
	found, err := inspect(dir)
	if err != nil {
		return nil, err
	}
	if found != 0 {
		if err := intact(dir); err != nil {
			return nil, err
		}
	}
	s, err := open(dir, "rwc", "synchronous(FULL)")
	if err != nil {
		return nil, err
	}
	if found == 0 {
		err = s.create()
	}
	if err == nil {
		_, err = s.db.Exec(`PRAGMA journal_mode = WAL`)
	}
	if database.ReadOnly(err) {
		err = fmt.Errorf("it cannot be written, and a hunt has to; status reads only: %w", err)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", filepath.Join(dir, databaseName), err), s.close())
	}
	return s, nil
}

// create makes the schema. The marks must be in the file itself, where inspect looks, not
// in the write-ahead log.
func (s *store) create() error {
	return s.transact(func(tx *sql.Tx) error {
		_, err := tx.Exec(database.Marks(applicationID, schemaVersion) + schema)
		return err
	})
}

// readStore opens the state in dir to look at, also while a hunt runs.
func readStore(dir string) (*store, error) {
	found, err := inspect(dir)
	switch {
	case err != nil:
		return nil, err
	case found == 0:
		return nil, fmt.Errorf("%s: there is no hunt in it", dir)
	}
	s, err := open(dir, "ro")
	if err != nil {
		return nil, err
	}
	said, err := database.Check(s.db)
	if err = damaged(dir, said, err); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func open(dir, mode string, pragmas ...string) (*store, error) {
	db, err := database.Open(filepath.Join(dir, databaseName), mode, pragmas...)
	if err != nil {
		return nil, err
	}
	return &store{db: db}, nil
}

func (s *store) close() error { return s.db.Close() }

func (s *store) transact(f func(tx *sql.Tx) error) error { return database.Transact(s.db, f) }

// seed returns the seed of the hunt, which is the one given where the hunt is
// new. A seed of 0 stands for the recorded one, or 1. Another one than the
// recorded one is an error.
func (s *store) seed(given uint64) (uint64, error) {
	if _, err := s.db.Exec(`INSERT OR IGNORE INTO hunt (id, seed) VALUES (1, ?)`, strconv.FormatUint(max(given, 1), 10)); err != nil {
		return 0, err
	}
	var text string
	if err := s.db.QueryRow(`SELECT seed FROM hunt`).Scan(&text); err != nil {
		return 0, err
	}
	recorded, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, err
	}
	if given != 0 && given != recorded {
		return 0, fmt.Errorf("it holds a hunt with seed %d, not %d: leave out the seed, or take another directory", recorded, given)
	}
	return recorded, nil
}

// time returns the time in Unix milliseconds, or that of the last record if that is later:
// where the clock is set back, what a run finds is still found after it has begun.
func (s *store) time() int64 {
	var last int64
	_ = s.db.QueryRow(`SELECT MAX(COALESCE((SELECT MAX(seen) FROM runs), 0), COALESCE((SELECT MAX(found) FROM buckets), 0))`).Scan(&last) // else what is written next fails
	return max(time.Now().UnixMilli(), last+1)
}

// beginRun records that a run begins, and returns its number.
func (s *store) beginRun(r Run) (id int64, err error) {
	now := s.time()
	err = s.transact(func(tx *sql.Tx) error {
		res, err := tx.Exec(`INSERT INTO runs (started, seen, version, plan, toolchains, workers, until) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			now, now, r.Version, r.Plan, r.toolchains(), r.Workers, r.until(now))
		if err != nil {
			return err
		}
		if id, err = res.LastInsertId(); err != nil {
			return err
		}
		return install(tx, id, r.Compilers)
	})
	return id, err
}

// spend records what a run has used so far.
func (s *store) spend(run int64, u usage) error {
	_, err := s.db.Exec(`UPDATE runs SET seen = ?, cpu = ?, compiler_cpu = ? WHERE id = ?`,
		s.time(), u.total.Seconds(), u.compilers.Seconds(), run)
	return err
}

// toolchains names the compilers, in a line.
func (r Run) toolchains() string {
	var names []string
	for _, i := range r.Compilers {
		names = append(names, i.String())
	}
	return strings.Join(names, ", ")
}

// until returns when a run ends that begins now, in Unix milliseconds, or 0.
func (r Run) until(now int64) int64 {
	if r.Time <= 0 {
		return 0
	}
	return now + r.Time.Milliseconds()
}

// now records what a run asks.
func (s *store) now(run int64, lines []string) error {
	_, err := s.db.Exec(`UPDATE runs SET now = ? WHERE id = ?`, strings.Join(lines, "\n"), run)
	return err
}

// endRun records why a run has ended, and what it has used.
func (s *store) endRun(run int64, u usage, why string) error {
	if err := s.spend(run, u); err != nil {
		return err
	}
	_, err := s.db.Exec(`UPDATE runs SET ended = ? WHERE id = ?`, why, run)
	return err
}

// event records a line.
func (s *store) event(run int64, text string) error {
	_, err := s.db.Exec(`INSERT INTO log (run, at, text) VALUES (?, ?, ?)`, run, s.time(), text)
	return err
}

// full tells whether an error is that of a disk without room.
func full(err error) bool {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return true
	}
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return false
	}
	// The index of the log, which is shared memory, cannot be made larger.
	return failure.Code() == sqlite3.SQLITE_FULL || failure.Code() == sqlite3.SQLITE_IOERR_SHMSIZE
}
