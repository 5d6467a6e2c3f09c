package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/reify/others/foreign"
	"goreify/reify/safefile"
	"goreify/tools/cmdline"
)

// showOne prints the functions of a name.
func showOne(_ context.Context, c *cli.Command) error {
	if c.NArg() != 1 {
		return errors.New("-do show takes the name of a function, or its symbol")
	}
	d, err := foreign.View(databaseOf(c))
	if err != nil {
		return err
	}
	defer d.Close() // nothing was written
	return showFunctions(c.Root().Writer, d, c.Args().First())
}

// functionFiles returns the files among the names, and those that end in .c in the
// directories among them and below, each with its root.
func functionFiles(names []string, only string) (files []foreignFile, err error) {
	if _, err := path.Match(only, ""); err != nil {
		return nil, fmt.Errorf("-only %s: %w", only, err)
	}
	err = eachSource(names, func(root, name string, named bool) {
		if matches, _ := path.Match(only, name); matches || named || only == "" {
			files = append(files, foreignFile{root, name})
		}
	})
	return files, err
}

// eachSource calls f with the files among the names, and those that end in .c in the
// directories among them and below: the directory, the file in it, and whether the file was
// named.
func eachSource(names []string, f func(root, name string, named bool)) error {
	if len(names) == 0 {
		return errors.New("-do add takes the names of C files or of directories")
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			f(filepath.Dir(name), filepath.Base(name), true)
			continue
		}
		root := filepath.Clean(name)
		err = safefile.Walk(root, func(name string) error {
			if path.Ext(name) == ".c" {
				f(root, name, false)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
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

// cutFlag in the flag cflags has calls of what a file does not define replaced by a
// constant.
const cutFlag = "-cut"

// parseOrigin takes the flag origin apart: "zlib@1.3:Zlib".
func parseOrigin(flag string) (project, release, licence string) {
	project, licence, _ = strings.Cut(flag, ":")
	project, release, _ = strings.Cut(project, "@")
	return project, release, licence
}

func addFunctions(ctx context.Context, c *cli.Command) error {
	words := strings.Fields(c.String("cflags"))
	cut := slices.Contains(words, cutFlag)
	words = slices.DeleteFunc(words, func(word string) bool { return word == cutFlag })
	flags, err := foreign.ParseFlags(strings.Join(words, " "))
	if err != nil {
		return fmt.Errorf("-cflags: %w", err)
	}
	if cut {
		flags.Text = strings.TrimSpace(flags.Text + " " + cutFlag) // it decides what is taken, too
	}
	project, release, licence := parseOrigin(c.String("origin"))
	files, err := functionFiles(c.Args().Slice(), c.String("only"))
	if err != nil {
		return err
	}
	db, err := foreign.Open(databaseOf(c))
	if err != nil {
		return err
	}
	defer db.Close() // each transaction is on disk
	o, closer, err := cmdline.OpenForStrangers(ctx, c)
	if err != nil {
		return err
	}
	defer closer()
	h, err := foreign.NewHarvester(ctx, o.Targets, o.Sanitizers, o.Space)
	if err != nil {
		return err
	}
	if !h.Narrow() {
		fmt.Fprintln(cmdline.Errors(), "reify: no compiler links programs with -m32, and with -m32 and sanitizers: functions are for pointers of 64 bits")
	}
	a := &adder{db: db, harvest: h, reasons: map[string]int{}, seen: map[string]bool{}}
	progress := cmdline.NewProgress(len(files), "files")
	defer progress.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan addition)
	var group sync.WaitGroup
	for range min(c.Int(cmdline.Workers), runtime.NumCPU()) {
		group.Go(func() {
			for batch := range next {
				if err := a.add(ctx, batch); err != nil {
					cancel(err)
				}
				for range batch.sources {
					progress.Next()
				}
			}
		})
	}
	var batch addition
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		tree := safefile.Tree(f.root)
		origin := foreign.Origin{Project: project, Version: release, File: f.name}
		if origin.Project == "" {
			if abs, err := filepath.Abs(f.root); err == nil {
				origin.Project = filepath.Base(abs)
			}
		}
		origin.Licence = foreign.Licence(tree, f.name, licence)
		p, s, err := foreign.Load(tree, f.name, flags, origin)
		if s.Sum == "" { // it cannot be read
			fmt.Fprintln(cmdline.Errors(), "not read:", err)
			a.unread++
			progress.Next()
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
			progress.Next()
			continue
		}
		var kept []*foreign.Function
		var refused []foreign.Refusal
		if err != nil {
			fmt.Fprintln(cmdline.Errors(), "not parsed:", firstLineOf(err.Error()))
			a.unread++
			refused = []foreign.Refusal{{Reason: "parse", Detail: firstLineOf(err.Error())}}
		} else {
			kept, refused = foreign.Extract(p, foreign.Options{Origin: origin, Cut: cut})
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
	progress.Close()
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
	often := func(x, y string) int { return cmp.Or(a.reasons[y]-a.reasons[x], strings.Compare(x, y)) }
	for _, r := range slices.SortedFunc(maps.Keys(a.reasons), often) {
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
		fmt.Fprintf(cmdline.Errors(), "not harvested: %s: %s\n", batch.sources[0].Origin.File, firstLineOf(err.Error()))
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
			fmt.Fprintf(w, "   %s == %s, %d statements\n", callOf(f, p), f.Result.Format(p.Want), p.Steps)
		}
		if _, err := fmt.Fprintf(w, "*/\n%s\n", f.Text); err != nil {
			return err
		}
	}
	return nil
}

// callOf returns the call of a function that a pair has the answer of.
func callOf(f *foreign.Function, p foreign.Pair) string {
	var args []string
	for i, v := range p.Args {
		args = append(args, f.Params[i].Format(v))
	}
	return fmt.Sprintf("%s(%s)", f.Symbol, strings.Join(args, ", "))
}

// checkFunctions asks all compilers about pairs. A function of which one says something
// else is set aside, unless an aliasing rule explains that: then it is of class puns.
func checkFunctions(ctx context.Context, c *cli.Command) error {
	n := orDefault(c, 1000)
	if n < 1 {
		return fmt.Errorf("-n is %d, want 1 or more", n)
	}
	d, err := foreign.Read(databaseOf(c))
	if err != nil {
		return err
	}
	defer d.Close() // each transaction is on disk
	classes := strings.Split(cmp.Or(c.String("only"), "any"), ",")
	var symbols []string
	for _, class := range []foreign.Class{foreign.Any, foreign.Puns, foreign.Dead} {
		if slices.Contains(classes, cmp.Or(string(class), "any")) {
			more, err := d.Symbols(class)
			if err != nil {
				return err
			}
			symbols = append(symbols, more...)
		}
	}
	symbols = symbols[:min(len(symbols), n)]
	if len(symbols) == 0 {
		return fmt.Errorf("%s has no functions to check", d.Path())
	}
	o, closer, err := cmdline.OpenForStrangers(ctx, c)
	if err != nil {
		return err
	}
	defer closer()
	h := foreign.NewChecker(o.Space)
	asked, wrong := 0, map[string]bool{}
	progress := cmdline.NewProgress(len(symbols), "functions")
	defer progress.Close()
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
			progress.Next()
		}
	}
	progress.Close()
	fmt.Fprintf(c.Root().Writer, "%s: %d answers of %d functions, %d functions differ\n", d.Path(), asked, len(symbols), len(wrong))
	if len(wrong) > 0 {
		return fmt.Errorf("%w, or a function is undefined: %d functions", cmdline.ErrFinding, len(wrong))
	}
	return nil
}

// differs prints a difference and records what follows from it.
func differs(w io.Writer, d *foreign.DB, x foreign.Difference) error {
	f := x.Function
	where := compilers.Name(x.Target, x.Mode)
	said := fmt.Sprintf("%s is %s with %s, want %s", callOf(f, x.Pair), x.Got, where, f.Result.Format(x.Pair.Want))
	if x.Puns {
		fmt.Fprintf(w, "puns: %s: %s, but not with -fno-strict-aliasing\n", f.Origin, said)
		return d.SetClass(f.Symbol, foreign.Puns)
	}
	fmt.Fprintf(w, "differs: %s: %s\n", f.Origin, said)
	return d.SetAside(f.Symbol, said)
}
