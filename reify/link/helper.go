package link

import (
	"slices"
	"strconv"

	"goreify/reify/ir"
	"goreify/reify/observe"
)

// Helpers are small functions that a program has beside its leaves. Some replace a
// constant, as leaves do: they return it from an expression, a variable at file scope,
// a loop or a recursion. The others hold a part of an expression, which may have
// another value each time; see outline.go. They change no memory, so the order of their
// calls does not matter.

// A fixed is a helper and arguments for which its value is known.
type fixed struct {
	fn    *ir.Function
	args  []int64
	value int64 // of type fn.Result
	reads bool  // it reads a variable at file scope
	// declared says that it is declared pure or const, so that it is passed constants
	// only, for which it is known to end.
	declared bool
}

// mostRounds bounds the rounds of a helper that loops or recurs.
const mostRounds = 5

// addHelpers gives function i calls of helpers: in place of constants, mostly of those
// that branches depend on, and around parts of expressions.
func (b *builder) addHelpers(i int) {
	b.from = i
	for _, at := range b.leaves[i].deciding {
		if b.s.Chance(b.o.Helpers, 100) {
			b.stand(at)
		}
	}
	for _, at := range b.leaves[i].on {
		if at.block >= 0 && b.s.Chance(b.o.Helpers, 400) { // arrays have many initial values
			b.stand(at)
		}
	}
	for _, block := range b.leaves[i].fn.Blocks {
		for _, s := range block.Stmts {
			if b.s.Chance(b.o.Helpers, 100) {
				b.outline(slices.Collect(ir.StmtExprs(s)), true)
			}
		}
		if b.s.Chance(b.o.Helpers, 100) {
			b.outline(slices.Collect(termExprs(block.Term)), true)
		}
	}
}

// stand puts a call of a helper in place of a constant, if that is still there.
func (b *builder) stand(at site) {
	if _, still := (*at.at).(*ir.Const); !still {
		return
	}
	h := b.fixedHelper(at.t, at.v)
	call := &ir.Call{Func: h.fn}
	for i, v := range h.args {
		t := ir.Scalar(h.fn.Vars[i].Type)
		if h.declared {
			call.Args = append(call.Args, &ir.Const{T: t, V: v})
		} else {
			call.Args = append(call.Args, b.pass(at, t, v))
		}
	}
	b.out.Answers[call] = h.value
	if h.fn.Result == at.t && h.value == at.v {
		b.put(at, call)
	} else {
		b.put(at, observe.Adjust(b.s, call, h.value, at.t, at.v))
	}
}

// fixedHelper returns a helper for a place of type t where v is wanted. The helper may
// return another value. An existing one may serve again. A function that is declared
// pure gets no helper that reads memory: it may be declared const.
func (b *builder) fixedHelper(t ir.Int, v int64) fixed {
	pure := b.plan.pure[b.from]
	if len(b.fixed) > 0 && b.s.Chance(1, 3) {
		if h := b.fixed[b.s.Intn(len(b.fixed))]; !h.reads || !pure {
			return h
		}
	}
	if !t.Standard() {
		t = ir.I32
		v = b.constant(t)
	}
	var h fixed
	switch b.s.Weighted(2, 4, 2, 2, 2, 2) {
	case 0:
		h = fixed{fn: returning(t, &ir.Const{T: t, V: v}), value: v}
	case 1:
		h = b.adjusting(t, v)
	case 2:
		h = b.looping()
	case 3:
		h = b.recurring()
	case 4:
		h = b.counting()
	case 5:
		if pure {
			h = b.adjusting(t, v)
			break
		}
		k := &ir.Var{Name: "k", Type: t, Kind: ir.Static, Const: b.s.Chance(1, 2), Init: []ir.Expr{&ir.Const{T: t, V: v}}}
		h = fixed{fn: returning(t, load(k), k), value: v, reads: true}
	}
	p := Const
	if h.reads {
		p = Pure
	}
	h.fn = b.addHelper(h.fn, p)
	h.declared = b.out.Purity[b.number(h.fn)] != Impure
	b.fixed = append(b.fixed, h)
	return h
}

// adjusting returns a helper that computes v of its first parameter. It may have
// another parameter that it does not read.
//
//	func @h(%x i32) i32 { entry: return %x + 3 }
func (b *builder) adjusting(t ir.Int, v int64) fixed {
	x := &ir.Var{Name: "x", Type: t}
	vars, args := []*ir.Var{x}, []int64{b.constant(t)}
	if b.s.Chance(1, 4) {
		vars = append(vars, &ir.Var{Name: "y", Type: ir.I32})
		args = append(args, b.constant(ir.I32))
	}
	return fixed{fn: returning(t, observe.Adjust(b.s, load(x), args[0], t, v), vars...), args: args, value: v}
}

// looping returns a helper with a loop.
//
//	func @h(%n u32) u32 {
//	    local %i u32 = 0
//	    local %r u32 = 7
//	  entry:
//	    goto loop
//	  loop:
//	    if %i < %n goto round else exit
//	  round:
//	    %r = %r * 3 + 5
//	    %i = %i + 1
//	    goto loop
//	  exit:
//	    return %r
//	}
func (b *builder) looping() fixed {
	r := b.rounds()
	n := &ir.Var{Name: "n", Type: ir.U32}
	i := &ir.Var{Name: "i", Type: ir.U32, Kind: ir.Local, Init: []ir.Expr{u32(0)}}
	sum := &ir.Var{Name: "r", Type: ir.U32, Kind: ir.Local, Init: []ir.Expr{u32(r.start)}}
	exit := &ir.Block{Name: "exit", Term: &ir.Return{Val: load(sum)}}
	loop, round := &ir.Block{Name: "loop"}, &ir.Block{Name: "round"}
	loop.Term = &ir.If{Cond: binary(ir.Lt, load(i), load(n)), Then: round, Else: exit}
	round.Stmts = []ir.Stmt{assign(sum, r.step(load(sum))), assign(i, binary(ir.Add, load(i), u32(1)))}
	round.Term = &ir.Goto{To: loop}
	entry := &ir.Block{Name: "entry", Term: &ir.Goto{To: loop}}
	fn := &ir.Function{Result: ir.U32, Vars: []*ir.Var{n, i, sum}, Blocks: []*ir.Block{entry, loop, round, exit}}
	return fixed{fn: fn, args: []int64{r.n}, value: r.value()}
}

// recurring returns a helper that does the same by calls of itself in a tail
// position.
//
//	func @h(%n u32, %r u32) u32 {
//	  entry:
//	    if %n == 0 goto exit else more
//	  more:
//	    %r = @h(%n - 1, %r * 3 + 5)
//	    goto exit
//	  exit:
//	    return %r
//	}
func (b *builder) recurring() fixed {
	r := b.rounds()
	n, sum := &ir.Var{Name: "n", Type: ir.U32}, &ir.Var{Name: "r", Type: ir.U32}
	fn := &ir.Function{Result: ir.U32, Vars: []*ir.Var{n, sum}}
	again := &ir.Call{Func: fn, Args: []ir.Expr{binary(ir.Sub, load(n), u32(1)), r.step(load(sum))}}
	unlessZero(fn, n, sum, assign(sum, again))
	return fixed{fn: fn, args: []int64{r.n, r.start}, value: r.value()}
}

// counting returns a helper that calls itself and computes its result from that of the
// call.
//
//	func @h(%n u32) u32 {
//	    local %r u32 = 7
//	  entry:
//	    if %n == 0 goto exit else more
//	  more:
//	    %r = @h(%n - 1) * 3 + 5
//	    goto exit
//	  exit:
//	    return %r
//	}
func (b *builder) counting() fixed {
	r := b.rounds()
	n := &ir.Var{Name: "n", Type: ir.U32}
	sum := &ir.Var{Name: "r", Type: ir.U32, Kind: ir.Local, Init: []ir.Expr{u32(r.start)}}
	fn := &ir.Function{Result: ir.U32, Vars: []*ir.Var{n, sum}}
	again := &ir.Call{Func: fn, Args: []ir.Expr{binary(ir.Sub, load(n), u32(1))}}
	unlessZero(fn, n, sum, assign(sum, r.step(again)))
	return fixed{fn: fn, args: []int64{r.n}, value: r.value()}
}

// unlessZero makes the body of a function that executes s unless n is 0, and returns
// the final value of sum.
func unlessZero(fn *ir.Function, n, sum *ir.Var, s ir.Stmt) {
	exit := &ir.Block{Name: "exit", Term: &ir.Return{Val: load(sum)}}
	more := &ir.Block{Name: "more", Stmts: []ir.Stmt{s}, Term: &ir.Goto{To: exit}}
	entry := &ir.Block{Name: "entry", Term: &ir.If{Cond: binary(ir.Eq, load(n), u32(0)), Then: exit, Else: more}}
	fn.Blocks = []*ir.Block{entry, more, exit}
}

// Rounds is the function that a helper with n rounds computes: x * factor + add of
// start, repeatedly, in u32.
type rounds struct{ n, start, factor, add int64 }

func (b *builder) rounds() rounds {
	r := rounds{int64(b.s.Range(0, mostRounds)), b.constant(ir.U32), 1, b.constant(ir.U32)}
	if b.s.Chance(1, 2) {
		r.factor = int64(b.s.Range(2, 7))
	}
	return r
}

func (r rounds) step(x ir.Expr) ir.Expr {
	if r.factor != 1 {
		x = binary(ir.Mul, x, u32(r.factor))
	}
	return binary(ir.Add, x, u32(r.add))
}

func (r rounds) value() int64 {
	v := r.start
	for range r.n {
		v = ir.U32.Wrap(v*r.factor + r.add)
	}
	return v
}

// returning returns a function of one block. The variables are those that it has,
// parameters first.
func returning(t ir.Int, e ir.Expr, vars ...*ir.Var) *ir.Function {
	return &ir.Function{Result: t, Vars: vars, Blocks: []*ir.Block{{Name: "entry", Term: &ir.Return{Val: e}}}}
}

// addHelper names a helper of the given purity and adds it to the program, unless an
// equal helper can serve. Two equal helpers that do not share a name are there for
// compilers to merge. Some are declared pure or const.
func (b *builder) addHelper(f *ir.Function, p Purity) *ir.Function {
	renumber(f)
	text := f.String()
	if same := b.same[text]; same != nil && !b.s.Chance(1, 4) {
		return same
	}
	b.same[text] = f
	f.Name = "h" + strconv.Itoa(b.out.Helpers)
	if !b.s.Chance(1, 2) {
		p = Impure
	}
	b.out.Helpers++
	b.out.IR.Funcs = append(b.out.IR.Funcs, f)
	b.out.Purity = append(b.out.Purity, p)
	return f
}

// number returns the number of a helper in the program, which is looked for from
// the end.
func (b *builder) number(f *ir.Function) int {
	i := len(b.out.IR.Funcs) - 1
	for b.out.IR.Funcs[i] != f {
		i--
	}
	return i
}

func binary(op ir.Op, x, y ir.Expr) ir.Expr { return &ir.Binary{Op: op, X: x, Y: y} }

func u32(v int64) ir.Expr { return &ir.Const{T: ir.U32, V: v} }

func assign(v *ir.Var, e ir.Expr) ir.Stmt { return &ir.Assign{Dst: &ir.VarRef{Var: v}, Src: e} }
