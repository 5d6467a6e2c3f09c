package cfg

import (
	"fmt"
	"slices"

	"goreify/reify/choice"
)

// Options says what graphs Generate draws.
type Options struct {
	// Blocks is the number of blocks that the edges are drawn among, entry and exit not
	// counted: the paper's #BBL. Blocks that the entry does not reach are dropped;
	// those of injected loops are added. 1 to 10000.
	Blocks int
	// Loops is the number of reducible loops to inject (Figure 5). Each
	// replaces a block with one successor; if there are not as many such
	// blocks, all of them are replaced. 0 to 100.
	Loops int
	// LoopBlocks is the largest number of blocks that the body of an injected
	// loop is drawn from, its own entry and exit not counted. 1 to 100; not
	// used without Loops.
	LoopBlocks int
	// Depth is how deep injected loops may nest in each other: in each body
	// above that depth 0 to 2 loops are injected. 1 to 5; not used without
	// Loops.
	Depth int
	// LocalMin and LocalMax are percentages, 0 <= LocalMin <= LocalMax <= 100. Each
	// graph and each loop body draws from this range how many of its edges are local:
	// most lead to the next block, some a little further on or back. Other edges may
	// lead to any block. At 0 to 0 all edges are drawn as in the paper, and most graphs
	// are one large irreducible region.
	LocalMin, LocalMax int
	// Switches is the share in percent of the drawn blocks with two successors that get
	// 3 to 8 instead, as far as there are blocks for it: they are to end in a switch. 0
	// to 100; at 0 nothing is drawn for it.
	Switches int
	// Shapes is the share in percent of the drawn blocks with one successor that are
	// replaced by a small graph that passes look for: a nest of two loops, a switch
	// whose cases meet again (if there are Switches), a half diamond or a diamond. 0 to
	// 100; at 0 nothing is drawn for it.
	Shapes int
	// Machines is the share in percent of the drawn blocks with one successor that are
	// replaced by a switch in a loop. It is also the share of the graphs and bodies of
	// injected loops without such a block that begin with one. 0 to 100; at 0 nothing
	// is drawn for it.
	Machines int
	// Counted is the share in percent of the other blocks with one successor, and of
	// the edge from the entry, that are replaced by counted loops. Such a loop has one
	// to three blocks and a block before it. A block is replaced by one loop, the edge
	// by one or two. 0 to 100; at 0 nothing is drawn for it.
	Counted int
}

// The upper bounds keep the largest graph below half a million blocks.
const (
	maxBlocks     = 10000
	maxLoops      = 100
	maxLoopBlocks = 100
	maxDepth      = 5
	maxNested     = 2 // loops injected into the body of an injected loop
	maxSuccs      = 8 // of a switch
)

// DefaultOptions returns the paper's default of 15 blocks, with loops such that graphs
// have about 45 blocks on average, as the paper's functions do. Measured: mean 44, a
// tenth have 12 or fewer, a tenth 77 or more.
func DefaultOptions() Options {
	return Options{Blocks: 15, Loops: 4, LoopBlocks: 14, Depth: 3, LocalMin: 0, LocalMax: 100}
}

// Validate returns an error that names the first option out of bounds, and the
// bounds.
func (o Options) Validate() error {
	type bound struct {
		name        string
		val, lo, hi int
	}
	bounds := []bound{
		{"Blocks (#BBL)", o.Blocks, 1, maxBlocks},
		{"Loops", o.Loops, 0, maxLoops},
		{"LocalMax", o.LocalMax, 0, 100},
		{"LocalMin", o.LocalMin, 0, o.LocalMax},
		{"Switches", o.Switches, 0, 100},
		{"Shapes", o.Shapes, 0, 100},
		{"Machines", o.Machines, 0, 100},
		{"Counted", o.Counted, 0, 100},
	}
	if o.Loops > 0 {
		bounds = append(bounds,
			bound{"LoopBlocks", o.LoopBlocks, 1, maxLoopBlocks},
			bound{"Depth", o.Depth, 1, maxDepth})
	}
	for _, b := range bounds {
		if b.val < b.lo || b.val > b.hi {
			return fmt.Errorf("cfg: option %s is %d, want %d to %d", b.name, b.val, b.lo, b.hi)
		}
	}
	return nil
}

// Generate draws a graph: step S1 of the paper, with reducible loops injected
// as in Figure 5. The same options and bytes give the same graph. It panics if
// the options are not valid.
//
// It departs from the paper's step in three points. Edges may be local (see Options). A
// kept block without a successor is joined to the exit, so that the exit alone has
// none. If all kept blocks have two successors, so that no block could be joined to the
// exit, one edge is redirected to it.
func Generate(o Options, s *choice.Stream) *Graph {
	if err := o.Validate(); err != nil {
		panic(err)
	}
	drafts := o.Blocks + 1
	if o.Loops > 0 {
		drafts += o.Depth * (o.LoopBlocks + 1)
	}
	b := &builder{o: o, s: s, blocks: make([]succs, 0, 4*o.Blocks), drafts: make([]draft, drafts)}
	b.add(o.Blocks, o.Loops, o.Depth)
	return b.finish()
}

// A builder collects the blocks of a graph in the order of their numbers.
type builder struct {
	o       Options
	s       *choice.Stream
	blocks  []succs
	wide    []wide
	drafts  []draft // memory for the levels that are not finished yet
	scratch []int32 // for short-lived lists of blocks, which do not overlap
}

// succs holds the successors of a block while a graph is built. It is a value
// and small so that the blocks of a graph under construction are one short
// allocation.
type succs struct {
	n  int32
	to [2]int32
}

func (l *succs) list() []int32 { return l.to[:l.n] }

func (l *succs) add(t int32) {
	l.to[l.n] = t
	l.n++
}

// A wide is the successors of a block that has more than two, in place of those
// in its succs.
type wide struct {
	block int32
	to    []int32
}

func (l *succs) swap() { l.to[0], l.to[1] = l.to[1], l.to[0] }

// A level is one drawn graph, before and after loops replace some of its
// blocks.
type level struct {
	// draft holds the blocks that edges were drawn among, and last the exit.
	draft []draft
	first int32 // the successor of the entry, in draft
	wide  []wide

	entry, exit int32 // in the builder
}

// A draft is a block of a level.
type draft struct {
	succs         // in the level
	kept    bool  // reachable from the entry
	tree    int32 // the block that it was first reached from, or -1
	replace bool  // by a loop
	shaped  bool  // replaced by a shape
	machine bool  // which is a machine
	counted bool  // replaced by a counted loop

	// The form of the block in the builder: one block, or a loop or shape with entry in
	// and exit out.
	in, out int32
}

// replaced reports whether more than one block takes the place of the block.
func (d *draft) replaced() bool { return d.replace || d.shaped || d.counted }

// add draws a graph of at most n blocks besides entry and exit, replaces some of its
// blocks by loops, and appends the result. The exit has no successors yet.
func (b *builder) add(n, loops, depth int) level {
	room := b.drafts
	lv := level{draft: room[:n+1]}
	b.drafts = room[n+1:]
	clear(lv.draft)

	b.draw(&lv)
	b.chooseReplaced(&lv, loops)
	b.chooseShaped(&lv)
	b.chooseCounted(&lv)

	lv.entry = b.block()
	last := lv.entry
	isMachine := func(d draft) bool { return d.machine }
	if b.o.Machines > 0 && !slices.ContainsFunc(lv.draft, isMachine) && b.s.Chance(b.o.Machines, 100) {
		var first int32
		first, last = b.machine()
		b.blocks[lv.entry].add(first)
	}
	if b.o.Counted > 0 && lv.entry == 0 {
		last = b.beginCounted(last)
	}
	for i := range lv.draft {
		d := &lv.draft[i]
		switch {
		case d.replace:
			d.in, d.out = b.addLoop(depth)
		case d.machine:
			d.in, d.out = b.machine()
		case d.shaped:
			d.in, d.out = b.addShape()
		case d.counted:
			d.in, d.out = b.addCounted()
		case d.kept:
			d.in = b.block()
			d.out = d.in
		}
	}
	lv.exit = lv.draft[n].in

	b.blocks[last].add(lv.draft[lv.first].in)
	for i := range lv.draft {
		d := &lv.draft[i]
		if !d.kept {
			continue
		}
		from := &b.blocks[d.out]
		for _, t := range d.list() {
			if d.replaced() && t == int32(i) && from.n > 0 {
				continue // its only edge led to itself: the latch has that already
			}
			from.add(lv.draft[t].in)
		}
		if d.replaced() && from.n == 2 && b.s.Chance(1, 2) {
			from.swap()
		}
	}
	for _, w := range lv.wide {
		w.block = lv.draft[w.block].in
		for k, t := range w.to {
			w.to[k] = lv.draft[t].in
		}
		b.wide = append(b.wide, w)
	}
	b.drafts = room
	return lv
}

// addLoop appends the loop of Figure 5 and returns its header and its latch. The header
// is the entry of a graph drawn like any other, and the latch is its exit.
func (b *builder) addLoop(depth int) (header, latch int32) {
	n := b.s.Range(1, b.o.LoopBlocks)
	nested := 0
	if depth > 1 {
		nested = b.s.Range(0, maxNested)
	}
	lv := b.add(n, nested, depth-1)
	b.blocks[lv.exit].add(lv.entry)
	return lv.entry, lv.exit
}

// block appends a block without successors and returns its number.
func (b *builder) block() int32 {
	b.blocks = append(b.blocks, succs{})
	return int32(len(b.blocks) - 1)
}

// chooseReplaced chooses the blocks that loops are to replace.
func (b *builder) chooseReplaced(lv *level, loops int) {
	if loops == 0 {
		return
	}
	candidates := b.scratch[:0]
	for i := range lv.draft {
		if lv.draft[i].kept && lv.draft[i].n == 1 {
			candidates = append(candidates, int32(i))
		}
	}
	for _, i := range b.some(candidates, loops) {
		lv.draft[i].replace = true
	}
	b.scratch = candidates
}

// some moves n random elements to the front of xs, or all if there are fewer,
// and returns them.
func (b *builder) some(xs []int32, n int) []int32 {
	n = min(n, len(xs))
	for i := range n {
		j := i + b.s.Intn(len(xs)-i)
		xs[i], xs[j] = xs[j], xs[i]
	}
	return xs[:n]
}

// finish returns the graph.
func (b *builder) finish() *Graph {
	g := &Graph{Succs: make([][]int, len(b.blocks))}
	backing := make([]int, 0, 2*len(b.blocks))
	for i := range b.blocks {
		at := len(backing)
		for _, t := range b.blocks[i].list() {
			backing = append(backing, int(t))
		}
		g.Succs[i] = backing[at:len(backing):len(backing)]
	}
	for _, w := range b.wide {
		list := make([]int, len(w.to))
		for i, t := range w.to {
			list[i] = int(t)
		}
		g.Succs[w.block] = list
	}
	return g
}
