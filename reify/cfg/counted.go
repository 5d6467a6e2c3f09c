package cfg

// countedLoops are loops of one to three blocks with a block before them, which sets
// their counters: the form that vectorisers look for. Each appends its blocks as a
// shape does.
var countedLoops = []func(b *builder) (in, out int32){
	(*builder).counted, (*builder).counted, (*builder).counted, (*builder).counted, (*builder).counted,
	(*builder).guarded, (*builder).guarded, (*builder).earlyExit, (*builder).conditionalLoop, (*builder).conditionalLoop,
}

// chooseCounted chooses the blocks that counted loops are to replace.
func (b *builder) chooseCounted(lv *level) {
	if b.o.Counted == 0 {
		return
	}
	for i := range lv.draft {
		d := &lv.draft[i]
		d.counted = d.kept && d.n == 1 && !d.replace && !d.shaped && b.s.Chance(b.o.Counted, 100)
	}
}

// beginCounted appends one or two counted loops after a block, and returns the block
// from which the last loop is left.
func (b *builder) beginCounted(from int32) int32 {
	for range b.s.Range(1, 2) {
		if b.s.Chance(b.o.Counted, 100) {
			in, out := b.addCounted()
			b.blocks[from].add(in)
			from = out
		}
	}
	return from
}

func (b *builder) addCounted() (in, out int32) { return countedLoops[b.s.Intn(len(countedLoops))](b) }

// counted is a block that branches to itself.
func (b *builder) counted() (in, out int32) {
	in, body := b.block(), b.block()
	b.blocks[in].add(body)
	b.blocks[body].add(body)
	return in, body
}

// guarded is a counted loop with a branch around it.
func (b *builder) guarded() (in, out int32) {
	in, body, out := b.block(), b.block(), b.block()
	b.blocks[in].add(body)
	b.blocks[in].add(out)
	b.blocks[body].add(body)
	b.blocks[body].add(out)
	b.mirror(in, body)
	return in, out
}

// earlyExit is a loop of two blocks, each of which can leave it.
func (b *builder) earlyExit() (in, out int32) {
	in, head, latch, found, out := b.block(), b.block(), b.block(), b.block(), b.block()
	b.blocks[in].add(head)
	b.blocks[head].add(latch)
	b.blocks[head].add(found)
	b.blocks[latch].add(head)
	b.blocks[latch].add(out)
	b.blocks[found].add(out)
	b.mirror(head, latch)
	return in, out
}

// conditionalLoop is a loop in which each iteration may skip one of its blocks.
func (b *builder) conditionalLoop() (in, out int32) {
	in, head, then, latch := b.block(), b.block(), b.block(), b.block()
	b.blocks[in].add(head)
	b.blocks[head].add(then)
	b.blocks[head].add(latch)
	b.blocks[then].add(latch)
	b.blocks[latch].add(head)
	b.mirror(head)
	return in, latch
}

// mirror exchanges the successors of half of some blocks that have two.
func (b *builder) mirror(blocks ...int32) {
	for _, i := range blocks {
		if b.s.Chance(1, 2) {
			b.blocks[i].swap()
		}
	}
}
