package golang

import (
	"strconv"
	"strings"

	"goreify/reify/answers"
	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// table reports whether the calls of all cases are one closure with a table of inputs.
// A function that may be inlined where its inputs are constants has a closure for each.
func table(u Unit) bool {
	return len(u.More) > 0 && len(u.Claim.Args) > 0 && (u.Style.NoInline || u.Style.Args == Variables)
}

// cases writes the table of the calls, and main.
func (w *writer) cases() {
	var entries writer
	for i, n := range w.file.named {
		if n.reset != "" {
			w.function(i).reset()
		}
	}
	entries.str("\nvar tests = []struct {\n\tunit  int\n\tname  string\n\twant  []string\n\tcall  func(i int) (negative bool, value uint64)\n\tstate func() uint32\n}{\n")
	for i, u := range w.file.units {
		if !tested(u) {
			break
		}
		n := &w.file.named[i]
		want, lasting := expected(u)
		for k, text := range want {
			want[k] = strconv.Quote(text)
		}
		state := "nil"
		if len(lasting) > 0 {
			state = n.state
			w.state(i, lasting)
		}
		entry := func(name string, want []string, call []string) {
			entries.str("\t{" + strconv.Itoa(i) + ", " + strconv.Quote(name) + ", []string{" + strings.Join(want, ", ") + "}, func(i int) (bool, uint64) {\n\t\t" +
				strings.Join(call, "\n\t\t") + "\n\t}, " + state + "},\n")
		}
		if table(u) {
			w.rows(i)
			entry(n.fn, want, w.call(i, 0))
			continue
		}
		for j := range want {
			entry(answers.Name(n.fn, j), want[j:j+1], w.call(i, j))
		}
	}
	w.str(string(entries.buf) + "}\n")
	w.helpers[mainFunc] = true
	w.str(w.shared(runtime[before:]))
}

// call returns the statements that call the function of unit i for case j, or for the
// case of a row.
func (w *writer) call(i, j int) (lines []string) {
	u, n, f := w.file.units[i], &w.file.named[i], w.function(i)
	for _, k := range w.file.reach(i) {
		if reset := w.file.named[k].reset; reset != "" {
			lines = append(lines, reset+"()")
		}
	}
	if !w.file.calling {
		for _, v := range u.Claim.Func.Vars {
			if v.Kind.Lasts() && (j > 0 || table(u)) {
				lines = append(lines, f.own(v)+" = "+f.value(v))
			}
		}
		lines = append(lines, f.lastingPointers()...)
	}
	var args []string
	for k, arg := range frame.Args(u.Claims()[j]) {
		if table(u) {
			arg = n.rows + "[i]." + column(k)
		}
		if n.inputs != nil {
			if j > 0 || table(u) {
				lines = append(lines, n.inputs[k]+" = "+arg)
			}
			arg = n.inputs[k]
		}
		args = append(args, arg)
	}
	call := n.fn + "(" + strings.Join(args, ", ") + ")"
	if u.Claim.Func.Result.Signed {
		w.helpers[signedFunc] = true
		return append(lines, "return signed(int64("+call+"))")
	}
	return append(lines, "return false, uint64("+call+")")
}

// rows writes the table of inputs of unit i.
func (w *writer) rows(i int) {
	u := w.file.units[i]
	var fields, rows []string
	for k, v := range u.Claim.Func.Params() {
		fields = append(fields, column(k)+" "+intName(v.Type.(ir.Int)))
	}
	for _, c := range u.Claims() {
		rows = append(rows, "{"+strings.Join(frame.Args(c), ", ")+"}")
	}
	w.str("\nvar " + w.file.named[i].rows + " = []struct{ " + strings.Join(fields, "; ") + " }{" + strings.Join(rows, ", ") + "}\n")
}

// column names the k-th column of a table of inputs.
func column(k int) string { return "a" + strconv.Itoa(k) }
