package prove

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/others"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/program"
	"goreify/reify/source/variant"
	"goreify/reify/subject"
)

// A maker makes subjects of seeds.
type maker struct {
	size int // members of a subject
	// make makes a subject of at most n members, and says how many seeds that took.
	make func(ctx context.Context, seed uint64, n int) (subject.Subject, int, error)
	// numbered says that each member has a seed, the number in its name behind the first.
	numbered bool
	// bySeed says that a run counts seeds, not members.
	bySeed bool
	// parts, if not nil, are what a member that is complained of is made of.
	parts func(member subject.Subject) []subject.Subject
}

// mostBarren is how many seeds in a row may come to nothing.
const mostBarren = 1000

// subjects asks witnesses about subjects, and where they complain about each member
// alone, until the run has N members.
func (r *run) subjects(ctx context.Context, list []*witness, m maker) error {
	barren := 0
	for r.Done < r.N {
		var bad *source.BadSeed
		start := compilers.SelfCPU()
		s, seeds, err := m.make(ctx, r.Next, min(m.size, r.N-r.Done))
		r.making += compilers.SelfCPU() - start
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, source.ErrNone) || errors.As(err, &bad):
			if bad != nil {
				r.note("seed %d: %v", r.Next, bad)
			}
			r.count("seeds without a program", seeds)
			if barren += seeds; barren > mostBarren {
				return fmt.Errorf("seeds up to %d: %w", r.Next, err)
			}
			r.Next += uint64(seeds)
			continue
		case err != nil:
			var bug *reify.GeneratorBug
			if !errors.As(err, &bug) {
				return fmt.Errorf("seeds from %d: %w", r.Next, err)
			}
			if err := r.object(Objection{Seed: r.Next, Name: "a program that cannot be made", Said: []string{bug.Error()}}); err != nil {
				return err
			}
			r.Next += uint64(seeds)
			continue
		}
		barren = 0
		if err := r.tally(s); err != nil {
			if err := r.object(Objection{Seed: r.Next, Name: s.Name(), Said: []string{err.Error()}}); err != nil {
				return err
			}
		}
		if all := r.ask(ctx, list, s, true); len(all) > 0 && ctx.Err() == nil {
			if err := r.blame(ctx, m, s, all); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		done := len(strings.Fields(s.Name()))
		if m.bySeed {
			done = seeds
		}
		r.step(done, r.Next+uint64(seeds))
	}
	r.costs(list)
	return nil
}

// blame objects to the members of a subject that witnesses complain of alone, or else
// to all of it.
func (r *run) blame(ctx context.Context, m maker, s subject.Subject, all []complaint) error {
	_, by := lines(all)
	members := []subject.Subject{s}
	if g, ok := s.(subject.Group); ok {
		members = g.Members()
	}
	found := false
	for _, one := range members {
		alone := r.ask(ctx, by, one, false)
		if len(alone) == 0 {
			continue
		}
		found = true
		o := Objection{Seed: r.Next, Name: one.Name(), Program: text(one)}
		o.Said, _ = lines(alone)
		if m.numbered {
			o.Seed += number(one.Name())
		}
		if m.parts != nil {
			for _, part := range m.parts(one) {
				if said, _ := lines(r.ask(ctx, by, part, false)); len(said) > 0 {
					o.Said, o.Program = said, text(part)
					break
				}
			}
		}
		if err := r.object(o); err != nil {
			return err
		}
	}
	if found || ctx.Err() != nil {
		return nil
	}
	said, _ := lines(all)
	return r.object(Objection{Seed: r.Next, Name: "only together: " + s.Name(), Said: said})
}

// number returns the number of a member in its name: f12, program-12, p12_f0.
func number(name string) uint64 {
	n, err := strconv.ParseUint(regexp.MustCompile(`\d+`).FindString(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// text returns the program of a subject, or why there is none.
func text(s subject.Subject) string {
	e, err := s.Entry()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(e.Notes, "\n", e.Program)
}

// tally counts what is in a subject. The error is what is wrong with it, which the
// interpreter and the parser find.
func (r *run) tally(s subject.Subject) error {
	a := s.Artefact()
	whole := func(p *program.Program) error {
		r.count("programs", len(strings.Fields(s.Name())))
		r.count("functions", p.Weight())
		r.count("calls", p.Linked.Calls)
		if err := p.Linked.IR.Check(); err != nil {
			return err
		}
		return interp.VerifyProgram(p.Linked.IR)
	}
	switch s := s.(type) {
	case *program.Program:
		return whole(s)
	case *program.Joined:
		return whole(s.Program)
	}
	if of := len(strings.Fields(s.Name())); of != s.Weight() {
		r.count("programs", of)
	}
	r.count("functions", s.Weight())
	r.count("calls", strings.Count(string(a.Want), "\n"))
	r.count("traps", strings.Count(string(a.Want), " traps "))
	r.count("states", strings.Count(string(a.Want), " state "))
	e, err := s.Entry()
	if err != nil {
		return err
	}
	p, err := ir.Parse(e.Program)
	if err != nil {
		return err
	}
	for _, c := range p.Claims {
		if c.Under != ir.C {
			r.count("answers under its own rules", 1)
		}
	}
	return p.Check()
}

// turns are the profiles that take turns where none is named.
func turns(what What) []string {
	if what == Programs {
		return []string{"focus", "wild", "calls", "swarm", "mixed", "loops", "yarpgen", "aggregates", "machine", "vectors", "lanes"}
	}
	return []string{"wild", "mixed", "swarm", "loops", "focus", "yarpgen", "aggregates", "narrow", "machine", "facts", "paper", "vectors", "vector-loops", "lanes", "calls", "truth", "strength", "backend"}
}

// aligned returns how many of n seeds from first on there are up to the next multiple of
// a size: by this, what a seed stands for does not depend on where a check began.
func aligned(first uint64, n, size int) int { return min(n, size-int((first-1)%uint64(size))) }

// profile returns the profile of the batches of so many seeds that a seed is in.
func (r *run) profile(seed uint64, size int) string {
	list := r.terms().turns(r.What)
	switch {
	case r.Profile == Plan:
		return ""
	case r.Profile != "":
		return r.Profile
	}
	return list[(seed-1)/uint64(size)%uint64(len(list))]
}

// seeds returns what n seeds from first on stand for.
func (r *run) seeds(first uint64, n, size int) function.Seeds {
	return function.Seeds{
		Profile: r.profile(first, size), Features: r.Features, Variants: r.Mutated, Language: r.Language, First: first, Count: n,
	}
}

// functions asks about functions, many in a program.
func (r *run) functions(ctx context.Context) error { return r.prove(ctx, r.functionMaker()) }

// prove asks the witnesses about what a maker makes.
func (r *run) prove(ctx context.Context, m maker) error {
	list, err := r.witnesses(ctx)
	if err != nil {
		return err
	}
	return r.subjects(ctx, list, m)
}

func (r *run) functionMaker() maker { return r.seeded(function.Source{}, r.terms().functions) }

// seeded returns a maker of what a source makes of seeds, so many in a subject.
func (r *run) seeded(from source.Source, size int) maker {
	return maker{size: size, numbered: true, make: func(ctx context.Context, seed uint64, n int) (subject.Subject, int, error) {
		in := r.seeds(seed, aligned(seed, n, size), size)
		if in.Profile == "paper" {
			in.Count = min(in.Count, r.terms().long)
		}
		s, err := from.Make(ctx, function.Encode(from.Name(), in))
		return s, in.Count, err
	}}
}

// programs asks about whole programs, some in one: of C those with sanitizers about one
// that asserts the answers of all calls.
func (r *run) programs(ctx context.Context) error { return r.prove(ctx, r.programMaker()) }

func (r *run) programMaker() maker { return r.seeded(program.Source{}, r.terms().programs) }

// perSeed is how many variants there are of each function.
const perSeed = 7

// variants asks about functions with variants by all passes, or about variants of
// reproducers. A seed of reproducers stands for a batch.
func (r *run) variants(ctx context.Context) error {
	const size = 12
	m := maker{size: size * (1 + perSeed), numbered: true, make: func(ctx context.Context, seed uint64, n int) (subject.Subject, int, error) {
		seeds := aligned(seed, max(1, n/(1+perSeed)), size)
		of := variant.Source{Options: function.Options{Profile: r.profile(seed, size), Features: r.Features, Size: seeds}, Variants: perSeed}
		s, err := of.Make(ctx, of.Draw(choice.From(seed)))
		return s, seeds, err
	}}
	if r.Seeds != "" {
		of := variant.NewCorpus(r.Seeds, 6, 10)
		strange := r.bench.env.Space.Strangers()
		if strange != nil {
			of = of.Own()
		}
		if err := of.Check(); err != nil {
			return errors.Join(err, strange)
		}
		m.numbered = false
		m.make = func(ctx context.Context, seed uint64, _ int) (subject.Subject, int, error) {
			s, err := of.Make(ctx, of.Draw(choice.From(seed)))
			return s, 1, err
		}
	}
	return r.prove(ctx, m)
}

// foreign asks about programs that call functions of others. The modes take turns: a seed
// stands for a batch, and batches of the functions that some of others are compiled with
// follow each other.
func (r *run) foreign(ctx context.Context) error {
	const turn, distance = 8, 1 << 12 // see package inject
	if r.Functions == "" {
		return errors.New("functions of others are in a database: name one in -functions")
	}
	if err := r.bench.env.Space.Strangers(); err != nil {
		return fmt.Errorf("%s: %w", r.Functions, err)
	}
	ways := others.Named()
	if r.Inject != "" {
		if err := r.Inject.Check(); err != nil {
			return fmt.Errorf("-inject %w", err)
		}
		ways = []others.How{r.Inject}
	}
	var sources []source.Source
	for _, how := range ways {
		options := function.Options{Profile: r.profile(r.Next, 1), Features: r.Features, Size: 48}
		if how.Whole() {
			options.Size = 6
		}
		sources = append(sources, others.Files{Functions: r.Functions}.Callers(options, how))
	}
	if err := source.Ready(sources[0]); err != nil {
		return err
	}
	o, err := r.oracle(ctx)
	if err != nil {
		return err
	}
	if err := others.AskFor(ctx, o, sources...)(); err != nil {
		return err
	}
	return r.prove(ctx, maker{size: 48, make: func(ctx context.Context, seed uint64, _ int) (subject.Subject, int, error) {
		of := sources[(seed-1)/turn%uint64(len(sources))]
		s, err := of.Make(ctx, of.Draw(choice.From(seed*distance)))
		return s, 1, err
	}})
}
