package lower

import (
	"slices"
	"strconv"
	"strings"

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
	// begin is called before the nodes of a function are lowered.
	begin  func(*rewriter)
	guards bool // operands that may not be evaluated are computed before the statement
	// typ returns what takes the place of a type that is no array, pointer or record; it
	// is nil if all types stay.
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
	var divider *ir.Function
	for _, f := range p.Funcs {
		for i := range passes {
			if passes[i].needed(f) {
				passes[i].apply(f, func() *ir.Function {
					if divider == nil {
						divider = newDivider(p.Funcs)
					}
					return divider
				})
			}
		}
	}
	if divider != nil {
		p.Funcs = append(p.Funcs, divider)
	}
	return p
}

// newDivider returns the function that divides integers of 128 bits, whose name is not
// that of another.
func newDivider(others []*ir.Function) *ir.Function {
	name := "divide"
	for slices.ContainsFunc(others, func(f *ir.Function) bool { return f.Name == name }) {
		name += "s"
	}
	return ir.MustParse(strings.ReplaceAll(dividerText, "NAME", name)).Funcs[0]
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
	names map[string]bool
	spare map[ir.Type][]*ir.Var // variables of the pass, by type
	used  map[ir.Type]int       // how many of them the current statement uses

	guard     ir.Expr             // whether what is computed would be evaluated; nil if it would
	low, high map[*ir.Var]*ir.Var // the high halves of wide integers
	divider   func() *ir.Function // that divides them
}

// apply lowers f, in place.
func (p *Pass) apply(f *ir.Function, divider func() *ir.Function) {
	r := &rewriter{Pass: p, f: f, divider: divider, names: map[string]bool{}, spare: map[ir.Type][]*ir.Var{}}
	for _, v := range f.Vars {
		r.names[v.Name] = true
	}
	for _, b := range f.Blocks {
		r.names[b.Name] = true
	}
	if p.begin != nil {
		p.begin(r)
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
	if r.guards {
		switch n := n.(type) {
		case *ir.Binary:
			if n.Op.Logical() && ir.Any(n.Y, r.Lowers) {
				r.exprs(&n.X)
				n.X = r.truth(n.X)
				r.lazily(n.X, n.Op == ir.LOr, func() { r.exprs(&n.Y) })
				return
			}
		case *ir.Select:
			if ir.FamilyOf(n) != ir.Wides && !ir.Any(n.X, r.Lowers) && !ir.Any(n.Y, r.Lowers) {
				break
			}
			r.exprs(&n.If)
			n.If = r.truth(n.If)
			r.lazily(n.If, false, func() { r.exprs(&n.X) })
			r.lazily(n.If, true, func() { r.exprs(&n.Y) })
			return
		}
	}
	ir.Operands(n, func(e *ir.Expr) bool {
		r.exprs(e)
		return true
	}, func(p *ir.Place) bool {
		r.operands(*p)
		return true
	})
}

// truth returns whether a condition holds, in a variable.
func (r *rewriter) truth(cond ir.Expr) ir.Expr {
	if load, ok := cond.(*ir.Load); ok && r.isTemp(load.Place) {
		return cond
	}
	return read(r.keep(&ir.Binary{Op: ir.Ne, X: cond, Y: number(ir.IntOf(cond), 0)}))
}

// isTemp reports whether a place is a variable of the pass.
func (r *rewriter) isTemp(p ir.Place) bool {
	v, ok := p.(*ir.VarRef)
	return ok && slices.Contains(r.spare[v.Var.Type], v.Var)
}

// lazily computes what is evaluated only where a condition holds or, with not, does not.
func (r *rewriter) lazily(cond ir.Expr, not bool, compute func()) {
	outer := r.guard
	g := ir.CopyExpr(cond)
	if not {
		g = &ir.Unary{Op: ir.LNot, X: g}
	}
	if outer != nil {
		g = &ir.Binary{Op: ir.And, X: ir.CopyExpr(outer), Y: g}
	}
	if _, plain := g.(*ir.Load); !plain {
		r.guard = nil
		g = read(r.keep(g))
	}
	r.guard = g
	compute()
	r.guard = outer
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
	v := r.variable(t, "l"+strconv.Itoa(len(r.f.Vars)))
	r.spare[t] = append(r.spare[t], v)
	return v
}

// variable returns a new local variable.
func (r *rewriter) variable(t ir.Type, name string) *ir.Var {
	for r.names[name] {
		name += "_"
	}
	r.names[name] = true
	v := &ir.Var{Name: name, Type: t, Kind: ir.Local, Index: len(r.f.Vars)}
	r.f.Vars = append(r.f.Vars, v)
	return v
}

// safe reports whether an expression is defined for all values of its variables.
func safe(e ir.Expr) bool {
	return !ir.Any(e, func(n ir.Node) bool {
		switch n := n.(type) {
		case *ir.VarRef:
			return n.Var.Volatile
		case *ir.Elem, *ir.Deref, *ir.Member, *ir.Call:
			return true
		case *ir.Binary:
			of, ok := ir.AsInt(n.X)
			return !ok || n.Op.Divides() || of.Signed && (n.Op.Overflows() || n.Op == ir.Shl)
		case *ir.Unary:
			return n.Op == ir.Neg
		case *ir.Builtin:
			return n.Fn != ir.MulHigh
		case *ir.Convert:
			return !ir.IsInt(n.X)
		}
		return false
	})
}

// keep stores the value of an integer or a pointer in a new variable, and returns that.
func (r *rewriter) keep(e ir.Expr) *ir.Var {
	v := r.temp(e.Type())
	if t, ok := v.Type.(ir.Int); ok && r.guard != nil && !safe(e) {
		e = &ir.Select{If: ir.CopyExpr(r.guard), X: e, Y: number(t, 0)}
	}
	r.add(&ir.Assign{Dst: &ir.VarRef{Var: v}, Src: e})
	return v
}

// held returns a place that stays what it is, and costs little where it stands several
// times: pointers and indices that are more than a variable are kept in one, and with
// stored, which says that integers are stored meanwhile, all indices.
func (r *rewriter) held(p ir.Place, stored bool) ir.Place {
	hold := func(e ir.Expr, stored bool) ir.Expr {
		switch e := e.(type) {
		case *ir.Const:
			return e
		case *ir.AddrOf:
			if _, ok := e.Place.(*ir.VarRef); ok {
				return e
			}
		case *ir.Load:
			if v, ok := e.Place.(*ir.VarRef); ok && !v.Var.Volatile && !stored {
				return e
			}
		}
		return read(r.keep(e))
	}
	switch p := p.(type) {
	case *ir.Elem:
		base := r.held(p.Base, stored)
		return &ir.Elem{Base: base, Index: hold(p.Index, stored)}
	case *ir.Member:
		return &ir.Member{Base: r.held(p.Base, stored), Field: p.Field}
	case *ir.Deref:
		return &ir.Deref{X: hold(p.X, false)}
	}
	return p
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
