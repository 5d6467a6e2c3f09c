package ll

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"
)

// Errors of Run. They come wrapped; another one is ErrUnknown.
var (
	// ErrUndefined says that the program is undefined, or that its result would depend on poison.
	ErrUndefined = errors.New("is undefined")
	// ErrEndless says that it has made too many steps.
	ErrEndless = errors.New("does not end")
	// ErrAborted says that it has called abort.
	ErrAborted = errors.New("aborted")
)

// mostSteps bounds a run of a module that has no bound of its own.
const mostSteps = 1 << 20

// An object is a variable in memory.
type object struct {
	name   string
	bytes  []cell
	dead   bool // of a function that has returned
	global bool
}

// A cell is a byte of memory, or a part of an address.
type cell struct {
	poison  bool
	b       byte
	address *Lane // of which it is a byte
}

// A Result is what came of a run.
type Result struct {
	Value Value // that the function returns; of no type if it returns none
	// First are the values that instructions of the function had first, by their names.
	First map[string]Value
	Last  map[string]Value // and those that they had last
	Args  []Value          // of the call
	Steps int              // instructions that were executed, of the function that was run
}

// A machine executes a module.
type machine struct {
	m       *Module
	globals map[string]*object
	steps   int
	most    int
	watch   map[string]*Result // by function, what its first call was
}

// Run executes a call of a function with constants, with all variables as they are at the
// start. The function need not be one of the module.
func (m *Module) Run(f *Func, args ...Operand) (Result, error) {
	watch, err := m.Watch(f, args...)
	if r := watch[f.Name]; r != nil {
		return *r, err
	}
	return Result{}, err
}

// Watch executes a call, and returns what the first call of each function was.
func (m *Module) Watch(f *Func, args ...Operand) (calls map[string]*Result, err error) {
	x := &machine{m: m, globals: map[string]*object{}, watch: map[string]*Result{}, most: cmp.Or(m.Steps, mostSteps)}
	defer func() {
		if r := x.watch[f.Name]; r != nil {
			r.Steps = x.steps
		}
		switch e := recover().(type) {
		case nil:
		case fault:
			calls, err = x.watch, e.err
		case unknown:
			calls, err = x.watch, fmt.Errorf("LLVM IR: %s %w", e, ErrUnknown)
		case runtime.Error: // the function is malformed
			calls, err = x.watch, fmt.Errorf("LLVM IR: %w: %w", ErrUnknown, e)
		default:
			panic(e)
		}
	}()
	for _, g := range m.Globals {
		_, size := g.Type.size()
		x.globals[g.Name] = &object{name: g.Name, bytes: make([]cell, size), global: true}
	}
	for _, g := range m.Globals {
		if g.Init != nil {
			x.write(x.globals[g.Name], 0, x.value(nil, *g.Init))
		}
	}
	var values []Value
	for _, a := range args {
		values = append(values, x.value(nil, a))
	}
	x.call(f, values)
	return x.watch, nil
}

type fault struct{ err error }

func undefined(format string, args ...any) {
	panic(fault{fmt.Errorf("LLVM IR: %s: %w", fmt.Sprintf(format, args...), ErrUndefined)})
}

// A frame is a call.
type frame struct {
	f      *Func
	values map[string]Value
	own    []*object
	result *Result // nil if it is not asked for
}

func (x *machine) call(f *Func, args []Value) Value {
	if len(f.Blocks) == 0 {
		fail("function @%s", f.Name)
	}
	fr := &frame{f: f, values: map[string]Value{}}
	if x.watch[f.Name] == nil {
		fr.result = &Result{First: map[string]Value{}, Last: map[string]Value{}, Args: args}
		x.watch[f.Name] = fr.result
	}
	for i, p := range f.Params {
		fr.values[p.Name] = args[i]
	}
	defer func() {
		for _, o := range fr.own {
			o.dead = true
		}
	}()
	from, at := "", f.Blocks[0]
	for {
		to, done, v := x.block(fr, from, at)
		if done {
			if fr.result != nil {
				fr.result.Value = v
			}
			return v
		}
		from = at.Name
		n := slices.IndexFunc(f.Blocks, func(b *Block) bool { return b.Name == to })
		if n < 0 {
			fail("block %s", to)
		}
		at = f.Blocks[n]
	}
}

// block executes a block, and returns the next one, or what the function returns.
func (x *machine) block(fr *frame, from string, b *Block) (to string, done bool, v Value) {
	phis := map[string]Value{}
	for n, i := range b.Instrs {
		if x.steps++; x.steps > x.most {
			panic(fault{fmt.Errorf("LLVM IR: @%s: %w", fr.f.Name, ErrEndless)})
		}
		arg := func(n int) Value { return x.value(fr, i.Args[n]) }
		if n > 0 && i.Op != "phi" && b.Instrs[n-1].Op == "phi" {
			for name, v := range phis {
				fr.set(name, v)
			}
		}
		switch i.Op {
		case "phi":
			at := slices.Index(i.Labels, from)
			if at < 0 {
				fail("phi without %s", from)
			}
			phis[i.Name] = arg(at)
		case "ret":
			if len(i.Args) > 0 {
				v = arg(0)
			}
			return "", true, v
		case "unreachable":
			undefined("unreachable is reached in @%s", fr.f.Name)
		case "br":
			if len(i.Args) == 0 || x.truth(arg(0)) {
				return i.Labels[0], false, v
			}
			return i.Labels[1], false, v
		case "switch":
			c := arg(0).Lanes[0]
			if c.Poison {
				undefined("a switch on poison")
			}
			for n := range i.Args[1:] {
				if arg(n + 1).Lanes[0].N.Cmp(c.N) == 0 {
					return i.Labels[n+1], false, v
				}
			}
			return i.Labels[0], false, v
		case "store":
			x.store(arg(1), arg(0))
		default:
			r := x.instr(fr, i, arg)
			if i.Name != "" {
				fr.set(i.Name, r)
			}
		}
	}
	fail("a block without an end")
	return
}

func (fr *frame) set(name string, v Value) {
	fr.values[name] = v
	if fr.result != nil {
		fr.result.Last[name] = v
		if _, again := fr.result.First[name]; !again {
			fr.result.First[name] = v
		}
	}
}

func (x *machine) truth(v Value) bool {
	if v.Lanes[0].Poison {
		undefined("a branch on poison")
	}
	return v.Lanes[0].N.Sign() != 0
}

// value returns the value of an operand.
func (x *machine) value(fr *frame, o Operand) Value {
	v := Value{Type: o.Type}
	switch {
	case o.Local != "":
		v, ok := fr.values[o.Local]
		if !ok {
			fail("%%%s without a value", o.Local)
		}
		return v
	case o.Global != "":
		g := x.globals[o.Global]
		if g == nil {
			fail("@%s", o.Global)
		}
		v.Lanes = []Lane{{N: big.NewInt(o.Offset), object: g}}
	case o.Type.Kind == Array || o.Type.Kind == Struct:
		for _, e := range o.Elems {
			v.Elems = append(v.Elems, x.value(fr, e))
		}
	default:
		v.Lanes = o.Const
	}
	return v
}

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
		at = roundUp(at, f.align())
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

// offset returns the bytes from an address to an element, or false for poison.
func offset(t *Type, index []Value) (*big.Int, bool) {
	sum := new(big.Int)
	for n, v := range index {
		if len(v.Lanes) != 1 {
			fail("a vector of addresses")
		}
		l := v.Lanes[0]
		if l.Poison {
			return nil, false
		}
		i := signed(l.N, v.Type.Bits)
		if n > 0 && t.Kind == Struct {
			sum.Add(sum, big.NewInt(int64(fieldOffsets(t)[i.Int64()])))
			t = t.Fields[i.Int64()]
			continue
		}
		if n > 0 {
			t = t.Elem
		}
		_, stride := t.size()
		sum.Add(sum, new(big.Int).Mul(i, big.NewInt(int64(stride))))
	}
	return sum, true
}

// instr executes an instruction that has a result, or is a call.
func (x *machine) instr(fr *frame, i *Instr, arg func(int) Value) Value {
	v := Value{Type: i.Type}
	switch i.Op {
	case "alloca":
		_, size := i.Elem.size()
		o := &object{name: i.Name, bytes: make([]cell, size)}
		for n := range o.bytes {
			o.bytes[n].poison = true
		}
		fr.own = append(fr.own, o)
		v.Lanes = []Lane{{N: new(big.Int), object: o}}
	case "load":
		return x.load(arg(0), i.Type)
	case "getelementptr":
		base := arg(0)
		var index []Value
		for n := range i.Args[1:] {
			index = append(index, arg(n+1))
		}
		if len(base.Lanes) != 1 {
			fail("a vector of addresses")
		}
		off, ok := offset(i.Elem, index)
		l := base.Lanes[0]
		if !ok || l.Poison {
			v.Lanes = []Lane{{Poison: true}}
			break
		}
		l.N = new(big.Int).Add(l.N, off)
		v.Lanes = []Lane{l}
	case "call":
		var args []Value
		for n := range i.Args {
			args = append(args, arg(n))
		}
		return x.calls(i, args)
	case "select":
		c, a, b := arg(0), arg(1), arg(2)
		if len(c.Lanes) == 1 && (a.Elems != nil || len(a.Lanes) > 1) {
			c.Lanes = slices.Repeat(c.Lanes, max(1, len(a.Lanes)))
		}
		if a.Elems != nil {
			fail("a select of aggregates")
		}
		for n, l := range c.Lanes {
			switch {
			case l.Poison:
				v.Lanes = append(v.Lanes, Lane{Poison: true})
			case l.N.Sign() != 0:
				v.Lanes = append(v.Lanes, a.Lanes[n])
			default:
				v.Lanes = append(v.Lanes, b.Lanes[n])
			}
		}
	case "freeze":
		v = arg(0)
		if v.Poisoned() {
			fail("a freeze of poison, which has no one value")
		}
	case "extractelement":
		a, n := arg(0), arg(1).Lanes[0]
		if n.Poison || n.N.Cmp(big.NewInt(int64(len(a.Lanes)))) >= 0 {
			v.Lanes = []Lane{{Poison: true}}
			break
		}
		v.Lanes = []Lane{a.Lanes[n.N.Int64()]}
	case "insertelement":
		a, e, n := arg(0), arg(1), arg(2).Lanes[0]
		v.Lanes = slices.Clone(a.Lanes)
		if n.Poison || n.N.Cmp(big.NewInt(int64(len(a.Lanes)))) >= 0 {
			v.Lanes = slices.Repeat([]Lane{{Poison: true}}, len(a.Lanes))
			break
		}
		v.Lanes[n.N.Int64()] = e.Lanes[0]
	case "shufflevector":
		all := slices.Concat(arg(0).Lanes, arg(1).Lanes)
		for _, n := range i.Index {
			if n < 0 {
				v.Lanes = append(v.Lanes, Lane{Poison: true})
				continue
			}
			v.Lanes = append(v.Lanes, all[n])
		}
	case "extractvalue":
		v = arg(0)
		for _, n := range i.Index {
			v = v.Elems[n]
		}
	case "insertvalue":
		return insert(arg(0), arg(1), i.Index)
	case "bitcast":
		a := arg(0)
		if same(a.Type, i.Type) {
			return a
		}
		bits, poison := x.pack(a)
		return x.unpack(i.Type, bits, poison)
	case "icmp":
		a, b := arg(0), arg(1)
		for n := range a.Lanes {
			v.Lanes = append(v.Lanes, compare(i, a.Type.Scalar(), a.Lanes[n], b.Lanes[n]))
		}
	case "zext", "sext", "trunc":
		a := arg(0)
		for _, l := range a.Lanes {
			v.Lanes = append(v.Lanes, cast(i, a.Type.Scalar().Bits, i.Type.Scalar().Bits, l))
		}
	default:
		a, b := arg(0), arg(1)
		for n := range a.Lanes {
			v.Lanes = append(v.Lanes, binary(i, a.Type.Scalar().Bits, a.Lanes[n], b.Lanes[n]))
		}
	}
	return v
}

func insert(into, v Value, index []int) Value {
	if len(index) == 0 {
		return v
	}
	into.Elems = slices.Clone(into.Elems)
	into.Elems[index[0]] = insert(into.Elems[index[0]], v, index[1:])
	return into
}

func (i *Instr) has(flag string) bool { return slices.Contains(i.Flags, flag) }

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
	switch strings.TrimLeft(i.Pred, "su") {
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
	fail("predicate %s", i.Pred)
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
