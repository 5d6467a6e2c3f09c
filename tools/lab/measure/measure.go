// Package measure runs the generator and counts: what it costs, how often it
// succeeds, and what its functions are like. For
//
//	r, err := measure.Run(ctx, measure.Options{Recipes: 1000, Configure: ..., Solver: search.Engine{}})
//
// r.Rate is the number of functions made per second of CPU time. All of the process is
// charged, user and system, the garbage collector included, from the bytes of a recipe
// to the C of its function, on one core; the interpreter verifies every case inside
// reify.Make. Only the counting itself is not charged. The counts depend on the options
// alone; times and memory depend on the machine.
package measure

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"time"

	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/solve"
)

// TimeLimit is the paper's limit for one function (section 5.2). Nothing is
// stopped by it here.
const TimeLimit = 3 * time.Second

// Options say what to measure.
type Options struct {
	Config    string // name of the configuration, for the result
	Recipes   int    // at least 1
	Seed      uint64 // number of the first recipe
	Configure func(reify.Recipe) reify.Config
	Solver    solve.Solver
	MinPath   int    // functions with fewer blocks on their path are not counted
	Progress  func() // called after each recipe, not charged; may be nil
}

// Run makes the functions of the recipes and returns what was counted. It runs
// on one core: meanwhile GOMAXPROCS is 1. The error is the context's, or says
// what broke: a configuration out of bounds, or a generator bug.
func Run(ctx context.Context, o Options) (*Result, error) {
	return run(ctx, o, clocks{processCPU, threadCPU})
}

func run(ctx context.Context, o Options, clock clocks) (*Result, error) {
	defer oneCore()()
	var t tally
	charged := meter{clocks: clock}
	var slowest time.Duration
	r := &Result{Recipes: o.Recipes, Seed: o.Seed, MinPath: o.MinPath, Engine: o.Solver.Name(), Config: o.Config}
	made, slow := 0, 0
	charged.start()
	for i := range o.Recipes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		seed := o.Seed + uint64(i)
		before := clock.process()
		k, source, err := produce(seed, o.Configure, o.Solver)
		took := clock.process() - before
		charged.pause()
		switch {
		case err == nil:
			made++
			t.made(k)
			if len(k.Path) >= o.MinPath {
				err = t.add(k, source)
			}
		case errors.Is(err, solve.ErrUnsat):
			t.failed(err)
			r.Unsat++
			err = nil
		case errors.Is(err, solve.ErrUnknown):
			t.failed(err)
			r.Unknown++
			err = nil
		}
		if err != nil {
			return nil, err
		}
		if took > slowest {
			slowest, r.SlowestSeed = took, seed
		}
		if took > TimeLimit {
			slow++
		}
		if o.Progress != nil {
			o.Progress()
		}
		charged.resume()
	}
	cpu, mallocs, bytes := charged.stop()
	t.fill(r)
	r.Success = ratio(made, o.Recipes)
	r.Timeout = ratio(slow, o.Recipes)
	r.CPUSeconds = cpu.Seconds()
	r.Rate = per(r.Functions, cpu)
	r.MaxCPU = float64(slowest) / float64(time.Millisecond)
	r.GCPercent = gcPercent()
	r.Allocs = float64(mallocs) / float64(max(r.Functions, 1))
	r.Bytes = float64(bytes) / float64(max(r.Functions, 1))
	return r, nil
}

// produce goes from the number of a recipe to C.
func produce(seed uint64, configure func(reify.Recipe) reify.Config, s solve.Solver) (*reify.Case, string, error) {
	recipe := reify.FromSeed(seed)
	k, err := reify.Make(functionName, recipe, configure(recipe), s)
	if err != nil {
		return nil, "", err
	}
	return k, c.Emit([]c.Unit{c.Unit{Claim: k.Claim, Style: c.DrawStyle(recipe.Style()), More: k.More}.Watched(interp.Stored)}), nil
}

// functionName is a name that C leaves alone.
const functionName = "f"

// oneCore locks the goroutine to its thread and the program to one core, so that the
// collector does not use cores that would be idle otherwise. The function that it
// returns undoes this.
func oneCore() (restore func()) {
	runtime.LockOSThread()
	procs := runtime.GOMAXPROCS(1)
	runtime.GC() // what came before is not ours to collect
	return func() {
		runtime.GOMAXPROCS(procs)
		runtime.UnlockOSThread()
	}
}

// A meter counts the CPU time of the process, without that of its own thread
// while paused. The collector works on other threads, or where memory is
// allocated, so that it is charged even then.
type meter struct {
	clocks
	from, paused, since time.Duration
	mem                 runtime.MemStats
}

func (m *meter) start() {
	runtime.ReadMemStats(&m.mem)
	m.from = m.process()
}

func (m *meter) pause() { m.since = m.thread() }

func (m *meter) resume() { m.paused += m.thread() - m.since }

// stop returns the CPU time charged, and the objects and bytes allocated since
// the start.
func (m *meter) stop() (cpu time.Duration, mallocs, bytes uint64) {
	cpu = m.process() - m.from - m.paused
	before := m.mem
	runtime.ReadMemStats(&m.mem)
	return cpu, m.mem.Mallocs - before.Mallocs, m.mem.TotalAlloc - before.TotalAlloc
}

// Long returns c changed such that paths are to have at least the given number
// of blocks: loops repeat, and their statements update what they read. Graphs
// that have no loop on the way to the exit still end sooner.
func Long(c reify.Config, blocks int) reify.Config {
	c.MinLen = blocks
	c.Path.MaxLen = max(c.Path.MaxLen, blocks+blocks/4)
	c.Path.Sticky = 95
	c.Sketch.SelfUpdate = 80
	return c
}

func ratio(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// per returns how many things there are to a second.
func per(n int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// gcPercent returns the setting of the garbage collector, which can only be
// read by setting it.
func gcPercent() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}
