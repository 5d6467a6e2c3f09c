package hunt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/oracle"
	"goreify/reify/safefile"
)

// Options say what a run of a hunt does.
type Options struct {
	Dir string // made if need be
	// Time is how long new batches may begin. Those under way then are finished if
	// that takes less than grace, and else begin again in the next run. 0 is no limit.
	Time time.Duration
	// Seeds ends the hunt when its batches, of all runs, have that many. Nearly all
	// seeds end in a case. 0 is no limit.
	Seeds   int64
	Seed    uint64 // 0 is that of the directory, or 1 if it is new
	Workers int    // at least 1
	// Plan that is the zero value is sample, or all if the compilers and levels
	// there are leave the sample batches that no compiler is asked about.
	Plan  Plan
	Kinds []Kind // all that are known
	// Mix are the kinds to take in turn. Nil steers by yield among those of Kinds that
	// are not OffByDefault and are of a language that a compiler is here for.
	Mix []Kind
	// Only names the compilers whose bugs are looked for, as a plan does: a family, a
	// name, or a name with arguments. The others are asked as witnesses of a failure.
	// Empty is all.
	Only string
	// Confirm is asked whether to go on when the compilers are others than those of the
	// last run in the directory; it is told which are gone and which are new. Nil is no.
	Confirm func(change string) bool
	// Keep is how many findings of each bucket are saved, at least 1: what looks
	// alike need not be one bug. All are counted.
	Keep int
	// Again has the batches run again that were set aside.
	Again bool
	// Known, if not nil, returns the known bucket that a finding belongs in, or
	// nothing: one is counted and not saved. It is asked of what would be saved, by
	// several workers at once.
	Known func(ctx context.Context, e *corpus.Entry) string
	// Triage, if not nil, is called with the reproducer of each new bucket, which
	// it may write to, by the worker that has found it.
	Triage func(ctx context.Context, path string) error
	// Culprit, if not nil, returns what triage blames for a finding, or nothing if it
	// has not seen it: that steers the hunt, and a culprit that was found before is no
	// yield. It is asked when Triage is done, and at the start.
	Culprit func(e *corpus.Entry) string
	// Log gets lines of what happens, and the display.
	Log io.Writer
	// Rows and Columns are the size of the terminal that Log is, for a display that is
	// drawn again and again; Rows is 0 if it is none, and gets a line now and then.
	Rows, Columns int
}

const (
	// grace is how long batches may go on when the time is up.
	grace = 5 * time.Second
	// fair is the time after which a batch that is not done when the time is up has had
	// its chance: it is begun again mostTries times, and then set aside. So is one that
	// had all of a shorter run.
	fair = 30 * time.Second
)

// A Run is what is recorded of a run when it begins.
type Run struct {
	Version   string // of the generator
	Plan      string
	Compilers []installed
	Workers   int
	Time      time.Duration // 0 is no limit
}

// errLate ends batches that go on after the time is up.
var errLate = errors.New("the time is up")

// Errors that end a run with its state intact.
var (
	// ErrLocked says that another process hunts in the directory.
	ErrLocked = errors.New("another hunt runs in this directory")
	// ErrNoCompilers says that none is left that can be used.
	ErrNoCompilers = errors.New("no compiler can be used any more")
	// ErrMachine says that no compiler answers.
	ErrMachine = errors.New("the machine keeps all compilers from answering")
	// ErrUnanswered says that the run came to its end, but left batches open.
	ErrUnanswered = errors.New("the machine kept compilers from answering")
	errLanguage   = errors.New("no compiler for its language is left")
)

// A hunt is a run under way.
type hunt struct {
	Options
	oracle   *oracle.Oracle
	store    *store
	findings string // directory
	run      int64
	seed     uint64
	doing    []activity // of each worker
	causes   causes
	stopAt   time.Time // zero for never
	log      *logger
	compiled atomic.Int64 // CPU nanoseconds of compilers and linkers, of batches that came to their end

	titles  map[string]titled // for the display alone
	probing sync.Mutex        // guards knows
	knows   map[string]bool   // whether a target knows a flag, by both

	mu                sync.Mutex // guards what follows, and that findings are recorded one by one
	unfinished        []batch    // of earlier runs
	targets           []compilers.Target
	answered          bool               // about any batch of this run
	inARow            int                // the last batches about which no compiler answered
	unansweredBatches int                // of this run, about which no compiler answered
	reason            string             // of the last of these
	blocks            map[string]*blocks // of finite kinds, by name
	flagPast          map[flagOf]yield
	flagDraws         int // for which flagPast was read, or older
}

// Start runs a hunt until its time or number is up, or ctx is cancelled, which
// is no error: the batches under way are run again next time. It returns what the
// hunt has come to, also with an error that ended it. That is a bug of our own
// (source.OurBug) if a program was wrong, wraps ErrLocked, ErrForeign, ErrDamaged,
// ErrMachine, ErrUnanswered or ErrNoCompilers, or says what could not be written.
// All that is recorded stays.
func Start(ctx context.Context, o *oracle.Oracle, opt Options) (sum *Summary, err error) {
	h := &hunt{Options: opt, oracle: o, targets: o.Targets, knows: map[string]bool{}, causes: causes{list: map[manner][]cause{}}, findings: filepath.Join(opt.Dir, corpus.FindingsDir)}
	if err := h.choosePlan(); err != nil {
		return nil, err
	}
	if _, err := inspect(opt.Dir); err != nil {
		return nil, err
	}
	if len(h.open()) == 0 {
		return nil, fmt.Errorf("nothing to hunt with: %s", strings.Join(h.leftOut(), "; "))
	}
	if err := makeDirs(opt.Dir); err != nil {
		return nil, err
	}
	unlock, err := lock(opt.Dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if h.store, err = openStore(opt.Dir); err != nil {
		return nil, h.explain(err)
	}
	defer func() { err = errors.Join(err, h.store.close()) }()
	if err := h.prepare(); err != nil {
		return nil, h.explain(fmt.Errorf("%s: %w", opt.Dir, err))
	}
	return h.hunt(ctx)
}

// prepare records that the run begins, and makes good what earlier ones left.
func (h *hunt) prepare() (err error) {
	if h.seed, err = h.store.seed(h.Seed); err != nil {
		return err
	}
	h.log = newLogger(h.Log, h.Rows)
	if err := h.confirmed(); err != nil {
		return err
	}
	r := Run{Version: reify.Version, Plan: h.Plan.Describe(), Compilers: installedOf(h.targets), Workers: h.Workers, Time: h.Time}
	if h.Only != "" {
		r.Plan += ", " + h.Only + " alone"
	}
	if h.run, err = h.store.beginRun(r); err != nil {
		return err
	}
	h.log.line(fmt.Sprintf("seed %d, plan %s, %s; %s, %s", h.seed, r.Plan, strings.Join(modes(h.configs()), " "), count(h.Workers, "worker"), r.toolchains()))
	for _, text := range h.leftOut() {
		h.log.line(text)
	}
	if err := reconcile(h.store, h.run, h.Dir, h.log.line); err != nil {
		return err
	}
	if err := errors.Join(h.learnAll(), h.learnCauses(), h.findBlocks()); err != nil {
		return err
	}
	if err := clearUnconfirmed(h.Dir); err != nil {
		return err
	}
	if h.Again {
		if err := h.store.again(); err != nil {
			return err
		}
	}
	if h.unfinished, err = h.store.resume(); err != nil {
		return err
	}
	for _, b := range h.unfinished {
		if b.sum != "" && b.input.Source == "" {
			h.log.line(fmt.Sprintf("the input of batch %d is damaged and is drawn again", b.number))
		}
	}
	if n := len(h.unfinished); n > 0 {
		h.log.line("goes on with what was not finished: " + count(n, "batch"))
	}
	return nil
}

// hunt runs the workers and the display.
func (h *hunt) hunt(ctx context.Context) (*Summary, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if h.Time > 0 {
		h.stopAt = time.Now().Add(h.Time)
		late := time.AfterFunc(h.Time+grace, func() { cancel(errLate) })
		defer late.Stop()
	}
	h.doing = make([]activity, h.Workers)
	var workers sync.WaitGroup
	for n := range h.Workers {
		workers.Go(func() {
			if err := h.work(ctx, &h.doing[n]); err != nil {
				cancel(err)
			}
		})
	}
	stopDisplay := h.display()
	workers.Wait()
	stopDisplay()
	if h.inARow > 0 && !h.answered {
		cancel(h.noAnswers())
	}
	return h.end(ctx)
}

// end records how the run ended. It returns the summary if that can be read, even if
// recording fails.
func (h *hunt) end(ctx context.Context) (*Summary, error) {
	why := "done"
	var failure error
	switch cause := context.Cause(ctx); {
	case cause == nil:
		failure = h.unanswered()
	case errors.Is(cause, context.Canceled), errors.Is(cause, context.DeadlineExceeded), errors.Is(cause, errLate):
		why = "stopped"
	default:
		failure = cause
	}
	if failure != nil {
		why = "failed: " + firstLine(failure.Error())
	}
	failure = errors.Join(failure, h.store.endRun(h.run, h.used(), why))
	sum, err := h.store.fullSummary(h.Dir)
	if sum != nil {
		sum.Running, sum.Now = false, []string{} // it was us
	}
	return sum, errors.Join(failure, err)
}

// unanswered returns the error of a run that came to its end and left batches open:
// those about which no compiler answered or, if it ended as there are as many as were
// asked for, all that are open.
func (h *hunt) unanswered() error {
	n, reason := int64(h.unansweredBatches), h.reason
	if (h.Seeds > 0 || h.exhausted()) && !h.over() {
		var err error
		if n, reason, err = h.store.unanswered(); err != nil {
			return err
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%w about %s; %s; the reason of one: %s", ErrUnanswered, count(n, "batch"), whenAgain, reason)
}

// whenAgain says when batches run again that are open.
var whenAgain = fmt.Sprintf("batches without an answer run again when the hunt goes on, %d times in all, and then with -again", mostTries)

// over tells whether the time is up.
func (h *hunt) over() bool { return !h.stopAt.IsZero() && time.Now().After(h.stopAt) }

// next returns a batch to run, or false if there is none any more.
func (h *hunt) next() (batch, bool, error) {
	if h.over() {
		return batch{}, false, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.unfinished) > 0 {
		b := h.unfinished[0]
		h.unfinished = h.unfinished[1:]
		return b, true, nil
	}
	kinds := h.open()
	if len(kinds) == 0 {
		return batch{}, false, fmt.Errorf("%w: none is left for the language of any kind", ErrNoCompilers)
	}
	return h.store.begin(h.run, h.Seeds, func(b *batch, past map[string]yield) (kind Kind, ok bool) {
		if kinds = h.goingOn(kinds); len(kinds) == 0 {
			return kind, false
		}
		if h.Mix != nil {
			kind = kinds[b.number%int64(len(kinds))]
		} else {
			kind = kinds[choose(kinds, past)]
		}
		b.kind = kind.Name
		b.input, ok = h.draw(kind, b.number)
		b.part = h.planFor(kind).part(h.seed, b.number, h.hunted(targetsFor(kind.Language, h.targets))).String()
		return kind, ok
	})
}

// planFor returns the plan for the batches of a kind: each block of a finite one is asked
// about once, so it is all of it where no other plan than the sample is named.
func (h *hunt) planFor(k Kind) Plan {
	if h.blocks[k.Name] != nil && h.Plan.name == sample {
		return fullPlan
	}
	return h.Plan
}

// choosePlan completes the plan for the compilers that are hunted, and checks it.
func (h *hunt) choosePlan() error {
	configs := h.configs()
	if len(configs) == 0 {
		return fmt.Errorf("no compiler %s is asked, only %s", h.Only, strings.Join(names(h.targets), ", "))
	}
	if h.Plan.rules == nil {
		h.Plan = defaultPlan(configs)
	}
	h.Plan = h.Plan.complete(configs)
	return h.Plan.check(configs)
}

// names returns the names of targets, with arguments.
func names(targets []compilers.Target) (list []string) {
	for _, t := range targets {
		list = append(list, t.ID().String())
	}
	return list
}

// hunted returns those of some targets whose bugs are looked for.
func (o Options) hunted(targets []compilers.Target) []compilers.Target { return Only(o.Only, targets) }

// Only returns those of some targets that Options.Only names.
func Only(name string, targets []compilers.Target) []compilers.Target {
	if name == "" {
		return targets
	}
	of := rule{who: name, exact: strings.Contains(name, " ")}
	return without(targets, func(t compilers.Target) bool { return !of.namesTarget(t.ID()) })
}

// configs returns the configurations whose bugs are looked for.
func (h *hunt) configs() []oracle.Config {
	return (&oracle.Oracle{Targets: h.hunted(h.oracle.Targets)}).Configs()
}

// chosen returns the kinds that the options ask for, of the languages of targets unless
// a mix names them.
func (o Options) chosen(targets []compilers.Target) []Kind {
	if o.Mix != nil {
		return o.Mix
	}
	return without(o.Kinds, func(k Kind) bool { return k.OffByDefault || len(targetsFor(k.Language, targets)) == 0 })
}

// open returns the kinds that batches can be begun of: the plan asks targets of
// their language, and some are left.
func (h *hunt) open() []Kind {
	configs := h.configs()
	return without(h.chosen(h.hunted(h.oracle.Targets)), func(k Kind) bool {
		return !h.Plan.asksAbout(k.Language, configs) || len(targetsFor(k.Language, h.hunted(h.targets))) == 0
	})
}

// leftOut says which kinds no batch is begun of, and why not, a line for each language.
func (h *hunt) leftOut() (lines []string) {
	hunted, configs := h.hunted(h.oracle.Targets), h.configs()
	left := map[string][]string{} // kinds by reason
	for _, k := range h.chosen(hunted) {
		why := ""
		switch {
		case len(targetsFor(k.Language, hunted)) == 0:
			why = fmt.Sprintf("no compiler for %s is asked", k.Language)
		case !h.Plan.asksAbout(k.Language, configs):
			why = fmt.Sprintf("the plan asks no compiler about some programs in %s", k.Language)
		default:
			continue
		}
		left[why] = append(left[why], k.Name)
	}
	for _, why := range slices.Sorted(maps.Keys(left)) {
		lines = append(lines, fmt.Sprintf("%s: %s left out: %s", why, count(len(left[why]), "kind"), strings.Join(left[why], ", ")))
	}
	return lines
}

// note records a line and shows it.
func (h *hunt) note(text string) error {
	h.log.line(text)
	return h.store.event(h.run, text)
}

// makeDirs makes the directory of a hunt, and that of its findings.
func makeDirs(dir string) error {
	d, err := safefile.Make(dir)
	if err != nil {
		return err
	}
	defer d.Close() // it stays
	findings, err := d.MakeSub(corpus.FindingsDir)
	if err != nil {
		return err
	}
	return findings.Close()
}

// targetsFor returns the targets of a language.
func targetsFor(language compilers.Language, all []compilers.Target) []compilers.Target {
	return without(all, func(t compilers.Target) bool { return t.Language() != language })
}

// giveUp removes targets that cannot be used any more.
func (h *hunt) giveUp(gone []compilers.Target) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.targets = without(h.targets, func(t compilers.Target) bool {
		return slices.ContainsFunc(gone, func(g compilers.Target) bool { return g.ID().Same(t.ID()) })
	})
}
