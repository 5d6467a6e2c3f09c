package wasm

import (
	"fmt"
	"slices"
)

// Graphs reads a module and returns the control-flow graphs of its functions as their
// code has them: for each block its successors, in ascending order, with dispatchers
// contracted. The list is nil if the code has no such block. locations says where
// blocks begin, as Module does; functions without any have no graph. The error names a
// malformed part, or one that Emit does not write.
func Graphs(module []byte, locations [][]Location) ([][][]int, error) {
	d, err := read(module)
	if err != nil {
		return nil, err
	}
	all := make([][][]int, len(d.bodies))
	for i, list := range locations {
		if len(list) == 0 {
			continue
		}
		if i >= len(d.bodies) {
			return nil, fmt.Errorf("wasm: there is no function %d", i)
		}
		if all[i], err = d.graph(i, list); err != nil {
			return nil, fmt.Errorf("wasm: function %d: %w", i, err)
		}
	}
	return all, nil
}

// A tracer follows code.
type tracer struct {
	d      *decoded
	code   []instr
	params int
	begins map[int][]int // locations by the index of their first instruction
	list   []Location
	label  int // the local with the label of dispatchers, or -1
	seen   map[visit]bool
	found  []int
	err    error
}

// A state is the position of a tracer, and its knowledge. A value is the set of the
// constants that it may be, or nil if it may be any.
type state struct {
	pc    int
	open  []int // indices of block, loop and if, the innermost last
	stack [][]int64
	label []int64 // the value of the local
}

// A visit is the part of a state that decides the rest.
type visit struct {
	pc    int
	label string
}

func (d *decoded) graph(at int, list []Location) ([][]int, error) {
	t := &tracer{d: d, code: d.bodies[at].code, params: len(d.types[d.funcs[at]].params), begins: map[int][]int{}, list: list, label: -1}
	blocks := 0
	for i, l := range list {
		pc, ok := slices.BinarySearchFunc(t.code, l.Offset, func(i instr, at int) int { return i.at - at })
		if !ok {
			return nil, fmt.Errorf("no instruction begins at %d", l.Offset)
		}
		if l.Block < 0 {
			for _, i := range t.code[pc:] { // behind the blocks of its ways
				if i.op == opLocalGet {
					t.label = int(i.x)
					break
				}
			}
		}
		t.begins[pc] = append(t.begins[pc], i)
		blocks = max(blocks, l.Block+1)
	}
	graph := make([][]int, blocks)
	for pc, here := range t.begins {
		open := t.enclosing(pc)
		for k, i := range here {
			l := t.list[i]
			if l.Block < 0 {
				continue
			}
			t.found, t.seen = []int{}, map[visit]bool{}
			if k+1 < len(here) { // it has no code of its own
				t.arrive(state{pc: pc, open: open}, here[k+1])
			} else {
				t.follow(state{pc: pc, open: open}, true)
			}
			if t.err != nil {
				return nil, fmt.Errorf("block %d: %w", l.Block, t.err)
			}
			slices.Sort(t.found)
			t.found = slices.Compact(t.found)
			if graph[l.Block] != nil && !slices.Equal(graph[l.Block], t.found) {
				return nil, fmt.Errorf("copies of block %d differ: %v and %v", l.Block, graph[l.Block], t.found)
			}
			graph[l.Block] = t.found
		}
	}
	return graph, nil
}

// enclosing returns the construct that encloses an instruction.
func (t *tracer) enclosing(pc int) (open []int) {
	for i := range pc {
		switch t.code[i].op {
		case opBlock, opLoop, opIf:
			open = append(open, i)
		case opEnd:
			open = open[:len(open)-1]
		}
	}
	return open
}

// arrive notes that code leads to a location or, if that is a dispatcher, goes on.
func (t *tracer) arrive(s state, location int) {
	if b := t.list[location].Block; b >= 0 {
		t.found = append(t.found, b)
		return
	}
	if at := (visit{s.pc, fmt.Sprint(s.label)}); !t.seen[at] {
		t.seen[at] = true
		t.follow(s, true)
	}
}

func (s state) clone() state {
	s.open, s.stack = slices.Clone(s.open), slices.Clone(s.stack)
	return s
}

func (s *state) push(v []int64) { s.stack = append(s.stack, v) }

func (s *state) pop() []int64 {
	if len(s.stack) == 0 {
		return nil // from before the block
	}
	v := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	return v
}

// follow follows code until it arrives. With begun it is at a location already.
func (t *tracer) follow(s state, begun bool) {
	for ; t.err == nil; begun = false {
		if s.pc >= len(t.code) {
			return // it returns
		}
		if here := t.begins[s.pc]; !begun && len(here) > 0 {
			t.arrive(s, here[0])
			return
		}
		// Where ways meet: behind the beginning of a loop, and at ends.
		if o := t.code[s.pc].op; s.pc > 0 && t.code[s.pc-1].op == opLoop || o == opEnd || o == opElse {
			at := visit{s.pc, fmt.Sprint(s.label)}
			if t.seen[at] {
				return
			}
			t.seen[at] = true
		}
		i := t.code[s.pc]
		s.pc++
		switch i.op {
		case opUnreachable: // a statement: the graph has the block's edges all the same
		case opReturn:
			return
		case opBlock, opLoop:
			s.open = append(slices.Clone(s.open), s.pc-1)
		case opIf:
			s.pop()
			other := s.clone()
			s.open = append(slices.Clone(s.open), s.pc-1)
			if i.other >= 0 {
				other.open = append(other.open, s.pc-1)
				other.pc = i.other + 1
			} else {
				other.pc = i.match + 1
			}
			t.follow(other, false)
		case opElse:
			s.pc = i.match
		case opEnd:
			if len(s.open) == 0 {
				return
			}
			s.open = slices.Clone(s.open[:len(s.open)-1])
		case opBr:
			if !t.jump(&s, int(i.x)) {
				return
			}
		case opBrIf:
			s.pop()
			other := s.clone()
			if t.jump(&other, int(i.x)) {
				t.follow(other, false)
			}
		case opBrTable:
			known := s.pop()
			for k, label := range i.table {
				if known != nil && !slices.ContainsFunc(known, func(v int64) bool { return v == int64(k) || k == len(i.table)-1 && (v < 0 || v >= int64(k)) }) {
					continue
				}
				other := s.clone()
				if t.jump(&other, label) {
					t.follow(other, false)
				}
			}
			return
		default:
			t.compute(&s, i)
		}
	}
}

// jump goes to a label. It reports false if that leaves the function.
func (t *tracer) jump(s *state, label int) bool {
	if label >= len(s.open) {
		if label > len(s.open) {
			t.err = fmt.Errorf("there is no label %d", label)
		}
		return false
	}
	to := s.open[len(s.open)-1-label]
	if t.code[to].op == opLoop {
		s.pc, s.open = to+1, slices.Clone(s.open[:len(s.open)-label])
	} else {
		s.pc, s.open = t.code[to].match+1, slices.Clone(s.open[:len(s.open)-1-label])
	}
	return true
}

// compute applies an instruction to the stack.
func (t *tracer) compute(s *state, i instr) {
	pops, pushes := 0, 0
	switch o := i.op; {
	case o == opI32Const:
		s.push([]int64{int64(i.x)})
	case o == opLocalGet:
		if int(i.x) == t.label {
			s.push(s.label)
		} else {
			s.push(nil)
		}
	case o == opLocalSet, o == opLocalTee:
		v := s.pop()
		if int(i.x) == t.label {
			s.label = v
		}
		if o == opLocalTee {
			s.push(v)
		}
	case o == opSelect:
		s.pop()
		y, x := s.pop(), s.pop()
		if x == nil || y == nil {
			s.push(nil)
		} else {
			s.push(slices.Concat(x, y))
		}
	case o == opCall:
		if int(i.x) >= len(t.d.funcs) {
			t.err = fmt.Errorf("there is no function %d", i.x)
			return
		}
		f := t.d.types[t.d.funcs[i.x]]
		pops, pushes = len(f.params), len(f.results)
	case o == opNop:
	case o == opDrop, o == opGlobalSet:
		pops = 1
	case o == opGlobalGet, o == opI64Const, o == opF32Const, o == opF64Const, o == 0x3f:
		pushes = 1
	case o == opV128Const:
		pushes = 1
	case o == opV128Store:
		pops = 2
	case o == opV128Load, o >= opSplat && o <= opSplat+3, o == opV128Not, o == prefixSIMD<<8|97, o == prefixSIMD<<8|129, o == prefixSIMD<<8|161, o == prefixSIMD<<8|193:
		pops, pushes = 1, 1
	case o >= prefixSIMD<<8:
		pops, pushes = 2, 1
	case o >= opI32Load && o < opI32Store, o == opEqz, o == opEqz.of(typeI64), o >= opClz && o <= opPopcnt, o >= opClz.of(typeI64) && o <= opPopcnt.of(typeI64),
		o >= 0x8b && o < opF32Add, o >= 0x99 && o < opF32Add.of(typeF64), o >= opI32WrapI64 && o <= 0xc4, o >= opI32TruncSat && o < opMemoryInit:
		pops, pushes = 1, 1
	case o >= opI32Store && o <= 0x3e:
		pops = 2
	case o >= opEq && o < opI32WrapI64:
		pops, pushes = 2, 1
	case o == opMemoryInit, o == opMemoryCopy, o == opMemoryFill:
		pops = 3
	default:
		t.err = fmt.Errorf("%s is none of ours", operations[o].name)
	}
	for range pops {
		s.pop()
	}
	for range pushes {
		s.push(nil)
	}
}
