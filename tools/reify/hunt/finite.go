package hunt

import (
	"goreify/reify/source"
	"goreify/reify/subject"
)

// A blocks is how far batches have come with a finite source. It is guarded by hunt.mu.
type blocks struct {
	source.Finite
	begun map[string]bool // sums of the inputs of batches
	next  int64           // all before it have begun
	near  []source.Input  // of cells around those that findings are of; they come first
}

// blockSum identifies an input, whichever version drew it.
func blockSum(in source.Input) string { return sum(in.Source, string(in.Data)) }

// left tells whether there is a block that no batch has begun.
func (b *blocks) left() bool {
	all := b.Blocks()
	for len(b.near) > 0 && b.begun[blockSum(b.near[0])] {
		b.near = b.near[1:]
	}
	for b.next < all && b.begun[blockSum(b.Block(b.next))] {
		b.next++
	}
	return len(b.near) > 0 || b.next < all
}

// take returns the next block, if one is left.
func (b *blocks) take() (in source.Input, ok bool) {
	if !b.left() {
		return in, false
	}
	if in = b.Block(b.next); len(b.near) > 0 {
		in = b.near[0]
	}
	b.begun[blockSum(in)] = true
	return in, true
}

// findBlocks finds out how far earlier runs have come with finite kinds.
func (h *hunt) findBlocks() error {
	h.blocks = map[string]*blocks{}
	for _, k := range h.chosen(h.oracle.Targets) {
		f, ok := k.Source.(source.Finite)
		if !ok {
			continue
		}
		begun, err := h.store.inputs(k.Name)
		if err != nil {
			return err
		}
		h.blocks[k.Name] = &blocks{Finite: f, begun: begun}
	}
	shown, err := h.store.shown()
	for _, c := range shown {
		h.look(c.kind, c.Input, c.cell)
	}
	return err
}

// A nearer is a source that knows the cells around one of an input.
type nearer interface {
	Near(in source.Input, cell string) (near source.Input, ok bool)
}

// look has the cells around one that a finding is of asked about next. hunt.mu is held, or
// not needed yet.
func (h *hunt) look(kind string, in source.Input, cell string) {
	if b := h.blocks[kind]; b != nil {
		if n, ok := b.Finite.(nearer); ok {
			if near, ok := n.Near(in, cell); ok {
				b.near = append(b.near, near)
			}
		}
	}
}

// A shownCell is one that a finding is of.
type shownCell struct {
	kind, cell string
	source.Input
}

// mostShown bounds the cells that others are asked about around: a stranger's database may
// have any number.
const mostShown = 1000

// shown returns the cells that findings are of, in the order in which these were found.
func (s *store) shown() ([]shownCell, error) {
	return each(s.db, `SELECT b.kind, c.cell, i.source, i.version, i.data FROM cells c JOIN batches b ON b.number = c.batch JOIN inputs i ON i.batch = c.batch
			WHERE c.seen = 1 AND c.finding <> '' GROUP BY c.batch, c.cell ORDER BY MIN(c.rowid) LIMIT ?`,
		func(c *shownCell) []any { return []any{&c.kind, &c.cell, &c.Source, &c.Version, &c.Data} }, mostShown)
}

// inputs returns the sums of the inputs of the batches of a kind, except for damaged ones.
func (s *store) inputs(kind string) (begun map[string]bool, err error) {
	type row struct {
		source.Input
		sum string
	}
	rows, err := each(s.db, `SELECT i.source, i.version, i.data, i.sum FROM inputs i JOIN batches b ON b.number = i.batch WHERE b.kind = ?`,
		func(r *row) []any { return []any{&r.Source, &r.Version, &r.Data, &r.sum} }, kind)
	begun = map[string]bool{}
	for _, r := range rows {
		if r.sum == "" || r.sum == sumOfInput(r.Input) {
			begun[blockSum(r.Input)] = true
		}
	}
	return begun, err
}

// goingOn returns those of some kinds that have batches to begin. hunt.mu is held.
func (h *hunt) goingOn(kinds []Kind) []Kind {
	return without(kinds, func(k Kind) bool { return h.blocks[k.Name] != nil && !h.blocks[k.Name].left() })
}

// exhausted tells whether all blocks of all kinds have begun.
func (h *hunt) exhausted() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	kinds := h.open()
	return len(kinds) > 0 && len(h.goingOn(kinds)) == 0
}

// draw returns the input of a batch of a kind, if there is one: of a finite kind the next
// block. hunt.mu is held.
func (h *hunt) draw(k Kind, number int64) (in source.Input, ok bool) {
	if b := h.blocks[k.Name]; b != nil {
		return b.take()
	}
	return k.Source.Draw(stream(h.seed, number)), true
}

// redraw returns the input of a batch whose own is lost: what the source drew for it or, if
// the source is finite, a block that no other batch has. If there is none, why says so.
func (h *hunt) redraw(b batch, drawn source.Input) (in source.Input, why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	of := h.blocks[b.kind]
	if of == nil {
		return drawn, ""
	}
	in, ok := of.take()
	if !ok {
		why = "its input is lost, and each block is another batch's"
	}
	return in, why
}

// A lister is a source that knows the names of the cells of its inputs.
type lister interface {
	source.Source
	Cells(in source.Input) ([]string, error)
}

// unmade returns the cells of an input that its subject, which may be nil, does not have.
func unmade(src source.Source, in source.Input, s subject.Subject) (list []failing) {
	l, ok := src.(lister)
	if !ok {
		return nil
	}
	made := map[string]bool{}
	for _, cell := range cellsOf(s) {
		made[cell.Name] = true
	}
	names, _ := l.Cells(in) // there are none of an input that nothing can be made of
	for _, name := range names {
		if !made[name] {
			list = append(list, failing{cell: subject.Cell{Name: name}, verdict: notMade})
		}
	}
	return list
}
