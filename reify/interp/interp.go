// Package interp is the strict interpreter of ir: the oracle of last resort.
//
// It is written against ISO/IEC 9899:2011 ("C11"), whose clauses the comments
// name, and against nothing else; it shares no evaluation code with the
// solvers, whose answers it judges. For a function and its arguments it says
// which blocks are visited and what is returned, or which undefined behaviour
// is met first and where:
//
//	func @f(%a i32) i32 {
//	  entry:
//	    if %a < 3 goto small else exit
//	  small:
//	    %a = %a * 1000
//	    goto exit
//	  exit:
//	    return %a
//	}
//
//	Run(f, []int64{2}, Options{})        // Value 2000, Path entry small exit
//	Run(f, []int64{-1 << 30}, Options{}) // *UB: SignedOverflow in block small
//
// Three things are fixed that C leaves to the implementation, the way gcc and
// clang document them: integers are two's complement, a conversion to a signed
// type wraps (6.3.1.3p3), and a volatile object changes only when the program
// stores to it. Expressions have no side effects but volatile reads, and two of
// these on one object are undefined, so the order of evaluation, which C leaves
// unspecified (6.5p3), decides only which of several undefined behaviours is
// reported; it is left to right here.
//
// Functions must have passed the checker of ir. One that has not makes the
// interpreter panic where it notices.
package interp

import (
	"errors"
	"fmt"

	"goreify/reify/ir"
)

// DefaultFuel is the number of block visits that a run may make when Options
// does not say: enough for every function we generate, and a fraction of a
// second.
const DefaultFuel = 1_000_000

// Options bound and observe a run. The zero value is valid.
type Options struct {
	// Fuel is the number of block visits after which the run is given up with
	// ErrFuel. Zero means DefaultFuel.
	Fuel int
	// Trace, if not nil, is called after each assignment and each terminator.
	Trace func(Event)
}

// An Event is an assignment that was made, or the decision of a terminator.
type Event struct {
	Step  int       // index into Result.Path of the block visit
	Block *ir.Block // the block visited

	// Assign is the assignment, or nil if the event is the block's terminator.
	Assign *ir.Assign
	// Elem is which scalar of the variable, in row-major order, was assigned.
	Elem int
	// Value is what was stored, or the condition of an If, or what was
	// returned. It is zero for a Goto.
	Value int64
	// To is the block that the terminator goes to, or nil for a Return.
	To *ir.Block
}

// A Result is what a run did. If Run failed, it tells how far the run came.
type Result struct {
	Value int64 // what was returned, in the representation of ir.Const
	Path  []int // the blocks visited, as indices into Function.Blocks
	Steps int   // the number of block visits, len(Path)

	// Vars holds the values of the variables at the end of the run: for each
	// of Function.Vars its scalars in row-major order. A scalar that was never
	// initialised is zero here; Defined tells.
	Vars    [][]int64
	defined [][]bool
}

// Defined reports whether scalar elem (in row-major order) of v had a value at
// the end of the run.
func (r *Result) Defined(v *ir.Var, elem int) bool { return r.defined[v.Index][elem] }

// What Run fails with besides undefined behaviour. They come wrapped.
var (
	// ErrFuel means that the run made as many block visits as it was allowed.
	// It says nothing of whether the run would have ended.
	ErrFuel = errors.New("out of fuel")
	// ErrSymbol means that a symbol was met where a value was needed: the
	// function is not concrete on the path it takes. Symbols elsewhere do no
	// harm.
	ErrSymbol = errors.New("a symbol has no value")
	// ErrArgs means that the number of arguments is not that of parameters.
	ErrArgs = errors.New("wrong number of arguments")
)

// Run calls f with args, one for each parameter in the representation of
// ir.Const, in a program in which nothing has run before: globals and statics
// have their initial values.
//
// The error is a *UB if the run meets undefined behaviour, or wraps ErrFuel,
// ErrSymbol or ErrArgs. The Result is never nil; with an error, it holds the
// path up to and including the block that failed, and the values so far.
func Run(f *ir.Function, args []int64, o Options) (*Result, error) {
	if o.Fuel <= 0 {
		o.Fuel = DefaultFuel
	}
	m := newMachine(f, o)
	value, err := m.call(args)
	r := &Result{Value: value, Path: m.path, Steps: len(m.path)}
	r.Vars = make([][]int64, len(f.Vars))
	r.defined = make([][]bool, len(f.Vars))
	for i, v := range f.Vars {
		from, to := m.base[i], m.base[i]+ir.Count(v.Type)
		r.Vars[i] = m.mem[from:to:to]
		r.defined[i] = m.defined[from:to:to]
	}
	return r, err
}

// A machine is the state of one run. All scalars of all variables lie one
// after the other in mem.
type machine struct {
	f       *ir.Function
	o       Options
	base    []int   // by Var.Index: where the variable starts in mem
	mem     []int64 // in the representation of ir.Const
	defined []bool  // whether the scalar has a value
	path    []int
	loop    loopDetector

	// Full expressions (6.8p4) are counted so that a second volatile read of
	// one object in one of them is seen.
	full   int
	readIn []int // by scalar: the last one to read it; nil until a volatile is read

	// Where the run is, for error messages.
	block *ir.Block    // nil while variables are initialised
	node  fmt.Stringer // statement or terminator
}

func newMachine(f *ir.Function, o Options) *machine {
	m := &machine{f: f, o: o, base: make([]int, len(f.Vars))}
	size := 0
	for i, v := range f.Vars {
		m.base[i] = size
		size += ir.Count(v.Type)
	}
	m.mem = make([]int64, size)
	m.defined = make([]bool, size)
	m.path = make([]int, 0, min(o.Fuel, 64))
	return m
}

func (m *machine) call(args []int64) (int64, error) {
	if err := m.initialise(args); err != nil {
		return 0, err
	}
	for b := m.f.Blocks[0]; ; {
		if len(m.path) == m.o.Fuel {
			return 0, fmt.Errorf("@%s: %w after %d block visits", m.f.Name, ErrFuel, len(m.path))
		}
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
		if next == nil || err != nil {
			return value, err
		}
		b = next
	}
}

// initialise gives parameters their arguments, and the other variables the
// initial values that 6.7.9p10 gives them.
func (m *machine) initialise(args []int64) error {
	if n := len(m.f.Params()); n != len(args) {
		return fmt.Errorf("@%s: %w: %d for %d parameters", m.f.Name, ErrArgs, len(args), n)
	}
	for i, v := range m.f.Vars {
		switch {
		case v.Kind == ir.Param:
			t := ir.Scalar(v.Type)
			if !holds(t, args[i]) {
				return m.invalid(t, args[i], "argument "+scalarName(v, 0))
			}
			m.mem[m.base[i]] = args[i]
			m.defined[m.base[i]] = true
		case v.Init != nil:
			if len(v.Init) != ir.Count(v.Type) {
				panic(fmt.Sprintf("interp: %d initial values for %s of type %s", len(v.Init), v, v.Type))
			}
			for k, e := range v.Init {
				value, err := m.initial(v, k, e)
				if err != nil {
					return err
				}
				m.mem[m.base[i]+k] = value
				m.defined[m.base[i]+k] = true
			}
		case v.Kind == ir.Global || v.Kind == ir.Static:
			// "if it has arithmetic type, it is initialized to (positive or
			// unsigned) zero", which mem is already.
			for k := range ir.Count(v.Type) {
				m.defined[m.base[i]+k] = true
			}
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
	panic(fmt.Sprintf("interp: %s initialised with a %T", scalarName(v, elem), e))
}

// exec executes a statement.
func (m *machine) exec(s ir.Stmt) error {
	switch s := s.(type) {
	case *ir.Assign:
		m.node = s
		m.full++
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
			m.loop.sideEffect = true
		}
		m.mem[at.addr] = value
		m.defined[at.addr] = true
		if m.o.Trace != nil {
			m.o.Trace(Event{
				Step: len(m.path) - 1, Block: m.block,
				Assign: s, Elem: at.addr - m.base[at.v.Index], Value: value,
			})
		}
		return nil
	}
	panic(fmt.Sprintf("interp: unknown statement %T", s))
}

// leave executes a terminator. It returns the next block, or nil and the value
// that the function returns.
func (m *machine) leave(t ir.Term) (next *ir.Block, value int64, err error) {
	switch t := t.(type) {
	case *ir.Goto:
		next = t.To
	case *ir.If:
		m.node = t
		m.full++
		if value, _, err = m.eval(t.Cond); err != nil {
			return nil, 0, err
		}
		// 6.8.4.1p2: "if the expression compares unequal to 0".
		if next = t.Else; value != 0 {
			next = t.Then
		}
	case *ir.Return:
		m.node = t
		m.full++
		var of ir.Int
		if value, of, err = m.eval(t.Val); err != nil {
			return nil, 0, err
		}
		if of != m.f.Result {
			panic(fmt.Sprintf("interp: @%s returns %s, not %s", m.f.Name, of, m.f.Result))
		}
	default:
		panic(fmt.Sprintf("interp: unknown terminator %T", t))
	}
	if m.o.Trace != nil {
		m.o.Trace(Event{Step: len(m.path) - 1, Block: m.block, Value: value, To: next})
	}
	return next, value, nil
}
