package ir

import (
	"fmt"
	"strconv"
	"strings"
)

type tokenKind int

const (
	tokEOF     tokenKind = iota
	tokNewline           // one or more line ends
	tokIdent
	tokNumber // decimal digits
	tokFloat  // digits with a point or an exponent
	tokLocal  // %name
	tokGlobal // @name
	tokSym    // ?digits
	tokOp     // an operator or a punctuation mark
	tokString // the characters between quotation marks, without escapes
)

// A token is a piece of the text at offset pos; text lacks the sigil.
type token struct {
	kind tokenKind
	text string
	pos  int
}

// String describes the token for an error message.
func (t token) String() string {
	switch t.kind {
	case tokEOF:
		return "end of text"
	case tokNewline:
		return "end of line"
	case tokLocal:
		return `"%` + t.text + `"`
	case tokGlobal:
		return `"@` + t.text + `"`
	case tokSym:
		return `"?` + t.text + `"`
	case tokString:
		return "the string " + strconv.Quote(t.text)
	}
	return `"` + t.text + `"`
}

// lex splits text into tokens, of which the last is tokEOF. Blanks separate
// tokens; a comment runs from // to the end of its line.
func lex(text string) ([]token, *SyntaxError) {
	var toks []token
	for i := 0; i < len(text); {
		start := i
		add := func(kind tokenKind, sigil int) {
			toks = append(toks, token{kind, text[start+sigil : i], start})
		}
		switch c := text[i]; {
		case c == '\n':
			i++
			if len(toks) > 0 && toks[len(toks)-1].kind != tokNewline {
				add(tokNewline, 0)
			}
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case strings.HasPrefix(text[i:], "//"):
			i = scan(text, i, func(c byte) bool { return c != '\n' })
		case isLetter(c):
			i = scan(text, i, isLetterOrDigit)
			add(tokIdent, 0)
		case isDigit(c):
			var kind tokenKind
			kind, i = scanNumber(text, i)
			add(kind, 0)
		// A remainder is written with a blank: "%a % %b".
		case c == '%' && i+1 < len(text) && isLetter(text[i+1]):
			i = scan(text, i+1, isLetterOrDigit)
			add(tokLocal, 1)
		case c == '@' && i+1 < len(text) && isLetter(text[i+1]):
			i = scan(text, i+1, isLetterOrDigit)
			add(tokGlobal, 1)
		case c == '?' && i+1 < len(text) && isDigit(text[i+1]):
			i = scan(text, i+1, isDigit)
			add(tokSym, 1)
		case c == '"':
			quoted, err := strconv.QuotedPrefix(text[i:])
			if err != nil {
				return nil, errorAt(text, i, "a string that does not end or has a wrong escape")
			}
			unquoted, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, errorAt(text, i, "a string with a wrong escape")
			}
			i += len(quoted)
			toks = append(toks, token{tokString, unquoted, start})
		default:
			n := opLen(text[i:])
			if n == 0 {
				return nil, errorAt(text, i, fmt.Sprintf("unexpected character %q", c))
			}
			i += n
			add(tokOp, 0)
		}
	}
	return append(toks, token{tokEOF, "", len(text)}), nil
}

// scan returns the first index from i on whose byte does not satisfy ok.
func scan(text string, i int, ok func(byte) bool) int {
	for i < len(text) && ok(text[i]) {
		i++
	}
	return i
}

// scanNumber returns the kind and the end of the number that begins at i. A
// point belongs to it only if a digit follows: "1..2" is a range.
func scanNumber(text string, i int) (tokenKind, int) {
	kind := tokNumber
	digitAt := func(i int) bool { return i < len(text) && isDigit(text[i]) }
	i = scan(text, i, isDigit)
	if i < len(text) && text[i] == '.' && digitAt(i+1) {
		kind, i = tokFloat, scan(text, i+1, isDigit)
	}
	if i < len(text) && text[i] == 'e' {
		exp := i + 1
		if exp < len(text) && (text[exp] == '+' || text[exp] == '-') {
			exp++
		}
		if digitAt(exp) {
			kind, i = tokFloat, scan(text, exp, isDigit)
		}
	}
	return kind, i
}

// long holds the operators and punctuation marks of two characters.
var long = func() map[[2]byte]bool {
	set := map[[2]byte]bool{{'-', '>'}: true, {'.', '.'}: true}
	for _, op := range opTable {
		if len(op.name) == 2 {
			set[[2]byte{op.name[0], op.name[1]}] = true
		}
	}
	return set
}()

// opLen returns the length of the operator or punctuation mark that text
// begins with, or 0.
func opLen(text string) int {
	if len(text) >= 2 && long[[2]byte{text[0], text[1]}] {
		return 2
	}
	if strings.IndexByte("+-*/%&|^~!<>=(){}[],:.?", text[0]) >= 0 {
		return 1
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

func isLetterOrDigit(c byte) bool { return isLetter(c) || isDigit(c) }

// errorAt returns an error at offset pos of text.
func errorAt(text string, pos int, msg string) *SyntaxError {
	before := text[:pos]
	return &SyntaxError{
		Line: 1 + strings.Count(before, "\n"),
		Col:  pos - strings.LastIndexByte(before, '\n'),
		Msg:  msg,
	}
}
