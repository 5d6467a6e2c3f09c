package ll

import (
	"math/big"
	"strings"
)

var poisonLane = Lane{Poison: true}

func truthLane(b bool) Lane {
	if b {
		return Lane{N: big.NewInt(1)}
	}
	return Lane{N: new(big.Int)}
}

func compare(i *Instr, t *Type, a, b Lane) Lane {
	if a.Poison || b.Poison {
		return poisonLane
	}
	if t.Kind == Ptr {
		equal := a.object == b.object && a.N.Cmp(b.N) == 0
		switch {
		case i.Pred == "eq":
			return truthLane(equal)
		case i.Pred == "ne":
			return truthLane(!equal)
		case a.object != b.object:
			fail("the order of addresses")
		}
		t = IntType(64)
	}
	if i.has("samesign") && a.N.Bit(t.Bits-1) != b.N.Bit(t.Bits-1) {
		return poisonLane
	}
	c := a.N.Cmp(b.N)
	if i.Pred[0] == 's' {
		c = signed(a.N, t.Bits).Cmp(signed(b.N, t.Bits))
	}
	return truthOf(strings.TrimLeft(i.Pred, "su"), c)
}

// truthOf tells whether a comparison holds, of what compares as c does with 0.
func truthOf(pred string, c int) Lane {
	switch pred {
	case "eq":
		return truthLane(c == 0)
	case "ne":
		return truthLane(c != 0)
	case "lt":
		return truthLane(c < 0)
	case "le":
		return truthLane(c <= 0)
	case "gt":
		return truthLane(c > 0)
	case "ge":
		return truthLane(c >= 0)
	}
	fail("predicate %s", pred)
	return Lane{}
}

func cast(i *Instr, from, to int, l Lane) Lane {
	if l.Poison {
		return l
	}
	switch i.Op {
	case "sext":
		return Lane{N: wrap(signed(l.N, from), to)}
	case "zext":
		if i.has("nneg") && l.N.Bit(from-1) != 0 {
			return poisonLane
		}
		return l
	}
	n := wrap(l.N, to)
	if i.has("nuw") && n.Cmp(l.N) != 0 || i.has("nsw") && signed(n, to).Cmp(signed(l.N, from)) != 0 {
		return poisonLane
	}
	return Lane{N: n}
}

// binary computes a lane of an operation on two.
func binary(i *Instr, bits int, a, b Lane) Lane {
	divides := i.Op == "udiv" || i.Op == "sdiv" || i.Op == "urem" || i.Op == "srem"
	if divides && (b.Poison || b.N.Sign() == 0) {
		undefined("a division by zero or poison")
	}
	if divides && i.Op[0] == 's' && signed(b.N, bits).Cmp(big.NewInt(-1)) == 0 && (a.Poison || a.N.BitLen() == bits && a.N.TrailingZeroBits() == uint(bits-1)) {
		undefined("a quotient that overflows")
	}
	if a.Poison || b.Poison {
		return poisonLane
	}
	n := new(big.Int)
	sa, sb := signed(a.N, bits), signed(b.N, bits)
	switch i.Op {
	case "add", "sub", "mul":
		op := map[string]func(*big.Int, *big.Int, *big.Int) *big.Int{"add": (*big.Int).Add, "sub": (*big.Int).Sub, "mul": (*big.Int).Mul}[i.Op]
		unsigned, s := op(new(big.Int), a.N, b.N), op(n, sa, sb)
		r := wrap(unsigned, bits)
		if i.has("nuw") && r.Cmp(unsigned) != 0 || i.has("nsw") && signed(r, bits).Cmp(s) != 0 {
			return poisonLane
		}
		return Lane{N: r}
	case "udiv", "urem":
		q, r := n.QuoRem(a.N, b.N, new(big.Int))
		if i.Op == "urem" {
			return Lane{N: r}
		}
		if i.has("exact") && r.Sign() != 0 {
			return poisonLane
		}
		return Lane{N: q}
	case "sdiv", "srem":
		q, r := n.QuoRem(sa, sb, new(big.Int))
		if i.Op == "srem" {
			return Lane{N: wrap(r, bits)}
		}
		if i.has("exact") && r.Sign() != 0 {
			return poisonLane
		}
		return Lane{N: wrap(q, bits)}
	case "shl", "lshr", "ashr":
		if b.N.Cmp(big.NewInt(int64(bits))) >= 0 {
			return poisonLane
		}
		by := uint(b.N.Uint64())
		if i.Op == "shl" {
			full := n.Lsh(a.N, by)
			r := wrap(full, bits)
			if i.has("nuw") && r.Cmp(full) != 0 || i.has("nsw") && signed(r, bits).Cmp(new(big.Int).Lsh(sa, by)) != 0 {
				return poisonLane
			}
			return Lane{N: r}
		}
		if i.has("exact") && a.N.Sign() != 0 && a.N.TrailingZeroBits() < by {
			return poisonLane
		}
		if i.Op == "lshr" {
			return Lane{N: n.Rsh(a.N, by)}
		}
		return Lane{N: wrap(n.Rsh(sa, by), bits)}
	case "and":
		return Lane{N: n.And(a.N, b.N)}
	case "or":
		if i.has("disjoint") && new(big.Int).And(a.N, b.N).Sign() != 0 {
			return poisonLane
		}
		return Lane{N: n.Or(a.N, b.N)}
	case "xor":
		return Lane{N: n.Xor(a.N, b.N)}
	}
	fail("instruction %s", i.Op)
	return Lane{}
}
