package search

import (
	"slices"
	"sync"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// A run is the search for one model.
type run struct {
	evaluator
	trail
	scanner scanner
	labels  labels
	turning turning
	f       *ir.Function
	guide   guide

	switches  []int                 // blocks that end in one
	fixed     []int                 // blocks with a condition without symbols
	triesLeft int                   // further paths to try that reach the exit off the target
	best      found                 // of the paths that came to the exit off the target
	moved     int                   // the last position of a condition that saw new data
	missed    failure               // the last late condition that did not go as it should
	forced    struct{ pos, to int } // a direction that backjump decided, if pos > 0
	stats     solve.Stats
	steps     int              // blocks walked and rows looked at
	budget    int              // steps after which the run is given up
	replaced  map[*ir.Expr]int // number of replacements of operations

	// Backing arrays.
	culprits []*site
	targets  []int32 // of the switch at hand, those that lead to the exit
	trial    []int64 // a copy of a state
	arrays   *arrays
}

// The arrays are those of a run that no model keeps. A run takes those of one that has ended.
type arrays struct {
	sites  []site
	syms   []*ir.Sym
	reads  []int32
	pivots []pivot
	blocks []block
	states []int64
	visits []int32
}

var spare = sync.Pool{New: func() any { return new(arrays) }}

// release ends the run.
func (r *run) release() {
	sc := &r.scanner
	*r.arrays = arrays{sc.sites, sc.syms, sc.reads, sc.pivots, r.blocks, r.states, r.visitRoom}
	spare.Put(r.arrays)
}

func newRun(f *ir.Function, g guide, s *choice.Stream) *run {
	a := spare.Get().(*arrays)
	blocks := slices.Grow(a.blocks[:0], len(f.Blocks))[:len(f.Blocks)]
	clear(blocks)
	r := &run{
		arrays: a,
		f:      f, guide: g,
		evaluator: evaluator{
			layout:  newLayout(f.Vars),
			symbols: symbols{syms: make([]int64, f.Syms), set: make([]bool, f.Syms)},
			s:       s,
			unit:    g.Unit,
			factors: g.Factors,
		},
		trail:   trail{blocks: blocks, states: a.states, visitRoom: a.visits, visitBuf: a.visits},
		scanner: scanner{vars: f.Vars, sites: a.sites[:0], syms: a.syms[:0], reads: a.reads[:0], pivots: a.pivots[:0]},
	}
	r.labels.evaluator = &r.evaluator
	r.turning.run = r
	r.width = r.cells
	if r.unions {
		r.width *= 2
	}
	for i, b := range f.Blocks {
		if _, ok := b.Term.(*ir.Switch); ok {
			r.switches = append(r.switches, i)
		}
	}
	if r.guide.Free {
		r.findFixed()
	}
	r.guide.cycle = locateBlocks(f, r.blocks, g)
	return r
}

// enter makes b the last block of the path. The state on arrival is in place.
func (r *run) enter(b int) {
	if info := &r.blocks[b]; info.sites == nil {
		info.sites = r.scanner.scan(b, r.f.Blocks[b])
	}
	r.push(b)
}

// back shortens the path so that position pos is the last. Labels of switches
// that got their values there or later lose them.
func (r *run) back(pos int) {
	r.shorten(pos)
	r.labels.back(pos)
	r.moved = min(r.moved, pos)
}
