package hunt

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"goreify/corpus"
	"goreify/reify/source"
)

// ErrDamaged says that a database is not what was written.
var ErrDamaged = errors.New("the state of the hunt is damaged; it is left alone: bring back a copy of it, or take another directory")

// intact has SQLite look through the state in dir without writing. The error wraps
// ErrDamaged if that is not what was written.
func intact(dir string) error {
	s, err := open(dir, "ro")
	if err != nil {
		return err
	}
	var said string
	err = s.db.QueryRow(`PRAGMA quick_check(1)`).Scan(&said)
	path := filepath.Join(dir, databaseName)
	closing := s.close()
	var failure *sqlite.Error
	switch {
	case errors.As(err, &failure) && (failure.Code()&0xff == sqlite3.SQLITE_CORRUPT || failure.Code() == sqlite3.SQLITE_NOTADB):
		said = err.Error()
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	case said == "ok":
		return closing
	}
	return fmt.Errorf("%s: %w (%s)", path, ErrDamaged, strings.Join(strings.Fields(said), " "))
}

// sum returns a checksum of texts in order.
func sum(texts ...string) string {
	h := xxhash.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

func sumOfInput(in source.Input) string { return sum(in.Source, in.Version, string(in.Data)) }

// sumOfEntry returns a checksum of what was found. What triage adds is not part of
// it.
func sumOfEntry(e *corpus.Entry) string {
	texts := append([]string{
		e.Verdict, e.Message, e.Language, e.Source, e.Trust, e.Main, e.Compiler, e.Family, e.Version, e.Mode, e.Expected, e.Got,
		e.Want, e.Program, e.Trace,
	}, e.Flags...)
	for _, files := range []map[string]string{e.Sources, e.Members} {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			texts = append(texts, name, files[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Recipe)) {
		texts = append(texts, name, string(e.Recipe[name]))
	}
	return sum(texts...)
}

// damaged returns a line for each saved finding and each input of a batch that is
// not what was recorded.
func (s *store) damaged(dir string) ([]string, error) {
	tx, err := s.db.Begin()
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // it reads only
	type row struct {
		batch     int64
		name, sum string
		source.Input
	}
	var inputs, findings []row
	err = each(tx, `SELECT batch, source, version, data, sum FROM inputs WHERE sum <> '' ORDER BY batch`,
		func(r *row) []any { return []any{&r.batch, &r.Source, &r.Version, &r.Data, &r.sum} }, &inputs)
	if err == nil {
		err = each(tx, `SELECT name, sum FROM findings WHERE sum <> '' ORDER BY name`,
			func(r *row) []any { return []any{&r.name, &r.sum} }, &findings)
	}
	list := []string{}
	for _, r := range inputs {
		if sumOfInput(r.Input) != r.sum {
			list = append(list, fmt.Sprintf("the input of batch %d is not what was recorded", r.batch))
		}
	}
	for _, r := range findings {
		e, err := corpus.Load(filepath.Join(dir, corpus.FindingsDir, r.name, corpus.FindingFile))
		switch {
		case err != nil:
			list = append(list, firstLine(err.Error()))
		case sumOfEntry(e) != r.sum:
			list = append(list, fmt.Sprintf("%s/%s is not what was saved", r.name, corpus.FindingFile))
		}
	}
	return list, err
}

// mostTries is how often a batch is asked about of which not all configurations
// answer. Then it is set aside.
const mostTries = 3

// postpone records that not all configurations of a batch answered, for the reason
// given, and returns how often that has been so.
func (s *store) postpone(run int64, b batch, r result, total usage) (tries int, err error) {
	err = s.transact(func(tx *sql.Tx) error {
		return tx.QueryRow(`UPDATE batches SET tries = tries + 1, lacked = ?, run = ?, discards = ?, cpu = cpu + ?, compiler_cpu = compiler_cpu + ?
			WHERE number = ? AND done = 0 RETURNING tries`,
			r.lacked, run, r.discards, r.cost.Total().Seconds(), (r.cost.Compile + r.cost.Link).Seconds(), b.number).Scan(&tries)
	})
	if err != nil {
		return 0, err
	}
	return tries, s.spend(run, total)
}

// again has the batches that were set aside run again.
func (s *store) again() error {
	_, err := s.db.Exec(`UPDATE batches SET tries = 0 WHERE done = 0`)
	return err
}
