package hunt

import (
	"database/sql"
	"errors"

	"goreify/reify/oracle"
	"goreify/reify/source"
)

// A batch is a unit of work: an input, which is recorded when it begins, and
// the configurations that are asked about what is made of it.
type batch struct {
	number int64
	kind   string
	part   string // of the plan
	input  source.Input
	sum    string // of the input, as it was recorded
}

// A result is the outcome of a batch, without its findings.
type result struct {
	functions, programs int
	compilations        int // of the batch as a whole
	discards            int
	cost                oracle.Cost // also of looking into failures
	// How often a configuration answered, and how often the machine kept one from
	// it; and which these were and why.
	answered, unanswered int
	reason               string
	// The cells that failed or were not made, of a batch of cells, and the targets that
	// were asked about them.
	cells []failing
	asked []askedTarget
}

// An askedTarget is one that was asked about so many cells of a batch.
type askedTarget struct {
	target string
	cells  int
}

// resume returns the batches that a run before this one began and did not finish,
// without those set aside. An input that was not recorded or is damaged has no source.
func (s *store) resume() ([]batch, error) {
	list, err := each(s.db, `SELECT number, kind, part, COALESCE(source, ''), COALESCE(version, ''), data, COALESCE(inputs.sum, '')
		FROM batches LEFT JOIN inputs ON inputs.batch = number WHERE done = 0 AND tries < ? ORDER BY number`,
		func(b *batch) []any {
			return []any{&b.number, &b.kind, &b.part, &b.input.Source, &b.input.Version, &b.input.Data, &b.sum}
		}, mostTries)
	for i, b := range list {
		if b.sum != "" && b.sum != sumOfInput(b.input) {
			list[i].input = source.Input{}
		}
	}
	return list, err
}

// begin records the next batch, of the kind and with the input that next says,
// or returns false if it says that there is none, or if the batches there are have that
// many seeds already. Number 0 is no limit.
func (s *store) begin(run, limit int64, next func(b *batch, history map[string]yield) (Kind, bool)) (b batch, ok bool, err error) {
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
		kind, drawn := next(&b, past)
		if ok = drawn; !ok {
			return nil
		}
		if _, err := tx.Exec(`INSERT INTO batches (number, run, kind, part, seeds) VALUES (?, ?, ?, ?, ?)`,
			b.number, run, b.kind, b.part, kind.Seeds); err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO inputs (batch, source, version, data, sum) VALUES (?, ?, ?, ?, ?)`,
			b.number, b.input.Source, b.input.Version, b.input.Data, sumOfInput(b.input))
		return errors.Join(err, reseal(tx, "number = ?", b.number))
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
	rows, err := each(tx, `SELECT b.kind, SUM(b.cpu), SUM(b.done = 0 AND b.tries = 0), COALESCE(MAX(y.buckets), 0),
			SUM(CASE WHEN b.number > last - ?1 THEN b.cpu ELSE 0 END)
		FROM batches b, (SELECT MAX(number) AS last FROM batches)
		LEFT JOIN (SELECT kind, COUNT(*) AS buckets FROM `+fresh+` GROUP BY kind) y ON y.kind = b.kind
		GROUP BY b.kind`,
		func(r *row) []any {
			return []any{&r.kind, &r.cpu, &r.running, &r.buckets, &r.recentCPU}
		}, recent)
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
		res, err := tx.Exec(`UPDATE batches SET done = 1, reason = '', run = ?, functions = ?, programs = ?, compilations = ?, discards = ?, cpu = cpu + ?, compiler_cpu = compiler_cpu + ?
			WHERE number = ? AND done = 0`,
			run, r.functions, r.programs, r.compilations, r.discards, r.cost.Total().Seconds(), (r.cost.Compile + r.cost.Link).Seconds(), b.number)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, errNotBegun)
		}
		if err := recordCells(tx, b.number, r); err != nil {
			return err
		}
		return reseal(tx, "number = ?", b.number)
	})
	if err != nil {
		return err
	}
	return s.spend(run, total)
}
