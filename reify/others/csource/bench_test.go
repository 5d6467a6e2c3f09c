package csource_test

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/others/csource"
)

// cpu returns the CPU time that the process has taken: other work on the
// machine does not count.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// variants measures how many variants of the same program are made.
func variants(b *testing.B, edits func(s *choice.Stream) []csource.Edit, p *csource.Program) {
	start, made := cpu(b), 0
	for n := uint64(0); b.Loop(); n++ {
		list := edits(choice.From(n))
		made += len(list)
		p.Apply(list)
	}
	b.ReportMetric(float64(b.N)/(cpu(b)-start).Seconds(), "variants/CPU-s")
	b.ReportMetric(float64(made)/float64(b.N), "edits/variant")
}

// seed returns a csmith program, as if every third of its outermost statements
// were dead.
func seed(b *testing.B) (*csource.Program, []uint32) {
	text, err := csource.Preprocess("seed.c", csmith(b, 1), csource.LP64, os.DirFS("/usr/include/csmith"))
	require.NoError(b, err)
	p, err := csource.Parse("seed.c", text, csource.LP64)
	require.NoError(b, err)
	hits := make([]uint32, len(p.Stmts))
	s := choice.From(1)
	for i := 0; i < len(hits); i = p.Stmts[i].Next {
		if s.Intn(3) == 0 {
			continue
		}
		for j := i; j < p.Stmts[i].Next; j++ {
			hits[j] = uint32(s.Intn(4)) // some of what it holds is dead, too
		}
	}
	return p, hits
}

func BenchmarkPrune(b *testing.B) {
	p, hits := seed(b)
	variants(b, func(s *choice.Stream) []csource.Edit { return csource.Prune(p, hits, csource.Orion, s) }, p)
}

func BenchmarkInsert(b *testing.B) {
	p, hits := seed(b)
	variants(b, func(s *choice.Stream) []csource.Edit { return csource.Insert(p, hits, csource.Options{}, s) }, p)
}

func BenchmarkGuard(b *testing.B) {
	p, hits := seed(b)
	rows := rowsOf(p.Points(hits))
	variants(b, func(s *choice.Stream) []csource.Edit { return csource.Guard(p, rows, csource.Options{}, s) }, p)
}

func BenchmarkParse(b *testing.B) {
	p, _ := seed(b)
	start := cpu(b)
	for b.Loop() {
		_, err := csource.Parse("seed.c", p.Text, p.Model)
		require.NoError(b, err)
	}
	b.ReportMetric((cpu(b)-start).Seconds()*1000/float64(b.N), "CPU-ms/program")
}

func BenchmarkPreprocess(b *testing.B) {
	text := csmith(b, 1)
	start := cpu(b)
	for b.Loop() {
		_, err := csource.Preprocess("seed.c", text, csource.LP64, os.DirFS("/usr/include/csmith"))
		require.NoError(b, err)
	}
	b.ReportMetric((cpu(b)-start).Seconds()*1000/float64(b.N), "CPU-ms/program")
}

func BenchmarkParseSmall(b *testing.B) {
	start := cpu(b)
	for b.Loop() {
		_, err := csource.Parse("a.c", []byte(snippets[1]), csource.LP64)
		require.NoError(b, err)
	}
	b.ReportMetric((cpu(b)-start).Seconds()*1000/float64(b.N), "CPU-ms/program")
}
