package others

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"goreify/reify/oracle"
	"goreify/reify/others/foreign"
	"goreify/reify/others/inject"
	"goreify/reify/others/text"
	"goreify/reify/source"
	"goreify/reify/source/function"
)

// Variants returns the source of variants of the programs of a pool.
func (f Files) Variants() source.Source { return text.New(f.Pool) }

// Injected returns the source of variants of the programs of a pool that call functions.
func (f Files) Injected() source.Source { return f.injected() }

func (f Files) injected() *text.Source {
	return text.NewInjected(f.Pool, func() (text.Functions, error) { return foreign.Read(f.Functions) })
}

// A How says how functions and programs of ours call functions of others: Fixed in whole
// programs with recorded arguments (fixed:30 has 30 % of the constants on the path become
// calls), or with the values of variables, so that the answer stays the same (Rows) or
// changes (Free).
type How string

// The ways.
const (
	Fixed How = "fixed"
	Live  How = "live" // Fixed, and only on the path
	Dead  How = "dead" // Fixed, and only off the path
	Rows  How = "rows"
	Free  How = "free"
	Both  How = "both" // Rows or Free, drawn for each function
)

// Named are the ways that a command line can name.
func Named() []How { return []How{Fixed, Rows, Free} }

// Check returns an error unless the way is one that can be named.
func (h How) Check() error {
	name, share, given := strings.Cut(string(h), ":")
	if n, err := strconv.Atoi(share); given && (err != nil || n < 0 || n > 100 || How(name) != Fixed) {
		return fmt.Errorf("%q: want fixed:PERCENTAGE, 0 to 100", h)
	}
	if !slices.Contains(Named(), How(name)) {
		return fmt.Errorf("%q: want one of %q", h, Named())
	}
	return nil
}

// Whole tells whether calls are in whole programs, whose answers need no compiler.
func (h How) Whole() bool { return h.mode() == inject.Fixed }

func (h How) mode() inject.Mode {
	switch name, _, _ := strings.Cut(string(h), ":"); How(name) {
	case Fixed, Live, Dead:
		return inject.Fixed
	default:
		return inject.Mode(name)
	}
}

// Callers returns the source of functions and programs of ours that call functions.
// Options.Size counts functions of ours, or whole programs.
func (f Files) Callers(o function.Options, h How) source.Source {
	s := inject.New(o, h.mode(), func() (inject.Base, error) { return foreign.Read(f.Functions) })
	switch _, share, given := strings.Cut(string(h), ":"); {
	case h == Live:
		s.Sites = inject.OnlyLive
	case h == Dead:
		s.Sites = inject.OnlyDead
	case given:
		s.Live, _ = strconv.Atoi(share) // see Check
	}
	return s
}

// Strange tells whether the programs of a source hold text of others that no user has
// looked at.
func Strange(s source.Source) bool {
	switch s.(type) {
	case *text.Source, *inject.Source:
		return true
	}
	return false
}

// AskFor has those sources that need answers ask the compilers of an oracle. The function
// that it returns says beforehand whether these can answer.
func AskFor(ctx context.Context, o *oracle.Oracle, sources ...source.Source) (able func() error) {
	harvester := sync.OnceValues(func() (*foreign.Harvester, error) { return foreign.NewHarvester(ctx, o.Targets, o.Sanitizers, o.Space) })
	for _, s := range sources {
		if s, ok := s.(*inject.Source); ok {
			s.Ask = func(list []*foreign.Function) (inject.Asker, error) {
				h, err := harvester()
				if err != nil {
					return nil, err
				}
				return h.Panel(list), nil
			}
		}
	}
	return func() error {
		_, err := harvester()
		return err
	}
}
