package cfg

// maxCases bounds the cases of a shape that is a switch, the default not
// counted.
const maxCases = 6

// MaxShape is the largest number of blocks that replace a block; see Options.Shapes,
// Options.Machines and Options.Counted.
const MaxShape = maxCases + 3 + 2*maxForks

// maxForks bounds the cases of a machine that end in a branch.
const maxForks = 2

// shapes are small graphs that passes look for. Each appends its blocks, and returns
// its entry and its exit. The exit has no successors yet.
var shapes = []func(b *builder) (in, out int32){
	(*builder).nest, (*builder).nest, (*builder).nest,
	(*builder).table, (*builder).table,
	(*builder).half, (*builder).diamond,
}

// chooseShaped chooses the blocks that shapes are to replace.
func (b *builder) chooseShaped(lv *level) {
	for i := range lv.draft {
		d := &lv.draft[i]
		if !d.kept || d.n != 1 || d.replace {
			continue
		}
		d.machine = b.o.Machines > 0 && b.s.Chance(b.o.Machines, 100)
		d.shaped = d.machine || b.o.Shapes > 0 && b.s.Chance(b.o.Shapes, 100)
	}
}

func (b *builder) addShape() (in, out int32) { return shapes[b.s.Intn(len(shapes))](b) }

// nest is a loop around a block that branches to itself.
func (b *builder) nest() (in, out int32) {
	in, body, latch := b.block(), b.block(), b.block()
	b.blocks[in].add(body)
	b.blocks[body].add(body)
	b.blocks[body].add(latch)
	if b.s.Chance(1, 2) {
		b.blocks[body].swap()
	}
	b.blocks[latch].add(in)
	return in, latch
}

// table is a switch whose cases meet again at once, or a diamond if there are to be no
// switches.
func (b *builder) table() (in, out int32) {
	if b.o.Switches == 0 {
		return b.diamond()
	}
	in = b.block()
	w := wide{block: in}
	for range b.s.Range(3, maxCases) + 1 {
		w.to = append(w.to, b.block())
	}
	out = b.block()
	for _, c := range w.to {
		b.blocks[c].add(out)
	}
	b.wide = append(b.wide, w)
	return in, out
}

// machine is a switch whose cases meet at a block that leads back to it. Some cases
// lead there through a branch.
func (b *builder) machine() (in, out int32) {
	in = b.block()
	w := wide{block: in}
	for range b.s.Range(3, maxCases) + 1 {
		w.to = append(w.to, b.block())
	}
	out = b.block()
	forks := b.s.Intn(maxForks + 1)
	for i, c := range w.to {
		if i >= forks {
			b.blocks[c].add(out)
			continue
		}
		for range 2 {
			way := b.block()
			b.blocks[c].add(way)
			b.blocks[way].add(out)
		}
	}
	b.s.Shuffle(len(w.to), func(i, j int) { w.to[i], w.to[j] = w.to[j], w.to[i] })
	b.blocks[out].add(in)
	b.wide = append(b.wide, w)
	return in, out
}

// half is a branch around a block.
func (b *builder) half() (in, out int32) {
	in, then, out := b.block(), b.block(), b.block()
	b.blocks[in].add(then)
	b.blocks[in].add(out)
	if b.s.Chance(1, 2) {
		b.blocks[in].swap()
	}
	b.blocks[then].add(out)
	return in, out
}

// diamond is a branch to two blocks that meet again.
func (b *builder) diamond() (in, out int32) {
	in, yes, no, out := b.block(), b.block(), b.block(), b.block()
	b.blocks[in].add(yes)
	b.blocks[in].add(no)
	b.blocks[yes].add(out)
	b.blocks[no].add(out)
	return in, out
}
