package link

import "goreify/reify/choice"

// A plan is the decisions about a program before anything is rewritten: the call graph
// on the path, and the end of recursion. Functions have numbers. A call leads back if
// it is of the caller itself or of a function with a smaller number: every cycle has
// such an edge. Calls lead back to guarded functions only.
type plan struct {
	calls  []row // by caller: its callees
	guards []guard
	reset  []bool // whether the function is reset on entry
	pure   []bool // whether the function is to be declared pure or const
	// Foreign functions call none; the dead ones among them have no callers on the
	// path.
	foreign, dead []bool
	reach         []row  // by caller: the functions that it reaches by calls
	memory        []bool // whether a call counts in memory, here or further down
}

type row []bool // by function

// A guard bounds how often a function is really executed.
type guard struct {
	on    bool
	by    Counter
	calls uint32 // executed; by ParamCounter, the most that a call is passed
}

// mostReal bounds the real calls of a guarded function.
const mostReal = 4

// draw draws a plan for the leaves: a call graph of any shape.
func draw(leaves []*Leaf, o Options, s *choice.Stream) *plan {
	n := len(leaves)
	p := &plan{
		calls: matrix(n), reach: matrix(n), guards: make([]guard, n),
		reset: make([]bool, n), pure: make([]bool, n), memory: make([]bool, n), foreign: make([]bool, n), dead: make([]bool, n),
	}
	for i, l := range leaves {
		p.foreign[i], p.dead[i] = l.fn.Foreign != nil, l.dead
		p.pure[i] = l.purity() != Impure && i > 0 && s.Chance(1, 3)
	}
	p.drawEdges(o, s)
	p.drawGuards(leaves, s)
	p.prune(leaves)
	for i, g := range p.guards {
		p.memory[i] = g.on && g.by != ParamCounter
	}
	for i := range n {
		for j := range n {
			if p.reach[i][j] && p.guards[j].on && p.guards[j].by != ParamCounter {
				p.memory[i] = true
			}
		}
	}
	return p
}

func matrix(n int) []row {
	cells := make([]bool, n*n)
	m := make([]row, n)
	for i := range m {
		m[i] = cells[i*n : (i+1)*n]
	}
	return m
}

// drawEdges draws the call graph. Most functions are called by an earlier one, so that
// the first, which main calls, reaches them. Functions that are to be declared pure
// call only such functions, and no call leads back to them: a compiler may make a call
// of a pure function where the program makes none.
func (p *plan) drawEdges(o Options, s *choice.Stream) {
	n := len(p.calls)
	add := func(from, to int) bool {
		pure := p.pure[to]
		if p.foreign[from] || p.dead[to] {
			return false
		}
		may := pure && from < to || !pure && !p.pure[from]
		p.calls[from][to] = p.calls[from][to] || may
		return may
	}
	for to := 1; to < n; to++ {
		if !p.dead[to] && s.Chance(9, 10) {
			for !add(s.Intn(to), to) { // the first function is neither pure nor foreign
			}
		}
	}
	for range n * o.Edges / 100 {
		add(s.Intn(n), s.Intn(n))
	}
}

// drawGuards guards the functions that calls lead back to, and some others. A function
// that writes globals or statics would change the state of an outer call of it. Thus it
// is executed once, or is not called again while it is being executed; see prune.
func (p *plan) drawGuards(leaves []*Leaf, s *choice.Stream) {
	for i, l := range leaves {
		by, calls := Counter(s.Intn(3)), uint32(s.Range(1, mostReal))
		guarded, once := p.backTo(i) || s.Chance(1, 10), s.Chance(1, 2)
		if guarded && !p.pure[i] && !p.foreign[i] {
			if l.stateful() {
				by, calls = by%ParamCounter, 1
			}
			p.guards[i] = guard{true, by, calls}
		}
		p.reset[i] = l.stateful() && !(p.guards[i].on && once)
	}
}

// backTo reports whether a call leads back to function i.
func (p *plan) backTo(i int) bool {
	for from := i; from < len(p.calls); from++ {
		if p.calls[from][i] {
			return true
		}
	}
	return false
}

// recurs reports whether calls that lead back to function i are executed until its
// counter, which is in memory, ends the recursion.
func (p *plan) recurs(i int) bool {
	return p.guards[i].on && p.guards[i].by != ParamCounter && p.backTo(i)
}

// prune removes the calls that lead back and make a cycle with a function that writes
// globals or statics and may be executed twice.
func (p *plan) prune(leaves []*Leaf) {
	p.close()
	for from := range p.calls {
		for to := range from + 1 {
			if p.calls[from][to] && p.harmful(leaves, from, to) {
				p.calls[from][to] = false
			}
		}
	}
	p.close()
}

// harmful reports whether on a cycle through the edge there is a function that
// must not be called while it is being executed.
func (p *plan) harmful(leaves []*Leaf, from, to int) bool {
	for i, l := range leaves {
		if l.stateful() && !p.guards[i].on && (i == to || p.reach[to][i]) && (i == from || p.reach[i][from]) {
			return true
		}
	}
	return false
}

// close computes reachability by Warshall's algorithm.
func (p *plan) close() {
	for i := range p.calls {
		copy(p.reach[i], p.calls[i])
	}
	for via := range p.reach {
		for from := range p.reach {
			if !p.reach[from][via] {
				continue
			}
			for to, does := range p.reach[via] {
				if does {
					p.reach[from][to] = true
				}
			}
		}
	}
}
