package ll

import (
	"math/big"
	"slices"
)

func (x *machine) store(to, v Value) {
	l := to.Lanes[0]
	if l.Poison || l.object == nil || l.object.dead {
		undefined("a store to no variable")
	}
	x.write(l.object, int(signed(l.N, 64).Int64()), v)
}

func (x *machine) load(from Value, t *Type) Value {
	l := from.Lanes[0]
	if l.Poison || l.object == nil || l.object.dead {
		undefined("a load from no variable")
	}
	return x.read(l.object, int(signed(l.N, 64).Int64()), t)
}

// bounds makes sure that so many bytes are in a variable.
func (o *object) bounds(at, n int) []cell {
	if at < 0 || at+n > len(o.bytes) {
		undefined("an access at %d of %d bytes to @%s, which has %d", at, n, o.name, len(o.bytes))
	}
	return o.bytes[at : at+n]
}

func (x *machine) write(o *object, at int, v Value) {
	store, _ := v.Type.size()
	cells := o.bounds(at, store)
	switch {
	case v.Elems != nil:
		for n, off := range fieldOffsets(v.Type) {
			x.write(o, at+off, v.Elems[n])
		}
	case v.Type.Kind == Ptr:
		for n := range cells {
			cells[n] = cell{poison: v.Lanes[0].Poison, address: &v.Lanes[0]}
		}
	default:
		bits, poison := x.pack(v)
		for n := range cells {
			k := n
			if x.m.BigEndian() {
				k = len(cells) - 1 - n
			}
			cells[n] = cell{b: byte(new(big.Int).Rsh(bits, uint(8*k)).Uint64()), poison: new(big.Int).And(new(big.Int).Rsh(poison, uint(8*k)), big.NewInt(255)).Sign() != 0}
		}
	}
}

func (x *machine) read(o *object, at int, t *Type) Value {
	store, _ := t.size()
	cells := o.bounds(at, store)
	v := Value{Type: t}
	switch t.Kind {
	case Array, Struct:
		fields := t.Fields
		if t.Kind == Array {
			fields = slices.Repeat([]*Type{t.Elem}, t.N)
		}
		for n, off := range fieldOffsets(t) {
			v.Elems = append(v.Elems, x.read(o, at+off, fields[n]))
		}
		return v
	case Ptr:
		a := cells[0].address
		for _, c := range cells {
			if c.address == nil || c.address != a {
				fail("an address made of bytes")
			}
		}
		v.Lanes = []Lane{*a}
		return v
	}
	bits, poison := new(big.Int), new(big.Int)
	for n, c := range cells {
		k := uint(8 * n)
		if x.m.BigEndian() {
			k = uint(8 * (len(cells) - 1 - n))
		}
		if c.address != nil {
			fail("the bytes of an address")
		}
		bits.Or(bits, new(big.Int).Lsh(big.NewInt(int64(c.b)), k))
		if c.poison {
			poison.Or(poison, new(big.Int).Lsh(big.NewInt(255), k))
		}
	}
	if n := t.Lanes() * t.Scalar().bits(); bits.BitLen() > n {
		undefined("a load of bits that i%d does not have", n)
	}
	return x.unpack(t, bits, poison)
}

func fieldOffsets(t *Type) (list []int) {
	if t.Kind == Array {
		_, stride := t.Elem.size()
		for n := range t.N {
			list = append(list, n*stride)
		}
		return list
	}
	at := 0
	for _, f := range t.Fields {
		at = roundUp(at, t.alignOf(f))
		list = append(list, at)
		_, stride := f.size()
		at += stride
	}
	return list
}

// pack returns the bits of lanes side by side, as an integer of all has them, and which of
// them are poison. The first lane has the low bits, or the high ones where the high byte
// comes first.
func (x *machine) pack(v Value) (bits, poison *big.Int) {
	bits, poison = new(big.Int), new(big.Int)
	n := v.Type.Scalar().bits()
	all := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(n)), big.NewInt(1))
	for k, l := range v.Lanes {
		if x.m.BigEndian() {
			k = len(v.Lanes) - 1 - k
		}
		at := uint(k * n)
		if l.Poison {
			poison.Or(poison, new(big.Int).Lsh(all, at))
			continue
		}
		if v.Type.Scalar().Kind == Ptr {
			fail("the bits of addresses")
		}
		bits.Or(bits, new(big.Int).Lsh(l.N, at))
	}
	return bits, poison
}

func (x *machine) unpack(t *Type, bits, poison *big.Int) Value {
	v := Value{Type: t}
	n := t.Scalar().bits()
	for k := range t.Lanes() {
		if x.m.BigEndian() {
			k = t.Lanes() - 1 - k
		}
		at := uint(k * n)
		v.Lanes = append(v.Lanes, Lane{
			N:      wrap(new(big.Int).Rsh(bits, at), n),
			Poison: wrap(new(big.Int).Rsh(poison, at), n).Sign() != 0,
		})
	}
	return v
}

// wrap returns an integer modulo 2^bits.
func wrap(n *big.Int, bits int) *big.Int {
	mask := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return new(big.Int).And(n, mask.Sub(mask, big.NewInt(1)))
}
