package link

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/observe"
)

// A builder puts calls in place of constants, callees first, so that the cost of a call
// of each callee is known.
//
// The cost of a call is the number of calls that it leads to, itself included. Calls
// that lead back count as one each, as if they were cut short. The first few are
// counted in full: each real call of a guarded function takes its cost out of a common
// reserve.
type builder struct {
	leaves []*Leaf
	plan   *plan
	o      Options
	s      *choice.Stream
	out    *Linked

	edges   []edge    // of the existing calls
	left    []*ir.Var // by function: the variable that counts
	cost    [][]int   // by function and case
	limit   int       // of the calls that are counted for main's
	reserve int       // calls that real calls of guarded functions may still cost

	// Of the function at hand:
	from  int
	used  []fullUse // by full expression
	base  []int     // by case: the cost without its calls of itself that ParamCounter ends
	again int       // number of these

	fixed []fixed                 // helpers that stand in for constants
	same  map[string]*ir.Function // helpers by their text without the name
}

// An edge is a call of one function by another.
type edge struct{ from, to int }

// A fullUse says which calls a full expression holds. A call of a function that counts
// in memory must be alone, as C leaves the order of calls open.
type fullUse struct{ any, memory bool }

func newBuilder(leaves []*Leaf, o Options, s *choice.Stream) *builder {
	n := len(leaves)
	b := &builder{
		leaves: leaves, o: o, s: s, plan: draw(leaves, o, s),
		left: make([]*ir.Var, n), cost: make([][]int, n),
		out: &Linked{IR: &ir.Program{Funcs: make([]*ir.Function, n)}, Answers: make(map[*ir.Call]int64), leaves: leaves},
	}
	// Few programs come near the bound: one of them takes as long to run as many
	// that call each function a few times.
	each := 8
	if o.Deciding > 0 {
		each = 24 // loops evaluate their bounds often
	}
	most := max(o.MaxCalls>>(7-s.Weighted(32, 16, 8, 4, 2, 1, 1, 1)), min(o.MaxCalls, each*n))
	b.limit = (most + 1) / 2
	b.reserve = most - b.limit
	for i, l := range leaves {
		l.linked = true
		if o.Deciding+o.Helpers > 0 {
			l.findDeciding()
		}
		b.out.IR.Funcs[i] = l.fn
		b.cost[i] = make([]int, len(l.claims))
		for k := range b.cost[i] {
			b.cost[i][k] = 1
		}
	}
	return b
}

// guardAll resets and guards the functions as planned, and makes main's case.
func (b *builder) guardAll() {
	for i, l := range b.leaves {
		f, g := l.fn, b.plan.guards[i]
		var mains []*ir.Claim
		if i == 0 {
			c := *l.claims[0]
			mains = []*ir.Claim{&c}
			b.out.IR.Claims = mains
		}
		if f.Foreign != nil {
			continue
		}
		if b.plan.reset[i] {
			f.Blocks[0].Stmts = l.reset
		}
		if !g.on {
			continue
		}
		b.left[i] = Guard(f, l.claims[0].Want, g.calls, g.by, mains...)
	}
}

// budget returns the bound of the cost of a call of function i: larger the earlier it
// is called, such that a chain of all functions fits.
func (b *builder) budget(i int) int {
	n := len(b.leaves)
	above := n - i // of n
	most := min(b.limit, above+max(0, b.limit-n)*above*above/(n*n))
	if b.plan.recurs(i) {
		most = min(most, 1+b.share(i))
	}
	return most
}

// share returns the part of the reserve that function i may take: the functions that
// follow get as much.
func (b *builder) share(i int) int { return b.reserve / (i + 1) }

// rewrite puts the calls into function i that the call graph has, and some off the
// path.
func (b *builder) rewrite(i int) {
	l, s := b.leaves[i], b.s
	b.from = i
	b.used = append(b.used[:0], make([]fullUse, l.fulls)...)
	b.base, b.again = append(b.base[:0], b.cost[i]...), 0
	if len(l.on) > 0 {
		// First come the calls that make functions reachable, within the budget.
		n, sites := len(b.leaves), max(1, b.o.Sites)
		for k := range n * sites {
			to := (i + 1 + k) % n
			if b.plan.calls[i][to] && (k < n || s.Chance(1, 2)) {
				b.insert(to)
			}
		}
	}
	b.addForeign(l.on)
	if len(l.off) > 0 {
		for range s.Intn(b.o.Off + 1) {
			b.replaceOff(choice.Pick(s, l.off), s.Intn(len(b.leaves)))
		}
		for to, dead := range b.plan.dead {
			if dead && s.Chance(1, 3) {
				b.replaceOff(choice.Pick(s, l.off), to)
			}
		}
	}
	if b.plan.recurs(i) {
		calls := int(b.plan.guards[i].calls)
		if extra := b.cost[i][0] - 1; extra > 0 {
			calls = min(calls, b.share(i)/extra) // at least 1; see budget
			b.reserve -= calls * extra
		}
		b.left[i].Init[0].(*ir.Const).V = int64(calls)
	}
}

// insert puts a call of function to somewhere on the path, if it can.
func (b *builder) insert(to int) {
	const tries = 8
	on := b.leaves[b.from].on
	if deciding := b.leaves[b.from].deciding; b.o.Deciding > 0 && len(deciding) > 0 && b.s.Chance(b.o.Deciding, 100) {
		on = deciding
	}
	for try := range tries {
		at := choice.Pick(b.s, on)
		if at.maybe && try < tries/2 {
			continue // better at a place where the call is always made
		}
		if b.replace(at, to) {
			return
		}
	}
}

// addForeign puts calls of foreign functions in the place of some of the constants.
func (b *builder) addForeign(on []site) {
	end := len(b.leaves)
	for end > 0 && b.plan.dead[end-1] {
		end--
	}
	first := end
	for first > 0 && b.plan.foreign[first-1] {
		first--
	}
	if n := end - first; n > 0 && b.o.Foreign > 0 && !b.plan.pure[b.from] {
		for _, at := range on {
			if b.s.Chance(b.o.Foreign, 100) {
				b.replace(at, first+b.s.Intn(n))
			}
		}
	}
}

// replace puts a call of function to in place of a constant, unless there is a reason
// not to.
func (b *builder) replace(at site, to int) bool {
	if _, still := (*at.at).(*ir.Const); !still {
		return false
	}
	if at.block < 0 && (b.plan.guards[b.from].on || to == b.from || b.plan.reach[to][b.from]) {
		// Locals are initialised before the guard, and recursion would not end.
		return false
	}
	claim := 0
	if claims := b.leaves[to].claims; !b.plan.guards[to].on {
		claim = b.s.Intn(len(claims))
	}
	use := &b.used[at.full]
	if use.any && (use.memory || b.plan.memory[to]) || !b.afford(at, to, claim) {
		return false
	}
	use.any, use.memory = true, use.memory || b.plan.memory[to]
	c := b.leaves[to].claims[claim]
	call := b.call(to)
	for i, v := range c.Args {
		call.Args[i] = b.argument(at, to, i, v)
	}
	b.out.Answers[call] = c.Want
	b.put(at, observe.Adjust(b.s, call, c.Want, at.t, at.v))
	for i, v := range c.Args {
		if _, literal := call.Args[i].(*ir.Const); literal && b.s.Chance(1, 10) {
			b.nest(at, &call.Args[i], v)
		}
	}
	return true
}

// nest puts a call in the place of the argument of another, which is v, if
// there is an edge for it.
func (b *builder) nest(at site, arg *ir.Expr, v int64) {
	at.at, at.t, at.v = arg, ir.IntOf((*arg)), v
	if to := b.s.Intn(len(b.leaves)); b.plan.calls[b.from][to] {
		b.replace(at, to)
	}
}

// afford adds what the call costs to the cost of the function at hand, unless
// that is too much.
func (b *builder) afford(at site, to, claim int) bool {
	l, g := b.leaves[b.from], b.plan.guards[b.from]
	cost, most := b.cost[b.from], b.budget(b.from)
	each := 1
	if to > b.from {
		each = b.cost[to][claim]
	}
	levels, again := 1, b.again
	if g.on {
		cost = cost[:1] // no other is made
		if g.by == ParamCounter {
			levels = int(g.calls)
			if to == b.from {
				each, again = 0, again+visits(l, 0, at.block)
			}
		}
	}
	for k := range cost {
		if total(b.base[k]+each*visits(l, k, at.block), again, levels) > most {
			return false
		}
	}
	b.again = again
	for k := range cost {
		b.base[k] += each * visits(l, k, at.block)
		cost[k] = total(b.base[k], again, levels)
	}
	return true
}

// total returns the cost of a call that is cut short after the given number of levels,
// each of which costs base and makes the given number of calls of the next.
func total(base, again, levels int) int {
	sum := 1
	for range levels {
		sum = base + again*sum
	}
	return sum
}

// call returns a call of function to, without arguments except the one that holds the
// number of real calls. That is zero for calls that lead back, so that recursion ends,
// and one less than the function's own parameter for a call of itself.
func (b *builder) call(to int) *ir.Call {
	l, g := b.leaves[to], b.plan.guards[to]
	b.edges = append(b.edges, edge{b.from, to})
	call := &ir.Call{Func: l.fn, Args: make([]ir.Expr, len(l.claims[0].Args))}
	if !g.on || g.by != ParamCounter {
		return call
	}
	count := &ir.Const{T: ir.U32}
	switch {
	case to > b.from:
		count.V = int64(b.s.Range(0, int(g.calls)))
	case to == b.from:
		count.V = 1
		call.Args = append(call.Args, &ir.Binary{Op: ir.Sub, X: load(b.left[to]), Y: count})
		return call
	}
	call.Args = append(call.Args, count)
	return call
}

// argument returns an expression for parameter i of function to, with the value v
// whenever the place is reached.
func (b *builder) argument(at site, to, i int, v int64) ir.Expr {
	t := ir.Scalar(b.leaves[to].fn.Vars[i].Type)
	if b.plan.pure[to] {
		return &ir.Const{T: t, V: v}
	}
	return b.pass(at, t, v)
}

// pass returns an expression of type t, with the value v whenever the place is reached.
func (b *builder) pass(at site, t ir.Int, v int64) ir.Expr {
	if at.point >= 0 && !b.s.Chance(1, 4) {
		if values := b.leaves[b.from].known[at.point]; len(values) > 0 {
			k := choice.Pick(b.s, values)
			return observe.Adjust(b.s, load(k.Of), k.V, t, v)
		}
	}
	return &ir.Const{T: t, V: v}
}

// replaceOff puts a call that is never made in the place of a constant. It may pass any
// arguments, unless the callee is declared pure. Functions declared pure call only such
// functions, and not in a circle: a compiler may make such a call where the program
// makes none, and it must end.
func (b *builder) replaceOff(at site, to int) {
	if b.o.OnlyLive && b.plan.foreign[to] {
		return
	}
	if _, still := (*at.at).(*ir.Const); !still || b.plan.pure[b.from] && (!b.plan.pure[to] || to <= b.from) {
		return
	}
	c := choice.Pick(b.s, b.leaves[to].claims)
	call := b.call(to)
	for i, v := range c.Args {
		t := ir.Scalar(c.Func.Vars[i].Type)
		call.Args[i] = &ir.Const{T: t, V: v}
		if !b.plan.pure[to] {
			call.Args[i] = b.anything(t)
		}
	}
	b.put(at, observe.Adjust(b.s, call, c.Want, at.t, at.v))
}

// anything returns an expression of type t in the variables of the function at
// hand.
func (b *builder) anything(t ir.Int) ir.Expr {
	if vars := b.leaves[b.from].fn.Vars; len(vars) > 0 {
		v := choice.Pick(b.s, vars)
		if of, scalar := v.Type.(ir.Int); scalar && !v.Volatile {
			return observe.Adjust(b.s, load(v), b.constant(of), t, b.constant(t))
		}
	}
	return &ir.Const{T: t, V: b.constant(t)}
}

func (b *builder) constant(t ir.Int) int64 {
	if t == ir.U64 {
		return int64(b.s.Uint64())
	}
	return b.s.Constant(t.Min(), t.Max())
}

// put puts e in the place of a constant.
func (b *builder) put(at site, e ir.Expr) {
	*at.at = e
	b.out.Sites++
}

// visits returns how often a block is visited, which bounds the evaluations of an
// expression in it; initialisers are evaluated once.
func visits(l *Leaf, claim, block int) int {
	if block < 0 {
		return 1
	}
	return l.visits[claim][block]
}
