package jvm

import (
	"slices"

	"goreify/reify/ir"
)

// A function is one that is being written as a method.
type function struct {
	m     *module
	f     *ir.Function
	style Style
	c     *code

	vars   []variable
	locals []string // descriptors of local variables by slot, "" for the second half of one
	free   map[string][]int
	shared int // slots of local variables that are not temporary; the others are in use up to len(locals)
	top    int // slots in use, where temporary ones are shared

	blocks []int // labels
	calls  bool  // other functions, which may call it again

	untyped bool // references of pointers are Objects
	lock    int  // local with the monitor that is held, or 0
	again   int  // label of the handler that throws again, or -1
}

func newFunction(m *module, f *ir.Function, style Style) *function {
	return &function{m: m, f: f, style: style, c: newCode(m.pool), free: map[string][]int{}, calls: !f.IsLeaf(), again: -1}
}

// A Location says where the code of a block begins in a method.
type Location struct {
	Offset int // in its bytecode
	Block  int // index in Function.Blocks
}

// write returns the method, and where its blocks begin.
func (w *function) write() (*method, []Location) {
	w.place()
	w.top, w.shared = len(w.locals), len(w.locals)
	for range w.f.Blocks {
		w.blocks = append(w.blocks, w.c.label())
	}
	order := make([]int, len(w.f.Blocks))
	for i := range order {
		order[i] = i
		if w.style.Backward && i > 0 {
			order[i] = len(order) - i
		}
	}
	w.computed()
	starts := make([]int, len(order))
	for k, at := range order {
		w.c.place(w.blocks[at])
		starts[at] = len(w.c.list)
		next := -1
		if k+1 < len(order) && !w.style.Gotos {
			next = order[k+1]
		}
		w.block(w.f.Blocks[at], next)
	}
	if w.again >= 0 {
		w.c.dead = true
		w.c.place(w.again)
		w.c.op(opAthrow)
	}
	body := w.c
	w.c = newCode(w.m.pool)
	w.entry()
	head := w.c
	m := body.write(head, w.locals, w.m.frames)
	var list []Location
	for at, i := range starts {
		list = append(list, Location{m.pcs[len(head.list)+i], at})
	}
	slices.SortStableFunc(list, func(a, b Location) int {
		if a.Offset != b.Offset {
			return a.Offset - b.Offset
		}
		return slices.Index(order, a.Block) - slices.Index(order, b.Block)
	})
	return m, list
}

// entry gives variables their initial values.
func (w *function) entry() {
	slot := 0
	if w.style.Instance {
		slot = 1
	}
	for i := range w.vars {
		x := &w.vars[i]
		switch {
		case x.v.Kind == ir.Param:
			c := x.cols[0]
			k := kind(c.t)
			switch {
			case x.boxed:
				w.set(c, func() {
					w.build(c.t, 1)
					w.c.dup()
					w.c.int(0)
					w.c.load(slot, k)
					w.c.setElement()
				})
			case c.in == field:
				w.set(c, func() { w.c.load(slot, k) })
			}
			slot += slots(k)
		case !x.v.Kind.Lasts():
			w.initialise(x)
		}
	}
	w.clear()
}

// clear gives temporary variables a value, where they have one type for the whole method.
func (w *function) clear() {
	if !w.m.frames {
		return
	}
	for at := w.shared; at < len(w.locals); at++ {
		if d := w.locals[at]; d != "" {
			w.zero(d)
			w.c.store(at, d)
		}
	}
}

// zero pushes the value of a kind that is zero or null.
func (w *function) zero(descriptor string) {
	switch descriptor[0] {
	case 'J':
		w.c.long(0)
	case 'F', 'D':
		w.c.float(descriptor, 0)
	case 'L', '[':
		w.null(descriptor)
	default:
		w.c.int(0)
	}
}

// null pushes null as a reference of a kind.
func (w *function) null(descriptor string) {
	w.c.op(opAconstNull)
	w.c.pop()
	w.c.push(descriptor)
}

// computed stores the initial values of variables that are computed: calls, and
// addresses.
func (w *function) computed() {
	for i := range w.vars {
		if x := &w.vars[i]; !x.v.Kind.Lasts() {
			w.computedOf(x)
		}
	}
}

func (w *function) computedOf(x *variable) {
	c := w.c
	w.addresses(x)
	value := func(e ir.Expr, t ir.Type) {
		w.expr(e)
		w.convert(e.Type(), t)
	}
	at := 0
	cell := func(col *column, indices []int) {
		e := x.v.Init[at]
		at++
		if _, ok := e.(*ir.Const); e == nil || ok {
			return
		}
		if x.boxed {
			w.get(x.cols[0])
			index, t := w.cell(x.v.Type, at-1)
			c.int(int32(index))
			value(e, ir.Cell(x.v.Type, at-1))
			w.toBits(ir.Cell(x.v.Type, at-1), t)
			c.setElement()
			return
		}
		if len(indices) == 0 {
			w.set(col, func() { value(e, col.t) })
			return
		}
		w.get(col)
		w.reachConstant(col, indices)
		value(e, col.t)
		c.setElement()
	}
	switch {
	case x.boxed:
		for range x.v.Init {
			cell(nil, nil)
		}
	case x.shape != nil && x.v.Init != nil:
		x.shape.cells(nil, cell)
	}
}

// temp returns a local variable for values of a descriptor, until it is released. Where
// slots are shared, the last one taken is released first.
func (w *function) temp(descriptor string) int {
	if w.style.Shared && !w.m.frames {
		at := w.top
		w.top += slots(descriptor)
		for len(w.locals) < w.top {
			w.locals = append(w.locals, "")
		}
		return at
	}
	if list := w.free[descriptor]; len(list) > 0 {
		w.free[descriptor] = list[:len(list)-1]
		return list[len(list)-1]
	}
	at := len(w.locals)
	w.locals = w.append(w.locals, descriptor)
	return at
}

// stash pops a value into a local variable until that is released.
func (w *function) stash(descriptor string) int {
	at := w.temp(descriptor)
	w.c.store(at, descriptor)
	return at
}

func (w *function) release(at int, descriptor string) {
	if w.style.Shared && !w.m.frames {
		w.top = at
		return
	}
	w.free[descriptor] = append(w.free[descriptor], at)
}

// block writes a block; next is the one that is written after it, or -1.
func (w *function) block(b *ir.Block, next int) {
	c := w.c
	held := w.style.Monitors && b.Index%3 == 1 && len(b.Stmts) > 0
	caught := w.style.Handlers && b.Index%2 == 1 && len(b.Stmts) > 0
	if held {
		w.enter()
	}
	from, to := c.label(), c.label()
	start := len(c.list)
	c.place(from)
	w.stmts(b.Stmts)
	c.place(to)
	if len(b.Stmts) == 0 {
		next = -1 // so that each block has code of its own
	}
	if held {
		w.leave(from)
	} else if caught && len(c.list) > start {
		if w.again < 0 {
			w.again = c.label()
		}
		catch := 0
		if b.Index%4 == 1 {
			catch = c.p.class("java/lang/RuntimeException")
		}
		c.cover(from, to, w.again, catch)
	}
	w.term(b.Term, next)
}

// enter takes the monitor of the class.
func (w *function) enter() {
	c := w.c
	if w.lock == 0 {
		w.lock = w.temp(objectType)
	}
	c.constant(c.p.class(className), objectType)
	c.dup()
	c.store(w.lock, objectType)
	c.op(opMonitorenter)
}

// leave gives the monitor back, also if the code behind a label throws.
func (w *function) leave(from int) {
	c := w.c
	failed, behind := c.label(), c.label()
	exit := func() {
		end := c.label()
		c.load(w.lock, objectType, opMonitorexit)
		c.place(end)
		c.cover(from, end, failed, 0)
	}
	exit()
	c.jump(opGoto, behind)
	from = failed
	c.place(failed)
	exit()
	c.op(opAthrow)
	c.place(behind)
}

// term writes the terminator of a block.
func (w *function) term(t ir.Term, next int) {
	c := w.c
	to := func(b *ir.Block) {
		if b.Index != next {
			c.jump(opGoto, w.blocks[b.Index])
		}
	}
	switch t := t.(type) {
	case *ir.Goto:
		to(t.To)
	case *ir.If:
		if t.Then.Index == next {
			w.cond(t.Cond, w.blocks[t.Else.Index], false)
			return
		}
		w.cond(t.Cond, w.blocks[t.Then.Index], true)
		to(t.Else)
	case *ir.Switch:
		if len(t.Targets()) == 1 { // all labels lead to the default
			w.expr(t.X)
			c.drop()
			to(t.Default)
			return
		}
		w.choose(t)
	case *ir.Return:
		w.expr(t.Val)
		c.op(of(kind(w.f.Result), opIreturn))
	default:
		panic("jvm: unknown terminator")
	}
}

// initialise gives a variable its initial values: scalars without one are zero.
func (w *function) initialise(x *variable) {
	switch {
	case x.boxed:
		w.initialiseObject(x)
		return
	case x.shape == nil:
		for _, c := range x.cols {
			w.set(c, func() { w.zero(c.descriptor) })
		}
		return
	}
	values := map[*column]map[int]ir.Expr{}
	i := 0
	x.shape.cells(nil, func(c *column, indices []int) {
		if x.v.Init != nil && x.v.Init[i] != nil {
			at := 0
			for k, index := range indices {
				at = at*c.dims[k] + index
			}
			if values[c] == nil {
				values[c] = map[int]ir.Expr{}
			}
			values[c][at] = x.v.Init[i]
		}
		i++
	})
	for _, c := range x.cols {
		w.set(c, func() { w.initial(c, values[c]) })
	}
}

// initial pushes the initial value of a column.
func (w *function) initial(col *column, values map[int]ir.Expr) {
	c := w.c
	if len(col.dims) == 0 {
		w.initialScalar(col.t, values[0])
		return
	}
	if nested := len(col.descriptor) > 2 && col.descriptor[1] == '['; nested {
		for _, n := range col.dims {
			c.int(int32(n))
		}
		c.newArray(col.descriptor, len(col.dims))
	} else {
		c.int(int32(col.length()))
		c.newArray(col.descriptor, 1)
	}
	at := 0
	each(col.dims, nil, func(indices []int) {
		e, ok := values[at].(*ir.Const)
		at++
		if !ok || e.V == 0 {
			return
		}
		c.dup()
		w.reachConstant(col, indices)
		w.initialScalar(col.t, e)
		c.setElement()
	})
}

// initialScalar pushes the constant initial value of a scalar, or zero.
func (w *function) initialScalar(t ir.Type, e ir.Expr) {
	v := int64(0)
	if k, ok := e.(*ir.Const); ok {
		v = k.V
	}
	if f, ok := t.(ir.Float); ok {
		w.c.float(kind(f), float64(v))
		return
	}
	w.c.number(kind(t), v)
}

// lasting returns the variables that keep their values.
func (w *function) lasting() []*variable {
	var list []*variable
	for i := range w.vars {
		if w.vars[i].v.Kind.Lasts() {
			list = append(list, &w.vars[i])
		}
	}
	return list
}
