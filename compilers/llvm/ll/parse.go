package ll

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// ErrUnknown says that a text has what this package does not know. It comes wrapped.
var ErrUnknown = errors.New("is not known")

var tokens = regexp.MustCompile(`\s+|;.*|c?"[^"]*"|[%@#!]?[-+a-zA-Z$._0-9]+|[%@]"[^"]*"|[!#]|\.\.\.|[()\[\]{}<>,=*|:]`)

// A parser reads the words of a line.
type parser struct {
	words  []string
	groups map[string][]string
	types  map[string]*Type // by their names, with the %
	strict bool
	nested int // types and operands that are being read, inside each other
}

func split(line string) (words []string) {
	for _, w := range tokens.FindAllString(line, -1) {
		if strings.TrimSpace(w) != "" && w[0] != ';' {
			words = append(words, w)
		}
	}
	return words
}

// Parse reads a module without most of what it promises. The error wraps ErrUnknown, and says
// in which line.
func Parse(text string) (*Module, error) { return parse(text, false) }

// ParseStrict is Parse with all promises that a run can judge: noundef and range of
// arguments, results and loads, and inbounds.
func ParseStrict(text string) (*Module, error) { return parse(text, true) }

func parse(text string, strict bool) (m *Module, err error) {
	m = &Module{}
	p := &parser{groups: map[string][]string{}, types: map[string]*Type{}, strict: strict}
	at := ""
	defer func() {
		switch e := recover().(type) {
		case nil:
		case runtime.Error: // a line is malformed
			m, err = nil, fmt.Errorf("LLVM IR: %w: %w in %q", ErrUnknown, e, at)
		case unknown:
			m, err = nil, fmt.Errorf("LLVM IR: %s %w in %q", e, ErrUnknown, at)
		default:
			panic(e)
		}
	}()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "attributes #") {
			at = line
			p.group(line)
		}
	}
	var f *Func
	open := ""
	for line := range strings.Lines(text) {
		at = strings.TrimSpace(line)
		if open != "" { // the lines of a switch
			if open += " " + at; at != "]" && !strings.HasPrefix(at, "], ") {
				continue
			}
			at, open = open, ""
		} else if f != nil && strings.HasPrefix(at, "switch ") && !strings.Contains(at, "]") {
			open = at
			continue
		}
		p.words = split(at)
		switch {
		case len(p.words) == 0:
		case f != nil && at == "}":
			f = nil
		case f != nil:
			p.bodyLine(f)
		case strings.HasPrefix(at, "target datalayout"):
			m.Layout, _ = strconv.Unquote(p.words[3])
		case strings.HasPrefix(at, "target triple"):
			m.Triple, _ = strconv.Unquote(p.words[3])
		case p.words[0] == "define" || p.words[0] == "declare":
			g := p.function()
			m.Funcs = append(m.Funcs, g)
			if p.peek() == "{" {
				f = g
			}
		case p.words[0][0] == '%' && len(p.words) > 3 && p.words[2] == "type":
			name := p.next()
			p.words = p.words[2:]
			p.types[name] = p.typ()
		case p.words[0][0] == '@':
			m.Globals = append(m.Globals, p.global())
		case p.words[0][0] == '!', p.words[0] == "attributes", p.words[0] == "source_filename":
		default:
			fail("%s", at)
		}
	}
	for _, f := range m.Funcs {
		f.number()
	}
	return m, nil
}

type unknown string

func fail(format string, args ...any) { panic(unknown(fmt.Sprintf(format, args...))) }

// keptAttrs are attributes of functions that matter for the code that is made.
var keptAttrs = []string{"minsize", "optsize", "noinline", "optnone"}

// group reads a line of attributes.
func (p *parser) group(line string) {
	words := split(line)
	var list []string
	for i, w := range words {
		switch {
		case slices.Contains(keptAttrs, w):
			list = append(list, w)
		case (w == `"target-cpu"` || w == `"target-features"`) && i+2 < len(words):
			list = append(list, w+"="+words[i+2])
		}
	}
	p.groups[words[1]] = list
}

func (p *parser) peek() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

func (p *parser) next() string {
	w := p.peek()
	if w == "" {
		fail("the end of the line")
	}
	p.words = p.words[1:]
	return w
}

func (p *parser) take(word string) bool {
	if p.peek() != word {
		return false
	}
	p.words = p.words[1:]
	return true
}

func (p *parser) want(word string) {
	if w := p.next(); w != word {
		fail("%q for %q", w, word)
	}
}

// unname returns the name behind its sign. LLVM counts what has no name, so a number gets a
// sign, and may then stand anywhere.
func unname(w string) string {
	n := strings.Trim(w[1:], `"`)
	if w[0] == '%' && n[0] >= '0' && n[0] <= '9' {
		return "_" + n
	}
	return n
}

// sign reads a name behind its sign.
func (p *parser) sign(sign byte) string {
	w := p.next()
	if w[0] != sign || len(w) < 2 {
		fail("%q for a name with %c", w, sign)
	}
	return unname(w)
}

// skipBrackets leaves out what is between brackets, if one is next.
func (p *parser) skipBrackets() {
	if p.peek() != "(" {
		return
	}
	depth := 0
	for {
		switch p.next() {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return
			}
		}
	}
}

// attributes leaves out the words before a type, an operand or a bracket, and returns zeroext
// or signext if one of them is that, and what they promise.
func (p *parser) attributes() (extension string, promise Promise) {
	for {
		w := p.peek()
		switch {
		case w == "zeroext" || w == "signext":
			extension = w
		case w == "noundef" && p.strict:
			promise.NoUndef = true
		case w == "range" && p.strict:
			p.next()
			p.want("(")
			promise.Lo, promise.Hi = p.interval(p.typ())
			p.want(")")
			continue
		case w == "align":
			p.next()
			if p.peek() == "(" {
				p.skipBrackets()
				continue
			}
		case w == "byval" || w == "sret" || w == "inalloca":
			fail("%s", w)
		case w == "" || !attribute.MatchString(w) || typeWord.MatchString(w) || constantWord[w]:
			return extension, promise
		}
		p.next()
		p.skipBrackets()
	}
}

// interval reads the ends of a range.
func (p *parser) interval(t *Type) (lo, hi *big.Int) {
	lo = p.operand(t).Const[0].N
	p.want(",")
	p.take(t.String()) // metadata has it again
	if hi = p.operand(t).Const[0].N; lo.Cmp(hi) == 0 {
		fail("a range without an end")
	}
	return lo, hi
}

var (
	attribute    = regexp.MustCompile(`^[a-z][a-z_]+$`)
	typeWord     = regexp.MustCompile(`^(?:i\d+|ptr|void|float|double|half|label|metadata|x|token)$`)
	constantWord = map[string]bool{"true": true, "false": true, "null": true, "undef": true, "poison": true, "zeroinitializer": true, "splat": true, "getelementptr": true, "inttoptr": true, "ptrtoint": true, "blockaddress": true, "to": true, "asm": true}
)

// global reads a global variable.
func (p *parser) global() *Global {
	g := &Global{Name: p.sign('@')}
	p.want("=")
	external := false
	for {
		switch w := p.next(); w {
		case "external", "extern_weak":
			external = true
			continue
		case "internal", "private":
			g.Internal = true
			continue
		case "thread_local", "alias", "ifunc", "addrspace":
			fail("%s", w)
		case "constant":
			g.Constant = true
		case "global":
		default:
			continue
		}
		break
	}
	g.Type = p.typ()
	if !external {
		o := p.operand(g.Type)
		g.Init = &o
	}
	g.Align, _ = p.rest()
	return g
}

// rest reads what follows the last operand: an alignment, and metadata that promises.
func (p *parser) rest() (align int, promise Promise) {
	for p.take(",") {
		switch {
		case p.take("align"):
			align, _ = strconv.Atoi(p.next())
		case p.strict && p.take("!noundef"):
			promise.NoUndef = true
			p.words = p.words[3:] // of an empty node
		case p.strict && p.take("!range"):
			p.want("!")
			p.want("{")
			promise.Lo, promise.Hi = p.interval(p.typ())
			p.want("}")
		default:
			return align, promise // other metadata and sections
		}
	}
	return align, promise
}

var conventions = []string{"fastcc", "ccc", "coldcc"}

// function reads the head of a function. A body follows if the next word is an opening brace.
func (p *parser) function() *Func {
	f := &Func{}
	p.next()
	for {
		w := p.peek()
		switch {
		case w == "internal" || w == "private":
			f.Internal = true
		case slices.Contains(conventions, w):
			f.CC = w
		case p.strict && (w == "noundef" || w == "range") || w == "zeroext" || w == "signext":
			f.Attr, f.Promise = p.attributes()
			continue
		case attribute.MatchString(w) && !typeWord.MatchString(w):
		case w == "align":
		default:
			goto typed
		}
		p.next()
		p.skipBrackets()
	}
typed:
	f.Result = p.typ()
	f.Name = p.sign('@')
	p.want("(")
	for !p.take(")") {
		if p.take("...") {
			f.VarArg = true
			continue
		}
		if p.peek() == "metadata" {
			p.next()
			f.Params = append(f.Params, Param{Type: ptrType})
			p.take(",")
			continue
		}
		param := Param{Type: p.typ()}
		param.Attr, param.Promise = p.attributes()
		if w := p.peek(); w != "" && w[0] == '%' {
			param.Name = p.sign('%')
		}
		f.Params = append(f.Params, param)
		p.take(",")
	}
	for len(p.words) > 0 && p.peek() != "{" {
		w := p.next()
		if slices.Contains(keptAttrs, w) {
			f.Attrs = append(f.Attrs, w)
		}
		if (w == `"target-cpu"` || w == `"target-features"`) && p.take("=") {
			f.Attrs = append(f.Attrs, w+"="+p.next())
		}
		f.Attrs = append(f.Attrs, p.groups[w]...)
	}
	return f
}

// bodyLine reads a line of a function's body.
func (p *parser) bodyLine(f *Func) {
	if len(p.words) >= 2 && p.words[1] == ":" {
		f.Blocks = append(f.Blocks, &Block{Name: unname("%" + p.words[0])})
		return
	}
	if len(f.Blocks) == 0 {
		f.Blocks = append(f.Blocks, &Block{})
	}
	if p.peek()[0] == '#' { // a debug record
		return
	}
	b := f.Blocks[len(f.Blocks)-1]
	b.Instrs = append(b.Instrs, p.instr())
}

// number gives the first block the name that LLVM counts for it.
func (f *Func) number() {
	if len(f.Blocks) == 0 {
		return
	}
	n := 0
	for i, p := range f.Params {
		if p.Name == "" {
			f.Params[i].Name = fmt.Sprintf("_%d", n)
		}
		if f.Params[i].Name == fmt.Sprintf("_%d", n) {
			n++
		}
	}
	if f.Blocks[0].Name == "" {
		f.Blocks[0].Name = fmt.Sprintf("_%d", n)
	}
}
