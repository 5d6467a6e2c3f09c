package csource

import "fmt"

// Slice returns edits that reduce a program to some functions with all that they use,
// directly or not: functions they call, tables, types. The rest compiles as one file;
// it has a main only if that is used or asked for.
func Slice(p *Program, functions ...string) ([]Edit, error) {
	words, declared := p.mentions()
	by := map[string][]int{}
	for k, names := range declared {
		for _, name := range names {
			by[name] = append(by[name], k)
		}
	}
	var todo []int
	for _, name := range functions {
		if p.function(name) < 0 {
			return nil, fmt.Errorf("%s defines no function %s", p.Name, name)
		}
		todo = append(todo, by[name]...)
	}
	kept := make([]bool, len(words))
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if kept[k] {
			continue
		}
		kept[k] = true
		for name := range words[k] {
			todo = append(todo, by[name]...)
		}
	}
	var edits []Edit
	for k, e := range p.external {
		if !kept[k] {
			edits = append(edits, Edit{From: e.from, To: e.to, Why: "slice"})
		}
	}
	return edits, nil
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
