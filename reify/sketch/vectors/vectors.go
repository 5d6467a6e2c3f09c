// Package vectors is the shape of code as it is written with vectors: in codecs, hashes,
// strings.
package vectors

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// Simd is code with vectors, as in codecs, hashes and strings:
//
//	%v = call(%v + shuffle(%w, %v, 3, 4, 5, 6))
//	%w = bitcast(<4>u32, %x < %y) & %w | ~bitcast(<4>u32, %x < %y) & %v
//	%x = convert(<4>i32, convert(<4>i64, %x) * convert(<4>i64, %y) >> <4>i64{32, 32, 32, 32})
//	%v[i32(%a) & 3] = u32(%b)
//	%a = i32(%v[0] ^ %v[1] ^ %v[2] ^ %v[3])
//
// All of it is defined for all values of the vectors.
type simd struct {
	core.Base
	shares *Shares
	vecs   []*ir.Var
}

// A maker makes one vector expression repeatedly: each node has a single parent.
type maker func() ir.Expr

// Shares are the shares of code as it is written with vectors.
type Shares struct {
	// share of blocks: with code as it is written with vectors, before the other statements
	Simd int `feature:"simd" typical:"60" scalars:"180" about:"code as it is written with vectors"`
}

// New returns the code of a function as it is written with vectors.
func (s *Shares) New(w *core.Writer) core.Part {
	if s.Simd == 0 {
		return nil
	}
	return &simd{Base: core.Base{Writer: w}, shares: s}
}

// Declare adds vectors. Most have one size, with lanes of several widths and two or
// more vectors of one type. Some are half as large, and some have a number of lanes
// that is not a power of two.
func (v *simd) Declare() {
	bytes := choice.Pick(v.S, []int{8, 16, 16, 16, 32, 32})
	first := v.newVec(v.laneType(), bytes)
	v.newVec(first.Elem, bytes)
	for range v.S.Range(1, 3) {
		size := bytes
		if v.S.Chance(1, 4) {
			size /= 2
		}
		v.newVec(v.laneType(), size)
	}
	if v.S.Chance(1, 3) {
		t := ir.Vector{Elem: v.laneType(), Lanes: choice.Pick(v.S, []int{3, 3, 3, 5, 6, 7})}
		if t.Padded()*t.Elem.Bytes() > 32 {
			t.Lanes = 3
		}
		v.declare(t)
		v.declare(t)
	}
}

// laneType draws a type as lanes of SLP have it, except that i32 is not required.
func (v *simd) laneType() ir.Int { return choice.Pick(v.S, core.LaneTypes) }

// newVec adds a vector of as many lanes of type t as there are in some bytes, at least
// two.
func (v *simd) newVec(t ir.Int, bytes int) ir.Vector {
	return v.declare(ir.Vector{Elem: t, Lanes: max(2, bytes/t.Bytes())})
}

func (v *simd) declare(t ir.Vector) ir.Vector {
	x := v.NewVar(v.Kind(), t)
	v.Initialise(x)
	v.Register(core.NewSource(x))
	v.Summed = append(v.Summed, x)
	v.vecs = append(v.vecs, x)
	return t
}

// Block adds statements to a block. A local variable begins with a value that the
// compiler cannot know.
func (v *simd) Block(b *ir.Block) bool {
	if !v.Roll(v.shares.Simd) {
		return false
	}
	for _, x := range v.vecs {
		if x.Kind == ir.Local && v.S.Chance(1, 2) {
			b.Stmts = append(b.Stmts, v.assignVec(x, v.ofScalars(x.Type.(ir.Vector))()))
		}
	}
	for range v.S.Range(3, 6) {
		b.Stmts = append(b.Stmts, v.some()...)
	}
	return false
}

func (v *simd) some() []ir.Stmt {
	x := choice.Pick(v.S, v.vecs)
	t := x.Type.(ir.Vector)
	switch v.S.Weighted(8, 1, 2, 1) {
	case 1: // a lane, mostly at an index that is known at run time only
		c := choice.Pick(v.S, v.Counts)
		e := core.Scalar(core.Promote(t.Elem), c)
		return []ir.Stmt{core.Assign(v.lane(x, v.laneIndex(t)), core.Convert(t.Elem, e))}
	case 2:
		return v.fold(x)
	case 3:
		acc := v.ScalarDest()
		c := core.Unsigned(core.Promote(acc.Leaves[0].T))
		e := core.Convert(c, core.Load(v.lane(x, v.laneIndex(t))))
		return []ir.Stmt{core.Set(acc, core.Bin(ir.Xor, core.Scalar(c, acc), e))}
	}
	return []ir.Stmt{v.assignVec(x, v.expr(t, 2)())}
}

func (v *simd) assignVec(x *ir.Var, e ir.Expr) ir.Stmt {
	return core.Assign(core.Ref(x), e)
}

func (v *simd) lane(x *ir.Var, index ir.Expr) ir.Place {
	return core.Elem(core.Ref(x), index)
}

// laneIndex returns an index of a lane of t: a variable that is masked, or a constant.
func (v *simd) laneIndex(t ir.Vector) ir.Expr {
	if v.S.Chance(1, 4) {
		return core.Const(ir.I32, int64(v.S.Intn(t.Lanes)))
	}
	x := core.Scalar(core.Promote(v.Counts[0].Leaves[0].T), choice.Pick(v.S, v.Counts))
	return core.Bin(ir.And, x, core.Const(ir.IntOf(x), core.Mask(t.Lanes)))
}

// fold is a = a ⊗ all lanes of x: one after the other, or halves of vectors until one
// lane is left. Or it is a choice by a condition on some lane, or on all of them.
func (v *simd) fold(x *ir.Var) []ir.Stmt {
	t := x.Type.(ir.Vector)
	acc := v.ScalarDest()
	c := core.Unsigned(core.Promote(acc.Leaves[0].T))
	op := choice.Pick(v.S, []ir.Op{ir.Add, ir.Add, ir.Xor, ir.Or, ir.And})
	var list []ir.Stmt
	switch v.S.Weighted(2, 2, 1) {
	case 1:
		for n := t.Padded() / 2; n > 0; n /= 2 {
			moved := &ir.Shuffle{X: core.LoadVector(x), Y: core.LoadVector(x)}
			for i := range t.Lanes {
				moved.Index = append(moved.Index, (i+n)%t.Lanes)
			}
			list = append(list, v.assignVec(x, v.arith(op, t, core.LoadVector(x), moved)))
		}
		e := core.Convert(c, core.Load(v.lane(x, core.Zero(ir.I32))))
		return append(list, core.Set(acc, core.Bin(op, core.Scalar(c, acc), e)))
	case 2: // any, all
		list = append(list, v.assignVec(x, v.mask(t)()))
		op = choice.Pick(v.S, []ir.Op{ir.Or, ir.And})
	}
	var e ir.Expr
	for i := range t.Lanes {
		lane := core.Convert(c, core.Load(v.lane(x, core.Const(ir.I32, int64(i)))))
		if e == nil {
			e = lane
			continue
		}
		e = core.Bin(op, e, lane)
	}
	if op.Bitwise() && v.Policy.Select > 0 && v.S.Chance(1, 2) {
		e = core.Select(e, core.Scalar(c, acc), core.Bin(ir.Add, core.Scalar(c, acc), core.Const(c, 1)))
		return append(list, core.Set(acc, e))
	}
	return append(list, core.Set(acc, core.Bin(choice.Pick(v.S, []ir.Op{op, ir.Xor}), core.Scalar(c, acc), e)))
}
