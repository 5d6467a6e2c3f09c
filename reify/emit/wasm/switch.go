package wasm

import (
	"goreify/reify/emit/frame"
	"goreify/reify/emit/structure"
	"goreify/reify/ir"
)

// maxTable bounds the entries of a br_table, and sparsest the entries for each label.
const (
	maxTable = 512
	sparsest = 8
)

// choose writes a switch. The last edge is that of the default.
func (w *function) choose(t *ir.Switch, edges []structure.Edge) {
	if len(edges) == 1 { // all labels lead to the default
		w.expr(t.X)
		w.code.op(opDrop)
		w.jump(edges[0])
		return
	}
	targets := t.Targets()
	of := func(b *ir.Block) int {
		for i, other := range targets {
			if other == b {
				return i
			}
		}
		panic("wasm: a label without a target")
	}
	lo, hi, ok := frame.Bounds(t)
	span := uint64(hi) - uint64(lo)
	if ok && !w.style.Chains && span < maxTable && span < uint64(sparsest*len(t.Cases)+sparsest) {
		index := make([]int, span+1)
		for i := range index {
			index[i] = len(edges) - 1
		}
		for _, c := range t.Cases {
			from, to := frame.Limits(c)
			for v := from; ; v++ {
				index[uint64(v)-uint64(lo)] = of(c.To)
				if v == to {
					break
				}
			}
		}
		w.table(edges, func() { w.tableIndex(t.X, lo, span) }, index)
		return
	}
	w.chain(t, edges, of)
}

// tableIndex pushes e - lo, or a value larger than span.
func (w *function) tableIndex(e ir.Expr, lo int64, span uint64) {
	c := &w.code
	t := valueType(ir.IntOf(e))
	w.expr(e)
	if lo != 0 {
		c.number(t, lo, opSub)
	}
	if t == typeI32 {
		return
	}
	tmp := w.temp(t)
	c.at(opLocalTee, tmp, opI32WrapI64)
	c.i32(int64(span) + 1)
	c.at(opLocalGet, tmp)
	c.i64(int64(span), opLeU, opSelect)
	w.release(t, tmp)
}

// chain compares with one label after another. Edges that are more than a br are behind
// blocks of their own, as in a table.
func (w *function) chain(t *ir.Switch, edges []structure.Edge, to func(*ir.Block) int) {
	c := &w.code
	kind := valueType(ir.IntOf(t.X))
	var pads []int
	last := len(edges) - 1
	for i, e := range edges[:last] {
		if !w.direct(e) {
			pads = append(pads, i)
		}
	}
	w.expr(t.X)
	tmp := w.local(kind) // it is also valid in blocks that are jumped to
	c.at(opLocalSet, tmp)
	for range pads {
		w.begin(opBlock, typeNone, label{node: -1})
	}
	for _, k := range t.Cases {
		i := to(k.To)
		if i == last {
			continue
		}
		from, end := frame.Limits(k)
		c.at(opLocalGet, tmp)
		c.number(kind, from)
		if from == end {
			c.op(opEq.of(kind))
		} else {
			c.op(opSub.of(kind))
			c.number(kind, end-from, opLeU)
		}
		depth := -1
		for n, p := range pads {
			if p == i {
				depth = n
			}
		}
		if depth < 0 {
			depth = w.depth(edges[i])
		}
		c.at(opBrIf, depth)
	}
	w.jump(edges[last])
	for _, p := range pads {
		w.end()
		w.jump(edges[p])
	}
}
