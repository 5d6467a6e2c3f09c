package ir

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Foreign is a function that others wrote, in C: its text, and its answers for some
// arguments. Its meaning is known to compilers alone, so a call with other arguments
// has no answer. The function has parameters and a result of Standard types, no other
// variables, no blocks, no records.
//
// It reads and writes no memory but its own, and keeps nothing from one call to the
// next. A Foreign is not changed: copies of a function share it.
type Foreign struct {
	// C is preprocessed text of whole lines. It defines the function, without a storage
	// class, and all that the function needs. The names of these at file scope begin
	// with that of the function and an underscore.
	C       string
	Answers []Answer // by Args, ascending
	Models  Models
	Origin  string // origin: project, version and file; or empty
	Licence string // an SPDX expression, "unknown", or empty
}

// An Answer says that a foreign function, called with Args, returns Want and meets
// no undefined behaviour.
type Answer struct {
	Args  []int64 // one for each parameter, in the representation of Const
	Want  int64   // of the type of the result
	Steps int     // statements that it executes, or 0 if not counted
}

// Models are the data models in which a foreign function gives its answers.
type Models int

// The sets of models.
const (
	AnyModel Models = iota
	LP64            // where long and pointers have 64 bits
	ILP32           // where they have 32
)

var modelNames = [...]string{"any", "lp64", "ilp32"}

// String returns the word of the text form.
func (m Models) String() string {
	if m < 0 || int(m) >= len(modelNames) {
		return fmt.Sprintf("Models(%d)", int(m))
	}
	return modelNames[m]
}

// Bounds of foreign functions.
const (
	MaxForeignText = 1 << 17 // bytes
	MaxAnswers     = 1 << 16
)

// Answer returns the answer of the function to args.
func (f *Foreign) Answer(args []int64) (Answer, bool) {
	i, ok := slices.BinarySearchFunc(f.Answers, args, compareArgs)
	if !ok {
		return Answer{}, false
	}
	return f.Answers[i], true
}

// With returns a copy of f with more answers. An answer for known arguments is
// replaced.
func (f *Foreign) With(more ...Answer) *Foreign {
	g := *f
	g.Answers = slices.Clone(f.Answers)
	for _, a := range more {
		i, ok := slices.BinarySearchFunc(g.Answers, a.Args, compareArgs)
		if ok {
			g.Answers[i] = a
		} else {
			g.Answers = slices.Insert(g.Answers, i, a)
		}
	}
	return &g
}

func compareArgs(a Answer, args []int64) int { return slices.Compare(a.Args, args) }

// isForeignName reports whether a function of that name can be foreign: r and
// hexadecimal digits.
func isForeignName(name string) bool {
	return len(name) > 1 && name[0] == 'r' && strings.Trim(name[1:], "0123456789abcdef") == ""
}

// isForeignPart reports whether t is the name of a foreign function, or may be another
// name at file scope in its text.
func isForeignPart(t, name string) bool {
	rest, ok := strings.CutPrefix(t, name)
	return ok && (rest == "" || rest[0] == '_')
}

// foreign checks a function that others wrote.
func (c *checker) foreign() error {
	f := c.fn
	switch {
	case len(f.Blocks) > 0 || len(f.Types) > 0 || f.Syms > 0:
		return errors.New("foreign, and has blocks, records or symbols")
	case !f.Result.Standard():
		return fmt.Errorf("foreign, and returns %s", f.Result)
	case !isForeignName(f.Name):
		return errors.New("foreign: the name is not r and hexadecimal digits")
	}
	for _, v := range f.Vars {
		if v.Kind != Param || v.Const || v.Volatile {
			return fmt.Errorf("foreign, and %s is not a parameter without qualifiers", v)
		}
	}
	if n := len(f.Foreign.Answers); n > MaxAnswers {
		return fmt.Errorf("%d answers, want at most %d", n, MaxAnswers)
	}
	for i, a := range f.Foreign.Answers {
		if err := f.checkAnswer(a); err != nil {
			return fmt.Errorf("answer %d: %w", i, err)
		}
		if i > 0 && slices.Compare(f.Foreign.Answers[i-1].Args, a.Args) >= 0 {
			return fmt.Errorf("answer %d: not in ascending order", i)
		}
	}
	if m := f.Foreign.Models; m < 0 || int(m) >= len(modelNames) {
		return fmt.Errorf("unknown models %d", int(m))
	}
	if err := checkForeignText(f.Name, f.Foreign.C); err != nil {
		return fmt.Errorf("text in C: %w", err)
	}
	return nil
}

func (f *Function) checkAnswer(a Answer) error {
	if len(a.Args) != len(f.Vars) {
		return fmt.Errorf("%d arguments for %d parameters", len(a.Args), len(f.Vars))
	}
	for i, v := range f.Vars {
		if t := paramInt(v); !t.Holds(a.Args[i]) {
			return fmt.Errorf("argument %s = %d does not fit %s", v.Name, a.Args[i], t)
		}
	}
	if !f.Result.Holds(a.Want) {
		return fmt.Errorf("result %d does not fit %s", a.Want, f.Result)
	}
	if a.Steps < 0 {
		return fmt.Errorf("%d steps", a.Steps)
	}
	return nil
}

// checkForeignText returns an error unless text defines the function of that name, and
// all other names at file scope, tags and enumerators included, begin with it. It looks
// at tokens, and accepts more than C does.
func checkForeignText(name, text string) error {
	if len(text) > MaxForeignText {
		return fmt.Errorf("%d bytes, want at most %d", len(text), MaxForeignText)
	}
	if !strings.HasSuffix(text, "\n") {
		return errors.New("does not end with a line")
	}
	toks, err := lexForeign(text)
	if err != nil {
		return err
	}
	defined := 0
	var open []byte     // the brackets that are open
	enum, list := 0, -1 // where "enum" was; how many brackets are open inside the list of an enum
	begin := 0          // of the declaration at file scope
	oldStyle := false   // parameters are declared between their list and the body (C11 6.9.1p6)
	at := func(i int) string {
		if i < 0 || i >= len(toks) {
			return ""
		}
		return toks[i]
	}
	for i, t := range toks {
		switch c := t[0]; {
		case c == '(' || c == '[' || c == '{':
			open = append(open, c)
			if c == '{' && len(open) == 1 {
				oldStyle = false
			}
			if c == '{' && enum > 0 {
				list, enum = len(open), 0
			}
		case c == ')' || c == ']' || c == '}':
			if len(open) == 0 || open[len(open)-1] != map[byte]byte{')': '(', ']': '[', '}': '{'}[c] {
				return fmt.Errorf("%q without what it closes", t)
			}
			if list == len(open) {
				list = -1
			}
			open = open[:len(open)-1]
			if len(open) == 0 && c == '}' {
				begin = i + 1
			}
		case c == ';' && len(open) == 0:
			begin = i + 1
		case t == "enum":
			enum = i + 1
		case !isLetter(c) || oldStyle:
		case len(open) == 0 && at(i-1) == ")" && !strings.HasPrefix(t, "__"):
			oldStyle = true // declarations of parameters follow, up to the body
		case len(open) == 0 || list == len(open) && (at(i-1) == "{" || at(i-1) == ","):
			switch {
			case isForeignPart(t, name), isKeyword(t), strings.HasPrefix(t, "__"), t == "_Bool", t == "_Noreturn", t == "_Static_assert", t == "_Alignas":
			default:
				return fmt.Errorf("%s is named at file scope, and does not begin with %s_", t, name)
			}
			if t == name && at(i+1) == "(" && definesAt(toks, i+1) {
				if slices.ContainsFunc(toks[begin:i], func(t string) bool { return t == "static" || t == "extern" || t == "inline" }) {
					return fmt.Errorf("%s has a storage class", name)
				}
				defined++
			}
		}
		if enum > 0 && i > enum { // "enum tag" without a list
			enum = 0
		}
	}
	switch {
	case len(open) > 0:
		return fmt.Errorf("%q is never closed", open[len(open)-1])
	case defined != 1:
		return fmt.Errorf("defines %s %d times", name, defined)
	}
	return nil
}

// definesAt reports whether the parenthesis at token i is followed, once it is
// closed, by a brace.
func definesAt(toks []string, i int) bool {
	depth := 0
	for k := i; k < len(toks); k++ {
		switch toks[k] {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return k+1 < len(toks) && toks[k+1] == "{"
			}
		}
	}
	return false
}

// lexForeign splits preprocessed C into words, numbers, literals (as one quote) and
// other characters. Comments are left out.
func lexForeign(text string) ([]string, error) {
	var toks []string
	for i := 0; i < len(text); {
		start := i
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n':
			i++
		case strings.HasPrefix(text[i:], "//"):
			i = scan(text, i, func(c byte) bool { return c != '\n' })
		case strings.HasPrefix(text[i:], "/*"):
			n := strings.Index(text[i+2:], "*/")
			if n < 0 {
				return nil, errors.New("a comment does not end")
			}
			i += n + 4
		case isLetter(c) || isDigit(c):
			i = scan(text, i, func(c byte) bool { return isLetterOrDigit(c) || c == '.' && isDigit(text[start]) })
			toks = append(toks, text[start:i])
		case c == '"' || c == '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\n' {
					break
				}
				if text[i] == '\\' {
					i++
				}
			}
			if i >= len(text) || text[i] != c {
				return nil, errors.New("a literal does not end")
			}
			i++
			toks = append(toks, text[start:start+1])
		case c == '#' || c == '\\' || c == '@' || c == '`' || c == '$' || c < ' ' || c > '~':
			return nil, fmt.Errorf("unexpected character %q", c)
		default:
			i++
			toks = append(toks, text[start:i])
		}
	}
	return toks, nil
}

// ForeignNames returns the names that the text of a foreign function has at file
// scope, and maybe others.
func (f *Function) ForeignNames() []string {
	var names []string
	text := f.Foreign.C
	for from := strings.Index(text, f.Name); from >= 0; {
		to := scan(text, from, isLetterOrDigit)
		if part := text[from:to]; isForeignPart(part, f.Name) && (from == 0 || !isLetterOrDigit(text[from-1])) {
			names = append(names, part)
		}
		next := strings.Index(text[to:], f.Name)
		if next < 0 {
			break
		}
		from = to + next
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Foreigners returns the foreign functions that f calls, each once, in the order of
// the first call.
func (f *Function) Foreigners() []*Function {
	var list []*Function
	for call := range f.Calls() {
		if call.Func.Foreign != nil && !slices.Contains(list, call.Func) {
			list = append(list, call.Func)
		}
	}
	return list
}
