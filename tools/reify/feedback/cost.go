package feedback

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// Functions is how many a batch of CostJobs has, as many as FuzzReify's.
const Functions = 16

// CostLevels are the levels at which the cost of listening is measured.
var CostLevels = []string{"-O2", "-O3"}

// mostShare is what listening may cost, in parts of a compilation.
var mostShare = map[compilers.Family]float64{compilers.GCC: 0.03, compilers.Clang: 0.15}

// A Cost is what it costs to listen to a toolchain at a level.
type Cost struct {
	Toolchain compilers.Toolchain
	Level     string
	Apart     bool          // each function by itself, as hunts listen to gcc
	Batches   int           // that compiled both ways
	Off, On   time.Duration // median CPU time of compiling a batch without and with
	// Share is the median over the batches of how much longer it took with, in
	// parts; Low and High are the quartiles, which tell how far to trust it.
	Share, Low, High float64
}

// CostJobs returns n batches of functions like those that FuzzReify makes. The
// error is a *reify.GeneratorBug.
func CostJobs(n int) ([]compilers.Job, error) {
	var jobs []compilers.Job
	for seed := range uint64(n) {
		r := reify.FromSeed(seed)
		_, config := r.Plan()
		var cases []*reify.Case
		for i := 0; len(cases) < Functions; i++ {
			k, err := reify.Make(fmt.Sprintf("f%d", i), r.Nth(i), config, search.Engine{})
			if solve.Unsolved(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			cases = append(cases, k)
		}
		units := oracle.Units(cases)
		jobs = append(jobs, compilers.Job{Source: []byte(c.Emit(units)), Want: []byte(c.Want(units))})
	}
	return jobs, nil
}

// CostOptions say what is compiled, and by whom.
type CostOptions struct {
	Toolchains []compilers.Toolchain
	Levels     []string
	Jobs       []compilers.Job // see CostJobs
	Turns      int             // so often each is compiled without listening, and with
	Space      *compilers.Workspace
	Limits     compilers.Limits
	Log        io.Writer // jobs that were left out, and why
}

// MeasureCost compiles each job with each toolchain at each level, without
// listening and with, in turn. The quickest of the turns counts: whatever else
// the machine does only adds to what a compilation takes. A job that does not
// compile both ways is left out. The time is the CPU time of the compiler and,
// since we read what it says, of this process, in which nothing else should run.
func MeasureCost(ctx context.Context, opt CostOptions) ([]Cost, error) {
	var costs []Cost
	var times []pairs
	for _, t := range opt.Toolchains {
		for _, level := range opt.Levels {
			costs, times = append(costs, Cost{Toolchain: t, Level: level}), append(times, pairs{})
			if t.Family == compilers.GCC { // clang tells functions apart in any case
				costs, times = append(costs, Cost{Toolchain: t, Level: level, Apart: true}), append(times, pairs{})
			}
		}
	}
	var failed error
	for n, job := range opt.Jobs {
		for i, cost := range costs {
			job.Level, job.Apart = cost.Level, cost.Apart
			off, on, err := opt.both(ctx, cost.Toolchain, job)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				failed = fmt.Errorf("%v %s: %w", cost.Toolchain, cost.Level, err)
				fmt.Fprintf(opt.Log, "feedback: batch %d is left out: %v\n", n, failed)
			default:
				times[i].add(off, on)
			}
		}
	}
	for i := range costs {
		if len(times[i].off) == 0 {
			return nil, errors.Join(fmt.Errorf("no batch compiled with %v %s", costs[i].Toolchain, costs[i].Level), failed)
		}
		times[i].into(&costs[i])
	}
	return costs, nil
}

// both returns the least CPU time of compiling a job without listening, and with.
// Which comes first changes from turn to turn.
func (opt CostOptions) both(ctx context.Context, t compilers.Toolchain, job compilers.Job) (off, on time.Duration, err error) {
	least := map[bool]time.Duration{}
	for turn := range opt.Turns {
		for _, job.Listen = range []bool{turn%2 == 0, turn%2 != 0} {
			spent, err := compile(ctx, t, opt.Space, job, opt.Limits)
			if err != nil {
				return 0, 0, err
			}
			if old, ok := least[job.Listen]; !ok || spent < old {
				least[job.Listen] = spent
			}
		}
	}
	return least[false], least[true], nil
}

// compile returns the CPU time of compiling a job, without that of a linker which
// is called directly.
func compile(ctx context.Context, t compilers.Toolchain, space *compilers.Workspace, job compilers.Job, limits compilers.Limits) (time.Duration, error) {
	before, err := own()
	if err != nil {
		return 0, err
	}
	binary, out := t.Build(ctx, space, job, limits)
	after, err := own()
	switch {
	case out.Verdict != compilers.OK:
		return 0, errors.New(out.String())
	case out.Unheard != nil:
		err = out.Unheard
	}
	return out.CompileCPU + after - before, errors.Join(err, space.Remove(binary))
}

// own returns the CPU time of this process, its children not counted.
func own() (time.Duration, error) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err
}

// pairs are the times of the same batches without and with listening.
type pairs struct{ off, on []time.Duration }

func (p *pairs) add(off, on time.Duration) {
	p.off, p.on = append(p.off, off), append(p.on, on)
}

// into sets what the times, of which there is at least one pair, come to.
func (p pairs) into(c *Cost) {
	var ratios []float64
	for i, off := range p.off {
		ratios = append(ratios, float64(p.on[i])/float64(max(off, 1)))
	}
	c.Batches, c.Off, c.On = len(p.off), quantile(p.off, 0.5), quantile(p.on, 0.5)
	c.Low, c.Share, c.High = quantile(ratios, 0.25)-1, quantile(ratios, 0.5)-1, quantile(ratios, 0.75)-1
}

// quantile returns what the part q of a list is not above, between two of its
// elements if need be: the median for 0.5.
func quantile[T time.Duration | float64](list []T, q float64) T {
	sorted := slices.Sorted(slices.Values(list))
	at := q * float64(len(sorted)-1)
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + T((at-float64(below))*float64(sorted[above]-sorted[below]))
}

// CostTable writes what listening costs, and beside it what it may cost.
func CostTable(w io.Writer, costs []Cost) error {
	fmt.Fprintf(w, "listening to the optimiser: CPU time of compiling %d functions, medians of the same batches without and with\n", Functions)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "compiler\tlevel\tbatches\twithout ms\twith ms\tshare\tquartiles\twanted\t")
	for _, c := range costs {
		level := c.Level
		if c.Apart {
			level += " by function"
		}
		fmt.Fprintf(tw, "%v\t%s\t%d\t%.1f\t%.1f\t%.1f %%\t%.1f to %.1f %%\tat most %.0f %%\t\n", c.Toolchain, level, c.Batches,
			c.Off.Seconds()*1000, c.On.Seconds()*1000, 100*c.Share, 100*c.Low, 100*c.High, 100*mostShare[c.Toolchain.Family])
	}
	return tw.Flush()
}
