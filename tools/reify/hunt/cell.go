package hunt

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"

	"goreify/compilers"
	"goreify/reify/oracle"
	"goreify/reify/source"
	"goreify/reify/subject"
)

// A failing is a cell that failed in a configuration.
type failing struct {
	cell                  subject.Cell
	target, mode, verdict string
	finding               string // that explains it, or nothing
	seen                  bool   // the finding is of this cell, or the failure was looked into without one
}

// Verdicts on cells, beside those of compilers.
const (
	notMade  = "not-made"  // it has no program; of no target
	noAnswer = "no-answer" // for sure: its block failed as a whole alone, or the batch was cut
)

// A manner is how cells fail: a target, in its reference mode or another one, and the
// verdict. A rejection is one in all modes.
type manner struct {
	target    string
	reference bool
	verdict   string
}

// mannerOf returns the manner of a failing cell.
func mannerOf(t compilers.Target, mode compilers.Mode, verdict string) manner {
	return manner{t.ID().String(), mode == t.Reference() && verdict != compilers.Rejected.String(), verdict}
}

// A cause is what failures of cells come from.
type cause struct {
	cell    subject.Cell
	finding string // nothing if the failure could not be confirmed
}

// A causes knows what was found out about cells. It may be used concurrently.
type causes struct {
	mu   sync.Mutex
	list map[manner][]cause
}

// add records that a cell failed, and the finding that shows it.
func (c *causes) add(m manner, of cause) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.ContainsFunc(c.list[m], func(o cause) bool { return o.cell.Key == of.cell.Key && o.finding == of.finding }) {
		c.list[m] = append(c.list[m], of)
	}
}

// explain says in a failure which finding explains it, and tells whether it need not be
// looked into.
func (c *causes) explain(f *oracle.Failure) (settled bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, of := range c.list[mannerOf(f.Target, f.Mode, f.Verdict.String())] {
		if !of.cell.Within(f.Cell.Key) {
			continue
		}
		if f.Finding, settled = of.finding, true; of.finding != "" {
			break
		}
	}
	return settled
}

// learnCauses loads what earlier runs have found out.
func (h *hunt) learnCauses() error {
	list, err := each(h.store.db, `SELECT key, target, mode, verdict, finding FROM cells WHERE finding <> '' GROUP BY key, target, mode, verdict, finding ORDER BY MIN(rowid)`,
		func(f *failing) []any { return []any{&f.cell.Key, &f.target, &f.mode, &f.verdict, &f.finding} })
	for _, f := range list {
		for _, t := range h.oracle.Targets {
			if t.ID().String() == f.target {
				h.causes.add(mannerOf(t, f.mode, f.verdict), cause{f.cell, f.finding})
			}
		}
	}
	return err
}

// cellsOf returns the cells that a subject is made of, nil if it is of others.
func cellsOf(s subject.Subject) (list []subject.Cell) {
	g, ok := s.(subject.Celled)
	if !ok {
		return nil
	}
	for i := range g.Members() {
		if cell := g.Cell(i); cell != (subject.Cell{}) {
			list = append(list, cell)
		}
	}
	return list
}

// recordCells records the cells of a batch that failed, in place of what was recorded
// before, and the targets that were asked.
func recordCells(tx *sql.Tx, number int64, r result) error {
	_, err := tx.Exec(`DELETE FROM cells WHERE batch = ?1; DELETE FROM asked WHERE batch = ?1`, number)
	for _, f := range r.cells {
		_, failed := tx.Exec(`INSERT OR REPLACE INTO cells (batch, cell, key, target, mode, verdict, finding, seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			number, f.cell.Name, f.cell.Key, f.target, f.mode, f.verdict, f.finding, f.seen)
		err = errors.Join(err, failed)
	}
	for _, t := range r.asked {
		_, failed := tx.Exec(`INSERT OR IGNORE INTO asked (batch, target, cells) VALUES (?, ?, ?)`, number, t.target, t.cells)
		err = errors.Join(err, failed)
	}
	return err
}

// Cells are what the cells of finite kinds have come to.
type Cells struct {
	Blocks  int64      `json:"blocks"`   // done
	NotMade int64      `json:"not_made"` // cells that the language cannot write, or that no inputs are known of
	Targets []OfTarget `json:"targets"`
}

// An OfTarget is what the cells of a target have come to, in all of its modes.
type OfTarget struct {
	Name     string `json:"name"`
	Asked    int64  `json:"asked"`
	Right    int64  `json:"right"`
	Wrong    int64  `json:"wrong"`
	NoAnswer int64  `json:"no_answer"` // for sure, in some mode, and right in the others
	Rejected int64  `json:"rejected"`
	Same     int64  `json:"same"` // not asked, as another compiler makes the same code: see Kind.Against
	// Unexplained are those of the wrong cells that no finding explains.
	Unexplained int64 `json:"unexplained"`
	// ByKey are those of the wrong cells that were not looked into: a finding explains
	// them, as its operations and classes of types are among theirs.
	ByKey int64 `json:"by_key"`
}

// readCells reads what cells have come to, if there are any.
func (s *Summary) readCells(tx *sql.Tx) error {
	var m Cells
	var err error
	m.Targets, err = each(tx, `SELECT a.target, SUM(a.cells), SUM(b.functions) - SUM(a.cells),
			COALESCE(MAX(w.wrong), 0), COALESCE(MAX(w.rejected), 0), COALESCE(MAX(w.silent), 0), COALESCE(MAX(w.unexplained), 0), COALESCE(MAX(w.by_key), 0)
		FROM asked a JOIN batches b ON b.number = a.batch LEFT JOIN (
			SELECT target, SUM(wrong > 0) AS wrong, SUM(wrong = 0 AND rejected > 0) AS rejected, SUM(wrong + rejected = 0) AS silent,
				SUM(unexplained > 0) AS unexplained, SUM(wrong > 0 AND unexplained + seen = 0) AS by_key FROM (
				SELECT target, SUM(verdict NOT IN (?1, ?3)) AS wrong, SUM(verdict = ?1) AS rejected,
					SUM(verdict NOT IN (?1, ?3) AND finding = '') AS unexplained, SUM(seen) AS seen
				FROM cells WHERE target <> '' AND verdict <> ?2 AND batch IN (SELECT batch FROM asked) GROUP BY batch, cell, target)
			GROUP BY target) w ON w.target = a.target
		GROUP BY a.target ORDER BY a.target`,
		func(t *OfTarget) []any {
			return []any{&t.Name, &t.Asked, &t.Same, &t.Wrong, &t.Rejected, &t.NoAnswer, &t.Unexplained, &t.ByKey}
		}, compilers.Rejected.String(), askedAbout, noAnswer)
	if err != nil || len(m.Targets) == 0 {
		return err
	}
	for i := range m.Targets {
		t := &m.Targets[i]
		t.Right = t.Asked - t.Wrong - t.Rejected - t.NoAnswer
	}
	s.Cells = &m
	return tx.QueryRow(`SELECT (SELECT COUNT(DISTINCT batch) FROM asked), (SELECT COUNT(*) FROM cells WHERE verdict = ?)`, notMade).Scan(&m.Blocks, &m.NotMade)
}

// An AskedBlock is a batch of cells that is done.
type AskedBlock struct {
	Batch   int64
	Input   source.Input
	Targets []AskedTarget
}

// An AskedTarget is one that was asked about the cells of a batch.
type AskedTarget struct {
	Name string
	// Only are the cells that it was asked about, if another compiler makes the same code
	// of some; nil is all.
	Only map[string]bool
}

// A FailedCell is one that failed in some mode, or was not made.
type FailedCell struct {
	Batch        int64
	Cell, Target string // there is no target if it was not made
	Rejected     bool
	NoAnswer     bool   // for sure
	Finding      string // name of a saved finding that explains it, or nothing
	Explained    bool   // a finding does, whether or not it is saved
	Seen         bool   // the finding is of this cell; else see OfTarget.ByKey
}

// ReadCells returns the batches of cells in the directory of a hunt that are done, and the
// cells of these that did not come out right in some mode.
func ReadCells(dir string) (asked []AskedBlock, failed []FailedCell, err error) {
	s, err := readStore(dir)
	if err != nil {
		return nil, nil, err
	}
	defer s.close()
	type row struct {
		AskedBlock
		target string
		some   bool
	}
	type cell struct {
		batch        int64
		target, name string
	}
	var rows []row
	var some []cell
	err = s.transact(func(tx *sql.Tx) (err error) {
		rows, err = each(tx, `SELECT a.batch, i.source, i.version, i.data, a.target, a.cells < b.functions
			FROM asked a JOIN inputs i ON i.batch = a.batch JOIN batches b ON b.number = a.batch ORDER BY a.batch, a.target`,
			func(r *row) []any {
				return []any{&r.Batch, &r.Input.Source, &r.Input.Version, &r.Input.Data, &r.target, &r.some}
			})
		if err != nil {
			return err
		}
		some, err = each(tx, `SELECT batch, target, cell FROM cells WHERE verdict = ?`,
			func(c *cell) []any { return []any{&c.batch, &c.target, &c.name} }, askedAbout)
		if err != nil {
			return err
		}
		failed, err = each(tx, `SELECT c.batch, c.cell, c.target, c.verdict = ?, c.verdict = ?, c.finding <> '', c.seen, COALESCE((SELECT MAX(b.finding)
				FROM findings f JOIN buckets b ON b.fingerprint = f.fingerprint WHERE f.name = c.finding AND b.known = ''), '')
			FROM cells c WHERE c.batch IN (SELECT batch FROM asked) AND c.verdict <> ? ORDER BY c.batch, c.cell, c.target, c.mode`,
			func(f *FailedCell) []any {
				return []any{&f.Batch, &f.Cell, &f.Target, &f.Rejected, &f.NoAnswer, &f.Explained, &f.Seen, &f.Finding}
			}, compilers.Rejected.String(), noAnswer, askedAbout)
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	only := map[cell]map[string]bool{}
	for _, c := range some {
		at := cell{batch: c.batch, target: c.target}
		if only[at] == nil {
			only[at] = map[string]bool{}
		}
		only[at][c.name] = true
	}
	for _, r := range rows {
		if n := len(asked); n == 0 || asked[n-1].Batch != r.Batch {
			asked = append(asked, r.AskedBlock)
		}
		last := &asked[len(asked)-1]
		t := AskedTarget{Name: r.target}
		if r.some {
			if t.Only = only[cell{batch: r.Batch, target: r.target}]; t.Only == nil {
				t.Only = map[string]bool{}
			}
		}
		last.Targets = append(last.Targets, t)
	}
	return asked, failed, nil
}
