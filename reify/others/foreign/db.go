package foreign

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"goreify/reify/others/database"
)

// kind is the databases of functions. Version 3 had functions that make promises which no
// sanitizer checks, or keep state between calls.
var kind = database.Kind{
	Application: 0x72656966, Schema: 4, Tables: tables,
	Name: "database of functions", Missing: "`reify others add -what functions -db %s DIR` makes one", Foreign: ErrForeign,
}

const tables = `
CREATE TABLE source (
	id      INTEGER PRIMARY KEY,
	path    TEXT NOT NULL,           -- below the project
	sha256  TEXT NOT NULL,           -- of the file and the flags: Source.Sum
	project TEXT NOT NULL,
	version TEXT NOT NULL,
	licence TEXT NOT NULL,
	cflags  TEXT NOT NULL,
	UNIQUE (path, project, sha256)
);
CREATE TABLE function (
	id     INTEGER PRIMARY KEY,
	symbol TEXT NOT NULL UNIQUE,
	source INTEGER NOT NULL REFERENCES source,
	name   TEXT NOT NULL,
	line   INTEGER NOT NULL,
	text   TEXT NOT NULL,
	params TEXT NOT NULL,            -- JSON of types of the text form of package ir
	result TEXT NOT NULL,
	class  TEXT NOT NULL,
	shape  TEXT NOT NULL,            -- JSON
	weight INTEGER NOT NULL,
	models TEXT NOT NULL,
	pairs  INTEGER NOT NULL,
	state  TEXT NOT NULL DEFAULT ''  -- why it is set aside
);
CREATE TABLE answer (
	function INTEGER NOT NULL REFERENCES function,
	n        INTEGER NOT NULL,       -- in the order of the pairs
	args     BLOB NOT NULL,          -- of 8 bytes each, little-endian
	want     INTEGER NOT NULL,
	steps    INTEGER NOT NULL,
	PRIMARY KEY (function, n)
) WITHOUT ROWID;
CREATE TABLE asked (               -- what else was asked: a cache
	function INTEGER NOT NULL REFERENCES function,
	args     BLOB NOT NULL,          -- as of answers
	want     INTEGER NOT NULL,
	steps    INTEGER NOT NULL,
	refused  TEXT NOT NULL,          -- why there is no answer
	PRIMARY KEY (function, args)
) WITHOUT ROWID;
CREATE TABLE refusal (
	source INTEGER NOT NULL REFERENCES source,
	name   TEXT NOT NULL,
	line   INTEGER NOT NULL,
	reason TEXT NOT NULL,
	detail TEXT NOT NULL
);
`

// ErrForeign says that a file is not a database of functions, or one of another
// version.
var ErrForeign = errors.New("not a database of functions of this version; it is left alone, take another file")

// ErrGone says that a function is not in a database.
var ErrGone = errors.New("it is not in the database of functions")

// ErrUnusable says that a database cannot be read or written any more: its file is gone,
// locked or damaged.
var ErrUnusable = errors.New("the database of functions cannot be used")

// A DB is a database of functions and their pairs. It may be used concurrently.
// Functions that were added are on disk.
type DB struct {
	db   *sql.DB
	path string

	mu    sync.Mutex
	drawn []entry // of functions that are not set aside, by their symbols; nil until they are asked for
	known map[string]*Function
}

// An entry is the data of a function that Draw needs.
type entry struct {
	symbol string
	class  Class
	weight int
}

// Open opens the database in a file, and makes a database if there is no file. The
// error wraps ErrForeign if the file is something else.
func Open(path string) (*DB, error) { return open(path, "rwc") }

// Read opens the database in a file, which must be there. Functions can be set aside.
func Read(path string) (*DB, error) { return open(path, "rw") }

// View opens the database in a file, which must be there. Nothing can be written.
func View(path string) (*DB, error) { return open(path, "ro") }

func open(path, mode string) (*DB, error) {
	db, err := kind.Open(path, mode)
	if err != nil {
		return nil, err
	}
	return &DB{db: db, path: path, known: map[string]*Function{}}, nil
}

// Close closes the database.
func (d *DB) Close() error { return d.db.Close() }

// Path returns the name of the file.
func (d *DB) Path() string { return d.path }

// A Source is a file that functions were taken from.
type Source struct {
	Origin Origin // its Name and Line are not used
	Sum    string // hexadecimal, of all that decides what is taken from the file
	Cflags string
}

// Known tells whether a source was added.
func (d *DB) Known(s Source) (bool, error) {
	var known bool
	err := d.db.QueryRow(`SELECT EXISTS (SELECT 1 FROM source WHERE path = ? AND project = ? AND sha256 = ?)`, s.Origin.File, s.Origin.Project, s.Sum).Scan(&known)
	return known, err
}

// SetLicence records the licence of a source that was added before, unless the licence
// is unknown.
func (d *DB) SetLicence(s Source) error {
	if s.Origin.Licence == UnknownLicence {
		return nil
	}
	_, err := d.db.Exec(`UPDATE source SET licence = ?1 WHERE path = ?2 AND project = ?3 AND sha256 = ?4 AND licence <> ?1`, s.Origin.Licence, s.Origin.File, s.Origin.Project, s.Sum)
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.known)
	return d.explain(err)
}

// Add adds the functions and refusals of a source, in one transaction, and returns how
// many functions are new. A function that a compiler rejects is recorded as a refusal.
func (d *DB) Add(s Source, list []Harvest, refused []Refusal) (added int, err error) {
	err = database.Transact(d.db, func(tx *sql.Tx) error {
		added = 0
		o := s.Origin
		res, err := tx.Exec(`INSERT OR IGNORE INTO source (path, sha256, project, version, licence, cflags) VALUES (?, ?, ?, ?, ?, ?)`, o.File, s.Sum, o.Project, o.Version, o.Licence, s.Cflags)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err // it is there
		}
		source, err := res.LastInsertId()
		if err != nil {
			return err
		}
		for _, h := range list {
			if h.Rejected {
				refused = append(refused, Refusal{Name: h.Function.Origin.Name, Line: h.Function.Origin.Line, Reason: ReasonRejected})
				continue
			}
			n, err := insert(tx, source, h)
			if err != nil {
				return err
			}
			added += n
		}
		for _, r := range refused {
			if _, err := tx.Exec(`INSERT INTO refusal (source, name, line, reason, detail) VALUES (?, ?, ?, ?, ?)`, source, r.Name, r.Line, r.Reason, r.Detail); err != nil {
				return err
			}
		}
		return nil
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drawn = nil
	return added, err
}

func insert(tx *sql.Tx, source int64, h Harvest) (int, error) {
	f := h.Function
	var params []string
	for _, t := range f.Params {
		params = append(params, t.String())
	}
	types, err := json.Marshal(params)
	if err != nil {
		return 0, err
	}
	shape, err := json.Marshal(f.Shape)
	if err != nil {
		return 0, err
	}
	res, err := tx.Exec(`INSERT OR IGNORE INTO function (symbol, source, name, line, text, params, result, class, shape, weight, models, pairs) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		f.Symbol, source, f.Origin.Name, f.Origin.Line, f.Text, types, f.Result.String(), f.Class, shape, f.Weight(), f.Models, len(h.Pairs))
	if err != nil {
		return 0, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return 0, err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return 0, err
	}
	for n, p := range h.Pairs {
		if _, err := tx.Exec(`INSERT INTO answer (function, n, args, want, steps) VALUES (?, ?, ?, ?, ?)`, id, n, packed(p.Args), p.Want, p.Steps); err != nil {
			return 0, err
		}
	}
	return 1, nil
}

// packed returns arguments as the database has them.
func packed(args []int64) (b []byte) {
	for _, v := range args {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

// Learn keeps the answers of a function, so that no compiler is asked for them again.
func (d *DB) Learn(f *Function, replies []Reply) error {
	err := database.Transact(d.db, func(tx *sql.Tx) error {
		for _, r := range replies {
			if _, err := tx.Exec(`INSERT OR IGNORE INTO asked (function, args, want, steps, refused) SELECT id, ?, ?, ?, ? FROM function WHERE symbol = ?`,
				packed(r.Args), r.Want, r.Steps, r.Refused, f.Symbol); err != nil {
				return err
			}
		}
		return nil
	})
	return d.explain(err)
}

// explain adds the file of the database, and its state, to an error. An error about a
// single function wraps ErrGone, or names its wrong columns. All others are of the
// database, and wrap ErrUnusable.
func (d *DB) explain(err error) error {
	if err == nil || errors.Is(err, ErrGone) {
		return err
	}
	why := ErrUnusable
	if _, e := os.Stat(d.path); errors.Is(e, fs.ErrNotExist) {
		why = fmt.Errorf("%w: it is gone", ErrUnusable)
	} else if database.Locked(err) {
		why = fmt.Errorf("%w: another process keeps it locked", ErrUnusable)
	}
	return fmt.Errorf("%s: %w: %w", d.path, why, err)
}

// SetAside records that a function is not drawn any more, and why. It keeps the first
// reason.
func (d *DB) SetAside(symbol, why string) error {
	return d.update(`UPDATE function SET state = ?1 WHERE symbol = ?2 AND state = ''`, why, symbol)
}

// SetClass records another class of a function.
func (d *DB) SetClass(symbol string, c Class) error {
	err := d.update(`UPDATE function SET class = ?1 WHERE symbol = ?2`, c, symbol)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.known, symbol)
	return err
}

// update changes what can be drawn.
func (d *DB) update(query string, args ...any) error {
	_, err := d.db.Exec(query, args...)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drawn = nil
	return d.explain(err)
}

// Sum returns a hash of the functions that can be drawn, in hexadecimal.
func (d *DB) Sum() (string, error) {
	all, err := d.entries()
	h := sha256.New()
	for _, e := range all {
		fmt.Fprintf(h, "%s %s %d\n", e.symbol, e.class, e.weight)
	}
	return hex.EncodeToString(h.Sum(nil)), err
}
