package events

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
)

// statistic is the number of the pass, its name, the statistic, which is a text
// and for histograms ends in "== 7", and its value.
var statistic = regexp.MustCompile(`^\d+ (\S+) "([^"]+)" (\d+)$`)

// ParseStatistics reads what gcc writes with -fdump-statistics-stats. A file
// without a line is one in which nothing was counted. Anything that does not
// look like a counter is an error that names the line, so that another version's
// format is never taken for a compiler that does nothing.
func ParseStatistics(text []byte) (Counts, error) {
	counts := Counts{}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		m := statistic.FindSubmatch(bytes.TrimSuffix(line, []byte("\n")))
		if m == nil {
			return nil, fmt.Errorf("statistics: line %d is %q, want for example: 39 ccp \"Statements folded\" 4", number, line)
		}
		value, err := strconv.ParseInt(string(m[3]), 10, 64)
		if err != nil || value == 0 {
			return nil, fmt.Errorf("statistics: line %d is %q: the value must be positive and less than 2^63", number, line)
		}
		counts.raise(Counter{fold(m[1]), fold(m[2])}, value)
	}
	return counts, nil
}
