package csource

import (
	"reflect"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// A Part is an external declaration or definition of a program.
type Part struct {
	From, To int
	Function int // the number of the function that it defines, -1 if it defines none
	Syntax   *cc.ExternalDeclaration

	uses    []string // keys of its uses
	outside []string // functions that it calls and that are not declared
	objects []string // that it declares
}

// A Linkage has the parts of a program, and the uses of each.
type Linkage struct {
	Program *Program
	Parts   []Part // in the order of the text

	marks []mark           // of the program's tokens
	by    map[string][]int // parts that declare what has a key: a name, or "#" and a tag
}

// A mark says what a token stands for.
type mark byte

const (
	plain  mark = iota
	named       // a name of the file, or a tag
	absent      // a name of the file without a definition
)

// Link finds out which parts of a program use which. Names are looked up in their
// scopes; parameters of prototypes are not mistaken for other meanings of their names.
func Link(p *Program) *Linkage {
	l := &Linkage{Program: p, marks: make([]mark, len(p.tokens)), by: map[string][]int{}}
	function := 0
	for k, e := range p.external {
		part := Part{From: e.from, To: e.to, Function: -1, Syntax: e.syntax}
		if e.function {
			part.Function = function
			function++
		}
		for _, name := range e.names {
			l.by[name] = append(l.by[name], k)
		}
		part.objects = e.names
		l.Parts = append(l.Parts, part)
	}
	tags := p.tags()
	k := 0
	p.words(func(i int, s *Scope, fn int) {
		t := p.tokens[i]
		for k < len(l.Parts)-1 && t.from >= l.Parts[k].To {
			k++
		}
		part := &l.Parts[k]
		if t.from < part.From || t.from >= part.To {
			return
		}
		name := p.text(i)
		if p.isTag(i) {
			if tags[name] && (fn < 0 || !p.Functions[fn].tags[name]) {
				l.marks[i] = named
				part.uses = append(part.uses, "#"+name)
				if p.text(i+1) == "{" {
					l.by["#"+name] = append(l.by["#"+name], k)
				}
			}
			return
		}
		n := s.Lookup(name, t.to)
		if n != nil && s != p.File && n != p.File.index[name] && (n.Kind == Callable || n.extern) && p.File.index[name] != nil {
			n = p.File.index[name] // declared again in a block
		}
		switch {
		case n == nil:
			if p.text(i+1) == "(" && fn >= 0 {
				part.outside = append(part.outside, name)
			}
			return
		case n != p.File.index[name]:
			if n.extern || n.Kind == Callable { // declared in a block, and not in the file
				l.marks[i] = absent
				part.outside = append(part.outside, name)
			}
			return
		case part.Function < 0 && n.Kind == Callable && !slices.Contains(part.objects, name) && p.text(i+1) != "," && p.text(i+1) != "}":
			return // a parameter of a prototype
		}
		if n.Kind == Constant && n.At == t.to {
			l.by[name] = append(l.by[name], k)
		}
		l.marks[i] = named
		if n.Kind != TypeName && n.Kind != Constant && !n.Defined {
			l.marks[i] = absent
		}
		part.uses = append(part.uses, name)
	})
	l.attributes()
	for i := range l.Parts {
		part := &l.Parts[i]
		slices.Sort(part.uses)
		part.uses = slices.Compact(part.uses)
	}
	return l
}

// isTag tells whether a word is a tag: it stands after struct, union or enum, and perhaps
// attributes.
func (p *Program) isTag(i int) bool {
	j := i - 1
	for p.text(j) == ")" {
		for depth := 0; j >= 0; j-- {
			if w := p.text(j); w == ")" {
				depth++
			} else if w == "(" {
				depth--
			}
			if depth == 0 {
				break
			}
		}
		if w := p.text(j - 1); w != "__attribute__" && w != "__attribute" {
			return false
		}
		j -= 2
	}
	w := p.text(j)
	return w == "struct" || w == "union" || w == "enum"
}

// attributes finds types and constants in attributes, such as aligned.
func (l *Linkage) attributes() {
	p := l.Program
	k := 0
	for i := 0; i < len(p.tokens); i++ {
		if w := p.text(i); w != "__attribute__" && w != "__attribute" {
			continue
		}
		for end := p.closing(i + 1); i < end; i++ {
			n := p.File.index[p.text(i)]
			if n == nil || n.Kind != TypeName && n.Kind != Constant || p.text(i-1) == "(" && p.text(i-2) == "(" {
				continue
			}
			for k < len(l.Parts)-1 && p.tokens[i].from >= l.Parts[k].To {
				k++
			}
			l.marks[i] = named
			l.Parts[k].uses = append(l.Parts[k].uses, n.Name)
		}
	}
}

// Closure returns the numbers of the parts that a function needs, its own among them,
// in their order. It also returns the names of the functions and objects that it needs
// and the program does not define, sorted. Parts that only declare those are left out.
func (l *Linkage) Closure(function string) (parts []int, outside []string) {
	p := l.Program
	seen := make([]bool, len(l.Parts))
	todo := slices.Clone(l.by[function])
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[k] {
			continue
		}
		seen[k] = true
		outside = append(outside, l.Parts[k].outside...)
		for _, key := range l.Parts[k].uses {
			if n := p.File.index[key]; n != nil && (n.Kind == Object || n.Kind == Callable) && !n.Defined {
				outside = append(outside, key)
				continue
			}
			todo = append(todo, l.by[key]...)
		}
	}
	for k, s := range seen {
		if s {
			parts = append(parts, k)
		}
	}
	slices.Sort(outside)
	return parts, slices.Compact(outside)
}

// Tokens returns the words, numbers and punctuators of a part.
func (l *Linkage) Tokens(part int) []string {
	var list []string
	p := l.Program
	for i := p.token(l.Parts[part].From); i < len(p.tokens) && p.tokens[i].from < l.Parts[part].To; i++ {
		list = append(list, p.text(i))
	}
	return list
}

// Text returns parts as a text of its own, in which all names of the file have a prefix
// and all functions and objects are static. Functions and objects that the program does
// not define get the names that rename returns.
func (l *Linkage) Text(parts []int, prefix string, rename func(name string) string) []byte {
	var b strings.Builder
	p := l.Program
	for _, k := range parts {
		part := &l.Parts[k]
		first := p.token(part.From)
		internal := len(part.objects) > 0 // it declares functions or objects
		for i := first; i < len(p.tokens) && p.tokens[i].from < part.To; i++ {
			internal = internal && p.text(i) != "typedef"
			if w := p.text(i); w == "{" || w == "=" || w == "(" {
				break
			}
		}
		if internal {
			b.WriteString("static ")
		}
		at := part.From
		head := internal // no bracket and no brace was opened yet
		for i := first; i < len(p.tokens) && p.tokens[i].from < part.To; i++ {
			t := p.tokens[i]
			b.Write(p.Text[at:t.from])
			at = t.to
			w := p.text(i)
			switch {
			case head && (w == "static" || w == "extern" || w == "__extension__"):
				if i+1 < len(p.tokens) {
					at = p.tokens[i+1].from
				}
				continue
			case w == "(" || w == "{" || w == "=":
				head = false
			}
			switch l.marks[i] {
			case named:
				b.WriteString(prefix + w)
			case absent:
				b.WriteString(rename(w))
			default:
				if t.class == word && p.text(i+1) == "(" && slices.Contains(part.outside, w) {
					w = rename(w)
				}
				b.WriteString(w)
			}
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// Visit calls f for a node of the syntax and all nodes below it, except those below a
// node for which f returns false.
func Visit(n cc.Node, f func(any) bool) { visit(reflect.ValueOf(n), f) }
