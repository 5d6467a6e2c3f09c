// Package function makes batches of functions, each with a known answer: the paper's
// programs, many in one file since that costs less to compile.
//
//	Input ─reify.Make for each recipe→ cases ─emit/c→ one C file, a line of output a case
package function

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/language"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/source"
	"goreify/reify/subject"
)

// Name is the name of the source.
const Name = "function"

// Options are the draws of a source of functions, or of programs of functions.
type Options struct {
	Profile  string             // as reify.FindProfile takes it; empty for the profile that each recipe draws
	Features string             // switched on and off as reify.Config.With does
	Single   bool               // functions have one input each, whatever the profile says
	Hot      bool               // paths go round a loop hundreds of times, as those of reify.MakeHot
	Size     int                // seeds of an input, from 1
	Language compilers.Language // of the functions; C if it is empty
	// Lacks are the features, by the names of compilers.Feature, that no compiler has which
	// is to be asked: functions are those of language.Dialect.
	Lacks []string
}

// A Source makes batches of functions. Nearly every seed yields a function.
type Source struct{ Options }

// Name returns "function".
func (s Source) Name() string { return Name }

// Draw spends one number of the stream: the first of Size seeds that follow each
// other.
func (s Source) Draw(st *choice.Stream) source.Input { return s.Options.Draw(Name, st) }

// FromRecipe returns the input of a batch of one recipe, with the number of functions
// of one configuration that reify.Recipe.Plan returns.
func FromRecipe(r reify.Recipe) source.Input { return Encode(Name, Seeds{Recipe: &r}) }

// Make makes the functions of an input, named f0, f1 and so on.
func (s Source) Make(ctx context.Context, in source.Input) (subject.Subject, error) {
	seeds, err := Decode(Name, in)
	if err != nil {
		return nil, err
	}
	lang, err := seeds.In()
	if err != nil {
		return nil, fmt.Errorf("input of source %s: %w", Name, err)
	}
	plan, err := seeds.Plan()
	if err != nil {
		return nil, err
	}
	var cases []*reify.Case
	for i := range seeds.Functions() {
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
		if lang.Supports(k.Func) != nil {
			continue // some nodes that it cannot write belong to no feature that can be masked
		}
		if k, err = lang.Settle(k); errors.Is(err, language.ErrLacking) {
			continue
		} else if err != nil {
			return nil, err
		}
		if k, err = under(k, lang.Under); err != nil {
			return nil, err
		}
		cases = append(cases, k)
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("%d seeds: %w", seeds.Functions(), source.ErrNone)
	}
	return In(lang, cases...), nil
}

// WithoutFeatures returns the source of what compilers can take that lack some features.
func (s Source) WithoutFeatures(lacks []string) source.Source {
	s.Options.Lacks = lacks
	return s
}

// Seeds is the contents of an input of functions or of programs: a range of at least
// one seed, or one recipe.
type Seeds struct {
	Profile  string             `json:",omitempty"`
	Features string             `json:",omitempty"`
	Single   bool               `json:",omitempty"`
	Hot      bool               `json:",omitempty"`
	Language compilers.Language `json:",omitempty"`
	Lacks    []string           `json:",omitempty"`
	First    uint64             `json:",omitempty"` // seed
	Count    int                `json:",omitempty"` // of seeds
	Recipe   *reify.Recipe      `json:",omitempty"` // instead of seeds: First and Count are 0
	Variants bool               `json:",omitempty"` // of programs: half of their functions are variants
}

// In returns the language of the seeds.
func (s Seeds) In() (*language.Language, error) {
	lang := language.Find(s.Language)
	if lang == nil {
		return nil, fmt.Errorf("language %q is not supported", s.Language)
	}
	return lang.Dialect(s.Lacks), nil
}

// Draw returns the input of a source of that name, which spends one number of the
// stream: the first seed.
func (o Options) Draw(name string, st *choice.Stream) source.Input {
	return Encode(name, Seeds{Profile: o.Profile, Features: o.Features, Single: o.Single, Hot: o.Hot, Language: o.Language, Lacks: o.Lacks, First: st.Uint64(), Count: o.Size})
}

// Check says what is wrong with the options.
func (o Options) Check() error {
	configure, err := o.plan()
	if err == nil {
		_, err = configure(reify.Recipe{})
	}
	return err
}

// Encode returns the input of a source of that name.
func Encode(name string, s Seeds) source.Input { return source.Encode(name, s) }

// mostSeeds bounds a batch: a stranger's database of a hunt may ask for any.
const mostSeeds = 1 << 20

// Decode returns the contents of an input of a source of that name.
func Decode(name string, in source.Input) (s Seeds, err error) {
	if err := in.Decode(name, &s); err != nil {
		return s, err
	}
	if s.Count > mostSeeds {
		return s, fmt.Errorf("input of source %s: %d seeds, want at most %d", name, s.Count, mostSeeds)
	}
	if s.Count < 0 || (s.Count > 0) == (s.Recipe != nil) {
		return s, errors.New("input of source " + name + ": want seeds or one recipe, and not both")
	}
	return s, nil
}

// Functions returns how many recipes a batch of the seeds has.
func (s Seeds) Functions() int {
	if s.Recipe != nil {
		n, _ := s.Recipe.Plan()
		return n
	}
	return s.Count
}

// A Plan makes the functions of seeds, whose profile is found and changed once.
type Plan struct {
	Seeds
	configure func(reify.Recipe) (reify.Config, error)
}

// Plan returns the plan of the seeds. The error says what is wrong with them.
func (s Seeds) Plan() (*Plan, error) {
	o := Options{Profile: s.Profile, Features: s.Features, Single: s.Single, Language: s.Language, Lacks: s.Lacks}
	if s.Recipe != nil {
		o = Options{Language: s.Language}
	}
	configure, err := o.plan()
	if err != nil || s.Recipe == nil {
		return &Plan{s, configure}, err
	}
	conf, err := configure(*s.Recipe)
	return &Plan{s, func(reify.Recipe) (reify.Config, error) { return conf, nil }}, err
}

// Nth returns recipe number i of a batch, and its configuration.
func (p *Plan) Nth(i int) (reify.Recipe, reify.Config, error) {
	r := reify.FromSeed(p.First + uint64(i))
	if p.Recipe != nil {
		r = p.Recipe.Nth(i)
	}
	conf, err := p.configure(r)
	return r, conf, err
}

// Make makes function number i of a batch, named f0, f1 and so on.
func (p *Plan) Make(i int) (*reify.Case, error) {
	r, conf, err := p.Nth(i)
	if err != nil {
		return nil, err
	}
	name := "f" + strconv.Itoa(i)
	if p.Hot {
		return reify.MakeHot(name, r, conf, search.Engine{})
	}
	return reify.Make(name, r, conf, search.Engine{})
}

// plan returns how recipes draw their configurations.
func (o Options) plan() (func(reify.Recipe) (reify.Config, error), error) {
	lang, err := Seeds{Language: o.Language, Lacks: o.Lacks}.In()
	if err != nil {
		return nil, err
	}
	draw := func(r reify.Recipe) (reify.Config, error) {
		_, conf := r.Plan()
		return lang.Without(conf)
	}
	if o.Profile != "" {
		p, err := reify.FindProfile(o.Profile)
		if err != nil {
			return nil, err
		}
		p = p.Without(lang.Masked...)
		draw = func(r reify.Recipe) (reify.Config, error) { return p.Configure(r), nil }
	}
	return func(r reify.Recipe) (reify.Config, error) {
		conf, err := draw(r)
		if err != nil {
			return reify.Config{}, err
		}
		if o.Single {
			conf.Inputs = 0
		}
		return conf.With(o.Features)
	}, nil
}
