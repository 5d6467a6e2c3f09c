// Package counters compares generators of programs by what they make a compiler do:
// the optimisation counters that its passes raise, which YARPGen's authors use
// as a measure (section 4.4 of their paper).
//
//	gcc -O3 -fdump-statistics-stats    117 fre "Eliminated" 33
//
// What a counter is says package events. Distinct counters tell how many kinds
// of things happened, their values how often.
//
// A generators.Source makes programs; Run compiles what it makes until so much CPU time is
// spent; Report puts the results of several beside each other.
package counters

import (
	"maps"
	"math"
	"slices"
	"strings"

	"goreify/compilers/events"
)

// upkeep are parts of the names of gcc's statistics that are not of optimisations:
// how much a pass had to look at, and what became of names and declarations.
var upkeep = []string{"RPO ", "iterations", "SSA ", "VAR_DECLs", "ASSERT_EXPR"}

// done reports whether a counter tells how often something was optimised, and
// not how hard a pass looked for it, nor of the upkeep of SSA form.
func done(c events.Counter) bool {
	return !slices.ContainsFunc(upkeep, func(part string) bool { return strings.Contains(c.Name, part) })
}

// allDone returns the counters that are done.
func allDone(c events.Counts) events.Counts {
	some := maps.Clone(c)
	maps.DeleteFunc(some, func(k events.Counter, _ int64) bool { return !done(k) })
	return some
}

// ratio returns the geometric mean, over the counters that both have, of the
// value in c divided by that in base, and how many counters these are. Without
// any the mean is 1. Values are compared per second of CPU time, which is given for each.
func ratio(c events.Counts, seconds float64, base events.Counts, baseSeconds float64) (mean float64, both int) {
	sum := 0.0
	for _, k := range c.Sorted() { // floating point: the order matters
		if v, ok := base[k]; ok {
			sum += math.Log(float64(c[k]) / seconds * baseSeconds / float64(v))
			both++
		}
	}
	if both == 0 {
		return 1, 0
	}
	return math.Exp(sum / float64(both)), both
}
