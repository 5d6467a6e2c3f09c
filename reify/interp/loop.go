package interp

import (
	"slices"

	"goreify/reify/ir"
)

// loopCheckAfter is the number of block visits after which endless loops are
// looked for, unless the run is brief: the paths we generate are shorter and do not pay.
const loopCheckAfter = 256

// A loopDetector finds out that the state repeats, by Brent's algorithm: keep
// one state, compare each later one with it, and replace it after 1, 2, 4,
// 8, ... comparisons. A run is deterministic, so a state that comes back comes
// back for ever; and if it does, then some saved state lies on the cycle and
// is kept for at least one time round. A cycle of n visits entered after k is
// found within 3*(k+n) visits or so, and nothing else is ever reported.
//
// Each activation of a function has its own detector, for the state that it and its
// callees can change. This state is its variables, the globals and statics of all
// functions, and the variables of its callers once there are pointers to locals.
//
// Which scalars have a value is not compared. That does not decide the path: if fewer
// had values the second time, the run would not end either, or would end with the read
// of one of those.
type loopDetector struct {
	block *ir.Block // nil if nothing is saved yet
	mem   []int64
	left  int // comparisons left before the saved state is replaced
	size  int // comparisons to make with the saved state, a power of two

	// sideEffect says that a volatile object has been accessed since the state
	// was saved: accesses are side effects (5.1.2.3p2), and a loop with side
	// effects may go on for ever (6.8.5p6).
	sideEffect     bool
	everSideEffect bool // since the function was entered
}

func (l *loopDetector) noteSideEffect() { l.sideEffect, l.everSideEffect = true, true }

// checkLoop is called when a block is entered. It returns an EndlessLoop if
// the state is the saved one.
func (m *storage) checkLoop() error {
	l := &m.at.loop
	own, shared := m.mem.cells[m.at.start:], m.mem.cells[:min(m.callersMemory(), m.at.start)]
	if l.block == m.at.block && !l.sideEffect && len(l.mem) == len(own)+len(shared) &&
		slices.Equal(l.mem[:len(own)], own) && slices.Equal(l.mem[len(own):], shared) {
		return m.at.ub(EndlessLoop, "the state is that of %d block visits ago", l.size-l.left)
	}
	if l.left > 0 {
		l.left--
		return nil
	}
	l.block = m.at.block
	l.mem = append(append(l.mem[:0], own...), shared...)
	l.size = max(1, 2*l.size)
	l.left = l.size - 1
	l.sideEffect = false
	return nil
}
