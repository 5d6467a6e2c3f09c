package counters

import (
	"context"
	"fmt"
	"time"

	"goreify/compilers"
)

// Options say who compiles, and for how long.
type Options struct {
	Compiler compilers.Toolchain // a gcc
	Space    *compilers.Workspace
	Limits   compilers.Limits // of one file
	Time     time.Duration    // of the compiler's CPU, user and system, after which no program is begun
	Seed     uint64           // of the first program
}

// A Result is what the programs of a source made the compiler do.
type Result struct {
	Source     string  `json:"source"`
	Programs   int     `json:"programs"`
	Functions  int     `json:"functions"` // 0 if nobody counted them
	Empty      int     `json:"empty"`     // seeds that ended in no program
	Failed     int     `json:"failed"`    // files that the compiler did not manage; their time counts
	CPUSeconds float64 `json:"cpu_seconds"`
	Distinct   int     `json:"distinct"` // len(Counts)
	Counts     Counts  `json:"counts"`

	// The rest is NewReport's.
	Alone  int     `json:"alone"`  // counters that no other source has raised
	Ratio  float64 `json:"ratio"`  // geometric mean of the values, per CPU second, to those of the source compared with; see Counts.Ratio
	Common int     `json:"common"` // counters that it is the mean of
}

// statistics is the file that the counters are written to.
const statistics = "statistics.txt"

// mostEmpty bounds the seeds in a row that end in no program: it is the source
// that is broken then.
const mostEmpty = 100

// Run compiles the programs of a source at -O3, seed after seed, until the
// compiler has spent opt.Time. The error is the context's or the source's, or
// says that the compiler writes no counters that Parse knows.
func Run(ctx context.Context, s Source, opt Options) (*Result, error) {
	r := &Result{Source: s.Name, Counts: Counts{}}
	var spent time.Duration
	empty := 0
	for seed := opt.Seed; spent < opt.Time; seed++ {
		u, err := s.Make(ctx, seed)
		if err != nil {
			return nil, fmt.Errorf("%s, seed %d: %w", s.Name, seed, err)
		}
		if len(u.Files) == 0 {
			r.Empty++
			if empty++; empty == mostEmpty {
				return nil, fmt.Errorf("%s: %d seeds in a row, from %d, end in no program", s.Name, empty, seed+1-mostEmpty)
			}
			continue
		}
		empty = 0
		r.Programs++
		r.Functions += u.Functions
		limits := opt.Limits.ForFunctions(u.Functions)
		for _, file := range u.Files {
			counts, o, err := compile(ctx, s, opt, file, limits)
			if err != nil {
				return nil, fmt.Errorf("%s, seed %d: %w", s.Name, seed, err)
			}
			spent += o.CompileCPU
			if o.Verdict != compilers.OK {
				r.Failed++
			}
			r.Counts.Add(counts)
		}
	}
	r.CPUSeconds, r.Distinct = spent.Seconds(), len(r.Counts)
	return r, nil
}

// compile returns the counters that a file raises, none if the compiler does
// not manage it. A file that is no C is an error: the source is to blame.
func compile(ctx context.Context, s Source, opt Options, file []byte, limits compilers.Limits) (Counts, compilers.Outcome, error) {
	job := compilers.Job{Source: file, Level: "-O3", Extra: append([]string{"-fdump-statistics-stats=" + statistics}, s.Flags...)}
	text, o, err := opt.Compiler.Compile(ctx, opt.Space, job, statistics, limits)
	switch {
	case ctx.Err() != nil:
		return nil, o, ctx.Err()
	case err != nil:
		return nil, o, err
	case o.Verdict == compilers.Rejected, o.Verdict == compilers.Discarded && o.CompileCPU == 0:
		return nil, o, fmt.Errorf("%v: %v", o.Command, o)
	case o.Verdict != compilers.OK:
		return nil, o, nil
	}
	counts, err := Parse(text)
	if err != nil {
		return nil, o, fmt.Errorf("%s %s: %w", opt.Compiler, opt.Compiler.Version, err)
	}
	return counts, o, nil
}
