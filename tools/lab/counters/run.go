package counters

import (
	"context"
	"fmt"
	"time"

	"goreify/compilers"
	"goreify/compilers/events"
	"goreify/compilers/native"
	"goreify/tools/generators"
)

// Options say who compiles, and for how long.
type Options struct {
	Compiler native.Toolchain
	Space    *compilers.Workspace
	Limits   compilers.Limits // of one file
	Time     time.Duration    // of the compiler's CPU, user and system, after which no program is begun
	Seed     uint64           // of the first program
}

// A Result is what the programs of a source made the compiler do.
type Result struct {
	Source     string        `json:"source"`
	Programs   int           `json:"programs"`
	Functions  int           `json:"functions"` // 0 if nobody counted them
	Empty      int           `json:"empty"`     // seeds that ended in no program
	Failed     int           `json:"failed"`    // files that the compiler did not manage; their time counts
	CPUSeconds float64       `json:"cpu_seconds"`
	Distinct   int           `json:"distinct"` // len(Counts)
	Counts     events.Counts `json:"counts"`

	// The rest is NewReport's.
	Alone  int     `json:"alone"`  // counters that no other source has raised
	Ratio  float64 `json:"ratio"`  // geometric mean of the values, per CPU second, to those of the source compared with; see ratio
	Common int     `json:"common"` // counters that it is the mean of
	Done   float64 `json:"done"`   // Ratio of the counters of optimisations, see done
}

// mostEmpty bounds the seeds in a row that end in no program: it is the source
// that is broken then.
const mostEmpty = 100

// Run compiles the programs of the sources at -O3, seed after seed, until the
// compiler has spent opt.Time on each. It goes from source to source, so that
// whatever else the machine does meanwhile slows all of them down alike. The
// error is the context's or a source's, or says that the compiler writes no
// counters that are known.
func Run(ctx context.Context, sources []generators.Source, opt Options) ([]*Result, error) {
	runs := make([]*run, len(sources))
	for i, s := range sources {
		runs[i] = &run{Source: s, Options: opt, r: &Result{Source: s.Name, Counts: events.Counts{}}}
	}
	for {
		next := runs[0]
		for _, r := range runs {
			if r.spent < next.spent {
				next = r
			}
		}
		if next.spent >= opt.Time {
			break
		}
		if err := next.step(ctx); err != nil {
			return nil, err
		}
	}
	results := make([]*Result, len(runs))
	for i, r := range runs {
		r.r.CPUSeconds, r.r.Distinct = r.spent.Seconds(), len(r.r.Counts)
		results[i] = r.r
	}
	return results, nil
}

// A run is a source that is being measured.
type run struct {
	generators.Source
	Options // Seed is that of the next program
	r       *Result
	spent   time.Duration
	empty   int // seeds in a row
}

// step compiles the program of the next seed.
func (r *run) step(ctx context.Context) error {
	seed := r.Seed
	r.Seed++
	u, err := r.Make(ctx, seed)
	if err != nil {
		return fmt.Errorf("%s, seed %d: %w", r.Name, seed, err)
	}
	if len(u.Files) == 0 {
		r.r.Empty++
		if r.empty++; r.empty == mostEmpty {
			return fmt.Errorf("%s: %d seeds in a row, from %d, end in no program", r.Name, r.empty, seed+1-mostEmpty)
		}
		return nil
	}
	r.empty = 0
	r.r.Programs++
	r.r.Functions += u.Functions
	limits := r.Limits.ForFunctions(u.Functions)
	for _, file := range u.Files {
		counts, o, err := compile(ctx, r.Source, r.Options, file, limits)
		if err != nil {
			return fmt.Errorf("%s, seed %d: %w", r.Name, seed, err)
		}
		r.spent += o.CompileCPU
		if o.Verdict != compilers.OK {
			r.r.Failed++
		}
		r.r.Counts.Add(counts)
	}
	return nil
}

// compile returns the counters that a file raises, none if the compiler does
// not manage it. A file that is no C is an error: the source is to blame.
func compile(ctx context.Context, s generators.Source, opt Options, file []byte, limits compilers.Limits) (events.Counts, compilers.Outcome, error) {
	job := compilers.Job{Files: compilers.Single(file), Mode: "-O3", Extra: s.Flags}
	counts, o, err := opt.Compiler.Optimisations(ctx, opt.Space, job, limits)
	switch {
	case ctx.Err() != nil:
		return nil, o, ctx.Err()
	case err == nil && (o.Verdict == compilers.Rejected || o.Verdict == compilers.Discarded && o.CompileCPU == 0):
		err = fmt.Errorf("%v: %v", o.Command, o)
	}
	return counts, o, err
}
