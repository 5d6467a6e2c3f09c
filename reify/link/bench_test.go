package link_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/link"
	"goreify/reify/solve/search"
)

// functions is the size of the programs that are measured.
const functions = 10

// emit writes a program as C and returns how many bytes that is.
func emit(p *link.Linked, s *choice.Stream) int {
	n := 0
	for _, f := range c.EmitProgram(p.IR, p.Answers, c.DrawProgramStyle(s, p.IR)) {
		n += len(f.Text)
	}
	return n
}

// A tally sums up what the programs of a benchmark are like.
type tally struct {
	programs, calls, sites, bytes int
	start                         time.Duration
}

// cpu returns the CPU time that the process has taken: other work on the
// machine does not count.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (t *tally) add(p *link.Linked, bytes int) {
	t.programs++
	t.calls += p.Calls
	t.sites += p.Sites
	t.bytes += bytes
}

// fresh returns leaves that are not linked. The time that takes does not count.
func (t *tally) fresh(b *testing.B, pool []*link.Leaf) []*link.Leaf {
	before := cpu(b)
	list := link.Fresh(pool)
	t.start += cpu(b) - before
	return list
}

func (t *tally) report(b *testing.B) {
	b.StopTimer()
	n := float64(t.programs)
	b.ReportMetric(n/(cpu(b)-t.start).Seconds(), "programs/cpu-s")
	b.ReportMetric(float64(t.calls)/n, "calls/program")
	b.ReportMetric(float64(t.sites)/n, "sites/program")
	b.ReportMetric(float64(t.bytes)/n, "bytes/program")
}

// BenchmarkProgramFresh makes ten functions from bytes, links them, has the
// interpreter run the program, and writes it as C.
func BenchmarkProgramFresh(b *testing.B) {
	for _, bench := range []struct {
		name      string
		configure func(reify.Recipe) reify.Config
	}{{"drawn", drawn}, {"small", small}, {"paper", paper}} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			t := tally{start: cpu(b)}
			for b.Loop() {
				all := made(b, uint64(t.programs*functions*2), functions, bench.configure)
				s := choice.New(choice.Derive(uint64(t.programs), "link"))
				p, err := link.Link(all, link.DefaultOptions(), s)
				require.NoError(b, err)
				t.add(p, emit(p, s))
			}
			t.report(b)
		})
	}
}

// BenchmarkProgramPool does the same with functions that there are already.
func BenchmarkProgramPool(b *testing.B) {
	for _, bench := range []struct {
		name      string
		configure func(reify.Recipe) reify.Config
	}{{"drawn", drawn}, {"small", small}, {"paper", paper}} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			pool := made(b, 1, 200, bench.configure)
			s := choice.New([]byte("pool"))
			t := tally{start: cpu(b)}
			for b.Loop() {
				for i := range functions {
					j := s.Range(i, len(pool)-1)
					pool[i], pool[j] = pool[j], pool[i]
				}
				p, err := link.Link(t.fresh(b, pool[:functions]), link.DefaultOptions(), s)
				require.NoError(b, err)
				t.add(p, emit(p, s))
			}
			t.report(b)
		})
	}
}

func paper(reify.Recipe) reify.Config { return reify.DefaultConfig() }

func drawn(r reify.Recipe) reify.Config {
	_, conf := r.Plan()
	return conf
}

// small is what seven of eight recipes draw.
func small(r reify.Recipe) reify.Config {
	conf := drawn(r)
	for seed := uint64(1); conf.Graph.Blocks > 9; seed++ {
		conf = drawn(reify.FromSeed(seed))
	}
	return conf
}

// made returns n leaves from the seeds from seed on.
func made(t testing.TB, seed uint64, n int, configure func(reify.Recipe) reify.Config) []*link.Leaf {
	var all []*link.Leaf
	for ; len(all) < n; seed++ {
		r := reify.FromSeed(seed)
		k, err := reify.Make(fmt.Sprintf("f%d", len(all)), r, configure(r), search.Engine{})
		if err != nil {
			continue
		}
		l, err := link.NewLeaf(k.Claims()...)
		require.NoError(t, err)
		all = append(all, l)
	}
	return all
}
