// Package llvm writes cases as LLVM IR: one module that checks itself, whose pointers have no type, as LLVM has them from 15 on.
//
// The case
//
//	func @f(%a i32) i32 {
//	  entry:
//	    goto b1
//	  b1:
//	    %a = %a * 3 - 4
//	    if %a <= 99 goto b1 else exit
//	  exit:
//	    return %a
//	}
//	case f(a = 7) = 125 path entry b1 b1 b1 exit
//
// becomes, apart from main and in the style "ssa",
//
//	define internal i32 @f(i32 %a) {
//	entry:
//	  br label %b1
//	b1:
//	  %a.b1 = phi i32 [ %a, %entry ], [ %1, %b1 ]
//	  %0 = mul i32 %a.b1, 3
//	  %1 = sub i32 %0, 4
//	  %2 = icmp sle i32 %1, 99
//	  br i1 %2, label %b1, label %exit
//	exit:
//	  %a.exit = phi i32 [ %1, %b1 ]
//	  ret i32 %a.exit
//	}
//
// In every Style the function has the blocks and edges of its graph, irreducible or not.
// Further blocks stand within one where an operand may not be evaluated.
//
// The rules of LLVM leave less undefined than those of C: operations wrap. A claim under C's
// rules meets nothing that these leave undefined, so its operations may have the promises that
// C makes, such as nsw; in the style "held" also those that the interpreter saw in all calls, such
// as nuw, exact, disjoint, noundef and range. Package compilers/llvm/ll, which knows nothing of
// this one, reads and executes what is written, and sees a promise that is not kept. An operand
// that is evaluated although its value is not needed may be poison. No text depends on the
// processor: parts of unions and of vectors are taken by shifts, and sizes are constant
// expressions.
package llvm

import (
	"fmt"
	"strconv"
	"strings"

	"goreify/reify/answers"
	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// A Unit is a function with claims about it, and its style.
type Unit = frame.Unit[Style]

// A module is a text while it is written.
type module struct {
	buf     strings.Builder
	order   *frame.Order[Style]
	names   map[*ir.Function]string
	intrin  map[string]string     // declarations, by name
	needed  []string              // names of intrin in the order of their use
	helpers []string              // functions that others need, behind them
	global  map[string]bool       // names of the module
	several bool                  // several calls are made
	held    *ir.Held              // what held in them
	wraps   map[*ir.Function]bool // functions that calls have answers of under other rules than C's
	unknown map[*ir.Function]bool // functions of which calls may do other things
	nodes   []string              // of metadata, by their numbers
}

// Want returns the output of Emit's program if every answer is right.
func Want(units []Unit) string { return strings.Join(Answers(units), "") }

// Answers returns the output of each of the units if its answers are right: a line for
// each case; see package answers.
func Answers(units []Unit) (all []string) {
	m := newModule(units)
	for _, u := range units {
		all = append(all, frame.Lines(m.names[u.Claim.Func], u.Answers((*ir.Claim).Answer, nil)))
	}
	return all
}

// UnitOf returns the index of the unit whose function has a name in the module, or that
// calls it; -1 if there is none.
func UnitOf(units []Unit, function string) int {
	m := newModule(units)
	for i, u := range units {
		for _, f := range u.Claim.Func.Reached() {
			if m.names[f] == function {
				return i
			}
		}
	}
	return -1
}

// Labels are the labels of the blocks of a function of a module, by their indices. Between one
// and the next stand blocks of LLVM that belong to the first.
type Labels struct {
	Func   string
	Blocks []string
}

// LabelsOf returns the labels of the functions of units.
func LabelsOf(units []Unit) (all []Labels) {
	m := newModule(units)
	for _, u := range units {
		f := newFunction(m, u.Claim.Func, u.Style)
		f.nameBlocks()
		all = append(all, Labels{f.name, f.labels})
	}
	return all
}

func newModule(units []Unit) *module {
	if len(units) == 0 {
		panic("emit/llvm: no units")
	}
	m := &module{
		order: frame.OrderOf(units, frame.Same[Style]), names: map[*ir.Function]string{}, held: ir.NewHeld(), unknown: map[*ir.Function]bool{}, wraps: map[*ir.Function]bool{}, intrin: map[string]string{},
		global: map[string]bool{"main": true, "printf": true, "atoi": true, "low": true, crcFunc: true},
	}
	m.hold(units)
	calls := 0
	for _, u := range units {
		calls += len(u.Claims())
	}
	m.several = calls > 1
	for _, f := range m.order.Funcs {
		m.names[f] = m.add(f.Name)
	}
	return m
}

// add puts a name into the module, or, if it is taken, the name with a number.
func (m *module) add(base string) string {
	name := base
	for n := 2; m.global[name]; n++ {
		name = base + "." + strconv.Itoa(n)
	}
	m.global[name] = true
	return name
}

// need returns the name of a function that the module declares.
func (m *module) need(name, declaration string) string {
	if _, again := m.intrin[name]; !again {
		m.intrin[name] = declaration
		m.needed = append(m.needed, name)
	}
	return "@" + name
}

// needHelper returns a function of the module that others need.
func (m *module) needHelper(name, text string) string {
	if _, again := m.intrin[name]; !again {
		m.intrin[name] = ""
		m.helpers = append(m.helpers, text)
	}
	return "@" + name
}

func (m *module) linef(format string, args ...any) { fmt.Fprintf(&m.buf, format+"\n", args...) }

// Emit returns a module with the functions of all the units, those that they call, and a
// main. It calls the function of each unit once for each of its cases, in order. All
// globals and statics that the call may change have their initial values. It prints the
// name and the answer on a line of their own. The program exits with status 0 if all
// answers are right and 1 if one is wrong. If there are several units, the program takes the
// index of a unit as an optional argument, and then runs that one alone. Equal units give
// equal text. Emit panics without units, or on a node that Supports rejects.
func Emit(units []Unit) string {
	m := newModule(units)
	m.linef("; A program that checks itself. It prints a line for each call of its functions: the name, the")
	m.linef("; number of the call unless it is the first, and the answer. It exits with status 0 if all answers")
	m.linef("; are right, and 1 if one is wrong.\n")
	claims := map[*ir.Function][]*ir.Claim{}
	for _, u := range units {
		claims[u.Claim.Func] = append(claims[u.Claim.Func], u.Claims()...)
	}
	for _, fn := range m.order.Funcs {
		newFunction(m, fn, m.order.Styles[fn]).write(claims[fn])
	}
	m.main(units)
	for _, text := range m.helpers {
		m.buf.WriteString(text)
	}
	m.linef("declare i32 @printf(ptr, ...)")
	for _, name := range m.needed {
		if m.intrin[name] != "" {
			m.linef("%s", m.intrin[name])
		}
	}
	for _, node := range m.nodes {
		m.linef("%s", node)
	}
	return m.buf.String()
}

// main writes the calls. If there are several units, the argument is the index of the one
// that is run.
func (m *module) main(units []Unit) {
	var globals, body strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&body, "  "+format+"\n", args...) }
	n := 0
	for i, u := range units {
		fn := u.Claim.Func
		style := m.order.Styles[fn]
		if len(units) > 1 {
			line("br label %%pick.%d", i)
			fmt.Fprintf(&body, "pick.%d:\n", i)
			line("%%is.%d = icmp eq i32 %%only, %d", i, i)
			line("%%run.%d = or i1 %%all, %%is.%d", i, i)
			line("br i1 %%run.%d, label %%unit.%d, label %%after.%d", i, i, i)
			fmt.Fprintf(&body, "unit.%d:\n", i)
		}
		for k, c := range u.Claims() {
			for _, g := range fn.Reached() {
				if resets(g, m.several) {
					line("call void @%s.reset()", m.names[g])
				}
			}
			format := answers.Name(m.names[fn], k) + " " + verb(fn.Result)
			fmt.Fprintf(&globals, "@.format.%d = private constant [%d x i8] c\"%s\\0A\\00\"\n", n, len(format)+2, format)
			var args []string
			for k, v := range fn.Params() {
				t := v.Type.(ir.Int)
				arg := constant(t, c.Args[k])
				if style.Args == Volatile {
					arg = fmt.Sprintf("%%in.%d.%d", n, k)
					fmt.Fprintf(&globals, "@.in.%d.%d = global %s %s\n", n, k, stored(t), constant(container(t), c.Args[k]))
					line("%s = load volatile %s, ptr @.in.%d.%d", arg, stored(t), n, k)
					if t == ir.Bool {
						line("%s.b = trunc i8 %[1]s to i1", arg)
						arg += ".b"
					}
				}
				args = append(args, value(t)+style.extension(t)+" "+arg)
			}
			got := fmt.Sprintf("%%got.%d", n)
			line("%s = call %s%s @%s(%s)", got, style.resultExtension(fn.Result), value(fn.Result), m.names[fn], strings.Join(args, ", "))
			shown := got
			if fn.Result.Bits < 64 {
				shown += ".x"
				op := "zext"
				if fn.Result.Signed {
					op = "sext"
				}
				line("%s = %s %s %s to i64", shown, op, value(fn.Result), got)
			}
			line("%%printed.%d = call i32 (ptr, ...) @printf(ptr @.format.%d, i64 %s)", n, n, shown)
			line("%%before.%d = load i1, ptr %%wrong", n)
			line("%%differs.%d = icmp ne %s %s, %s", n, value(fn.Result), got, constant(fn.Result, c.Want))
			line("%%now.%d = or i1 %%before.%d, %%differs.%d", n, n, n)
			line("store i1 %%now.%d, ptr %%wrong", n)
			n++
		}
		if len(units) > 1 {
			line("br label %%after.%d", i)
			fmt.Fprintf(&body, "after.%d:\n", i)
		}
	}
	m.buf.WriteString(globals.String())
	m.linef("\ndefine i32 @main(i32 %%argc, ptr %%argv) {\nentry:\n  %%wrong = alloca i1\n  store i1 false, ptr %%wrong")
	if len(units) > 1 {
		m.need("atoi", "declare i32 @atoi(ptr)")
		m.linef(`  %%all = icmp slt i32 %%argc, 2
  br i1 %%all, label %%first, label %%given
given:
  %%at = getelementptr ptr, ptr %%argv, i64 1
  %%text = load ptr, ptr %%at
  %%number = call i32 @atoi(ptr %%text)
  br label %%first
first:
  %%only = phi i32 [ 0, %%entry ], [ %%number, %%given ]`)
	}
	m.linef("%s  %%failed = load i1, ptr %%wrong\n  %%status = zext i1 %%failed to i32\n  ret i32 %%status\n}\n", body.String())
}

// Alone returns the arguments with which Emit's program runs the unit of an index alone, if it
// has several.
func Alone(unit int) []string { return []string{strconv.Itoa(unit)} }

func verb(t ir.Int) string {
	if t.Signed {
		return "%lld"
	}
	return "%llu"
}

// BodyLines returns the number of instructions in the functions of a text of this package,
// without those that all texts share.
func BodyLines(text string) (n int) {
	inside := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "define "):
			_, name, _ := strings.Cut(line, "@")
			name, _, _ = strings.Cut(name, "(")
			inside = name != "main" && !strings.HasPrefix(name, crcFunc) && !strings.HasSuffix(name, ".reset")
		case line == "}\n":
			inside = false
		case inside && strings.HasPrefix(line, "  "):
			n++
		}
	}
	return n
}
