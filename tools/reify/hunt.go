package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/foreign"
	"goreify/reify/oracle"
	"goreify/reify/source"
	"goreify/reify/source/inject"
	"goreify/reify/source/text"
	"goreify/reify/source/variant"
	"goreify/reify/triage"
	"goreify/tools/reify/hunt"
)

func huntCommand() *cli.Command {
	return &cli.Command{
		Name:  "hunt",
		Usage: "look for compiler bugs until stopped; goes on where the last hunt in the directory was (REIFY_CC and REIFY_MODES choose)",
		Description: "A plan is rules between semicolons: WHO [MODES] [flags [arch]] [one] [every N]. WHO is all, gcc, clang, a name\n" +
			"such as gcc-12, or \"gcc-12 -m32\" in double quotes. MODES is a list such as -O2,-O3; without it, all. \"flags\" gives each a\n" +
			"set of flags, drawn for each batch by what they yield; \"flags arch\" only such as -march=x86-64-v3, and half of the time none.\n" +
			"\"one\" asks one of these, drawn for each batch. \"every N\" holds for one batch in N.",
		Flags: append(profileFlags(),
			boxFlag(),
			&cli.StringFlag{Name: "o", Value: "out/hunt", Usage: "`DIR` of the hunt: its state and its findings"},
			&cli.DurationFlag{Name: "time", Usage: "`DURATION` after which nothing is begun any more, such as 8h; 0 is no limit"},
			&cli.Int64Flag{Name: "n", Usage: "`NUMBER` of seeds after which the hunt in the directory ends, nearly each a function; 0 is no limit"},
			&cli.Uint64Flag{Name: "seed", Usage: "`NUMBER` that decides everything, from 1; by default that of the directory, or 1"},
			&cli.IntFlag{Name: "workers", Value: runtime.NumCPU(), Usage: "`NUMBER` of batches at a time"},
			&cli.StringFlag{Name: "plan", Usage: "who is asked about which batches: all, sample, or rules such as `'all every 8; gcc-12 -O2,-O3'`; by default sample, or all if REIFY_MODES leaves that nothing to ask"},
			&cli.StringFlag{Name: "mix", Value: steered, Usage: "`MIXES` to take in turn, of " + kindNames() + "; or steer, by what each yields"},
			&cli.StringFlag{Name: "seeds", Value: hunt.CorpusDir, Usage: "`DIR` of the reproducers that the mix corpus-variants makes variants of"},
			&cli.StringFlag{Name: "pool", Value: hunt.PoolFile, Usage: "`FILE` of the seeds that the mix text-variants makes variants of; reify pool fills it"},
			functionsFlag(),
			&cli.IntFlag{Name: "keep", Value: 1, Usage: "`NUMBER` of findings to save of each bucket; what looks alike need not be one bug, as triage may tell"},
			&cli.StringFlag{Name: "known", Value: knownFile, Usage: "`FILE` of known buckets, whose findings are counted and not saved; the default need not be there"},
			&cli.BoolFlag{Name: "again", Usage: "run batches again that were set aside, since not all configurations answered"},
			&cli.BoolFlag{Name: "triage", Usage: "blame and reduce each finding that is saved, when it is found"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object at the end"},
		),
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("hunt takes no arguments, got %q", c.Args().First())
			}
			opt, err := huntOptions(c)
			if err != nil {
				return err
			}
			o, closer, err := openOracle(ctx, c)
			if err != nil {
				return err
			}
			defer closer()
			if err := o.Judged(); err != nil {
				return err
			}
			askFor(ctx, o, opt.Kinds)
			if err := textVouched(o, opt.Mix); err != nil {
				return err
			}
			o.Limits = huntLimits()
			// Who is asked first is named by a finding that several share: the
			// newest, whose developers still care.
			slices.Reverse(o.Targets)
			if opt.Known, err = knownTo(o, c); err != nil {
				return err
			}
			opt.Culprit = triage.Culprit
			if c.Bool("triage") {
				opt.Triage = func(ctx context.Context, path string) error {
					_, _, err := triage.File(ctx, o, path, triage.Options{})
					return err
				}
			}
			return runHunt(ctx, c.Root().Writer, o, opt, c.Bool("json"))
		},
	}
}

// functionsFlag says where functions of others are.
func functionsFlag() cli.Flag {
	return &cli.StringFlag{Name: "functions", Value: hunt.FunctionsFile, Usage: "`FILE` of the functions of others that the mixes inject, inject-programs and text-inject call; reify functions fills it"}
}

// askFor has the sources among kinds that need answers ask the compilers of an oracle.
func askFor(ctx context.Context, o *oracle.Oracle, kinds []hunt.Kind) {
	harvester := sync.OnceValues(func() (*foreign.Harvester, error) { return foreign.NewHarvester(ctx, o.Targets, o.Sanitizers, o.Space) })
	for _, k := range kinds {
		if s, ok := k.Source.(*inject.Source); ok {
			s.Ask = func(list []*foreign.Function) (inject.Asker, error) {
				h, err := harvester()
				if err != nil {
					return nil, err
				}
				return h.Panel(list), nil
			}
		}
	}
}

// unproved tells whether a source makes programs that nobody has proved.
func unproved(s source.Source) bool {
	_, doubts := s.(source.Doubter)
	return doubts
}

// textVouched returns an error if a mix has programs that nobody has proved, and not both
// gcc and clang are here, which must agree about them. It says if their sanitizers are not: no failure of what
// a text does when it runs can be confirmed then.
func textVouched(o *oracle.Oracle, mix []hunt.Kind) error {
	i := slices.IndexFunc(mix, func(k hunt.Kind) bool { return unproved(k.Source) })
	if i < 0 {
		return nil
	}
	families := func(list []compilers.Target) int {
		names := map[string]bool{}
		for _, t := range list {
			names[t.ID().Family] = true
		}
		return len(names)
	}
	if families(o.Targets) < 2 {
		return fmt.Errorf("the mix %s needs compilers of two families, which must agree: name gcc and clang in REIFY_CC", mix[i].Name)
	}
	if families(o.Sanitizers) < 2 {
		fmt.Fprintf(os.Stderr, "reify: there are no sanitizers of two families: of %s only internal errors will be findings\n", mix[i].Name)
	}
	return nil
}

// knownTo returns a function that says which known bucket a finding belongs in.
func knownTo(o *oracle.Oracle, c *cli.Command) (func(context.Context, *corpus.Entry) string, error) {
	known, err := triage.LoadKnown(c.String("known"))
	if errors.Is(err, fs.ErrNotExist) && !c.IsSet("known") {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, e *corpus.Entry) string {
		k, _ := known.Match(ctx, o, e)
		return k.Bucket
	}, nil
}

// steered is the value of -mix that leaves the choice to the hunt.
const steered = "steer"

func kindNames() string {
	var names []string
	for _, k := range hunt.Kinds() {
		names = append(names, k.Name)
	}
	return strings.Join(names, ",")
}

// huntOptions returns what the flags say.
func huntOptions(c *cli.Command) (hunt.Options, error) {
	opt := hunt.Options{
		Dir: c.String("o"), Time: c.Duration("time"), Seeds: c.Int64("n"), Seed: c.Uint64("seed"), Workers: c.Int("workers"), Keep: c.Int("keep"),
		Again: c.Bool("again"), Log: os.Stderr,
	}
	if _, rows, err := term.GetSize(int(os.Stderr.Fd())); err == nil {
		opt.Rows = rows
	}
	switch {
	case opt.Dir == "":
		return opt, errors.New("-o is empty, want a directory")
	case opt.Time < 0:
		return opt, fmt.Errorf("-time is %v, want 0 or more", opt.Time)
	case opt.Seeds < 0:
		return opt, fmt.Errorf("-n is %d, want 0 or more", opt.Seeds)
	case opt.Workers < 1:
		return opt, fmt.Errorf("-workers is %d, want 1 or more", opt.Workers)
	case opt.Keep < 1:
		return opt, fmt.Errorf("-keep is %d, want 1 or more", opt.Keep)
	case c.IsSet("seed") && opt.Seed == 0:
		return opt, errors.New("-seed is 0, want 1 or more")
	}
	var err error
	if opt.Kinds, err = huntKinds(c); err != nil {
		return opt, err
	}
	if c.IsSet("plan") {
		if opt.Plan, err = hunt.ParsePlan(c.String("plan")); err != nil {
			return opt, err
		}
	}
	if mix := c.String("mix"); mix != steered {
		if opt.Mix, err = hunt.SelectKinds(opt.Kinds, mix); err != nil {
			return opt, err
		}
	}
	for _, k := range opt.Mix {
		if s, ok := k.Source.(interface{ Check() error }); ok {
			err = errors.Join(err, s.Check())
		}
	}
	return opt, err
}

// huntKinds returns the kinds of batches to hunt with: the usual ones, or those
// of a profile.
func huntKinds(c *cli.Command) ([]hunt.Kind, error) {
	if !c.IsSet("profile") {
		if c.IsSet("features") {
			return nil, errors.New("-features wants a -profile to change")
		}
		kinds := hunt.Kinds()
		var injected []int
		for i, k := range kinds {
			switch k.Source.(type) {
			case variant.Corpus:
				kinds[i] = hunt.CorpusVariants(c.String("seeds"))
			case *text.Source:
				kinds[i] = hunt.TextVariants(c.String("pool"))
				if k.Name == "text-inject" {
					kinds[i] = hunt.TextInjected(c.String("pool"), c.String("functions"))
				}
			case *inject.Source:
				injected = append(injected, i)
			}
		}
		for n, k := range hunt.Injected(c.String("functions")) {
			kinds[injected[n]] = k
		}
		return kinds, nil
	}
	return hunt.ProfileKinds(c.String("profile"), c.String("features"))
}

// huntLimits leaves large functions, under sanitizers too, the time they need:
// ten of them have taken 1.1 s at -O3. Here no fuzzing engine counts seconds; but
// each endless compilation takes all of its CPU time several times over.
func huntLimits() compilers.Limits {
	l := compilers.DefaultLimits()
	l.CompileCPU, l.CompileWall = 4*time.Second, 20*time.Second
	l.RunWall = 10 * time.Second
	return l
}

// runHunt hunts, and says at the end what was found. The error wraps
// errFinding if there is any finding of a bucket that is not known.
func runHunt(ctx context.Context, w io.Writer, o *oracle.Oracle, opt hunt.Options, asJSON bool) error {
	sum, err := hunt.Start(ctx, o, opt)
	if sum == nil {
		return err
	}
	if asJSON {
		err = errors.Join(err, printJSON(w, sum))
	} else {
		err = errors.Join(err, sum.Write(w))
	}
	if sum.Buckets > sum.KnownBuckets {
		err = errors.Join(err, errFinding)
	}
	return err
}
