package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/language"
	"goreify/reify/oracle"
	"goreify/reify/others"
	"goreify/reify/source"
	"goreify/reify/source/variant"
	"goreify/reify/triage"
	"goreify/tools/cmdline"
	"goreify/tools/reify/grid"
	"goreify/tools/reify/hunt"
)

func huntCommand() *cli.Command {
	return &cli.Command{
		Name:  "hunt",
		Usage: "look for compiler bugs until stopped; goes on where the last hunt in the directory was",
		Description: "A PLAN is rules between semicolons: WHO [MODES] [flags [arch]] [one] [every N]. WHO is all, gcc,\n" +
			"gcc-12, \"gcc-12 -m32\"; flags draws some for each batch, arch -march= alone; one draws a mode.",
		Metadata: cmdline.Takes(cmdline.CompileTime, cmdline.JSON, cmdline.Workers, cmdline.Known),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Value: "out/hunt", Usage: "`DIR` of the hunt: its state and its findings"},
			&cli.DurationFlag{Name: "time", Usage: "`DURATION` after which nothing is begun, such as 8h; 0 is no limit"},
			&cli.Int64Flag{Name: "n", Usage: "`NUMBER` of seeds after which the hunt ends, nearly each a function; 0 is no limit"},
			&cli.Uint64Flag{Name: "seed", Usage: "`NUMBER` that decides everything, from 1; by default that of DIR, or 1"},
			&cli.StringFlag{Name: "only", Usage: "`COMPILER` to find bugs of, such as gcc-12 or a family; the others are witnesses of them"},
			&cli.BoolFlag{Name: "switch", Usage: "go on in DIR with other compilers than the last run had"},
			&cli.StringFlag{Name: "plan", Usage: "`PLAN`: all, sample, or rules; by default sample, or all if that would ask nothing"},
			&cli.StringFlag{Name: "mix", Value: steered, Usage: "`KINDS` of batches to take in turn, or steer, by what each yields"},
			&cli.BoolFlag{Name: "mixes", Usage: "list the kinds of batches"},
			&cli.StringFlag{Name: "profile", Usage: "`PROFILE` of functions and programs in place of a mix: wild, wild+ptr-float"},
			&cli.StringFlag{Name: "seeds", Usage: "`PATHS` in place of corpus, out/pool.db, out/functions.db, for kinds that take these"},
			&cli.IntFlag{Name: "keep", Value: 1, Usage: "`NUMBER` of findings to save of each bucket"},
			&cli.BoolFlag{Name: "again", Usage: "run batches again that were set aside for want of answers"},
			&cli.BoolFlag{Name: "any", Usage: "exit with 1 if DIR has any finding that is not known, and not only for new ones"},
			&cli.BoolFlag{Name: "triage", Usage: "blame and reduce each finding that is saved, when it is found"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Bool("mixes") {
				return listKinds(c.Root().Writer)
			}
			opt, err := huntOptions(c)
			if err != nil {
				return err
			}
			return hunting(ctx, c, &opt, func(ctx context.Context, env compilers.Env) ([]compilers.Target, bool, error) {
				if err := refuseStrangers(env.Space.Strangers(), opt.Mix); err != nil {
					return nil, false, err
				}
				return huntTargets(ctx, env, &opt)
			})
		},
	}
}

// hunting hunts with the targets that a function finds, which may complete the options, and
// says what the hunt has come to.
func hunting(ctx context.Context, c *cli.Command, opt *hunt.Options, find func(context.Context, compilers.Env) (found []compilers.Target, named bool, err error)) error {
	o, closer, err := cmdline.OpenWith(ctx, c, find)
	if err != nil {
		return err
	}
	defer closer()
	if err := o.Judged(); err != nil {
		return err
	}
	hunted := hunt.Only(opt.Only, o.Targets)
	for _, list := range [][]hunt.Kind{opt.Kinds, opt.Mix} {
		for i, k := range list {
			list[i] = k.Lacking(hunted)
		}
	}
	var sources []source.Source
	for _, k := range opt.Kinds {
		sources = append(sources, k.Source)
	}
	others.AskFor(ctx, o, sources...)
	if err := textVouched(o, opt.Mix); err != nil {
		return err
	}
	cmdline.Limit(c, o, huntLimits())
	// The first target that is asked is named by a finding that several share:
	// the newest, whose developers still care.
	slices.Reverse(o.Targets)
	if opt.Known, err = knownTo(o, c, opt.Dir); err != nil {
		return err
	}
	opt.Culprit = triage.Culprit
	if c.Bool("triage") {
		opt.Triage = func(ctx context.Context, path string) error {
			_, _, err := triage.File(ctx, o, path, triage.Options{})
			return err
		}
	}
	sum, err := hunt.Start(ctx, o, *opt)
	if sum == nil {
		return err
	}
	return errors.Join(err, printSummary(c, sum))
}

// refuseStrangers returns an error if kinds of batches have programs of others in them, and
// these are not to be run, for which there is a reason. Of reproducers our own are left.
func refuseStrangers(reason error, mix []hunt.Kind) error {
	if reason == nil {
		return nil
	}
	for i, k := range mix {
		if s, ok := k.Source.(variant.Corpus); ok {
			own := s.Own()
			if err := own.Check(); err != nil {
				return errors.Join(err, reason)
			}
			mix[i].Source = own
		}
		if others.Strange(k.Source) {
			return fmt.Errorf("-mix: %s: %w", k.Name, reason)
		}
	}
	return nil
}

// textVouched returns an error if a mix has programs that nobody has proved, and not both
// gcc and clang are here, which must agree about them. It says if their sanitizers are not: no failure of what
// a text does when it runs can be confirmed then.
func textVouched(o *oracle.Oracle, mix []hunt.Kind) error {
	i := slices.IndexFunc(mix, func(k hunt.Kind) bool {
		_, doubts := k.Source.(source.Doubter)
		return doubts
	})
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
		fmt.Fprintf(cmdline.Errors(), "reify: there are no sanitizers of two families: of %s only internal errors will be findings\n", mix[i].Name)
	}
	return nil
}

// knownTo returns a function that says which known bucket a finding belongs in.
func knownTo(o *oracle.Oracle, c *cli.Command, dir string) (func(context.Context, *corpus.Entry) string, error) {
	known, err := triage.LoadKnown(knownFile(c, dir))
	if errors.Is(err, fs.ErrNotExist) && !c.IsSet(cmdline.Known) {
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

// listKinds prints a sentence for each kind of batches of C, and the names of the kinds of
// other languages, which are the same in these.
func listKinds(w io.Writer) error {
	var rows [][2]string
	in := map[string][]string{}
	var order []string
	for _, k := range hunt.Kinds() {
		if language.Find(k.Language).Prefix == "" {
			rows = append(rows, [2]string{k.Name, k.About})
			continue
		}
		if in[k.Language] == nil {
			order = append(order, k.Language)
		}
		in[k.Language] = append(in[k.Language], k.Name)
	}
	for _, language := range order {
		short, _, _ := strings.Cut(in[language][0], "-")
		rows = append(rows, [2]string{short, "all of these, in " + language + ": " + strings.Join(in[language], ", ")})
	}
	_, err := fmt.Fprint(w, cmdline.Rows(rows))
	return err
}

// runOptions returns what the flags say that hunts and matrices have.
func runOptions(c *cli.Command) (hunt.Options, error) {
	opt := hunt.Options{
		Dir: c.String("o"), Time: c.Duration("time"), Workers: c.Int(cmdline.Workers), Keep: 1, Log: os.Stderr, Confirm: confirmSwitch(c),
	}
	if columns, rows, err := term.GetSize(int(os.Stderr.Fd())); err == nil {
		opt.Columns, opt.Rows = columns, rows
	}
	switch {
	case opt.Dir == "":
		return opt, errors.New("-o is empty, want a directory")
	case opt.Time < 0:
		return opt, fmt.Errorf("-time is %v, want 0 or more", opt.Time)
	}
	return opt, nil
}

// huntOptions returns what the flags say.
func huntOptions(c *cli.Command) (hunt.Options, error) {
	opt, err := runOptions(c)
	if err != nil {
		return opt, err
	}
	opt.Seeds, opt.Seed, opt.Keep, opt.Again = c.Int64("n"), c.Uint64("seed"), c.Int("keep"), c.Bool("again")
	opt.Only = strings.Join(strings.Fields(c.String("only")), " ")
	switch {
	case opt.Seeds < 0:
		return opt, fmt.Errorf("-n is %d, want 0 or more", opt.Seeds)
	case opt.Keep < 1:
		return opt, fmt.Errorf("-keep is %d, want 1 or more", opt.Keep)
	case c.IsSet("seed") && opt.Seed == 0:
		return opt, errors.New("-seed is 0, want 1 or more")
	}
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
		err = errors.Join(err, source.Ready(k.Source))
	}
	return opt, err
}

// huntKinds returns the kinds of batches to hunt with: the usual ones, or those
// of a profile.
func huntKinds(c *cli.Command) ([]hunt.Kind, error) {
	if !c.IsSet("profile") {
		from, err := seedPaths(c.String("seeds"))
		if err != nil {
			return nil, err
		}
		return from.Kinds(), nil
	}
	return hunt.ProfileKinds(cmdline.SplitProfile(c.String("profile")))
}

// seedPaths returns where seeds are: of each path of a list, a directory is of
// reproducers, and a file a pool of programs or a database of functions.
func seedPaths(list string) (hunt.Seeds, error) {
	s := hunt.UsualSeeds()
	if list == "" {
		return s, nil
	}
	for path := range strings.SplitSeq(list, ",") {
		info, err := os.Stat(path)
		switch {
		case err == nil && info.IsDir():
			s.Corpus = path
		case err == nil:
			err = s.Take(path)
		}
		if err != nil {
			return s, fmt.Errorf("-seeds: %w", err)
		}
	}
	return s, nil
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

// printSummary says what was found. The error is cmdline.ErrFinding if a bucket is new in
// this run and not known, or with -any, if any is not known.
func printSummary(c *cli.Command, sum *hunt.Summary) error {
	list, err := knownBuckets(c, sum.Dir)
	if err != nil {
		return err
	}
	sum.MarkKnown(list)
	err = writeSummary(c, sum)
	if sum.NewBuckets > 0 || c.Bool("any") && sum.Buckets > sum.KnownBuckets {
		err = errors.Join(err, cmdline.ErrFinding)
	}
	return err
}

// writeSummary prints a summary, and draws its matrix if it has one.
func writeSummary(c *cli.Command, sum *hunt.Summary) error {
	page, err := grid.Write(sum)
	if err != nil {
		fmt.Fprintln(cmdline.Errors(), "reify: the page of the matrix cannot be written:", err)
	}
	return cmdline.Print(c, sum, func(w io.Writer) error {
		sum.Width = hunt.Width(os.Stdout)
		if err := sum.Write(w); err != nil || page == "" {
			return err
		}
		_, err := fmt.Fprintf(w, "\nthe matrix: %s\n", page)
		return err
	})
}
