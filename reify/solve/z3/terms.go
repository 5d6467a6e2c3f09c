//go:build cgo && z3

package z3

import (
	"math/big"
	"runtime"

	"github.com/aclements/go-z3/z3"
)

// terms builds Z3 terms and keeps every wrapper it makes until it is dropped itself.
// The binding frees a term from a finalizer. A wrapper that the Go collector finds dead
// would thus change reference counts and identifiers at an arbitrary moment, and both
// steer Z3's search: models would differ from run to run.
type terms struct {
	ctx   *z3.Context
	sorts map[int]z3.Sort // bit-vector sorts by width; looked up only
	live  []any
}

// withTerms calls f with terms in a context of their own, which live until it returns,
// and then frees their memory. The binding frees from finalizers only, and the Go
// collector does not see that a small wrapper stands for megabytes.
func withTerms(f func(*terms)) {
	keepingAlive(f)
	runtime.GC() // finalizes terms and solvers
	runtime.GC() // and then the contexts that they were in
	trim()
}

func keepingAlive(f func(*terms)) {
	t := newTerms(z3.NewContext(nil))
	f(t)
	runtime.KeepAlive(t)
}

func newTerms(ctx *z3.Context) *terms {
	return &terms{ctx: ctx, sorts: make(map[int]z3.Sort)}
}

func (t *terms) keepBV(x z3.Value) z3.BV {
	t.live = append(t.live, x)
	return x.(z3.BV)
}

func (t *terms) keepBool(x z3.Bool) z3.Bool {
	t.live = append(t.live, x)
	return x
}

func (t *terms) sort(width int) z3.Sort {
	s, ok := t.sorts[width]
	if !ok {
		s = t.ctx.BVSort(width)
		t.sorts[width] = s
	}
	return s
}

// free returns the free variable of that name.
func (t *terms) free(name string, width int) z3.BV {
	return t.keepBV(t.ctx.Const(name, t.sort(width)))
}

// num returns v modulo 2^width, sign-extended if width is above 64.
func (t *terms) num(v int64, width int) z3.BV { return t.keepBV(t.ctx.FromInt(v, t.sort(width))) }

func (t *terms) bigNum(v *big.Int, width int) z3.BV {
	return t.keepBV(t.ctx.FromBigInt(v, t.sort(width)))
}

func (t *terms) sext(x z3.BV, by int) z3.BV {
	if by == 0 {
		return x
	}
	return t.keepBV(x.SignExtend(by))
}

func (t *terms) zext(x z3.BV, by int) z3.BV {
	if by == 0 {
		return x
	}
	return t.keepBV(x.ZeroExtend(by))
}

// bits returns bits high to low of x, both included.
func (t *terms) bits(x z3.BV, high, low int) z3.BV { return t.keepBV(x.Extract(high, low)) }

func (t *terms) add(x, y z3.BV) z3.BV  { return t.keepBV(x.Add(y)) }
func (t *terms) sub(x, y z3.BV) z3.BV  { return t.keepBV(x.Sub(y)) }
func (t *terms) mul(x, y z3.BV) z3.BV  { return t.keepBV(x.Mul(y)) }
func (t *terms) sdiv(x, y z3.BV) z3.BV { return t.keepBV(x.SDiv(y)) }
func (t *terms) srem(x, y z3.BV) z3.BV { return t.keepBV(x.SRem(y)) }
func (t *terms) and(x, y z3.BV) z3.BV  { return t.keepBV(x.And(y)) }
func (t *terms) or(x, y z3.BV) z3.BV   { return t.keepBV(x.Or(y)) }
func (t *terms) xor(x, y z3.BV) z3.BV  { return t.keepBV(x.Xor(y)) }

func (t *terms) lsl(x, y z3.BV) z3.BV { return t.keepBV(x.Lsh(y)) }
func (t *terms) lsr(x, y z3.BV) z3.BV { return t.keepBV(x.URsh(y)) }
func (t *terms) asr(x, y z3.BV) z3.BV { return t.keepBV(x.SRsh(y)) }

func (t *terms) complement(x z3.BV) z3.BV { return t.keepBV(x.Not()) }

// concat returns x and, below it, y.
func (t *terms) concat(x, y z3.BV) z3.BV { return t.keepBV(x.Concat(y)) }

func (t *terms) ite(c z3.Bool, x, y z3.BV) z3.BV { return t.keepBV(c.IfThenElse(x, y)) }

func (t *terms) eq(x, y z3.BV) z3.Bool  { return t.keepBool(x.Eq(y)) }
func (t *terms) slt(x, y z3.BV) z3.Bool { return t.keepBool(x.SLT(y)) }
func (t *terms) ult(x, y z3.BV) z3.Bool { return t.keepBool(x.ULT(y)) }

func (t *terms) not(x z3.Bool) z3.Bool       { return t.keepBool(x.Not()) }
func (t *terms) both(x, y z3.Bool) z3.Bool   { return t.keepBool(x.And(y)) }
func (t *terms) either(x, y z3.Bool) z3.Bool { return t.keepBool(x.Or(y)) }
func (t *terms) same(x, y z3.Bool) z3.Bool   { return t.keepBool(x.Iff(y)) }
