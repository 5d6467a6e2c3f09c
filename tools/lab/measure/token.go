package measure

import (
	"fmt"
	"strings"
)

// Tokens returns the number of C tokens in the definition of the function of
// that name, from the first word of its declaration to its closing brace.
// Comments and lines of the preprocessor hold no tokens, a macro that is used
// is one. The error says that source does not define the function.
func Tokens(source, name string) (int, error) {
	s := scanner{text: source}
	count, depth := 0, 0
	named, body := false, false // the declarator has been met; the body has begun
	for last := ""; ; {
		tok := s.next()
		if tok == "" {
			return 0, fmt.Errorf("function %s: no definition in %d bytes of C", name, len(source))
		}
		count++
		switch tok {
		case "(":
			named = named || depth == 0 && last == name
			depth++
		case "{":
			body = body || depth == 0 && named
			depth++
		case "[":
			depth++
		case ")", "]", "}":
			depth--
		}
		if tok == "}" && depth == 0 && body {
			return count, nil
		}
		if depth == 0 && (tok == ";" || tok == "}") {
			count, named = 0, false // another declaration begins
		}
		last = tok
	}
}

// A scanner cuts C into tokens: words, numbers, literals and the longest
// punctuators.
type scanner struct {
	text string
	pos  int
}

// next returns the next token, or "" at the end.
func (s *scanner) next() string {
	s.skip()
	start := s.pos
	if start == len(s.text) {
		return ""
	}
	switch c := s.text[start]; {
	case isDigit(c), c == '.' && start+1 < len(s.text) && isDigit(s.text[start+1]):
		s.number()
	case isWord(c):
		for s.pos < len(s.text) && isWord(s.text[s.pos]) {
			s.pos++
		}
	case c == '"', c == '\'':
		s.literal(c)
	default:
		s.pos += punctuator(s.text[start:])
	}
	return s.text[start:s.pos]
}

// skip passes over white space, comments and lines that begin with #.
func (s *scanner) skip() {
	for s.pos < len(s.text) {
		rest := s.text[s.pos:]
		switch {
		case strings.HasPrefix(rest, "/*"):
			s.past("*/")
		case strings.HasPrefix(rest, "//"):
			s.past("\n")
		case rest[0] == '#':
			for s.past("\n"); strings.HasSuffix(s.text[:s.pos], "\\\n"); {
				s.past("\n")
			}
		case rest[0] == ' ', rest[0] == '\t', rest[0] == '\n', rest[0] == '\r':
			s.pos++
		default:
			return
		}
	}
}

// past goes on behind the next occurrence of end, or to the end of the text.
func (s *scanner) past(end string) {
	i := strings.Index(s.text[s.pos:], end)
	if i < 0 {
		s.pos = len(s.text)
		return
	}
	s.pos += i + len(end)
}

// number passes over a preprocessing number, of which the sign of an exponent
// is a part.
func (s *scanner) number() {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		sign := (c == '+' || c == '-') && strings.IndexByte("eEpP", s.text[s.pos-1]) >= 0
		if !isWord(c) && c != '.' && !sign {
			return
		}
		s.pos++
	}
}

func (s *scanner) literal(quote byte) {
	for s.pos++; s.pos < len(s.text) && s.text[s.pos] != quote; s.pos++ {
		if s.text[s.pos] == '\\' {
			s.pos++
		}
	}
	s.pos = min(s.pos+1, len(s.text))
}

// punctuator returns the length of the punctuator that text begins with.
func punctuator(text string) int {
	for _, p := range [...]string{
		"<<=", ">>=", "...",
		"->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
		"*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=",
	} {
		if strings.HasPrefix(text, p) {
			return len(p)
		}
	}
	return 1
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80
}
