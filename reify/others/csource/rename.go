package csource

import (
	"fmt"
	"regexp"
	"sync"
)

// Rename returns edits that put prefix before all names of the file that the program
// defines, tags and types included, so that several programs fit one translation unit.
// Its main becomes the function prefix + "main", which returns 0 at its end. Names that
// the headers of the C library declare stay. An error is about names within assembly,
// which only a compiler could resolve.
func Rename(p *Program, prefix string) ([]Edit, error) {
	tags := p.tags()
	var edits []Edit
	p.words(func(i int, s *Scope, fn int) {
		t := p.tokens[i]
		name := p.text(i)
		renamed := false
		switch before := p.text(i - 1); before {
		case "struct", "union", "enum":
			renamed = tags[name] && (fn < 0 || !p.Functions[fn].tags[name]) && !libraryTypes()[name]
		default:
			n := s.Lookup(name, t.to)
			renamed = n != nil && p.renames(n)
			if n != nil && !renamed && s != p.File && n != p.File.index[name] && (n.Kind == Callable || n.extern) {
				n = p.File.index[name] // declared again in a block
				renamed = n != nil && p.renames(n)
			}
		}
		if renamed {
			edits = append(edits, Edit{From: t.from, To: t.from, Text: prefix, Why: "rename"})
		}
	})
	for i, t := range p.tokens {
		if w := p.text(i); t.class == word && (w == "asm" || w == "__asm__" || w == "__asm" || w == "alias" || w == "__alias__") {
			return nil, fmt.Errorf("%s:%d: %s may name what is renamed", p.Name, p.Line(t.from), w)
		}
	}
	if i := p.function("main"); i >= 0 && p.Functions[i].Result == "int" {
		end := p.Functions[i].To - 1
		edits = append(edits, Edit{From: end, To: end, Text: " return 0; ", Why: "rename"})
	}
	return edits, nil
}

// renames says whether a name is one of the file that belongs to the program.
func (p *Program) renames(n *Name) bool {
	if p.File.index[n.Name] != n {
		return false
	}
	switch n.Kind {
	case TypeName:
		return !libraryTypes()[n.Name]
	case Constant:
		return true
	}
	return n.Defined
}

// words calls f for each word that may be the name of something in a scope, or a tag; s
// is the innermost scope and fn the function it is in, -1 for none. Keywords, members,
// labels and words in attributes are left out.
func (p *Program) words(f func(i int, s *Scope, fn int)) {
	labels := map[int]bool{} // offsets
	for _, fn := range p.Functions {
		for _, l := range fn.labels {
			labels[p.Stmts[l.Stmt].From] = true
		}
	}
	stack := []*Scope{p.File}
	next, fn := 0, 0
	var braces []bool // for each open brace: is it of a struct
	depth := 0        // brackets within the innermost brace
	var depths []int
	for i := 0; i < len(p.tokens); i++ {
		t := p.tokens[i]
		for len(stack) > 1 && t.from >= stack[len(stack)-1].To {
			stack = stack[:len(stack)-1]
		}
		for next < len(p.scopes) && p.scopes[next].From <= t.from {
			stack = append(stack, p.scopes[next])
			next++
		}
		for fn < len(p.Functions) && t.from >= p.Functions[fn].To {
			fn++
		}
		text := p.text(i)
		switch {
		case text == "{":
			record := false
			for j := i - 1; j >= i-2 && j >= 0; j-- {
				w := p.text(j)
				record = record || w == "struct" || w == "union"
			}
			record = record || p.afterAttribute(i)
			braces, depths, depth = append(braces, record), append(depths, depth), 0
		case text == "}" && len(braces) > 0:
			depth = depths[len(depths)-1]
			braces, depths = braces[:len(braces)-1], depths[:len(depths)-1]
		case text == "[":
			depth++
		case text == "]":
			depth--
		case text == "__attribute__" || text == "__attribute":
			i = p.closing(i + 1)
			continue
		}
		if t.class != word || keywords[text] || labels[t.from] {
			continue
		}
		before := p.text(i - 1)
		if before == "." || before == "->" || before == "goto" {
			continue
		}
		s := stack[len(stack)-1]
		in := -1
		if fn < len(p.Functions) && t.from >= p.Functions[fn].From {
			in = fn
		}
		if before == "&&" && in >= 0 && (p.unary(i-1) || s.Lookup(text, t.to) == nil) {
			continue // the address of a label
		}
		if len(braces) > 0 && braces[len(braces)-1] && depth == 0 && before != ":" && before != "struct" && before != "union" && before != "enum" {
			if n := s.Lookup(text, t.to); n == nil || n.Kind != TypeName {
				continue // a member
			}
		}
		f(i, s, in)
	}
}

// unary says whether the token before the operator at token i is not an operand of it.
func (p *Program) unary(i int) bool {
	switch before := p.text(i - 1); {
	case i == 0, before == "return", before == "case":
		return true
	case before == ")", before == "]":
		return false
	}
	return p.tokens[i-1].class == punct
}

// afterAttribute says whether the brace at token i opens a struct with
// attributes before its tag.
func (p *Program) afterAttribute(i int) bool {
	j := i - 1
	if j >= 0 && p.tokens[j].class == word && !keywords[p.text(j)] {
		j-- // its tag
	}
	if p.text(j) != ")" {
		return false
	}
	for depth := 0; j >= 0; j-- {
		switch p.text(j) {
		case ")":
			depth++
		case "(":
			depth--
		}
		if depth == 0 {
			break
		}
	}
	before := p.text(j - 2)
	return (p.text(j-1) == "__attribute__" || p.text(j-1) == "__attribute") && (before == "struct" || before == "union")
}

// tags returns the tags of the file.
func (p *Program) tags() map[string]bool {
	m := map[string]bool{}
	for i := range p.tokens {
		switch p.text(i) {
		case "struct", "union", "enum":
			for j := i + 1; j < len(p.tokens); j++ {
				if w := p.text(j); w == "__attribute__" || w == "__attribute" {
					j = p.closing(j + 1)
					continue
				}
				if p.tokens[j].class == word {
					m[p.text(j)] = true
				}
				break
			}
		}
	}
	return m
}

// libraryTypes are the types and tags of our headers.
var libraryTypes = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	defined := regexp.MustCompile(`(?m)^typedef (?:struct (\w+) )?.*?(\w+);$`)
	entries, err := libc.ReadDir("libc")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		for _, d := range defined.FindAllStringSubmatch(header(e.Name()), -1) {
			m[d[2]] = true
			if d[1] != "" {
				m[d[1]] = true
			}
		}
	}
	return m
})
