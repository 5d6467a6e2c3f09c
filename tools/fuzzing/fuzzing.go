package fuzzing

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"goreify/compilers"
	"goreify/reify/choice"
	"goreify/reify/oracle"
	"goreify/reify/source"
)

// seedBytes is the length of the inputs that the engine starts from: long enough
// that it hardly ever makes the same of two.
const seedBytes = 64

// seed returns input number i that the engine starts from.
func seed(i uint64) []byte {
	var data []byte
	for n := uint64(0); len(data) < seedBytes; n++ {
		data = append(data, choice.Derive(i, fmt.Sprint(n))...)
	}
	return data
}

// Fuzz makes batches of a mix, and asks a compiler about each, in one mode. A finding
// does not fail the test: see Main. A bug of our own does. Where no engine runs, the
// test fails if nothing could be asked about the seeds.
func (b *Bench) Fuzz(f *testing.F, seeds uint64, m Mix) {
	o, err := b.Oracle(f).Of(b.Language) // before the engine counts seconds
	if err != nil {
		f.Fatal(err)
	}
	s := session{bench: b, oracle: o, mix: m, asked: map[uint64]bool{}, budget: budget}
	if s.worker = flagged("test.fuzzworker", "false"); s.worker {
		s.run = runOf(os.Getppid())
	} else {
		s.budget = 5 * time.Minute
	}
	for i := range seeds {
		f.Add(seed(i))
		if s.worker { // the engine has each of them run again, in each run
			s.asked[xxhash.Sum64(seed(i))] = true
		}
	}
	f.Cleanup(func() {
		if !s.worker && !flagged("test.fuzz", "") && !flagged("test.run", "") && s.tally.functions() == 0 {
			f.Error("the seeds came to nothing: no functions were asked about")
		}
	})
	f.Fuzz(func(t *testing.T, data []byte) { s.execute(t, data) })
}

// flagged tells whether a flag has a value other than its default.
func flagged(name, unset string) bool {
	f := flag.Lookup(name)
	return f != nil && f.Value.String() != unset
}

// A session is what a process does for a fuzz target.
type session struct {
	bench  *Bench
	oracle *oracle.Oracle // of the language
	mix    Mix
	worker bool
	run    run // of a worker
	budget time.Duration
	asked  map[uint64]bool // hashes of inputs
	tally  tally
}

// execute asks about the batch that an input stands for, unless it was asked about.
func (s *session) execute(t *testing.T, data []byte) {
	hash := xxhash.Sum64(data)
	if s.asked[hash] {
		return
	}
	s.asked[hash] = true
	ctx, cancel := context.WithTimeout(context.Background(), s.budget)
	defer cancel()
	stream := choice.From(hash)
	from, in := s.mix.draw(stream.Fork("batch"), s.bench.Language)
	batch, err := from.Make(ctx, in)
	switch {
	case errors.Is(err, source.ErrNone), err != nil && ctx.Err() != nil:
		return
	case err != nil:
		t.Fatal(saveBug(err))
	}
	only := pick(stream.Fork("configuration"), s.oracle.Targets).String()
	one := *s.oracle
	one.Ask = func(c compilers.Target, mode compilers.Mode) bool { return compilers.Name(c, mode) == only }
	one.Lasting = func(*oracle.Finding) bool { return false } // an execution is too short for that
	report, err := one.Check(ctx, batch, 0)
	if err != nil {
		t.Fatal(saveBug(err))
	}
	c := count{Batches: 1, Functions: batch.Weight(), CPU: report.Cost.Total()}
	if report.Skipped+report.Discarded > 0 {
		c = count{Unanswered: 1, CPU: report.Cost.Total()}
	}
	for _, f := range report.Suspicions {
		c.Unconfirmed++
		s.keep(t, DoubtedDir, dated(t, f))
	}
	if report.Finding != nil {
		s.found(t, report.Finding, &c)
	}
	s.tally.add(only, c)
	if s.worker {
		if err := s.run.tally(s.tally); err != nil {
			t.Fatal(err)
		}
	}
}

// saveBug keeps what a bug of our own was about outside of the corpus.
func saveBug(err error) error {
	if !source.OurBug(err) {
		return err
	}
	file, ferr := os.CreateTemp("", "goreify-generator-bug-*.txt")
	if ferr != nil {
		return err
	}
	_, werr := file.WriteString(err.Error())
	return errors.Join(fmt.Errorf("%w\nsaved as %s", err, file.Name()), werr, file.Close())
}
