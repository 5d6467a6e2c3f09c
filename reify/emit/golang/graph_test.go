package golang

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/link"
	"goreify/reify/solve/search"
)

// markName is the variable that each block stores its index to first.
const markName = "mark"

// mark adds those stores to a function.
func mark(f *ir.Function) {
	v := &ir.Var{Name: markName, Index: len(f.Vars), Kind: ir.Local, Type: ir.I32, Init: []ir.Expr{&ir.Const{T: ir.I32}}}
	f.Vars = append(f.Vars, v)
	for i, b := range f.Blocks {
		b.Stmts = slices.Insert(b.Stmts, 0, ir.Stmt(&ir.Assign{Dst: &ir.VarRef{Var: v}, Src: &ir.Const{T: ir.I32, V: int64(i)}}))
	}
}

// A point is a place in the text of a function; mark is the block that begins there, or
// -1.
type point struct {
	mark  int
	succs []*point
}

// A reader makes points of statements, the last one first.
type reader struct {
	labels, breaks, continues map[string]*point // by label
	seen                      map[int]int       // how often a block begins
}

// readGraph returns the edges between the marks of a function of Go: those of the
// blocks of the function that it was written from.
func readGraph(body *ast.BlockStmt, blocks int) (graph [][]int, seen map[int]int) {
	r := &reader{labels: map[string]*point{}, breaks: map[string]*point{}, continues: map[string]*point{}, seen: map[int]int{}}
	ast.Inspect(body, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok {
			r.labels[l.Label.Name] = &point{mark: -1}
		}
		return true
	})
	start := r.list(body.List, &point{mark: -1}, nil, nil)
	graph = make([][]int, blocks)
	var all []*point
	var collect func(p *point)
	known := map[*point]bool{}
	collect = func(p *point) {
		if !known[p] {
			known[p] = true
			all = append(all, p)
			for _, to := range p.succs {
				collect(to)
			}
		}
	}
	collect(start)
	for _, p := range r.labels {
		collect(p)
	}
	for _, from := range all {
		if from.mark < 0 {
			continue
		}
		graph[from.mark] = []int{}
		visited := map[*point]bool{}
		var visit func(p *point)
		visit = func(p *point) {
			if visited[p] {
				return
			}
			visited[p] = true
			if p.mark >= 0 {
				graph[from.mark] = append(graph[from.mark], p.mark)
				return
			}
			for _, to := range p.succs {
				visit(to)
			}
		}
		for _, to := range from.succs {
			visit(to)
		}
	}
	for i := range graph {
		graph[i] = distinct(graph[i])
	}
	return graph, r.seen
}

func distinct(list []int) []int {
	list = append([]int{}, list...)
	slices.Sort(list)
	return slices.Compact(list)
}

func (r *reader) list(stmts []ast.Stmt, next, brk, cont *point) *point {
	for _, s := range slices.Backward(stmts) {
		next = r.stmt(s, "", next, brk, cont)
	}
	return next
}

// stmt returns the point before a statement, of which next is behind.
func (r *reader) stmt(s ast.Stmt, label string, next, brk, cont *point) *point {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		p := r.labels[s.Label.Name]
		p.succs = []*point{r.stmt(s.Stmt, s.Label.Name, next, brk, cont)}
		return p
	case *ast.BlockStmt:
		return r.list(s.List, next, brk, cont)
	case *ast.IfStmt:
		p := &point{mark: -1, succs: []*point{r.list(s.Body.List, next, brk, cont), next}}
		if s.Else != nil {
			p.succs[1] = r.stmt(s.Else, "", next, brk, cont)
		}
		return p
	case *ast.ForStmt:
		p := &point{mark: -1}
		if s.Cond != nil {
			p.succs = append(p.succs, next)
		}
		r.breaks[label], r.continues[label] = next, p
		p.succs = append(p.succs, r.list(s.Body.List, p, next, p))
		return p
	case *ast.RangeStmt:
		p := &point{mark: -1, succs: []*point{next}}
		p.succs = append(p.succs, r.list(s.Body.List, p, next, p))
		return p
	case *ast.SwitchStmt:
		p, otherwise := &point{mark: -1}, next
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			to := r.list(c.Body, next, next, cont)
			if c.List == nil {
				otherwise = to
				continue
			}
			p.succs = append(p.succs, to)
		}
		p.succs = append(p.succs, otherwise)
		return p
	case *ast.ReturnStmt:
		return &point{mark: -1}
	case *ast.BranchStmt:
		switch {
		case s.Tok == token.GOTO:
			return r.labels[s.Label.Name]
		case s.Tok == token.BREAK && s.Label == nil:
			return brk
		case s.Tok == token.BREAK:
			return r.breaks[s.Label.Name]
		case s.Tok == token.CONTINUE && s.Label == nil:
			return cont
		case s.Tok == token.CONTINUE:
			return r.continues[s.Label.Name]
		}
		panic(fmt.Sprintf("unknown statement %v", s.Tok))
	case *ast.AssignStmt:
		if name, ok := s.Lhs[0].(*ast.Ident); ok && name.Name == markName {
			if value, ok := s.Rhs[0].(*ast.BasicLit); ok {
				i, err := strconv.Atoi(value.Value)
				if err != nil {
					panic(err)
				}
				r.seen[i]++
				return &point{mark: i, succs: []*point{next}}
			}
		}
	}
	return next
}

// requireGraph reads back the graph of a unit whose blocks are marked.
func requireGraph(t *testing.T, u Unit, name string) {
	text := Emit([]Unit{u})
	file, err := parser.ParseFile(token.NewFileSet(), "repro.go", text, parser.SkipObjectResolution)
	require.NoError(t, err, text)
	at := slices.IndexFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Name.Name == u.Claim.Func.Name
	})
	require.GreaterOrEqual(t, at, 0)
	want := u.Claim.Func.Graph()
	got, seen := readGraph(file.Decls[at].(*ast.FuncDecl).Body, len(want))
	for b := range want {
		require.Equal(t, 1, seen[b], "%s in the style %v: block %d is written once\n%s", name, u.Style, b, text)
		require.Equal(t, distinct(want[b]), distinct(got[b]), "%s in the style %v: block %d\n%s", name, u.Style, b, text)
	}
}

// The graph that is read back from the text is the graph of the function, in all
// styles. GRAPHS is the number of functions of each profile.
func TestGraphs(t *testing.T) {
	n := 30
	if text := os.Getenv("GRAPHS"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	functions, structured := 0, 0
	for _, profile := range []string{"focus", "mixed", "swarm", "wild", "loops", "paper", "machine"} {
		p, err := reify.FindProfile(profile)
		require.NoError(t, err)
		for i := range n {
			r := reify.FromSeed(uint64(i))
			k, err := reify.Make("f", r, p.Without(Masked...).Configure(r), search.Engine{})
			if err != nil || Supports(k.Func) != nil {
				continue
			}
			style := DrawStyle(choice.From(uint64(i) + 1))
			style.Consts = Untyped // marks are literals
			mark(k.Func)
			requireGraph(t, Unit{Claim: k.Claims()[0], Style: style}, fmt.Sprintf("%s %d", profile, i))
			functions++
			if style.Structured {
				structured++
			}
		}
	}
	// Functions that call each other.
	p, err := reify.FindProfile("calls")
	require.NoError(t, err)
	p = p.Without(Masked...)
	for i := range n / 3 {
		var leaves []*link.Leaf
		for k := range 3 {
			r := reify.FromSeed(uint64(i)).Nth(k)
			made, err := reify.Make(fmt.Sprintf("f%d", k), r, p.Configure(r), search.Engine{})
			if err != nil || Supports(made.Func) != nil {
				continue
			}
			l, err := link.NewLeaf(made.Claims()...)
			require.NoError(t, err)
			leaves = append(leaves, l)
		}
		o := link.DefaultOptions()
		o.Helpers, o.Deciding = 30, 60
		linked, err := link.Link(leaves, o, choice.From(uint64(i)))
		require.NoError(t, err)
		c := linked.IR.Claims[0]
		require.NoError(t, Supports(c.Func))
		style := DrawStyle(choice.From(uint64(i)))
		style.Consts, style.Calls = Untyped, Calls(i%int(numCalls))
		mark(c.Func)
		requireGraph(t, Unit{Claim: c, Style: style}, fmt.Sprintf("calls %d", i))
		functions++
	}
	require.Greater(t, functions, 5*n)
	require.Positive(t, structured)
	t.Logf("%d functions, %d of them structured where the graph allows", functions, structured)
}
