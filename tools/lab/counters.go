package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/others"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/program"
	"goreify/reify/subject"
	"goreify/tools/cmdline"
	"goreify/tools/generators"
	"goreify/tools/lab/counters"
	"goreify/tools/reify/hunt"
)

func countersCommand() *cli.Command {
	return &cli.Command{
		Name:     "counters",
		Usage:    "compare generators by the counters that a compiler raises at -O3 for their programs",
		Metadata: cmdline.Takes(cmdline.JSON, seedFlag),
		Description: "Generators are profiles, with features as in wild+ptr-float; and\n" +
			"  plain, plan           wild without policies; what make fuzz draws\n" +
			"  mix, programs         loops, wild-programs, yarpgen and large, in turn; whole programs\n" +
			"  inject-programs       programs that call functions of others; inject-live and inject-dead: only\n" +
			"                        where programs come, and where they do not\n" +
			"  inject-rows, -free    functions that do, which ask gcc and clang; mix-inject-rows: in the mix\n" +
			"  csmith, yarpgen-main  if they are on PATH\n" +
			"The compiler is a gcc or clang: that of -cc or REIFY_CC, or gcc-12.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "functions", Value: others.FunctionsFile, Usage: "`FILE` of functions of others; reify others add fills it"},
			&cli.DurationFlag{Name: "time", Value: 15 * time.Second, Usage: "`DURATION` of CPU that the compiler spends on each"},
			&cli.StringFlag{Name: "profile", Usage: "`NAMES` of the generators, between commas; by default all but those with functions of others"},
			&cli.StringFlag{Name: "against", Usage: "`NAME` of the generator that the sums of counters are compared with"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Duration("time") <= 0 {
				return fmt.Errorf("-time is %v, want more than 0", c.Duration("time"))
			}
			var asked []source.Source // they ask compilers, once these are here
			sources, missing, err := selectSources(cmp.Or(c.String("profile"), strings.Join(sourceNames(), ",")), func(name string) (source.Source, error) {
				i := injections[name]
				s := others.Files{Functions: c.String("functions")}.Callers(function.Options{Profile: "focus", Size: i.size}, i.how)
				if !i.how.Whole() {
					asked = append(asked, s)
				}
				return s, source.Ready(s)
			})
			if err != nil {
				return err
			}
			env, closer, err := cmdline.OpenEnv(ctx, c)
			if err != nil {
				return err
			}
			defer closer()
			if len(asked) > 0 {
				all := env
				all.CC = "" // it is gcc and clang that vouch for answers
				o, closer, err := cmdline.OpenIn(ctx, all, func() {})
				if err != nil {
					return err
				}
				defer closer()
				others.AskFor(ctx, o, asked...)
			}
			env.CC = cmp.Or(env.CC, "gcc-12")
			report, err := countAll(ctx, env, sources, c.String("against"), counters.Options{Space: env.Space, Time: c.Duration("time"), Seed: c.Uint64("seed")})
			if err != nil {
				return err
			}
			report.Missing = missing
			return cmdline.Print(c, report, report.Table)
		},
	}
}

// countAll measures the sources with the compiler that the environment names.
func countAll(ctx context.Context, env compilers.Env, sources []generators.Source, against string, opt counters.Options) (*counters.Report, error) {
	found, err := native.Toolchains(ctx, env)
	if err != nil {
		return nil, fmt.Errorf("-cc %s: %w", env.CC, err)
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("-cc is %q, want one compiler", env.CC)
	}
	opt.Compiler, opt.Limits = found[0], compilers.DefaultLimits()
	// A program of csmith's has taken 8 s; what takes longer must not be passed over for free.
	opt.Limits.CompileCPU, opt.Limits.CompileWall = opt.Time+time.Second, 4*opt.Time+10*time.Second
	results, err := counters.Run(ctx, sources, opt)
	if err != nil {
		return nil, err
	}
	return counters.NewReport(opt.Compiler, results, against)
}

// policies are the features that are generation policies and not parts of the
// language (YARPGen, OOPSLA 2020, section 3.3).
const policies = "context,constant,reuse,near,idiom,induction,loop,shape"

// plain is the name of the profile wild without them.
const plain = "plain"

// yarpgenMain is the generator of that name, of its branch main. There is a
// profile after it, too.
const yarpgenMain = "yarpgen-main"

// mix is the name of the generator that makes what adds most to one another.
const mix = "mix"

// mixed are the parts of the mix, a batch of each in turn, and its size: what
// takes long to compile comes in small ones. Of the time of the compiler some 55
// parts in 100 go to loops, 20 to programs, 20 to yarpgen and 5 to large. As
// reckoned from how often 40 s of each raise each counter, no other shares raise
// one more than these in 15.
var mixed = []struct {
	name string
	size int
}{
	{"loops", 16}, {"wild-programs", 1}, {"yarpgen", 16}, {"loops", 16}, {"wild-programs", 1}, {"loops", 16}, {"yarpgen", 16},
	{"large", 2}, {"loops", 16}, {"wild-programs", 1}, {"yarpgen", 16}, {"loops", 16}, {"wild-programs", 1},
}

// injections are generators of programs that call functions of others, by their names.
var injections = map[string]struct {
	how  others.How
	size int
}{
	"inject-programs": {others.Fixed, 1},
	"inject-live":     {others.Live, 1},
	"inject-dead":     {others.Dead, 1},
	"inject-rows":     {others.Rows, reify.DefaultBatch},
	"inject-free":     {others.Free, reify.DefaultBatch},
}

// withMix is before the name of one of these where it takes one part in five of the mix.
const withMix = mix + "-"

func mixSource() (generators.Source, error) {
	var parts []generators.Source
	for _, part := range mixed {
		if k, ok := programKind(part.name); ok {
			parts = append(parts, programSource(k, part.size))
			continue
		}
		s, err := profileSource(part.name, part.size)
		if err != nil {
			return s, err
		}
		parts = append(parts, s)
	}
	return generators.Source{Name: mix, Make: func(ctx context.Context, seed uint64) (generators.Unit, error) {
		return parts[seed%uint64(len(parts))].Make(ctx, seed)
	}}, nil
}

// sourceNames returns the generators that are measured if none is named, in the
// order of the table.
func sourceNames() []string {
	names := append(reify.Profiles(), plain, "plan", mix)
	for _, k := range hunt.Kinds() {
		if k.Source.Name() == program.Name {
			names = append(names, k.Name)
		}
	}
	return append(names, "csmith", yarpgenMain)
}

// findSource returns a generator by name. The error wraps generators.ErrMissing if
// it is not installed.
func findSource(name string) (generators.Source, error) {
	switch name {
	case "csmith":
		return generators.Csmith(nil)
	case yarpgenMain:
		return generators.YARPGen()
	case "plan":
		return generators.Source{Name: name, Make: func(ctx context.Context, seed uint64) (generators.Unit, error) {
			return unit(ctx, function.Source{}, function.FromRecipe(reify.FromSeed(seed)))
		}}, nil
	case mix:
		return mixSource()
	case plain:
		s, err := profileSource("wild-"+strings.ReplaceAll(policies, ",", "-"), reify.DefaultBatch)
		s.Name = plain
		return s, err
	}
	if k, ok := programKind(name); ok {
		return programSource(k, k.Seeds), nil
	}
	return profileSource(name, reify.DefaultBatch)
}

// injectedSource is findSource for the names of injections, also with withMix before.
func injectedSource(name string, find func(name string) (source.Source, error)) (generators.Source, error) {
	short := strings.TrimPrefix(name, withMix)
	s, err := find(short)
	if err != nil {
		return generators.Source{}, err
	}
	injected := drawn(name, s, injections[short].size)
	if short == name {
		return injected, nil
	}
	usual, err := mixSource()
	return generators.Source{Name: name, Make: func(ctx context.Context, seed uint64) (generators.Unit, error) {
		if seed%5 == 4 {
			return injected.Make(ctx, seed)
		}
		return usual.Make(ctx, seed)
	}}, err
}

// programKind returns the source of the kind of whole programs of that name.
func programKind(name string) (hunt.Kind, bool) {
	for _, k := range hunt.Kinds() {
		if k.Name == name && k.Source.Name() == program.Name {
			return k, true
		}
	}
	return hunt.Kind{}, false
}

// programSource returns a kind of whole programs as a generator, in batches of
// size.
func programSource(k hunt.Kind, size int) generators.Source {
	p := k.Source.(program.Source)
	p.Size = size
	return drawn(k.Name, p, size)
}

// drawn returns a source as a generator, whose inputs have size seeds.
func drawn(name string, from source.Source, size int) generators.Source {
	return generators.Source{Name: name, Make: func(ctx context.Context, seed uint64) (generators.Unit, error) {
		return unit(ctx, from, from.Draw(choice.From(seed*uint64(size))))
	}}
}

// profileSource returns a profile as a generator: functions of configurations
// drawn one by one, in batches of size. Features may follow the name, as in
// "wild+ptr-float".
func profileSource(name string, size int) (generators.Source, error) {
	profile, features := cmdline.SplitProfile(name)
	if _, err := reify.FindProfile(profile); err != nil {
		return generators.Source{}, fmt.Errorf("%w; or one of %s", err, strings.Join(sourceNames()[len(reify.Profiles()):], ","))
	}
	o := function.Options{Profile: profile, Features: features, Single: true, Size: size}
	return drawn(name, function.Source{Options: o}, size), o.Check()
}

// selectSources returns the sources of a list of names, and says which are not
// installed; if none is, that is an error.
func selectSources(list string, injected func(name string) (source.Source, error)) (sources []generators.Source, missing []string, err error) {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		find := findSource
		if _, of := injections[strings.TrimPrefix(name, withMix)]; of {
			find = func(name string) (generators.Source, error) { return injectedSource(name, injected) }
		}
		s, err := find(name)
		switch {
		case errors.Is(err, generators.ErrMissing):
			missing = append(missing, err.Error())
		case err != nil:
			return nil, nil, fmt.Errorf("-profile: %w", err)
		default:
			sources = append(sources, s)
		}
	}
	if len(sources) == 0 {
		return nil, nil, fmt.Errorf("-profile: no generator to measure: %s", strings.Join(missing, "; "))
	}
	return sources, missing, nil
}

// unit returns the files of an input, which is empty if nothing comes of it. Of
// programs each is compiled alone.
func unit(ctx context.Context, from source.Source, in source.Input) (u generators.Unit, err error) {
	s, err := from.Make(ctx, in)
	if errors.Is(err, source.ErrNone) {
		return u, nil
	}
	if err != nil {
		return u, err
	}
	parts := []subject.Subject{s}
	if g, ok := s.(subject.Group); ok && s.Weight() > len(g.Members()) {
		parts = g.Members()
	}
	u.Functions = s.Weight()
	for _, part := range parts {
		for _, f := range part.Artefact().Files {
			u.Files = append(u.Files, f.Content)
		}
	}
	return u, nil
}
