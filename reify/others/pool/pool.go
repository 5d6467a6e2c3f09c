package pool

import (
	"bytes"
	"compress/zlib"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"

	"goreify/reify/others/csource"
	"goreify/reify/others/database"
)

// kind is the databases that are pools. The tables are made perhaps by two processes at a
// time. Texts and outputs of programs are compressed with zlib.
var kind = database.Kind{
	Application: 0x72656970, Schema: 1, Tables: tables,
	Name: "pool", Missing: "`reify others add -n 100 -db %s` makes one", Foreign: ErrForeign,
}

const tables = `
CREATE TABLE IF NOT EXISTS seeds (
	id     INTEGER PRIMARY KEY,
	sum    TEXT NOT NULL UNIQUE,     -- of the text: Sum
	name   TEXT NOT NULL,            -- for people
	text   BLOB NOT NULL,            -- preprocessed
	want   BLOB NOT NULL,            -- what it prints
	made   TEXT NOT NULL,            -- sum of the instrumented programs
	hits   BLOB NOT NULL,            -- what it printed with counters, by the first family and by the other
	hits2  BLOB NOT NULL,
	rows   BLOB NOT NULL,            -- what it printed with values, likewise
	rows2  BLOB NOT NULL,
	banned TEXT NOT NULL DEFAULT ''  -- why no variants are made of it any more
);
CREATE TABLE IF NOT EXISTS refusals (
	sum    TEXT PRIMARY KEY,
	name   TEXT NOT NULL,
	reason TEXT NOT NULL,
	detail TEXT NOT NULL
);
`

// ErrForeign says that a database is not a pool, or one of another version.
var ErrForeign = errors.New("no pool of this version; it is left alone, take another file")

// A Pool is a database of seeds. It may be used concurrently. Seeds that were added are
// on disk.
type Pool struct {
	db   *sql.DB
	path string
}

// Open opens the pool in a file, and makes a pool if there is no file. The error wraps
// ErrForeign if the file is something else.
func Open(path string) (*Pool, error) { return open(path, "rwc") }

// Read opens the pool in a file, which must exist, to look at. Bans can be written.
func Read(path string) (*Pool, error) { return open(path, "rw") }

// View opens the pool in a file, which must exist. Nothing can be written.
func View(path string) (*Pool, error) { return open(path, "ro") }

func open(path, mode string) (*Pool, error) {
	db, err := kind.Open(path, mode)
	if err != nil {
		return nil, err
	}
	return &Pool{db, path}, nil
}

// Close closes the database.
func (p *Pool) Close() error { return p.db.Close() }

// Path returns the name of the file.
func (p *Pool) Path() string { return p.path }

// Known tells whether a text of that sum was admitted or refused before.
func (p *Pool) Known(sum string) (admitted, refused bool, err error) {
	err = p.db.QueryRow(`SELECT EXISTS (SELECT 1 FROM seeds WHERE sum = ?1), EXISTS (SELECT 1 FROM refusals WHERE sum = ?1)`, sum).Scan(&admitted, &refused)
	return admitted, refused, err
}

// Add adds a seed, and tells whether it was not there before.
func (p *Pool) Add(s *Seed) (added bool, err error) {
	err = database.Transact(p.db, func(tx *sql.Tx) error {
		res, err := tx.Exec(`INSERT OR IGNORE INTO seeds (sum, name, text, want, made, hits, hits2, rows, rows2) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			s.Sum, s.Name, pack(s.Text), pack(s.Want), s.made, pack(s.hits[0]), pack(s.hits[1]), pack(s.rows[0]), pack(s.rows[1]))
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		added = n > 0
		return err
	})
	return added, err
}

// Refuse records that a candidate was refused, and why.
func (p *Pool) Refuse(r *Refusal) error {
	_, err := p.db.Exec(`INSERT OR REPLACE INTO refusals (sum, name, reason, detail) VALUES (?, ?, ?, ?)`, r.Sum, r.Name, r.Reason, r.Err.Error())
	return err
}

// Ban records that variants of a seed do not behave as it does, and why. It keeps the
// first reason.
func (p *Pool) Ban(sum, why string) error {
	_, err := p.db.Exec(`UPDATE seeds SET banned = ? WHERE sum = ? AND banned = ''`, why, sum)
	return err
}

// Sums returns the sums of the seeds that are not banned, in the order in which they
// were added.
func (p *Pool) Sums() (sums []string, err error) {
	err = p.each(func(rows *sql.Rows) error {
		var sum string
		err := rows.Scan(&sum)
		sums = append(sums, sum)
		return err
	}, `SELECT sum FROM seeds WHERE banned = '' ORDER BY id`)
	return sums, err
}

// each calls f for each row that a query returns.
func (p *Pool) each(f func(rows *sql.Rows) error, query string) error {
	if err := database.Each(p.db, f, query); err != nil {
		return fmt.Errorf("%s: %w", p.path, err)
	}
	return nil
}

// ErrGone says that a seed is not in a pool.
var ErrGone = errors.New("it is not in the pool")

// Seed returns the seed of a sum. The error wraps ErrGone if the pool has no such seed,
// or the seed is banned.
func (p *Pool) Seed(sum string) (*Seed, error) {
	s := &Seed{Sum: sum}
	var text, want, hits, hits2, rows, rows2 []byte
	var banned string
	err := p.db.QueryRow(`SELECT name, text, want, made, hits, hits2, rows, rows2, banned FROM seeds WHERE sum = ?`, sum).Scan(&s.Name, &text, &want, &s.made, &hits, &hits2, &rows, &rows2, &banned)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, fmt.Errorf("%s: seed %s: %w", p.path, sum, ErrGone)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", p.path, err)
	case banned != "":
		return nil, fmt.Errorf("%s: seed %s, %s, is banned (%s): %w", p.path, sum, s.Name, banned, ErrGone)
	}
	for _, f := range []struct {
		to   *[]byte
		from []byte
	}{{&s.Text, text}, {&s.Want, want}, {&s.hits[0], hits}, {&s.hits[1], hits2}, {&s.rows[0], rows}, {&s.rows[1], rows2}} {
		if *f.to, err = unpack(f.from); err != nil {
			return nil, fmt.Errorf("%s: seed %s: %w", p.path, sum, err)
		}
	}
	if Sum(s.Text) != sum {
		return nil, fmt.Errorf("%s: seed %s is damaged", p.path, sum)
	}
	if err := csource.Try(s.Name, s.Text, csource.LP64); err != nil { // the pool may be a stranger's
		return nil, fmt.Errorf("%s: seed %s: %w", p.path, sum, err)
	}
	return s, nil
}

func pack(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write(data)
	if err = errors.Join(err, w.Close()); err != nil {
		panic("pool: " + err.Error()) // a buffer takes all
	}
	return b.Bytes()
}

func unpack(data []byte) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, mostUnpacked+1))
	if len(text) > mostUnpacked {
		return nil, fmt.Errorf("more than %d bytes when unpacked", mostUnpacked)
	}
	return text, err
}

// mostUnpacked bounds a text or an output of a pool: what an instrumented program may print.
const mostUnpacked = mostPrinted

// A Status is the contents of a pool in figures.
type Status struct {
	Path     string   `json:"path"`
	Seeds    int      `json:"seeds"`
	Banned   int      `json:"banned"`
	Bytes    int64    `json:"bytes"` // of the file
	Refusals []Count  `json:"refusals"`
	Examples []string `json:"examples"` // one of each reason, with the file and the message
}

// A Count is how often candidates were refused for a reason.
type Count struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// Status counts what is in the pool.
func (p *Pool) Status() (*Status, error) {
	s := &Status{Path: p.path}
	if err := p.db.QueryRow(`SELECT COUNT(*), COALESCE(SUM(banned <> ''), 0) FROM seeds`).Scan(&s.Seeds, &s.Banned); err != nil {
		return nil, fmt.Errorf("%s: %w", p.path, err)
	}
	if info, err := os.Stat(p.path); err == nil {
		s.Bytes = info.Size()
	}
	err := p.each(func(rows *sql.Rows) error {
		var c Count
		var example string
		err := rows.Scan(&c.Reason, &c.Count, &example)
		s.Refusals, s.Examples = append(s.Refusals, c), append(s.Examples, example)
		return err
	}, `SELECT reason, COUNT(*), MIN(detail) FROM refusals GROUP BY reason ORDER BY COUNT(*) DESC, reason`)
	return s, err
}

// Write writes the status for people.
func (s *Status) Write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %d seeds, %d of them banned, %d bytes\n", s.Path, s.Seeds, s.Banned, s.Bytes)
	for i, c := range s.Refusals {
		if err == nil {
			_, err = fmt.Fprintf(w, "refused %6d  %-12s such as %s\n", c.Count, c.Reason, s.Examples[i])
		}
	}
	return err
}
