package interp

import (
	"fmt"
	"slices"

	"goreify/reify/ir"
)

// A machine is the state of one run. Its parts are layers, each of which knows only
// those below. The machine runs the program. storage loads and stores the values of
// places. ordering checks the order of accesses. memory holds values. A frame is the
// position of the run.
type machine struct {
	storage
	o     Options
	steps int // block visits so far
}

// storage loads and stores scalars, and finds the targets of pointers. It checks that C
// allows each access.
type storage struct {
	ordering
	loaded  int     // address of the last read of a place that is not direct
	pending int     // one more than the address that a builtin will store to, or 0
	tells   bool    // Options.Trace is set
	stores  []Store // of the current statement, if Options.Trace is set
	summed  []byte  // operands of the last checksum
}

// memory holds the scalars of all variables, one after the other: first those that live
// as long as the program, then the parameters and locals of each function that has not
// returned. mem and defined have the same length.
type memory struct {
	frame           // of the function that is being executed
	mem     []int64 // in the representation of ir.Const
	defined []bool  // whether the scalar has a value

	// Set once there is more than one function.
	statics int // mem[:statics] lives as long as the program
	images  map[*ir.Function]*image
	linked  []*ir.Function // the keys of images
	bases   []int          // room for frame.base

	// Set once there are pointers.
	objects  []object
	objectAt []int // by address: the number of the object that starts there plus one
	exposed  bool  // there has been a pointer to a local or parameter
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
	rules *semantics
	brief bool // as in Options

	firstObject int // of those made since the function was called

	first   int      // where the accesses of the current full expression start
	called  bool     // that has made a call so far
	effects *effects // nil for the outermost

	// Position of the run, for error messages.
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
	return &machine{o: o, storage: storage{tells: o.Trace != nil}}
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
	if m.brief {
		return r, err
	}
	f := m.f
	r.Vars = make([][]int64, len(f.Vars))
	r.defined = make([][]bool, len(f.Vars))
	mem, defined := m.mem, m.defined
	if m.images != nil { // other activations will use the memory
		mem, defined = slices.Clone(mem), slices.Clone(defined)
	}
	for i, v := range f.Vars {
		from, to := m.base[i], m.base[i]+ir.Count(v.Type)
		r.Vars[i] = mem[from:to:to]
		r.defined[i] = defined[from:to:to]
		if len(m.objects) > 0 {
			m.publish(v, r.Vars[i])
		}
	}
	if m.o.Callees {
		r.callees = m.callees()
	}
	return r, err
}

// callees returns the variables with static lifetime of all functions that the
// outermost, which has run, may call, itself among them if it calls any.
func (m *machine) callees() map[*ir.Var]cells {
	if m.images == nil {
		for range m.f.Calls() { // none was made
			if err := m.link(false, m.f); err != nil {
				return nil
			}
			break
		}
	}
	outermost := m.frame
	defer func() { m.frame = outermost }()
	all := map[*ir.Var]cells{}
	for _, f := range m.linked {
		im := m.images[f]
		m.f, m.base = f, im.base
		for i, v := range f.Vars {
			if !v.Kind.Lasts() {
				continue
			}
			if !im.ready {
				if err := m.declare(v); err != nil { // it would have failed if it had been called
					continue
				}
			}
			from, n := im.base[i], ir.Count(v.Type)
			c := cells{slices.Clone(m.mem[from : from+n]), slices.Clone(m.defined[from : from+n])}
			for k := range n {
				c.defined[k] = c.defined[k] && !m.ambiguous.has(from+k)
			}
			all[v] = c
		}
	}
	return all
}

// execute runs the function of the current frame. Globals and statics are initialised
// at the first time only.
func (m *machine) execute(args []int64, first bool) (int64, error) {
	if m.o.Enter != nil {
		m.o.Enter(Call{Func: m.f, Site: m.site, Depth: m.depth, Args: args})
	}
	if err := m.initialise(args, first); err != nil {
		return 0, err
	}
	for b := m.f.Blocks[0]; ; {
		if m.steps == m.o.Fuel || len(m.path) == m.limit {
			if m.brief {
				return 0, ErrFuel
			}
			return 0, fmt.Errorf("@%s: %w after %d block visits", m.f.Name, ErrFuel, m.steps)
		}
		m.steps++
		m.path = append(m.path, b.Index)
		m.block, m.node = b, nil
		if len(m.path) > loopCheckAfter || m.brief {
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
func (m *ordering) begin() {
	m.accesses, m.called = m.accesses[:m.first], false
}

// isInteger reports whether integers are stored at p.
func isInteger(p ir.Place) bool {
	t := ir.Type(nil)
	if ref, ok := p.(*ir.VarRef); ok { // as most are
		t = ref.Var.Type
	} else {
		t = p.Type()
	}
	_, ok := t.(ir.Int)
	return ok
}

// exec executes a statement.
func (m *machine) exec(s ir.Stmt) error {
	if s, ok := s.(*ir.Assign); ok && isInteger(s.Dst) {
		m.node = s
		m.begin()
		value, t, err := m.eval(s.Src)
		if err != nil {
			return err
		}
		loaded := m.loaded
		v, addr, of, err := m.direct(s.Dst)
		if err != nil {
			return err
		}
		if v == nil {
			if err := m.assignPart(s, value, t, loaded); err != nil {
				return err
			}
			m.stored(s)
			return nil
		}
		if of != ir.Type(t) {
			panic(fmt.Sprintf("interp: %s assigned to %s in %q", t, of, s))
		}
		if err := m.storeDirect(v, addr, value); err != nil {
			return err
		}
		m.stored(s)
		return nil
	}
	return m.execOther(s)
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
