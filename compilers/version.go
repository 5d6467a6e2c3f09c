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
		x, errX := strconv.Atoi(as[i])
		y, errY := strconv.Atoi(bs[i])
		c := cmp.Compare(x, y)
		if errX != nil || errY != nil {
			c = strings.Compare(as[i], bs[i])
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(as), len(bs))
}
