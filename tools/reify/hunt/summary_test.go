package hunt

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// someSummary is of a hunt that runs, with all that can be said.
func someSummary(now time.Time) *Summary {
	last, until := now.Add(-(2*time.Hour + 5*time.Minute + 30*time.Second)), now.Add(90*time.Minute+30*time.Second)
	return &Summary{
		Dir: "out/hunt", Seed: 1, Plan: "sample (all every 64; gcc -O1,-O2,-O3,-Os flags arch one; clang -O1,-O2,-O3,-Os flags arch one)", Running: true,
		Functions: 123456, Programs: 789, Compilations: 65432, Batches: 2100, Unfinished: 2, Discards: 3, Unconfirmed: 1, Notes: 1,
		Seconds: 11000, CPUSeconds: 20000, CompilerCPUSeconds: 17000,
		Findings: 14, Buckets: 4, KnownBuckets: 1, NewBuckets: 1, LastBucket: &last,
		ByBucket: []Bucket{
			{Fingerprint: "gcc 12.2.0; crash; -Os; ", Findings: 3, Saved: "crash-gcc-12-Os-0123456789abcdef", Title: "gcc-12 -Os: crash", Bucket: "gcc/crash/tree-vrp2/Os", Culprit: "gcc/crash/tree-vrp2"},
			{Fingerprint: "gcc 12.2.0; endless; -O1; ", Findings: 9, Known: "gcc/endless/tree-ivopts/O1"},
			{Fingerprint: "gcc 12.2.0; wrong-answer; -O2 -O3; ", Findings: 1, Saved: "wrong-answer-gcc-12-O2-0123456789abcdef", Title: "gcc-12 -march=x86-64-v4 -mprefer-vector-width=512 -fno-tree-loop-distribute-patterns -O2: wrong answer"},
			{Fingerprint: "clang 19.1.7; internal-error; -O2; cannot \x1b[31mselect: 0x55d0\nt1", Findings: 1, Saved: "internal-error-clang-19-O2-0123456789abcdef", Title: "clang-19 -O2: internal error: cannot \x1b[31mselect", New: true},
		},
		Now:        []string{"focused                  2s  gcc-12 -O2", "swarm-programs        1m05s  triage of internal-error-clang-19-O2-0123456789abcdef"},
		Unanswered: []Aside{{Batch: 7, Kind: "wild", Tries: 1, Reason: "gcc-12 -O3: not done after 31s, when the time was up"}},
		SetAside:   []Aside{{Batch: 3, Kind: "large", Tries: 3, Reason: "gcc-12 -m32 -O2: repro.c:12:3: error: No space left on device while writing the output of the assembler"}},
		Damaged:    []string{"the input of batch 5 is not what was recorded"},
		ByKind: []OfKind{
			{Name: "focused", Batches: 1500, Functions: 90000, CPUSeconds: 15000, Buckets: 3, Share: 0.5},
			{Name: "swarm-programs", Batches: 600, Functions: 33456, CPUSeconds: 5000, Buckets: 1, Share: 0.051},
		},
		ByCompiler: []Count{{"clang-19", 1, 1}, {"gcc-12", 12, 2}, {"gcc-12 -march=x86-64-v4 -mprefer-vector-width=512 -fno-tree", 1, 1}},
		Cells: &Cells{Blocks: 7, NotMade: 12, Targets: []OfTarget{
			{Name: "clang-19", Asked: 1988, Right: 1900, Wrong: 7, Rejected: 81},
			{Name: "gcc-12 -march=x86-64-v4 -mprefer-vector-width=512", Asked: 1988, Right: 1976, Wrong: 12, Unexplained: 3},
		}},
		Flags: []Flag{{Family: "gcc", Flag: "-march=x86-64-v4", Batches: 20, CPUSeconds: 100, Buckets: 1}, {Family: "gcc", Flag: "-fgcse", Batches: 1}},
		Runs:  []Past{{Seconds: 3725, Until: &until}, {Seconds: 7275}},
	}
}

// What people see, in terminals of two widths.
func TestScreens(t *testing.T) {
	for _, width := range []int{80, 120} {
		s := someSummary(time.Now())
		s.Width = width
		var text strings.Builder
		require.NoError(t, s.Write(&text))
		got := text.String() + "\n=== the display of a hunt\n\n" + strings.Join(s.page(3, false).lines, "\n") + "\n"
		for line := range strings.Lines(got) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), width, line)
		}
		assert.NotContains(t, got, "\x1b")
		golden := filepath.Join("testdata", fmt.Sprintf("screen-%d.txt", width))
		if *update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		assert.Equal(t, string(want), got)
	}
	var text strings.Builder
	require.NoError(t, (&Summary{Dir: "d", Seed: 1}).Write(&text))
	assert.True(t, strings.HasPrefix(text.String(), "d: not running, 0s in 0 runs, seed 1\nno findings\n\nfunctions"), text.String())
}

func TestSummaryCountsRuns(t *testing.T) {
	for n, want := range map[int]string{0: "in 0 runs,", 1: "in 1 run,", 2: "in 2 runs,", pastRuns: "in 10 runs or more,"} {
		var text strings.Builder
		require.NoError(t, (&Summary{Runs: make([]Past, n)}).Write(&text))
		assert.Contains(t, text.String(), want)
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 5400 * time.Millisecond: "5s", 65 * time.Second: "1m05s", 2*time.Hour + 5*time.Minute + 59*time.Second: "2h05m", 30 * time.Hour: "30h00m",
	} {
		assert.Equal(t, want, span(d))
	}
}
