package hunt

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/oracle"
	"goreify/reify/source"
)

// The benchmarks print tables, each figure with the one that is wanted, and
// take minutes: make bench WHAT=hunt.
var (
	command   = flag.String("command", "", "path of the command that is measured")
	benchTime = flag.Duration("hunt-time", 2*time.Minute, "time of BenchmarkHunt")
	bugTime   = flag.Duration("bug-time", 5*time.Minute, "CPU time of BenchmarkBugs for each seed")
)

// rounds is how often what is compared takes turns: machines change their
// minds.
const rounds = 3

// BenchmarkHunt measures what a hunt costs beside what it asks compilers to do.
func BenchmarkHunt(b *testing.B) {
	length := *benchTime
	printLoad(b)
	usual := newMeasured(b)
	usual.run(b, length)
	fmt.Printf("the hunt as it is by default, %v: %d functions, %d batches\n", length, usual.sum.Functions, usual.sum.Batches)
	row("share of CPU inside compilers", "%.1f %%", "at least 97 %", 100*usual.sum.CompilerCPUSeconds/usual.sum.CPUSeconds)
	row("resident memory after a tenth of the time", "%.0f MB", "", usual.rss[len(usual.rss)/10])
	row("resident memory at the end", "%.0f MB", "flat, at most 500 MB in 10 minutes", usual.rss[len(usual.rss)-1])

	// A hunt begins once, not in each round. Programs are left out: what a user
	// would compile of them is not one file a batch.
	const functions = "focused,mixed,large"
	hunted := -(rounds - 1) * newMeasured(b).run(b, time.Nanosecond)
	one := newMeasured(b)
	var bare time.Duration
	for range rounds {
		hunted += one.run(b, length/rounds, "-workers", "1", "-mix", functions)
		bare += one.bare(b)
	}
	fmt.Printf("one worker, %d batches of functions\n", one.sum.Batches)
	row("CPU of the hunt : of bare commands", "%.3f", "at most 0.9", hunted.Seconds()/bare.Seconds())
	fmt.Printf("  %.1f s : %.1f s; %.1f %% of the former inside compilers; %d findings were looked into\n",
		hunted.Seconds(), bare.Seconds(), 100*one.sum.CompilerCPUSeconds/one.sum.CPUSeconds, one.sum.Findings)

	rates := map[string]float64{}
	for _, workers := range []string{"1", "2"} {
		m := newMeasured(b)
		m.env = append(m.env, "REIFY_CC=gcc") // small steps make the rate exact
		for range rounds {
			m.run(b, length/2/rounds, "-workers", workers, "-mix", "focused", "-plan", "all -O2")
			rates[workers] = max(rates[workers], m.rate)
		}
	}
	printLoad(b)
	fmt.Printf("functions a second with gcc -O2, best of %d rounds: one worker %.1f, two %.1f\n", rounds, rates["1"], rates["2"])
	require.True(b, rates["1"] > 0 && rates["2"] > 0, "NOT measured: too few batches were done; a longer BENCHTIME is needed")
	row("two workers : one", "%.2f", "at least 1.9 on two idle cores", rates["2"]/rates["1"])
}

// BenchmarkBugs counts what is found in gcc-12 in so much CPU time, from an
// empty directory.
func BenchmarkBugs(b *testing.B) {
	budget := *bugTime
	var counts, first []float64
	for seed := 1; seed <= 5; seed++ {
		m := newMeasured(b)
		m.env, m.budget = append(m.env, "REIFY_CC=gcc-12"), budget
		m.run(b, 0, "-seed", strconv.Itoa(seed))
		var at []string
		for _, bucket := range m.sum.ByBucket {
			if bucket.CPUSeconds <= budget.Seconds() {
				at = append(at, fmt.Sprintf("%.1f", bucket.CPUSeconds/60))
			}
		}
		counts = append(counts, float64(len(at)))
		if len(at) > 0 {
			first = append(first, m.sum.ByBucket[0].CPUSeconds/60)
		}
		fmt.Printf("seed %d: %d different confirmed bugs among %d functions, after CPU minutes %s\n",
			seed, len(at), m.sum.Functions, cmp.Or(strings.Join(at, " "), "-"))
	}
	slices.Sort(counts)
	slices.Sort(first)
	row(fmt.Sprintf("different bugs of gcc-12 in %v of CPU, median", budget), "%.0f", "at least 15 in 1h", counts[len(counts)/2])
	const name, wanted = "CPU minutes to the first, median", "at most 3"
	if median := len(counts) / 2; len(first) > median { // those without any come last
		row(name, "%.1f", wanted, first[median])
	} else {
		fmt.Printf("  %-48s %-12s (wanted: %s)\n", name, "none found", wanted)
	}
}

// row prints a figure beside the one that is wanted.
func row(name, format, wanted string, figure float64) {
	if wanted != "" {
		wanted = "(wanted: " + wanted + ")"
	}
	fmt.Printf("  %-48s %-12s %s\n", name, fmt.Sprintf(format, figure), wanted)
}

func printLoad(b *testing.B) {
	text, err := os.ReadFile("/proc/loadavg")
	require.NoError(b, err)
	load, _, _ := strings.Cut(string(text), " ")
	fmt.Printf("load %s on %d cores\n", load, runtime.NumCPU())
}

// A measured is a hunt, run by the command.
type measured struct {
	dir    string
	env    []string
	budget time.Duration // of CPU: it is interrupted when that is spent; 0 is none
	done   []string      // batches whose bare commands have run

	// Of the last run:
	sum  Summary
	rss  []float64 // resident megabytes, every interval
	rate float64   // functions a second, from the first batch that ended to the last
}

func newMeasured(b *testing.B) *measured {
	return &measured{dir: filepath.Join(b.TempDir(), "hunt"), env: os.Environ()}
}

// interval is how often a hunt is looked at.
const interval = 100 * time.Millisecond

// run runs the hunt and returns the CPU time, user and system, of all of it.
func (m *measured) run(b *testing.B, length time.Duration, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(*command, append([]string{"hunt", "-json", "-o", m.dir, "-time", length.String()}, args...)...)
	cmd.Env = m.env
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	require.NoError(b, cmd.Start(), "-command %s", *command)
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	err := m.watch(b, cmd.Process, length, ended)
	if found := new(exec.ExitError); errors.As(err, &found) && found.ExitCode() == 1 {
		err = nil // a finding
	}
	require.NoError(b, err, "%s", &log)
	m.sum = Summary{}
	require.NoError(b, json.Unmarshal(out.Bytes(), &m.sum), "%s", &log)
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// watch looks at a hunt until it has ended, and interrupts it when it has used
// up its budget. What is finished when the time is up does not count for the
// rate: workers that are done wait for others then.
func (m *measured) watch(b *testing.B, p *os.Process, length time.Duration, ended <-chan error) error {
	m.rss, m.rate = nil, 0
	up := time.Now().Add(length)
	var first time.Time     // that the number of functions was seen to change
	var atFirst, seen int64 // functions
	began := false
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			require.NotEmpty(b, m.rss, "it was over at once")
			return err
		case now := <-tick.C:
			if mb, ok := resident(p.Pid); ok {
				m.rss = append(m.rss, mb)
			}
			sum, err := Read(m.dir)
			if err != nil || !sum.Running {
				continue // it has not begun yet
			}
			if began && sum.Functions > seen && now.Before(up) {
				if first.IsZero() {
					first, atFirst = now, sum.Functions
				}
				if span := now.Sub(first); span >= length/2 { // else it is not exact
					m.rate = float64(sum.Functions-atFirst) / span.Seconds()
				}
			}
			began, seen = true, sum.Functions
			if m.budget > 0 && sum.CPUSeconds >= m.budget.Seconds() {
				_ = p.Signal(os.Interrupt) // unless it has just ended
			}
		}
	}
}

// resident returns the megabytes that a process has in memory.
func resident(pid int) (float64, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.Atoi(fields[1])
	return float64(pages*os.Getpagesize()) / 1e6, err == nil && pages > 0
}

// bare runs the commands that a user would type for the batches that have been
// done since the last call, one after another from a shell, and returns their
// CPU time.
func (m *measured) bare(b *testing.B) time.Duration {
	b.Helper()
	found, isNamed, err := targets.Find(b.Context(), compilers.EnvFrom(m.env))
	require.NoError(b, err)
	space, err := compilers.NewWorkspace(b.TempDir())
	require.NoError(b, err)
	defer space.Close()
	o, err := oracle.New(b.Context(), space, found, isNamed)
	require.NoError(b, err)
	dir := b.TempDir()
	var script strings.Builder
	for _, line := range query(b, m.dir, `SELECT number || '|' || kind || '|' || part || '|' || source || '|' || version || '|' || hex(data)
		FROM batches JOIN inputs ON batch = number WHERE done = 1 ORDER BY number`) {
		if slices.Contains(m.done, line) {
			continue
		}
		m.done = append(m.done, line)
		words := strings.Split(line, "|")
		data, err := hex.DecodeString(words[5])
		require.NoError(b, err)
		kind, ok := findKind(Kinds(), words[1])
		require.True(b, ok, line)
		s, err := kind.Source.Make(b.Context(), source.Input{Source: words[3], Version: words[4], Data: data})
		require.NoError(b, err)
		file := filepath.Join(dir, words[0]+".c")
		require.NoError(b, os.WriteFile(file, s.Artefact().Files[0].Content, 0o600))
		part, err := ParsePlan(words[2])
		require.NoError(b, err)
		for _, c := range o.Configs() {
			if part.asks(c) {
				fmt.Fprintf(&script, "%v -w %s -o %s\n", c, file, strings.TrimSuffix(file, ".c"))
			}
		}
	}
	require.NotEmpty(b, script.String(), "no batch was done: it takes longer")
	cmd := exec.Command("sh")
	cmd.Stdin = strings.NewReader(script.String())
	_ = cmd.Run() // a compiler may well fail
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
