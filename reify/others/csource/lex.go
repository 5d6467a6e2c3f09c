package csource

import (
	"bytes"
	"fmt"
	"strings"
)

// A class is the class of a token, as far as edits of text need it.
type class byte

const (
	word   class = iota // an identifier or keyword
	number              // a preprocessing number
	quoted              // a string or character, with its prefix
	punct               // anything else, the longest that C has
)

// A token is a piece of the text, neither space nor comment nor pragma.
type token struct {
	from, to int
	class    class
}

// puncts are the punctuators of more than one character, longest first.
var puncts = [][]byte{
	[]byte("..."), []byte("<<="), []byte(">>="),
	[]byte("->"), []byte("++"), []byte("--"), []byte("<<"), []byte(">>"), []byte("<="), []byte(">="), []byte("=="),
	[]byte("!="), []byte("&&"), []byte("||"), []byte("*="), []byte("/="), []byte("%="), []byte("+="), []byte("-="),
	[]byte("&="), []byte("^="), []byte("|="), []byte("##"),
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

// lex returns the tokens of preprocessed text. A directive is an error that names its
// line, except a #pragma outside of braces.
func lex(name string, text []byte) ([]token, error) {
	tokens := make([]token, 0, len(text)/4)
	fail := func(at int, what string) ([]token, error) {
		return nil, fmt.Errorf("%s:%d: %s", name, 1+bytes.Count(text[:at], []byte("\n")), what)
	}
	depth := 0    // of braces
	fresh := true // only space since the line began
	for i := 0; i < len(text); {
		c := text[i]
		rest := text[i:]
		switch {
		case c == '\n':
			fresh = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			i++
			continue
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			i += end
			continue
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return fail(i, "comment without end")
			}
			i += end + 4
			continue
		case c == '\\':
			return fail(i, "backslash: preprocess it first")
		case c == '#' && fresh:
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			if !bytes.HasPrefix(bytes.TrimLeft(rest[1:end], " \t"), []byte("pragma")) {
				return fail(i, "directive: preprocess it first")
			}
			if depth > 0 { // it may be about the next statement, which an edit could remove
				return fail(i, "pragma in braces")
			}
			i += end
			continue
		}
		fresh = false
		t := token{from: i, class: punct}
		switch {
		case '0' <= c && c <= '9' || c == '.' && len(rest) > 1 && '0' <= rest[1] && rest[1] <= '9':
			t.class = number
			for i++; i < len(text); i++ {
				exponent := (text[i] == '+' || text[i] == '-') && bytes.IndexByte([]byte("eEpP"), text[i-1]) >= 0
				if !isWord(text[i]) && text[i] != '.' && !exponent {
					break
				}
			}
		case isWord(c):
			for i < len(text) && isWord(text[i]) {
				i++
			}
			t.class = word
			if i >= len(text) || text[i] != '"' && text[i] != '\'' {
				break
			}
			if s := string(text[t.from:i]); s != "L" && s != "u" && s != "U" && s != "u8" {
				break
			}
			c = text[i]
			fallthrough
		case c == '"' || c == '\'':
			t.class = quoted
			for i++; i < len(text) && text[i] != c && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if i >= len(text) || text[i] == '\n' {
				return fail(t.from, "quotation without end")
			}
			i++
		default:
			switch c {
			case '{':
				depth++
			case '}':
				depth--
			}
			i++
			for _, p := range puncts {
				if bytes.HasPrefix(rest, p) {
					i = t.from + len(p)
					break
				}
			}
		}
		t.to = i
		tokens = append(tokens, t)
	}
	return tokens, nil
}

// closed returns an error that names the line of a bracket without its partner, or of
// an end of the text in a declaration: package cc may look for more for ever.
func (p *Program) closed() error {
	fail := func(i int, what string) error {
		return fmt.Errorf("%s:%d: %s", p.Name, p.Line(p.tokens[i].from), what)
	}
	closing := map[string]string{"(": ")", "[": "]", "{": "}"}
	var open []int
	for i := range p.tokens {
		switch text := p.text(i); text {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if len(open) == 0 || closing[p.text(open[len(open)-1])] != text {
				return fail(i, text+" closes nothing")
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		i := open[len(open)-1]
		return fail(i, p.text(i)+" without end")
	}
	if i := len(p.tokens) - 1; i >= 0 && p.text(i) != ";" && p.text(i) != "}" {
		return fail(i, "the text ends within a declaration")
	}
	return nil
}

// closing returns the index of the bracket that closes the one at index i.
func (p *Program) closing(i int) int {
	depth := 0
	for ; i < len(p.tokens); i++ {
		switch p.text(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth <= 0 {
				return i
			}
		}
	}
	return i
}

// keywords are the words that cannot be names, in C and as GNU extensions.
var keywords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`auto break case char const continue default do double else enum extern float for goto if inline
		int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
		_Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local
		asm typeof __asm __asm__ __typeof __typeof__ __alignof __alignof__ __attribute __attribute__ __inline __inline__
		__const __const__ __volatile __volatile__ __restrict __restrict__ __signed __signed__ __extension__ __label__
		__real __real__ __imag __imag__ __complex__ __thread __auto_type __int128 __func__ __FUNCTION__ __PRETTY_FUNCTION__`) {
		m[w] = true
	}
	return m
}()
