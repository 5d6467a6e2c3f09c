package foreign

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/reify/others/csource"
)

// A batch is questions for one witness.
type batch struct {
	*Harvester
	witness
	deaths int
}

// ask returns the answers of each run to the open questions, which are sorted by function.
func (b *batch) ask(ctx context.Context, q []Question, open []int, runs int) ([][]answer, error) {
	var functions []*Function
	number := map[*Function]int{}
	for _, i := range open {
		f := q[i].Function
		if _, ok := number[f]; !ok {
			number[f] = len(functions)
			functions = append(functions, f)
		}
	}
	var built compilers.Built
	var bad map[int]bool
	var err error
	if b.panel != nil {
		functions, number = b.panel.functions, b.panel.number
		built, bad, err = b.panel.driver(ctx, b)
	} else if built, bad, err = b.build(ctx, functions); built.Path != "" {
		defer built.Remove()
	}
	if err != nil {
		return nil, err
	}
	all := make([][]answer, runs)
	if built.Path == "" {
		for r := range all {
			all[r] = slices.Repeat([]answer{{state: rejected}}, len(open))
		}
		return all, nil
	}
	var asked []int // of open
	for k, i := range open {
		if !bad[number[q[i].Function]] {
			asked = append(asked, k)
		}
	}
	const name = "questions"
	for r := range all {
		if r > 0 {
			slices.Reverse(asked) // state that lasts from one call to the next shows then
		}
		words := []int64{int64(len(asked))}
		for _, k := range asked {
			one := q[open[k]]
			words = append(words, int64(number[one.Function]))
			words = append(words, one.Args...)
			words = append(words, make([]int64, MaxParams-len(one.Args))...)
		}
		var file bytes.Buffer
		if err := binary.Write(&file, binary.LittleEndian, words); err != nil {
			return nil, err
		}
		if err := b.space.Put(filepath.Dir(built.Path), compilers.File{Name: name, Content: file.Bytes()}); err != nil {
			return nil, err
		}
		all[r] = slices.Repeat([]answer{{state: rejected}}, len(open))
		o := b.target.Run(ctx, built, []string{name, strconv.Itoa(r + 1)}, nil, b.witness.limits)
		lines := bytes.Split(bytes.TrimSuffix(o.Stdout, []byte("\n")), []byte("\n"))
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case len(asked) > 0 && (o.Verdict != compilers.WrongAnswer || len(lines) != len(asked)):
			return nil, fmt.Errorf("%s: the driver of %d functions: %v, %d lines for %d questions", b.target.ID(), len(functions), o, len(lines), len(asked))
		}
		for j, k := range asked {
			a := &all[r][k]
			if _, err := fmt.Sscanf(string(lines[j]), "%d %d %d %x", &a.state, &a.want, &a.steps, &a.visited); err != nil {
				return nil, fmt.Errorf("%s: the driver prints %q: %w", b.target.ID(), lines[j], err)
			}
		}
	}
	return all, nil
}

// build builds a driver of functions. Functions that the compiler rejects are left out,
// and their numbers are added to bad; if it rejects all, nothing is built.
func (b *batch) build(ctx context.Context, functions []*Function) (built compilers.Built, bad map[int]bool, err error) {
	bad = map[int]bool{}
	for {
		if len(bad) == len(functions) {
			return compilers.Built{}, bad, nil
		}
		built, o := b.try(ctx, functions, bad)
		switch {
		case built.Path != "":
			return built, bad, nil
		case ctx.Err() != nil:
			return compilers.Built{}, nil, context.Cause(ctx)
		case o.Verdict == compilers.Discarded:
			return compilers.Built{}, nil, fmt.Errorf("%s: %v", b.target.ID(), o)
		}
		before := len(bad)
		if err := b.reject(ctx, functions, bad, 0, len(functions)); err != nil {
			return compilers.Built{}, nil, err
		}
		if len(bad) == before {
			return compilers.Built{}, nil, fmt.Errorf("%s rejects functions together that it takes in parts: %v", b.target.ID(), o)
		}
	}
}

// try builds a driver of the functions that are not in bad. Functions that package cc
// cannot parse are rejected, too.
func (b *batch) try(ctx context.Context, functions []*Function, bad map[int]bool) (compilers.Built, compilers.Outcome) {
	text, err := b.driver(functions, bad)
	if err != nil {
		return compilers.Built{}, compilers.Outcome{Verdict: compilers.Rejected, Message: err.Error()}
	}
	extra := append(slices.Clone(strict), "-pthread")
	if b.guarded {
		extra = append(extra, called...)
	}
	job := compilers.Job{Files: compilers.Single(text), Mode: b.mode, Extra: extra}
	return b.target.Build(ctx, b.space, job, b.witness.limits)
}

// strict are arguments that have compilers reject constructs that newer ones reject by
// default. The last is for errors that no sanitizer reports: an object that is written
// twice, or written and read, without an order.
var strict = []string{"-Werror=implicit-function-declaration", "-Werror=implicit-int", "-Werror=int-conversion", "-Werror=incompatible-pointer-types",
	"-Werror=sequence-point"}

// reject adds to bad those of functions [from, to) that the compiler rejects.
func (b *batch) reject(ctx context.Context, functions []*Function, bad map[int]bool, from, to int) error {
	others := map[int]bool{}
	any := false
	for i := range functions {
		others[i] = bad[i] || i < from || i >= to
		any = any || !others[i]
	}
	if !any {
		return nil
	}
	built, o := b.try(ctx, functions, others)
	switch {
	case built.Path != "":
		built.Remove()
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case o.Verdict == compilers.Discarded:
		return fmt.Errorf("%s: %v", b.target.ID(), o)
	case to-from == 1:
		bad[from] = true
		return nil
	}
	middle := (from + to) / 2
	if err := b.reject(ctx, functions, bad, from, middle); err != nil {
		return err
	}
	return b.reject(ctx, functions, bad, middle, to)
}

//go:embed c/driver.c
var driver string

// driver returns a program that asks the functions that are not in bad.
func (b *batch) driver(functions []*Function, bad map[int]bool) ([]byte, error) {
	var unit strings.Builder
	ranges := make([]int, len(functions)+1)
	objects := 0
	if b.guarded {
		unit.WriteString(place)
	}
	for i, f := range functions {
		if !bad[i] {
			text := f.Text
			if b.guarded {
				var n int
				text, n = guard(f)
				objects = max(objects, n)
			}
			unit.WriteString(text)
			unit.WriteByte('\n')
		}
		ranges[i+1] = unit.Len() // bytes, until statements are known
	}
	text := unit.String()
	var head, c strings.Builder
	if b.counted {
		if err := csource.Try("slices.c", []byte(text), csource.LP64); err != nil { // they may be of a stranger's database
			return nil, err
		}
		p, err := csource.ParseUnit("slices.c", []byte(text), csource.LP64)
		if err != nil {
			return nil, err
		}
		text = string(p.Apply(p.Count(func(i int) string { return fmt.Sprintf("reify_n(%d); ", i) })))
		at := 0
		for i := range ranges {
			for at < len(p.Stmts) && p.Stmts[at].From < ranges[i] {
				at++
			}
			ranges[i] = at
		}
		fmt.Fprintf(&head, `static int reify_first, reify_end;
static unsigned reify_steps;
static unsigned char reify_seen[%d];
static void reify_stop(void);
static void reify_n(int k) { reify_seen[k] = 1; if (++reify_steps > %d) reify_stop(); }
`, len(p.Stmts)+1, MaxSteps)
		fmt.Fprintf(&c, "#define REIFY_COUNT\nstatic const int reify_ranges[] = {")
		for _, n := range ranges {
			fmt.Fprintf(&c, "%d, ", n)
		}
		c.WriteString("};\n")
	}
	if b.guarded {
		fmt.Fprintf(&c, "#define REIFY_GUARD\n#define REIFY_OBJECTS %d\n#define REIFY_PLAIN __attribute__((no_sanitize_address))\n", objects)
	} else {
		c.WriteString("#define REIFY_PLAIN\n")
	}
	fmt.Fprintf(&c, "#define REIFY_PARAMS %d\n#define REIFY_DEATHS %d\n", MaxParams, b.deaths)
	c.WriteString("REIFY_PLAIN static unsigned long long reify_call(int function, const long long *a)\n{\n\tswitch (function) {\n")
	for i, f := range functions {
		if bad[i] {
			continue
		}
		fmt.Fprintf(&c, "\tcase %d: return (unsigned long long)(long long)%s(", i, f.Symbol)
		for k, t := range f.Params {
			if k > 0 {
				c.WriteString(", ")
			}
			fmt.Fprintf(&c, "(%s)a[%d]", C(t), k)
		}
		c.WriteString(");\n")
	}
	c.WriteString("\t}\n\treturn 0;\n}\n")
	return []byte(head.String() + text + c.String() + driver), nil
}
