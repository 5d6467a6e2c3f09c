package fact

import (
	"math/bits"
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// An intQuestion asks which values an integer has, and how it compares with another
// one.
type intQuestion struct {
	x       term
	y       *term // or nil
	visits  int
	unknown bool // at some visit

	t       ir.Int  // that x is promoted to
	lo, hi  int64   // the least and the greatest value, in the order of t
	and, or uint64  // of the bits of all values
	few     []int64 // the values, in the order in which they came, as long as they are few
	many    bool    // there are more

	of     ir.Int // that x and y are compared in
	lt, gt bool   // x is less than y at some visit, or greater
	eq     bool
	diff   int64 // x - y, if it is always that
	varies bool
}

// fewValues bounds intQuestion.few.
const fewValues = 3

func (q *intQuestion) see(w *watch) {
	c := q.x.now(w)
	if !c.known {
		q.unknown = true
		return
	}
	if q.visits++; q.visits == 1 {
		q.t = promoted(q.x.place().Type().(ir.Int))
		q.lo, q.hi, q.and = c.v, c.v, ^uint64(0)
	}
	if less(q.t, c.v, q.lo) {
		q.lo = c.v
	}
	if less(q.t, q.hi, c.v) {
		q.hi = c.v
	}
	q.and, q.or = q.and&uint64(c.v), q.or|uint64(c.v)
	if !slices.Contains(q.few, c.v) {
		if q.many = q.many || len(q.few) == fewValues; !q.many {
			q.few = append(q.few, c.v)
		}
	}
	if q.y != nil {
		q.seeBoth(w, c.v)
	}
}

func (q *intQuestion) seeBoth(w *watch, x int64) {
	c := q.y.now(w)
	if !c.known {
		q.y = nil
		return
	}
	y := c.v
	q.of = common(q.t, promoted(q.y.place().Type().(ir.Int)))
	x, y = q.of.Wrap(x), q.of.Wrap(y)
	diff := unsigned(q.of).Wrap(x - y)
	if q.visits == 1 {
		q.diff = diff
	}
	q.varies = q.varies || diff != q.diff
	switch {
	case less(q.of, x, y):
		q.lt = true
	case x == y:
		q.eq = true
	default:
		q.gt = true
	}
}

// promoted returns the type that t is promoted to.
func promoted(t ir.Int) ir.Int {
	if t.Bits < 32 {
		return ir.I32
	}
	return t
}

// common returns a type to compare values of types a and b in.
func common(a, b ir.Int) ir.Int {
	switch {
	case a == b:
		return a
	case a == ir.U64 || b == ir.U64:
		return ir.U64
	}
	return ir.I64
}

func unsigned(t ir.Int) ir.Int { return ir.Int{Bits: t.Bits} }

// less reports whether x is less than y, which are values of type t.
func less(t ir.Int, x, y int64) bool {
	if t == ir.U64 {
		return uint64(x) < uint64(y)
	}
	return x < y
}

func bin(op ir.Op, x, y ir.Expr) ir.Expr { return &ir.Binary{Op: op, X: x, Y: y} }

func constant(t ir.Int, v int64) ir.Expr { return &ir.Const{T: t, V: t.Wrap(v)} }

func convert(t ir.Int, x ir.Expr) ir.Expr {
	if ir.IntOf(x) == t {
		return x
	}
	return &ir.Convert{T: t, X: x}
}

// load returns the value of a term, as one of type t.
func (q *intQuestion) load(t ir.Int) ir.Expr {
	return convert(t, &ir.Load{Place: q.x.place()})
}

func (q *intQuestion) fact(s *choice.Stream) ir.Expr {
	if q.visits == 0 || q.unknown {
		return nil
	}
	if q.y != nil && s.Chance(3, 4) {
		if e := q.relation(s); e != nil {
			return written(e, s)
		}
	}
	forms := []func(*choice.Stream) ir.Expr{
		q.oneOf, q.interval, q.interval, q.interval, q.window, q.window, q.sameBits, q.sameBits, q.other, q.other, q.fits, q.idle,
	}
	for {
		if e := choice.Pick(s, forms)(s); e != nil {
			return written(e, s)
		}
	}
}

// written returns e, now and then in another form.
func written(e ir.Expr, s *choice.Stream) ir.Expr {
	if s.Chance(1, 6) {
		return &ir.Unary{Op: ir.LNot, X: opposite(e)}
	}
	return e
}

// oneOf is x == a || x == b || x == c.
func (q *intQuestion) oneOf(s *choice.Stream) (e ir.Expr) {
	if q.many || len(q.few) == 1 && !s.Chance(1, 3) { // a known value makes the question trivial
		return nil
	}
	for _, v := range q.few {
		one := bin(ir.Eq, q.load(q.t), constant(q.t, v))
		if e == nil {
			e = one
		} else {
			e = bin(ir.LOr, e, one)
		}
	}
	return e
}

// around returns the ends of an interval that contains all values, mostly a wider one.
func (q *intQuestion) around(s *choice.Stream) (lo, hi int64) {
	lo, hi = q.lo, q.hi
	if tight := s.Chance(1, 3); tight && lo != hi {
		return lo, hi
	}
	down, up := s.Magnitude(0, 1<<30), s.Magnitude(0, 1<<30)
	if l := q.t.Wrap(lo - down); !less(q.t, lo, l) {
		lo = l
	}
	if h := q.t.Wrap(hi + up); !less(q.t, h, hi) {
		hi = h
	}
	return lo, hi
}

// interval is x >= lo, x <= hi, or both.
func (q *intQuestion) interval(s *choice.Stream) ir.Expr {
	lo, hi := q.around(s)
	from := bin(ir.Ge, q.load(q.t), constant(q.t, lo))
	to := bin(ir.Le, q.load(q.t), constant(q.t, hi))
	if q.t.Signed && q.lo >= 0 && s.Chance(1, 2) {
		from = bin(ir.Ge, q.load(q.t), constant(q.t, 0))
	}
	switch s.Intn(3) {
	case 0:
		return from
	case 1:
		return to
	}
	return bin(ir.LAnd, from, to)
}

// window is x - lo <= hi - lo without a sign.
func (q *intQuestion) window(s *choice.Stream) ir.Expr {
	lo, hi := q.around(s)
	u := unsigned(q.t)
	return bin(ir.Le, bin(ir.Sub, q.load(u), constant(u, lo)), constant(u, hi-lo))
}

// sameBits is (x & mask) == bits: the low ones, the high ones, or some.
func (q *intQuestion) sameBits(s *choice.Stream) ir.Expr {
	u := unsigned(q.t)
	width := ^uint64(0) >> (64 - u.Bits)
	known := (q.and | ^q.or) & width
	mask := known
	switch s.Intn(4) {
	case 0: // the low bits, as for aligned values
		mask &= 1<<s.Range(1, 5) - 1
	case 1: // the high bits, as for narrow values
		mask &= width << s.Intn(u.Bits)
	case 2:
		mask &= 1 << s.Intn(u.Bits)
	default:
		mask &= s.Uint64()
	}
	if mask == 0 {
		return nil
	}
	if mask == 1<<bits.Len64(mask)-1 && s.Chance(1, 2) {
		if mask == width {
			return nil
		}
		return bin(ir.Eq, bin(ir.Rem, q.load(u), constant(u, int64(mask+1))), constant(u, int64(q.and&mask)))
	}
	return bin(ir.Eq, bin(ir.And, q.load(u), constant(u, int64(mask))), constant(u, int64(q.and&mask)))
}

// other is x != v.
func (q *intQuestion) other(s *choice.Stream) ir.Expr {
	v := choice.Pick(s, []int64{0, 0, 1, -1, q.lo - 1, q.hi + 1, q.t.Min(), q.t.Max()})
	v = q.t.Wrap(v)
	outside := less(q.t, v, q.lo) || less(q.t, q.hi, v)
	if !outside && (q.many || slices.Contains(q.few, v)) {
		return nil
	}
	return bin(ir.Ne, q.load(q.t), constant(q.t, v))
}

// fits is (narrow)x == x.
func (q *intQuestion) fits(s *choice.Stream) ir.Expr {
	n := choice.Pick(s, []ir.Int{ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32})
	if n.Bits >= q.t.Bits || !n.Holds(q.lo) || !n.Holds(q.hi) || less(q.t, q.hi, 0) != (q.hi < 0) {
		return nil
	}
	return bin(ir.Eq, convert(q.t, convert(n, q.load(q.t))), q.load(q.t))
}

// idle is a condition that is always true.
func (q *intQuestion) idle(s *choice.Stream) ir.Expr {
	switch s.Intn(3) {
	case 0:
		return bin(ir.Le, q.load(q.t), constant(q.t, q.t.Max()))
	case 1:
		return bin(ir.Ne, bin(ir.Or, q.load(q.t), constant(q.t, 1)), constant(q.t, 0))
	}
	return bin(ir.Eq, q.load(q.t), q.load(q.t))
}

// relation compares x with y; nil if the order varies.
func (q *intQuestion) relation(s *choice.Stream) ir.Expr {
	x, y := q.load(q.of), convert(q.of, &ir.Load{Place: q.y.place()})
	if u := unsigned(q.of); !q.varies && s.Chance(1, 3) {
		return bin(ir.Eq, bin(ir.Sub, convert(u, x), convert(u, y)), constant(u, q.diff))
	}
	var ops []ir.Op
	for _, o := range []struct {
		op    ir.Op
		holds bool
	}{
		{ir.Lt, !q.eq && !q.gt}, {ir.Le, !q.gt}, {ir.Gt, !q.eq && !q.lt},
		{ir.Ge, !q.lt}, {ir.Eq, !q.lt && !q.gt}, {ir.Ne, !q.eq},
	} {
		if o.holds {
			ops = append(ops, o.op)
		}
	}
	if len(ops) == 0 {
		return nil
	}
	return bin(choice.Pick(s, ops), x, y)
}
