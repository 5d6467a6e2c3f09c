package prove

import (
	"context"

	"goreify/reify/crosscheck"
	"goreify/reify/language"
	"goreify/reify/oracle"
)

// The terms are how a language is asked about.
type terms struct {
	functions, programs, expressions int // in a subject
	long                             int // functions of the paper's size in one, at most
	turns                            func(What) []string
	// witnesses are whom a run asks; nil for all targets in their reference modes or
	// those of REIFY_MODES.
	witnesses func(*run, context.Context, *oracle.Oracle) ([]witness, error)
	features  string // that are added for -what engines
	// lines says that straight-line programs are asked about, and conversions of all
	// values of 8 bits: both have nodes that no other language has.
	lines bool
	cross bool // -what engines asks compilers for the processors
}

// The terms of languages whose programs sanitizers look at, and of those with a runtime.
var (
	sanitized = terms{
		functions: 100, programs: 8, expressions: crosscheck.PerFile, long: 100, witnesses: (*run).sanitized, features: "+all", lines: true, cross: true,
		turns: func(What) []string { return []string{"wild"} },
	}
	checked = terms{functions: 40, programs: 4, expressions: 1000, long: 10, turns: turns}
)

func (r *run) terms() terms {
	if language.Find(r.Language).Unchecked {
		return sanitized
	}
	return checked
}
