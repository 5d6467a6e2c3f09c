package report

import (
	"fmt"
	"slices"
	"strings"

	"goreify/corpus"
	"goreify/reify/cfg"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// A drawing is the graph of a case, and the path that the case takes.
type drawing struct {
	graph    *cfg.Graph
	names    []string // of the blocks
	path     []int
	Function string
}

// newDrawing returns the graph of the case with that index of a program in the text
// form of package ir. If its function only makes calls, it is the graph of the largest
// callee, with the path of the first call.
func newDrawing(program string, index int) (*drawing, error) {
	p, err := readProgram(program)
	if err != nil {
		return nil, err
	}
	if index >= len(p.Claims) {
		return nil, fmt.Errorf("it holds %d cases", len(p.Claims))
	}
	kase := p.Claims[index]
	// Not cfg.New: a reproducer may have blocks that it would reject, such as
	// unreachable ones.
	f, path := kase.Func, kase.Path
	if !slices.ContainsFunc(f.Blocks, func(b *ir.Block) bool { return len(b.Succs()) > 1 }) {
		_, _ = interp.RunProgram(&ir.Program{Funcs: p.Funcs, Claims: []*ir.Claim{kase}}, interp.Options{Leave: func(c interp.Call) {
			if len(c.Func.Blocks) > len(f.Blocks) {
				f, path = c.Func, slices.Clone(c.Path)
			}
		}}) // as far as it goes
	}
	d := &drawing{graph: &cfg.Graph{Succs: f.Graph()}, path: path, Function: f.Name}
	for _, b := range f.Blocks {
		d.names = append(d.names, b.Name)
	}
	return d, nil
}

// readProgram reads a program in the text form of package ir, and checks it: a text
// that only parses may be invalid.
func readProgram(text string) (*ir.Program, error) {
	p, err := ir.Parse(text)
	if err == nil {
		err = p.Check()
	}
	return p, err
}

// DOT returns the graph of the first case of a program in the text form of
// package ir, in Graphviz's language, with the path highlighted.
func DOT(program string) (string, error) {
	d, err := newDrawing(program, 0)
	if err != nil {
		return "", err
	}
	return d.dot(), nil
}

func (d *drawing) dot() string { return d.graph.DOT(d.names, d.path) }

// loops tells whether the path visits a block twice.
func (d *drawing) loops() bool {
	return len(slices.Compact(slices.Sorted(slices.Values(d.path)))) < len(d.path)
}

// longRoute is the number of blocks that Route writes.
const longRoute = 60

// Route returns the path as text, cut after longRoute blocks. A block that the
// path visits several times in a row stands there once.
func (d *drawing) Route() string {
	var names []string
	for i := 0; i < len(d.path); {
		if len(names) == longRoute {
			return fmt.Sprintf("%s → … (%d more)", strings.Join(names, " → "), len(d.path)-i)
		}
		n := 1
		for i+n < len(d.path) && d.path[i+n] == d.path[i] {
			n++
		}
		name := d.names[d.path[i]]
		if n > 1 {
			name += fmt.Sprintf(" ×%d", n)
		}
		names = append(names, name)
		i += n
	}
	return strings.Join(names, " → ")
}

// Text returns the graph as text, a line for each block: how often the path
// visits it, and its successors, with how often the path takes the edge.
func (d *drawing) Text() string {
	visits := make([]int, len(d.names))
	taken := map[[2]int]int{}
	for i, b := range d.path {
		visits[b]++
		if i > 0 {
			taken[[2]int{d.path[i-1], b}]++
		}
	}
	width := 0
	for _, n := range d.names {
		width = max(width, len(n))
	}
	var text strings.Builder
	for b, name := range d.names {
		var succs []string
		seen := map[int]bool{}
		for _, t := range d.graph.Succs[b] {
			if seen[t] {
				continue
			}
			seen[t] = true
			s := d.names[t]
			if n := taken[[2]int{b, t}]; n > 0 {
				s += fmt.Sprintf(" (taken %s)", times(n))
			}
			succs = append(succs, s)
		}
		visited := "never executed"
		if visits[b] > 0 {
			visited = times(visits[b])
		}
		line := fmt.Sprintf("%-*s  %-14s", width, name, visited)
		if len(succs) > 0 {
			line += "  → " + strings.Join(succs, ", ")
		}
		text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return text.String()
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// wrongCase returns the index of the first case whose answer is wrong, or 0 if
// the entry does not tell. Answers are listed in the order of the cases.
func wrongCase(e *corpus.Entry) int {
	want, got := strings.Split(e.Expected, ", "), strings.Split(e.Got, ", ")
	if len(want) != len(got) {
		return 0
	}
	for i, w := range want {
		if got[i] != w {
			return i
		}
	}
	return 0
}
