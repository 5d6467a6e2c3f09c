package csource

import (
	"fmt"
	"sync"
)

// Rename returns edits that put prefix before all names of the file that the program
// defines, tags and types included, so that several programs fit one translation unit.
// Its main becomes the function prefix + "main", which returns 0 at its end. Names that
// the headers of the C library declare stay. An error is about names within assembly,
// which only a compiler could resolve.
func Rename(p *Program, prefix string) ([]Edit, error) {
	marks := Link(p).marks
	var edits []Edit
	for i, t := range p.tokens {
		switch w := p.text(i); {
		case t.class != word:
		case w == "asm" || w == "__asm__" || w == "__asm" || w == "alias" || w == "__alias__":
			return nil, fmt.Errorf("%s:%d: %s may name what is renamed", p.Name, p.Line(t.from), w)
		case marks[i] != named || libraryTypes()[w] && (p.isTag(i) || p.File.index[w].Kind == TypeName):
		default:
			edits = append(edits, Edit{From: t.from, To: t.from, Text: prefix, Why: "rename"})
		}
	}
	if i := p.function("main"); i >= 0 && p.Functions[i].Result == "int" {
		end := p.Functions[i].To - 1
		edits = append(edits, Edit{From: end, To: end, Text: " return 0; ", Why: "rename"})
	}
	return edits, nil
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
			braces, depths, depth = append(braces, p.isRecord(i)), append(depths, depth), 0
		case text == "}" && len(braces) > 0:
			depth = depths[len(depths)-1]
			braces, depths = braces[:len(braces)-1], depths[:len(depths)-1]
		case text == "[":
			depth++
		case text == "]":
			depth--
		case isAttribute(text):
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
		if len(braces) > 0 && braces[len(braces)-1] && depth == 0 && before != ":" && !isTagged(before) {
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

// isRecord says whether the brace at token i opens the members of a struct or a union.
func (p *Program) isRecord(i int) bool {
	i--
	if i >= 0 && p.tokens[i].class == word && !keywords[p.text(i)] {
		i-- // its tag
	}
	w := p.text(p.beforeAttributes(i))
	return w == "struct" || w == "union"
}

// isTag tells whether a word is a tag: it stands after struct, union or enum, and perhaps
// attributes.
func (p *Program) isTag(i int) bool { return isTagged(p.text(p.beforeAttributes(i - 1))) }

// isTagged tells whether a word stands before a tag.
func isTagged(w string) bool { return w == "struct" || w == "union" || w == "enum" }

// isAttribute tells whether a word stands before an attribute in parentheses.
func isAttribute(w string) bool { return w == "__attribute__" || w == "__attribute" }

// beforeAttributes returns the index of the last token up to i that is in no attribute.
func (p *Program) beforeAttributes(i int) int {
	for p.text(i) == ")" {
		open := i
		for depth := 0; open >= 0; open-- {
			if w := p.text(open); w == ")" {
				depth++
			} else if w == "(" {
				depth--
			}
			if depth == 0 {
				break
			}
		}
		if !isAttribute(p.text(open - 1)) {
			break
		}
		i = open - 2
	}
	return i
}

// tags returns the tags of the file.
func (p *Program) tags() map[string]bool {
	m := map[string]bool{}
	for i := range p.tokens {
		if !isTagged(p.text(i)) {
			continue
		}
		j := i + 1
		for isAttribute(p.text(j)) {
			j = p.closing(j+1) + 1
		}
		if j < len(p.tokens) && p.tokens[j].class == word {
			m[p.text(j)] = true
		}
	}
	return m
}

// libraryTypes are the types and tags of our headers.
var libraryTypes = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, d := range inHeaders(`(?m)^typedef (?:struct (\w+) )?.*?(\w+);$`) {
		m[d[1]], m[d[2]] = true, true
	}
	delete(m, "") // of a type without a tag
	return m
})
