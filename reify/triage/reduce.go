package triage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/others"
	"goreify/reify/reduce"
)

// A Reduction is the smallest test found that shows a failure.
type Reduction struct {
	Form  string // of C in which it is written, in a few words
	Tests int    // how often a compiler was asked about a candidate

	target  compilers.Target  // that is asked
	job     compilers.Job     // the job of the target, in the plainest mode in which it fails
	program string            // in the text form of package ir, or empty
	members map[string]string // files that the entry gets besides
	source  string            // command that runs a program of source text among members, or empty
}

// reducers are the ways to reduce, by the source of the program. Their results are in
// the language of the entry.
var reducers = map[string]func(*failure, context.Context, Options) (*Reduction, error){
	corpus.FunctionSource: (*failure).reduceIR,
	corpus.ProgramSource:  (*failure).reduceIR,
	corpus.TextSource:     (*failure).reduceText,
}

// reduce makes the reduced test.
func (f *failure) reduce(ctx context.Context, opt Options, r *Result) (err error) {
	e := f.entry
	reducer := reducers[e.Source]
	switch {
	case e.Source == "":
		return errors.New("the entry does not name the source of its program")
	case reducer == nil:
		return fmt.Errorf("programs of source %q cannot be reduced", e.Source)
	case language.Find(e.Language) == nil:
		return fmt.Errorf("reduced tests cannot be written in %s", e.Language)
	}
	if r.Reduced, err = reducer(f, ctx, opt); err != nil {
		return err
	}
	e.Reduced, e.ReducedProgram = string(r.Reduced.job.Files[0].Content), r.Reduced.program
	e.ReducedCommand = f.command(r.Reduced)
	lang := language.Find(e.Language)
	count := lang.BodyLines
	if r.Reduced.members == nil {
		r.Reduced.members = lang.Members("reduced", e.Reduced)
	}
	members := maps.Clone(r.Reduced.members) // the entry that was given keeps its own
	for name, text := range e.Members {
		if _, again := members[name]; !again && name != corpus.LeftFile && name != corpus.ReducedAssemblyFile {
			if members == nil {
				members = map[string]string{}
			}
			members[name] = text
		}
	}
	e.Members = members
	if e.Source == corpus.TextSource {
		count = textLines
	}
	for _, text := range e.Sources {
		r.Before += count(text)
	}
	r.After = count(e.Reduced)
	return nil
}

// reduceIR reduces the program that an entry holds as ir.
func (f *failure) reduceIR(ctx context.Context, opt Options) (*Reduction, error) {
	if f.entry.Program == "" {
		return nil, errors.New("the entry has no program.ir, only C")
	}
	program, err := ir.Parse(f.entry.Program)
	if err != nil {
		return nil, err
	}
	if err := others.Check(program); err != nil {
		return nil, err
	}
	forms, err := formsOf(f.entry, program)
	if err != nil {
		return nil, err
	}
	if len(forms) == 0 {
		return nil, errors.New("the form in which it was written is not known")
	}
	p, err := f.newPredicate(ctx, forms)
	if err != nil {
		return nil, err
	}
	var start reduce.Candidate
	if uncovers[f.target.ID().Family] {
		start, err = p.startPlain(ctx, program)
	} else {
		start, err = p.start(ctx, program)
	}
	if errors.Is(err, reduce.ErrNotReproduced) && len(p.peers) > 0 {
		opt.progress("not all versions that fail do so on a program that can be reduced")
		start, err = p.startWithFewer(ctx, program)
	}
	if errors.Is(err, reduce.ErrNotReproduced) && !uncovers[f.target.ID().Family] {
		opt.progress("what mends it does not mend a program that can be reduced")
		start, err = p.startPlain(ctx, program)
	}
	if err != nil {
		return nil, err
	}
	opt.progress("reduces it, written %s", forms[start.Form].Name)
	r, err := p.shrink(ctx, start, opt)
	if err == nil {
		r, err = p.shrinkTexts(ctx, r, opt)
	}
	if err != nil {
		return nil, err
	}
	plain, err := p.plain(ctx, r.Candidate, opt)
	if err == nil {
		plain.Tests = r.Tests + r.Confirms
	}
	return plain, err
}

// mostTests bounds a reduction: most take 100 to 300 tests, and a large program
// that will not get smaller would take thousands.
const mostTests = 1200

// shrink reduces start. At the end it makes sure that it is the same bug. Where it is
// not, the reduction returns to the last step at which it was, goes on from there, and
// makes sure of each step.
func (p *predicate) shrink(ctx context.Context, start reduce.Candidate, opt Options) (*reduce.Result, error) {
	steps := []reduce.Candidate{start}
	o := reduce.Options{
		Forms:    len(p.forms),
		Workers:  opt.Workers,
		MaxTests: mostTests,
		Test:     p.test,
		Confirm:  p.confirm,
		Progress: func(st reduce.Step) {
			if st.Changed && st.Pass != "" {
				steps = append(steps, st.Best)
				opt.progress("round %d, %s: %d tests", st.Round, st.Pass, st.Tests)
			}
		},
	}
	first, err := reduce.Run(ctx, start, o)
	if err != nil {
		return nil, err
	}
	if ok, err := p.sure(ctx, first.Candidate); ok || err != nil {
		return first, err
	}
	from, err := p.lastSure(ctx, steps)
	if err != nil {
		return nil, err
	}
	opt.progress("not the same bug any more; goes on from step %d of %d", from, len(steps)-1)
	o.Confirm = p.sure
	second, err := reduce.Run(ctx, steps[from], o)
	if err != nil {
		return nil, err
	}
	if ok, err := p.sure(ctx, second.Candidate); err != nil || !ok {
		return nil, errors.Join(err, fmt.Errorf("the result of the reduction: %w", reduce.ErrFlaky))
	}
	second.Tests += first.Tests
	second.Confirms += first.Confirms
	second.Undefined += first.Undefined
	second.Rounds += first.Rounds
	return second, nil
}

// lastSure returns the last of the steps that shows the same bug for sure, as far
// as halving finds it. The first one does, the last one does not.
func (p *predicate) lastSure(ctx context.Context, steps []reduce.Candidate) (int, error) {
	lo, hi := 0, len(steps)-1
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		ok, err := p.sure(ctx, steps[mid])
		switch {
		case err != nil:
			return 0, err
		case ok:
			lo = mid
		default:
			hi = mid
		}
	}
	return lo, nil
}

// start returns the first program to reduce: of the cases of the program and the forms
// to write it in, the first that fails as the original does. If no case fails alone,
// the program makes all calls of cases that can run one after another.
func (p *predicate) start(ctx context.Context, program *ir.Program) (reduce.Candidate, error) {
	if c, ok, err := p.plainest(ctx, starts(p.accused(program))); ok || err != nil {
		return c, err
	}
	if !language.Find(p.entry.Language).Calls() {
		return reduce.Candidate{}, fmt.Errorf("no single call fails in any of %d forms of %s: %w", len(p.forms), p.entry.Language, reduce.ErrNotReproduced)
	}
	all, calls, err := together(program)
	if err != nil {
		return reduce.Candidate{}, fmt.Errorf("all calls in one function: %w", err)
	}
	if c, ok, err := p.plainest(ctx, all); ok || err != nil {
		return c, err
	}
	also := ""
	switch {
	case len(all) > 0 && calls == len(program.Claims):
		also = ", nor do all together"
	case len(all) > 0:
		also = fmt.Sprintf(", nor do %d of the %d together, the most that were seen to run one after another", calls, len(program.Claims))
	case len(program.Claims) > 1:
		also = ", and no two were seen to run one after another"
	}
	return reduce.Candidate{}, fmt.Errorf("no single call fails in any of %d forms of %s%s: %w", len(p.forms), p.entry.Language, also, reduce.ErrNotReproduced)
}

// accused returns a program with those of its cases whose lines were wrong, if that can be
// told.
func (p *predicate) accused(program *ir.Program) *ir.Program {
	want, got := strings.Split(p.entry.Want, "\n"), strings.Split(string(p.first.Stdout), "\n")
	if len(want) != len(got) || len(want) != len(program.Claims)+1 {
		return program
	}
	some := &ir.Program{Funcs: program.Funcs}
	for i, c := range program.Claims {
		if want[i] != got[i] {
			some.Claims = append(some.Claims, c)
		}
	}
	if len(some.Claims) == 0 {
		return program
	}
	return some
}

// startWithFewer is start where some peers, which it drops, cannot be kept.
func (p *predicate) startWithFewer(ctx context.Context, program *ir.Program) (reduce.Candidate, error) {
	all := p.peers
	p.peers = nil
	c, err := p.start(ctx, program)
	for _, other := range all {
		if err != nil {
			break
		}
		var ok bool
		if ok, err = p.agrees(ctx, p.question(c), []peer{other}); ok {
			p.peers = append(p.peers, other)
		}
	}
	return c, err
}

// uncovers are the families of which leaving out a pass mostly tells what uncovers a fault of
// code generation. Another form of the program is uncovered by another pass.
var uncovers = map[string]bool{"gc": true}

// startPlain is start without regard to what mends the original, and to other versions; of
// the families above also to other modes. Those of these questions that the program that it
// returns answers alike are asked of all that come, except whether a mode is right.
func (p *predicate) startPlain(ctx context.Context, program *ir.Program) (reduce.Candidate, error) {
	mend, without, modes, peers := p.mend, p.without, p.modes, p.peers
	p.mend, p.without, p.peers = nil, nil, nil
	if uncovers[p.target.ID().Family] {
		mend, without, p.modes = nil, nil, nil
	} else {
		modes = nil // they are asked all along
	}
	c, err := p.start(ctx, program)
	if err != nil {
		return c, err
	}
	q := p.question(c)
	for _, flags := range []struct{ now, before *[]string }{{&p.mend, &mend}, {&p.without, &without}} {
		if ok, err := p.mends(ctx, q, *flags.before); err != nil {
			return c, err
		} else if ok {
			*flags.now = *flags.before
		}
	}
	for _, others := range []struct {
		now    *[]peer
		before []peer
	}{{&p.modes, modes}, {&p.peers, peers}} {
		for _, other := range others.before {
			if !other.verdict.Finding() { // by chance, maybe
				continue
			}
			if ok, err := p.agrees(ctx, q, []peer{other}); err != nil {
				return c, err
			} else if ok {
				*others.now = append(*others.now, other)
			}
		}
	}
	return c, nil
}

// plainest returns the first of the programs, in the plainest form, that fails as the
// original does.
func (p *predicate) plainest(ctx context.Context, list []*ir.Program) (c reduce.Candidate, ok bool, err error) {
	for form := range p.forms {
		for _, program := range list {
			c := reduce.Candidate{Program: program, Form: form}
			if ok, err := p.shows(ctx, c); ok || err != nil {
				return c, ok, err
			}
		}
	}
	return reduce.Candidate{}, false, nil
}

// shows tells whether a candidate fails as the original does, for sure.
func (p *predicate) shows(ctx context.Context, c reduce.Candidate) (bool, error) {
	if ok, err := p.test(ctx, c); !ok || err != nil {
		return false, err
	}
	return p.sure(ctx, c)
}
