package ir

import "slices"

// Clone returns a copy of f that shares no node with it. Calls stay bound to
// the functions that they call, those of f to itself included: Program.Clone
// rebinds them. The Index fields of f must be right.
func Clone(f *Function) *Function {
	return newCloner(f).function(f, new(Function))
}

// Clone returns a copy of p that shares no node with it: calls and cases are
// bound to the copies of the functions. The Index fields must be right.
func (p *Program) Clone() *Program {
	q := &Program{Funcs: slices.Clone(p.Funcs), Claims: slices.Clone(p.Claims)}
	funcs := make(map[*Function]*Function, len(p.Funcs))
	for i, f := range p.Funcs {
		q.Funcs[i] = new(Function)
		funcs[f] = q.Funcs[i]
	}
	for i, f := range p.Funcs {
		c := newCloner(f)
		c.funcs = funcs
		c.function(f, q.Funcs[i])
	}
	for i, c := range p.Claims {
		q.Claims[i] = &Claim{Func: funcs[c.Func], Args: slices.Clone(c.Args), Want: c.Want, Path: slices.Clone(c.Path), Under: c.Under, Trap: c.Trap}
	}
	return q
}

// CopyStmt returns a copy of s that shares no node with it and belongs to the same
// function.
func CopyStmt(s Stmt) Stmt { return single().stmt(s) }

// CopyTerm returns a copy of t, which jumps to the same blocks.
func CopyTerm(t Term) Term { return single().term(t) }

// CopyExpr returns a copy of e, which reads the same variables.
func CopyExpr(e Expr) Expr { return single().expr(e) }

// CopyPlace returns a copy of p, which is in the same variable.
func CopyPlace(p Place) Place { return single().place(p) }

// single returns a cloner of one statement, expression or place.
func single() *cloner { return &cloner{slab: 1} }

// A cloner allocates nodes by the slab, for speed: a clone is kept or dropped
// as a whole.
type cloner struct {
	funcs  map[*Function]*Function // replacements of callees; all other callees stay
	types  map[*Record]*Record     // nil without records
	vars   []Var                   // by index; nil if variables stay
	blocks []Block                 // by index; nil if blocks stay

	exprs    []Expr // room for the initialisers
	stmts    []Stmt // room for the statements
	consts   slab[Const]
	symNodes slab[Sym]
	loads    slab[Load]
	binaries slab[Binary]
	converts slab[Convert]
	refs     slab[VarRef]
	elems    slab[Elem]
	assigns  slab[Assign]
	unaries  slab[Unary]
	members  slab[Member]
	derefs   slab[Deref]

	slab    int // nodes that are allocated at a time
	exprAt  func(*Expr) bool
	placeAt func(*Place) bool
}

// A slab hands out the elements of arrays that it allocates.
type slab[T any] struct{ rest []T }

const slabLen = 32

// copy returns a copy of *v, and allocates n elements if none is left.
func (s *slab[T]) copy(v *T, n int) *T {
	if len(s.rest) == 0 {
		s.rest = make([]T, n)
	}
	p := &s.rest[0]
	s.rest = s.rest[1:]
	*p = *v
	return p
}

func newCloner(f *Function) *cloner {
	c := &cloner{slab: slabLen, vars: make([]Var, len(f.Vars)), blocks: make([]Block, len(f.Blocks))}
	exprs, stmts := 0, 0
	for _, v := range f.Vars {
		exprs += len(v.Init)
	}
	for _, b := range f.Blocks {
		stmts += len(b.Stmts)
	}
	c.exprs, c.stmts = make([]Expr, exprs), make([]Stmt, stmts)
	return c
}

// function makes g, which is new, a copy of f.
func (c *cloner) function(f, g *Function) *Function {
	*g = Function{
		Name:   f.Name,
		Result: f.Result,
		Vars:   slices.Clone(f.Vars),
		Blocks: slices.Clone(f.Blocks),
		Syms:   f.Syms,

		Foreign: f.Foreign,
	}
	if len(f.Types) > 0 {
		g.Types = c.records(f.Types)
	}
	for i, v := range f.Vars {
		w := &c.vars[i]
		*w = *v
		w.Type = c.typ(v.Type)
		if v.Init != nil {
			w.Init = take(&c.exprs, len(v.Init))
			for j, e := range v.Init {
				if e != nil {
					w.Init[j] = c.expr(e)
				}
			}
		}
		if v.Ptrs != nil {
			w.Ptrs = make([]Expr, len(v.Ptrs))
			for j, e := range v.Ptrs {
				if e != nil {
					w.Ptrs[j] = c.expr(e)
				}
			}
		}
		g.Vars[i] = w
	}
	for i, b := range f.Blocks {
		n := &c.blocks[i]
		n.Name, n.Index = b.Name, b.Index
		if b.Stmts != nil {
			n.Stmts = take(&c.stmts, len(b.Stmts))
			for j, s := range b.Stmts {
				n.Stmts[j] = c.stmt(s)
			}
		}
		n.Term = c.term(b.Term)
		g.Blocks[i] = n
	}
	return g
}

// variable returns the copy of v.
func (c *cloner) variable(v *Var) *Var {
	if c.vars == nil {
		return v
	}
	return &c.vars[v.Index]
}

// take cuts n elements off *from. Appending to them does not touch the rest.
func take[T any](from *[]T, n int) []T {
	s := (*from)[:n:n]
	*from = (*from)[n:]
	return s
}

// records returns copies of the records, which may point to each other.
func (c *cloner) records(list []*Record) []*Record {
	c.types = make(map[*Record]*Record, len(list))
	copies := make([]*Record, len(list))
	for i, r := range list {
		copies[i] = &Record{Name: r.Name, Union: r.Union, Cast: r.Cast}
		c.types[r] = copies[i]
	}
	for i, r := range list {
		copies[i].Fields = slices.Clone(r.Fields)
		for j := range copies[i].Fields {
			f := &copies[i].Fields[j]
			f.Type = c.typ(f.Type)
		}
	}
	return copies
}

// typ returns t with the copies of the records that it is made of or points to.
func (c *cloner) typ(t Type) Type {
	if c.types == nil {
		return t
	}
	switch t := t.(type) {
	case Array:
		return Array{Elem: c.typ(t.Elem), Len: t.Len}
	case Pointer:
		return c.pointer(t)
	case *Record:
		if r, ok := c.types[t]; ok {
			return r
		}
	}
	return t
}

func (c *cloner) pointer(t Pointer) Pointer {
	t.Elem = c.typ(t.Elem)
	return t
}
