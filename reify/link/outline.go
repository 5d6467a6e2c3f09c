package link

import (
	"strconv"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// An outliner makes a helper of a part of an expression. Operators move into the
// helper. Their operands are passed: loads, calls, and all expressions that must not be
// evaluated always.
//
//	%x = %a[%i] * 3 - %b && %c      func @h(%p0 i32, %p1 i32) i32 { return %p0 * 3 - %p1 }
//	                                %x = @h(%a[%i], %b) && %c
//
// Thus the call is defined where the expression is, on the path and off it, and
// evaluates the operands of the expression as often and in an order as open.
type outliner struct {
	b      *builder
	params []*ir.Var
	args   []ir.Expr
	of     map[*ir.Var]*ir.Var // by variable that is passed: its parameter
	size   int                 // operators
	total  bool                // it is defined for all arguments
}

// mostParams bounds the parameters of helpers of this kind.
const mostParams = 6

// outline puts a call of a helper around one of the expressions, if one can move. With
// again, a part of the helper may move to another one.
func (b *builder) outline(exprs []*ir.Expr, again bool) {
	const tries = 4
	for range tries {
		if len(exprs) == 0 {
			return
		}
		at := exprs[len(exprs)-1] // mostly the whole
		if b.s.Chance(1, 2) {
			at = choice.Pick(b.s, exprs)
		}
		o := outliner{b: b, of: map[*ir.Var]*ir.Var{}, total: true}
		if t := ir.IntOf((*at)); !t.Standard() || !o.moves(*at) {
			continue
		}
		e := *at
		fn := o.function(e)
		if o.size == 0 || len(o.params) > mostParams {
			continue
		}
		for _, p := range o.params {
			if !p.Type.(ir.Int).Standard() {
				fn = nil
			}
		}
		if fn == nil {
			continue
		}
		p := Impure
		if o.total {
			p = Const
		}
		known := b.out.Helpers
		fn = b.addHelper(fn, p)
		b.put(site{at: at}, &ir.Call{Func: fn, Args: o.args})
		if again && known < b.out.Helpers && b.s.Chance(1, 4) {
			for _, block := range fn.Blocks {
				b.outline(parts(block), false)
			}
		}
		return
	}
}

// parts returns the expressions of a block of a helper, except the largest.
func parts(block *ir.Block) []*ir.Expr {
	var all []*ir.Expr
	for at := range block.Exprs() {
		all = append(all, at)
	}
	return all[:max(0, len(all)-1)]
}

// function returns the function that e becomes. A choice between two values mostly
// becomes a branch.
func (o *outliner) function(e ir.Expr) *ir.Function {
	t := ir.IntOf(e)
	choose, ok := e.(*ir.Select)
	if !ok || o.b.s.Chance(1, 4) {
		body := o.move(e)
		return returning(t, body, o.params...)
	}
	o.size++
	cond, x, y := o.move(choose.If), o.move(choose.X), o.move(choose.Y)
	r := &ir.Var{Name: "r", Type: t, Kind: ir.Local}
	exit := &ir.Block{Name: "exit", Term: &ir.Return{Val: load(r)}}
	one := &ir.Block{Name: "one", Stmts: []ir.Stmt{assign(r, x)}, Term: &ir.Goto{To: exit}}
	other := &ir.Block{Name: "other", Stmts: []ir.Stmt{assign(r, y)}, Term: &ir.Goto{To: exit}}
	entry := &ir.Block{Name: "entry", Term: &ir.If{Cond: cond, Then: one, Else: other}}
	return &ir.Function{
		Result: t, Vars: append(o.params[:len(o.params):len(o.params)], r),
		Blocks: []*ir.Block{entry, one, other, exit},
	}
}

// moves reports whether the operator of e may stand in a helper.
func (o *outliner) moves(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.Unary:
		return true
	case *ir.Convert:
		return e.T.(ir.Int).Standard() && ir.IsInt(e.X) && ir.IntOf(e.X).Standard()
	case *ir.Binary:
		return e.Of() == ir.Integers && (!e.Op.Logical() || sure(e.Y))
	case *ir.Select:
		return sure(e.X) && sure(e.Y)
	case *ir.Builtin:
		return len(e.Args) == 1
	}
	return false
}

// sure reports whether the operands of e may be read where e is not evaluated: it is
// made of scalar variables that have a value.
func sure(n ir.Node) bool {
	if e, ok := n.(ir.Expr); !ok || !ir.IsInt(e) {
		return false
	}
	switch n := n.(type) {
	case *ir.Load:
		ref, ok := n.Place.(*ir.VarRef)
		return ok && !ref.Var.Volatile && (ref.Var.Kind != ir.Local || ref.Var.Init != nil)
	case *ir.Const:
		return true
	case *ir.Unary, *ir.Binary, *ir.Convert, *ir.Select, *ir.Builtin:
		return ir.Parts(n, sure)
	}
	return false
}

// move returns e as an expression in the parameters.
func (o *outliner) move(e ir.Expr) ir.Expr {
	if c, ok := e.(*ir.Const); ok && o.b.s.Chance(2, 3) {
		return &ir.Const{T: c.T, V: c.V}
	}
	if !o.moves(e) {
		return o.pass(e)
	}
	o.size++
	switch e := e.(type) {
	case *ir.Unary:
		o.total = o.total && (e.Op != ir.Neg || !ir.IntOf(e.X).Signed)
		return &ir.Unary{Op: e.Op, X: o.move(e.X)}
	case *ir.Convert:
		return &ir.Convert{T: e.T, X: o.move(e.X)}
	case *ir.Binary:
		o.total = o.total && (e.Op.Yields01() || e.Op.Bitwise() || e.Op.Overflows() && !ir.IntOf(e.X).Signed)
		x := o.move(e.X)
		return &ir.Binary{Op: e.Op, X: x, Y: o.move(e.Y)}
	case *ir.Select:
		cond, x := o.move(e.If), o.move(e.X)
		return &ir.Select{If: cond, X: x, Y: o.move(e.Y)}
	case *ir.Builtin:
		o.total = o.total && e.Fn != ir.Clz && e.Fn != ir.Ctz && e.Fn != ir.Abs
		return &ir.Builtin{Fn: e.Fn, Args: []ir.Expr{o.move(e.Args[0])}}
	}
	panic("link: the expression that moves is an operator")
}

// pass makes e an argument and returns the parameter. A variable that is not
// volatile is passed once.
func (o *outliner) pass(e ir.Expr) ir.Expr {
	var v *ir.Var
	if l, ok := e.(*ir.Load); ok {
		if ref, ok := l.Place.(*ir.VarRef); ok && !ref.Var.Volatile {
			v = ref.Var
		}
	}
	if p := o.of[v]; v != nil && p != nil {
		return load(p)
	}
	p := &ir.Var{Name: "p" + strconv.Itoa(len(o.params)), Type: ir.IntOf(e)}
	o.params = append(o.params, p)
	o.args = append(o.args, e)
	if v != nil {
		o.of[v] = p
	}
	return load(p)
}
