package triage

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/reduce"
)

// levels are modes from the plainest on: that in which a test fails comes first.
var levels = []compilers.Mode{"-O1", "-O2", "-Os", "-O3", "@O", "@check"}

// processors are what may take the place of -march= of x86-64, from the least on.
var processors = [][]string{{"-msse4.2"}, {"-mavx"}, {"-mavx2"}, {"-march=x86-64-v2"}, {"-march=x86-64-v3"}, {"-mavx512f"}, {"-mavx512vl"}, {"-mavx512bw", "-mavx512vl"}}

// plain returns the reduction with the plainest question to which the answer is the same:
// it prints the answer instead of aborting, is asked in the plainest mode, and with the
// fewest arguments.
func (p *predicate) plain(ctx context.Context, c reduce.Candidate, opt Options) (*Reduction, error) {
	q := p.question(c)
	r := &Reduction{Form: q.form.Name, program: c.Program.String(), job: q.job, target: compilers.Plain(p.target)}
	q.limits = p.patient()
	same := func(q question) (bool, error) {
		q.target = compilers.Plain(q.target)
		return allHold(
			func() (bool, error) { return p.gives(ctx, q, p.verdict) },
			func() (bool, error) { return p.mends(ctx, q, p.mend) },
			func() (bool, error) { return p.gives(ctx, q, p.verdict) },
		)
	}
	take := func(now question) (bool, error) {
		ok, err := same(now)
		if ok {
			q = now
		}
		return ok, err
	}
	opt.progress("looks for the plainest command")
	for printed := q.form.Printed; printed != nil && p.verdict == compilers.WrongAnswer; printed = printed.Printed {
		now := q
		now.form = form{*printed, q.form.main}
		now.job = now.form.job(c.Program, q.job.Mode)
		if ok, err := take(now); err != nil {
			return nil, err
		} else if ok {
			break
		}
	}
	for _, args := range fewerArgs(p.target.ID().Args) {
		if slices.Equal(args, p.target.ID().Args) {
			break
		}
		now, ok := q, false
		bare, is := compilers.Plain(p.target).(compilers.Bare)
		if !is || compilers.Screen(bare, args...) != nil {
			continue
		}
		if now.target, ok = compilers.With(bare.WithoutArgs(), args...); !ok {
			continue
		}
		if ok, err := take(now); err != nil {
			return nil, err
		} else if ok {
			break
		}
	}
	programs := []*ir.Program{c.Program}
	if p.verdict == compilers.InternalError {
		programs = append(programs, used(c.Program)...)
	}
	for _, program := range programs {
		at, err := p.plainer(program, q, take)
		if err != nil {
			return nil, err
		}
		if at {
			r.program = program.String()
			break
		}
	}
	r.Form, r.job, r.target = q.form.Name, q.job, compilers.Plain(q.target)
	if err := p.list(ctx, c.Program.Claims[0].Func.Name, r); err != nil {
		return nil, err
	}
	if err := p.observe(ctx, r); err != nil {
		return nil, err
	}
	return r, p.source(ctx, c.Program.Claims[0], r)
}

// machineFlags are those with which a program of source text is run, from the fewest on: without
// -Xbatch it depends on time whether a loop is still compiled. interpreted are those with which
// nothing is compiled.
var (
	machineFlags = [][]string{{"-Xbatch"}, {"-Xbatch", "-XX:-TieredCompilation"}, {"-Xcomp", "-XX:-TieredCompilation"}}
	interpreted  = []string{"-Xint"}
)

// source looks for a program of source text that shows the failure, where the language has
// some, and keeps it with its command. It must be right when interpreted.
func (p *predicate) source(ctx context.Context, c *ir.Claim, r *Reduction) error {
	t, ok := r.target.(compilers.Sourced)
	write := language.Find(p.entry.Language).Source
	if !ok || write == nil || p.verdict != compilers.WrongAnswer && p.verdict != compilers.InternalError {
		return nil
	}
	want := strconv.FormatInt(c.Want, 10)
	if c.Func.Result.Bits <= 32 {
		want = strconv.FormatInt(int64(int32(c.Want)), 10) // Java has no unsigned type
	}
	ask := func(file compilers.File, flags []string) (compilers.Outcome, error) {
		return p.answer(ctx, t, func() compilers.Outcome {
			o := t.RunSource(ctx, p.oracle.Space, file, flags, p.oracle.Limits)
			if o.Verdict == compilers.OK && strings.TrimSpace(string(o.Stdout)) != want {
				o.Verdict = compilers.WrongAnswer
			}
			return o
		})
	}
	for _, others := range []bool{false, true} {
		name, text, err := write(c, others && len(c.Args) > 0)
		if err != nil {
			return nil // it cannot be said so
		}
		file := compilers.File{Name: name, Content: []byte(text)}
		for _, flags := range machineFlags {
			if o, err := ask(file, flags); err != nil {
				return err
			} else if o.Verdict != p.verdict {
				continue
			}
			again, err := ask(file, flags)
			if err != nil {
				return err
			}
			right, err := ask(file, interpreted)
			if err != nil {
				return err
			}
			if again.Verdict != p.verdict || right.Verdict != compilers.OK {
				continue
			}
			members := language.Find(p.entry.Language).Members("reduced", string(r.job.Files[0].Content))
			members[name] = text
			r.members, r.source = members, t.SourceCommand(name, flags)
			if p.verdict == compilers.WrongAnswer {
				p.entry.SetNote(corpus.NoteReducedGot, corpus.OneLine(strings.TrimSpace(string(again.Stdout))))
				p.entry.SetNote(corpus.NoteReducedWant, want)
			}
			return nil
		}
	}
	return nil
}

// mostListed is how many lines of assembly are kept.
const mostListed = 60

// list keeps the code that the compiler makes of the function of the test, or of the one that it
// is inlined into, where that is wrong and short, in a language whose trackers want to see it.
func (p *predicate) list(ctx context.Context, function string, r *Reduction) error {
	l, ok := r.target.(compilers.Lister)
	if !ok || p.entry.Language == compilers.C || p.verdict != compilers.WrongAnswer {
		return nil
	}
	code, _, err := l.List(ctx, p.oracle.Space, r.job, p.patient())
	text := code[function]
	for _, caller := range []string{"wide", "main"} {
		if calls, is := code[caller]; is {
			if !strings.Contains(calls, function+"(SB)") {
				text = caller + ":\n" + calls
			}
			break
		}
	}
	if text != "" && textLines(text) <= mostListed {
		r.members = map[string]string{corpus.ReducedAssemblyFile: text}
	}
	return err
}

// plainer asks about a program in plainer modes than that of a question, until take takes one.
func (p *predicate) plainer(program *ir.Program, q question, take func(question) (bool, error)) (bool, error) {
	for _, mode := range levels {
		if mode == q.job.Mode {
			break
		}
		if !slices.Contains(p.target.Modes(), mode) {
			continue
		}
		now := q
		now.job = q.form.job(program, mode)
		if ok, err := take(now); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// used returns programs that return the value of a variable each, where p returns something
// else: without a use, a compiler that optimises has nothing to do.
func used(p *ir.Program) (list []*ir.Program) {
	for i, v := range p.Claims[0].Func.Vars {
		q := p.Clone()
		k := q.Claims[0]
		t, ok := v.Type.(ir.Int)
		if !ok || !t.Standard() || len(q.Funcs) > 1 {
			continue
		}
		exit := k.Func.Blocks[len(k.Func.Blocks)-1]
		exit.Term = &ir.Return{Val: &ir.Load{Place: &ir.VarRef{Var: k.Func.Vars[i]}}}
		k.Func.Result = t
		q.Claims = nil
		if q.Check() != nil {
			continue
		}
		r, err := interp.Run(k.Func, k.Args, interp.Options{Under: k.Under})
		if err != nil {
			continue
		}
		k.Path, k.Want, k.Trap = r.Path, r.Value, ""
		q.Claims = []*ir.Claim{k}
		list = append(list, q)
	}
	return list
}

// observe notes the wanted and the actual output of the reduced test.
func (f *failure) observe(ctx context.Context, r *Reduction) error {
	f.entry.SetNote(corpus.NoteReducedWant, "")
	f.entry.SetNote(corpus.NoteReducedGot, "")
	if f.verdict != compilers.WrongAnswer || len(r.job.Want) == 0 {
		return nil
	}
	o, err := f.run(ctx, r.target, r.job)
	if err != nil {
		return err
	}
	f.entry.SetNote(corpus.NoteReducedWant, corpus.OneLine(strings.TrimSpace(string(r.job.Want))))
	f.entry.SetNote(corpus.NoteReducedGot, corpus.OneLine(strings.TrimSpace(string(o.Stdout))))
	return nil
}

// fewerArgs returns lists of arguments to try in place of those of a target, from the fewest on.
// The argument stays that names the processor.
func fewerArgs(args []string) (lists [][]string) {
	var target, rest, level []string
	lower := processors
	for _, arg := range args {
		switch {
		case strings.HasPrefix(arg, "--target="), strings.HasPrefix(arg, "GOARCH="), arg == "-m32", strings.HasPrefix(arg, "-fuse-ld="):
			target = append(target, arg)
		case strings.HasPrefix(arg, "-march=x86-64-v"):
			level = append(level, arg)
		case strings.HasPrefix(arg, "-march=z"):
			level, lower = append(level, arg), [][]string{{"-march=z13"}, {"-march=z14"}, {"-march=z15"}}
		default:
			rest = append(rest, arg)
		}
	}
	levels := [][]string{nil}
	if level != nil {
		levels = append(append(levels, lower...), level)
	}
	with := func(l []string, rest []string) { lists = append(lists, slices.Concat(target, l, rest)) }
	for _, l := range levels {
		with(l, nil)
	}
	for i := range rest {
		if len(rest) > 1 {
			with(level, rest[i:i+1])
		}
	}
	if len(rest) > 0 {
		for _, l := range levels {
			with(l, rest)
		}
	}
	return lists
}
