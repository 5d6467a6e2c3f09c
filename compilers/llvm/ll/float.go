package ll

import (
	"cmp"
	"math"
	"math/big"
)

// floatLane returns the lane that is a floating-point number of 32 or 64 bits.
func floatLane(bits int, n float64) Lane {
	if bits == 32 {
		return Lane{N: new(big.Int).SetUint64(uint64(math.Float32bits(float32(n))))}
	}
	return Lane{N: new(big.Int).SetUint64(math.Float64bits(n))}
}

// number returns the floating-point number that a lane is.
func (l Lane) number(bits int) float64 {
	n := math.Float64frombits(l.N.Uint64())
	if bits == 32 {
		n = float64(math.Float32frombits(uint32(l.N.Uint64())))
	}
	if math.IsNaN(n) || math.IsInf(n, 0) {
		fail("a number that is not finite")
	}
	return n
}

// finite returns a result.
func finite(bits int, n float64) Lane {
	l := floatLane(bits, n)
	l.number(bits)
	return l
}

// arith computes a lane of an operation on floating-point numbers. Of 32 bits each is the
// rounded one of 64, which has more than twice as many.
func arith(i *Instr, bits int, a, b Lane) Lane {
	if a.Poison || b.Poison {
		return poisonLane
	}
	x, y := a.number(bits), b.number(bits)
	switch i.Op {
	case "fneg":
		return finite(bits, -x)
	case "fadd":
		return finite(bits, x+y)
	case "fsub":
		return finite(bits, x-y)
	case "fmul":
		return finite(bits, x*y)
	}
	return finite(bits, x/y)
}

func compareFloats(i *Instr, bits int, a, b Lane) Lane {
	if a.Poison || b.Poison {
		return poisonLane
	}
	return truthOf(i.Pred[1:], cmp.Compare(a.number(bits), b.number(bits)))
}

// castFloat computes a lane of a cast from or to floating-point numbers.
func castFloat(i *Instr, from int, l Lane) Lane {
	if l.Poison {
		return l
	}
	to := i.Type.Scalar().Bits
	switch i.Op {
	case "fptrunc", "fpext":
		return finite(to, l.number(from))
	case "sitofp", "uitofp":
		n := l.N
		if i.Op == "sitofp" {
			n = signed(l.N, from)
		}
		if to == 32 { // rounded once
			f, _ := new(big.Float).SetInt(n).Float32()
			return finite(to, float64(f))
		}
		f, _ := new(big.Float).SetInt(n).Float64()
		return finite(to, f)
	}
	n, _ := big.NewFloat(l.number(from)).Int(nil)
	least, most := limits(to, i.Op == "fptosi")
	if n.Cmp(least) < 0 || n.Cmp(most) > 0 {
		return poisonLane
	}
	return Lane{N: wrap(n, to)}
}
