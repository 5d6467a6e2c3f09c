package golang

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"

	"golang.org/x/tools/go/cfg"

	"goreify/reify/ir"
)

// markName is the variable that each block stores its index to first.
const markName = "mark"

// Mark adds those stores to a function, of which Graph reads its graph.
func Mark(f *ir.Function) {
	v := &ir.Var{Name: markName, Index: len(f.Vars), Kind: ir.Local, Type: ir.I32, Init: []ir.Expr{&ir.Const{T: ir.I32}}}
	f.Vars = append(f.Vars, v)
	for i, b := range f.Blocks {
		b.Stmts = slices.Insert(b.Stmts, 0, ir.Stmt(&ir.Assign{Dst: &ir.VarRef{Var: v}, Src: &ir.Const{T: ir.I32, V: int64(i)}}))
	}
}

// readGraph returns the edges between the marks of a function of Go: those of the
// blocks of the function that it was written from. Seen says how often each block begins.
func readGraph(body *ast.BlockStmt, blocks int) (graph [][]int, seen map[int]int) {
	flow := cfg.New(body, func(*ast.CallExpr) bool { return true })
	entered := map[*cfg.Block]bool{} // from the entry or from a label
	var enter func(b *cfg.Block)
	enter = func(b *cfg.Block) {
		if !entered[b] {
			entered[b] = true
			for _, to := range b.Succs {
				enter(to)
			}
		}
	}
	for i, b := range flow.Blocks {
		if i == 0 || b.Kind == cfg.KindLabel {
			enter(b)
		}
	}
	graph, seen = make([][]int, blocks), map[int]int{}
	for _, b := range flow.Blocks {
		for i, n := range b.Nodes {
			if at, ok := markOf(n); ok {
				seen[at]++
				if entered[b] {
					graph[at] = marksAfter(b, b.Nodes[i+1:])
				}
			}
		}
	}
	for i := range graph {
		graph[i] = distinct(graph[i])
	}
	return graph, seen
}

// marksAfter returns the marks that come next where some nodes are left of a block.
func marksAfter(b *cfg.Block, left []ast.Node) (next []int) {
	visited := map[*cfg.Block]bool{}
	var visit func(b *cfg.Block, nodes []ast.Node)
	visit = func(b *cfg.Block, nodes []ast.Node) {
		for _, n := range nodes {
			if at, ok := markOf(n); ok {
				next = append(next, at)
				return
			}
		}
		for _, to := range b.Succs {
			if !visited[to] {
				visited[to] = true
				visit(to, to.Nodes)
			}
		}
	}
	visit(b, left)
	return next
}

// markOf returns the block that a store to the mark tells of.
func markOf(n ast.Node) (at int, ok bool) {
	s, ok := n.(*ast.AssignStmt)
	if !ok {
		return 0, false
	}
	if name, ok := s.Lhs[0].(*ast.Ident); !ok || name.Name != markName {
		return 0, false
	}
	value, ok := s.Rhs[0].(*ast.BasicLit)
	if !ok {
		return 0, false
	}
	at, err := strconv.Atoi(value.Value)
	if err != nil {
		panic(err)
	}
	return at, true
}

func distinct(list []int) []int {
	list = append([]int{}, list...)
	slices.Sort(list)
	return slices.Compact(list)
}

// Graph returns the successors, sorted, of each block of a marked function, read back from a
// file that has it. The error says what is wrong with the file.
func Graph(text string, of *ir.Function) ([][]int, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "repro.go", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != of.Name {
			continue
		}
		graph, seen := readGraph(f.Body, len(of.Blocks))
		for i := range of.Blocks {
			if seen[i] != 1 {
				return nil, fmt.Errorf("block %d is written %d times", i, seen[i])
			}
		}
		return graph, nil
	}
	return nil, fmt.Errorf("there is no @%s", of.Name)
}
