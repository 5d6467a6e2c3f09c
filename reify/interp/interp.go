package interp

import (
	"errors"
	"math"

	"goreify/reify/ir"
)

// DefaultFuel is the number of block visits that a run may make when Options
// does not say: enough for every function we generate, and a fraction of a
// second.
const DefaultFuel = 1_000_000

// DefaultDepth is how deep calls may be nested when Options does not say.
const DefaultDepth = 256

// Options bound and observe a run. The zero value is valid.
type Options struct {
	// Fuel is the number of block visits, in all functions together, after
	// which the run is given up with ErrFuel. Zero means DefaultFuel.
	Fuel int
	// Depth is how many calls may be made one inside the other, not counting
	// the outermost, before the run is given up with ErrDepth. Zero means
	// DefaultDepth, a negative number that no call may be made.
	Depth int
	// Under is the semantics of the language that the function is run in. A claim that
	// is run has its own.
	Under ir.Under
	// Brief is for callers that try many arguments, of which most are undefined. An
	// error that is a *UB or a *Trap names its kind and step alone, the Result has no
	// values of variables, and a state that repeats is noticed from the first block
	// visits on.
	Brief bool
	// Callees makes the Result include variables with static lifetime of the functions
	// that the outermost calls, directly or not.
	Callees bool
	// Trace, if not nil, is called after each statement and each terminator.
	Trace func(Event)
	// Chosen, if not nil, is called with an arm of a Select, or the right operand of
	// && or ||, before it is evaluated.
	Chosen func(operand ir.Expr)
	// Enter, if not nil, is called before a function is executed, and Leave
	// after it has returned: both for the outermost function, too.
	Enter, Leave func(Call)
	// Held, if not nil, is told what holds of each operation.
	Held *ir.Held
	// Answer, if not nil, is asked for the answer of a foreign function to arguments
	// for which it has none. Such a run proves nothing.
	Answer func(f *ir.Function, args []int64) (int64, bool)
}

// A Call is one activation of a function.
type Call struct {
	Func  *ir.Function
	Site  *ir.Call // the expression that makes the call, or nil for the outermost
	Depth int      // 0 for the outermost, 1 for what that calls
	Args  []int64  // one for each parameter
	// Value is the returned value and Path the visited blocks, as indices into
	// Func.Blocks. Both are zero in Options.Enter.
	Value int64
	Path  []int
}

// An Event is a statement that was executed, or the decision of a terminator.
type Event struct {
	Func  *ir.Function // the function that Block belongs to
	Depth int          // as in Call
	Step  int          // index into the path of this activation: that of Result if Depth is 0
	Block *ir.Block    // the block visited

	// Stmt is the statement, or nil if the event is the block's terminator.
	Stmt ir.Stmt
	// Stores lists the stores of the statement, in order. It is valid until Trace
	// returns.
	Stores []Store

	// Assign is Stmt if that is an Assign of an integer, else nil.
	Assign *ir.Assign
	// Elem is which scalar of the variable, in row-major order, an Assign has
	// stored to.
	Elem int
	// Value is the value that an Assign has stored, or the condition of an If, or the
	// operand of a Switch, or the returned value. It is zero for a Goto.
	Value int64
	// To is the block that the terminator goes to, or nil for a Return.
	To *ir.Block
}

// A Store is a scalar that a statement has stored to. The values that the other members
// of a union lose by it are not reported.
type Store struct {
	Var   *ir.Var // also one of another activation of the same function
	Elem  int     // which of its scalars, in the order of ir.Count
	Value int64   // as in Result.Vars
	Lost  bool    // a copy of a record has left it without a value
}

// A Result is the record of a run. If Run failed, it tells how far the run came.
type Result struct {
	Value int64 // the returned value, in the representation of ir.Const
	Path  []int // the blocks visited, as indices into Function.Blocks
	Steps int   // the number of block visits, those in functions called included

	// Vars holds the values of the variables at the end of the run: for each of
	// Function.Vars its scalars in the order of ir.Count. Integers are in the
	// representation of ir.Const; floating-point numbers are the bits of a float64. A
	// pointer is 0 if it is null, and -1 if its target has gone; else PointsTo tells
	// its target. Two equal pointers point to the same place, in different runs as
	// well. A scalar that was never initialised is zero here, and one that has lost its
	// value is arbitrary; Defined tells.
	Vars    [][]int64
	defined [][]bool
	callees map[*ir.Var]cells // if Options.Callees was set
}

// Cells are the scalars of a variable of a function that was called.
type cells struct {
	values  []int64
	defined []bool // and do not depend on the order of calls
}

// PointsTo takes apart a pointer in Result.Vars or a Store that is neither 0 nor -1. It
// returns the Index in Function.Vars of the variable that contains the target, the
// number of the scalar in it, and whether the pointer is the place behind an array that
// ends before that one.
func PointsTo(pointer int64) (index, elem int, behind bool) {
	x := address(pointer)
	return x.object(), x.cell(), x.behind()
}

// Errors of Run besides undefined behaviour. They come wrapped.
var (
	// ErrFuel means that the run made as many block visits as it was allowed. It does
	// not tell whether the run would have ended.
	ErrFuel = errors.New("out of fuel")
	// ErrSymbol means that a symbol was met where a value was needed: the
	// function is not concrete on the path it takes. Symbols elsewhere do no
	// harm.
	ErrSymbol = errors.New("a symbol has no value")
	// ErrDepth means that more nested calls were made than allowed, or that variables
	// take more than MaxMemory. It does not tell whether the run would have ended, and
	// is not undefined behaviour.
	ErrDepth = errors.New("calls too deep")
	// ErrArgs means that the number of arguments is not that of parameters.
	ErrArgs = errors.New("wrong number of arguments")
)

// MaxMemory is how many scalars the globals and statics, and the parameters and
// locals of all calls that have not returned, may have together.
const MaxMemory = 8 * ir.MaxScalars

// Run calls f with args, one for each parameter in the representation of
// ir.Const, in a program in which nothing has run before: globals and statics
// have their initial values.
//
// The error is a *UB if the run meets undefined behaviour, a *Trap if it traps under
// o.Under, or wraps ErrFuel, ErrDepth, ErrSymbol, ErrArgs or ErrNoAnswer. The Result is never nil; with an error, it
// holds the path up to and including the block that failed, and the values so
// far.
func Run(f *ir.Function, args []int64, o Options) (*Result, error) {
	return run(f, args, o, math.MaxInt)
}

// run is Run for a path of at most limit blocks.
func run(f *ir.Function, args []int64, o Options, limit int) (*Result, error) {
	m := newMachine(o)
	rules, err := rulesOf(o.Under)
	if err != nil {
		return new(Result), err
	}
	m.at = frame{f: f, limit: limit, rules: rules, brief: o.Brief}
	m.layOut()
	return m.outermost(args, true)
}

// RunProgram makes the calls of the cases of p one after the other, in one program:
// each call finds globals and statics as the call before left them. Options bound all
// of them together. It returns a Result for each case that was begun; the error is that
// of the last one, as for Run.
func RunProgram(p *ir.Program, o Options) ([]*Result, error) {
	return runProgram(p, o, func(*ir.Claim) int { return math.MaxInt })
}

func runProgram(p *ir.Program, o Options, limit func(*ir.Claim) int) ([]*Result, error) {
	m := newMachine(o)
	if err := m.link(true, p.Funcs...); err != nil {
		return nil, err
	}
	var all []*Result
	for _, c := range p.Claims {
		rules, err := rulesOf(c.Under)
		if err != nil {
			return append(all, new(Result)), err
		}
		m.at = frame{rules: rules, brief: o.Brief}
		image := m.mem.images[c.Func]
		err = m.push(c.Func, image, m.o.Depth)
		if err != nil {
			return append(all, new(Result)), err
		}
		m.at.limit = limit(c)
		first := !image.ready
		image.ready = true // also for calls that the function makes of itself
		r, err := m.outermost(c.Args, first)
		all = append(all, r)
		if err != nil {
			return all, err
		}
		m.pop()
	}
	return all, nil
}
