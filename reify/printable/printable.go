// Package printable makes text of others such that it only shows: a message of a compiler,
// or a line of a stranger's file, must not move the cursor, rename the window, or turn the
// direction of what comes after it.
//
//	fmt.Fprintln(printable.Writer(os.Stderr), err)
package printable

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns a text with what is not printable in Go's escapes, and lines and tabs as they
// are: control characters, those that turn the direction, and bytes that are no text. Valid
// JSON stays valid, and means the same.
func Text(text string) string { return escape(text, "\n\t") }

// Line is Text for what must stay a line.
func Line(text string) string { return escape(text, "") }

func escape(text, kept string) string {
	harmless := func(r rune) bool {
		return unicode.IsPrint(r) && r != utf8.RuneError || strings.ContainsRune(kept, r)
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return !harmless(r) }) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				fmt.Fprintf(&b, `\x%02x`, text[i])
				continue
			}
		}
		switch high, low := utf16.EncodeRune(r); {
		case harmless(r):
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\x%02x`, r)
		case high != utf8.RuneError: // as JSON has it
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Writer returns a writer of Text. No character may be split between two calls.
func Writer(w io.Writer) io.Writer { return writer{w} }

type writer struct{ io.Writer }

func (w writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, Text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
