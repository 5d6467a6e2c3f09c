package cfg

// maxCases bounds the cases of a shape that is a switch, the default not
// counted.
const maxCases = 6

// MaxShape is how many blocks a block may be replaced by; see Options.Shapes.
const MaxShape = maxCases + 3

// shapes are small graphs that passes look for. Each appends its blocks and
// returns the one that it is entered at and the one that it is left from, which
// goes on from there.
var shapes = []func(b *builder) (in, out int32){
	(*builder).nest, (*builder).nest, (*builder).nest,
	(*builder).table, (*builder).table,
	(*builder).half, (*builder).diamond,
}

// chooseShaped chooses the blocks that shapes are to replace.
func (b *builder) chooseShaped(lv *level) {
	if b.o.Shapes == 0 {
		return
	}
	for i := range lv.draft {
		d := &lv.draft[i]
		d.shaped = d.kept && d.n == 1 && !d.replace && b.s.Chance(b.o.Shapes, 100)
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

// table is a switch whose cases meet again at once, or a diamond where there
// are to be no switches.
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
