package interp

import (
	"fmt"
	"strings"

	"goreify/reify/ir"
)

// Trace runs f like Run and writes the run down for a human reader: one line a
// block visit, with its number, the values stored, and the decision taken.
//
//	call @f(%a = 2)
//	0 entry: if 1 goto small
//	1 small: %a = 2000; goto exit
//	2 exit: return 2000
//
// A run that fails ends with a line that begins with "error:". The same run
// gives the same text. The error is that of Run; a Trace in o is ignored.
func Trace(f *ir.Function, args []int64, o Options) (string, error) {
	var s strings.Builder
	fmt.Fprintf(&s, "call @%s(", f.Name)
	for i, v := range f.Params() {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(v.String())
		if i < len(args) {
			fmt.Fprintf(&s, " = %s", ir.Scalar(v.Type).Format(args[i]))
		}
	}
	s.WriteString(")\n")

	begun := -1 // the last step whose line has begun
	o.Trace = func(e Event) {
		if e.Step > begun {
			fmt.Fprintf(&s, "%d %s:", e.Step, e.Block.Name)
			begun = e.Step
		}
		if e.Assign != nil {
			v := ir.Root(e.Assign.Dst)
			fmt.Fprintf(&s, " %s = %s;", scalarName(v, e.Elem), ir.Scalar(v.Type).Format(e.Value))
			return
		}
		switch t := e.Block.Term.(type) {
		case *ir.Goto:
			fmt.Fprintf(&s, " goto %s\n", e.To.Name)
		case *ir.If:
			fmt.Fprintf(&s, " if %s goto %s\n", t.Cond.Type().Format(e.Value), e.To.Name)
		case *ir.Return:
			fmt.Fprintf(&s, " return %s\n", f.Result.Format(e.Value))
		default:
			panic(fmt.Sprintf("interp: unknown terminator %T", t))
		}
	}
	r, err := Run(f, args, o)
	if err != nil {
		if begun < r.Steps-1 { // the last block failed before it did anything
			fmt.Fprintf(&s, "%d %s:", r.Steps-1, f.Blocks[r.Path[r.Steps-1]].Name)
		}
		if !strings.HasSuffix(s.String(), "\n") {
			s.WriteString("\n")
		}
		fmt.Fprintf(&s, "error: %v\n", err)
	}
	return s.String(), err
}
