package jvm

import (
	"math"
	"slices"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// The most values that a range of a lookup has, and entries that a table has.
const (
	maxLookup = 64
	maxTable  = 1024
)

// choose writes a switch; labels are those of blocks.
func (w *function) choose(t *ir.Switch) {
	c := w.c
	k := kind(ir.IntOf(t.X))
	lo, hi, ints := int64(math.MaxInt64), int64(math.MinInt64), k == "I"
	values := map[int32]int{}
	n := int64(0)
	for _, one := range t.Cases {
		from, to := frame.Limits(one)
		if k == "I" && !ir.IntOf(t.X).Signed {
			ints = ints && to <= math.MaxInt32 // as ints, values are in their order
		}
		lo, hi = min(lo, from), max(hi, to)
		if n += to - from + 1; n > maxTable || to-from >= maxTable {
			ints = false
			break
		}
	}
	if len(t.Cases) == 0 || n > maxLookup && hi-lo >= maxTable {
		ints = false
	}
	if !ints || w.style.Switch == Chain {
		w.chain(t, k)
		return
	}
	var sorted []int32
	for _, one := range t.Cases {
		from, to := frame.Limits(one)
		for v := from; v <= to; v++ {
			values[int32(v)] = w.blocks[one.To.Index]
			sorted = append(sorted, int32(v))
		}
	}
	slices.Sort(sorted)
	s := &choices{lo: int32(lo), fallout: w.blocks[t.Default.Index]}
	w.expr(t.X)
	if w.style.Switch == Usual && hi-lo < maxTable && hi-lo <= 8*n || n > maxLookup {
		for v := lo; v <= hi; v++ {
			if to, ok := values[int32(v)]; ok {
				s.labels = append(s.labels, to)
			} else {
				s.labels = append(s.labels, s.fallout)
			}
		}
		c.choose(opTableswitch, s)
		return
	}
	for _, v := range sorted {
		s.values, s.labels = append(s.values, v), append(s.labels, values[v])
	}
	c.choose(opLookupswitch, s)
}

// chain compares with one label after another. For a range, the distance from its first
// value is compared with its length, both unsigned.
func (w *function) chain(t *ir.Switch, k string) {
	c := w.c
	w.expr(t.X)
	tmp := w.stash(k)
	for _, one := range t.Cases {
		if one.To == t.Default {
			continue
		}
		from, to := frame.Limits(one)
		c.load(tmp, k)
		c.number(k, from)
		block := w.blocks[one.To.Index]
		if from == to {
			if k == "J" {
				c.op(opLcmp)
				c.jump(opIfeq, block)
			} else {
				c.jump(opIfIcmpeq, block)
			}
			continue
		}
		c.op(of(k, opIsub))
		c.number(k, to-from)
		w.invokeStatic(k, "compareUnsigned", "("+k+k+")I")
		c.jump(opIfeq+conditions[ir.Le], block)
	}
	w.release(tmp, k)
	c.jump(opGoto, w.blocks[t.Default.Index])
}
