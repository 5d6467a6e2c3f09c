package search

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// A site is a statement, the condition that ends a block, or the value that
// the function returns.
type site struct {
	block  int
	stmt   ir.Stmt   // nil if it is not a statement
	dst    ir.Place  // what an Assign writes to, else nil
	expr   ir.Expr   // the value assigned, the condition, the value returned
	over   ir.Int    // the type of the operands, if it is an operator; else its own
	syms   []*ir.Sym // in the order of evaluation
	reads  []int32   // variables, by index
	writes int       // variable, by index; -1 for none or one that a pointer points to
	also   []int32   // what else it may write to
	pivots []pivot   // of a condition: what it can be solved for
	fails  int       // how often it was given up
}

// A block is what a run knows of a block of the function.
type block struct {
	sites  []site  // nil until the block is first met; the condition last
	visits []int32 // the positions on the path that visit it
	// rooms holds, for a condition, the values of its constant that are right
	// for the first one, two, ... visits, as far as that has been worked out for
	// the values that its other symbols have.
	rooms  []interval
	values []int64 // of a switch: the value at each visit
	// Where a walk got stuck going the other way, and how often.
	leaveTo, leave int

	exit  int32 // steps to the exit of the function, -1 if it is out of reach
	loop  int32 // number of the strongly connected component
	round int32 // steps to the block to go round, -1 if it is out of reach
	loops bool  // whether a path can lead from the block back to it
	stays bool  // whether a path that reaches the exit can lead to a loop
}

// A run is the search for one model.
type run struct {
	f           *ir.Function
	s           *choice.Stream
	guide       guide
	path        []int
	offset      []int   // by variable: where its scalars begin in a state
	cells       int     // scalars
	width       int     // of a state, in numbers
	unions      bool    // the state tells which scalars have a value
	owners      []int32 // by scalar: the variable that it belongs to; see varAt
	blocks      []block
	states      []int64 // state on arrival at each position of the path, and scratch
	syms        []int64
	set         []bool
	again       int                   // more paths to try that come to the exit off the target
	cycle       int                   // blocks of the shortest cycle through the block to go round
	moved       int                   // the last position of a condition that saw new data
	missed      failure               // the last late condition that did not go as it should
	best        found                 // of the paths that came to the exit off the target
	forced      struct{ pos, to int } // a direction that repair decided, if pos > 0
	daring      bool                  // let values in loops come near to overflowing
	stats       solve.Stats
	steps       int              // blocks walked and rows looked at
	budget      int              // steps after which the run is given up
	unsupported string           // what a walk has met that it does not follow, or ""
	replaced    map[*ir.Expr]int // how often something took the place of what was there

	// Backing arrays, so that a run costs few allocations.
	siteBuf  []site
	symBuf   []*ir.Sym
	readBuf  []int32
	visitBuf []int32
	pivotBuf []pivot
	rows     []row   // of the condition at hand
	saved    []int64 // its symbols
	culprits []*site
	targets  []int32    // of the switch at hand, those that lead to the exit
	used     []interval // what its labels cannot be
	labels   []setLabel // in the order in which they got values
	trial    []int64    // a copy of a state
	switches []int      // blocks that end in one
}

func newRun(f *ir.Function, g guide, s *choice.Stream) *run {
	r := &run{
		f: f, s: s, guide: g,
		offset: make([]int, len(f.Vars)),
		blocks: make([]block, len(f.Blocks)),
		syms:   make([]int64, f.Syms),
		set:    make([]bool, f.Syms),
	}
	for i, v := range f.Vars {
		r.offset[i] = r.cells
		r.cells += ir.Count(v.Type)
		r.unions = r.unions || ir.HasUnion(v.Type)
	}
	r.width = r.cells
	if r.unions {
		r.width *= 2
	}
	for i, b := range f.Blocks {
		if _, ok := b.Term.(*ir.Switch); ok {
			r.switches = append(r.switches, i)
		}
	}
	r.survey()
	return r
}

// state returns the state on arrival at position i of the path. It is valid
// until the path grows.
func (r *run) state(i int) []int64 { return r.states[i*r.width : (i+1)*r.width] }

// enter makes b the last block of the path. The state on arrival is in place.
func (r *run) enter(b int) {
	info := &r.blocks[b]
	if info.sites == nil {
		r.scan(b)
	}
	if info.visits == nil {
		info.visits = r.room(4)
	}
	info.visits = append(info.visits, int32(len(r.path)))
	r.path = append(r.path, b)
	// One more state, for what the block computes.
	if need := (len(r.path) + 1) * r.width; len(r.states) < need {
		grown := make([]int64, max(2*len(r.states), need, 32*r.width))
		copy(grown, r.states)
		r.states = grown
	}
}

// room returns an empty slice of a capacity, cut from a larger one.
func (r *run) room(n int) []int32 {
	if len(r.visitBuf) < n {
		r.visitBuf = make([]int32, 32*n)
	}
	s := r.visitBuf[:0:n]
	r.visitBuf = r.visitBuf[n:]
	return s
}

// back shortens the path so that position pos is the last.
func (r *run) back(pos int) {
	for i := len(r.path) - 1; i > pos; i-- {
		info := &r.blocks[r.path[i]]
		info.visits = info.visits[:len(info.visits)-1]
		info.rooms = info.rooms[:min(len(info.rooms), max(0, len(info.visits)-1))]
	}
	for n := len(r.labels); n > 0 && r.labels[n-1].pos >= pos; n-- {
		r.set[r.labels[n-1].id] = false
		r.labels = r.labels[:n-1]
	}
	r.path = r.path[:pos+1]
	r.moved = min(r.moved, pos)
}

// scan lists the sites of block b.
func (r *run) scan(b int) {
	block := r.f.Blocks[b]
	if n := len(block.Stmts) + 1; cap(r.siteBuf)-len(r.siteBuf) < n {
		r.siteBuf = make([]site, 0, max(n, 32)) // what is in the old one stays
	}
	from := len(r.siteBuf)
	for _, s := range block.Stmts {
		switch s := s.(type) {
		case *ir.Assign:
			if _, ok := s.Src.(*ir.Checksum); ok {
				r.unsupported = fmt.Sprintf("%s is assigned a checksum", s.Dst)
			}
			at := site{block: b, stmt: s, dst: s.Dst, expr: s.Src, writes: rootOf(s.Dst)}
			if at.writes < 0 {
				at.also = r.written(nil, s.Dst)
			}
			r.addSite(at)
		default:
			r.addStatement(b, s)
		}
	}
	switch t := block.Term.(type) {
	case *ir.If:
		r.addSite(site{block: b, expr: t.Cond, writes: -1})
		from := len(r.pivotBuf)
		r.pivotBuf = pivots(t.Cond, r.siteBuf[len(r.siteBuf)-1].over, 0, 0, true, r.pivotBuf)
		r.siteBuf[len(r.siteBuf)-1].pivots = r.pivotBuf[from:len(r.pivotBuf):len(r.pivotBuf)]
	case *ir.Switch:
		r.addSite(site{block: b, expr: t.X, writes: -1})
	case *ir.Return:
		r.addSite(site{block: b, expr: t.Val, writes: -1})
	}
	to := len(r.siteBuf)
	r.blocks[b].sites = r.siteBuf[from:to:to]
	if from == to {
		r.blocks[b].sites = []site{}
	}
}

func (r *run) addSite(at site) {
	if b, ok := at.expr.(*ir.Binary); ok {
		at.over = b.X.Type()
	} else {
		at.over = at.expr.Type()
	}
	syms, reads := len(r.symBuf), len(r.readBuf)
	r.collect(at.expr)
	if at.dst != nil {
		r.collect(at.dst)
	}
	at.syms = r.symBuf[syms:len(r.symBuf):len(r.symBuf)]
	at.reads = r.readBuf[reads:len(r.readBuf):len(r.readBuf)]
	r.siteBuf = append(r.siteBuf, at)
}
