package core

import (
	"strconv"
	"strings"
)

// VarName returns a, b, ... z, v26, v27, ...
func VarName(i int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	if i < len(letters) {
		return letters[i : i+1]
	}
	return "v" + strconv.Itoa(i)
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
