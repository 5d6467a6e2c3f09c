package inject

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/link"
	"goreify/reify/mutate"
	"goreify/reify/others/foreign"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/program"
	"goreify/reify/subject"
)

// Name is the name of the source.
const Name = "inject"

// A Mode is the way in which functions are called.
type Mode string

// The modes.
const (
	Fixed Mode = "fixed" // in whole programs, with arguments that were recorded
	Rows  Mode = "rows"  // with the values of variables; the program's answer stays the same
	Free  Mode = "free"  // with the values of variables, and the answers change that of the program
	Both  Mode = "both"  // Rows or Free, drawn for each function
)

// Sites are the places where functions are called in Fixed.
type Sites string

// The sites.
const (
	Everywhere Sites = ""
	OnlyLive   Sites = "live" // on the path
	OnlyDead   Sites = "dead" // off the path, with any arguments
)

// A Base is a store of functions: a *foreign.DB.
type Base interface {
	Draw(class foreign.Class, n int, s *choice.Stream) ([]*foreign.Function, error)
	Function(symbol string) (*foreign.Function, error)
	Pairs(f *foreign.Function) ([]foreign.Pair, error)
	Asked(f *foreign.Function) ([]foreign.Reply, error)
	Learn(f *foreign.Function, replies []foreign.Reply) error
	SetAside(symbol, why string) error
}

// An Asker knows the answers of some functions: a *foreign.Panel. Only Rows and Free
// ask.
type Asker interface {
	Guess(ctx context.Context, q []foreign.Question) ([]foreign.Reply, error)
	Ask(ctx context.Context, q []foreign.Question) ([]foreign.Reply, error)
	// Close drops the state that is kept for the next question.
	Close()
}

// A Source makes programs with functions of others. It may be used concurrently.
type Source struct {
	function.Options
	Mode  Mode
	Live  int // percentage of constants that become calls, in Fixed
	Sites Sites

	// Ask returns the Asker of Rows and Free for some functions.
	Ask func([]*foreign.Function) (Asker, error)

	open func() (Base, error)
	mu   sync.Mutex // of what open returned, and of panels

	panels []panel
}

// DefaultLive is the percentage of constants that become calls by default (the paper's
// share).
const DefaultLive = 20

// New returns a source of functions that open finds, which is called once, when the
// first input is drawn. Options.Size counts functions of ours, or in Fixed programs.
func New(o function.Options, m Mode, open func() (Base, error)) *Source {
	return &Source{Options: o, Mode: m, Live: DefaultLive, open: sync.OnceValues(open)}
}

// Name returns "inject".
func (s *Source) Name() string { return Name }

// Check returns an error unless there is a function to call.
func (s *Source) Check() error {
	base, err := s.open()
	if err != nil {
		return err
	}
	return foreign.Callable(base)
}

// An input says which functions of ours call which of others.
type input struct {
	Mode    Mode
	Seeds   function.Seeds
	Live    int        `json:",omitempty"`
	Sites   Sites      `json:",omitempty"`
	Wide    bool       `json:",omitempty"` // any arguments are passed, in Rows and Free
	Symbols [][]string // by function or program of ours; empty if the database had none
	Dead    [][]string `json:",omitempty"` // the same of functions that are called off the path
}

// deadEach is the percentage of functions or programs of ours that call a function of
// others without answers off the path. deadPanel is the number of such functions in a
// batch of functions of ours.
const (
	deadEach  = 25
	deadPanel = 2
)

// perWide is the number of batches that pass only arguments with known answers, for one
// that passes any arguments: answers to these cost twenty times as much as the batch.
const perWide = 32

// mostFunctions is the number of functions of others in a batch of functions of ours,
// and perPanel the number of batches with the same ones. The questions need six
// compilations of them, which take as long as 60 functions of ours. The batches follow
// each other, as hunts draw them: spacing is the distance between the first numbers of
// two.
const (
	mostFunctions = 8
	perPanel      = 8
	spacing       = 1 << 12
)

// Draw spends one number of the stream: the first of Size seeds that follow each other,
// which also decides the functions of others.
func (s *Source) Draw(st *choice.Stream) source.Input {
	first := st.Uint64()
	in := input{
		Mode:  s.Mode,
		Live:  s.Live,
		Sites: s.Sites,
		Seeds: function.Seeds{Profile: s.Profile, Features: s.Features, Single: s.Single, First: first, Count: s.Size},
	}
	in.drawAll(s)
	return source.Encode(Name, in)
}

// drawAll draws the functions of others.
func (in *input) drawAll(s *Source) {
	in.draw(s, choice.New(choice.Derive(in.Seeds.First, Name)))
	if in.Sites != OnlyLive {
		in.drawDead(s, choice.New(choice.Derive(in.Seeds.First, Name+" dead")))
	}
}

// doubtful returns the conclusion from an error of the database: the input is bad,
// unless no compiler could be asked about it.
func doubtful(err error) error {
	if errors.Is(err, foreign.ErrUnusable) {
		return err
	}
	return &source.BadSeed{Err: err}
}

// draw draws the functions of others: mostly one for each of ours, up to four. Programs
// share none.
func (in *input) draw(s *Source, st *choice.Stream) {
	counts := make([]int, s.Size)
	total := 0
	for i := range counts {
		counts[i] = 1 + st.Weighted(6, 2, 1, 1)
		total += counts[i]
	}
	from := st
	if s.Mode != Fixed {
		in.Wide = in.Seeds.First/spacing%perWide == perWide-1
		total = mostFunctions
		from = choice.New(choice.Derive(in.Seeds.First/(spacing*perPanel), Name+" panel"))
	}
	list := s.functions(foreign.Any, total, from)
	if len(list) == 0 {
		return
	}
	for i, n := range counts {
		var some []string
		if s.Mode == Fixed {
			n = min(n, max(1, len(list)-(len(counts)-1-i))) // at least one for each that follows
			n = min(n, len(list))
			some, list = list[:n:n], list[n:]
		} else {
			for range n {
				if x := choice.Pick(st, list); !slices.Contains(some, x) {
					some = append(some, x)
				}
			}
		}
		in.Symbols = append(in.Symbols, some)
	}
}

// drawDead draws the functions without answers, if there are any.
func (in *input) drawDead(s *Source, st *choice.Stream) {
	n := deadPanel
	if s.Mode == Fixed {
		n = s.Size
	}
	list := s.functions(foreign.Dead, n, st)
	if len(list) == 0 || len(in.Symbols) == 0 {
		return
	}
	in.Dead = make([][]string, len(in.Symbols))
	for i := range in.Dead {
		switch {
		case !st.Chance(deadEach, 100):
		case s.Mode == Fixed && i < len(list): // programs share none
			in.Dead[i] = list[i : i+1]
		case s.Mode != Fixed:
			in.Dead[i] = []string{choice.Pick(st, list)}
		}
	}
}

// functions returns the symbols of n functions of a class, or fewer if there are not so many.
func (s *Source) functions(class foreign.Class, n int, st *choice.Stream) []string {
	base, err := s.open()
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list, err := base.Draw(class, n, st)
	if err != nil {
		return nil
	}
	var symbols []string
	for _, f := range list {
		symbols = append(symbols, f.Symbol)
	}
	return symbols
}

func decode(in source.Input) (got input, err error) {
	err = in.Decode(Name, &got)
	return got, err
}

// Make makes the programs of an input. The error is a *source.BadSeed if the database
// has not got a function that the input names, or not as it was. The error wraps
// foreign.ErrUnusable if the database does not answer: the input stays valid. An input
// that was drawn while the database did not answer is drawn anew.
func (s *Source) Make(ctx context.Context, in source.Input) (subject.Subject, error) {
	got, err := decode(in)
	if err != nil {
		return nil, err
	}
	if len(got.Symbols) == 0 {
		if err := s.Check(); err != nil {
			return nil, doubtful(err)
		}
		got.drawAll(s)
	}
	live, err := s.find(got.Symbols, false)
	if err != nil {
		return nil, doubtful(err)
	}
	dead, err := s.find(got.Dead, true)
	if err != nil {
		return nil, doubtful(err)
	}
	if got.Mode == Fixed {
		return s.programs(ctx, got, live, dead)
	}
	return s.hosts(ctx, got, live, dead)
}

// A found is a function of others, as in the database and as in our programs.
type found struct {
	function *foreign.Function
	pairs    []foreign.Pair
	ir       *ir.Function
}

// find looks functions up, dead ones without their pairs.
func (s *Source) find(symbols [][]string, dead bool) (map[string]*found, error) {
	base, err := s.open()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]*found{}
	for _, list := range symbols {
		for _, symbol := range list {
			if all[symbol] != nil {
				continue
			}
			f, err := base.Function(symbol)
			if err != nil {
				return nil, fmt.Errorf("function %s: %w", symbol, err)
			}
			var pairs []foreign.Pair
			if !dead {
				if pairs, err = base.Pairs(f); err != nil {
					return nil, fmt.Errorf("pairs of %s: %w", symbol, err)
				}
			}
			in, err := f.IR(pairs)
			if err != nil {
				return nil, err
			}
			all[symbol] = &found{f, pairs, in}
		}
	}
	return all, nil
}

// programs makes whole programs.
func (s *Source) programs(ctx context.Context, in input, all, dead map[string]*found) (subject.Subject, error) {
	plan, err := in.Seeds.Plan()
	if err != nil {
		return nil, err
	}
	var list []*program.Program
	for i, symbols := range in.Symbols {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r, conf, err := plan.Nth(i)
		if err != nil {
			return nil, err
		}
		p, err := program.Make(r, program.Size(r), conf, search.Engine{}, in.others(symbols, in.never(i), all, dead))
		switch {
		case errors.Is(err, source.ErrNone):
			continue
		case err != nil:
			return nil, err
		}
		list = append(list, p.Named(i))
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%d seeds: %w", len(in.Symbols), source.ErrNone)
	}
	return program.Several(list), nil
}

// never returns the functions that function or program i of ours calls off the path.
func (in *input) never(i int) []string {
	if in.Dead == nil {
		return nil
	}
	return in.Dead[i]
}

// others returns functions of others for a program: those that are called on the path,
// and those that are called off the path alone.
func (in *input) others(live, never []string, all, dead map[string]*found) program.Foreign {
	o := program.Foreign{Live: in.Live, OnlyLive: in.Sites == OnlyLive}
	for _, symbol := range live {
		if in.Sites == OnlyDead {
			o.Leaves = append(o.Leaves, link.NewDead(all[symbol].ir))
		} else if l, err := link.NewForeign(all[symbol].ir); err == nil { // else the answers of all of them take too long
			o.Leaves = append(o.Leaves, l)
		}
	}
	for _, symbol := range never {
		o.Leaves = append(o.Leaves, link.NewDead(dead[symbol].ir))
	}
	return o
}

// hosts makes functions.
func (s *Source) hosts(ctx context.Context, in input, all, dead map[string]*found) (subject.Subject, error) {
	callees, err := s.callees(ctx, in, all)
	if err != nil {
		return nil, err
	}
	plan, err := in.Seeds.Plan()
	if err != nil {
		return nil, err
	}
	var hosts []*mutate.Host
	var members []function.Member
	var streams []*choice.Stream
	for i, symbols := range in.Symbols {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		k, err := plan.Make(i)
		switch {
		case solve.Unsolved(err):
			continue
		case err != nil:
			return nil, err
		}
		var funcs []mutate.Callee
		for _, symbol := range symbols {
			funcs = append(funcs, callees[symbol])
		}
		for _, symbol := range in.never(i) {
			funcs = append(funcs, mutate.Callee{Func: dead[symbol].ir, Dead: true})
		}
		st := choice.New(choice.Derive(in.Seeds.First+uint64(i), Name+" host"))
		free := in.Mode == Free || in.Mode == Both && st.Chance(1, 2)
		h, err := mutate.Inject(k.Func.Name, k.Claims(), funcs, free, st)
		if err != nil {
			return nil, &reify.GeneratorBug{Program: k.Program().String(), Err: err}
		}
		if h != nil {
			hosts, members, streams = append(hosts, h), append(members, function.MemberOf(k)), append(streams, st)
		}
	}
	if err := mutate.Settle(hosts, &asking{ctx, s, all}); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, &source.BadSeed{Err: err}
	}
	var list []function.Member
	for i, h := range hosts {
		m, err := member(h, members[i], streams[i])
		if err != nil {
			return nil, err
		}
		if m != nil {
			list = append(list, *m)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%d seeds: %w", len(in.Symbols), source.ErrNone)
	}
	return function.Of(language.C, list), nil
}

// member returns a host as a member of a batch, or nil if it holds no call.
func member(h *mutate.Host, of function.Member, s *choice.Stream) (*function.Member, error) {
	if h.Cases == nil {
		return nil, nil
	}
	cases, note := h.Cases, string(Free)
	if !h.Free() {
		seed, err := mutate.NewSeed(h.Cases)
		if err != nil {
			return nil, &reify.GeneratorBug{Program: of.Case.Program().String(), Err: err}
		}
		var done []mutate.Mutation
		cases, done, err = seed.Mutate(h.Cases[0].Func.Name, mutate.Options{
			Edits: s.Range(1, mostEdits), Only: []string{mutate.ForeignPass}, Policy: of.Case.Config.Sketch.Policy,
		}, s)
		if err != nil || len(done) == 0 {
			return nil, err
		}
		var words []string
		for _, d := range done {
			words = append(words, d.String())
		}
		note = strings.Join(words, " ")
	}
	k := *of.Case
	k.Claim, k.More = cases[0], cases[1:]
	of.Case, of.Foreign = &k, k.Func.Foreigners()
	of.Notes = append(slices.Clone(of.Notes), corpus.Note{Key: corpus.NoteMutations, Value: corpus.OneLine(note)})
	return &of, nil
}
