package interp

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// Trace runs f like Run and writes the run down for a human reader: one line a block
// visit, with its number, the values stored, and the decision taken.
//
//	call @f(%a = 2)
//	0 entry: if 1 goto small
//	1 small: %a = 2000; goto exit
//	2 exit: return 2000
//
// The lines of a callee are indented, and come before the statement that makes the
// call; the line of a block visit goes on after them:
//
//	call @f(%a = 2)
//	  call @g(%p = 3)
//	  0 only: return 9
//	0 entry: %a = 9; goto exit
//	1 exit: return 9
//
// A run that fails ends with a line that begins with "error:". The same run
// gives the same text. The error is that of Run; Trace, Enter and Leave in o
// are ignored.
func Trace(f *ir.Function, args []int64, o Options) (string, error) {
	w := new(traceWriter)
	o.Trace, o.Enter, o.Leave = w.event, w.enter, w.leave
	r, err := Run(f, args, o)
	if err != nil {
		if w.depth == 1 && len(r.Path) > w.steps {
			// The last block failed before it did anything.
			w.visit(0, len(r.Path)-1, f.Blocks[r.Path[len(r.Path)-1]])
		}
		w.endLine()
		fmt.Fprintf(&w.text, "error: %v\n", err)
	}
	return w.text.String(), err
}

// A traceWriter collects the text of a Trace.
type traceWriter struct {
	text  strings.Builder
	depth int // calls that have not returned
	steps int // block visits of the outermost function that have been written
	open  bool
	step  int // of the line that is open
}

func (w *traceWriter) endLine() {
	if w.open {
		w.text.WriteString("\n")
	}
	w.open = false
}

func (w *traceWriter) indent(depth int) {
	for range depth {
		w.text.WriteString("  ")
	}
}

func (w *traceWriter) enter(c Call) {
	w.endLine()
	w.depth++
	w.indent(c.Depth)
	fmt.Fprintf(&w.text, "call @%s(", c.Func.Name)
	for i, v := range c.Func.Params() {
		if i > 0 {
			w.text.WriteString(", ")
		}
		w.text.WriteString(v.String())
		if i < len(c.Args) {
			fmt.Fprintf(&w.text, " = %s", ir.Scalar(v.Type).Format(c.Args[i]))
		}
	}
	w.text.WriteString(")\n")
}

func (w *traceWriter) leave(c Call) {
	w.depth--
	if c.Func.Foreign != nil {
		w.indent(c.Depth)
		fmt.Fprintf(&w.text, "return %s\n", c.Func.Result.Format(c.Value))
	}
}

// visit begins the line of a block visit, unless it has begun.
func (w *traceWriter) visit(depth, step int, b *ir.Block) {
	if w.open && w.step == step {
		return
	}
	w.endLine()
	w.indent(depth)
	fmt.Fprintf(&w.text, "%d %s:", step, b.Name)
	w.open, w.step = true, step
	if depth == 0 {
		w.steps = step + 1
	}
}

func (w *traceWriter) event(e Event) {
	w.visit(e.Depth, e.Step, e.Block)
	if e.Stmt != nil {
		for _, s := range e.Stores {
			fmt.Fprintf(&w.text, " %s = %s;", scalarName(s.Var, s.Elem), storedText(e.Func, s))
		}
		return
	}
	switch t := e.Block.Term.(type) {
	case *ir.Goto:
		fmt.Fprintf(&w.text, " goto %s", e.To.Name)
	case *ir.If:
		fmt.Fprintf(&w.text, " if %s goto %s", ir.IntOf(t.Cond).Format(e.Value), e.To.Name)
	case *ir.Switch:
		fmt.Fprintf(&w.text, " switch %s goto %s", ir.IntOf(t.X).Format(e.Value), e.To.Name)
	case *ir.Return:
		fmt.Fprintf(&w.text, " return %s", e.Func.Result.Format(e.Value))
	default:
		panic(fmt.Sprintf("interp: unknown terminator %T", t))
	}
	w.endLine()
}

// storedText writes the value that f has stored.
func storedText(f *ir.Function, s Store) string {
	if s.Lost {
		return "nothing"
	}
	switch t := ir.Cell(s.Var.Type, s.Elem).(type) {
	case ir.Int:
		return t.Format(s.Value)
	case ir.Float:
		return strconv.FormatFloat(math.Float64frombits(uint64(s.Value)), 'g', -1, 64)
	case ir.Pointer:
		switch s.Value {
		case 0:
			return "null"
		case -1:
			return "dangling"
		}
		index, elem, behind := PointsTo(s.Value)
		if behind {
			return "behind &" + scalarName(f.Vars[index], elem-1)
		}
		return "&" + scalarName(f.Vars[index], elem)
	default:
		panic(fmt.Sprintf("interp: a scalar of type %s", t))
	}
}
