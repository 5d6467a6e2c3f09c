package lower

import (
	"fmt"

	"goreify/reify/ir"
)

// Wide makes of an integer of up to 128 bits its halves of 64: unsigned numbers, the high
// one only where the type has more than 64 bits. Its operators become operators on the
// halves, which wrap, before the statement; quotients of more than 64 bits are those of a
// function that Program adds. An operand that may not be evaluated is computed where its
// condition holds, and else is 0.
var Wide = Pass{
	Name: "wide",
	Lowers: func(n ir.Node) bool {
		e, ok := n.(ir.Expr)
		return ok && ir.FamilyOf(e) == ir.Wides
	},
	guards: true,
	begin: func(r *rewriter) {
		r.low, r.high = map[*ir.Var]*ir.Var{}, map[*ir.Var]*ir.Var{}
		for i, v := range r.f.Vars {
			t, ok := v.Type.(ir.Wide)
			if !ok {
				continue
			}
			lo := *v
			lo.Type, lo.Init = ir.U64.Boxed(), []ir.Expr{number(ir.U64, 0)}
			r.low[v], r.f.Vars[i] = &lo, &lo
			if t.Bits > 64 {
				r.high[v] = r.variable(ir.U64.Boxed(), v.Name+"h")
				r.high[v].Init = []ir.Expr{number(ir.U64, 0)}
			}
		}
	},
	expr: func(r *rewriter, e ir.Expr) ir.Expr {
		switch e := e.(type) {
		case *ir.Convert:
			if t, ok := e.T.(ir.Int); ok && ir.FamilyOf(e.X) == ir.Wides {
				x := r.wide(e.X)
				if t == ir.Bool {
					return convert(t, bin(ir.Ne, bin(ir.Or, x.lo, r.highOf(x)), number(ir.U64, 0)))
				}
				return convert(t, x.lo)
			}
		case *ir.Binary:
			if e.Op.Compares() && ir.FamilyOf(e.X) == ir.Wides {
				x := r.wide(e.X)
				return r.compare(e.Op, x, r.wide(e.Y))
			}
		case *ir.Builtin:
			if op, ok := e.Fn.Overflows(); ok {
				x := r.wide(e.Args[0])
				return r.overflows(op, x, r.wide(e.Args[1]))
			}
		}
		return nil
	},
	stmt: func(r *rewriter, s ir.Stmt) bool {
		a, ok := s.(*ir.Assign)
		if !ok {
			return false
		}
		if _, ok := a.Dst.Type().(ir.Wide); !ok {
			return false
		}
		to := a.Dst.(*ir.VarRef).Var
		x := r.wide(a.Src)
		lo := &ir.Assign{Dst: &ir.VarRef{Var: r.low[to]}, Src: x.lo}
		if h := r.high[to]; h != nil {
			hi := x.hi
			if load, ok := hi.(*ir.Load); ok && load.Place.(*ir.VarRef).Var == r.low[to] {
				hi = read(r.keep(hi))
			}
			r.add(lo)
			r.add(&ir.Assign{Dst: &ir.VarRef{Var: h}, Src: hi})
			return true
		}
		r.add(lo)
		return true
	},
	typ: func(t ir.Type) ir.Type {
		if _, ok := t.(ir.Wide); ok {
			return ir.U64.Boxed()
		}
		return t
	},
}

// A wide is a value of a type of up to 128 bits, sign- or zero-extended to 64 bits, or to
// 128 if the type has more. The halves are constants or variables.
type wide struct {
	t      ir.Wide
	lo, hi ir.Expr // hi is nil for a type of up to 64 bits
}

func (t wide) large() bool { return t.hi != nil }

// bin returns an operator on copies of two halves, of which one may be 0.
func bin(op ir.Op, x, y ir.Expr) ir.Expr {
	zero := func(e ir.Expr) bool {
		k, ok := e.(*ir.Const)
		return ok && k.V == 0 && k.T == ir.U64
	}
	switch {
	case zero(y) && (op == ir.Add || op == ir.Sub || op == ir.Or), zero(x) && op == ir.Mul:
		return ir.CopyExpr(x)
	case zero(x) && (op == ir.Add || op == ir.Or), zero(y) && op == ir.Mul:
		return ir.CopyExpr(y)
	}
	return &ir.Binary{Op: op, X: ir.CopyExpr(x), Y: ir.CopyExpr(y)}
}

func by(op ir.Op, x ir.Expr, n int) ir.Expr { return bin(op, x, number(ir.U64, int64(n))) }

// half returns a half that may stand several times.
func (r *rewriter) half(e ir.Expr) ir.Expr {
	if _, ok := e.(*ir.Const); ok {
		return e
	}
	return read(r.keep(e))
}

// signed returns x op n, with x as a signed number.
func signed(op ir.Op, x ir.Expr, n int) ir.Expr {
	return convert(ir.U64, bin(op, convert(ir.I64, ir.CopyExpr(x)), number(ir.I64, int64(n))))
}

// extended returns the low bits of a half, sign- or zero-extended.
func (r *rewriter) extended(x ir.Expr, bits int, sign bool) ir.Expr {
	switch n := 64 - bits; {
	case n <= 0:
		return r.half(x)
	case sign:
		return r.half(signed(ir.Shr, by(ir.Shl, x, n), n))
	default:
		return r.half(bin(ir.And, x, number(ir.U64, int64(uint64(1)<<bits-1))))
	}
}

// highOf returns the high half of the 128 bits that a value is extended to.
func (r *rewriter) highOf(x wide) ir.Expr {
	switch {
	case x.large():
		return x.hi
	case x.t.Signed:
		return r.half(signed(ir.Shr, x.lo, 63))
	}
	return number(ir.U64, 0)
}

// cut returns the value of type t of a value of 128 bits, or of the low 64 if t has no
// more.
func (r *rewriter) cut(t ir.Wide, lo, hi ir.Expr) wide {
	if t.Bits <= 64 {
		return wide{t, r.extended(lo, t.Bits, t.Signed), nil}
	}
	lo = r.half(lo)
	return wide{t, lo, r.extended(hi, t.Bits-64, t.Signed)}
}

// wide computes a value.
func (r *rewriter) wide(e ir.Expr) wide {
	t := ir.TypeOf[ir.Wide](e)
	switch e := e.(type) {
	case *ir.Load:
		v := e.Place.(*ir.VarRef).Var
		x := wide{t: t, lo: read(r.low[v])}
		if h := r.high[v]; h != nil {
			x.hi = read(h)
		}
		return x
	case *ir.Convert:
		if ir.FamilyOf(e.X) == ir.Wides {
			x := r.wide(e.X)
			if t.Bits <= 64 {
				return r.cut(t, x.lo, nil)
			}
			return r.cut(t, x.lo, r.highOf(x))
		}
		x := wide{t: ir.Wide{Bits: 64, Signed: ir.IntOf(e.X).Signed}, lo: r.half(convert(ir.U64, e.X))}
		if t.Bits <= 64 {
			return r.cut(t, x.lo, nil)
		}
		return r.cut(t, x.lo, r.highOf(x))
	case *ir.Unary:
		x := r.wide(e.X)
		if e.Op == ir.Neg {
			return r.negative(x)
		}
		return r.each(x, func(half ir.Expr) ir.Expr { return &ir.Unary{Op: ir.Not, X: ir.CopyExpr(half)} })
	case *ir.Binary:
		x := r.wide(e.X)
		return r.operate(e.Op, x, r.wide(e.Y))
	case *ir.Select:
		g := r.truth(e.If)
		var x, y wide
		r.lazily(g, false, func() { x = r.wide(e.X) })
		r.lazily(g, true, func() { y = r.wide(e.Y) })
		return r.choose(g, x, y)
	}
	panic(fmt.Sprintf("lower: unknown wide integer %T", e))
}

// each computes both halves of a value anew.
func (r *rewriter) each(x wide, of func(half ir.Expr) ir.Expr) wide {
	if !x.large() {
		return r.cut(x.t, of(x.lo), nil)
	}
	return r.cut(x.t, of(x.lo), of(x.hi))
}

func (r *rewriter) negative(x wide) wide {
	zero := wide{t: x.t, lo: number(ir.U64, 0)}
	if x.large() {
		zero.hi = number(ir.U64, 0)
	}
	return r.operate(ir.Sub, zero, x)
}

// choose returns one of two values of a type.
func (r *rewriter) choose(g ir.Expr, x, y wide) wide {
	pick := func(x, y ir.Expr) ir.Expr {
		return r.half(&ir.Select{If: ir.CopyExpr(g), X: ir.CopyExpr(x), Y: ir.CopyExpr(y)})
	}
	z := wide{t: x.t, lo: pick(x.lo, y.lo)}
	if x.large() {
		z.hi = pick(x.hi, y.hi)
	}
	return z
}

// bit returns a truth value as a half.
func bit(e ir.Expr) ir.Expr { return convert(ir.U64, e) }

func mulHigh(x, y ir.Expr) ir.Expr {
	return &ir.Builtin{Fn: ir.MulHigh, Args: []ir.Expr{ir.CopyExpr(x), ir.CopyExpr(y)}}
}

// operate computes x op y modulo the width of their type.
func (r *rewriter) operate(op ir.Op, x, y wide) wide {
	switch {
	case op.Shifts():
		return r.shift(op, x, y)
	case op.Divides():
		return r.divide(op, x, y)
	case !x.large():
		return r.cut(x.t, bin(op, x.lo, y.lo), nil)
	case op.Bitwise():
		return wide{x.t, r.half(bin(op, x.lo, y.lo)), r.half(bin(op, x.hi, y.hi))}
	}
	lo := r.half(bin(op, x.lo, y.lo))
	switch op {
	case ir.Add:
		return r.cut(x.t, lo, bin(op, bin(op, x.hi, y.hi), bit(bin(ir.Lt, lo, x.lo))))
	case ir.Sub:
		return r.cut(x.t, lo, bin(op, bin(op, x.hi, y.hi), bit(bin(ir.Lt, x.lo, y.lo))))
	case ir.Mul:
		hi := mulHigh(x.lo, y.lo)
		return r.cut(x.t, lo, bin(ir.Add, bin(ir.Add, hi, bin(op, x.hi, y.lo)), bin(op, x.lo, y.hi)))
	}
	panic(fmt.Sprintf("lower: %s of wide integers", op))
}

// shift computes x op y. A count that is not less than the width is undefined, so it
// may be taken modulo a power of two.
func (r *rewriter) shift(op ir.Op, x, y wide) wide {
	right := func(e, n ir.Expr) ir.Expr {
		if x.t.Signed {
			return convert(ir.U64, bin(ir.Shr, convert(ir.I64, ir.CopyExpr(e)), convert(ir.I64, ir.CopyExpr(n))))
		}
		return bin(ir.Shr, e, n)
	}
	n := r.half(bin(ir.And, y.lo, number(ir.U64, 63)))
	if !x.large() {
		if op == ir.Shl {
			return r.cut(x.t, bin(op, x.lo, n), nil)
		}
		return wide{x.t, r.half(right(x.lo, n)), nil}
	}
	far := r.half(bin(ir.Ne, bin(ir.And, y.lo, number(ir.U64, 64)), number(ir.U64, 0)))
	rest := bin(ir.Sub, number(ir.U64, 63), n)
	// one half moves bits to the other
	if op == ir.Shl {
		low := r.half(bin(op, x.lo, n))
		both := bin(ir.Or, bin(op, x.hi, n), bin(ir.Shr, by(ir.Shr, x.lo, 1), rest))
		hi := &ir.Select{If: ir.CopyExpr(far), X: ir.CopyExpr(low), Y: both}
		lo := &ir.Select{If: ir.CopyExpr(far), X: number(ir.U64, 0), Y: ir.CopyExpr(low)}
		return r.cut(x.t, lo, hi)
	}
	high := r.half(right(x.hi, n))
	both := bin(ir.Or, bin(op, x.lo, n), bin(ir.Shl, by(ir.Shl, x.hi, 1), rest))
	lo := r.half(&ir.Select{If: ir.CopyExpr(far), X: ir.CopyExpr(high), Y: both})
	filled := ir.Expr(number(ir.U64, 0))
	if x.t.Signed {
		filled = signed(ir.Shr, x.hi, 63)
	}
	return wide{x.t, lo, r.half(&ir.Select{If: ir.CopyExpr(far), X: filled, Y: ir.CopyExpr(high)})}
}

// compare returns x op y as an integer.
func (r *rewriter) compare(op ir.Op, x, y wide) ir.Expr {
	as := func(e ir.Expr) ir.Expr {
		if x.t.Signed {
			return convert(ir.I64, ir.CopyExpr(e))
		}
		return e
	}
	if !x.large() {
		return bin(op, as(x.lo), as(y.lo))
	}
	if op == ir.Eq || op == ir.Ne {
		differ := bin(ir.Or, bin(ir.Xor, x.lo, y.lo), bin(ir.Xor, x.hi, y.hi))
		return bin(op, differ, number(ir.U64, 0))
	}
	strict := op
	switch op {
	case ir.Le:
		strict = ir.Lt
	case ir.Ge:
		strict = ir.Gt
	}
	return bin(ir.Or, bin(strict, as(x.hi), as(y.hi)), bin(ir.And, bin(ir.Eq, x.hi, y.hi), bin(op, x.lo, y.lo)))
}

// top returns the highest bit of a half as an integer.
func top(x ir.Expr) ir.Expr { return convert(ir.I32, by(ir.Shr, x, 63)) }

// magnitude returns whether x is negative, and its magnitude.
func (r *rewriter) magnitude(x wide) (negative ir.Expr, m wide) {
	if !x.t.Signed {
		return number(ir.I32, 0), x
	}
	negative = r.half(top(x.hi))
	m = r.choose(negative, r.negative(x), x)
	m.t.Signed = false
	return negative, m
}

// overflows returns whether x op y does not fit their type of 128 bits.
func (r *rewriter) overflows(op ir.Op, x, y wide) ir.Expr {
	if op == ir.Mul {
		return r.productOverflows(x, y)
	}
	z := r.operate(op, x, y)
	switch {
	case !x.t.Signed && op == ir.Add:
		return r.compare(ir.Lt, z, x)
	case !x.t.Signed:
		return r.compare(ir.Lt, x, y)
	case op == ir.Add:
		return top(bin(ir.And, bin(ir.Xor, x.hi, z.hi), bin(ir.Xor, y.hi, z.hi)))
	}
	return top(bin(ir.And, bin(ir.Xor, x.hi, y.hi), bin(ir.Xor, x.hi, z.hi)))
}

func (r *rewriter) productOverflows(x, y wide) ir.Expr {
	signed := x.t.Signed
	zero := number(ir.U64, 0)
	nx, x := r.magnitude(x)
	ny, y := r.magnitude(y)
	cross := r.half(bin(ir.Add, bin(ir.Mul, x.hi, y.lo), bin(ir.Mul, x.lo, y.hi)))
	hi := r.half(bin(ir.Add, mulHigh(x.lo, y.lo), cross))
	large := bin(ir.Or, mulHigh(x.hi, y.lo), mulHigh(x.lo, y.hi))
	e := bin(ir.And, bin(ir.Ne, x.hi, zero), bin(ir.Ne, y.hi, zero))
	e = bin(ir.Or, bin(ir.Or, e, bin(ir.Ne, large, zero)), bin(ir.Lt, hi, cross))
	if !signed {
		return e
	}
	// The magnitude has at most 127 bits, or is 2^127 if the product is negative.
	least := bin(ir.And, bin(ir.Ne, nx, ny), bin(ir.Eq, bin(ir.Or, by(ir.Shl, hi, 1), bin(ir.Mul, x.lo, y.lo)), zero))
	return bin(ir.Or, e, bin(ir.And, top(hi), &ir.Unary{Op: ir.LNot, X: least}))
}

// divide computes a quotient or a remainder.
func (r *rewriter) divide(op ir.Op, x, y wide) wide {
	if !x.large() {
		if r.guard != nil { // it may be undefined
			y.lo = r.half(&ir.Select{If: ir.CopyExpr(r.guard), X: y.lo, Y: number(ir.U64, 1)})
		}
		if x.t.Signed {
			return r.cut(x.t, convert(ir.U64, bin(op, convert(ir.I64, x.lo), convert(ir.I64, y.lo))), nil)
		}
		return r.cut(x.t, bin(op, x.lo, y.lo), nil)
	}
	t := x.t
	nx, x := r.magnitude(x)
	ny, y := r.magnitude(y)
	part := int64(0)
	negative := bin(ir.Xor, nx, ny)
	if op == ir.Rem {
		part, negative = 2, nx
	}
	call := func(part int64) ir.Expr {
		args := []ir.Expr{x.hi, x.lo, y.hi, y.lo, number(ir.I32, part)}
		for i := range args {
			args[i] = ir.CopyExpr(args[i])
		}
		return r.half(&ir.Call{Func: r.divider(), Args: args})
	}
	z := wide{t, call(part), call(part + 1)}
	if !t.Signed {
		return z
	}
	return r.choose(r.half(negative), r.negative(z), z)
}

// dividerText returns parts of a quotient and remainder: the low and high halves of the
// quotient, and then those of the remainder.
const dividerText = `
func @NAME(%nh u64, %nl u64, %dh u64, %dl u64, %part i32) u64 {
    local %rh u64 = 0
    local %rl u64 = 0
    local %i i32 = 0
    local %ge i32 = 0
  entry:
    goto step
  step:
    %ge = i32(%rh >> 63)
    %rh = %rh << 1 | %rl >> 63
    %rl = %rl << 1 | %nh >> 63
    %nh = %nh << 1 | %nl >> 63
    %nl = %nl << 1
    %ge = %ge | %rh > %dh | (%rh == %dh & %rl >= %dl)
    if %ge != 0 goto take else next
  take:
    %rh = %rh - %dh - u64(%rl < %dl)
    %rl = %rl - %dl
    %nl = %nl | 1
    goto next
  next:
    %i = %i + 1
    if %i < 128 goto step else exit
  exit:
    return %part < 2 ? (%part == 0 ? %nl : %nh) : (%part == 2 ? %rl : %rh)
}
`
