package hunt

import (
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"goreify/corpus"
	"goreify/reify/oracle"
)

// A finding is a reproducer, and the batch that it was found in.
type finding struct {
	name      string // the same every time it is found
	batch     batch
	functions string // names in the batch, in order, or those of programs
	entry     *corpus.Entry
	known     string // bucket that it belongs in and that is known, or nothing
	slow      int    // CPU seconds that the compiler was given, of one just found
	sum       string // of the entry, if it is saved
}

// newFinding returns the finding of a batch. Its notes say where in the hunt it
// was found, so that a directory can be recorded from what is in it. It is dated
// today.
func newFinding(b batch, f *oracle.Finding) (finding, error) {
	e, err := f.Entry()
	if err != nil {
		return finding{}, err
	}
	e.Date = time.Now().Format(time.DateOnly)
	e.SetNote(corpus.NoteHuntBatch, strconv.FormatInt(b.number, 10))
	e.SetNote(corpus.NoteHuntMix, b.kind)
	e.SetNote(corpus.NoteHuntFunctions, f.Subject.Name())
	e.SetNote(corpus.NoteHuntFlags, strings.Join(f.Needs, " "))
	if cells := cellsOf(f.Subject); len(cells) == 1 {
		e.SetNote(corpus.NoteHuntKey, cells[0].Key)
	}
	found := describe(b, f.Subject.Name(), e)
	found.slow = compileLimit(f.Outcome)
	return found, nil
}

// fingerprint returns what findings have in common that are one bucket before triage. Of
// cells the operation tells bugs apart, too.
func (f finding) fingerprint() string {
	text := f.entry.Fingerprint()
	if key := f.entry.Note(corpus.NoteHuntKey); key != "" {
		text += "; " + key
	}
	return text
}

// findingOf returns the finding that a reproducer of a hunt is.
func findingOf(e *corpus.Entry) (finding, error) {
	number, err := strconv.ParseInt(e.Note(corpus.NoteHuntBatch), 10, 64)
	kind, functions := e.Note(corpus.NoteHuntMix), e.Note(corpus.NoteHuntFunctions)
	if err != nil || kind == "" || functions == "" {
		return finding{}, errors.New("it does not say which batch it is from")
	}
	return describe(batch{number: number, kind: kind}, functions, e), nil
}

// describe returns the finding with its name: how it fails, and a hash of where it
// was found. The same batch gives the same name, however often it is run.
func describe(b batch, functions string, e *corpus.Entry) finding {
	where := fmt.Sprintf("%d %s %s %s %s", b.number, b.kind, functions, e.Compiler, e.Mode)
	sum := xxhash.Sum64String(where + e.Sources[e.Main])
	stem := strings.NewReplacer("/", "-", " ", "-").Replace(e.Verdict + "-" + e.Compiler + e.Mode)
	return finding{name: fmt.Sprintf("%s-%016x", stem, sum), batch: b, functions: functions, entry: e}
}

// bucket returns how many findings have a fingerprint, and the known bucket that
// the first of them belongs in, if any.
func (s *store) bucket(fingerprint string) (findings int, known string, err error) {
	err = s.db.QueryRow(`SELECT COUNT(*), COALESCE((SELECT known FROM buckets WHERE fingerprint = ?1), '') FROM findings WHERE fingerprint = ?1`, fingerprint).
		Scan(&findings, &known)
	return findings, known, err
}

// record records a finding, and its bucket if that is new. One that is
// recorded already stays as it is, and in the bucket that it is in: with other
// configurations to ask, the same finding has another fingerprint. The total is
// what the run has used.
func (s *store) record(run int64, f finding, total usage) error {
	e, now := f.entry, s.time()
	return s.transact(func(tx *sql.Tx) error {
		res, err := tx.Exec(`INSERT OR IGNORE INTO findings (name, batch, fingerprint, compiler, mode, verdict, functions, found, sum)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			f.name, f.batch.number, f.fingerprint(), compilerOf(e), e.Mode, e.Verdict, f.functions, now, f.sum)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = tx.Exec(`INSERT OR IGNORE INTO buckets (fingerprint, finding, batch, kind, found, known, flags, cpu)
			VALUES (?, ?, ?, ?, ?, ?, ?, ? + (SELECT COALESCE(SUM(cpu), 0) FROM runs WHERE id <> ?))`,
			f.fingerprint(), f.name, f.batch.number, f.batch.kind, now, f.known, e.Note(corpus.NoteHuntFlags), total.total.Seconds(), run)
		return err
	})
}

// compilerOf returns the compiler of an entry with its flags.
func compilerOf(e *corpus.Entry) string {
	return strings.Join(append([]string{e.Compiler}, e.Flags...), " ")
}

// recorded tells whether there is a finding of that name.
func (s *store) recorded(name string) (bool, error) {
	var n int
	err := s.db.QueryRow(`SELECT COUNT(*) FROM findings WHERE name = ?`, name).Scan(&n)
	return n > 0, err
}
