package c

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// TestEdges reads the graph back from the C: in every style it is that of the
// function, and there is one condition for each If.
func TestEdges(t *testing.T) {
	s := choice.New([]byte("edges"))
	words := map[string]int{}
	for i := range 300 {
		f := randomFunction(s, "f", s.Range(2, 30))
		require.NoError(t, ir.Check(f))
		want, conds := map[string][]string{}, 0
		for _, b := range f.Blocks {
			var to []string
			for _, succ := range b.Succs() {
				to = append(to, succ.Name)
			}
			if _, ok := b.Term.(*ir.If); ok {
				conds++
			}
			slices.Sort(to)
			want[b.Name] = to
		}
		for range 5 {
			style := DrawStyle(s)
			text := Emit([]Unit{{Claim: &ir.Claim{Func: f, Args: []int64{1}}, Style: style}})
			got := parseC(t, text)
			require.Equal(t, want, got.edges(), "function %d, %s:\n%s\n%s", i, style, f, text)
			require.Equal(t, conds, got.conds, "function %d, %s:\n%s\n%s", i, style, f, text)
			for word, n := range got.words {
				words[word] += n
			}
		}
	}
	for _, word := range []string{"if", "else", "for", "for step", "while", "do", "switch", "case", "default", "break", "continue", "goto", "computed"} {
		require.Greater(t, words[word], 20, word)
	}
}

// A graphC is the graph of a function in C, statement by statement.
type graphC struct {
	t        *testing.T
	tokens   []string
	succs    [][]int // by node
	label    map[int]string
	labels   map[string]int
	gotos    map[int][]string // node to targets
	table    []string         // the last table of labels
	switches []*switchC
	conds    int
	words    map[string]int
}

var token = regexp.MustCompile(`\w+|[^\w\s]`)

// parseC reads the function f of text.
func parseC(t *testing.T, text string) *graphC {
	_, text, ok := strings.Cut(text, "/* f(")
	require.True(t, ok)
	text = text[strings.Index(text, "{"):]
	g := &graphC{t: t, tokens: token.FindAllString(text, -1),
		label: map[int]string{}, labels: map[string]int{}, gotos: map[int][]string{}, words: map[string]int{}}
	end := g.node() // control does not get here
	require.Equal(t, 0, end)
	start := g.node()
	last := g.stmt(start, -1, -1)
	for n, list := range g.gotos {
		for _, l := range list {
			to, ok := g.labels[l]
			require.True(t, ok, "goto %s", l)
			g.edge(n, to)
		}
	}
	for _, to := range g.succs {
		require.NotContains(t, to, -1)
	}
	// The end of the function may only be reached by text that control does not reach.
	reached := g.reach(start)
	require.False(t, reached[last], "control reaches the end of\n%s", text)
	return g
}

func (g *graphC) node(succs ...int) int {
	g.succs = append(g.succs, succs)
	return len(g.succs) - 1
}

func (g *graphC) edge(from, to int) { g.succs[from] = append(g.succs[from], to) }

func (g *graphC) peek() string { return g.tokens[0] }

func (g *graphC) next() string {
	tok := g.tokens[0]
	g.tokens = g.tokens[1:]
	return tok
}

func (g *graphC) expect(toks ...string) {
	for _, tok := range toks {
		require.Equal(g.t, tok, g.next())
	}
}

func (g *graphC) parens() {
	g.expect("(")
	for depth := 1; depth > 0; {
		switch g.next() {
		case "(":
			depth++
		case ")":
			depth--
		}
	}
}

// stmt reads a statement that control enters at node in, and returns the node
// where it leaves it. What break and continue lead to are nodes as well.
func (g *graphC) stmt(in, brk, cont int) int {
	word := g.next()
	switch word {
	case "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "goto":
		g.words[word]++
	}
	switch word {
	case "{":
		for g.peek() != "}" {
			in = g.stmt(in, brk, cont)
		}
		g.next()
		return in
	case "if":
		g.conds++
		g.parens()
		out, yes := g.node(), g.node()
		g.edge(in, yes)
		g.edge(g.stmt(yes, brk, cont), out)
		if g.peek() != "else" {
			g.edge(in, out)
			return out
		}
		g.next()
		g.words["else"]++
		no := g.node()
		g.edge(in, no)
		g.edge(g.stmt(no, brk, cont), out)
		return out
	case "for":
		return g.loop(in)
	case "switch":
		g.parens()
		out := g.node()
		inside := &switchC{head: in, out: out}
		g.switches = append(g.switches, inside)
		g.edge(g.stmt(g.node(), out, cont), out)
		g.switches = g.switches[:len(g.switches)-1]
		if !inside.fallback {
			g.edge(in, out)
		}
		return out
	case "case", "default":
		for g.next() != ":" {
		}
		inside := g.switches[len(g.switches)-1]
		inside.fallback = inside.fallback || word == "default"
		n := g.node()
		g.edge(in, n)
		g.edge(inside.head, n)
		return n
	case "static":
		g.table = nil
		for tok := g.next(); tok != ";"; tok = g.next() {
			if tok == "&" {
				g.expect("&")
				g.table = append(g.table, g.next())
			}
		}
		return in
	case "while":
		g.conds++
		g.parens()
		top := in // the label before a while is that of its condition
		if _, ok := g.label[in]; !ok {
			top = g.node()
			g.edge(in, top)
		}
		body, out := g.node(), g.node()
		g.edge(top, body)
		g.edge(top, out)
		g.edge(g.stmt(body, out, top), top)
		return out
	case "do":
		top, cond, out := g.node(), g.node(), g.node()
		g.edge(in, top)
		g.edge(g.stmt(top, out, cond), cond)
		g.expect("while")
		g.conds++
		g.parens()
		g.expect(";")
		g.edge(cond, top)
		g.edge(cond, out)
		return out
	case "break":
		g.expect(";")
		g.edge(in, brk)
		return g.node()
	case "continue":
		g.expect(";")
		g.edge(in, cont)
		return g.node()
	case "goto":
		if g.peek() == "*" {
			g.words["computed"]++
			for g.next() != ";" {
			}
			g.gotos[in] = g.table
			return g.node()
		}
		g.gotos[in] = []string{g.next()}
		g.expect(";")
		return g.node()
	case "return":
		for g.next() != ";" {
		}
		return g.node()
	case ";":
		return in
	}
	if g.peek() == ":" {
		g.next()
		n := g.node()
		g.edge(in, n)
		require.NotContains(g.t, g.labels, word)
		g.label[n], g.labels[word] = word, n
		return n
	}
	for before := ""; g.peek() != ";"; before = g.next() {
		require.NotEqual(g.t, "?", g.peek(), "hidden branch")
		if g.peek() == "&" || g.peek() == "|" {
			require.NotEqual(g.t, before, g.peek(), "hidden branch")
		}
	}
	g.next()
	out := g.node()
	g.edge(in, out)
	return out
}

// loop reads a for loop after its keyword: "(;;)", or with a condition and a
// step. Continue then leads to the step, which is in the block whose label is
// the last in the body.
func (g *graphC) loop(in int) int {
	g.expect("(", ";")
	top, out := in, g.node() // the label before a condition is its own
	if g.peek() == ";" {
		g.expect(";", ")")
		top = g.node()
		g.edge(in, top)
		g.edge(g.stmt(top, out, top), top)
		return out
	}
	g.conds++
	g.words["for step"]++
	for g.next() != ";" {
	}
	for depth := 1; depth > 0; {
		switch g.next() {
		case "(":
			depth++
		case ")":
			depth--
		}
	}
	if _, ok := g.label[in]; !ok {
		top = g.node()
		g.edge(in, top)
	}
	body, step := g.node(), g.node()
	g.edge(top, body)
	g.edge(top, out)
	end := g.stmt(body, out, step)
	_, ok := g.label[end]
	require.True(g.t, ok, "the step of a for loop has no label")
	g.edge(step, end)
	g.edge(end, top)
	return out
}

// A switchC is a switch that is being read.
type switchC struct {
	head, out int
	fallback  bool // it has a default
}

func (g *graphC) reach(from int) map[int]bool {
	seen := map[int]bool{}
	work := []int{from}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[n] {
			seen[n] = true
			work = append(work, g.succs[n]...)
		}
	}
	return seen
}

// edges returns the labels that control gets to from each label without
// passing another.
func (g *graphC) edges() map[string][]string {
	out := map[string][]string{}
	for n, name := range g.label {
		to := map[string]bool{}
		seen := map[int]bool{}
		work := slices.Clone(g.succs[n])
		for len(work) > 0 {
			m := work[len(work)-1]
			work = work[:len(work)-1]
			if seen[m] {
				continue
			}
			seen[m] = true
			if l, ok := g.label[m]; ok {
				to[l] = true
			} else {
				work = append(work, g.succs[m]...)
			}
		}
		out[name] = slices.Sorted(maps.Keys(to)) // nil if there are none
	}
	return out
}

// TestEdgesGCC counts the conditions that gcc sees in the control-flow graph
// that it builds, which is a second opinion on TestEdges.
func TestEdgesGCC(t *testing.T) {
	need.Long(t)
	compiler := need.Command(t, "gcc", "gcc-12", "gcc-11", "gcc")
	s := choice.New([]byte("gcc"))
	var units []Unit
	want := map[string]int{}
	skip := map[string]bool{crcFunc: true, crcArrayFunc: true, "main": true}
	for i := range 40 {
		f := randomFunction(s, "f"+strconv.Itoa(i), s.Range(2, 30))
		graph := f.Graph()
		for _, b := range reachable(f) {
			switch b.Term.(type) {
			case *ir.If:
				want[f.Name]++
			case *ir.Switch:
				// A switch between two blocks may be a condition to gcc.
				to := slices.Compact(slices.Sorted(slices.Values(graph[b.Index])))
				skip[f.Name] = skip[f.Name] || len(to) < 3
			}
		}
		style := DrawStyle(s)
		style.ComputedGoto = false // it has a condition of its own
		units = append(units, Unit{Claim: &ir.Claim{Func: f, Args: []int64{1}}, Style: style})
	}
	got := map[string]int{}
	var name string
	for _, line := range strings.Split(dumpCFG(t, compiler, Emit(units)), "\n") {
		if rest, ok := strings.CutPrefix(line, ";; Function "); ok {
			name, _, _ = strings.Cut(rest, " ")
		}
		if strings.HasPrefix(line, "  if (") && !skip[name] {
			got[name]++
		}
	}
	maps.DeleteFunc(want, func(name string, _ int) bool { return skip[name] })
	require.Greater(t, len(want), 20)
	require.Equal(t, want, got)
}

func reachable(f *ir.Function) []*ir.Block {
	seen := map[*ir.Block]bool{f.Blocks[0]: true}
	work := []*ir.Block{f.Blocks[0]}
	for i := 0; i < len(work); i++ {
		for _, s := range work[i].Succs() {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return work
}
