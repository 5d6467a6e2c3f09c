package hunt

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"goreify/corpus"
)

// A Summary is what a hunt has come to, over all its runs.
type Summary struct {
	Dir     string `json:"dir"`
	Seed    uint64 `json:"seed"`
	Plan    string `json:"plan"`    // of the last run
	Version string `json:"version"` // of its generator
	Running bool   `json:"running"` // a hunt is under way in the directory

	Functions    int64 `json:"functions"`    // of batches that are done
	Programs     int64 `json:"programs"`     // whole programs, of linked functions
	Compilations int64 `json:"compilations"` // of batches; not those that looked into a failure
	Batches      int64 `json:"batches"`      // done
	Unfinished   int64 `json:"unfinished"`   // begun, and run again by the next run; without those set aside
	Discards     int64 `json:"discards"`     // configurations that told nothing about a batch

	// Now says what is asked, a line for each worker, while the hunt runs.
	Now []string `json:"now"`
	// Unanswered are the batches of which not all configurations answered so far. The
	// next run asks about them again.
	Unanswered []Aside `json:"unanswered"`
	// SetAside are the batches of which not all configurations answered, however
	// often they were asked. They do not run again by themselves.
	SetAside []Aside `json:"set_aside"`
	// Damaged says of saved findings and inputs what is not as it was recorded, a
	// line each. Only Read looks.
	Damaged []string `json:"damaged"`

	// Unconfirmed is how many suspicions are saved, at most mostUnconfirmed.
	Unconfirmed int64 `json:"unconfirmed"`
	// Notes is how many failures are saved that hidden flags alone show, at most as
	// many.
	Notes int64 `json:"notes"`

	Seconds            float64 `json:"seconds"`              // of all runs, by the clock
	CPUSeconds         float64 `json:"cpu_seconds"`          // of this program and all it started
	CompilerCPUSeconds float64 `json:"compiler_cpu_seconds"` // of compilers, assemblers and linkers, for batches that came to their end

	Findings int64 `json:"findings"` // confirmed, those of known buckets included
	Buckets  int64 `json:"buckets"`  // that look different
	// KnownBuckets are those of them that are known, and so not saved.
	KnownBuckets int64 `json:"known_buckets"`
	// NewBuckets are those that are not known and that the directory did not have before
	// this run, or before the last one.
	NewBuckets int64 `json:"new_buckets"`
	// FirstBucketCPUSeconds is the CPU time until the first that is not known, or 0.
	FirstBucketCPUSeconds float64 `json:"first_bucket_cpu_seconds"`
	// LastBucket is when the last of these was found; nil if there is none.
	LastBucket *time.Time `json:"last_bucket,omitempty"`

	ByCompiler []Count  `json:"by_compiler"`
	ByBucket   []Bucket `json:"by_bucket"` // in the order they were found
	ByKind     []OfKind `json:"by_kind"`
	// Flags are those that were drawn. A display has none.
	Flags []Flag `json:"flags"`
	Runs  []Past `json:"runs"` // at most the last pastRuns

	// Cells is what the cells of finite kinds have come to; nil without them.
	Cells *Cells `json:"cells,omitempty"`

	// Width is that of the terminal in columns, for Write; 0 is that of what is none.
	Width int `json:"-"`
}

// An Aside is a batch of which not all configurations answered.
type Aside struct {
	Batch  int64  `json:"batch"`
	Kind   string `json:"kind"`
	Tries  int64  `json:"tries"`  // so far
	Reason string `json:"reason"` // which configurations did not answer, and why
}

// A Count is the findings of a compiler.
type Count struct {
	Name     string `json:"name"`
	Findings int64  `json:"findings"`
	Buckets  int64  `json:"buckets"`
}

// A Bucket is findings that have a fingerprint in common.
type Bucket struct {
	Fingerprint string  `json:"fingerprint"`
	Title       string  `json:"title,omitempty"`  // of the first finding, if it is saved
	Bucket      string  `json:"bucket,omitempty"` // that triage has put it in
	New         bool    `json:"new"`              // found in this run, or in the last one, and not known
	Findings    int64   `json:"findings"`
	Saved       string  `json:"saved"`             // directory of the first, below findings, unless it is known
	Known       string  `json:"known,omitempty"`   // name of the known bucket that it belongs in
	Culprit     string  `json:"culprit,omitempty"` // as triage has it
	Kind        string  `json:"kind"`              // of the batch that it was found in
	Batch       int64   `json:"batch"`
	CPUSeconds  float64 `json:"cpu_seconds"` // of the hunt until then
}

// An OfKind is what the batches of a kind have come to.
type OfKind struct {
	Name       string  `json:"name"`
	Batches    int64   `json:"batches"`
	Functions  int64   `json:"functions"`
	CPUSeconds float64 `json:"cpu_seconds"` // of compilers, linkers and programs
	Buckets    int64   `json:"buckets"`     // new ones, of each culprit one
	Share      float64 `json:"share"`       // of the time, in the last batches of all kinds
}

// A Flag is what the batches that gave it to a target have come to.
type Flag struct {
	Family     string  `json:"family"`
	Flag       string  `json:"flag"`
	Batches    int64   `json:"batches"`     // also those not done
	CPUSeconds float64 `json:"cpu_seconds"` // of compilers, linkers and programs
	Buckets    int64   `json:"buckets"`     // new ones, of each culprit one, whose first finding needed it

	running int // batches whose cost is not known yet
}

// A Past is a run.
type Past struct {
	Started    time.Time `json:"started"`
	Seconds    float64   `json:"seconds"`
	Workers    int       `json:"workers"`
	Toolchains string    `json:"toolchains"`
	Ended      string    `json:"ended"` // why; empty if it was killed or is running
	// Until is when the run ends by itself; nil if its time has no limit.
	Until *time.Time `json:"until,omitempty"`
}

const pastRuns = 10

// Read returns what the hunt in a directory has come to, also while it runs.
func Read(dir string) (sum *Summary, err error) {
	s, err := readStore(dir)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if sum, err = s.fullSummary(dir); err == nil {
		sum.Damaged, err = s.damaged(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return sum, nil
}

// fullSummary returns the summary with what a display goes without: flags, and the titles
// of findings that no display has read. There is one, too, if the flags cannot be read.
func (s *store) fullSummary(dir string) (*Summary, error) {
	sum, err := s.summary(dir)
	if err != nil {
		return nil, err
	}
	sum.name(titles(dir, nil, sum.ByBucket))
	sum.Flags, err = s.flags()
	return sum, err
}

// summary reads all of the summary in one transaction, so that it fits
// together.
func (s *store) summary(dir string) (*Summary, error) {
	sum := &Summary{Dir: dir, Running: locked(dir), Runs: []Past{}, SetAside: []Aside{}, Unanswered: []Aside{}, Now: []string{}, Damaged: []string{}}
	var err error
	if sum.Unconfirmed, err = countSuspicions(dir, unconfirmedName); err != nil {
		return nil, err
	}
	if sum.Notes, err = countSuspicions(dir, notesName); err != nil {
		return nil, err
	}
	err = s.transact(func(tx *sql.Tx) error {
		for _, read := range []func(*sql.Tx) error{sum.readTotals, sum.readBuckets, sum.readKinds, sum.readRuns, sum.readCells} {
			if err := read(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sum, nil
}

func (s *Summary) readTotals(tx *sql.Tx) error {
	if err := tx.QueryRow(`SELECT CAST(seed AS TEXT) FROM hunt`).Scan(&s.Seed); err != nil {
		return err
	}
	err := tx.QueryRow(`SELECT COALESCE(SUM(functions), 0), COALESCE(SUM(programs), 0), COALESCE(SUM(compilations), 0),
		COALESCE(SUM(done), 0), COALESCE(SUM(done = 0 AND tries < ?), 0), COALESCE(SUM(discards), 0) FROM batches`, mostTries).
		Scan(&s.Functions, &s.Programs, &s.Compilations, &s.Batches, &s.Unfinished, &s.Discards)
	if err != nil {
		return err
	}
	open, err := each(tx, `SELECT number, kind, tries, reason FROM batches WHERE done = 0 AND tries > 0 ORDER BY number`,
		func(a *Aside) []any { return []any{&a.Batch, &a.Kind, &a.Tries, &a.Reason} })
	if err != nil {
		return err
	}
	for _, a := range open {
		if a.Tries < mostTries {
			s.Unanswered = append(s.Unanswered, a)
		} else {
			s.SetAside = append(s.SetAside, a)
		}
	}
	return tx.QueryRow(`SELECT COALESCE(SUM(seen - started), 0) / 1000.0, COALESCE(SUM(cpu), 0), COALESCE(SUM(compiler_cpu), 0) FROM runs`).
		Scan(&s.Seconds, &s.CPUSeconds, &s.CompilerCPUSeconds)
}

func (s *Summary) readBuckets(tx *sql.Tx) error {
	var last int64
	err := tx.QueryRow(`SELECT (SELECT COUNT(*) FROM findings), COUNT(*), COALESCE(SUM(known <> ''), 0),
		COALESCE(MIN(CASE known WHEN '' THEN cpu END), 0), COALESCE(MAX(CASE known WHEN '' THEN found END), 0) FROM buckets`).
		Scan(&s.Findings, &s.Buckets, &s.KnownBuckets, &s.FirstBucketCPUSeconds, &last)
	if err != nil {
		return err
	}
	if last > 0 {
		at := time.UnixMilli(last)
		s.LastBucket = &at
	}
	s.ByBucket, err = each(tx, `SELECT b.fingerprint, COUNT(f.name), b.finding, b.kind, b.batch, b.known, b.culprit, b.cpu,
			b.known = '' AND b.found >= (SELECT COALESCE(MAX(started), 0) FROM runs) FROM buckets b
		JOIN findings f ON f.fingerprint = b.fingerprint GROUP BY b.fingerprint ORDER BY b.found, b.fingerprint`,
		func(b *Bucket) []any {
			return []any{&b.Fingerprint, &b.Findings, &b.Saved, &b.Kind, &b.Batch, &b.Known, &b.Culprit, &b.CPUSeconds, &b.New}
		})
	if err != nil {
		return err
	}
	for _, b := range s.ByBucket {
		if b.New {
			s.NewBuckets++
		}
	}
	s.ByCompiler, err = each(tx, `SELECT compiler, COUNT(*), COUNT(DISTINCT fingerprint) FROM findings GROUP BY compiler ORDER BY compiler`,
		func(c *Count) []any { return []any{&c.Name, &c.Findings, &c.Buckets} })
	return err
}

// MarkKnown marks the buckets that a list of known ones names, as triage names them.
// They may have been found before they were put on it.
func (s *Summary) MarkKnown(list []corpus.Known) {
	list = corpus.Settled(list)
	for i := range s.ByBucket {
		b := &s.ByBucket[i]
		if b.Known != "" || !slices.ContainsFunc(list, func(k corpus.Known) bool { return k.Bucket == b.Bucket || k.Bucket == b.Saved }) {
			continue
		}
		b.Known = b.Bucket
		s.KnownBuckets++
		if b.New {
			b.New = false
			s.NewBuckets--
		}
	}
}

func (s *Summary) readKinds(tx *sql.Tx) (err error) {
	s.ByKind, err = each(tx, `SELECT kind, SUM(done), SUM(functions), SUM(cpu) FROM batches GROUP BY kind ORDER BY kind`,
		func(m *OfKind) []any {
			return []any{&m.Name, &m.Batches, &m.Functions, &m.CPUSeconds}
		})
	if err != nil {
		return err
	}
	past, err := history(tx)
	if err != nil {
		return err
	}
	all := 0.0
	for _, y := range past {
		all += y.recentCPU
	}
	for i := range s.ByKind {
		m := &s.ByKind[i]
		y := past[m.Name]
		m.Buckets = int64(y.buckets)
		if y.recentCPU > 0 {
			m.Share = y.recentCPU / all
		}
	}
	return nil
}

func (s *Summary) readRuns(tx *sql.Tx) error {
	now := ""
	err := tx.QueryRow(`SELECT plan, version, now FROM runs ORDER BY id DESC LIMIT 1`).Scan(&s.Plan, &s.Version, &now)
	if err != nil && err != sql.ErrNoRows {
		return err
	}
	if s.Running && now != "" {
		s.Now = strings.Split(now, "\n")
	}
	type row struct {
		Past
		started, until int64
	}
	rows, err := each(tx, fmt.Sprintf(`SELECT started, (seen - started) / 1000.0, workers, toolchains, COALESCE(ended, ''), until FROM runs ORDER BY id DESC LIMIT %d`, pastRuns),
		func(r *row) []any {
			return []any{&r.started, &r.Seconds, &r.Workers, &r.Toolchains, &r.Ended, &r.until}
		})
	for _, r := range rows {
		r.Started = time.UnixMilli(r.started)
		if r.until > 0 {
			until := time.UnixMilli(r.until)
			r.Until = &until
		}
		s.Runs = append(s.Runs, r.Past)
	}
	return err
}

// A querier is a database, or a transaction in it.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

// each returns a T for each row of a query. The list is never nil.
func each[T any](of querier, query string, into func(*T) []any, args ...any) ([]T, error) {
	list := []T{}
	rows, err := of.Query(query, args...)
	if err != nil {
		return list, err
	}
	defer rows.Close()
	for rows.Next() {
		var t T
		if err := rows.Scan(into(&t)...); err != nil {
			return list, err
		}
		list = append(list, t)
	}
	return list, rows.Err()
}
