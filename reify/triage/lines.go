package triage

import "strings"

// textLines returns how many lines of a text are not blank.
func textLines(source string) int {
	n := 0
	for line := range strings.Lines(source) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}
