package foreign

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"goreify/reify/choice"
	"goreify/reify/database"
	"goreify/reify/ir"
)

// What marks a database as one of functions, and of this schema.
const (
	applicationID = 0x72656966
	schemaVersion = 2
)

const schema = `
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

// ErrForeign says that a file is no database of functions, or one of another version.
var ErrForeign = errors.New("no database of functions of this version; it is left alone, take another file")

// ErrGone says that a function is not in a database.
var ErrGone = errors.New("it is not in the database of functions")

// A DB is a database of functions and their pairs. It may be used concurrently. What was
// added is on disk.
type DB struct {
	db   *sql.DB
	path string

	mu    sync.Mutex
	drawn []entry // of functions that are not set aside, by their symbols; nil until they are asked for
	known map[string]*Function
}

// An entry is what Draw knows of a function.
type entry struct {
	symbol string
	class  Class
	weight int
}

// Open opens the database in a file, and makes it if there is none. The error wraps
// ErrForeign if the file is something else.
func Open(path string) (*DB, error) {
	found, err := inspect(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return open(path, "rwc", found)
}

// Read opens the database in a file, which must be there. Functions can be set aside.
func Read(path string) (*DB, error) {
	switch found, err := inspect(path); {
	case err != nil:
		return nil, err
	case !found:
		return nil, fmt.Errorf("%s: there is no database of functions; `reify functions add -o %s DIR` makes one", path, path)
	}
	return open(path, "rw", true)
}

// inspect tells whether there is a database in a file.
func inspect(path string) (found bool, err error) {
	schema, err := database.Schema(path, applicationID)
	if errors.Is(err, database.ErrForeign) || err == nil && schema != 0 && schema != schemaVersion {
		return false, fmt.Errorf("%s: %w", path, ErrForeign)
	}
	return schema != 0, err
}

func open(path, mode string, found bool) (*DB, error) {
	db, err := database.Open(path, mode, "synchronous(FULL)")
	if err != nil {
		return nil, err
	}
	d := &DB{db: db, path: path, known: map[string]*Function{}}
	if !found {
		err = database.Transact(db, func(tx *sql.Tx) error {
			_, err := tx.Exec(database.Marks(applicationID, schemaVersion) + schema)
			return err
		})
	}
	if err == nil {
		err = d.intact()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), d.Close())
	}
	return d, nil
}

// intact returns an error if SQLite finds the file damaged.
func (d *DB) intact() error {
	var said string
	if err := d.db.QueryRow(`PRAGMA quick_check(1)`).Scan(&said); err != nil {
		return fmt.Errorf("the database is damaged: %w", err)
	}
	if said != "ok" {
		return fmt.Errorf("the database is damaged: %s", said)
	}
	return nil
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

// Add adds what came of a source, in one transaction, and returns how many functions were
// not there before. What a compiler rejects is recorded as a refusal.
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

// unpacked returns the arguments of f. The error says that there are not as many.
func (d *DB) unpacked(f *Function, b []byte) (args []int64, err error) {
	if len(b) != 8*len(f.Params) {
		return nil, fmt.Errorf("%s: function %s: a pair has %d bytes of arguments for %d parameters", d.path, f.Symbol, len(b), len(f.Params))
	}
	for ; len(b) > 0; b = b[8:] {
		args = append(args, int64(binary.LittleEndian.Uint64(b)))
	}
	return args, nil
}

// entries returns what can be drawn.
func (d *DB) entries() ([]entry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.drawn != nil {
		return d.drawn, nil
	}
	rows, err := d.db.Query(`SELECT symbol, class, weight FROM function WHERE state = '' ORDER BY symbol`)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	defer rows.Close()
	list := []entry{}
	for rows.Next() {
		var e entry
		if err := rows.Scan(&e.symbol, &e.class, &e.weight); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	d.drawn = list
	return list, rows.Err()
}

// Draw returns n functions of a class that are not set aside, or as many as there are,
// by weight, none twice. The same stream and database give the same.
func (d *DB) Draw(class Class, n int, s *choice.Stream) ([]*Function, error) {
	all, err := d.entries()
	if err != nil {
		return nil, err
	}
	var list []entry
	total := 0
	for _, e := range all {
		if e.class == class || class == Any && e.class != Dead && e.class != Puns {
			list = append(list, e)
			total += e.weight
		}
	}
	var drawn []*Function
	for len(drawn) < n && len(list) > 0 {
		at := s.Intn(total)
		i := 0
		for ; at >= list[i].weight; i++ {
			at -= list[i].weight
		}
		f, err := d.Function(list[i].symbol)
		if err != nil {
			return nil, err
		}
		drawn = append(drawn, f)
		total -= list[i].weight
		list = slices.Delete(list, i, i+1)
	}
	return drawn, nil
}

// Symbols returns the symbols of a class as Draw has it, sorted.
func (d *DB) Symbols(class Class) ([]string, error) {
	all, err := d.entries()
	var list []string
	for _, e := range all {
		if e.class == class || class == Any && e.class != Dead && e.class != Puns {
			list = append(list, e.symbol)
		}
	}
	return list, err
}

// Function returns the function of a symbol, set aside or not. It is shared and must not be
// changed. The error wraps ErrGone if there is none.
func (d *DB) Function(symbol string) (*Function, error) {
	d.mu.Lock()
	f := d.known[symbol]
	d.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f = &Function{Symbol: symbol}
	var params, result, shape string
	err := d.db.QueryRow(`SELECT text, params, result, class, shape, models, name, line, path, project, version, licence
		FROM function JOIN source ON source.id = function.source WHERE symbol = ?`, symbol).Scan(&f.Text, &params, &result, &f.Class, &shape, &f.Models,
		&f.Origin.Name, &f.Origin.Line, &f.Origin.File, &f.Origin.Project, &f.Origin.Version, &f.Origin.Licence)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrGone
	}
	var types []string
	if err == nil {
		err = errors.Join(json.Unmarshal([]byte(params), &types), json.Unmarshal([]byte(shape), &f.Shape))
	}
	for _, t := range types {
		f.Params = append(f.Params, integerType(t, &err))
	}
	f.Result = integerType(result, &err)
	if err != nil {
		return nil, fmt.Errorf("%s: function %s: %w", d.path, symbol, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[symbol] = f
	return f, nil
}

// integerType returns the type of a name; unless there is an error, it sets one if there
// is no such type.
func integerType(name string, err *error) ir.Int {
	for _, t := range []ir.Int{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64} {
		if t.String() == name {
			return t
		}
	}
	if *err == nil {
		*err = fmt.Errorf("type %q", name)
	}
	return ir.Int{}
}

// Find returns the symbols of the functions of a name in their sources, or of a symbol.
func (d *DB) Find(name string) (symbols []string, err error) {
	rows, err := d.db.Query(`SELECT symbol FROM function WHERE name = ?1 OR symbol = ?1 ORDER BY id`, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		symbols = append(symbols, s)
	}
	return symbols, rows.Err()
}

// Pairs returns the pairs of a function that hold in its models: in the order in which
// they were found, those that visited new sets of statements first.
func (d *DB) Pairs(f *Function) ([]Pair, error) {
	rows, err := d.db.Query(`SELECT args, want, steps FROM answer WHERE function = (SELECT id FROM function WHERE symbol = ?) ORDER BY n`, f.Symbol)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	defer rows.Close()
	var list []Pair
	for rows.Next() {
		var p Pair
		var args []byte
		if err := rows.Scan(&args, &p.Want, &p.Steps); err != nil {
			return nil, err
		}
		if p.Args, err = d.unpacked(f, args); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, rows.Err()
}

// Asked returns what Learn was told of a function.
func (d *DB) Asked(f *Function) ([]Reply, error) {
	rows, err := d.db.Query(`SELECT args, want, steps, refused FROM asked WHERE function = (SELECT id FROM function WHERE symbol = ?)`, f.Symbol)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	defer rows.Close()
	var list []Reply
	for rows.Next() {
		var r Reply
		var args []byte
		if err := rows.Scan(&args, &r.Want, &r.Steps, &r.Refused); err != nil {
			return nil, err
		}
		if r.Args, err = d.unpacked(f, args); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// Learn keeps what was asked about a function, so that nobody has to ask again.
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
	if err != nil {
		return fmt.Errorf("%s: %w", d.path, err)
	}
	return nil
}

// SetAside records that a function is drawn no more, and why. It keeps the first reason.
func (d *DB) SetAside(symbol, why string) error {
	_, err := d.db.Exec(`UPDATE function SET state = ? WHERE symbol = ? AND state = ''`, why, symbol)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drawn = nil
	return err
}

// SetClass records that a function is of another class than was thought.
func (d *DB) SetClass(symbol string, c Class) error {
	_, err := d.db.Exec(`UPDATE function SET class = ? WHERE symbol = ?`, c, symbol)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drawn = nil
	delete(d.known, symbol)
	return err
}

// Sum returns a hash of what can be drawn, in hexadecimal.
func (d *DB) Sum() (string, error) {
	all, err := d.entries()
	h := sha256.New()
	for _, e := range all {
		fmt.Fprintf(h, "%s %s %d\n", e.symbol, e.class, e.weight)
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// A Status is what a database holds.
type Status struct {
	Path      string    `json:"path"`
	Bytes     int64     `json:"bytes"`     // of the file
	Functions int       `json:"functions"` // set aside or not
	Usable    int       `json:"usable"`    // with 4 pairs and more, neither set aside nor of Puns or Dead
	Aside     int       `json:"aside"`
	Pairs     int       `json:"pairs"`
	Projects  []Project `json:"projects"`
	Classes   []Count   `json:"classes"`
	Models    []Count   `json:"models"`
	Refusals  []Count   `json:"refusals"`
}

// A Project is what a database has of one.
type Project struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	Licence   string `json:"licence"`
	Files     int    `json:"files"`
	Functions int    `json:"functions"`
	Four      int    `json:"four"` // with 4 pairs and more
}

// A Count is how often something occurs.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Status counts what is in the database.
func (d *DB) Status() (*Status, error) {
	s := &Status{Path: d.path}
	err := d.db.QueryRow(`SELECT COUNT(*), COALESCE(SUM(pairs >= 4 AND state = '' AND class NOT IN ('puns', 'dead')), 0), COALESCE(SUM(state <> ''), 0), COALESCE(SUM(pairs), 0) FROM function`).
		Scan(&s.Functions, &s.Usable, &s.Aside, &s.Pairs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	if info, err := os.Stat(d.path); err == nil {
		s.Bytes = info.Size()
	}
	for _, q := range []struct {
		to    *[]Count
		query string
	}{
		{&s.Classes, `SELECT class, COUNT(*) FROM function GROUP BY class ORDER BY COUNT(*) DESC, class`},
		{&s.Models, `SELECT models, COUNT(*) FROM function GROUP BY models ORDER BY COUNT(*) DESC, models`},
		{&s.Refusals, `SELECT reason, COUNT(*) FROM refusal GROUP BY reason ORDER BY COUNT(*) DESC, reason`},
	} {
		if err := each(d.db, q.query, func(rows *sql.Rows) error {
			var c Count
			err := rows.Scan(&c.Name, &c.Count)
			*q.to = append(*q.to, c)
			return err
		}); err != nil {
			return nil, fmt.Errorf("%s: %w", d.path, err)
		}
	}
	err = each(d.db, `SELECT project, version, licence, COUNT(DISTINCT source.id), COUNT(function.id), COALESCE(SUM(pairs >= 4), 0)
		FROM source LEFT JOIN function ON function.source = source.id GROUP BY project, version, licence ORDER BY project, version, licence`, func(rows *sql.Rows) error {
		var p Project
		err := rows.Scan(&p.Name, &p.Version, &p.Licence, &p.Files, &p.Functions, &p.Four)
		s.Projects = append(s.Projects, p)
		return err
	})
	return s, err
}

func each(db *sql.DB, query string, f func(*sql.Rows) error) error {
	rows, err := db.Query(query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Write writes the status for people.
func (s *Status) Write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %d functions with %d pairs, %d of them with 4 pairs and more for live code, %d set aside, %d bytes\n", s.Path, s.Functions, s.Pairs, s.Usable, s.Aside, s.Bytes)
	for _, p := range s.Projects {
		_, e := fmt.Fprintf(w, "%-24s %-10s %-14s %5d files %5d functions, %d with 4 pairs\n", p.Name, p.Version, p.Licence, p.Files, p.Functions, p.Four)
		err = errors.Join(err, e)
	}
	for _, l := range []struct {
		title string
		list  []Count
	}{{"class", s.Classes}, {"models", s.Models}, {"refused", s.Refusals}} {
		for _, c := range l.list {
			_, e := fmt.Fprintf(w, "%-8s %-14s %6d\n", l.title, c.Name, c.Count)
			err = errors.Join(err, e)
		}
	}
	return err
}
