// Package counters compares generators of programs by what they make gcc do:
// the optimisation counters that its passes raise, which YARPGen's authors use
// as a measure (section 4.4 of their paper).
//
//	gcc -O3 -fdump-statistics-stats=FILE    117 fre "Eliminated" 33
//
// A counter is the name of a pass with that of a statistic, digits folded:
// "fre: Eliminated" and "fre: RPO num values == #" are two, however many
// numbers there are and however often the pass runs. Distinct counters tell how
// many kinds of things happened, their values how often.
//
// A Source makes programs; Run compiles what it makes until so much CPU time is
// spent; Report puts the results of several beside each other.
package counters

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// A Counter is a statistic of a pass. Runs of digits are folded into '#'.
type Counter struct{ Pass, Name string }

// String returns "pass: name".
func (c Counter) String() string { return c.Pass + ": " + c.Name }

// MarshalText returns what String does, for keys of JSON objects.
func (c Counter) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Counts are the values of the counters that were raised, all positive.
type Counts map[Counter]int64

// upkeep are parts of the names of statistics that are not of optimisations:
// how much a pass had to look at, and what became of names and declarations.
var upkeep = []string{"RPO ", "iterations", "SSA ", "VAR_DECLs", "ASSERT_EXPR"}

// Done reports whether a counter tells how often something was optimised, and
// not how hard a pass looked for it, nor of the upkeep of SSA form.
func (c Counter) Done() bool {
	return !slices.ContainsFunc(upkeep, func(part string) bool { return strings.Contains(c.Name, part) })
}

// Done returns the counters that are Done.
func (c Counts) Done() Counts {
	done := Counts{}
	for k, v := range c {
		if k.Done() {
			done[k] = v
		}
	}
	return done
}

// Add adds the values of d to c.
func (c Counts) Add(d Counts) {
	for k, v := range d {
		c[k] += v
	}
}

// Sorted returns the counters in the order of their names.
func (c Counts) Sorted() []Counter {
	list := make([]Counter, 0, len(c))
	for k := range c {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b Counter) int {
		return cmp.Or(cmp.Compare(a.Pass, b.Pass), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Ratio returns the geometric mean, over the counters that both have, of the
// value in c divided by that in base, and how many counters these are. Without
// any the mean is 1. Values are compared per second of CPU time, which is given for each.
func (c Counts) Ratio(seconds float64, base Counts, baseSeconds float64) (mean float64, both int) {
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
