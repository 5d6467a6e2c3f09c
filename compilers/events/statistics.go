package events

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
)

// The number of the pass, its name, the statistic, which is a text and for
// histograms ends in "== 7", the function, if they are kept apart, and its value.
var (
	statistic  = regexp.MustCompile(`^\d+ (\S+) "([^"]+)" ()(\d+)$`)
	ofFunction = regexp.MustCompile(`^\d+ (\S+) "([^"]+)" "([^"]+)" (\d+)$`)
)

// noFunction is what gcc writes where a statistic is of none.
const noFunction = "(nofn)"

// ParseStatistics reads what gcc writes with -fdump-statistics-stats. A file
// without a line is one in which nothing was counted. Anything that does not
// look like a counter is an error that names the line, so that another version's
// format is never taken for a compiler that does nothing.
func ParseStatistics(text []byte) (Counts, error) {
	counts, err := parseStatistics(text, statistic, `39 ccp "Statements folded" 4`)
	if err != nil {
		return nil, err
	}
	return counts.of(""), nil
}

// ParseStatisticsByFunction reads in the same way what gcc writes with
// -fdump-statistics, for each function apart.
func ParseStatisticsByFunction(text []byte) (ByFunction, error) {
	return parseStatistics(text, ofFunction, `39 ccp "Statements folded" "f" 4`)
}

// parseStatistics reads lines of a form, of which there is an example.
func parseStatistics(text []byte, form *regexp.Regexp, example string) (ByFunction, error) {
	counts := ByFunction{}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		m := form.FindSubmatch(bytes.TrimSuffix(line, []byte("\n")))
		if m == nil {
			return nil, fmt.Errorf("statistics: line %d is %q, want for example: %s", number, line, example)
		}
		value, err := strconv.ParseInt(string(m[4]), 10, 64)
		if err != nil || value == 0 {
			return nil, fmt.Errorf("statistics: line %d is %q: the value must be positive and less than 2^63", number, line)
		}
		function := string(m[3])
		if function == noFunction {
			function = ""
		}
		counts.of(function).raise(Counter{fold(m[1]), fold(m[2])}, value)
	}
	return counts, nil
}
