package hunt

import (
	"database/sql"
	"errors"
	"slices"

	"goreify/compilers"
	"goreify/reify/oracle"
)

// A batch is a unit of work. Its number and the hunt's seed decide its cases,
// given the kind, which is recorded when the batch begins.
type batch struct {
	number int64
	kind   string
	part   string // of the plan
	// profile and features are what its inputs are drawn from, whatever the kind
	// says now.
	profile, features string
}

// as returns the kind that the batch is of, as it was when it began.
func (b batch) as(k Kind) Kind {
	if b.profile != "" { // else it began before that was recorded
		k.Profile, k.Features = b.profile, b.features
	}
	return k
}

// A result is what a batch came to, but for its findings.
type result struct {
	functions, programs int
	compilations        int // of the batch as a whole
	discards            int
	cost                oracle.Cost // also of looking into failures
}

// asking returns a function for oracle.Oracle.Ask that has the configurations
// named asked, and counts them as compilations.
func (r *result) asking(configs []string) func(t compilers.Toolchain, level string) bool {
	return func(t compilers.Toolchain, level string) bool {
		asked := slices.Contains(configs, configName(t, level))
		if asked {
			r.compilations++
		}
		return asked
	}
}

// resume returns the batches that a run before this one began and did not
// finish.
func (s *store) resume() ([]batch, error) {
	tx, err := s.db.Begin()
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // it reads only
	var list []batch
	err = each(tx, `SELECT number, kind, part, profile, features FROM batches WHERE done = 0 ORDER BY number`,
		func(b *batch) []any { return []any{&b.number, &b.kind, &b.part, &b.profile, &b.features} }, &list)
	return list, err
}

// begin records the next batch, of the kind that next says, or returns false
// if the batches there are have that many seeds already. Number 0 is no limit.
func (s *store) begin(run, limit int64, next func(number int64, history map[string]yield) (Kind, string)) (b batch, ok bool, err error) {
	err = s.transact(func(tx *sql.Tx) error {
		var seeds int64
		if err := tx.QueryRow(`SELECT COALESCE(MAX(number) + 1, 0), COALESCE(SUM(seeds), 0) FROM batches`).Scan(&b.number, &seeds); err != nil {
			return err
		}
		if limit > 0 && seeds >= limit {
			return nil
		}
		past, err := history(tx)
		if err != nil {
			return err
		}
		kind, part := next(b.number, past)
		b.kind, b.part, ok = kind.Name, part, true
		b.profile, b.features = kind.Profile, kind.Features
		_, err = tx.Exec(`INSERT INTO batches (number, run, kind, part, seeds, profile, features) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			b.number, run, b.kind, b.part, kind.Size, b.profile, b.features)
		return err
	})
	return b, ok && err == nil, err
}

// recent is the number of batches, of all kinds, that a kind's share of the time
// is counted in.
const recent = 2000

// history returns what each kind has yielded.
func history(tx *sql.Tx) (map[string]yield, error) {
	past := map[string]yield{}
	type row struct {
		kind string
		yield
	}
	var rows []row
	err := each(tx, `SELECT b.kind, SUM(b.cpu), SUM(1 - b.done), (SELECT COUNT(*) FROM buckets k WHERE k.kind = b.kind AND k.known = ''),
			SUM(CASE WHEN b.number > last - ?1 THEN b.cpu ELSE 0 END)
		FROM batches b, (SELECT MAX(number) AS last FROM batches) GROUP BY b.kind`,
		func(r *row) []any {
			return []any{&r.kind, &r.cpu, &r.running, &r.buckets, &r.recentCPU}
		}, &rows, recent)
	for _, r := range rows {
		past[r.kind] = r.yield
	}
	return past, err
}

// errNotBegun is a broken invariant: a batch is finished that is done, or was
// never begun.
var errNotBegun = errors.New("hunt: batch is finished twice")

// finish records that a batch is done, and what the run has used by then.
func (s *store) finish(run int64, b batch, r result, total usage) error {
	err := s.transact(func(tx *sql.Tx) error {
		res, err := tx.Exec(`UPDATE batches SET done = 1, run = ?, functions = ?, programs = ?, compilations = ?, discards = ?, cpu = ?, compiler_cpu = ?
			WHERE number = ? AND done = 0`,
			run, r.functions, r.programs, r.compilations, r.discards, r.cost.Total().Seconds(), (r.cost.Compile + r.cost.Link).Seconds(), b.number)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, errNotBegun)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.spend(run, total)
}
