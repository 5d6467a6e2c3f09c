package prove

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"

	"goreify/reify/choice"
	"goreify/reify/emit/golang"
	"goreify/reify/ir"
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

// inGo reads back the graph of a claim's function from its text in Go.
func inGo(of *ir.Claim, seed uint64) (p picture, err error) {
	style := golang.DrawStyle(choice.From(seed))
	style.Consts = golang.Untyped // marks are literals
	mark(of.Func)
	text := golang.Emit([]golang.Unit{{Claim: of, Style: style}})
	p.text = fmt.Sprintf("%v\n%s", style, text)
	file, err := parser.ParseFile(token.NewFileSet(), "repro.go", text, parser.SkipObjectResolution)
	if err != nil {
		return p, fmt.Errorf("%w\n%s", err, text)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == of.Func.Name {
			var seen map[int]int
			p.got, seen = readGraph(f.Body, len(of.Func.Blocks))
			for i, succs := range of.Func.Graph() {
				p.want = append(p.want, distinct(succs))
				if seen[i] != 1 {
					return p, fmt.Errorf("block %d is written %d times\n%s", i, seen[i], text)
				}
			}
			return p, nil
		}
	}
	return p, fmt.Errorf("there is no @%s\n%s", of.Func.Name, text)
}
