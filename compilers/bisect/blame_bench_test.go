package bisect

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/corpus"
)

// jobOf returns the job of a reproducer in its mode.
func jobOf(e *corpus.Entry) compilers.Job {
	job := compilers.Job{Want: []byte(e.Want), Mode: e.Mode, Extra: e.Flags}
	for _, f := range e.Files() {
		job.Files = append(job.Files, compilers.File(f))
	}
	return job
}

// BenchmarkBlame blames each finding of the corpus whose compiler is gcc and is
// here, then tries every flag of the level and every pass alone, and says whether
// what was blamed is among what mends the program. It takes some ten minutes of
// CPU; with the flag blame-only it does not try all, and takes one or two.
func BenchmarkBlame(b *testing.B) {
	files := corpus.LoadDir("../../corpus")
	require.NotEmpty(b, files)
	var sum score
	for _, file := range files {
		require.NoError(b, file.Err)
		if e := file.Entry; e.Verdict != corpus.Untested && e.Family == "gcc" {
			b.Run(strings.TrimSuffix(filepath.Base(file.Path), ".txtar"), func(b *testing.B) {
				for b.Loop() {
					sum.blame(b, e)
				}
			})
		}
	}
	if len(sum.taken) == 0 {
		b.Fatal("no finding could be blamed")
	}
	slices.Sort(sum.taken)
	fmt.Printf("%d findings; flags right for %d of %d, passes for %d of %d; median %.1f s of CPU, at most %.1f s\n",
		len(sum.taken), sum.flags, sum.haveFlags, sum.passes, sum.havePasses,
		sum.taken[len(sum.taken)/2].Seconds(), sum.taken[len(sum.taken)-1].Seconds())
}

var blameOnly = flag.Bool("blame-only", false, "BenchmarkBlame does not try each flag and pass alone")

// A score counts how often a blame was right, of those findings that a single
// flag or pass mends.
type score struct {
	flags, haveFlags   int
	passes, havePasses int
	taken              []time.Duration
}

// blame blames a finding and counts.
func (s *score) blame(b *testing.B, e *corpus.Entry) {
	env := compilers.EnvFrom(os.Environ())
	env.CC = e.Compiler
	found, _, err := targets.Find(b.Context(), env)
	if err != nil {
		b.Skipf("NOT BLAMED: %v", err)
	}
	ws, err := compilers.NewWorkspace(b.TempDir())
	require.NoError(b, err)
	defer ws.Close()
	limits := compilers.DefaultLimits()
	limits.CompileWall, limits.RunWall = time.Minute, time.Minute // on a busy machine
	job := jobOf(e)
	t := NewTest(found[0], ws, job, limits, compilers.Test(b.Context(), found[0], ws, job, limits))
	before := compilers.SelfCPU() + compilers.ChildrenCPU()
	blame, err := Find(b.Context(), t)
	cpu := compilers.SelfCPU() + compilers.ChildrenCPU() - before
	if blame == nil {
		b.Fatalf("%v: %v", err, t.first)
	}
	s.taken = append(s.taken, cpu)
	b.ReportMetric(cpu.Seconds(), "cpu-s")
	b.ReportMetric(float64(blame.Tests), "tests")
	line := fmt.Sprintf("%v; cut %v, error %v", blame, blame.Cut, err)
	if !*blameOnly {
		flags, passes := exhaustive(b, t)
		line += fmt.Sprintf("\nflags: %s\npasses: %s", strings.Join(flags, " "), strings.Join(passes, " "))
		if len(flags) > 0 {
			s.haveFlags++
			if len(blame.Flags) == 1 && slices.Contains(flags, blame.Flags[0]) {
				s.flags++
			} else {
				line += "\nNOT AMONG THE FLAGS"
			}
		}
		if len(passes) > 0 {
			s.havePasses++
			if slices.Contains(passes, blame.Pass) {
				s.passes++
			} else {
				line += "\nNOT AMONG THE PASSES"
			}
		}
	}
	b.Log(line)
}

// exhaustive returns the flags and passes that mend the program alone.
func exhaustive(tb testing.TB, t *Test) (flags, passes []string) {
	all, err := t.gccEnabled(tb.Context(), t.job.Mode)
	require.NoError(tb, err)
	on, err := t.gccPasses(tb.Context())
	require.NoError(tb, err)
	t.cpu = -time.Hour // no bound
	for _, flag := range all {
		if t.ask(tb.Context(), flag) == right {
			flags = append(flags, flag)
		}
	}
	for _, pass := range on {
		if t.ask(tb.Context(), disable(pass)...) == right {
			passes = append(passes, pass)
		}
	}
	return flags, passes
}
