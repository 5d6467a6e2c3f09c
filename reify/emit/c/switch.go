package c

import (
	"slices"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// A group is adjacent labels of a switch before one jump.
type group struct {
	cases    []ir.SwitchCase
	fallback bool // the default is one of them
	to       int
}

// groups returns the labels of t in the order in which they stand, neighbours
// with one target together, the default last.
func groups(t *ir.Switch) []group {
	var list []group
	for i := range t.Cases {
		c := t.Cases[i : i+1]
		to := c[0].To.Index
		if n := len(list); n > 0 && list[n-1].to == to {
			list[n-1].cases = append(list[n-1].cases, c[0])
			continue
		}
		list = append(list, group{cases: c[:1:1], to: to})
	}
	to := t.Default.Index
	if n := len(list); n > 0 && list[n-1].to == to {
		list[n-1].fallback = true
		return list
	}
	return append(list, group{fallback: true, to: to})
}

// byTarget returns one group for each target of t, in the order of position, so
// that control may fall from one into the next.
func byTarget(t *ir.Switch, position []int) []group {
	var list []group
	for _, g := range groups(t) {
		k := slices.IndexFunc(list, func(h group) bool { return h.to == g.to })
		if k < 0 {
			list = append(list, g)
			continue
		}
		list[k].cases = append(list[k].cases[:len(list[k].cases):len(list[k].cases)], g.cases...)
		list[k].fallback = list[k].fallback || g.fallback
	}
	slices.SortStableFunc(list, func(g, h group) int { return position[g.to] - position[h.to] })
	return list
}

// without returns list without a default that is alone and leads to next: control gets
// there anyway.
func without(list []group, next int) []group {
	return slices.DeleteFunc(list, func(g group) bool { return len(g.cases) == 0 && g.to == next })
}

// switchHead writes the beginning of a switch.
func (f *function) switchHead(t *ir.Switch, depth int) {
	f.begin(depth)
	f.str("switch (")
	f.expr(f.promote(t.X))
	f.str(") {\n")
}

// caseLabels writes the labels of g.
func (f *function) caseLabels(g group, depth int) {
	for _, c := range g.cases {
		f.begin(depth)
		f.str("case ")
		f.expr(f.bare(c.Lo))
		if c.Hi != nil {
			f.str(" ... ")
			f.expr(f.bare(c.Hi))
		}
		f.str(":\n")
	}
	if g.fallback {
		f.line(depth, "default:")
	}
	f.labelled = true
}

// flatSwitch writes a switch whose targets are all written elsewhere.
func (f *function) flatSwitch(t *ir.Switch, at setting, depth int) {
	if f.computed(t) {
		f.computedGoto(t, depth)
		return
	}
	list := without(groups(t), at.next)
	f.switchHead(t, depth)
	at.brk, at.next = at.next, -1
	for _, g := range list {
		f.caseLabels(g, depth)
		f.jumpAway(g.to, at, depth+1)
	}
	f.end(depth)
	f.str("\n")
}

// The most entries that a table of computed gotos has, and the most for each
// value that has a label.
const (
	maxTable   = 64
	maxSparsed = 4
)

// span returns the smallest label of t, the number of values from there to the largest,
// and how many of them have a label. If there are too many or none, it returns 0 for
// the number.
func span(t *ir.Switch) (low int64, values, labelled int) {
	low, high, ok := frame.Bounds(t)
	if !ok {
		return 0, 0, 0
	}
	for _, c := range t.Cases {
		lo, hi := frame.Limits(c)
		labelled += int(min(uint64(hi)-uint64(lo), maxTable)) + 1
	}
	width := uint64(high) - uint64(low)
	if width >= maxTable {
		return 0, 0, 0
	}
	return low, int(width) + 1, labelled
}

// computed reports whether t is written as a computed goto: its labels are dense.
func (f *function) computed(t *ir.Switch) bool {
	if !f.unit.Style.ComputedGoto {
		return false
	}
	_, values, labelled := span(t)
	return values > 0 && values <= maxSparsed*labelled
}

// computedGoto writes t as a jump by way of a table of labels, whose last entry
// is the default.
func (f *function) computedGoto(t *ir.Switch, depth int) {
	low, values, _ := span(t)
	table := make([]int, values+1)
	for i := range table {
		table[i] = t.Default.Index
	}
	for _, c := range t.Cases {
		lo, hi := frame.Limits(c)
		for v := lo; ; v++ {
			table[v-low] = c.To.Index
			if v == hi {
				break
			}
		}
	}
	typ := ir.IntOf(t.X)
	typ.Signed = false
	targets, index := f.names.targets, f.names.index
	f.line(depth, "{")
	f.begin(depth + 1)
	f.str("static const void *const " + targets + "[] = {")
	for i, b := range table {
		if i > 0 {
			f.str(",")
			f.space(blanks[:(depth+2)*indentWidth])
		}
		f.jumpsTo(b)
		f.str("&&" + f.names.labels[b])
	}
	f.str("};\n")
	f.begin(depth + 1)
	f.str(typeName(typ) + " " + index + " = ")
	f.buf = f.appendConvert(f.buf, typ, t.X, additivePrec)
	if low != 0 {
		f.str(" - ")
		f.constant(typ, typ.Wrap(low))
	}
	f.str(";\n")
	f.line(depth+1, "goto *"+targets+"["+index+" < "+itoa(values)+" ? "+index+" : "+itoa(values)+"];")
	f.line(depth, "}")
}
