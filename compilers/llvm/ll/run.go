package ll

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
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

// Bounds of a run. mostSteps is of a module that has no bound of its own; mostDepth is how many
// calls are inside each other, and mostBytes the bytes of all variables that live.
const (
	mostSteps = 1 << 20
	mostDepth = 1 << 12
	mostBytes = 1 << 20
)

// An object is a variable in memory, or a block, which has no bytes.
type object struct {
	name   string
	bytes  []cell
	dead   bool // of a function that has returned
	global bool
	base   int64 // its address as a number
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
	// Output is what the run has printed, of the function that was run; poison says so, and
	// there is a question mark for a conversion of printf that is not known.
	Output string
}

// A machine executes a module.
type machine struct {
	m       *Module
	globals map[string]*object
	steps   int
	most    int
	depth   int                // of calls
	bytes   int                // of variables that live
	watch   map[string]*Result // by function, what its first call was
	blocks  map[string]*object // by function and label
	next    int64              // address of an object
	output  []byte
}

// object returns a new object.
func (x *machine) object(name string, size int, global bool) *object {
	if x.bytes += size; size < 0 || size > mostBytes || x.bytes > mostBytes {
		fail("more than %d bytes of variables", mostBytes)
	}
	o := &object{name: name, bytes: make([]cell, size), global: global, base: x.next}
	x.next += int64(roundUp(size+1, 1<<12)) // no object is another's neighbour
	return o
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
	x := &machine{m: m, globals: map[string]*object{}, watch: map[string]*Result{}, most: cmp.Or(m.Steps, mostSteps), blocks: map[string]*object{}, next: 1 << 20}
	defer func() {
		if r := x.watch[f.Name]; r != nil {
			r.Steps, r.Output = x.steps, string(x.output)
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
		x.globals[g.Name] = x.object(g.Name, size, true)
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
		fr.values[p.Name] = p.Promise.keep(args[i])
	}
	if x.depth++; x.depth > mostDepth {
		panic(fault{fmt.Errorf("LLVM IR: @%s, in %d calls: %w", f.Name, mostDepth, ErrEndless)})
	}
	defer func() {
		x.depth--
		for _, o := range fr.own {
			o.dead = true
			x.bytes -= len(o.bytes)
		}
	}()
	from, at := "", f.Blocks[0]
	for {
		to, done, v := x.block(fr, from, at)
		if done {
			v = f.Promise.keep(v)
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
		case "indirectbr":
			c := arg(0).Lanes[0]
			for _, l := range i.Labels {
				if !c.Poison && c.object != nil && c.object == x.blocks[fr.f.Name+":"+l] {
					return l, false, v
				}
			}
			undefined("a jump to no block")
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
	case o.Block != "":
		label := o.Global + ":" + o.Block
		if x.blocks[label] == nil {
			x.blocks[label] = x.object(label, 0, false)
		}
		v.Lanes = []Lane{{N: new(big.Int), object: x.blocks[label]}}
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
		packed := n > 0 && t.Kind == Vector
		if n > 0 {
			t = t.Elem
		}
		stride, padded := t.size()
		if !packed { // as lanes of a vector are
			stride = padded
		}
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
		o := x.object(i.Name, size, false)
		for n := range o.bytes {
			o.bytes[n].poison = true
		}
		fr.own = append(fr.own, o)
		v.Lanes = []Lane{{N: new(big.Int), object: o}}
	case "load":
		return i.promised(0).keep(x.load(arg(0), i.Type))
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
		if !ok || l.Poison || !i.within(l, index) {
			v.Lanes = []Lane{{Poison: true}}
			break
		}
		l.N = new(big.Int).Add(l.N, off)
		v.Lanes = []Lane{l}
	case "call":
		var args []Value
		for n := range i.Args {
			args = append(args, i.promised(n+1).keep(arg(n)))
		}
		return i.promised(0).keep(x.calls(i, args))
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
	case "fneg":
		for _, l := range arg(0).Lanes {
			v.Lanes = append(v.Lanes, arith(i, i.Type.Scalar().Bits, l, l))
		}
	case "fcmp":
		a, b := arg(0), arg(1)
		for n := range a.Lanes {
			v.Lanes = append(v.Lanes, compareFloats(i, a.Type.Scalar().Bits, a.Lanes[n], b.Lanes[n]))
		}
	case "fptrunc", "fpext", "fptosi", "fptoui", "sitofp", "uitofp":
		a := arg(0)
		for _, l := range a.Lanes {
			v.Lanes = append(v.Lanes, castFloat(i, a.Type.Scalar().Bits, l))
		}
	case "fadd", "fsub", "fmul", "fdiv":
		a, b := arg(0), arg(1)
		for n := range a.Lanes {
			v.Lanes = append(v.Lanes, arith(i, i.Type.Scalar().Bits, a.Lanes[n], b.Lanes[n]))
		}
	case "ptrtoint":
		for _, l := range arg(0).Lanes {
			if !l.Poison && l.object != nil {
				l = Lane{N: new(big.Int).Add(l.N, big.NewInt(l.object.base))}
			}
			if !l.Poison {
				l.N = wrap(l.N, i.Type.Scalar().Bits)
			}
			v.Lanes = append(v.Lanes, l)
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
