package events

import (
	"cmp"
	"math"
	"regexp"
	"slices"
)

// A Counter is a statistic or a remark of a pass. Runs of digits are folded
// into '#'.
type Counter struct{ Pass, Name string }

// String returns "pass: name".
func (c Counter) String() string { return c.Pass + ": " + c.Name }

// MarshalText returns what String does, for keys of JSON objects.
func (c Counter) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Compare orders counters by their passes and then by their names.
func (c Counter) Compare(d Counter) int {
	return cmp.Or(cmp.Compare(c.Pass, d.Pass), cmp.Compare(c.Name, d.Name))
}

// Counts are the values of the counters that were raised, all positive.
type Counts map[Counter]int64

// Add adds the values of d to c.
func (c Counts) Add(d Counts) {
	for k, v := range d {
		c.raise(k, v)
	}
}

// raise adds v, which is positive, to a counter, which stays below 2^63.
func (c Counts) raise(k Counter, v int64) { c[k] += min(v, math.MaxInt64-c[k]) }

// Sorted returns the counters in the order of their names.
func (c Counts) Sorted() []Counter {
	list := make([]Counter, 0, len(c))
	for k := range c {
		list = append(list, k)
	}
	slices.SortFunc(list, Counter.Compare)
	return list
}

var digits = regexp.MustCompile(`\d+`)

func fold(name []byte) string { return string(digits.ReplaceAll(name, []byte("#"))) }
