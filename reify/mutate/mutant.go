package mutate

import (
	"slices"
	"strconv"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/observe"
	"goreify/reify/sketch"
)

// A mutant is a variant while it is being made.
type mutant struct {
	seed *Seed
	o    Options
	s    *choice.Stream
	f    *ir.Function
	done []Mutation

	live     map[*ir.Block]bool // it may be visited
	taken    map[edge]bool      // it may be taken
	stmts    map[ir.Stmt]int    // points of the seed by the statement before which they are
	terms    map[*ir.Block]int  // points of the seed at terminators
	arms     []*ir.Expr         // operands that are never evaluated
	hostiles *sketch.Hostile    // made when needed
}

// An edge is one between blocks.
type edge struct{ from, to *ir.Block }

func newMutant(seed *Seed, name string, o Options, s *choice.Stream) *mutant {
	m := &mutant{
		seed: seed, o: o, s: s, f: ir.Clone(seed.fn), live: map[*ir.Block]bool{}, taken: map[edge]bool{},
		stmts: map[ir.Stmt]int{}, terms: map[*ir.Block]int{},
	}
	m.f.Name = name
	for i, b := range m.f.Blocks {
		if !seed.live[i] {
			continue
		}
		m.live[b] = true
		point := seed.t.First(seed.fn.Blocks[i])
		for k, st := range b.Stmts {
			m.stmts[st] = point + k
		}
		m.terms[b] = point + len(b.Stmts)
	}
	for e := range seed.taken {
		m.taken[edge{m.f.Blocks[e[0]], m.f.Blocks[e[1]]}] = true
	}
	if len(seed.arms) > 0 {
		i := 0
		for at := range m.f.Exprs() {
			if len(m.arms) < len(seed.arms) && seed.arms[len(m.arms)] == i {
				m.arms = append(m.arms, at)
			}
			i++
		}
	}
	return m
}

func (m *mutant) entry() *ir.Block { return m.f.Blocks[0] }
func (m *mutant) exit() *ir.Block  { return m.f.Blocks[len(m.f.Blocks)-1] }

// blocks returns the blocks for which ok holds.
func (m *mutant) blocks(ok func(*ir.Block) bool) []*ir.Block {
	var list []*ir.Block
	for _, b := range m.f.Blocks {
		if ok(b) {
			list = append(list, b)
		}
	}
	return list
}

// dead returns the blocks that are never visited.
func (m *mutant) dead() []*ir.Block { return m.blocks(func(b *ir.Block) bool { return !m.live[b] }) }

// target returns any block that may be jumped to.
func (m *mutant) target() *ir.Block { return choice.Pick(m.s, m.f.Blocks[1:]) }

// A spot is a place before a statement of a block, or before its terminator, that
// is a point of the seed.
type spot struct {
	b     *ir.Block
	k     int // index of the statement
	point int
}

// stmt returns the statement at the spot, or nil if it is the terminator.
func (at spot) stmt() ir.Stmt {
	if at.k == len(at.b.Stmts) {
		return nil
	}
	return at.b.Stmts[at.k]
}

// spots returns the spots of live blocks for which ok holds.
func (m *mutant) spots(ok func(spot) bool) []spot {
	var list []spot
	for _, b := range m.f.Blocks {
		if !m.live[b] {
			continue
		}
		for k, st := range b.Stmts {
			if p, is := m.stmts[st]; is && ok(spot{b, k, p}) {
				list = append(list, spot{b, k, p})
			}
		}
		if p, is := m.terms[b]; is && ok(spot{b, len(b.Stmts), p}) {
			list = append(list, spot{b, len(b.Stmts), p})
		}
	}
	return list
}

// spot returns a spot of a live block.
func (m *mutant) spot() spot {
	return choice.Pick(m.s, m.spots(func(spot) bool { return true }))
}

// rows returns the values of the seed's variables each time a point is reached, by
// index of the variable. They are those of the mutant's first variables.
func (m *mutant) rows(at spot) []observe.Row { return m.seed.t.Rows(at.point) }

// scalars returns those of the seed's variables that have a value in each row.
func (m *mutant) scalars(rows []observe.Row) []*ir.Var {
	var list []*ir.Var
	for i := range m.seed.fn.Vars {
		if !slices.ContainsFunc(rows, func(r observe.Row) bool { return !r[i].Known }) {
			list = append(list, m.f.Vars[i])
		}
	}
	return list
}

// addBlock adds a block behind another, or ahead of the exit.
func (m *mutant) addBlock(behind *ir.Block, live bool) *ir.Block {
	b := &ir.Block{Name: fresh("b"+strconv.Itoa(len(m.f.Blocks)), m.f.Blocks, func(b *ir.Block) string { return b.Name })}
	at := min(slices.Index(m.f.Blocks, behind)+1, len(m.f.Blocks)-1)
	m.f.Blocks = slices.Insert(m.f.Blocks, at, b)
	if live {
		m.live[b] = true
	}
	return b
}

// addLocal adds a local without a value.
func (m *mutant) addLocal(name string, t ir.Type) *ir.Var {
	v := &ir.Var{Kind: ir.Local, Type: t, Index: len(m.f.Vars)}
	v.Name = fresh(name, m.f.Vars, func(v *ir.Var) string { return v.Name })
	m.f.Vars = append(m.f.Vars, v)
	return v
}

// fresh returns base, or if one of the list has that name, base with a number.
func fresh[T any](base string, list []T, name func(T) string) string {
	for n := 1; ; n++ {
		word := base
		if n > 1 {
			word += "x" + strconv.Itoa(n)
		}
		if !slices.ContainsFunc(list, func(x T) bool { return name(x) == word }) {
			return word
		}
	}
}

// split moves the statements of a live block from k on, and its terminator, to a block
// of their own, which it returns. The block's new terminator is up to the caller, and
// so is the knowledge about its edges unless the terminator is a goto.
func (m *mutant) split(b *ir.Block, k int) *ir.Block {
	exit := b == m.exit()
	rest := m.addBlock(b, true)
	if exit { // the last block is the one that returns
		n := len(m.f.Blocks)
		m.f.Blocks[n-2], m.f.Blocks[n-1] = b, rest
	}
	rest.Stmts, rest.Term = slices.Clone(b.Stmts[k:]), b.Term
	b.Stmts = slices.Clone(b.Stmts[:k])
	b.Term = &ir.Goto{To: rest}
	if p, ok := m.terms[b]; ok {
		m.terms[rest] = p
		delete(m.terms, b)
	}
	for _, to := range rest.Succs() {
		if m.taken[edge{b, to}] {
			delete(m.taken, edge{b, to})
			m.taken[edge{rest, to}] = true
		}
	}
	m.taken[edge{b, rest}] = true
	return rest
}

// redirect has one of the ways from b to the block from lead to the block to. It
// returns false, and changes nothing, if both targets of an If would be the same.
func redirect(b, from, to *ir.Block) bool {
	switch t := b.Term.(type) {
	case *ir.Goto:
		t.To = to
	case *ir.If:
		if t.Then == to || t.Else == to {
			return false
		}
		if t.Then == from {
			t.Then = to
		} else {
			t.Else = to
		}
	case *ir.Switch:
		for i := range t.Cases {
			if t.Cases[i].To == from {
				t.Cases[i].To = to
			}
		}
		if t.Default == from {
			t.Default = to
		}
	}
	return true
}

// dropUnreachable removes the blocks without a path from the entry.
func (m *mutant) dropUnreachable() {
	seen := map[*ir.Block]bool{m.entry(): true}
	for todo := []*ir.Block{m.entry()}; len(todo) > 0; {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, to := range b.Succs() {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	m.f.Blocks = m.blocks(func(b *ir.Block) bool { return seen[b] })
}

// renumber makes the Index fields right again.
func renumber(f *ir.Function) {
	for i, v := range f.Vars {
		v.Index = i
	}
	for i, b := range f.Blocks {
		b.Index = i
	}
}
