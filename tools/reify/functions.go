package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/reify/foreign"
)

// functionsFile is where functions are kept unless a flag says otherwise.
const functionsFile = "out/functions.db"

func functionsCommand() *cli.Command {
	return &cli.Command{
		Name:  "functions",
		Usage: "keep functions of C that others wrote, with arguments and answers, to be called from programs",
		Commands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "take functions out of C files, and of the .c files in directories; find out what they answer",
				ArgsUsage: "DIR|FILE...",
				Description: "A function is taken with all that it needs of its file, if that is neither much nor assembly, floating point or I/O.\n" +
					"Sanitizers of gcc and of clang must have no objection to a call of it, and all must answer the same. A file that was\n" +
					"added before, with the same flags, is left out. What was added is kept if the command is interrupted.",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "o", Value: functionsFile, Usage: "`FILE` of the database, made if need be"},
					&cli.StringFlag{Name: "cflags", Usage: "`FLAGS` for the preprocessor: -IDIR, -DNAME=VALUE, -UNAME, -include FILE"},
					&cli.StringFlag{Name: "licence", Usage: "SPDX `NAME` of the licence of files that say none"},
					&cli.StringFlag{Name: "project", Usage: "`NAME` of the project; by default that of the directory"},
					&cli.StringFlag{Name: "release", Usage: "`VERSION` of the project"},
					&cli.StringFlag{Name: "only", Usage: "`PATTERN` of the files of directories that are taken, as of a shell, such as 'src/*.c'"},
					&cli.BoolFlag{Name: "cut", Usage: "have calls of what a file does not define replaced by a constant"},
					boxFlag(), workersFlag()},
				Action: addFunctions,
			},
			{
				Name:      "status",
				Usage:     "say what is in a database, by project and class, and why what was refused",
				ArgsUsage: "FILE",
				Flags:     []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one JSON object"}},
				Action: func(_ context.Context, c *cli.Command) error {
					d, err := readFunctions(c, 1)
					if err != nil {
						return err
					}
					defer d.Close() // nothing was written
					s, err := d.Status()
					if err != nil {
						return err
					}
					if c.Bool("json") {
						return printJSON(c.Root().Writer, s)
					}
					return s.Write(c.Root().Writer)
				},
			},
			{
				Name:      "show",
				Usage:     "print functions: slice and proxy, pairs, origin",
				ArgsUsage: "FILE NAME",
				Action: func(_ context.Context, c *cli.Command) error {
					if c.NArg() != 2 {
						return errors.New("functions show takes a database and the name of a function, or its symbol")
					}
					d, err := readFunctions(c, 2)
					if err != nil {
						return err
					}
					defer d.Close() // nothing was written
					return showFunctions(c.Root().Writer, d, c.Args().Get(1))
				},
			},
			{
				Name:      "check",
				Usage:     "ask all compilers about the pairs again, at all levels; status 1 if one differs",
				ArgsUsage: "FILE",
				Flags: []cli.Flag{boxFlag(),
					&cli.IntFlag{Name: "n", Value: 1000, Usage: "`NUMBER` of functions at most, in the order of their symbols"},
					&cli.BoolFlag{Name: "all", Usage: "also functions of the classes puns and dead"}},
				Action: checkFunctions,
			},
		},
	}
}

// readFunctions opens the database that is the first of at most so many arguments.
func readFunctions(c *cli.Command, most int) (*foreign.DB, error) {
	if c.NArg() > most {
		return nil, fmt.Errorf("functions %s takes at most %d arguments", c.Name, most)
	}
	path := c.Args().First()
	if path == "" {
		path = functionsFile
	}
	return foreign.Read(path)
}

// functionFiles returns the files among the names, and those that end in .c in the
// directories among them and below, each with its root.
func functionFiles(names []string, only string) (files []foreignFile, err error) {
	if len(names) == 0 {
		return nil, errors.New("functions add wants the names of C files or of directories")
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, foreignFile{filepath.Dir(name), filepath.Base(name)})
			continue
		}
		root := filepath.Clean(name)
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".c" {
				return err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			matches := only == ""
			if !matches {
				if matches, err = filepath.Match(only, rel); err != nil {
					return fmt.Errorf("-only %s: %w", only, err)
				}
			}
			if matches {
				files = append(files, foreignFile{root, rel})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// A foreignFile is a file below a directory that was named.
type foreignFile struct{ root, name string }

// An addition is files of which the functions are asked about together.
type addition struct {
	sources   []foreign.Source
	functions [][]*foreign.Function // of each source
	refused   [][]foreign.Refusal
	number    int
}

// together is how many functions, in all variants, are compiled together.
const together = 100

// An adder adds functions to a database.
type adder struct {
	db      *foreign.DB
	harvest *foreign.Harvester

	mu                             sync.Mutex
	files, known, unread, new, old int
	four                           int // functions with four pairs and more
	reasons                        map[string]int
	seen                           map[string]bool // symbols
}

func addFunctions(ctx context.Context, c *cli.Command) error {
	if err := someWorkers(c); err != nil {
		return err
	}
	flags, err := foreign.ParseFlags(c.String("cflags"))
	if err != nil {
		return fmt.Errorf("-cflags: %w", err)
	}
	if c.Bool("cut") {
		flags.Text = strings.TrimSpace(flags.Text + " -cut") // it decides what is taken, too
	}
	files, err := functionFiles(c.Args().Slice(), c.String("only"))
	if err != nil {
		return err
	}
	db, err := foreign.Open(c.String("o"))
	if err != nil {
		return err
	}
	defer db.Close() // each transaction is on disk
	o, closer, err := openOracle(ctx, c)
	if err != nil {
		return err
	}
	defer closer()
	h, err := foreign.NewHarvester(ctx, o.Targets, o.Sanitizers, o.Space)
	if err != nil {
		return err
	}
	if !h.Narrow() {
		fmt.Fprintln(os.Stderr, "reify: no compiler links programs with -m32, and with -m32 and sanitizers: functions are for pointers of 64 bits")
	}
	a := &adder{db: db, harvest: h, reasons: map[string]int{}, seen: map[string]bool{}}
	bar := newBar(len(files), "files")
	defer bar.end()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan addition)
	var group sync.WaitGroup
	for range min(c.Int("workers"), runtime.NumCPU()) {
		group.Go(func() {
			for batch := range next {
				if err := a.add(ctx, batch); err != nil {
					cancel(err)
				}
				for range batch.sources {
					bar.next()
				}
			}
		})
	}
	var batch addition
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		path := filepath.Join(f.root, f.name)
		origin := foreign.Origin{Project: c.String("project"), Version: c.String("release"), File: f.name}
		if origin.Project == "" {
			if abs, err := filepath.Abs(f.root); err == nil {
				origin.Project = filepath.Base(abs)
			}
		}
		origin.Licence = foreign.Licence(path, f.root, c.String("licence"))
		p, s, err := foreign.Load(path, flags, origin)
		if s.Sum == "" { // it cannot be read
			fmt.Fprintln(os.Stderr, "not read:", err)
			a.unread++
			bar.next()
			continue
		}
		known, e := db.Known(s)
		if e != nil {
			cancel(e)
			break
		}
		if known {
			if err := db.SetLicence(s); err != nil {
				cancel(err)
				break
			}
			a.known++
			bar.next()
			continue
		}
		var kept []*foreign.Function
		var refused []foreign.Refusal
		if err != nil {
			fmt.Fprintln(os.Stderr, "not parsed:", firstLineOf(err.Error()))
			a.unread++
			refused = []foreign.Refusal{{Reason: "parse", Detail: firstLineOf(err.Error())}}
		} else {
			kept, refused = foreign.Extract(p, foreign.Options{Origin: origin, Cut: c.Bool("cut")})
		}
		if kept, err = a.fresh(kept); err != nil {
			cancel(err)
			break
		}
		batch.sources, batch.functions, batch.refused = append(batch.sources, s), append(batch.functions, kept), append(batch.refused, refused)
		if batch.number += len(kept); batch.number >= together {
			next <- batch
			batch = addition{}
		}
	}
	if ctx.Err() == nil && len(batch.sources) > 0 {
		next <- batch
	}
	close(next)
	group.Wait()
	bar.end()
	a.report(c.Root().Writer)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%w; what was added is kept", context.Cause(ctx))
	case a.new+a.old == 0 && a.known == 0:
		return errors.New("no function was kept")
	}
	return nil
}

// fresh returns the functions that are not in the database, by what is in it and by what is
// on its way there.
func (a *adder) fresh(list []*foreign.Function) (kept []*foreign.Function, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range list {
		symbols, err := a.db.Find(f.Symbol)
		if err != nil {
			return nil, err
		}
		if len(symbols) > 0 || a.seen[f.Symbol] {
			a.old++
			continue
		}
		a.seen[f.Symbol] = true
		kept = append(kept, f)
	}
	return kept, nil
}

// report says what was done.
func (a *adder) report(w io.Writer) {
	fmt.Fprintf(w, "%s: %d files, %d were there, %d not parsed; %d functions added, %d of them with 4 pairs and more; %d were there\n", a.db.Path(), a.files+a.known, a.known, a.unread, a.new, a.four, a.old)
	var reasons []string
	for r := range a.reasons {
		reasons = append(reasons, r)
	}
	slices.SortFunc(reasons, func(x, y string) int {
		if d := a.reasons[y] - a.reasons[x]; d != 0 {
			return d
		}
		return strings.Compare(x, y)
	})
	for _, r := range reasons {
		fmt.Fprintf(w, "refused %6d  %s\n", a.reasons[r], r)
	}
}

// add has the functions of a batch harvested, and adds them. If that fails for all
// together, each file is tried alone, and one that fails alone is left out.
func (a *adder) add(ctx context.Context, batch addition) error {
	if ctx.Err() != nil {
		return nil
	}
	list, err := a.harvest.Harvest(ctx, slices.Concat(batch.functions...))
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(batch.sources) > 1 {
			for i := range batch.sources {
				one := addition{batch.sources[i : i+1], batch.functions[i : i+1], batch.refused[i : i+1], len(batch.functions[i])}
				if err := a.add(ctx, one); err != nil {
					return err
				}
			}
			return nil
		}
		fmt.Fprintf(os.Stderr, "not harvested: %s: %s\n", batch.sources[0].Origin.File, firstLineOf(err.Error()))
		return nil
	}
	for i, s := range batch.sources {
		var of []foreign.Harvest
		for _, h := range list {
			if o := h.Function.Origin; o.File == s.Origin.File && o.Project == s.Origin.Project {
				of = append(of, h)
			}
		}
		added, err := a.db.Add(s, of, batch.refused[i])
		if err != nil {
			return err
		}
		a.count(of, added, batch.refused[i])
	}
	return nil
}

func (a *adder) count(list []foreign.Harvest, added int, refused []foreign.Refusal) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.files++
	a.new += added
	for _, h := range list {
		if h.Rejected {
			a.reasons[foreign.ReasonRejected]++
			continue
		}
		if len(h.Pairs) >= 4 {
			a.four++
		}
	}
	for _, r := range refused {
		a.reasons[r.Reason]++
	}
}

func showFunctions(w io.Writer, d *foreign.DB, name string) error {
	symbols, err := d.Find(name)
	if err != nil {
		return err
	}
	if len(symbols) == 0 {
		return fmt.Errorf("%s: no function is called %s", d.Path(), name)
	}
	for _, symbol := range symbols {
		f, err := d.Function(symbol)
		if err != nil {
			return err
		}
		pairs, err := d.Pairs(f)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "/* %s\n   line %d of the preprocessed file; class %s, models %s, %d pairs:\n", strings.ReplaceAll(f.Origin.String(), "*/", "* /"), f.Origin.Line, f.Class, f.Models, len(pairs))
		for _, p := range pairs {
			var args []string
			for i, v := range p.Args {
				args = append(args, f.Params[i].Format(v))
			}
			fmt.Fprintf(w, "   %s(%s) == %s, %d statements\n", f.Symbol, strings.Join(args, ", "), f.Result.Format(p.Want), p.Steps)
		}
		if _, err := fmt.Fprintf(w, "*/\n%s\n", f.Text); err != nil {
			return err
		}
	}
	return nil
}

// checkFunctions asks all compilers about pairs. A function of which one says something
// else is set aside, unless an aliasing rule explains that: then it is of class puns.
func checkFunctions(ctx context.Context, c *cli.Command) error {
	if c.Int("n") < 1 {
		return fmt.Errorf("-n is %d, want 1 or more", c.Int("n"))
	}
	d, err := readFunctions(c, 1)
	if err != nil {
		return err
	}
	defer d.Close() // each transaction is on disk
	var symbols []string
	for _, class := range []foreign.Class{foreign.Any, foreign.Puns, foreign.Dead} {
		if class == foreign.Any || c.Bool("all") {
			more, err := d.Symbols(class)
			if err != nil {
				return err
			}
			symbols = append(symbols, more...)
		}
	}
	symbols = symbols[:min(len(symbols), c.Int("n"))]
	if len(symbols) == 0 {
		return fmt.Errorf("%s has no functions to check", d.Path())
	}
	o, closer, err := openOracle(ctx, c)
	if err != nil {
		return err
	}
	defer closer()
	h := foreign.NewChecker(o.Space)
	asked, wrong := 0, map[string]bool{}
	bar := newBar(len(symbols), "functions")
	defer bar.end()
	for batch := range slices.Chunk(symbols, together) {
		var functions []*foreign.Function
		var pairs [][]foreign.Pair
		for _, symbol := range batch {
			f, err := d.Function(symbol)
			if err != nil {
				return err
			}
			list, err := d.Pairs(f)
			if err != nil {
				return err
			}
			functions, pairs = append(functions, f), append(pairs, list)
		}
		for _, t := range o.Targets {
			for _, mode := range t.Modes() {
				list, n, err := h.Check(ctx, t, mode, functions, pairs)
				if err != nil {
					return err
				}
				asked += n
				for _, x := range list {
					wrong[x.Function.Symbol] = true
					if err := differs(c.Root().Writer, d, x); err != nil {
						return err
					}
				}
			}
		}
		for range batch {
			bar.next()
		}
	}
	bar.end()
	fmt.Fprintf(c.Root().Writer, "%s: %d answers of %d functions, %d functions differ\n", d.Path(), asked, len(symbols), len(wrong))
	if len(wrong) > 0 {
		return fmt.Errorf("%w, or a function is undefined: %d functions", errFinding, len(wrong))
	}
	return nil
}

// differs prints a difference and records what follows from it.
func differs(w io.Writer, d *foreign.DB, x foreign.Difference) error {
	f := x.Function
	where := compilers.Name(x.Target, x.Mode)
	var args []string
	for i, v := range x.Pair.Args {
		args = append(args, f.Params[i].Format(v))
	}
	said := fmt.Sprintf("%s(%s) is %s with %s, want %s", f.Symbol, strings.Join(args, ", "), x.Got, where, f.Result.Format(x.Pair.Want))
	if x.Puns {
		fmt.Fprintf(w, "puns: %s: %s, but not with -fno-strict-aliasing\n", f.Origin, said)
		return d.SetClass(f.Symbol, foreign.Puns)
	}
	fmt.Fprintf(w, "differs: %s: %s\n", f.Origin, said)
	return d.SetAside(f.Symbol, said)
}
