package ll

import (
	"fmt"
	"slices"
)

// A Place is where an instruction stands: the numbers of its block and in it.
type Place struct{ Block, At int }

// Places returns the places of all instructions.
func (f *Func) Places() (list []Place) {
	for b, block := range f.Blocks {
		for n := range block.Instrs {
			list = append(list, Place{b, n})
		}
	}
	return list
}

// At returns the instruction at a place.
func (f *Func) At(p Place) *Instr { return f.Blocks[p.Block].Instrs[p.At] }

// ReturnAfter makes the function return a value where an instruction has been executed.
func (f *Func) ReturnAfter(p Place, o Operand) {
	b := f.Blocks[p.Block]
	b.Instrs = append(slices.Clone(b.Instrs[:p.At+1]), &Instr{Op: "ret", Type: voidType, Args: []Operand{o}})
	f.Result, f.Attr = o.Type, ""
}

// Tell makes the function return a value that it reads from a variable, which it returns.
func (f *Func) Tell(v Value) *Global {
	o, _ := v.Constant()
	g := &Global{Name: f.Name + ".told", Type: v.Type, Init: &o}
	load := &Instr{Name: "told", Op: "load", Type: v.Type, Args: []Operand{{Type: ptrType, Global: g.Name}}}
	f.Blocks = []*Block{{Name: "entry", Instrs: []*Instr{load, {Op: "ret", Type: voidType, Args: []Operand{{Type: v.Type, Local: load.Name}}}}}}
	return g
}

// Join puts the sum of its arguments in place of a call whose result is an integer. If wide is
// set, the sum is of the widest type, and the function returns it. Join returns false if
// that is no other thing, or if all are constants.
func (f *Func) Join(p Place, wide bool) bool {
	b := f.Blocks[p.Block]
	call := b.Instrs[p.At]
	args := slices.DeleteFunc(slices.Clone(call.Args), func(a Operand) bool { return a.Local == "" || a.Type.Kind != Int })
	if len(args) == 0 {
		return false
	}
	t := call.Type
	if wide {
		t = slices.MaxFunc(args, func(a, b Operand) int { return a.Type.Bits - b.Type.Bits }).Type
		if t.Bits <= call.Type.Bits {
			return false
		}
	}
	var list []*Instr
	add := func(op string, args ...Operand) Operand {
		i := &Instr{Name: fmt.Sprintf("%s.%d", call.Name, len(list)), Op: op, Type: t, Args: args}
		list = append(list, i)
		return Operand{Type: t, Local: i.Name}
	}
	var sum *Operand
	for _, a := range args {
		if op := castTo(a.Type.Bits, t.Bits, "zext"); op != "" {
			a = add(op, a)
		}
		if sum != nil {
			a = add("add", *sum, a)
		}
		sum = &a
	}
	if wide {
		list = append(list, call)
	}
	b.Instrs = slices.Concat(b.Instrs[:p.At], list, b.Instrs[p.At+1:])
	if wide {
		f.ReturnAfter(Place{p.Block, p.At + len(list) - 2}, *sum)
		return true
	}
	f.Replace(call.Name, *sum)
	return true
}

// castTo returns the cast between two widths, of which one that extends is given, or nothing.
func castTo(from, to int, extend string) string {
	switch {
	case from < to:
		return extend
	case from > to:
		return "trunc"
	}
	return ""
}

// Shorten makes one cast of two, of which the place has the second.
func (f *Func) Shorten(p Place) bool {
	i := f.At(p)
	if i.Op != "zext" && i.Op != "sext" && i.Op != "trunc" {
		return false
	}
	for _, inner := range f.Instrs() {
		if inner.Name != i.Args[0].Local || inner.Op != "zext" && inner.Op != "sext" && inner.Op != "trunc" {
			continue
		}
		a := inner.Args[0]
		extend := inner.Op
		if inner.Op == "trunc" {
			extend = i.Op
		}
		i.Flags = nil
		if i.Op = castTo(a.Type.Scalar().Bits, i.Type.Scalar().Bits, extend); i.Op == "" {
			f.Replace(i.Name, a)
			f.Remove(p)
			return true
		}
		i.Args = []Operand{a}
		return true
	}
	return false
}

// Replace puts an operand in place of a local value.
func (f *Func) Replace(name string, by Operand) {
	for _, i := range f.Instrs() {
		for n, a := range i.Args {
			if a.Local == name {
				i.Args[n] = by
			}
		}
	}
}

// Remove removes an instruction.
func (f *Func) Remove(p Place) {
	b := f.Blocks[p.Block]
	b.Instrs = slices.Delete(slices.Clone(b.Instrs), p.At, p.At+1)
}

// Uses returns how often a local value is used.
func (f *Func) Uses(name string) (n int) {
	for _, i := range f.Instrs() {
		for _, a := range i.Args {
			if a.Local == name {
				n++
			}
		}
	}
	return n
}

// last returns the terminator.
func (b *Block) last() *Instr { return b.Instrs[len(b.Instrs)-1] }

// Successors returns the names of the blocks that follow, some of them more than once.
func (b *Block) Successors() []string {
	if i := b.last(); i.Op == "br" || i.Op == "switch" || i.Op == "indirectbr" {
		return i.Labels
	}
	return nil
}

// Go makes a block end in a jump.
func (f *Func) Go(block int, to string) {
	b := f.Blocks[block]
	b.Instrs = append(slices.Clone(b.Instrs[:len(b.Instrs)-1]), &Instr{Op: "br", Type: voidType, Labels: []string{to}})
}

// Skip leaves out a block that only jumps, and that only one block leads to.
func (f *Func) Skip(block int) bool {
	b := f.Blocks[block]
	if len(b.Instrs) != 1 || len(b.Successors()) != 1 {
		return false
	}
	var before []*Block
	for _, o := range f.Blocks {
		if slices.Contains(o.Successors(), b.Name) {
			before = append(before, o)
		}
	}
	to := b.Successors()[0]
	if len(before) != 1 || slices.Contains(before[0].Successors(), to) {
		return false
	}
	for _, i := range f.Instrs() {
		for n, l := range i.Labels {
			if i == before[0].last() && l == b.Name {
				i.Labels[n] = to
			} else if i.Op == "phi" && l == b.Name {
				i.Labels[n] = before[0].Name
			}
		}
	}
	return true
}

// Tidy removes what no call reaches or needs: blocks, phis of one value, instructions
// without effect whose value is not used. It merges blocks that only follow one another.
func (f *Func) Tidy() {
	for f.prune() || f.merge() || f.sweep() {
	}
}

func (f *Func) block(name string) *Block {
	n := slices.IndexFunc(f.Blocks, func(b *Block) bool { return b.Name == name })
	if n < 0 {
		return nil
	}
	return f.Blocks[n]
}

// prune removes blocks that are not reached, and phis' values from there.
func (f *Func) prune() (changed bool) {
	before := map[string][]string{f.Blocks[0].Name: nil} // by the reached blocks
	todo := []*Block{f.Blocks[0]}
	for len(todo) > 0 {
		b := todo[0]
		todo = todo[1:]
		for _, s := range b.Successors() {
			if _, seen := before[s]; !seen && f.block(s) != nil {
				todo = append(todo, f.block(s))
			}
			before[s] = append(before[s], b.Name)
		}
	}
	n := len(f.Blocks)
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *Block) bool { _, reached := before[b.Name]; return !reached })
	changed = len(f.Blocks) < n
	for _, b := range f.Blocks {
		for _, i := range slices.Clone(b.Instrs) {
			if i.Op != "phi" {
				break
			}
			for n := len(i.Args) - 1; n >= 0; n-- {
				if !slices.Contains(before[b.Name], i.Labels[n]) {
					i.Args, i.Labels = slices.Delete(i.Args, n, n+1), slices.Delete(i.Labels, n, n+1)
					changed = true
				}
			}
			if len(i.Args) == 1 && i.Args[0].Local != i.Name {
				f.Replace(i.Name, i.Args[0])
				b.Instrs = slices.DeleteFunc(b.Instrs, func(o *Instr) bool { return o == i })
				changed = true
			}
		}
	}
	return changed
}

// merge joins a block with the only one that it follows.
func (f *Func) merge() bool {
	for _, b := range f.Blocks {
		next := b.Successors()
		if len(next) != 1 || next[0] == f.Blocks[0].Name || next[0] == b.Name {
			continue
		}
		to := f.block(next[0])
		preds := 0
		for _, o := range f.Blocks {
			for _, s := range o.Successors() {
				if s == to.Name {
					preds++
				}
			}
		}
		if preds != 1 || to.Instrs[0].Op == "phi" {
			continue
		}
		b.Instrs = append(b.Instrs[:len(b.Instrs)-1], to.Instrs...)
		f.Blocks = slices.DeleteFunc(f.Blocks, func(o *Block) bool { return o == to })
		for _, i := range f.Instrs() {
			for n, l := range i.Labels {
				if i.Op == "phi" && l == to.Name {
					i.Labels[n] = b.Name
				}
			}
		}
		return true
	}
	return false
}

// Pure tells whether an instruction does nothing besides computing its value.
func (i *Instr) Pure() bool {
	switch i.Op {
	case "ret", "br", "switch", "unreachable", "store":
		return false
	case "load":
		return !i.Volatile
	case "call":
		return i.Name != "" && len(i.Callee) > 5 && i.Callee[:5] == "llvm."
	}
	return true
}

// sweep removes an instruction whose value is not used.
func (f *Func) sweep() bool {
	for _, p := range slices.Backward(f.Places()) {
		if i := f.At(p); i.Pure() && f.Uses(i.Name) == 0 {
			f.Remove(p)
			return true
		}
	}
	return false
}

// Rename names parameters and values a, b, c, ..., and blocks entry, b1, b2, ...
func (f *Func) Rename() {
	values, blocks := map[string]string{}, map[string]string{}
	fresh := func(old string) string {
		n := len(values)
		values[old] = fmt.Sprintf("v%d", n)
		if n < 26 {
			values[old] = string(rune('a' + n))
		}
		return values[old]
	}
	for n, p := range f.Params {
		f.Params[n].Name = fresh(p.Name)
	}
	for n, b := range f.Blocks {
		blocks[b.Name] = fmt.Sprintf("b%d.", n)
		if n == 0 {
			blocks[b.Name] = "entry"
		}
		b.Name = blocks[b.Name]
		for _, i := range b.Instrs {
			if i.Name != "" {
				i.Name = fresh(i.Name)
			}
		}
	}
	for _, i := range f.Instrs() {
		for n, a := range i.Args {
			if a.Local != "" {
				i.Args[n].Local = values[a.Local]
			}
		}
		for n, l := range i.Labels {
			i.Labels[n] = blocks[l]
		}
	}
}

// Globals returns the names of the global variables and functions that the function names.
func (f *Func) Globals() (list []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, i := range f.Instrs() {
		add(i.Callee)
		for _, a := range i.Args {
			add(a.Global)
		}
	}
	return list
}
