package llvm

import (
	"fmt"
	"slices"
	"strings"

	"goreify/compilers/llvm/ll"
)

// A Candidate is a function and the constants that it is called with.
type Candidate struct {
	F    *ll.Func
	Args []ll.Operand
}

// clone returns a copy to edit.
func (c Candidate) clone() Candidate { return Candidate{c.F.Clone(), slices.Clone(c.Args)} }

// anywhere returns a copy without what it says of a processor.
func (c Candidate) anywhere() Candidate {
	c = c.clone()
	c.F.Attrs = slices.DeleteFunc(c.F.Attrs, func(a string) bool { return strings.HasPrefix(a, `"target-`) })
	return c
}

// tidy tidies the function, and leaves out parameters that are not used.
func (c *Candidate) tidy() {
	c.F.Tidy()
	for n := len(c.F.Params) - 1; n >= 0; n-- {
		if c.F.Uses(c.F.Params[n].Name) == 0 {
			c.F.Params, c.Args = slices.Delete(c.F.Params, n, n+1), slices.Delete(c.Args, n, n+1)
		}
	}
}

// call returns the call as a text: f(1, <2 x i8> zeroinitializer).
func (c Candidate) call() string {
	var args []string
	for _, a := range c.Args {
		args = append(args, a.String())
	}
	return fmt.Sprintf("%s(%s)", c.F.Name, strings.Join(args, ", "))
}

// text returns what tells candidates apart.
func (c Candidate) text() string { return c.F.String() + c.call() }

// callSize is how many instructions more a call counts for, of a function that is no part of LLVM.
const callSize = 100

// less tells whether a candidate is the simpler of two: fewer instructions, fewer blocks,
// fewer instructions on constants alone, which a compiler need not make code of, a shorter text,
// plainer arguments.
func (c Candidate) less(d Candidate) bool { return slices.Compare(c.weight(), d.weight()) < 0 }

func (c Candidate) weight() []int {
	size, folded := len(c.F.Instrs()), 0
	for _, i := range c.F.Instrs() {
		if i.Op == "call" && !i.Pure() {
			size += callSize
		}
		if i.Name != "" && len(i.Args) > 0 && !slices.ContainsFunc(i.Args, func(a ll.Operand) bool { return a.Local != "" || a.Global != "" }) {
			folded++
		}
	}
	odd := 0
	for _, a := range c.Args {
		n := slices.IndexFunc(plainValues, func(v int64) bool { return a.Type.Integers() && a.String() == ll.Number(a.Type, v).String() })
		if n < 0 {
			n = len(plainValues)
		}
		odd += n
	}
	return []int{size, len(c.F.Blocks), folded, len(c.F.String()), odd, len(c.call())}
}

// plainValues are those that arguments are tried with, the plainest first.
var plainValues = []int64{0, 1, -1}

// needed returns the globals and the functions of a module that functions need, in its
// order. All can be seen from other modules, except for functions with a body.
func needed(m *ll.Module, functions ...*ll.Func) *ll.Module {
	names := map[string]bool{}
	var add func(f *ll.Func)
	add = func(f *ll.Func) {
		for _, name := range f.Globals() {
			if names[name] {
				continue
			}
			names[name] = true
			if g := m.Func(name); g != nil {
				add(g)
			}
		}
	}
	for _, f := range functions {
		add(f)
	}
	part := &ll.Module{Layout: m.Layout, Triple: m.Triple}
	for _, g := range m.Globals {
		if names[g.Name] {
			seen := *g
			seen.Internal = false
			part.Globals = append(part.Globals, &seen)
		}
	}
	for _, f := range m.Funcs {
		if names[f.Name] {
			own := *f
			own.Internal = len(f.Blocks) > 0
			part.Funcs = append(part.Funcs, &own)
		}
	}
	return part
}

// few is how many instructions a function may have for pairs of them to be tried.
const few = 16

// edits returns what a candidate may become by one step. The result is that of its run.
func (c Candidate) edits(r ll.Result) (list []Candidate) {
	edit := func(change func(d *Candidate) bool) {
		d := c.clone()
		if change(&d) {
			d.tidy()
			list = append(list, d)
		}
	}
	values := map[string]bool{}
	for _, p := range c.F.Places() {
		i := c.F.At(p)
		if i.Name != "" && i.Type.Integers() && r.First[i.Name].Defined() {
			edit(func(d *Candidate) bool { d.F.ReturnAfter(p, ll.Operand{Type: i.Type, Local: i.Name}); return true })
			for _, v := range []ll.Value{r.First[i.Name], r.Last[i.Name]} {
				edit(func(d *Candidate) bool { return d.argument(p, i, v) })
				edit(func(d *Candidate) bool {
					o, ok := v.Constant()
					d.F.Replace(i.Name, o)
					return ok
				})
			}
		}
		if i.Op == "store" || i.Op == "call" {
			for _, a := range i.Args {
				if a.Type.Integers() && (a.Local == "" || !values[a.Local]) {
					edit(func(d *Candidate) bool { d.F.ReturnAfter(ll.Place{Block: p.Block, At: p.At - 1}, a); return true })
				}
			}
		}
		for _, earlier := range c.F.Blocks[p.Block].Instrs[:p.At] {
			if i.Name != "" && earlier.Name != "" && i.Op != "phi" && earlier.Type.String() == i.Type.String() && len(c.F.Instrs()) <= few {
				edit(func(d *Candidate) bool {
					d.F.Replace(i.Name, ll.Operand{Type: i.Type, Local: earlier.Name})
					return true
				})
			}
		}
		for _, a := range i.Args {
			if i.Name != "" && i.Op != "phi" && a.Type.String() == i.Type.String() {
				edit(func(d *Candidate) bool { d.F.Replace(i.Name, a); return true })
			}
		}
		if i.Op == "store" || i.Op == "call" && (i.Name == "" || c.F.Uses(i.Name) == 0) {
			edit(func(d *Candidate) bool { d.F.Remove(p); return true })
		}
		for n := range i.Flags {
			edit(func(d *Candidate) bool { f := d.F.At(p); f.Flags = slices.Delete(f.Flags, n, n+1); return true })
		}
		edit(func(d *Candidate) bool { return d.F.Shorten(p) })
		if i.Volatile || i.Align != 0 {
			edit(func(d *Candidate) bool { f := d.F.At(p); f.Volatile, f.Align = false, 0; return true })
		}
		if i.Op == "call" && i.Type.Kind == ll.Int && !i.Pure() {
			edit(func(d *Candidate) bool { return d.F.Join(p, false) })
			edit(func(d *Candidate) bool { return d.F.Join(p, true) })
		}
		if len(i.Labels) > 1 && i.Op != "phi" {
			for _, to := range i.Labels {
				edit(func(d *Candidate) bool { d.F.Go(p.Block, to); return true })
			}
		}
	}
	for n := range c.F.Blocks {
		edit(func(d *Candidate) bool { return d.F.Skip(n) })
	}
	for n := range c.F.Params {
		edit(func(d *Candidate) bool { d.F.Replace(d.F.Params[n].Name, d.Args[n]); return true })
		edit(func(d *Candidate) bool { d.F.Params[n].Attr = ""; return c.F.Params[n].Attr != "" })
		for m := range n {
			edit(func(d *Candidate) bool {
				d.F.Replace(d.F.Params[n].Name, ll.Operand{Type: d.F.Params[m].Type, Local: d.F.Params[m].Name})
				return d.F.Params[n].Type.String() == d.F.Params[m].Type.String()
			})
		}
		for _, v := range plainValues {
			edit(func(d *Candidate) bool {
				if !d.Args[n].Type.Integers() {
					return false
				}
				d.Args[n] = ll.Number(d.Args[n].Type, v)
				return true
			})
		}
	}
	for n := range c.F.Attrs {
		edit(func(d *Candidate) bool { d.F.Attrs = slices.Delete(d.F.Attrs, n, n+1); return true })
	}
	edit(func(d *Candidate) bool { d.F.Attr = ""; return c.F.Attr != "" })
	edit(func(d *Candidate) bool { d.F.CC, d.F.Internal = "", false; return c.F.CC != "" || c.F.Internal })
	return list
}

// argument makes a parameter of an instruction, whose value the call passes.
func (c *Candidate) argument(p ll.Place, i *ll.Instr, v ll.Value) bool {
	o, ok := v.Constant()
	if !ok || i.Op == "alloca" {
		return false
	}
	c.F.Remove(p)
	c.F.Params = append(c.F.Params, ll.Param{Type: i.Type, Name: i.Name})
	c.Args = append(c.Args, o)
	return true
}
