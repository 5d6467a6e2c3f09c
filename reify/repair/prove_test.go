//go:build cgo && z3

package repair

import (
	"runtime"
	"slices"
	"testing"

	"github.com/aclements/go-z3/z3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// A prover asks Z3 about all values of the operands a and b and of the constant
// c that moves a count.
type prover struct {
	ctx     *z3.Context
	a, b, c z3.BV
}

func newProver(width int) *prover {
	ctx := z3.NewContext(nil)
	free := func(name string) z3.BV { return ctx.BVConst(name, width) }
	return &prover{ctx, free("a"), free("b"), free("c")}
}

func (p *prover) num(v int64, like z3.BV) z3.BV { return p.ctx.FromInt(v, like.Sort()).(z3.BV) }

func (p *prover) no() z3.Bool { return p.ctx.FromBool(false) }

// term returns the value of e and when it is defined. With moved, the constant
// in e may have any value.
func (p *prover) term(e ir.Expr, moved bool) (z3.BV, z3.Bool) {
	yes := p.ctx.FromBool(true)
	switch e := e.(type) {
	case *ir.Const:
		if moved {
			return p.c, yes
		}
		return p.num(e.V, p.ctx.BVConst("", e.T.Bits)), yes
	case *ir.Load:
		if ir.Root(e.Place).Name == "a" {
			return p.a, yes
		}
		return p.b, yes
	case *ir.Convert: // between types of one width
		return p.term(e.X, moved)
	case *ir.Unary:
		x, ok := p.term(e.X, moved)
		if !ir.IntOf(e.X).Signed {
			return x.Neg(), ok
		}
		return x.Neg(), ok.And(x.NE(p.num(ir.IntOf(e.X).Min(), x)))
	case *ir.Builtin:
		x, ok := p.term(e.Args[0], moved)
		return p.builtin(e.Fn, x, ok)
	case *ir.Binary:
		x, ok := p.term(e.X, moved)
		y, ok2 := p.term(e.Y, moved)
		v, ok3 := p.binary(e.Op, ir.IntOf(e.X), ir.IntOf(e.Y), x, y)
		return v, ok.And(ok2, ok3)
	}
	panic("not needed")
}

// builtin returns in the width of x what i32 would be the type of.
func (p *prover) builtin(fn ir.Fn, x z3.BV, ok z3.Bool) (z3.BV, z3.Bool) {
	zero := p.num(0, x)
	width := x.Sort().BVSize()
	bit := func(i int) z3.Bool { return x.Extract(i, i).Eq(p.ctx.FromInt(1, p.ctx.BVSort(1)).(z3.BV)) }
	v := zero
	switch fn {
	case ir.Popcount, ir.Parity:
		return zero, ok // nobody asks for the value
	case ir.Clz:
		for i := range width {
			v = bit(i).IfThenElse(p.num(int64(width-1-i), x), v).(z3.BV)
		}
		return v, ok.And(x.NE(zero))
	case ir.Ctz:
		for i := range width {
			v = bit(width-1-i).IfThenElse(p.num(int64(width-1-i), x), v).(z3.BV)
		}
		return v, ok.And(x.NE(zero))
	case ir.Abs:
		low := p.num(-1<<(width-1), x)
		return x.SLT(zero).IfThenElse(x.Neg(), x).(z3.BV), ok.And(x.NE(low))
	}
	panic("not needed")
}

func (p *prover) binary(op ir.Op, t, yt ir.Int, x, y z3.BV) (z3.BV, z3.Bool) {
	yes := p.ctx.FromBool(true)
	// exact returns whether a type of the width of x holds what f makes of the
	// operands in twice the width.
	exact := func(f func(x, y z3.BV) z3.BV) z3.Bool {
		if !t.Signed {
			return yes
		}
		wide := f(x.SignExtend(t.Bits), y.SignExtend(t.Bits))
		return wide.Extract(t.Bits-1, 0).SignExtend(t.Bits).Eq(wide)
	}
	divides := func() z3.Bool {
		ok := y.NE(p.num(0, y))
		if !t.Signed {
			return ok
		}
		return ok.And(x.Eq(p.num(t.Min(), x)).And(y.Eq(p.num(-1, y))).Not())
	}
	counts := y.ULT(p.num(int64(t.Bits), y)) // a negative one is large
	switch op {
	case ir.Add:
		return x.Add(y), exact(z3.BV.Add)
	case ir.Sub:
		return x.Sub(y), exact(z3.BV.Sub)
	case ir.Mul:
		return x.Mul(y), exact(z3.BV.Mul)
	case ir.Div:
		if t.Signed {
			return x.SDiv(y), divides()
		}
		return x.UDiv(y), divides()
	case ir.Rem:
		if t.Signed {
			return x.SRem(y), divides()
		}
		return x.URem(y), divides()
	case ir.And:
		return x.And(y), yes
	case ir.Or:
		return x.Or(y), yes
	case ir.Shl:
		v := x.Lsh(y)
		if !t.Signed {
			return v, counts
		}
		zero := p.num(0, x)
		return v, counts.And(x.SGE(zero), v.SGE(zero), v.URsh(y).Eq(x))
	case ir.Shr:
		if t.Signed {
			return x.SRsh(y), counts
		}
		return x.URsh(y), counts
	}
	panic("not needed")
}

// holds says the same as operation.is does of known operands.
func (p *prover) holds(c condition, at, bt ir.Int) z3.Bool {
	minA, minusOne := p.num(at.Min(), p.a), p.num(-1, p.b)
	if !at.Signed && (c == lowest || c == negative || c == lowestByMinusOne) || !bt.Signed && c == lowestCount {
		return p.no()
	}
	switch c {
	case undefined:
		return p.ctx.FromBool(true)
	case lowest:
		return p.a.Eq(minA)
	case negative:
		return p.a.SLT(p.num(0, p.a))
	case zero:
		return p.b.Eq(p.num(0, p.b))
	case lowestByMinusOne:
		return p.a.Eq(minA).And(p.b.Eq(minusOne))
	case lowestCount:
		return p.b.Eq(p.num(bt.Min(), p.b))
	}
	panic("not needed")
}

func (p *prover) movedBy(c z3.BV) *prover { return &prover{p.ctx, p.a, p.b, c} }

// movable says what the paper asks of the constant that is added to b, or
// subtracted from it: the sum is at least zero, and less than the width or,
// where a signed a is shifted to the left, than the width without the bits of a.
func (p *prover) movable(op ir.Op, added bool, at, bt ir.Int) z3.Bool {
	wide := func(x z3.BV, signed bool) z3.BV {
		if signed {
			return x.SignExtend(2)
		}
		return x.ZeroExtend(2)
	}
	b, c := wide(p.b, bt.Signed), wide(p.c, bt.Signed)
	to := b.Sub(c)
	ok := b.SGE(p.num(0, b))
	if added {
		to = b.Add(c)
		ok = ok.Not()
	}
	limit := p.num(int64(at.Bits), to)
	if op == ir.Shl && at.Signed {
		for i := range at.Bits - 1 { // the highest bit that is set decides
			bit := p.a.Extract(i, i).Eq(p.ctx.FromInt(1, p.ctx.BVSort(1)).(z3.BV))
			limit = bit.IfThenElse(p.num(int64(at.Bits-1-i), to), limit).(z3.BV)
		}
	}
	return ok.And(c.SGE(p.num(0, c)), to.SGE(p.num(0, to)), to.SLT(limit))
}

// sat reports whether all of these can hold at once.
func (p *prover) sat(t *testing.T, all ...z3.Bool) bool {
	t.Helper()
	solver := z3.NewSolver(p.ctx)
	for _, c := range all {
		solver.Assert(c)
	}
	sat, err := solver.Check()
	require.NoError(t, err)
	runtime.KeepAlive(all)
	return sat
}

// unrepaired reports whether there are values of the operands for which e is
// undefined and no rule applies, or the first that does makes it what is
// undefined as well.
func (p *prover) unrepaired(t *testing.T, rules []rule, e ir.Expr) bool {
	op, operands := parts(e)
	at, bt := ir.IntOf(operands[0]), ir.IntOf(operands[len(operands)-1])
	_, defined := p.term(e, false)
	left := defined.Not()
	for _, r := range rules {
		if r.op != op {
			continue
		}
		here := left.And(p.holds(r.when, at, bt))
		left = left.And(p.holds(r.when, at, bt).Not())
		if !r.with.moved {
			_, defined := p.term(operation{operands: operands}.build(r.with), false)
			if p.sat(t, here, defined.Not()) {
				return true
			}
			continue
		}
		shift := r.with.op.(ir.Op)
		toZero := p.movedBy(p.b.Neg()).movable(shift, true, at, bt).Or(p.movedBy(p.b).movable(shift, false, at, bt))
		if p.sat(t, here, toZero.Not()) {
			return true // no constant will do
		}
		for _, by := range []ir.Op{ir.Add, ir.Sub} {
			count := &ir.Binary{Op: by, X: operands[1], Y: &ir.Const{T: bt}}
			_, defined := p.term(&ir.Binary{Op: shift, X: operands[0], Y: count}, true)
			if p.sat(t, here, p.movable(shift, by == ir.Add, at, bt), defined.Not()) {
				return true
			}
		}
	}
	return p.sat(t, left)
}

func TestOperationForAllValues(t *testing.T) {
	for _, width := range []int{8, 16} {
		p := newProver(width)
		for _, e := range operations(width) {
			assert.False(t, p.unrepaired(t, rules, e), describe(e))
		}
	}
}

// The proof is one of the table: what is wrong with it shows.
func TestAWrongRuleHasNoProof(t *testing.T) {
	p := newProver(8)
	fails := func(rules []rule, op any) bool {
		return slices.ContainsFunc(operations(8), func(e ir.Expr) bool {
			of, _ := parts(e)
			return of == op && p.unrepaired(t, rules, e)
		})
	}
	for i, r := range rules {
		if _, ok := r.op.(ir.UnOp); !ok {
			wrong := slices.Clone(rules)
			wrong[i].with = replacement{op: r.op}
			assert.True(t, fails(wrong, r.op), "row %d replaces %v with itself", i, r.op)
		}
		assert.True(t, fails(slices.Delete(slices.Clone(rules), i, i+1), r.op), "row %d, of %v, is missing", i, r.op)
	}
}

// What Operation chooses is what has been proved: the constant is one of those
// that the paper allows.
func TestCountsAreThePapers(t *testing.T) {
	p := newProver(8)
	for _, e := range operations(8) {
		op, operands := parts(e)
		if op, ok := op.(ir.Op); !ok || !op.Shifts() {
			continue
		}
		at, bt := ir.IntOf(operands[0]), ir.IntOf(operands[1])
		for _, b := range []int64{bt.Min() + 1, -121, -100, -9, -8, -1, 8, 9, 127, bt.Max()} {
			for _, a := range []int64{0, 1, 3, 100, at.Max(), -1, at.Min()} {
				values := []int64{at.Wrap(a), bt.Wrap(b)}
				if _, ok := eval(e, map[string]int64{"a": values[0], "b": values[1]}); ok {
					continue
				}
				r := Operation(e, values)
				count, ok := r.(*ir.Binary).Y.(*ir.Binary)
				if !ok {
					continue // b itself
				}
				c := count.Y.(*ir.Const)
				known := &prover{p.ctx, p.num(a, p.a), p.num(b, p.b), p.num(c.V, p.c)}
				movable := known.movable(r.(*ir.Binary).Op, count.Op == ir.Add, at, bt)
				is, literal := p.ctx.Simplify(movable, nil).(z3.Bool).AsBool()
				assert.True(t, is && literal, "%s for %v", spelt(r), values)
			}
		}
	}
}

// Where Always promises to equal the operation it does; quotients are left to
// the exhaustive test.
func TestAlwaysForAllValues(t *testing.T) {
	for _, width := range []int{8, 16} {
		p := newProver(width)
		for _, e := range operations(width) {
			want, defined := p.term(e, false)
			got, always := p.term(Always(e), false)
			assert.False(t, p.sat(t, always.Not()), describe(e))
			if b, ok := e.(*ir.Binary); ok && (b.Op == ir.Div || b.Op == ir.Rem) {
				continue
			}
			assert.False(t, p.sat(t, defined, got.NE(want)), describe(e))
		}
	}
}
