package csource

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Reduce makes a variant of p smaller while holds is true of its text. It must be true
// of the text with all edits. First it undoes edits: the remaining ones matter, and
// none can be undone alone. Then it cuts the text: functions and globals, statements,
// expressions, declarations, names. A candidate is asked about once, and parsed before
// if it may not be C. Reduce ends when no candidate is left, or when ctx ends, which is
// no error: the smallest text so far is returned. One goroutine calls holds.
func Reduce(ctx context.Context, p *Program, edits []Edit, holds func(text []byte) bool) (text []byte, left []Edit) {
	r := &reducer{ctx: ctx, model: p.Model, name: p.Name, holds: holds, tried: map[uint64]bool{}}
	left = r.undo(p, edits)
	r.text = p.Apply(left)
	r.reduce()
	return r.text, left
}

// ReduceUnit is Reduce of a part of a program without edits, of which other parts call
// a function by its name: the function stays, and so do all names of the file.
func ReduceUnit(ctx context.Context, p *Program, function string, holds func(text []byte) bool) (text []byte) {
	r := &reducer{ctx: ctx, model: p.Model, name: p.Name, function: function, holds: holds, tried: map[uint64]bool{}, text: p.Text}
	r.reduce()
	return r.text
}

// reduce cuts the text until no candidate is left.
func (r *reducer) reduce() {
	for {
		before := len(r.text)
		for _, pass := range passes {
			if r.function == "" || !pass.whole {
				r.run(pass)
			}
		}
		if len(r.text) >= before || r.ctx.Err() != nil {
			return
		}
	}
}

// A reducer is the state of a reduction.
type reducer struct {
	ctx   context.Context
	model Model
	name  string
	holds func(text []byte) bool
	text  []byte          // the smallest that holds
	tried map[uint64]bool // hashes of texts

	function string // that other parts of the program call, if the text is a part; else ""
}

// parse parses a text.
func (r *reducer) parse(text []byte) (*Program, error) {
	if r.function == "" {
		return Parse(r.name, text, r.model)
	}
	p, err := ParseUnit(r.name, text, r.model)
	if err == nil {
		p.called = r.function
	}
	return p, err
}

// try says whether holds is true of a text that was not tried before. It parses the
// text first, unless the pass is safe.
func (r *reducer) try(text []byte, safe bool) bool {
	hash := xxhash.Sum64(text)
	if r.ctx.Err() != nil || r.tried[hash] {
		return false
	}
	r.tried[hash] = true
	if !safe {
		if _, err := r.parse(text); err != nil {
			return false
		}
	}
	return r.holds(text)
}

// undo returns the edits without which holds would be false: parts of the list are left
// out, halves first, single ones last.
func (r *reducer) undo(p *Program, edits []Edit) []Edit {
	left := slices.Clone(edits)
	for size := len(left); size > 0; size /= 2 {
		for again := true; again; {
			again = false
			for from := 0; from < len(left); {
				rest := slices.Delete(slices.Clone(left), from, min(from+size, len(left)))
				if r.try(p.Apply(rest), true) {
					left = rest
					again = size == 1
				} else {
					from += size
				}
			}
		}
	}
	return left
}

// A pass lists edits that make a program smaller, in groups: those of one group
// are tried together, then in halves, down to single ones.
type pass struct {
	list func(p *Program) [][]Edit
	// safe says that the results of the pass are C as a rule, so that they are not
	// parsed first, which takes as long as to compile them.
	safe bool
	// whole says that the pass is for whole programs: it renames names of the file, or
	// leaves a variable uninitialised, which no sanitizer reports if the value is
	// masked later.
	whole bool
}

// passes are in order: the pass that removes most comes first.
var passes = []pass{
	{unused, false, false},
	{removeStmts, true, false},
	{unused, false, false},
	{unwrap, true, false},
	{removeLocals, false, false},
	{constants, false, false},
	{removeStmts, true, false},
	{unused, false, false},
	{initials, false, true},
	{operands, false, false},
	{removeLocals, false, false},
	{shorten, false, true},
	{lines, true, false},
}

// run tries the edits of a pass on the text.
func (r *reducer) run(pass pass) {
	p, err := r.parse(r.text)
	if err != nil {
		return
	}
	var done []Edit
	inside := func(e Edit) bool {
		return slices.ContainsFunc(done, func(d Edit) bool { return d.From <= e.From && e.To <= d.To })
	}
	for _, group := range pass.list(p) {
		group = slices.DeleteFunc(group, inside)
		for size := len(group); size > 0 && r.ctx.Err() == nil; size /= 2 {
			for from := 0; from < len(group); {
				to := min(from+size, len(group))
				next := append(slices.Clone(done), group[from:to]...)
				if text := p.Apply(next); len(text) < len(r.text) && r.try(text, pass.safe) {
					done, r.text = next, text
					group = slices.Delete(group, from, to)
				} else {
					from = to
				}
			}
		}
	}
}

// unused lists declarations of the file whose names occur only in declarations that are
// unused, too.
func unused(p *Program) [][]Edit {
	words, declared := p.mentions()
	uses := map[string]int{}
	by := map[string][]int{} // by name: its declarations
	for k := range words {
		for name, n := range words[k] {
			uses[name] += n
		}
		for _, name := range declared[k] {
			by[name] = append(by[name], k)
		}
	}
	gone := make([]bool, len(words))
	used := func(name string) bool {
		n := uses[name]
		for _, k := range by[name] {
			if !gone[k] {
				n -= words[k][name]
			}
		}
		return n > 0 || name == "main" || name == p.called
	}
	for again := true; again; {
		again = false
		for k := range words {
			if gone[k] || slices.ContainsFunc(declared[k], used) {
				continue
			}
			gone[k], again = true, true
			for name, n := range words[k] {
				uses[name] -= n
			}
		}
	}
	var group []Edit
	for k, e := range p.external {
		if gone[k] {
			group = append(group, Edit{From: e.from, To: e.to})
		}
	}
	return [][]Edit{group}
}

// removeStmts lists statements, the outermost first, those in the same depth as
// one group.
func removeStmts(p *Program) [][]Edit {
	return p.levels(func(i int) []Edit {
		s := p.Stmts[i]
		switch {
		case s.From == s.To, s.Kind == Declaration:
			return nil
		case s.Item:
			return []Edit{{From: s.From, To: s.To}}
		case s.Kind == Empty:
			return nil
		}
		return []Edit{{From: s.From, To: s.To, Text: ";"}}
	})
}

// removeLocals lists declarations in blocks of names that their functions do not
// use, and parts of declarations, from a comma on, that declare such names.
func removeLocals(p *Program) [][]Edit {
	var group, parts []Edit
	for _, f := range p.Functions {
		uses := map[string]int{}
		for i := p.token(f.Body); i < len(p.tokens) && p.tokens[i].from < f.To; i++ {
			uses[p.text(i)]++
		}
		for _, s := range p.Stmts[f.First:f.Last] {
			if s.Kind != Declaration {
				continue
			}
			own, used := map[string]int{}, false
			for i := p.token(s.From); i < len(p.tokens) && p.tokens[i].from < s.To; i++ {
				own[p.text(i)]++
			}
			for _, n := range s.Scope.Names {
				used = used || own[n.Name] > 0 && s.From < n.At && n.At <= s.To && uses[n.Name] > own[n.Name]
			}
			if !used {
				group = append(group, Edit{From: s.From, To: s.To})
				continue
			}
			comma := -1
			for i := p.token(s.From); i < len(p.tokens) && p.tokens[i].from < s.To; i++ {
				switch p.text(i) {
				case "(", "[", "{":
					i = p.closing(i)
				case ",", ";":
					if comma >= 0 && !slices.ContainsFunc(s.Scope.Names, func(n *Name) bool {
						return p.tokens[comma].from < n.At && n.At <= p.tokens[i].from && uses[n.Name] > 1
					}) {
						parts = append(parts, Edit{From: p.tokens[comma].from, To: p.tokens[i].from})
					}
					comma = i
				}
			}
		}
	}
	return [][]Edit{group, parts}
}

// unwrap lists statements to be replaced by one of their substatements.
func unwrap(p *Program) [][]Edit {
	groups := p.levels(func(i int) []Edit {
		s := p.Stmts[i]
		var list []Edit
		switch s.Kind {
		case Compound:
			if s.Item {
				list = append(list, Edit{From: s.From, To: s.To, Text: string(p.Text[s.From+1 : s.To-1])})
			}
		case If, Switch, While, Do, For, Labelled, Case:
			for j := i + 1; j < s.Next; j = p.Stmts[j].Next {
				if part := p.Stmts[j]; part.Kind != Declaration && part.From < part.To {
					list = append(list, Edit{From: s.From, To: s.To, Text: string(p.Text[part.From:part.To])})
				}
			}
			// An if without its else.
			if j := i + 1; s.Kind == If && j < s.Next && p.Stmts[j].To < s.To {
				list = append(list, Edit{From: p.Stmts[j].To, To: s.To})
			}
		}
		return list
	})
	return groups
}

// levels returns the edits that f lists for statements, a group for each depth.
func (p *Program) levels(f func(i int) []Edit) [][]Edit {
	depth := make([]int, len(p.Stmts))
	var groups [][]Edit
	for i, s := range p.Stmts {
		if s.Parent >= 0 {
			depth[i] = depth[s.Parent] + 1
		}
		for len(groups) <= depth[i] {
			groups = append(groups, nil)
		}
		groups[depth[i]] = append(groups[depth[i]], f(i)...)
	}
	for _, g := range groups {
		slices.Reverse(g) // uses of a name come after its declaration
	}
	return groups
}

// initials lists initial values to leave out.
func initials(p *Program) [][]Edit {
	var group []Edit
	for i := 0; i < len(p.tokens); i++ {
		if p.text(i) != "=" || !p.declares(p.tokens[i].from) {
			continue
		}
		to := i + 1
		for to < len(p.tokens) && p.text(to) != "," && p.text(to) != ";" {
			switch p.text(to) {
			case "(", "[", "{":
				to = p.closing(to)
			}
			to++
		}
		if to < len(p.tokens) {
			group = append(group, Edit{From: p.tokens[i].from, To: p.tokens[to-1].to})
			if p.text(i+1) == "{" && to-i > 4 {
				group = append(group, Edit{From: p.tokens[i+1].from, To: p.tokens[to-1].to, Text: "{0}"})
			}
		}
	}
	return [][]Edit{group}
}

// declares says whether an offset is in a declaration.
func (p *Program) declares(at int) bool {
	for _, e := range p.external {
		if e.from <= at && at < e.to && !e.function {
			return true
		}
	}
	for _, s := range p.Stmts {
		if s.Kind == Declaration && s.From <= at && at < s.To {
			return true
		}
	}
	return false
}

// constants lists expressions to be replaced by 0, the largest first.
func constants(p *Program) [][]Edit {
	var groups [][]Edit
	for _, x := range p.expressions() {
		for len(groups) <= x.depth {
			groups = append(groups, nil)
		}
		if x.to-x.from > 1 {
			groups[x.depth] = append(groups[x.depth], Edit{From: x.from, To: x.to, Text: "0"})
		}
	}
	return groups
}

// operands lists expressions to be replaced by one of their operands.
func operands(p *Program) [][]Edit {
	var groups [][]Edit
	for _, x := range p.expressions() {
		for len(groups) <= x.depth {
			groups = append(groups, nil)
		}
		for _, o := range x.operands {
			text := string(p.Text[o.from:o.to])
			i := p.token(o.from)
			alone := i+1 >= len(p.tokens) || p.tokens[i].to == o.to
			if !alone && !(p.text(i) == "(" && p.tokens[p.closing(i)].to == o.to) {
				text = "(" + text + ")"
			}
			groups[x.depth] = append(groups[x.depth], Edit{From: x.from, To: x.to, Text: text})
		}
	}
	return groups
}

// shorten gives all identifiers of the program short names, at once.
func shorten(p *Program) [][]Edit {
	taken := map[string]bool{}
	for i := range p.tokens {
		taken[p.text(i)] = true
	}
	short := map[string]string{}
	n := 0
	var edits []Edit
	for i := 0; i < len(p.tokens); i++ {
		name := p.text(i)
		if name == "__attribute__" || name == "__attribute" {
			i = p.closing(i + 1)
			continue
		}
		_, known := slices.BinarySearch(library(), name)
		if p.tokens[i].class != word || keywords[name] || known || name == "main" || strings.HasPrefix(name, "__") || len(name) <= 2 {
			continue
		}
		if short[name] == "" {
			for short[name] == "" || taken[short[name]] {
				short[name] = letters(n)
				n++
			}
		}
		edits = append(edits, Edit{From: p.tokens[i].from, To: p.tokens[i].to, Text: short[name]})
	}
	// It is one edit: a name changes everywhere or nowhere.
	return [][]Edit{{{From: 0, To: len(p.Text), Text: string(apply(p.Text, edits))}}}
}

// letters returns the n-th name: a to z, then a0 to z0, a1 ...
func letters(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return fmt.Sprintf("%c%d", 'a'+n%26, n/26-1)
}

// lines lists empty lines, and space within lines, to remove.
func lines(p *Program) [][]Edit {
	var b strings.Builder
	for line := range strings.Lines(string(p.Text)) {
		if s := strings.TrimRight(line, " \t\n"); s != "" {
			b.WriteString(s + "\n")
		}
	}
	return [][]Edit{{{From: 0, To: len(p.Text), Text: b.String()}}}
}

// mentions returns for each external declaration the words in it with their counts, and
// the names, tags and enumerators that it declares.
func (p *Program) mentions() (words []map[string]int, declared [][]string) {
	for _, e := range p.external {
		count := map[string]int{}
		names := append([]string(nil), e.names...)
		for i := p.token(e.from); i < len(p.tokens) && p.tokens[i].from < e.to; i++ {
			name := p.text(i)
			if p.tokens[i].class != word || keywords[name] {
				continue
			}
			count[name]++
			n := p.File.index[name]
			before := p.text(i - 1)
			tag := (before == "struct" || before == "union" || before == "enum") && p.text(i+1) == "{"
			if tag || n != nil && n.Kind == Constant && n.At == p.tokens[i].to {
				names = append(names, name)
			}
		}
		words, declared = append(words, count), append(declared, names)
	}
	return words, declared
}
