// Package link makes whole programs of leaf functions (section 4.3 of the paper). It is
// known of each function f that f(i) = o, so a constant c of another function may
// become f(i) + (c - o).
//
//	func @f(%a i32) i32 {                 func @g(%b i32) i32 {
//	  entry:                                entry:
//	    %a = %a * 7 + 10                      goto exit
//	    goto exit                           exit:
//	  exit:                                   return %b * 3
//	    return %a                           }
//	}                                     case g(b = 4) = 12 path entry exit
//	case f(a = 2) = 24 path entry exit
//
// may become the program
//
//	func @f(%a i32) i32 {
//	  entry:
//	    %a = %a * (@g(%a + 2) - 5) + 10
//	    goto exit
//	  ...
//
// in which %a + 2 is 4 because %a is known to be 2 there. The steps are
//
//	NewLeaf  runs the cases of a function: its constants, the values known at each
//	         (NewForeign takes the answers of one that others wrote)
//	draw     a call graph of any shape, and which functions count their calls
//	Reset    a function that writes globals or statics sets them up at entry, or
//	Guard    ... returns what is known at once when it is called again, which is
//	         also how recursion ends: the call-count short circuit of the paper
//	rewrite  puts the calls in, callees first, as long as the number of calls that
//	         are executed stays within its bound
//	helpers  puts in calls of small functions, if Options.Helpers says so
//	prove    has the interpreter run the program and compare every answer
//
// Calls are put wherever constants can be: in operands, indices, lanes, conditions, the
// initial values of locals, and in arguments of other calls; not in labels of switches
// and hints. A call that may not be evaluated, in an arm of a Select or behind && or
// ||, is counted as if it were. On blocks that are not on the path, calls may pass
// anything, and recursion need not end.
//
// With Options.Deciding most calls are put into the bounds of loops, branches, operands
// of switches, indices and the steps of counters. Helpers are small functions beside
// the leaves, which recur and loop a few times, read a variable, compute a constant, or
// hold a part of an expression: @h(%i, %n) for %i * 3 < %n. A helper of a part of an
// expression may be called with other arguments each time. Helpers change no memory and
// end for the arguments that they are passed; those that are declared pure or const are
// passed constants, or are defined for all.
//
// Through a pointer, a function may assign to any variable whose address it
// takes. Its globals and statics are its own: no other function gets a pointer to
// them.
//
// C leaves open in which order the calls of a full expression are made. That does
// not matter for functions that keep no count of their calls in memory. Those that
// do share a full expression with no other call that leads to one of them.
package link

import (
	"fmt"
	"slices"
	"strconv"

	"goreify/reify/ir"
)

// A Counter is the place of the number of real calls that a guarded function has left.
type Counter int

// The counters.
const (
	// StaticCounter is a static that counts down the calls.
	StaticCounter Counter = iota
	// GlobalCounter is a global that counts down the calls.
	GlobalCounter
	// ParamCounter is a parameter after all others, of type u32: the caller passes
	// whether the call is real. A caller that is guarded in this way passes on its own
	// parameter, less one. Existing calls have to be given the argument.
	ParamCounter
)

// Guard is the call-count short circuit of the paper: f executes the first
// given number of its calls, and returns known at once when it is called again.
//
//	func @f(%a i32) i32 {                 func @f(%a i32) i32 {
//	    static @s i32 = 5                     static @s i32 = 5
//	  entry:                                  static @left u32 = 2
//	    @s = @s + %a                          local %answer i32 = 8
//	    goto exit                           guard:
//	  exit:                                   if @left == 0 goto done else count
//	    return @s                           count:
//	}                                         @left = @left - 1
//	case f(a = 3) = 8 path entry exit         goto entry
//	                                        entry:
//	                                          @s = 5
//	                                          @s = @s + %a
//	                                          goto exit
//	                                        exit:
//	                                          %answer = @s
//	                                          goto done
//	                                        done:
//	                                          return %answer
//	                                      }
//	                                      case f(a = 3) = 8 path guard count entry exit done
//
// (after Reset, without which it may be guarded with one call only).
//
// With ParamCounter, f executes the calls that are passed more than zero, and calls is
// the number that the cases pass. The cases are of f, and among the real calls. Their
// paths and arguments are made to fit. Guard returns the variable that counts.
func Guard(f *ir.Function, known int64, calls uint32, by Counter, cases ...*ir.Claim) *ir.Var {
	vars := func(name string) bool {
		return slices.ContainsFunc(f.Vars, func(v *ir.Var) bool { return v.Name == name })
	}
	labels := func(name string) bool {
		return slices.ContainsFunc(f.Blocks, func(b *ir.Block) bool { return b.Name == name })
	}
	left := &ir.Var{Name: fresh(vars, "left"), Type: ir.U32}
	answer := &ir.Var{
		Name: fresh(vars, "answer"), Type: f.Result, Kind: ir.Local,
		Init: []ir.Expr{&ir.Const{T: f.Result, V: known}},
	}
	guard := &ir.Block{Name: fresh(labels, "guard")}
	done := &ir.Block{Name: fresh(labels, "done"), Term: &ir.Return{Val: load(answer)}}
	before := []*ir.Block{guard}
	body := f.Blocks[0]

	params := len(f.Params())
	switch by {
	case StaticCounter, GlobalCounter:
		left.Kind = ir.Static
		if by == GlobalCounter {
			left.Kind = ir.Global
		}
		left.Init = []ir.Expr{&ir.Const{T: ir.U32, V: int64(calls)}}
		f.Vars = append(f.Vars, left)
		count := &ir.Block{Name: fresh(labels, "count"), Term: &ir.Goto{To: body}}
		count.Stmts = []ir.Stmt{&ir.Assign{
			Dst: &ir.VarRef{Var: left},
			Src: &ir.Binary{Op: ir.Sub, X: load(left), Y: &ir.Const{T: ir.U32, V: 1}},
		}}
		before = append(before, count)
		body = count
	case ParamCounter:
		left.Kind = ir.Param
		f.Vars = append(f.Vars[:params:params], append([]*ir.Var{left}, f.Vars[params:]...)...)
	default:
		panic(fmt.Sprintf("link: unknown counter %d", int(by)))
	}
	f.Vars = append(f.Vars, answer)
	guard.Term = &ir.If{
		Cond: &ir.Binary{Op: ir.Eq, X: load(left), Y: &ir.Const{T: ir.U32}},
		Then: done, Else: body,
	}
	exit := f.Blocks[len(f.Blocks)-1]
	exit.Stmts = append(exit.Stmts, &ir.Assign{Dst: &ir.VarRef{Var: answer}, Src: exit.Term.(*ir.Return).Val})
	exit.Term = &ir.Goto{To: done}
	f.Blocks = append(append(before, f.Blocks...), done)
	renumber(f)

	for _, c := range cases {
		var path []int
		for i := range before {
			path = append(path, i)
		}
		for _, b := range c.Path {
			path = append(path, b+len(before))
		}
		c.Path = append(path, done.Index)
		if by == ParamCounter {
			c.Args = append(c.Args[:params:params], int64(calls))
		}
	}
	return left
}

func load(v *ir.Var) ir.Expr { return &ir.Load{Place: &ir.VarRef{Var: v}} }

// fresh returns base, or base with a number if that name is taken.
func fresh(taken func(string) bool, base string) string {
	name := base
	for n := 2; taken(name); n++ {
		name = base + strconv.Itoa(n)
	}
	return name
}

// renumber makes the Index fields right again.
func renumber(f *ir.Function) {
	for i, v := range f.Vars {
		v.Index = i
	}
	for i, b := range f.Blocks {
		b.Index = i
	}
}
