package interp

import (
	"math/bits"

	"goreify/reify/ir"
)

// The order in which operands are evaluated is not specified (6.5p3). Calls are
// indeterminately sequenced with everything in the full expression that neither is in
// their arguments nor uses their value (6.5.2.2p10): each of two such calls may be
// executed before the other, though never a part of one between parts of the other. The
// order does not matter if neither call reads memory that the other has written: then
// each does the same wherever it is executed. If both write one object, its value
// afterwards depends on the order, and must not be read until it is written again.

// There is a sequence point between the condition of ?:, or the left operand of && and
// ||, and what is evaluated after it (6.5.13p4, 6.5.14p4, 6.5.15p4). It orders these
// two, and neither of them with any other operand. While the second is evaluated, the
// accesses of the first are hidden; then both are visible.

// ordering knows the accesses whose order matters.
type ordering struct {
	accesses  []access // of the full expressions (6.8p4) that are being evaluated
	hidden    []span   // accesses that a sequence point orders with the next one
	ambiguous bitset   // by scalar: its value depends on the order of calls
	bits      bitset   // room for effects
}

// A span is a range of accesses, the first and the one after the last.
type span struct{ from, to int }

// sequencePoint hides the accesses since one of them until show is called.
func (m *ordering) sequencePoint(since int) {
	m.hidden = append(m.hidden, span{since, len(m.accesses)})
}

// show ends the effect of the last call of sequencePoint.
func (m *ordering) show() { m.hidden = m.hidden[:len(m.hidden)-1] }

// visible returns the first access from i on that is not hidden.
func (m *ordering) visible(i int) int {
	for _, h := range m.hidden { // in order, and apart from each other
		if h.from <= i && i < h.to {
			i = h.to
		}
	}
	return i
}

// An access is a read of a global, static or volatile, or a call, in a full expression.
// They stand in the order in which they have ended.
type access struct {
	since    int      // accesses from here on are in its arguments or indices, and precede it
	addr     int      // of the scalar read; unused for a call
	volatile bool     // the read is a side effect
	call     *effects // nil for a read
}

// effects is the set of accesses of a call to globals and statics, and to the locals of
// its callers if a pointer has been made to any, by address.
type effects struct {
	size   int    // of the memory that the caller can see: addresses are below
	reads  bitset // of values from before the call
	writes bitset
}

// newEffects returns the empty effects of a call that has not begun yet. The sets of
// several calls are allocated at a time.
func (m *ordering) newEffects(size int) *effects {
	const calls = 16
	n := words(size)
	if len(m.bits) < 2*n {
		m.bits = make(bitset, 2*n*calls)
	}
	e := &effects{size, m.bits[:n:n], m.bits[n : 2*n : 2*n]}
	m.bits = m.bits[2*n:]
	return e
}

// merge adds the effects of a nested call, of which the caller may see less.
func (e *effects) merge(done *effects) {
	for k, written := range e.writes {
		visible := ^uint64(0)
		if last := e.size - 64*k; last < 64 {
			visible = 1<<last - 1
		}
		e.reads[k] |= done.reads[k] &^ written & visible
		e.writes[k] |= done.writes[k] & visible
	}
}

// readVolatile notes the side effect of a read of the volatile scalar at addr.
func (m *storage) readVolatile(addr int) error {
	m.at.loop.noteSideEffect()
	for i := m.order.visible(m.at.first); i < len(m.order.accesses); i = m.order.visible(i + 1) {
		if a := &m.order.accesses[i]; a.volatile && a.addr == addr {
			return m.at.ub(UnsequencedAccess, "volatile %s is read twice", m.nameOf(addr))
		}
	}
	return nil
}

// read notes that the current function reads the scalar at addr, which is volatile or
// can be accessed by others. Accesses from since on have been made to locate it.
func (m *storage) read(addr, since int, volatile bool) error {
	if m.mem.images != nil {
		if m.order.ambiguous.has(addr) {
			return m.at.ub(UnspecifiedOrder, "%s was written by several calls of one expression", m.nameOf(addr))
		}
		if m.at.called {
			for i := m.order.visible(m.at.first); i < since; i = m.order.visible(i + 1) {
				if c := m.order.accesses[i].call; c != nil && c.writes.has(addr) {
					return m.unordered(addr)
				}
			}
		}
		if e := m.at.effects; e != nil && addr < e.size && !e.writes.has(addr) {
			e.reads.add(addr)
		}
	}
	m.order.accesses = append(m.order.accesses, access{since: since, addr: addr, volatile: volatile})
	return nil
}

// wrote notes that the current function has written memory that other functions can
// access. Stores come after all that the full expression evaluates (6.5.16p3).
func (m *storage) wrote(addr int) {
	if m.mem.images == nil {
		return
	}
	m.order.ambiguous.remove(addr)
	if e := m.at.effects; e != nil && addr < e.size {
		e.writes.add(addr)
	}
}

// returned notes that the current function has made a call. Accesses from since
// on are in its arguments.
func (m *storage) returned(done *effects, since int) error {
	for i := m.order.visible(m.at.first); i < since; i = m.order.visible(i + 1) {
		other := m.order.accesses[i].call
		if other == nil {
			if addr := m.order.accesses[i].addr; done.writes.has(addr) {
				return m.unordered(addr)
			}
			continue
		}
		if addr := common(done.writes, other.reads); addr >= 0 {
			return m.unordered(addr)
		}
		if addr := common(done.reads, other.writes); addr >= 0 {
			return m.unordered(addr)
		}
		for k := range min(len(done.writes), len(other.writes)) {
			both := done.writes[k] & other.writes[k]
			if k < len(m.order.ambiguous) {
				m.order.ambiguous[k] |= both
			} else {
				m.order.ambiguous = append(m.order.ambiguous, both)
			}
		}
	}
	if m.at.effects != nil {
		m.at.effects.merge(done)
	}
	m.order.accesses = append(m.order.accesses, access{since: since, call: done})
	m.at.called = true
	return nil
}

// unordered returns the error for the scalar at addr.
func (m *storage) unordered(addr int) error {
	f, name := m.owner(addr)
	return m.at.ub(UnspecifiedOrder, "%s of @%s is written by a call and read beside it", name, f.Name)
}

// nameOf writes the scalar at addr.
func (m *storage) nameOf(addr int) string {
	_, name := m.owner(addr)
	return name
}

// owner returns the function that the scalar at addr belongs to, and its name.
func (m *storage) owner(addr int) (*ir.Function, string) {
	in := func(v *ir.Var, from int) bool { return from <= addr && addr < from+ir.Count(v.Type) }
	for i, v := range m.at.f.Vars {
		if in(v, m.at.base[i]) {
			return m.at.f, scalarName(v, addr-m.at.base[i])
		}
	}
	for _, f := range m.mem.linked {
		for i, v := range f.Vars {
			if from := m.mem.images[f].base[i]; v.Kind.Lasts() && in(v, from) {
				return f, scalarName(v, addr-from)
			}
		}
	}
	for _, o := range m.mem.objects {
		if !o.ended && in(o.v, o.base) { // a local of an activation that has made a call
			return m.at.f, scalarName(o.v, addr-o.base)
		}
	}
	panic("interp: an access to no object")
}

// A bitset is a set of addresses below a bound that is known when it is made.
type bitset []uint64

func newBitset(size int) bitset { return make(bitset, words(size)) }
func words(size int) int        { return (size + 63) / 64 }

// Addresses beyond the bound are never in the set, and cannot be added.

func (b bitset) has(i int) bool { return i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) add(i int) { b[i/64] |= 1 << (i % 64) }

func (b bitset) remove(i int) {
	if i/64 < len(b) {
		b[i/64] &^= 1 << (i % 64)
	}
}

// common returns an element of both sets, or -1.
func common(a, b bitset) int {
	for k := range min(len(a), len(b)) {
		if both := a[k] & b[k]; both != 0 {
			return 64*k + bits.TrailingZeros64(both)
		}
	}
	return -1
}
