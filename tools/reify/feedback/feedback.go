// Package feedback measures what it is worth that the fuzzing engine hears the
// compilers: it fuzzes for so much CPU time with REIFY_FEEDBACK on and off, from
// the same seeds and with the same random numbers, and counts the distinct
// optimisation events that the inputs reached, and the bugs found.
//
//	go test -c -fuzz ─binary→ run on, run off, … ─Result→ Table
//
// A result is a file of a directory, so that several processes or machines may
// share the runs, and one that was interrupted goes on.
//
// Listening is needed to count, so a run that is off listens, too, which costs
// it what fuzzing without feedback would not spend; it gets that much more time.
package feedback

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"goreify/compilers/events/beacon"
	"goreify/reify"
)

// listening is the share of its CPU time that a run that is off gets on top:
// about what listening to clang costs, more than listening to gcc does.
const listening = 0.12

// Options say what is fuzzed, and for how long.
type Options struct {
	Module  string        // directory of the module, with corpus and testdata
	Binary  string        // the test binary, see Build
	Target  string        // FuzzReify
	Time    time.Duration // CPU time of a run, compilers included
	Repeats int           // runs of each of Modes
	Modes   []bool        // true for on, false for off; both if there are none
	Seed    int           // of the engine's random numbers, in the first of them
	Dir     string        // that of the results
	Log     io.Writer     // what is going on
}

// Build builds the test binary of the module with the engine's counters.
func Build(ctx context.Context, module, target, binary string, tags ...string) error {
	args := []string{"test", "-c", "-fuzz=^" + target + "$", "-o", binary, "-tags", strings.Join(tags, ","), "."}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w: %s", cmd.Args, err, out)
	}
	return nil
}

// A Result is what came of a run.
type Result struct {
	Version string // of the generator
	Target  string
	Time    time.Duration // asked for
	On      bool
	Seed    int             // of the engine's random numbers
	CPU     time.Duration   // that it took
	Events  map[string]bool // distinct ones
	Kept    int             // inputs that the engine kept
	Bugs    int             // reproducers with a new fingerprint
}

// Measure makes the runs, on and off in turn, but those whose results are in the
// directory, and returns all results that are there then. It is an error if one
// of them is of another target, time or version of the generator.
func Measure(ctx context.Context, opt Options) ([]Result, error) {
	if _, err := readResults(opt); err != nil {
		return nil, err
	}
	for seed := opt.Seed; seed < opt.Seed+opt.Repeats; seed++ {
		for _, on := range []bool{seed%2 != 0, seed%2 == 0} {
			if len(opt.Modes) > 0 && !slices.Contains(opt.Modes, on) {
				continue
			}
			name := filepath.Join(opt.Dir, fmt.Sprintf("%s-%d.json", word(on), seed))
			if _, err := os.Stat(name); err == nil {
				continue
			}
			r, err := run(ctx, opt, on, seed)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(opt.Log, "feedback %s, seed %d: %d events, %d inputs kept, %d bugs in %.0f s of CPU\n", word(on), r.Seed, len(r.Events), r.Kept, r.Bugs, r.CPU.Seconds())
			if err := writeJSON(name, r); err != nil {
				return nil, err
			}
		}
	}
	return readResults(opt)
}

func word(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// run fuzzes in a directory of its own. REIFY_GO_ON keeps a finding from ending
// the engine, which when it is started again first executes all that it has
// kept. What still ends it with a failing input, such as a finding that could
// not be saved, has it started again all the same until the time is up.
func run(ctx context.Context, opt Options, on bool, seed int) (Result, error) {
	dir, err := os.MkdirTemp("", "feedback-"+word(on)+"-*")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(dir)
	seeds := filepath.Join("testdata", "fuzz", opt.Target)
	for _, sub := range []string{"corpus", seeds} {
		if err := copyDir(filepath.Join(opt.Module, sub), filepath.Join(dir, sub)); err != nil {
			return Result{}, err
		}
	}
	before, err := count(filepath.Join(dir, "corpus", "*"))
	if err != nil {
		return Result{}, err
	}
	budget := opt.Time
	if !on {
		budget += time.Duration(listening * float64(budget))
	}
	r := Result{Version: reify.Version, Target: opt.Target, Time: opt.Time, On: on, Seed: seed}
	for start := 0; r.CPU < budget; start++ {
		spent, err := fuzz(ctx, opt, dir, on, seed+1000*start, budget-r.CPU)
		r.CPU += spent
		if err != nil {
			return r, err
		}
	}
	if r.Events, err = distinctLines(filepath.Join(dir, "events")); err != nil {
		return r, err
	}
	if r.Kept, err = count(filepath.Join(dir, "cache", opt.Target, "*")); err != nil {
		return r, err
	}
	after, err := count(filepath.Join(dir, "corpus", "*"))
	if err != nil {
		return r, err
	}
	r.Bugs = after - before
	return r, passOn(opt.Log, filepath.Join(dir, beacon.ToldFile))
}

// passOn writes what the engine's workers told, but findings, which are counted.
func passOn(w io.Writer, told string) error {
	lines, err := distinctLines(told)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		if !strings.HasPrefix(line, "FAIL") {
			fmt.Fprint(w, "feedback: ", line)
		}
	}
	return err
}

// fuzz runs the engine until it ends or has used its CPU time, and returns what
// it has used. That it ends before, other than with a failing input, is an
// error.
func fuzz(ctx context.Context, opt Options, dir string, on bool, seed int, budget time.Duration) (time.Duration, error) {
	cmd := exec.Command(opt.Binary, "-test.run=^$", "-test.fuzz=^"+opt.Target+"$", "-test.fuzzminimizetime=0x", "-test.parallel=1",
		"-test.fuzzcachedir="+filepath.Join(dir, "cache"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), beacon.FeedbackVar+"="+word(on), beacon.EventsVar+"="+filepath.Join(dir, "events"), beacon.GoOnVar+"=on", "GODEBUG=fuzzseed="+strconv.Itoa(seed))
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			if err == nil || !strings.Contains(out.String(), "Failing input written to") {
				err = errors.Join(errors.New("the engine ended too early"), err)
				return used, fmt.Errorf("%w: %s", err, out.String())
			}
			return used, nil
		case <-tick.C:
			used, err := cpu(cmd.Process.Pid)
			if err != nil || used < budget { // it may have ended just now
				continue
			}
		case <-ctx.Done():
		}
		// The engine's workers end with it, and their compilers with them.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		used, _ := cpu(cmd.Process.Pid)
		<-ended
		return max(used, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), budget), ctx.Err()
	}
}

// Table writes the results; and if there are runs on and off, how many events
// there were with feedback for each one without, and in either of two runs with
// the same seed, which is not much more if events run out.
func Table(w io.Writer, results []Result) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "feedback\tseed\tCPU s\tevents\tinputs kept\tbugs\t")
	events := map[bool]int{}
	either := map[int]map[string]bool{}
	for _, r := range results {
		fmt.Fprintf(tw, "%s\t%d\t%.0f\t%d\t%d\t%d\t\n", word(r.On), r.Seed, r.CPU.Seconds(), len(r.Events), r.Kept, r.Bugs)
		events[r.On] += len(r.Events)
		if either[r.Seed] == nil {
			either[r.Seed] = map[string]bool{}
		}
		maps.Copy(either[r.Seed], r.Events)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if len(events) < 2 {
		return nil
	}
	if events[false] == 0 {
		return errors.New("no events without feedback: nothing to compare with")
	}
	all := 0
	for _, heard := range either {
		all += len(heard)
	}
	off := float64(events[false])
	_, err := fmt.Fprintf(w, "events on : off = %.2f (wanted: at least 1.2), of either : off = %.2f\n", float64(events[true])/off, float64(all)/off)
	return err
}
