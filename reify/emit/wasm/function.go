package wasm

import (
	"goreify/reify/emit/structure"
	"goreify/reify/ir"
)

// A function is one that is being written.
type function struct {
	m     *module
	f     *ir.Function
	style Style
	code  code

	slots  []slot
	params int
	locals []byte              // types of those behind the parameters
	free   [4][]int            // locals that are temporary and not in use, by type
	spare  map[uint32][]uint32 // addresses of temporary variables that are not in use, by size
	frame  uint32              // bytes
	fp     int                 // local: the address of the frame
	label  int                 // local: the label at which a dispatcher goes on

	nodes     []structure.Node
	labels    []label
	locations []Location
	returned  int // length of the code behind the last return
}

// A label is a block, a loop or an if that encloses the code at hand.
type label struct {
	node int // -1 if no jump names it
	loop bool
}

func newFunction(m *module, f *ir.Function, style Style) *function {
	return &function{m: m, f: f, style: style, code: code{buf: m.room.buf[:0]}}
}

// write returns the body: locals and code.
func (w *function) write() ([]byte, []Location) {
	w.place()
	w.nodes = structure.Of(w.f.Graph(), w.style.Form, func(block int) bool { return len(w.f.Blocks[block].Stmts) <= 2 })
	if structure.Dispatchers(w.nodes) > 0 {
		w.label = w.local(typeI32)
	}
	c := &w.code
	if w.frame > 0 {
		w.fp = w.local(typeI32)
		c.at(opGlobalGet, w.m.stack())
		c.i32(int64(w.frame), opSub)
		c.at(opLocalTee, w.fp)
		c.at(opGlobalSet, w.m.stack())
	}
	for i := range w.slots {
		s := &w.slots[i]
		switch {
		case s.v.Kind == ir.Param:
			if s.in == globally {
				c.at(opLocalGet, i)
				c.at(opGlobalSet, s.index)
			} else if s.in != local {
				off := w.base(s, 0)
				c.at(opLocalGet, i)
				w.store(s.v.Type, off)
			}
		case !s.v.Kind.Lasts():
			w.initialise(s)
		}
	}
	w.node(0)
	// The last return is not a jump; the code ends there.
	if n := len(c.buf); c.buf[n-1] == byte(opReturn) && w.returned == n {
		c.buf = c.buf[:n-1]
	} else {
		c.op(opUnreachable)
	}
	w.m.room = w.code
	return w.body(), w.locations
}

// body returns the locals and the code, with its end.
func (w *function) body() []byte {
	w.code.op(opEnd)
	head := code{buf: make([]byte, 0, len(w.code.buf)+16)}
	var groups []byte
	n := 0
	for i := 0; i < len(w.locals); n++ {
		j := i
		for j < len(w.locals) && w.locals[j] == w.locals[i] {
			j++
		}
		g := code{buf: groups}
		g.u(uint64(j - i))
		g.byte(w.locals[i])
		groups, i = g.buf, j
	}
	head.u(uint64(n))
	head.buf = append(head.buf, groups...)
	head.buf = append(head.buf, w.code.buf...)
	return head.buf
}

// local returns a new local.
func (w *function) local(t byte) int {
	w.locals = append(w.locals, t)
	return w.params + len(w.locals) - 1
}

// temp returns a local that is free until it is released.
func (w *function) temp(t byte) int {
	k := typeI32 - t
	if n := len(w.free[k]); n > 0 {
		at := w.free[k][n-1]
		w.free[k] = w.free[k][:n-1]
		return at
	}
	return w.local(t)
}

// stash pops a value into a local that is free until it is released.
func (w *function) stash(t byte) int {
	at := w.temp(t)
	w.code.at(opLocalSet, at)
	return at
}

func (w *function) release(t byte, at int) {
	k := typeI32 - t
	w.free[k] = append(w.free[k], at)
}

// node writes a node and all that it dominates.
func (w *function) node(at int) {
	n := &w.nodes[at]
	c := &w.code
	if n.Loop {
		w.begin(opLoop, typeNone, label{at, true})
	}
	for _, j := range n.Joins {
		w.begin(opBlock, typeNone, label{j, false})
	}
	w.locations = append(w.locations, Location{len(c.buf), n.Block})
	if n.Block == structure.Dispatcher {
		w.table(n.Succs, func() { c.at(opLocalGet, w.label) }, nil)
	} else {
		b := w.f.Blocks[n.Block]
		for _, s := range b.Stmts {
			w.stmt(s)
		}
		w.term(b.Term, n.Succs)
	}
	for i := len(n.Joins) - 1; i >= 0; i-- {
		w.end()
		w.node(n.Joins[i])
	}
	if n.Loop {
		w.end()
	}
}

// begin begins a construct with at most one result.
func (w *function) begin(o opcode, result byte, l label) {
	w.code.block(o, result)
	w.labels = append(w.labels, l)
}

// end ends the innermost construct.
func (w *function) end() {
	w.labels = w.labels[:len(w.labels)-1]
	w.code.op(opEnd)
}

// term writes the terminator of a block. Of the edges, i goes to successor i.
func (w *function) term(t ir.Term, edges []structure.Edge) {
	c := &w.code
	switch t := t.(type) {
	case *ir.Goto:
		w.jump(edges[0])
	case *ir.If:
		w.branch(func(not bool) { w.cond(t.Cond, not) }, edges[0], edges[1])
	case *ir.Switch:
		w.choose(t, edges)
	case *ir.Return:
		w.expr(t.Val)
		if w.frame > 0 {
			c.at(opLocalGet, w.fp)
			c.i32(int64(w.frame), opAdd)
			c.at(opGlobalSet, w.m.stack())
		}
		c.op(opReturn)
		w.returned = len(c.buf)
	default:
		panic("wasm: unknown terminator")
	}
}

// jump goes along an edge.
func (w *function) jump(e structure.Edge) {
	if w.toDispatcher(e) {
		w.code.i32(int64(e.Label))
		w.code.at(opLocalSet, w.label)
	}
	if e.Nested {
		w.node(e.To)
		return
	}
	w.code.at(opBr, w.depth(e))
}

func (w *function) toDispatcher(e structure.Edge) bool {
	return w.nodes[e.To].Block == structure.Dispatcher
}

// direct reports whether an edge is a br alone.
func (w *function) direct(e structure.Edge) bool { return !e.Nested && !w.toDispatcher(e) }

// depth returns the label of an edge that is not nested.
func (w *function) depth(e structure.Edge) int {
	for i := len(w.labels) - 1; i >= 0; i-- {
		if l := w.labels[i]; l.node == e.To && l.loop == e.Back {
			return len(w.labels) - 1 - i
		}
	}
	panic("wasm: a jump to what does not enclose it")
}

// branch takes the edge then if the value that cond pushes is not zero, else other.
// With not, cond pushes whether it is zero.
func (w *function) branch(cond func(not bool), then, other structure.Edge) {
	c := &w.code
	switch {
	case w.direct(then):
		cond(false)
		c.at(opBrIf, w.depth(then))
		w.jump(other)
	case w.direct(other):
		cond(true)
		c.at(opBrIf, w.depth(other))
		w.jump(then)
	case then.To == other.To && then.Back == other.Back && !then.Nested: // of one dispatcher
		c.i32(int64(then.Label))
		c.i32(int64(other.Label))
		cond(false)
		c.op(opSelect)
		c.at(opLocalSet, w.label)
		c.at(opBr, w.depth(then))
	case w.style.Blocks:
		w.begin(opBlock, typeNone, label{node: -1})
		cond(true)
		c.at(opBrIf, 0)
		w.jump(then)
		w.end()
		w.jump(other)
	default:
		cond(false)
		w.begin(opIf, typeNone, label{node: -1})
		w.jump(then)
		if then.Nested && other.Nested {
			c.op(opElse)
			w.jump(other)
			w.end()
			return
		}
		w.end()
		w.jump(other)
	}
}

// table takes the edge list[index[i]], where value pushes i, or the last one if i is
// too large. No index is each edge in its turn.
func (w *function) table(edges []structure.Edge, value func(), index []int) {
	c := &w.code
	// Edges that are more than a br are behind blocks of their own, the first one
	// innermost.
	var pads []int
	for i, e := range edges {
		if !w.direct(e) {
			pads = append(pads, i)
		}
	}
	for range pads {
		w.begin(opBlock, typeNone, label{node: -1})
	}
	value()
	to := func(i int) {
		for k, p := range pads {
			if p == i {
				c.u(uint64(k))
				return
			}
		}
		c.u(uint64(w.depth(edges[i])))
	}
	c.op(opBrTable)
	if index == nil {
		c.u(uint64(len(edges) - 1))
		for i := range edges {
			to(i)
		}
	} else {
		c.u(uint64(len(index)))
		for _, i := range index {
			to(i)
		}
		to(len(edges) - 1)
	}
	for _, p := range pads {
		w.end()
		w.jump(edges[p])
	}
}
