package hunt

import (
	"database/sql"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
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
}

// An Aside is a batch that was set aside.
type Aside struct {
	Batch  int64  `json:"batch"`
	Kind   string `json:"kind"`
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
}

const pastRuns = 10

// Read returns what the hunt in a directory has come to, also while it runs.
func Read(dir string) (sum *Summary, err error) {
	s, err := readStore(dir)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if sum, err = s.summary(dir); err == nil {
		var flags []Flag
		flags, err = s.flags()
		sum.Flags = append(sum.Flags, flags...)
	}
	if err == nil {
		sum.Damaged, err = s.damaged(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return sum, nil
}

// summary reads all of the summary in one transaction, so that it fits
// together.
func (s *store) summary(dir string) (*Summary, error) {
	tx, err := s.db.Begin()
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // it has read only
	sum := &Summary{Dir: dir, Running: locked(dir), ByCompiler: []Count{}, ByBucket: []Bucket{}, ByKind: []OfKind{}, Flags: []Flag{}, Runs: []Past{}, SetAside: []Aside{}, Damaged: []string{}}
	if sum.Unconfirmed, err = countSuspicions(dir, unconfirmedName); err != nil {
		return nil, err
	}
	if sum.Notes, err = countSuspicions(dir, notesName); err != nil {
		return nil, err
	}
	for _, read := range []func(*sql.Tx) error{sum.readTotals, sum.readBuckets, sum.readKinds, sum.readRuns} {
		if err := read(tx); err != nil {
			return nil, err
		}
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
	err = each(tx, `SELECT number, kind, reason FROM batches WHERE done = 0 AND tries >= ? ORDER BY number`,
		func(a *Aside) []any { return []any{&a.Batch, &a.Kind, &a.Reason} }, &s.SetAside, mostTries)
	if err != nil {
		return err
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
	err = each(tx, `SELECT b.fingerprint, COUNT(f.name), b.finding, b.kind, b.batch, b.known, b.culprit, b.cpu FROM buckets b
		JOIN findings f ON f.fingerprint = b.fingerprint GROUP BY b.fingerprint ORDER BY b.found, b.fingerprint`,
		func(b *Bucket) []any {
			return []any{&b.Fingerprint, &b.Findings, &b.Saved, &b.Kind, &b.Batch, &b.Known, &b.Culprit, &b.CPUSeconds}
		}, &s.ByBucket)
	if err != nil {
		return err
	}
	return each(tx, `SELECT compiler, COUNT(*), COUNT(DISTINCT fingerprint) FROM findings GROUP BY compiler ORDER BY compiler`,
		func(c *Count) []any { return []any{&c.Name, &c.Findings, &c.Buckets} }, &s.ByCompiler)
}

func (s *Summary) readKinds(tx *sql.Tx) error {
	err := each(tx, `SELECT kind, SUM(done), SUM(functions), SUM(cpu) FROM batches GROUP BY kind ORDER BY kind`,
		func(m *OfKind) []any {
			return []any{&m.Name, &m.Batches, &m.Functions, &m.CPUSeconds}
		}, &s.ByKind)
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
	err := tx.QueryRow(`SELECT plan, version FROM runs ORDER BY id DESC LIMIT 1`).Scan(&s.Plan, &s.Version)
	if err != nil && err != sql.ErrNoRows {
		return err
	}
	type row struct {
		Past
		started int64
	}
	var rows []row
	err = each(tx, fmt.Sprintf(`SELECT started, (seen - started) / 1000.0, workers, toolchains, COALESCE(ended, '') FROM runs ORDER BY id DESC LIMIT %d`, pastRuns),
		func(r *row) []any { return []any{&r.started, &r.Seconds, &r.Workers, &r.Toolchains, &r.Ended} }, &rows)
	for _, r := range rows {
		r.Started = time.UnixMilli(r.started)
		s.Runs = append(s.Runs, r.Past)
	}
	return err
}

// each appends a T for each row of a query.
func each[T any](tx *sql.Tx, query string, into func(*T) []any, list *[]T, args ...any) error {
	rows, err := tx.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var t T
		if err := rows.Scan(into(&t)...); err != nil {
			return err
		}
		*list = append(*list, t)
	}
	return rows.Err()
}

// Write writes the summary as text.
func (s *Summary) Write(w io.Writer) error {
	state := "not running"
	if s.Running {
		state = "running"
	}
	fmt.Fprintf(w, "%s: seed %d, %s, plan %s\n", s.Dir, s.Seed, state, s.Plan)
	fmt.Fprintln(w, s.line())
	notes := ""
	if s.Notes > 0 {
		notes = ", " + count(s.Notes, "note")
	}
	fmt.Fprintf(w, "%s done, %d not finished, %s, %d unconfirmed%s; %s\n",
		count(s.Batches, "batch"), s.Unfinished, count(s.Discards, "discard"), s.Unconfirmed, notes, s.countRuns())
	for _, d := range s.Damaged {
		fmt.Fprintln(w, "DAMAGED:", d)
	}
	for _, a := range s.SetAside {
		fmt.Fprintf(w, "batch %d (kind %s) is set aside, as not all answered %d times: %s\n", a.Batch, a.Kind, mostTries, a.Reason)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, m := range s.ByKind {
		fmt.Fprintf(t, "kind %s\t%s\t%s\t%.0f CPU s\t%s\tlately %.0f %% of the time\n",
			m.Name, count(m.Batches, "batch"), count(m.Functions, "function"), m.CPUSeconds, count(m.Buckets, "new bucket"), 100*m.Share)
	}
	for _, c := range s.ByCompiler {
		fmt.Fprintf(t, "%s\t%s\tin %s\n", c.Name, count(c.Findings, "finding"), count(c.Buckets, "bucket"))
	}
	for _, f := range s.Flags {
		if f.Buckets > 0 {
			fmt.Fprintf(t, "%s %s\t%s\t%.0f CPU s\t%s\n", f.Family, f.Flag, count(f.Batches, "batch"), f.CPUSeconds, count(f.Buckets, "new bucket"))
		}
	}
	for _, b := range s.ByBucket {
		where := corpus.FindingsDir + "/" + b.Saved
		if b.Known != "" {
			where = "known: " + b.Known
		}
		if b.Culprit != "" {
			where += ": " + b.Culprit
		}
		fmt.Fprintf(t, "%d x\t%s\t%s\n", b.Findings, b.Fingerprint, where)
	}
	return t.Flush()
}

// countRuns says how many runs there were, as far as Runs tells.
func (s *Summary) countRuns() string {
	text := count(len(s.Runs), "run")
	if len(s.Runs) == pastRuns {
		text += " or more"
	}
	return text
}

// count returns a number and a noun, in the plural unless it is 1.
func count[T int | int64](n T, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"):
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// line says the most important in a line.
func (s *Summary) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%.1f/s), %s (%.1f/s), %s (%.1f/s)",
		count(s.Functions, "function"), per(s.Functions, s.Seconds), count(s.Programs, "program"), per(s.Programs, s.Seconds),
		count(s.Compilations, "compilation"), per(s.Compilations, s.Seconds))
	fmt.Fprintf(&b, ", %.0f CPU s", s.CPUSeconds)
	if s.CPUSeconds > 0 {
		fmt.Fprintf(&b, ", %.1f %% in compilers", 100*s.CompilerCPUSeconds/s.CPUSeconds)
	}
	fmt.Fprintf(&b, ", %s in %s", count(s.Findings, "finding"), count(s.Buckets, "bucket"))
	if s.KnownBuckets > 0 {
		fmt.Fprintf(&b, ", %d of them known", s.KnownBuckets)
	}
	if s.LastBucket != nil {
		fmt.Fprintf(&b, ", the last new %v ago", time.Since(*s.LastBucket).Round(time.Second))
	}
	return b.String()
}

func per(n int64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}
