package c

import (
	"bytes"
	"strconv"

	"goreify/reify/ir"
)

// A printer collects the text of a translation unit.
type printer struct {
	buf []byte
	// labelled says that a label was the last thing written: C wants a
	// statement after it.
	labelled bool
	// Definitions so far that functions share.
	vectors   []ir.Vector
	wides     []ir.Wide
	defined   map[string]bool // macros for vectors
	assume    bool
	lanewise  int     // of lanewiseFuncs
	floatBits [2]bool // for float and double

	// The functions that VecCalls call. Each is the text before its name and, after a
	// zero byte, the text behind it.
	lanewiseFuncs []string

	room []byte // for the name of a cell
}

const (
	indentWidth = 4
	lineWidth   = 96 // where initialisers and comments are wrapped

	// blanks indents the deepest possible line: the second one of the table of a
	// computed goto at maxDepth. The deepest statement, which is guarded by a condition
	// at maxDepth, is one step less deep.
	blanks = "                                        "
)

func (p *printer) str(s string) { p.buf = append(p.buf, s...) }

func (p *printer) int(n int) { p.buf = strconv.AppendInt(p.buf, int64(n), 10) }

func itoa(n int) string { return strconv.Itoa(n) }

// begin starts a statement or a declaration.
func (p *printer) begin(depth int) {
	p.buf = append(p.buf, blanks[:depth*indentWidth]...)
	p.labelled = false
}

// line writes one whole line.
func (p *printer) line(depth int, s string) {
	p.begin(depth)
	p.str(s)
	p.str("\n")
}

// label writes a label of the statements at depth, one step to the left.
func (p *printer) label(depth int, name string) {
	if depth == 1 && !bytes.HasSuffix(p.buf, []byte("{\n")) {
		p.str("\n")
	}
	p.begin(depth - 1)
	p.str(name)
	p.str(":\n")
	p.labelled = true
}

// end closes a brace whose statements are at depth+1. The text after the brace, and the
// end of the line, are left to the caller.
func (p *printer) end(depth int) {
	if p.labelled {
		p.line(depth+1, ";")
	}
	p.begin(depth)
	p.str("}")
}

// column returns how many characters the current line has.
func (p *printer) column() int {
	for i := len(p.buf) - 1; i >= 0; i-- {
		if p.buf[i] == '\n' {
			return len(p.buf) - 1 - i
		}
	}
	return len(p.buf)
}

// space writes a space, or in a line that is full a line break and prefix.
func (p *printer) space(prefix string) { p.spaceAt(p.column(), prefix) }

// spaceAt is space for when the column is known.
func (p *printer) spaceAt(column int, prefix string) {
	if column < lineWidth-10 {
		p.str(" ")
		return
	}
	p.str("\n")
	p.str(prefix)
}
