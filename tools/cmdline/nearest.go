package cmdline

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest returns an addition to an error about a name that does not exist: the names
// that are like it, as in "; did you mean hunt or show?", or nothing.
func Nearest(name string, names []string) string {
	near := Near(name, names, 3)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// Near returns at most so many of the names that are like one, the likest first: those
// that begin with it or hold it, and those that are few edits away.
func Near(name string, names []string, most int) []string {
	type scored struct {
		name string
		n    int
	}
	var list []scored
	for _, other := range names {
		d := distance(name, other)
		if len(name) > 2 && strings.Contains(other, name) {
			d = min(d, 1)
		}
		if d <= max(1, len(name)/3) {
			list = append(list, scored{other, d})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(a.n, b.n) })
	var near []string
	for _, s := range list[:min(most, len(list))] {
		near = append(near, s.name)
	}
	return near
}

// distance returns how many bytes are inserted, removed or replaced to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before, row[j+1] = row[j+1], min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
