package llvm

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/compilers/llvm/ll"
	"goreify/compilers/native"
)

// A judge says which candidates of a module show the failure. Of each it is known which
// lanes of its result are defined, and what they are, unless no answer matters.
type judge interface {
	holds(ctx context.Context, m *ll.Module, list []Candidate, want []ll.Value) ([]bool, error)
	// settle is called with the first candidate that holds, before others that are made of it.
	settle(ctx context.Context, m *ll.Module, c Candidate, r *reduction) error
	// answers tells whether the failure is about results.
	answers() bool
}

// settle has the judge ask no more than a candidate needs that holds.
func (c *coder) settle(ctx context.Context, m *ll.Module, d Candidate, r *reduction) error {
	all := c.good
	want, _ := r.want(d)
	for n := range all {
		c.good = all[n : n+1]
		holds, err := c.holds(ctx, m, []Candidate{d}, []ll.Value{want.Value})
		if err != nil || holds[0] {
			return err
		}
	}
	c.good = all
	return nil
}

// A way is a way to make code of IR, as people name it: "llc -O0".
type way struct {
	name string
	make func(ctx context.Context, ir string, kind string) ([]byte, compilers.Outcome)
	// told puts in place of a function one that reads the right answer from memory. That it
	// is shown tells that results of such a type are passed and printed rightly.
	told bool
}

// Kinds of code.
const (
	object   = "obj"
	assembly = "asm"
)

// llc returns the way of making code by llc with some arguments.
func (t Tools) llc(args ...string) way {
	return way{name: strings.Join(append([]string{"llc"}, args...), " "), make: func(ctx context.Context, ir, kind string) ([]byte, compilers.Outcome) {
		return t.Call(ctx, "llc", ir, slices.Concat(args, t.fixed(), []string{"-filetype=" + kind})...)
	}}
}

// fixed returns arguments of llc for code that can be linked with that of clang.
func (t Tools) fixed() []string {
	switch processor, _, _ := strings.Cut(t.Clang.ID().Triple, "-"); {
	case processor == "riscv64" || processor == "loongarch64":
		return []string{"-target-abi=lp64d"}
	case !t.Clang.Traits().Emulated:
		return []string{"-relocation-model=pic"}
	}
	return nil
}

// by returns the way of making code by a clang of another version in a mode.
func (t Tools) by(clang native.Toolchain, mode compilers.Mode) way {
	return way{name: compilers.Name(clang, mode), make: func(ctx context.Context, ir, kind string) ([]byte, compilers.Outcome) {
		job := compilers.Job{Files: []compilers.File{{Name: input, Content: []byte(ir)}}, Mode: mode, Extra: []string{"-Xclang", "-disable-llvm-passes", "-o", output}}
		if kind == assembly {
			job.Extra = append(job.Extra, "-S")
		}
		code, o, err := clang.Compile(ctx, t.Space, job, output, t.Limits)
		if err != nil {
			return nil, compilers.NoRoom(err)
		}
		return code, o
	}}
}

// A coder judges code by running it.
type coder struct {
	Tools
	bad     way
	good    []way // of which one must be right
	verdict compilers.Verdict
	main    []byte // the object that has main
	other   bool   // run by another model of the emulator
}

// mainText calls the functions of a table, from the one that its argument names on. After
// each it writes a line, which begins with a mark: what the function writes itself comes before.
const mainText = `int printf(const char *, ...), sprintf(char *, const char *, ...), fflush(void *), atoi(const char *);
extern void (*const calls[])(void);
extern const int count;
static char line[65536], *end;
void show(long long lane, long long high, long long low)
{
	end += sprintf(end, " %lld:%llx:%llx", lane, high, low);
}
int main(int argc, char **argv)
{
	for (int i = argc > 1 ? atoi(argv[1]) : 0; i < count; i++) {
		end = line;
		*end = 0;
		calls[i]();
		printf("\n` + mark + `%s .\n", line);
		fflush(0);
	}
	return 0;
}
`

// mark begins a line that tells the result of a call.
const mark = "@"

func (t Tools) newCoder(ctx context.Context, bad way, verdict compilers.Verdict) (*coder, error) {
	c := &coder{Tools: t, bad: bad, good: []way{t.llc("-O0")}, verdict: verdict}
	var err error
	c.main, err = t.object(ctx, "main.c", mainText)
	return c, err
}

func (c *coder) answers() bool { return true }

// holds tells which candidates give a wrong answer, where code made in a good way gives the
// right one.
func (c *coder) holds(ctx context.Context, m *ll.Module, list []Candidate, want []ll.Value) ([]bool, error) {
	got, err := c.run(ctx, m, list, want, append([]way{c.bad}, c.good...))
	if err != nil {
		return nil, err
	}
	holds := make([]bool, len(list))
	for n := range list {
		right := slices.ContainsFunc(got[1:], func(good []string) bool { return good[n] == shown(want[n]) })
		holds[n] = right && c.fails(got[0][n], shown(want[n]))
	}
	return holds, nil
}

// fails tells whether what was printed is the failure.
func (c *coder) fails(got, want string) bool {
	switch c.verdict {
	case compilers.Crash, compilers.Endless:
		return got == c.verdict.String()
	}
	return got != want && got != "" && got != compilers.Crash.String() && got != compilers.Endless.String()
}

// shown returns what the program prints of a value.
func shown(v ll.Value) string {
	var b strings.Builder
	for n, l := range v.Lanes {
		if !l.Poison {
			low := l.N.Text(16)
			high := "0"
			if len(low) > 16 {
				high, low = low[:len(low)-16], strings.TrimLeft(low[len(low)-16:], "0")
			}
			if low == "" {
				low = "0"
			}
			fmt.Fprintf(&b, " %d:%s:%s", n, high, low)
		}
	}
	return b.String()
}

// run returns what candidates return in each of some ways, as shown does: the word of a
// verdict if they return nothing, or nothing if there is no code. Where a way after the
// first makes no code of one, it makes none of all.
func (c *coder) run(ctx context.Context, m *ll.Module, list []Candidate, want []ll.Value, ways []way) (got [][]string, err error) {
	got = make([][]string, len(ways))
	for w := range got {
		got[w] = make([]string, len(list))
	}
	job := compilers.Job{Files: []compilers.File{{Name: "main.o", Content: c.main}}, Mode: "-O0"}
	var part *ll.Module
	var call []*ll.Func
	var calls []Candidate
	var wants []ll.Value
	var asked []int // the ways of the calls, each for the whole list
	for w, way := range ways {
		var functions []*ll.Func
		var answers []*ll.Global
		for n, f := range list {
			own := f.F.Clone()
			own.Name, own.Internal = fmt.Sprintf("f%d.%d", w, n), false
			if way.told {
				g := own.Tell(want[n])
				answers = append(answers, g)
			}
			functions = append(functions, own)
		}
		part = needed(m, functions...)
		if w > 0 {
			for n, g := range part.Globals {
				declared := *g
				declared.Init = nil
				part.Globals[n] = &declared
			}
		}
		part.Funcs, part.Globals = append(part.Funcs, functions...), append(part.Globals, answers...)
		code, o := way.make(ctx, part.String(), object)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case o.Verdict != compilers.OK && w > 0:
			continue
		case o.Verdict != compilers.OK && len(list) > 1:
			return c.halves(ctx, m, list, want, ways)
		case o.Verdict != compilers.OK:
			return got, nil
		}
		asked, call, wants = append(asked, w), append(call, functions...), append(wants, want...)
		for n, f := range functions {
			calls = append(calls, Candidate{f, list[n].Args})
		}
		job.Files = append(job.Files, compilers.File{Name: fmt.Sprintf("f%d.o", w), Content: code})
	}
	job.Files = append(job.Files, compilers.File{Name: "calls.ll", Content: []byte(callsText(needed(m, call...), calls, wants))})
	built, o := c.Clang.Build(ctx, c.Space, job, c.Limits)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case o.Verdict != compilers.OK && len(list) > 1:
		return c.halves(ctx, m, list, want, ways)
	case o.Verdict != compilers.OK:
		return got, nil
	}
	defer built.Remove()
	said, err := c.execute(ctx, built, len(calls))
	for n, s := range said {
		got[asked[n/len(list)]][n%len(list)] = s
	}
	return got, err
}

// halves runs the halves of a list one after the other: some of it has no code.
func (c *coder) halves(ctx context.Context, m *ll.Module, list []Candidate, want []ll.Value, ways []way) ([][]string, error) {
	n := len(list) / 2
	a, err := c.run(ctx, m, list[:n], want[:n], ways)
	if err != nil {
		return nil, err
	}
	b, err := c.run(ctx, m, list[n:], want[n:], ways)
	if err != nil {
		return nil, err
	}
	for w := range a {
		a[w] = append(a[w], b[w]...)
	}
	return a, nil
}

// execute returns what each of some calls has shown. A call that ends the program is left
// out in the next run.
func (c *coder) execute(ctx context.Context, built compilers.Built, calls int) ([]string, error) {
	said := make([]string, calls)
	if built.Traits != nil {
		one := *built.Traits
		if c.other && one.Other != nil {
			one.Runner = one.Other
		}
		one.Other = nil
		built.Traits = &one
	}
	for from := 0; from < calls; {
		o := c.Clang.Run(ctx, built, []string{strconv.Itoa(from)}, nil, c.Limits)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		done := from
		for line := range bytes.Lines(o.Stdout) {
			text, marked := strings.CutPrefix(string(line), mark)
			text, ended := strings.CutSuffix(text, " .\n")
			if !marked || !ended {
				continue
			}
			said[done] = text
			if done++; done == calls {
				return said, nil
			}
		}
		if o.Verdict != compilers.Crash && o.Verdict != compilers.Endless {
			return said, nil // it is not known how it ended
		}
		said[done] = o.Verdict.String()
		from = done + 1
	}
	return said, nil
}

// callsText returns a module that calls functions and shows their results.
func callsText(m *ll.Module, calls []Candidate, want []ll.Value) string {
	var b strings.Builder
	fmt.Fprintf(&b, "target datalayout = %q\ntarget triple = %q\n", m.Layout, m.Triple)
	b.WriteString("declare void @show(i64, i64, i64)\ndeclare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n")
	var reset strings.Builder
	for _, g := range m.Globals {
		declared := *g
		declared.Init = nil
		b.WriteString(declared.String() + "\n")
		if g.Init != nil && !g.Constant {
			start := *g
			start.Name, start.Internal, start.Constant = g.Name+".start", true, true
			b.WriteString(start.String() + "\n")
			fmt.Fprintf(&reset, "  call void @llvm.memcpy.p0.p0.i64(ptr @%s, ptr @%s, i64 ptrtoint (ptr getelementptr (%v, ptr null, i32 1) to i64), i1 false)\n", g.Name, start.Name, g.Type)
		}
	}
	var table []string
	for n, c := range calls {
		b.WriteString(c.F.Declaration())
		fmt.Fprintf(&b, "define internal void @call%d() {\n%s", n, reset.String())
		var args []string
		for k, a := range c.Args {
			args = append(args, strings.TrimSpace(a.Type.String()+" "+c.F.Params[k].Attr)+strings.TrimPrefix(a.String(), a.Type.String()))
		}
		t := c.F.Result
		fmt.Fprintf(&b, "  %%r = call %s %s %v @%s(%s)\n", c.F.CC, c.F.Attr, t, c.F.Name, strings.Join(args, ", "))
		for k, l := range want[n].Lanes {
			if l.Poison {
				continue
			}
			lane := "%r"
			if t.Kind == ll.Vector {
				lane = fmt.Sprintf("%%l%d", k)
				fmt.Fprintf(&b, "  %s = extractelement %v %%r, i32 %d\n", lane, t, k)
			}
			wide := lane
			if bits := t.Scalar().Bits; bits < 128 {
				wide = fmt.Sprintf("%%w%d", k)
				fmt.Fprintf(&b, "  %s = zext %v %s to i128\n", wide, t.Scalar(), lane)
			}
			fmt.Fprintf(&b, "  %%o%d = trunc i128 %s to i64\n  %%s%d = lshr i128 %s, 64\n  %%h%d = trunc i128 %%s%d to i64\n", k, wide, k, wide, k, k)
			fmt.Fprintf(&b, "  call void @show(i64 %d, i64 %%h%d, i64 %%o%d)\n", k, k, k)
		}
		b.WriteString("  ret void\n}\n")
		table = append(table, fmt.Sprintf("ptr @call%d", n))
	}
	fmt.Fprintf(&b, "@calls = constant [%d x ptr] [%s]\n@count = constant i32 %d\n", len(table), strings.Join(table, ", "), len(table))
	return b.String()
}

// A breaker judges by an internal error of llc.
type breaker struct {
	Tools
	bad   way
	crash string // where the error must be
}

func (b *breaker) answers() bool { return false }

func (b *breaker) settle(context.Context, *ll.Module, Candidate, *reduction) error { return nil }

func (b *breaker) holds(ctx context.Context, m *ll.Module, list []Candidate, _ []ll.Value) ([]bool, error) {
	holds := make([]bool, len(list))
	for n, c := range list {
		part := needed(m, c.F)
		part.Funcs = append(part.Funcs, c.F)
		_, o := b.bad.make(ctx, part.String(), object)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if holds[n] = o.Verdict == compilers.InternalError && o.Crash == b.crash; holds[n] {
			break // the list begins with the simplest
		}
	}
	return holds, nil
}
