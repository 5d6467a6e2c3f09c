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
	"goreify/reify/others/database"
	"goreify/reify/source"
)

// ErrDamaged says that a database is not what was written.
var ErrDamaged = errors.New("the state of the hunt is damaged; it is left alone: bring back a copy of it, or take another directory")

// intact looks through the state in dir without writing. The error
// wraps ErrDamaged if it is not what was written: SQLite says so, or the sum of a
// batch does.
func intact(dir string) error {
	s, err := open(dir, "ro")
	if err != nil {
		return err
	}
	said, err := s.check()
	return damaged(dir, said, errors.Join(err, s.close()))
}

// damaged returns the error of a state of which something was said, if anything, or which
// could not be looked at.
func damaged(dir, said string, err error) error {
	path := filepath.Join(dir, databaseName)
	var failure *sqlite.Error
	switch {
	case errors.As(err, &failure) && (failure.Code()&0xff == sqlite3.SQLITE_CORRUPT || failure.Code() == sqlite3.SQLITE_NOTADB):
		said = err.Error()
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	case said == "":
		return nil
	}
	return fmt.Errorf("%s: %w (%s)", path, ErrDamaged, strings.Join(strings.Fields(said), " "))
}

// check returns what is wrong with the state, or nothing.
func (s *store) check() (said string, err error) {
	if said, err := database.Check(s.db); err != nil || said != "" {
		return said, err
	}
	lines, err := broken(s.db)
	return strings.Join(lines, "; "), err
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

// sealing selects each batch with its sum and what that is of.
const sealing = `SELECT number, sum, number || ' ' || run || ' ' || seeds || ' ' || done || ' ' || tries || ' ' || functions || ' ' ||
	programs || ' ' || compilations || ' ' || discards || ' ' || (SELECT seed FROM hunt), kind, part, reason FROM batches`

// A seal is a row of sealing.
type seal struct {
	number                           int64
	sum, numbers, kind, part, reason string
}

func (r *seal) into() []any { return []any{&r.number, &r.sum, &r.numbers, &r.kind, &r.part, &r.reason} }

func (r seal) of() string { return sum(r.numbers, r.kind, r.part, r.reason) }

// reseal records the sums of the batches that a condition selects, after a change of
// theirs.
func reseal(tx *sql.Tx, where string, args ...any) error {
	list, err := each(tx, sealing+" WHERE "+where, (*seal).into, args...)
	if err != nil {
		return err
	}
	for _, r := range list {
		if _, err := tx.Exec(`UPDATE batches SET sum = ? WHERE number = ?`, r.of(), r.number); err != nil {
			return err
		}
	}
	return nil
}

// mostBroken bounds how many batches are named: another seed breaks all of them.
const mostBroken = 10

// broken returns a line for each batch, of the first ones, that is not what was
// recorded.
func broken(of querier) (lines []string, err error) {
	list, err := each(of, sealing+" ORDER BY number", (*seal).into)
	for _, r := range list {
		if r.sum != "" && r.sum != r.of() && len(lines) < mostBroken {
			lines = append(lines, fmt.Sprintf("batch %d is not what was recorded", r.number))
		}
	}
	return lines, err
}

// sumOfEntry returns a checksum of what was found. Results of triage are not part of
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

// damaged returns a line for each batch, each input of one, each saved finding and
// each bucket that is not what was recorded.
func (s *store) damaged(dir string) (list []string, err error) {
	type row struct {
		batch                              int64
		name, sum                          string
		compiler, mode, verdict, functions string
		source.Input
	}
	var inputs, findings, buckets []row
	list = []string{} // empty, but not nil
	err = s.transact(func(tx *sql.Tx) error {
		lines, err := broken(tx)
		list = append(list, lines...)
		var errs [3]error
		inputs, errs[0] = each(tx, `SELECT batch, source, version, data, sum FROM inputs WHERE sum <> '' ORDER BY batch`,
			func(r *row) []any { return []any{&r.batch, &r.Source, &r.Version, &r.Data, &r.sum} })
		findings, errs[1] = each(tx, `SELECT name, sum, batch, compiler, mode, verdict, functions FROM findings WHERE sum <> '' ORDER BY name`,
			func(r *row) []any {
				return []any{&r.name, &r.sum, &r.batch, &r.compiler, &r.mode, &r.verdict, &r.functions}
			})
		buckets, errs[2] = each(tx, `SELECT fingerprint FROM buckets b WHERE NOT EXISTS
			(SELECT 1 FROM findings f WHERE f.name = b.finding AND f.batch = b.batch AND f.fingerprint = b.fingerprint)
			UNION SELECT fingerprint FROM findings WHERE fingerprint NOT IN (SELECT fingerprint FROM buckets) ORDER BY fingerprint`,
			func(r *row) []any { return []any{&r.name} })
		return errors.Join(err, errors.Join(errs[:]...))
	})
	for _, r := range inputs {
		if sumOfInput(r.Input) != r.sum {
			list = append(list, fmt.Sprintf("the input of batch %d is not what was recorded", r.batch))
		}
	}
	for _, r := range findings {
		e, err := corpus.LoadFinding(dir, r.name)
		switch {
		case err != nil:
			list = append(list, firstLine(err.Error()))
		case sumOfEntry(e) != r.sum:
			list = append(list, fmt.Sprintf("%s/%s is not what was saved", r.name, corpus.FindingFile))
		case !slices.Equal([]string{fmt.Sprint(r.batch), r.compiler, r.mode, r.verdict, r.functions},
			[]string{e.Note(corpus.NoteHuntBatch), compilerOf(e), e.Mode, e.Verdict, e.Note(corpus.NoteHuntFunctions)}):
			list = append(list, fmt.Sprintf("finding %s is not what was recorded", r.name))
		}
	}
	for _, r := range buckets {
		list = append(list, fmt.Sprintf("bucket %s is not what was recorded", r.name))
	}
	return list, err
}

// mostTries is how often a batch is asked about of which not all configurations
// answer. Then it is set aside.
const mostTries = 3

// postpone records that not all configurations of a batch answered, for the reason
// given, and returns how often that has been so.
func (s *store) postpone(run int64, b batch, r result, total usage) (tries int, err error) {
	r.asked = nil // not all of them answered
	err = s.transact(func(tx *sql.Tx) error {
		err := tx.QueryRow(`UPDATE batches SET tries = tries + 1, reason = ?, run = ?, discards = ?, cpu = cpu + ?, compiler_cpu = compiler_cpu + ?
			WHERE number = ? AND done = 0 RETURNING tries`,
			r.reason, run, r.discards, r.cost.Total().Seconds(), (r.cost.Compile + r.cost.Link).Seconds(), b.number).Scan(&tries)
		return errors.Join(err, recordCells(tx, b.number, r), reseal(tx, "number = ?", b.number))
	})
	if err != nil {
		return 0, err
	}
	return tries, s.spend(run, total)
}

// unanswered returns how many batches are open that not all configurations have
// answered about, and why not about one of them.
func (s *store) unanswered() (n int64, reason string, err error) {
	err = s.db.QueryRow(`SELECT COUNT(*), COALESCE(MAX(reason), '') FROM batches WHERE done = 0 AND tries > 0`).Scan(&n, &reason)
	return n, reason, err
}

// again has the batches that were set aside run again.
func (s *store) again() error {
	return s.transact(func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE batches SET tries = 0 WHERE done = 0`)
		return errors.Join(err, reseal(tx, "done = 0"))
	})
}
