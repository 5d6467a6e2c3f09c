package compilers

import (
	"cmp"
	"strconv"
	"strings"
)

// CompareVersions orders versions such as "12.2.0" number by number. What is no
// number comes before any, and in the order of its text.
func CompareVersions(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		x, y := number(as[i]), number(bs[i])
		c := cmp.Compare(x, y)
		if x < 0 && y < 0 {
			c = strings.Compare(as[i], bs[i])
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(as), len(bs))
}

// number returns the number that a text is, or -1.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return max(n, -1)
}
