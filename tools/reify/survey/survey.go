// Package survey tells which optimisation events programs reach in the compilers
// of the machine, which of them are rare, and which few inputs reach all that
// are rare:
//
//	program ─Ask→ one Reach a compiler and level ─Union→ Set ─Rare, Cover→ inputs to keep
//
// What an event is says package events.
package survey

import (
	"context"
	"fmt"
	"time"

	"goreify/compilers"
	"goreify/compilers/events"
)

// A Surveyor is who asks whom.
type Surveyor struct {
	Toolchains []compilers.Toolchain
	Levels     []string
	Space      *compilers.Workspace
	Limits     compilers.Limits // of a single function
}

// A Program is something to compile.
type Program struct {
	Name      string
	Job       compilers.Job // of no level
	Functions int           // for the limits; 0 counts as one
	Flags     []string      // for toolchains of Family that have none of their own
	Family    compilers.Family
}

// A Reach is what one compiler did with a program at one level.
type Reach struct {
	Toolchain compilers.Toolchain
	Level     string
	Counts    events.Counts // nil if there is an error
	Err       error         // it was not compiled, or not understood
	CPU       time.Duration // that compiling took
}

// Ask compiles a program with all toolchains at all levels, levels varying
// fastest. It ends early if the context does.
func (s Surveyor) Ask(ctx context.Context, p Program) []Reach {
	var list []Reach
	limits := s.Limits.ForFunctions(p.Functions)
	for _, t := range s.Toolchains {
		t = t.Plain()
		if len(t.Args) == 0 && t.Family == p.Family {
			t.Args = p.Flags
		}
		for _, level := range s.Levels {
			if ctx.Err() != nil {
				return list
			}
			job := p.Job
			job.Level = level
			o := t.Listen(ctx, s.Space, job, limits)
			r := Reach{Toolchain: t, Level: level, Counts: o.Events, Err: o.Unheard, CPU: o.CompileCPU}
			if o.Verdict != compilers.OK {
				r.Err = fmt.Errorf("%s: %v", o.Command[0], o)
			}
			list = append(list, r)
		}
	}
	return list
}

// A Set is a set of events.
type Set map[events.Event]bool

// Union returns the events of all reaches.
func Union(reaches []Reach) Set {
	all := Set{}
	for _, r := range reaches {
		for _, e := range r.Counts.Events() {
			all[e] = true
		}
	}
	return all
}

// CPU returns what compiling took in all reaches.
func CPU(reaches []Reach) time.Duration {
	var sum time.Duration
	for _, r := range reaches {
		sum += r.CPU
	}
	return sum
}

// Frequency returns how many of the sets have each event.
func Frequency(sets []Set) map[events.Event]int {
	n := map[events.Event]int{}
	for _, s := range sets {
		for e := range s {
			n[e]++
		}
	}
	return n
}

// IsRare tells whether an event that n of total programs reach is rare: one in
// twenty at most, or a single one.
func IsRare(n, total int) bool { return n <= max(1, total/20) }
