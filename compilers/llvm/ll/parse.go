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

var tokens = regexp.MustCompile(`\s+|;.*|c?"[^"]*"|[%@#!]?[-a-zA-Z$._0-9]+|[%@]"[^"]*"|[!#]|\.\.\.|[()\[\]{}<>,=*|:]`)

// A parser reads the words of a line.
type parser struct {
	words  []string
	groups map[string][]string
}

func split(line string) (words []string) {
	for _, w := range tokens.FindAllString(line, -1) {
		if strings.TrimSpace(w) != "" && w[0] != ';' {
			words = append(words, w)
		}
	}
	return words
}

// Parse reads a module. The error wraps ErrUnknown, and says in which line.
func Parse(text string) (m *Module, err error) {
	m = &Module{}
	p := &parser{groups: map[string][]string{}}
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
// or signext if one of them is that.
func (p *parser) attributes() (extension string) {
	for {
		w := p.peek()
		switch {
		case w == "zeroext" || w == "signext":
			extension = w
		case w == "align":
			p.next()
			if p.peek() == "(" {
				p.skipBrackets()
				continue
			}
		case w == "byval" || w == "sret" || w == "inalloca":
			fail("%s", w)
		case w == "" || !attribute.MatchString(w) || typeWord.MatchString(w) || constantWord[w]:
			return extension
		}
		p.next()
		p.skipBrackets()
	}
}

var (
	attribute    = regexp.MustCompile(`^[a-z][a-z_]+$`)
	typeWord     = regexp.MustCompile(`^(?:i\d+|ptr|void|float|double|half|label|metadata|x|token)$`)
	constantWord = map[string]bool{"true": true, "false": true, "null": true, "undef": true, "poison": true, "zeroinitializer": true, "splat": true, "getelementptr": true, "inttoptr": true, "ptrtoint": true, "blockaddress": true, "to": true, "asm": true}
)

func (p *parser) typ() *Type {
	switch w := p.next(); {
	case w == "ptr":
		if p.peek() == "addrspace" {
			fail("an address space")
		}
		return ptrType
	case w == "void":
		return voidType
	case w[0] == 'i' && len(w) > 1:
		n, err := strconv.Atoi(w[1:])
		if err != nil {
			fail("type %s", w)
		}
		return IntType(n)
	case w == "<" && p.peek() != "{":
		t := p.sequence(Vector)
		p.want(">")
		return t
	case w == "[":
		t := p.sequence(Array)
		p.want("]")
		return t
	case w == "{":
		t := &Type{Kind: Struct}
		for !p.take("}") {
			t.Fields = append(t.Fields, p.typ())
			p.take(",")
		}
		return t
	default:
		fail("type %s", w)
	}
	return nil
}

func (p *parser) sequence(k Kind) *Type {
	n, err := strconv.Atoi(p.next())
	if err != nil {
		fail("a length")
	}
	p.want("x")
	return &Type{Kind: k, N: n, Elem: p.typ()}
}

// typed reads a type, attributes, and an operand.
func (p *parser) typed() Operand {
	t := p.typ()
	p.attributes()
	return p.operand(t)
}

// operand reads an operand of a type.
func (p *parser) operand(t *Type) Operand {
	o := Operand{Type: t}
	w := p.next()
	repeat := func(l Lane) {
		for range t.Lanes() {
			o.Const = append(o.Const, l)
		}
	}
	switch {
	case w[0] == '%':
		o.Local = unname(w)
	case w[0] == '@':
		o.Global = unname(w)
	case w == "getelementptr":
		return p.address()
	case w == "undef" || w == "poison":
		if t.Kind == Array || t.Kind == Struct {
			o.Elems = elements(t, true)
			break
		}
		repeat(Lane{Poison: true})
	case w == "zeroinitializer" || w == "null":
		if t.Kind == Array || t.Kind == Struct {
			o.Elems = elements(t, false)
			break
		}
		repeat(Lane{N: new(big.Int)})
	case w == "true" || w == "false":
		repeat(Lane{N: big.NewInt(int64(strings.Count(w, "true")))})
	case w == "splat":
		p.want("(")
		repeat(p.typed().Const[0])
		p.want(")")
	case w == "<" && t.Kind == Vector:
		for !p.take(">") {
			e := p.typed()
			if len(e.Const) != 1 {
				fail("a vector of addresses")
			}
			o.Const = append(o.Const, e.Const[0])
			p.take(",")
		}
	case w == "[" && t.Kind == Array || w == "{" && t.Kind == Struct:
		for !p.take("]") && !p.take("}") {
			o.Elems = append(o.Elems, p.typed())
			p.take(",")
		}
	case strings.HasPrefix(w, `c"`) && t.Kind == Array:
		for _, b := range characters(w[2 : len(w)-1]) {
			o.Elems = append(o.Elems, Operand{Type: t.Elem, Const: []Lane{{N: big.NewInt(int64(b))}}})
		}
	default:
		n, ok := new(big.Int).SetString(w, 10)
		if !ok || t.Kind != Int {
			fail("constant %s", w)
		}
		o.Const = []Lane{{N: wrap(n, t.Bits)}}
	}
	return o
}

// elements returns the zeros of an array or a struct, or its poison.
func elements(t *Type, poison bool) (list []Operand) {
	types := t.Fields
	if t.Kind == Array {
		types = slices.Repeat([]*Type{t.Elem}, t.N)
	}
	for _, e := range types {
		o := Operand{Type: e}
		if e.Kind == Array || e.Kind == Struct {
			o.Elems = elements(e, poison)
		} else {
			o.Const = slices.Repeat([]Lane{{Poison: poison, N: new(big.Int)}}, e.Lanes())
		}
		list = append(list, o)
	}
	return list
}

// address reads a constant address behind its word.
func (p *parser) address() Operand {
	for p.peek() != "(" {
		p.next()
	}
	p.want("(")
	t := p.typ()
	p.want(",")
	base := p.typed()
	var index []Value
	for p.take(",") {
		p.take("inrange")
		i := p.typed()
		index = append(index, Value{Type: i.Type, Lanes: i.Const})
	}
	p.want(")")
	if base.Global == "" {
		fail("the address of no variable")
	}
	off, ok := offset(t, index)
	if !ok {
		fail("the index of an address")
	}
	base.Offset += off.Int64()
	return base
}

func characters(s string) (bytes []byte) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				bytes = append(bytes, byte(n))
				i += 2
				continue
			}
		}
		bytes = append(bytes, s[i])
	}
	return bytes
}

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
	g.Align = p.rest()
	return g
}

// rest reads what follows the last operand: an alignment, and metadata.
func (p *parser) rest() (align int) {
	for p.take(",") {
		if p.take("align") {
			align, _ = strconv.Atoi(p.next())
			continue
		}
		return align // metadata and sections
	}
	return align
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
		case w == "zeroext" || w == "signext":
			f.Attr = w
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
		param := Param{Type: p.typ(), Attr: p.attributes()}
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

var flagWords = []string{"nuw", "nsw", "exact", "disjoint", "nneg", "samesign"}

func (p *parser) instr() *Instr {
	i := &Instr{Type: voidType}
	if len(p.words) > 1 && p.words[1] == "=" {
		i.Name = p.sign('%')
		p.next()
	}
	i.Op = p.next()
	for i.Op == "tail" || i.Op == "musttail" || i.Op == "notail" {
		i.Op = p.next()
	}
	for slices.Contains(flagWords, p.peek()) {
		i.Flags = append(i.Flags, p.next())
	}
	operands := func() {
		i.Args = append(i.Args, p.typed())
		for p.take(",") {
			if strings.HasPrefix(p.peek(), "!") {
				break
			}
			i.Args = append(i.Args, p.typed())
		}
	}
	switch i.Op {
	case "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor":
		a := p.typed()
		p.want(",")
		i.Type, i.Args = a.Type, []Operand{a, p.operand(a.Type)}
	case "icmp":
		i.Pred = p.next()
		a := p.typed()
		p.want(",")
		i.Args = []Operand{a, p.operand(a.Type)}
		i.Type = IntType(1)
		if a.Type.Kind == Vector {
			i.Type = &Type{Kind: Vector, N: a.Type.N, Elem: IntType(1)}
		}
	case "zext", "sext", "trunc", "bitcast":
		i.Args = []Operand{p.typed()}
		p.want("to")
		i.Type = p.typ()
	case "freeze":
		i.Args = []Operand{p.typed()}
		i.Type = i.Args[0].Type
	case "select":
		operands()
		i.Type = i.Args[1].Type
	case "phi":
		i.Type = p.typ()
		for p.take("[") {
			i.Args = append(i.Args, p.operand(i.Type))
			p.want(",")
			i.Labels = append(i.Labels, p.sign('%'))
			p.want("]")
			p.take(",")
		}
	case "br":
		if p.peek() != "label" {
			i.Args = []Operand{p.typed()}
			p.want(",")
		}
		for p.take("label") {
			i.Labels = append(i.Labels, p.sign('%'))
			p.take(",")
		}
	case "switch":
		i.Args = []Operand{p.typed()}
		p.want(",")
		p.want("label")
		i.Labels = []string{p.sign('%')}
		p.want("[")
		for !p.take("]") {
			i.Args = append(i.Args, p.typed())
			p.want(",")
			p.want("label")
			i.Labels = append(i.Labels, p.sign('%'))
		}
	case "ret":
		if p.peek() != "void" {
			i.Args = []Operand{p.typed()}
		}
	case "unreachable":
	case "alloca":
		i.Type, i.Elem = ptrType, p.typ()
		if len(p.words) > 1 && p.words[0] == "," && p.words[1] != "align" && p.words[1][0] != '!' {
			fail("the size of an alloca")
		}
		i.Align = p.rest()
	case "load":
		i.memory(p)
		i.Type = p.typ()
		p.want(",")
		i.Args = []Operand{p.typed()}
		i.Align = p.rest()
	case "store":
		i.memory(p)
		v := p.typed()
		p.want(",")
		i.Args = []Operand{v, p.typed()}
		i.Align = p.rest()
	case "getelementptr":
		p.attributes()
		i.Type, i.Elem = ptrType, p.typ()
		p.want(",")
		operands()
	case "extractelement":
		operands()
		i.Type = i.Args[0].Type.Elem
	case "insertelement":
		operands()
		i.Type = i.Args[0].Type
	case "shufflevector":
		operands()
		if len(i.Args) != 3 || i.Args[2].Local != "" {
			fail("the mask of a shuffle")
		}
		for _, l := range i.Args[2].Const {
			n := -1
			if !l.Poison {
				n = int(l.N.Int64())
			}
			i.Index = append(i.Index, n)
		}
		i.Args = i.Args[:2]
		i.Type = &Type{Kind: Vector, N: len(i.Index), Elem: i.Args[0].Type.Elem}
	case "extractvalue", "insertvalue":
		i.Args = []Operand{p.typed()}
		if i.Op == "insertvalue" {
			p.want(",")
			i.Args = append(i.Args, p.typed())
		}
		i.Type = i.Args[0].Type
		for p.take(",") {
			n, err := strconv.Atoi(p.peek())
			if err != nil {
				break
			}
			p.next()
			i.Index = append(i.Index, n)
			if i.Op == "extractvalue" {
				if i.Type.Kind == Array {
					i.Type = i.Type.Elem
				} else {
					i.Type = i.Type.Fields[n]
				}
			}
		}
	case "call":
		p.call(i)
	default:
		fail("instruction %s", i.Op)
	}
	return i
}

// memory reads the words of a load or a store.
func (i *Instr) memory(p *parser) {
	if p.peek() == "atomic" {
		fail("an atomic access")
	}
	i.Volatile = p.take("volatile")
}

// call reads a call behind its word.
func (p *parser) call(i *Instr) {
	convention := ""
	if slices.Contains(conventions, p.peek()) {
		convention = p.next()
	}
	i.Attrs = []string{convention, p.attributes()}
	i.Type = p.typ()
	if p.peek() == "(" { // the type of the function
		p.skipBrackets()
		i.Elem = i.Type
	}
	i.Callee = p.sign('@')
	p.want("(")
	for !p.take(")") {
		if p.peek() == "metadata" {
			fail("metadata")
		}
		t := p.typ()
		i.Attrs = append(i.Attrs, p.attributes())
		i.Args = append(i.Args, p.operand(t))
		p.take(",")
	}
	if p.peek() == "[" {
		p.words = nil // operand bundles are promises
	}
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
