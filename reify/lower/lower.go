// Package lower has passes from functions to functions, by which nodes that a language
// lacks become nodes that it has: a vector becomes an array of its lanes, an operator on
// it one statement for each lane. So a writer knows only the nodes of its language, and
// ir.Check and the interpreter judge what took the place of the others.
//
//	%v = %v * %w + <2>i32{7, 7}        %v[0] = %v[0] * %w[0] + 7
//	                             →     %v[1] = %v[1] * %w[1] + 7
//
// A pass leaves blocks, branches and calls as they are. A claim about a function holds
// for what the pass makes of it, under the same semantics: the path, the answer or the
// trap, and the state afterwards. Passes of a language stand in a list, and an earlier
// one may make nodes that a later one lowers.
package lower

import (
	"strconv"

	"goreify/reify/ir"
)

// A Pass takes a kind of nodes out of a function.
type Pass struct {
	Name string
	// Lowers reports whether a node, by itself, is one that does not occur after the
	// pass.
	Lowers func(ir.Node) bool

	// expr returns what takes the place of an expression whose operands are lowered, or
	// nil if it stays.
	expr func(*rewriter, ir.Expr) ir.Expr
	// stmt adds what takes the place of a statement, or returns false if it stays.
	stmt func(*rewriter, ir.Stmt) bool
	// typ returns what takes the place of a type that is no array, pointer or record; it is nil if
	// all types stay.
	typ func(ir.Type) ir.Type
}

// Needs reports whether a function has a node, or a variable of a type, that one of the
// passes takes out.
func Needs(f *ir.Function, passes []Pass) bool {
	for i := range passes {
		if passes[i].needed(f) {
			return true
		}
	}
	return false
}

func (p *Pass) needed(f *ir.Function) bool {
	if p.typ != nil {
		for _, v := range f.Vars {
			if p.retype(v.Type) != v.Type {
				return true
			}
		}
		for _, r := range f.Types {
			for _, m := range r.Fields {
				if p.retype(m.Type) != m.Type {
					return true
				}
			}
		}
	}
	for _, v := range f.Vars {
		for _, e := range v.Init {
			if ir.Any(e, p.Lowers) {
				return true
			}
		}
	}
	for n := range f.Nodes() {
		if ir.Any(n, p.Lowers) {
			return true
		}
	}
	return false
}

// Program returns a copy of a program whose functions are lowered, or the program itself
// if there is nothing to lower. All functions that are called are among its functions.
func Program(p *ir.Program, passes []Pass) *ir.Program {
	needs := false
	for _, f := range p.Funcs {
		needs = needs || Needs(f, passes)
	}
	if !needs {
		return p
	}
	p = p.Clone()
	for _, f := range p.Funcs {
		for i := range passes {
			if passes[i].needed(f) {
				passes[i].apply(f)
			}
		}
	}
	return p
}

// Function returns a lowered copy of a function and of all that it calls, or the function
// itself if there is nothing to lower.
func Function(f *ir.Function, passes []Pass) *ir.Function {
	return Program(&ir.Program{Funcs: f.Reached()}, passes).Funcs[0]
}

// A rewriter applies a pass to a function.
type rewriter struct {
	*Pass
	f     *ir.Function
	out   []ir.Stmt // of the current block, so far
	lazy  int       // nesting of operands that may not be evaluated
	names map[string]bool
	spare map[ir.Type][]*ir.Var // variables of the pass, by type
	used  map[ir.Type]int       // how many of them the current statement uses
}

// apply lowers f, in place.
func (p *Pass) apply(f *ir.Function) {
	r := &rewriter{Pass: p, f: f, names: map[string]bool{}, spare: map[ir.Type][]*ir.Var{}}
	for _, v := range f.Vars {
		r.names[v.Name] = true
	}
	for _, b := range f.Blocks {
		r.names[b.Name] = true
	}
	for _, v := range f.Vars {
		r.lazy++ // there is no statement before initial values
		for i := range v.Init {
			if v.Init[i] != nil {
				r.exprs(&v.Init[i])
			}
		}
		r.lazy--
	}
	for _, b := range f.Blocks {
		r.block(b)
	}
	if p.typ != nil {
		p.types(f)
	}
}

func (r *rewriter) block(b *ir.Block) {
	r.out = make([]ir.Stmt, 0, len(b.Stmts))
	for _, s := range b.Stmts {
		clear(r.used)
		r.operands(s)
		if r.stmt == nil || !r.stmt(r, s) {
			r.out = append(r.out, s)
		}
	}
	clear(r.used)
	switch t := b.Term.(type) {
	case *ir.If:
		r.exprs(&t.Cond)
	case *ir.Switch:
		r.exprs(&t.X)
	case *ir.Return:
		r.exprs(&t.Val)
	}
	b.Stmts = r.out
}

// operands lowers the expressions that a node is made of.
func (r *rewriter) operands(n ir.Node) {
	if r.expr == nil {
		return
	}
	at := 0
	ir.Operands(n, func(e *ir.Expr) bool {
		lazy := false
		switch n := n.(type) {
		case *ir.Binary:
			lazy = n.Op.Logical() && at == 1
		case *ir.Select:
			lazy = at > 0
		}
		at++
		if lazy {
			r.lazy++
			defer func() { r.lazy-- }()
		}
		r.exprs(e)
		return true
	}, func(p *ir.Place) bool {
		r.operands(*p)
		return true
	})
}

// exprs lowers *e and the expressions that it is made of.
func (r *rewriter) exprs(e *ir.Expr) {
	if r.expr == nil {
		return
	}
	r.operands(*e)
	if to := r.expr(r, *e); to != nil {
		*e = to
	}
}

// add adds a statement.
func (r *rewriter) add(s ir.Stmt) { r.out = append(r.out, s) }

// temp returns a variable of a type that the current statement does not use yet.
func (r *rewriter) temp(t ir.Type) *ir.Var {
	if r.used == nil {
		r.used = map[ir.Type]int{}
	}
	n := r.used[t]
	r.used[t]++
	if n < len(r.spare[t]) {
		return r.spare[t][n]
	}
	name := ""
	for i := len(r.f.Vars); name == "" || r.names[name]; i++ {
		name = "l" + strconv.Itoa(i)
	}
	r.names[name] = true
	v := &ir.Var{Name: name, Type: t, Kind: ir.Local, Index: len(r.f.Vars)}
	r.f.Vars = append(r.f.Vars, v)
	r.spare[t] = append(r.spare[t], v)
	return v
}

// keep stores the value of an integer or a pointer in a new variable, and returns that.
func (r *rewriter) keep(e ir.Expr) *ir.Var {
	v := r.temp(e.Type())
	r.add(&ir.Assign{Dst: &ir.VarRef{Var: v}, Src: e})
	return v
}

// read returns the value of a variable.
func read(v *ir.Var) ir.Expr { return &ir.Load{Place: &ir.VarRef{Var: v}} }

// types changes the types of a function.
func (p *Pass) types(f *ir.Function) {
	for _, r := range f.Types {
		for i := range r.Fields {
			r.Fields[i].Type = p.retype(r.Fields[i].Type)
		}
	}
	for _, v := range f.Vars {
		v.Type = p.retype(v.Type)
		for _, e := range v.Ptrs {
			p.retypeNode(e)
		}
	}
	for n := range f.Nodes() {
		p.retypeNode(n)
	}
}

func (p *Pass) retypeNode(n ir.Node) bool {
	switch n := n.(type) {
	case *ir.Null:
		n.T = p.retype(n.T).(ir.Pointer)
	case *ir.Cast:
		n.T = p.retype(n.T)
	}
	return ir.Parts(n, p.retypeNode)
}

func (p *Pass) retype(t ir.Type) ir.Type {
	switch t := t.(type) {
	case ir.Array:
		t.Elem = p.retype(t.Elem)
		return t
	case ir.Pointer:
		t.Elem = p.retype(t.Elem)
		return t
	case *ir.Record:
		return t
	}
	return p.typ(t)
}
