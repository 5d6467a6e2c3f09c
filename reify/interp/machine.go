package interp

import (
	"fmt"
	"slices"

	"goreify/reify/ir"
)

// A machine is the state of one run. All scalars of all variables lie one
// after the other in mem: first what lives as long as the program, then the
// parameters and locals of each function that has not returned.
type machine struct {
	o       Options
	mem     []int64 // in the representation of ir.Const
	defined []bool  // whether the scalar has a value
	steps   int     // block visits so far
	frame           // of the function that is being executed

	// Set once there is more than one function.
	statics int // mem[:statics] lives as long as the program
	images  map[*ir.Function]*image
	linked  []*ir.Function // the keys of images
	bases   []int          // room for frame.base

	accesses  []access // of the full expressions (6.8p4) that are being evaluated
	hidden    []span   // accesses that a sequence point orders with the next one
	ambiguous bitset   // by scalar: its value depends on the order of calls
}

// A frame is the state of one activation of a function.
type frame struct {
	f     *ir.Function
	site  *ir.Call // nil for the outermost
	depth int
	base  []int // by Var.Index: where the variable starts in mem
	start int   // where the variables of this activation start in mem
	path  []int
	limit int // of the path
	loop  loopDetector

	first   int      // where the accesses of the current full expression start
	effects *effects // nil for the outermost

	// Where the run is, for error messages.
	block *ir.Block    // nil while variables are initialised
	node  fmt.Stringer // statement or terminator
}

func newMachine(o Options) *machine {
	if o.Fuel <= 0 {
		o.Fuel = DefaultFuel
	}
	if o.Depth == 0 {
		o.Depth = DefaultDepth
	}
	return &machine{o: o}
}

// layOut gives the variables of the current function their places, before
// anything has run.
func (m *machine) layOut() {
	m.base = make([]int, len(m.f.Vars))
	size := 0
	for i, v := range m.f.Vars {
		m.base[i] = size
		size += ir.Count(v.Type)
	}
	m.mem = make([]int64, size)
	m.defined = make([]bool, size)
	m.path = make([]int, 0, min(m.o.Fuel, 64))
}

// outermost executes the function of the current frame.
func (m *machine) outermost(args []int64, first bool) (*Result, error) {
	before := m.steps
	value, err := m.execute(args, first)
	r := &Result{Value: value, Path: m.path, Steps: m.steps - before}
	f := m.f
	r.Vars = make([][]int64, len(f.Vars))
	r.defined = make([][]bool, len(f.Vars))
	mem, defined := m.mem, m.defined
	if m.images != nil { // others will use the memory
		mem, defined = slices.Clone(mem), slices.Clone(defined)
	}
	for i, v := range f.Vars {
		from, to := m.base[i], m.base[i]+ir.Count(v.Type)
		r.Vars[i] = mem[from:to:to]
		r.defined[i] = defined[from:to:to]
	}
	return r, err
}

// execute runs the function of the current frame. Whether it is the first time
// decides if globals and statics are initialised.
func (m *machine) execute(args []int64, first bool) (int64, error) {
	if m.o.Enter != nil {
		m.o.Enter(Call{Func: m.f, Site: m.site, Depth: m.depth, Args: args})
	}
	if err := m.initialise(args, first); err != nil {
		return 0, err
	}
	for b := m.f.Blocks[0]; ; {
		if m.steps == m.o.Fuel || len(m.path) == m.limit {
			return 0, fmt.Errorf("@%s: %w after %d block visits", m.f.Name, ErrFuel, m.steps)
		}
		m.steps++
		m.path = append(m.path, b.Index)
		m.block, m.node = b, nil
		if len(m.path) > loopCheckAfter {
			if err := m.checkLoop(); err != nil {
				return 0, err
			}
		}
		for _, s := range b.Stmts {
			if err := m.exec(s); err != nil {
				return 0, err
			}
		}
		next, value, err := m.leave(b.Term)
		if err != nil {
			return value, err
		}
		if next == nil {
			if m.o.Leave != nil {
				m.o.Leave(Call{Func: m.f, Site: m.site, Depth: m.depth, Args: args, Value: value, Path: m.path})
			}
			return value, nil
		}
		b = next
	}
}

// begin starts a full expression.
func (m *machine) begin() {
	m.accesses = m.accesses[:m.first]
}

// initialise gives parameters their arguments, and the other variables the
// initial values that 6.7.9p10 gives them; globals and statics the first time
// only.
func (m *machine) initialise(args []int64, first bool) error {
	if n := len(m.f.Params()); n != len(args) {
		return fmt.Errorf("@%s: %w: %d for %d parameters", m.f.Name, ErrArgs, len(args), n)
	}
	if first {
		// These have their values before the program starts (5.1.2p1): a call
		// in the initialiser of a local may come back and read them.
		for _, v := range m.f.Vars {
			if v.Kind == ir.Global || v.Kind == ir.Static {
				if err := m.declare(v); err != nil {
					return err
				}
			}
		}
	}
	for i, v := range m.f.Vars {
		switch v.Kind {
		case ir.Param:
			t := ir.Scalar(v.Type)
			if !holds(t, args[i]) {
				return m.invalid(t, args[i], "argument "+scalarName(v, 0))
			}
			m.mem[m.base[i]] = args[i]
			m.defined[m.base[i]] = true
		case ir.Local:
			if err := m.declare(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// declare gives v its initial value, if it has one.
func (m *machine) declare(v *ir.Var) error {
	base := m.base[v.Index]
	switch {
	case v.Init != nil:
		if len(v.Init) != ir.Count(v.Type) {
			panic(fmt.Sprintf("interp: %d initial values for %s of type %s", len(v.Init), v, v.Type))
		}
		m.begin() // 6.7.9p23: the values of a list are not sequenced
		for k, e := range v.Init {
			value, err := m.initial(v, k, e)
			if err != nil {
				return err
			}
			m.mem[base+k] = value
			m.defined[base+k] = true
		}
	case v.Kind != ir.Local:
		// "if it has arithmetic type, it is initialized to (positive or
		// unsigned) zero", which mem is already.
		for k := range ir.Count(v.Type) {
			m.defined[base+k] = true
		}
	}
	return nil
}

// initial returns the value of e, which initialises scalar elem of v.
func (m *machine) initial(v *ir.Var, elem int, e ir.Expr) (int64, error) {
	switch e := e.(type) {
	case *ir.Const:
		t := ir.Scalar(v.Type)
		if e.T != t {
			panic(fmt.Sprintf("interp: %s initialised with %s", scalarName(v, elem), e.T))
		}
		if !holds(t, e.V) {
			return 0, m.invalid(t, e.V, "initial value of "+scalarName(v, elem))
		}
		return e.V, nil
	case *ir.Sym:
		return 0, m.symbol(e)
	}
	if v.Kind != ir.Local {
		panic(fmt.Sprintf("interp: %s initialised with a %T", scalarName(v, elem), e))
	}
	value, t, err := m.eval(e)
	if err == nil && t != ir.Scalar(v.Type) {
		panic(fmt.Sprintf("interp: %s initialised with %s", scalarName(v, elem), t))
	}
	return value, err
}

// exec executes a statement.
func (m *machine) exec(s ir.Stmt) error {
	switch s := s.(type) {
	case *ir.Assign:
		m.node = s
		m.begin()
		value, t, err := m.eval(s.Src)
		if err != nil {
			return err
		}
		at, err := m.locate(s.Dst)
		if err != nil {
			return err
		}
		if t != at.t {
			panic(fmt.Sprintf("interp: %s assigned to %s in %q", t, at.t, s))
		}
		if at.v.Volatile {
			m.loop.noteSideEffect()
		}
		m.mem[at.addr] = value
		m.defined[at.addr] = true
		if at.v.Kind >= ir.Global {
			m.wrote(at.addr)
		}
		if m.o.Trace != nil {
			m.o.Trace(Event{
				Func: m.f, Depth: m.depth, Step: len(m.path) - 1, Block: m.block,
				Assign: s, Elem: at.addr - m.base[at.v.Index], Value: value,
			})
		}
		return nil
	}
	return m.execMore(s)
}

// leave executes a terminator. It returns the next block, or nil and the value
// that the function returns.
func (m *machine) leave(t ir.Term) (next *ir.Block, value int64, err error) {
	switch t := t.(type) {
	case *ir.Goto:
		next = t.To
	case *ir.If:
		m.node = t
		m.begin()
		if value, _, err = m.eval(t.Cond); err != nil {
			return nil, 0, err
		}
		// 6.8.4.1p2: "if the expression compares unequal to 0".
		if next = t.Else; value != 0 {
			next = t.Then
		}
	case *ir.Return:
		m.node = t
		m.begin()
		var of ir.Int
		if value, of, err = m.eval(t.Val); err != nil {
			return nil, 0, err
		}
		if of != m.f.Result {
			panic(fmt.Sprintf("interp: @%s returns %s, not %s", m.f.Name, of, m.f.Result))
		}
	case *ir.Switch:
		m.node = t
		m.begin()
		var of ir.Int
		if value, of, err = m.eval(t.X); err != nil {
			return nil, 0, err
		}
		if next, err = m.target(t, of, value); err != nil {
			return nil, 0, err
		}
	default:
		panic(fmt.Sprintf("interp: unknown terminator %T", t))
	}
	if m.o.Trace != nil {
		m.o.Trace(Event{
			Func: m.f, Depth: m.depth, Step: len(m.path) - 1, Block: m.block,
			Value: value, To: next,
		})
	}
	return next, value, nil
}
