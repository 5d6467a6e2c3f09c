package c

import (
	"regexp"
	"strings"
)

// opening finds where a function's body begins: a brace behind the parameters.
var opening = regexp.MustCompile(`\b(\w+)\s*\([^;{}]*\)\s*\{`)

// BodyLines returns how many lines of C there are in the bodies of functions other than
// main, without blank lines and lines of braces alone. The text has no braces in
// comments, strings or attributes: the writers of C here write none.
func BodyLines(source string) int {
	n := 0
	for {
		at := opening.FindStringSubmatchIndex(source)
		if at == nil {
			return n
		}
		name := source[at[2]:at[3]]
		source = source[at[1]:]
		end := closing(source)
		if name != "main" {
			for line := range strings.Lines(source[:end]) {
				if strings.Trim(line, " \t\r\n{}") != "" {
					n++
				}
			}
		}
		source = source[end:]
	}
}

// closing returns the index of the brace that closes the one before the text.
func closing(text string) int {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}
