package c

import (
	"strconv"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// randomFunction returns a function of n blocks, n >= 2, whose graph is as
// random as may be: irreducible, with loops that have no way out, and with
// unreachable blocks. Every block steps a generator of numbers, %s, that
// decides the branches, and hashes its own number into %h.
func randomFunction(s *choice.Stream, name string, n int) *ir.Function {
	param := &ir.Var{Name: "a", Type: ir.U32, Kind: ir.Param}
	state := &ir.Var{Name: "s", Type: ir.U32, Kind: ir.Local, Init: []ir.Expr{u32(0)}, Index: 1}
	hash := &ir.Var{Name: "h", Type: ir.U32, Kind: ir.Static, Index: 2}
	visits := &ir.Var{Name: "v", Type: ir.Array{Elem: ir.I32, Len: n}, Kind: ir.Kind(s.Range(1, 3)), Index: 3}
	for range n {
		visits.Init = append(visits.Init, &ir.Const{T: ir.I32, V: int64(s.Intn(5))})
	}
	f := &ir.Function{Name: name, Result: ir.U32, Vars: []*ir.Var{param, state, hash, visits}}
	for i := range n {
		b := &ir.Block{Name: "b" + strconv.Itoa(i), Index: i}
		f.Blocks = append(f.Blocks, b)
		if s.Chance(1, 3) && i > 0 {
			continue // a loop header without statements can be a while
		}
		visit := &ir.Elem{Base: &ir.VarRef{Var: visits}, Index: &ir.Const{T: ir.I32, V: int64(i)}}
		b.Stmts = []ir.Stmt{
			&ir.Assign{Dst: &ir.VarRef{Var: state}, Src: bin(ir.Add,
				bin(ir.Mul, bin(ir.Add, load(state), load(param)), u32(1664525)), u32(1013904223))},
			&ir.Assign{Dst: &ir.VarRef{Var: hash}, Src: bin(ir.Add, bin(ir.Mul, load(hash), u32(31)), u32(i))},
			&ir.Assign{Dst: visit, Src: bin(ir.Add, &ir.Load{Place: visit}, &ir.Const{T: ir.I32, V: 1})},
		}
	}
	i := 0
	for i < n-1 {
		if i > 0 && i+4 < n && s.Chance(1, 8) {
			counted(s, f.Blocks[i:i+5], state)
			i += 4
			continue
		}
		b := f.Blocks[i]
		i++
		near := func() *ir.Block { // mostly the next ones, which makes for structure
			if s.Chance(2, 3) {
				return f.Blocks[min(b.Index+s.Range(1, 3), n-1)]
			}
			return f.Blocks[s.Range(1, n-1)]
		}
		if s.Chance(1, 5) {
			b.Term = randomSwitch(s, state, near)
			continue
		}
		then, other := near(), near()
		if then == other || s.Chance(1, 4) {
			b.Term = &ir.Goto{To: then}
			continue
		}
		b.Term = &ir.If{Cond: randomCond(s, state), Then: then, Else: other}
	}
	f.Blocks[n-1].Term = &ir.Return{Val: &ir.Checksum{Of: []*ir.Var{state, hash, visits}}}
	return f
}

func randomCond(s *choice.Stream, state *ir.Var) ir.Expr {
	if s.Chance(1, 8) {
		return bin(ir.Rem, bin(ir.Div, load(state), u32(65536)), u32(2))
	}
	op := choice.Pick(s, []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne})
	return bin(op, bin(ir.Rem, bin(ir.Div, load(state), u32(65536)), u32(3)), u32(1))
}

// counted makes a loop of blocks that can be written with for: the condition, a
// body of two blocks, and the step; the last block is where it leads.
func counted(s *choice.Stream, blocks []*ir.Block, state *ir.Var) {
	head, body, more, step, out := blocks[0], blocks[1], blocks[2], blocks[3], blocks[4]
	head.Stmts = nil
	head.Term = &ir.If{Cond: randomCond(s, state), Then: body, Else: out}
	body.Term = &ir.If{Cond: randomCond(s, state), Then: more, Else: step}
	more.Term = &ir.Goto{To: step}
	step.Stmts = []ir.Stmt{stepOf(state, step.Index)}
	step.Term = &ir.Goto{To: head}
}

// stepOf returns a statement that steps the generator.
func stepOf(state *ir.Var, i int) ir.Stmt {
	return &ir.Assign{Dst: &ir.VarRef{Var: state}, Src: bin(ir.Add, bin(ir.Mul, load(state), u32(22695477)), u32(i+1))}
}

// randomSwitch returns a switch on a few bits of state, some of whose labels
// share a target or are ranges.
func randomSwitch(s *choice.Stream, state *ir.Var, near func() *ir.Block) *ir.Switch {
	t := &ir.Switch{X: bin(ir.And, bin(ir.Shr, load(state), u32(16)), u32(15)), Default: near()}
	for v := s.Intn(2); v < 16; v += s.Range(1, 3) {
		c := ir.SwitchCase{Lo: u32(v), To: near()}
		if s.Chance(1, 4) {
			v += s.Range(0, 4)
			c.Hi = u32(v)
		}
		t.Cases = append(t.Cases, c)
	}
	s.Shuffle(len(t.Cases), func(i, j int) { t.Cases[i], t.Cases[j] = t.Cases[j], t.Cases[i] })
	return t
}

func u32(v int) ir.Expr { return &ir.Const{T: ir.U32, V: int64(v)} }

func load(v *ir.Var) ir.Expr { return &ir.Load{Place: &ir.VarRef{Var: v}} }

func bin(op ir.Op, x, y ir.Expr) ir.Expr { return &ir.Binary{Op: op, X: x, Y: y} }
