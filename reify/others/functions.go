package others

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"goreify/compilers"
	"goreify/reify/oracle"
	"goreify/reify/others/foreign"
	"goreify/reify/safefile"
)

// FunctionStatus says what is in a database of functions.
func FunctionStatus(path string) (s *foreign.Status, err error) {
	d, err := foreign.View(path)
	if err != nil {
		return nil, err
	}
	defer d.Close() // nothing was written
	return d.Status()
}

// An addition is files of which the functions are asked about together.
type addition struct {
	sources   []foreign.Source
	functions [][]*foreign.Function // of each source
	refused   [][]foreign.Refusal
	number    int
}

// together is how many functions, in all variants, are compiled together.
const together = 100

// Functions are those of a database that is open.
type Functions struct {
	*foreign.DB
	harvest *foreign.Harvester

	mu                             sync.Mutex
	files, known, unread, new, old int
	four                           int // functions with four pairs and more
	reasons                        map[string]int
	seen                           map[string]bool // symbols
}

// OpenFunctions opens a database, which is made if there is none.
func OpenFunctions(path string) (*Functions, error) {
	d, err := foreign.Open(path)
	return &Functions{DB: d, reasons: map[string]int{}, seen: map[string]bool{}}, err
}

// A Taking is how functions are taken out of files, and where these come from.
type Taking struct {
	flags                     foreign.Flags
	cut                       bool
	project, release, licence string
}

// cutFlag has calls of what a file does not define replaced by a constant.
const cutFlag = "-cut"

// NewTaking reads flags of the preprocessor, with -cut among them, and an origin as
// "zlib@1.3:Zlib", whose parts may be missing.
func NewTaking(cflags, origin string) (t Taking, err error) {
	words := strings.Fields(cflags)
	t.cut = slices.Contains(words, cutFlag)
	words = slices.DeleteFunc(words, func(word string) bool { return word == cutFlag })
	if t.flags, err = foreign.ParseFlags(strings.Join(words, " ")); err != nil {
		return t, fmt.Errorf("-cflags: %w", err)
	}
	if t.cut {
		t.flags.Text = strings.TrimSpace(t.flags.Text + " " + cutFlag) // it decides what is taken, too
	}
	t.project, t.licence, _ = strings.Cut(origin, ":")
	t.project, t.release, _ = strings.Cut(t.project, "@")
	return t, nil
}

// origin returns where the functions of a file come from.
func (t Taking) origin(f File) foreign.Origin {
	o := foreign.Origin{Project: t.project, Version: t.release, File: f.Name}
	if o.Project == "" {
		if abs, err := filepath.Abs(f.Root); err == nil {
			o.Project = filepath.Base(abs)
		}
	}
	o.Licence = foreign.Licence(safefile.Tree(f.Root), f.Name, t.licence)
	return o
}

// Add takes functions out of files, has the compilers of an oracle answer for them, and adds
// them. Those that are added stay if it is interrupted. It is an error if none was, now or
// before.
func (a *Functions) Add(ctx context.Context, o *oracle.Oracle, files []File, t Taking, w Work) (err error) {
	if a.harvest, err = foreign.NewHarvester(ctx, o.Targets, o.Sanitizers, o.Space); err != nil {
		return err
	}
	if !a.harvest.Narrow() {
		w.Say("reify: no compiler links programs with -m32, and with -m32 and sanitizers: functions are for pointers of 64 bits")
	}
	w.Begin(len(files))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan addition)
	var group sync.WaitGroup
	for range min(w.Workers, runtime.NumCPU()) {
		group.Go(func() {
			for batch := range next {
				if err := a.add(ctx, batch, w.Say); err != nil {
					cancel(err)
				}
				for range batch.sources {
					w.Next()
				}
			}
		})
	}
	var batch addition
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		origin := t.origin(f)
		p, s, err := foreign.Load(safefile.Tree(f.Root), f.Name, t.flags, origin)
		if s.Sum == "" { // it cannot be read
			w.Say("not read: " + err.Error())
			a.unread++
			w.Next()
			continue
		}
		known, e := a.Known(s)
		if e != nil {
			cancel(e)
			break
		}
		if known {
			if err := a.SetLicence(s); err != nil {
				cancel(err)
				break
			}
			a.known++
			w.Next()
			continue
		}
		var kept []*foreign.Function
		var refused []foreign.Refusal
		if err != nil {
			w.Say("not parsed: " + firstLine(err.Error()))
			a.unread++
			refused = []foreign.Refusal{{Reason: "parse", Detail: firstLine(err.Error())}}
		} else {
			kept, refused = foreign.Extract(p, foreign.Options{Origin: origin, Cut: t.cut})
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
	w.End()
	a.report(w.Out)
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
func (a *Functions) fresh(list []*foreign.Function) (kept []*foreign.Function, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range list {
		symbols, err := a.Find(f.Symbol)
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
func (a *Functions) report(w io.Writer) {
	fmt.Fprintf(w, "%s: %d files, %d were there, %d not parsed; %d functions added, %d of them with 4 pairs and more; %d were there\n", a.Path(), a.files+a.known, a.known, a.unread, a.new, a.four, a.old)
	often := func(x, y string) int { return cmp.Or(a.reasons[y]-a.reasons[x], strings.Compare(x, y)) }
	for _, r := range slices.SortedFunc(maps.Keys(a.reasons), often) {
		fmt.Fprintf(w, "refused %6d  %s\n", a.reasons[r], r)
	}
}

// add has the functions of a batch harvested, and adds them. If that fails for all
// together, each file is tried alone, and one that fails alone is left out.
func (a *Functions) add(ctx context.Context, batch addition, say func(string)) error {
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
				if err := a.add(ctx, one, say); err != nil {
					return err
				}
			}
			return nil
		}
		say(fmt.Sprintf("not harvested: %s: %s", batch.sources[0].Origin.File, firstLine(err.Error())))
		return nil
	}
	for i, s := range batch.sources {
		var of []foreign.Harvest
		for _, h := range list {
			if o := h.Function.Origin; o.File == s.Origin.File && o.Project == s.Origin.Project {
				of = append(of, h)
			}
		}
		added, err := a.DB.Add(s, of, batch.refused[i])
		if err != nil {
			return err
		}
		a.count(of, added, batch.refused[i])
	}
	return nil
}

func (a *Functions) count(list []foreign.Harvest, added int, refused []foreign.Refusal) {
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

// Show writes the functions of a name, or the one of a symbol, in a database.
func Show(w io.Writer, path, name string) error {
	d, err := foreign.View(path)
	if err != nil {
		return err
	}
	defer d.Close() // nothing was written
	symbols, err := d.Find(name)
	if err != nil {
		return err
	}
	if len(symbols) == 0 {
		return fmt.Errorf("%s: no function is called %s", path, name)
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

// Suspects are what a check asks about: some of the functions of a database.
type Suspects struct {
	db      *foreign.DB
	symbols []string
}

// OpenSuspects opens a database for a check of at most n functions, of classes between commas:
// any, puns, dead.
func OpenSuspects(path, classes string, n int) (*Suspects, error) {
	d, err := foreign.Read(path)
	if err != nil {
		return nil, err
	}
	s := &Suspects{db: d}
	list := strings.Split(classes, ",")
	for _, class := range []foreign.Class{foreign.Any, foreign.Puns, foreign.Dead} {
		if slices.Contains(list, cmp.Or(string(class), "any")) {
			more, err := d.Symbols(class)
			if err != nil {
				return nil, errors.Join(err, d.Close())
			}
			s.symbols = append(s.symbols, more...)
		}
	}
	s.symbols = s.symbols[:min(len(s.symbols), n)]
	if len(s.symbols) == 0 {
		return nil, errors.Join(fmt.Errorf("%s has no functions to check", path), d.Close())
	}
	return s, nil
}

// Close closes the database.
func (s *Suspects) Close() error { return s.db.Close() }

// Check asks all compilers of an oracle about pairs, and returns how many functions there are
// of which one says something else. Such a function is set aside, unless an aliasing rule
// explains that: then it is of class puns.
func (s *Suspects) Check(ctx context.Context, o *oracle.Oracle, w Work) (differ int, err error) {
	h := foreign.NewChecker(o.Space)
	asked, wrong := 0, map[string]bool{}
	w.Begin(len(s.symbols))
	defer w.End()
	for batch := range slices.Chunk(s.symbols, together) {
		var functions []*foreign.Function
		var pairs [][]foreign.Pair
		for _, symbol := range batch {
			f, err := s.db.Function(symbol)
			if err != nil {
				return 0, err
			}
			list, err := s.db.Pairs(f)
			if err != nil {
				return 0, err
			}
			functions, pairs = append(functions, f), append(pairs, list)
		}
		for _, t := range o.Targets {
			for _, mode := range t.Modes() {
				list, n, err := h.Check(ctx, t, mode, functions, pairs)
				if err != nil {
					return 0, err
				}
				asked += n
				for _, x := range list {
					wrong[x.Function.Symbol] = true
					if err := differs(w.Out, s.db, x); err != nil {
						return 0, err
					}
				}
			}
		}
		for range batch {
			w.Next()
		}
	}
	w.End()
	fmt.Fprintf(w.Out, "%s: %d answers of %d functions, %d functions differ\n", s.db.Path(), asked, len(s.symbols), len(wrong))
	return len(wrong), nil
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
