package sketch

import (
	"slices"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// varName returns a, b, ... z, v26, v27, ...
func varName(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return "v" + strconv.Itoa(i)
}

// unusedName returns the name of the next variable of f. If f was made elsewhere, that
// name may be taken; then it is a later one.
func unusedName(f *ir.Function) string {
	for i := len(f.Vars); ; i++ {
		name := varName(i)
		if !slices.ContainsFunc(f.Vars, func(v *ir.Var) bool { return v.Name == name }) {
			return name
		}
	}
}

// blockNames returns entry, b1, b2, ... exit: the names of n blocks.
func blockNames(n int) []string {
	names := make([]string, n)
	var all strings.Builder // one allocation holds most of them
	all.Grow(4 * n)
	for i := range names {
		at := all.Len()
		all.WriteByte('b')
		all.WriteString(strconv.Itoa(i))
		names[i] = all.String()[at:]
	}
	names[0], names[n-1] = "entry", "exit"
	return names
}
