package interp

import (
	"fmt"
	"slices"

	"goreify/reify/ir"
)

// A machine is the state of one run. It evaluates expressions and executes statements, and
// leaves each access to memory to storage.
type machine struct {
	storage
	o     Options
	steps int // block visits so far
}

// storage loads and stores scalars, and finds the targets of pointers. It checks that C
// allows each access.
type storage struct {
	at    frame // of the function that is being executed
	mem   memory
	order ordering

	loaded  int     // address of the last read of a place that is not direct
	pending int     // one more than the address that a builtin will store to, or 0
	tells   bool    // Options.Trace is set
	stores  []Store // of the current statement, if Options.Trace is set
	summed  []byte  // operands of the last checksum
}

// memory holds the scalars of all variables, one after the other: first those that live
// as long as the program, then the parameters and locals of each function that has not
// returned. cells and defined have the same length.
type memory struct {
	cells   []int64 // in the representation of ir.Const
	defined []bool  // whether the scalar has a value

	// Set once there is more than one function.
	statics int // cells[:statics] lives as long as the program
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
	base  []int // by Var.Index: where the variable starts in memory
	start int   // where the variables of this activation start in memory
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
	m.at.base = make([]int, len(m.at.f.Vars))
	size := 0
	for i, v := range m.at.f.Vars {
		m.at.base[i] = size
		size += ir.Count(v.Type)
	}
	m.mem.cells, m.mem.defined = make([]int64, size), make([]bool, size)
	m.at.path = make([]int, 0, min(m.o.Fuel, 16))
}

// outermost executes the function of the current frame.
func (m *machine) outermost(args []int64, first bool) (*Result, error) {
	before := m.steps
	value, err := m.execute(args, first)
	r := &Result{Value: value, Path: m.at.path, Steps: m.steps - before}
	if m.at.brief {
		return r, err
	}
	f := m.at.f
	r.Vars = make([][]int64, len(f.Vars))
	r.defined = make([][]bool, len(f.Vars))
	mem, defined := m.mem.cells, m.mem.defined
	if m.mem.images != nil { // other activations will use the memory
		mem, defined = slices.Clone(mem), slices.Clone(defined)
	}
	for i, v := range f.Vars {
		from, to := m.at.base[i], m.at.base[i]+ir.Count(v.Type)
		r.Vars[i] = mem[from:to:to]
		r.defined[i] = defined[from:to:to]
		if len(m.mem.objects) > 0 {
			m.mem.publish(v, r.Vars[i])
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
	if m.mem.images == nil {
		for range m.at.f.Calls() { // none was made
			if err := m.link(false, m.at.f); err != nil {
				return nil
			}
			break
		}
	}
	outermost := m.at
	defer func() { m.at = outermost }()
	all := map[*ir.Var]cells{}
	for _, f := range m.mem.linked {
		im := m.mem.images[f]
		m.at.f, m.at.base = f, im.base
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
			c := cells{slices.Clone(m.mem.cells[from : from+n]), slices.Clone(m.mem.defined[from : from+n])}
			for k := range n {
				c.defined[k] = c.defined[k] && !m.order.ambiguous.has(from+k)
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
		m.o.Enter(Call{Func: m.at.f, Site: m.at.site, Depth: m.at.depth, Args: args})
	}
	if err := m.initialise(args, first); err != nil {
		return 0, err
	}
	for b := m.at.f.Blocks[0]; ; {
		if m.steps == m.o.Fuel || len(m.at.path) == m.at.limit {
			if m.at.brief {
				return 0, ErrFuel
			}
			return 0, fmt.Errorf("@%s: %w after %d block visits", m.at.f.Name, ErrFuel, m.steps)
		}
		m.steps++
		m.at.path = append(m.at.path, b.Index)
		m.at.block, m.at.node = b, nil
		if len(m.at.path) > loopCheckAfter || m.at.brief {
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
				m.o.Leave(Call{Func: m.at.f, Site: m.at.site, Depth: m.at.depth, Args: args, Value: value, Path: m.at.path})
			}
			return value, nil
		}
		b = next
	}
}

// begin starts a full expression.
func (m *storage) begin() {
	m.order.accesses, m.at.called = m.order.accesses[:m.at.first], false
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
	m.begin()
	var err error
	if a, ok := s.(*ir.Assign); ok && isInteger(a.Dst) {
		m.at.node = a
		err = m.assign(a)
	} else {
		m.at.node = s
		err = m.execOther(s)
	}
	if err == nil && m.o.Trace != nil {
		m.tell(s)
	}
	return err
}

// assign executes an assignment of an integer.
func (m *machine) assign(s *ir.Assign) error {
	value, t, err := m.eval(s.Src)
	if err != nil {
		return err
	}
	v, addr, of, err := m.direct(s.Dst)
	if err != nil {
		return err
	}
	if v == nil {
		return m.assignTo(s, t.Boxed(), []int64{value}, nil)
	}
	if of != ir.Type(t) {
		panic(fmt.Sprintf("interp: %s assigned to %s in %q", t, of, s))
	}
	return m.storeDirect(v, addr, value)
}

// leave executes a terminator. It returns the next block, or nil and the value
// that the function returns.
func (m *machine) leave(t ir.Term) (next *ir.Block, value int64, err error) {
	var of ir.Int
	switch t := t.(type) {
	case *ir.Goto:
		next = t.To
	case *ir.If:
		if value, _, err = m.decide(t, t.Cond); err != nil {
			return nil, 0, err
		}
		// 6.8.4.1p2: "if the expression compares unequal to 0".
		if next = t.Else; value != 0 {
			next = t.Then
		}
	case *ir.Return:
		if value, of, err = m.decide(t, t.Val); err != nil {
			return nil, 0, err
		}
		if of != m.at.f.Result {
			panic(fmt.Sprintf("interp: @%s returns %s, not %s", m.at.f.Name, of, m.at.f.Result))
		}
	case *ir.Switch:
		if value, of, err = m.decide(t, t.X); err != nil {
			return nil, 0, err
		}
		if next, err = m.at.target(t, of, value); err != nil {
			return nil, 0, err
		}
	default:
		panic(fmt.Sprintf("interp: unknown terminator %T", t))
	}
	if m.o.Trace != nil {
		m.o.Trace(Event{
			Func: m.at.f, Depth: m.at.depth, Step: len(m.at.path) - 1, Block: m.at.block,
			Value: value, To: next,
		})
	}
	return next, value, nil
}

// decide evaluates the operand of a terminator.
func (m *machine) decide(t ir.Term, operand ir.Expr) (int64, ir.Int, error) {
	m.at.node = t
	m.begin()
	return m.eval(operand)
}
