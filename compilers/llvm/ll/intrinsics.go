package ll

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"
)

// calls executes a call.
func (x *machine) calls(i *Instr, args []Value) Value {
	name, intrinsic := strings.CutPrefix(i.Callee, "llvm.")
	switch {
	case i.Callee == "abort":
		panic(fault{fmt.Errorf("LLVM IR: @abort: %w", ErrAborted)})
	case i.Callee == "printf":
		x.output = append(x.output, x.printed(args)...)
		return Value{Type: i.Type, Lanes: []Lane{poisonLane}}
	case i.Callee == "puts":
		return Value{Type: i.Type, Lanes: []Lane{poisonLane}}
	case !intrinsic:
		f := x.m.Func(i.Callee)
		if f == nil {
			fail("function @%s", i.Callee)
		}
		return x.call(f, args)
	}
	for n := strings.LastIndexByte(name, '.'); n > 0 && suffix(name[n+1:]); n = strings.LastIndexByte(name, '.') {
		name = name[:n]
	}
	v := Value{Type: i.Type}
	switch name {
	case "lifetime.start", "lifetime.end", "experimental.noalias.scope.decl":
		return v
	case "expect":
		return args[0]
	case "assume":
		if !x.truth(args[0]) {
			undefined("an assumption that does not hold")
		}
		return v
	case "memset":
		n, to := args[2].Lanes[0], args[0].Lanes[0]
		if n.Poison || to.Poison {
			undefined("a memset of poison")
		}
		for k := range n.N.Int64() {
			at := to
			at.N = new(big.Int).Add(to.N, big.NewInt(k))
			x.store(Value{Type: ptrType, Lanes: []Lane{at}}, args[1])
		}
		return v
	case "memcpy", "memmove":
		n, to, from := args[2].Lanes[0], args[0].Lanes[0], args[1].Lanes[0]
		if n.Poison || to.Poison || from.Poison || n.N.Sign() != 0 && (to.object == nil || from.object == nil) {
			undefined("a copy of poison")
		}
		if n.N.Sign() != 0 {
			source := append([]cell(nil), from.object.bounds(int(from.N.Int64()), int(n.N.Int64()))...)
			copy(to.object.bounds(int(to.N.Int64()), int(n.N.Int64())), source)
		}
		return v
	case "experimental.cttz.elts": // how many lanes come before the first that is true
		n := 0
		for n < len(args[0].Lanes) && !args[0].Lanes[n].Poison && args[0].Lanes[n].N.Sign() == 0 {
			n++
		}
		v.Lanes = []Lane{{N: wrap(big.NewInt(int64(n)), i.Type.Bits)}}
		if n < len(args[0].Lanes) && args[0].Lanes[n].Poison || n == len(args[0].Lanes) && x.truth(args[1]) {
			v.Lanes = []Lane{poisonLane}
		}
		return v
	case "sadd.with.overflow", "uadd.with.overflow", "ssub.with.overflow", "usub.with.overflow", "smul.with.overflow", "umul.with.overflow":
		sum, over := Value{Type: i.Type.Fields[0]}, Value{Type: i.Type.Fields[1]}
		op := &Instr{Op: name[1:4]}
		checked := &Instr{Op: name[1:4], Flags: []string{"n" + name[:1] + "w"}}
		for n, a := range args[0].Lanes {
			b := args[1].Lanes[n]
			r := binary(op, args[0].Type.Scalar().Bits, a, b)
			sum.Lanes = append(sum.Lanes, r)
			if r.Poison {
				over.Lanes = append(over.Lanes, r)
				continue
			}
			over.Lanes = append(over.Lanes, truthLane(binary(checked, args[0].Type.Scalar().Bits, a, b).Poison))
		}
		v.Elems = []Value{sum, over}
		return v
	}
	if op, ok := strings.CutPrefix(name, "vector.reduce."); ok {
		v.Lanes = args[0].Lanes[:1]
		for _, l := range args[0].Lanes[1:] {
			if combine := lanewise[op]; combine != nil {
				v.Lanes = []Lane{defined(combine, i.Type.Bits, v.Lanes[0], l)}
			} else {
				v.Lanes = []Lane{binary(&Instr{Op: op}, i.Type.Bits, v.Lanes[0], l)}
			}
		}
		return v
	}
	if name == "experimental.vector.compress" {
		for n, l := range args[0].Lanes {
			switch m := args[1].Lanes[n]; {
			case m.Poison:
				v.Lanes = slices.Repeat([]Lane{poisonLane}, len(args[0].Lanes))
				return v
			case m.N.Sign() != 0:
				v.Lanes = append(v.Lanes, l)
			}
		}
		v.Lanes = append(v.Lanes, args[2].Lanes[len(v.Lanes):]...)
		return v
	}
	f := lanewise[name]
	if f == nil {
		fail("intrinsic %s", i.Callee)
	}
	for n := range args[0].Lanes {
		var list []Lane
		for _, a := range args {
			if len(a.Lanes) == len(args[0].Lanes) {
				list = append(list, a.Lanes[n])
			} else {
				list = append(list, a.Lanes[0]) // a constant, as whether zero is poison
			}
		}
		if name == "ucmp" || name == "scmp" {
			v.Lanes = append(v.Lanes, resize(defined(f, args[0].Type.Scalar().Bits, list...), i.Type.Scalar().Bits))
			continue
		}
		v.Lanes = append(v.Lanes, defined(f, args[0].Type.Scalar().Bits, list...))
	}
	return v
}

// suffix tells whether a part of an intrinsic's name is that of a type.
func suffix(part string) bool {
	return part != "" && (part[0] == 'i' || part[0] == 'v' || part[0] == 'p') && part[len(part)-1] >= '0' && part[len(part)-1] <= '9'
}

// resize returns what a comparison has left, in a width.
func resize(l Lane, to int) Lane {
	if l.Poison {
		return l
	}
	return Lane{N: wrap(l.N, to)}
}

// A lanesFunc computes a lane of lanes none of which is poison.
type lanesFunc func(bits int, l []Lane) Lane

func defined(f lanesFunc, bits int, list ...Lane) Lane {
	for _, l := range list {
		if l.Poison {
			return poisonLane
		}
	}
	return f(bits, list)
}

func limits(bits int, isSigned bool) (least, most *big.Int) {
	if !isSigned {
		most = new(big.Int).Lsh(big.NewInt(1), uint(bits))
		return new(big.Int), most.Sub(most, big.NewInt(1))
	}
	most = new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
	least = new(big.Int).Neg(most)
	return least, most.Sub(most, big.NewInt(1))
}

// saturated returns an operation whose result is the nearest that there is.
func saturated(isSigned bool, op func(n, a, b *big.Int) *big.Int) lanesFunc {
	return func(bits int, l []Lane) Lane {
		a, b := l[0].N, l[1].N
		if isSigned {
			a, b = signed(a, bits), signed(b, bits)
		}
		n := op(new(big.Int), a, b)
		least, most := limits(bits, isSigned)
		if n.Cmp(least) < 0 {
			n = least
		}
		if n.Cmp(most) > 0 {
			n = most
		}
		return Lane{N: wrap(n, bits)}
	}
}

// extreme returns the operation that takes the greater of two, or the less.
func extreme(isSigned bool, sign int) lanesFunc {
	return func(bits int, l []Lane) Lane {
		c := l[0].N.Cmp(l[1].N)
		if isSigned {
			c = signed(l[0].N, bits).Cmp(signed(l[1].N, bits))
		}
		if c*sign >= 0 {
			return l[0]
		}
		return l[1]
	}
}

// funnel returns the operation that shifts two integers side by side.
func funnel(left bool) lanesFunc {
	return func(bits int, l []Lane) Lane {
		by := uint(new(big.Int).Mod(l[2].N, big.NewInt(int64(bits))).Uint64())
		both := new(big.Int).Or(new(big.Int).Lsh(l[0].N, uint(bits)), l[1].N)
		if left {
			return Lane{N: wrap(new(big.Int).Rsh(new(big.Int).Lsh(both, by), uint(bits)), bits)}
		}
		return Lane{N: wrap(new(big.Int).Rsh(both, by), bits)}
	}
}

// zeros returns the operation that counts zeros from one end.
func zeros(trailing bool) lanesFunc {
	return func(width int, l []Lane) Lane {
		n := width - l[0].N.BitLen()
		if l[0].N.Sign() == 0 {
			if l[1].N.Sign() != 0 {
				return poisonLane
			}
			n = width
		} else if trailing {
			n = int(l[0].N.TrailingZeroBits())
		}
		return Lane{N: wrap(big.NewInt(int64(n)), width)}
	}
}

func shiftLeft(n, a, b *big.Int) *big.Int { return n.Lsh(a, uint(b.Uint64())) }

// saturatedShift returns a shift to the left whose result is the nearest that there is.
func saturatedShift(isSigned bool) lanesFunc {
	return func(bits int, l []Lane) Lane {
		if l[1].N.Cmp(big.NewInt(int64(bits))) >= 0 {
			return poisonLane
		}
		by := l[1].N
		return saturated(isSigned, func(n, a, _ *big.Int) *big.Int { return shiftLeft(n, a, by) })(bits, l)
	}
}

// saturatedProduct returns the product of fixed-point numbers, of which only those without a
// fraction are known: how others are rounded is left open.
func saturatedProduct(isSigned bool) lanesFunc {
	return func(bits int, l []Lane) Lane {
		if l[2].N.Sign() != 0 {
			fail("a product of fractions")
		}
		return saturated(isSigned, (*big.Int).Mul)(bits, l)
	}
}

// threeWay returns the operation that compares two integers: its result is -1, 0 or 1.
func threeWay(isSigned bool) lanesFunc {
	return func(bits int, l []Lane) Lane {
		c := l[0].N.Cmp(l[1].N)
		if isSigned {
			c = signed(l[0].N, bits).Cmp(signed(l[1].N, bits))
		}
		return Lane{N: big.NewInt(int64(c))}
	}
}

// lanewise are the intrinsics whose result has lanes that depend on those of the operands.
var lanewise = map[string]lanesFunc{
	"smax": extreme(true, 1), "smin": extreme(true, -1), "umax": extreme(false, 1), "umin": extreme(false, -1),
	"sadd.sat": saturated(true, (*big.Int).Add), "uadd.sat": saturated(false, (*big.Int).Add),
	"ssub.sat": saturated(true, (*big.Int).Sub), "usub.sat": saturated(false, (*big.Int).Sub),
	"sshl.sat": saturatedShift(true), "ushl.sat": saturatedShift(false),
	"smul.fix.sat": saturatedProduct(true), "umul.fix.sat": saturatedProduct(false),
	"fshl": funnel(true), "fshr": funnel(false),
	"ctlz": zeros(false), "cttz": zeros(true),
	"scmp": threeWay(true), "ucmp": threeWay(false),
	"abs": func(bits int, l []Lane) Lane {
		n := new(big.Int).Abs(signed(l[0].N, bits))
		if l[1].N.Sign() != 0 && n.Bit(bits-1) != 0 {
			return poisonLane
		}
		return Lane{N: n}
	},
	"ctpop": func(width int, l []Lane) Lane {
		n := 0
		for _, w := range l[0].N.Bytes() {
			n += bits.OnesCount8(w)
		}
		return Lane{N: wrap(big.NewInt(int64(n)), width)}
	},
	"bswap": func(width int, l []Lane) Lane {
		return Lane{N: mirrored(l[0].N, width, 8)}
	},
	"bitreverse": func(width int, l []Lane) Lane {
		return Lane{N: mirrored(l[0].N, width, 1)}
	},
}

// mirrored returns an integer with its groups of bits in reverse.
func mirrored(n *big.Int, width, group int) *big.Int {
	r := new(big.Int)
	for at := 0; at < width; at += group {
		r.Or(r, new(big.Int).Lsh(wrap(new(big.Int).Rsh(n, uint(at)), group), uint(width-group-at)))
	}
	return r
}
