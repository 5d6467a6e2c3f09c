package c

import "bytes"

// openBody begins the body under the head of a statement, and returns where.
func (f *function) openBody() int {
	f.str(" {\n")
	return len(f.buf)
}

// closeBody ends the body that openBody began, up to the end of the line. In the short
// form, braces about one line are left out.
func (f *function) closeBody(start, depth int) {
	if f.short == nil {
		f.end(depth)
		return
	}
	if f.labelled {
		f.line(depth+1, ";")
	}
	text := f.buf[start:]
	switch {
	case len(text) == 0:
		f.buf = f.buf[:start-len(" {\n")]
		f.str("\n")
		f.begin(depth + 1)
		f.str(";")
	case bytes.Count(text, []byte("\n")) == 1:
		at := start - len(" {\n")
		f.buf = append(f.buf[:at], f.buf[start-1:len(f.buf)-1]...)
	default:
		f.end(depth)
	}
}

// closeLoop is closeBody for a loop.
func (f *function) closeLoop(start, depth int) {
	if f.short != nil && len(f.buf) == start && !f.labelled {
		f.buf = append(f.buf[:start-len(" {\n")], ';')
		return
	}
	f.closeBody(start, depth)
}

// elseBody begins the other branch of an if whose first one is closed.
func (f *function) elseBody(depth int) int {
	if f.buf[len(f.buf)-1] == '}' {
		f.str(" else")
	} else {
		f.str("\n")
		f.begin(depth)
		f.str("else")
	}
	return f.openBody()
}

// closeElse is closeBody for the other branch of an if. In the short form, a branch
// that is a single if goes on with "else if".
func (f *function) closeElse(start, depth int) {
	if f.short != nil && !f.labelled && oneIf(f.buf[start:], depth+1) {
		text := bytes.Clone(f.buf[start:])
		text = bytes.ReplaceAll(text, []byte("\n"+blanks[:indentWidth]), []byte("\n"))
		f.buf = append(f.buf[:start-len("{\n")], text[(depth+1)*indentWidth:len(text)-1]...)
		return
	}
	f.closeBody(start, depth)
}

// oneIf reports whether text, at depth, is one if statement.
func oneIf(text []byte, depth int) bool {
	indent := []byte(blanks[:depth*indentWidth])
	first := true
	for line := range bytes.Lines(text) {
		rest, ok := bytes.CutPrefix(line, indent)
		switch {
		case !ok:
			return false // a label
		case first:
			if !bytes.HasPrefix(rest, []byte("if (")) {
				return false
			}
			first = false
		case rest[0] != ' ' && rest[0] != '}' && !bytes.HasPrefix(rest, []byte("else")):
			return false
		}
	}
	return !first
}
