package oracle_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// needs has a stand-in take some CPU time for a word: to run it or, if it is an engine or
// compiles, to build it. It meets the limit if that is less.
func needs(s *standIn, o compilers.Outcome, took time.Duration, compiles, engine bool) compilers.Outcome {
	limit, verdict, spent := s.limits.RunCPU, compilers.Endless, &o.RunCPU
	switch {
	case engine:
		limit, spent = limit+s.limits.CompileCPU, &o.CompileCPU
	case compiles:
		limit, verdict, spent = s.limits.CompileCPU, compilers.SlowCompile, &o.CompileCPU
	}
	if *spent = took; took > limit {
		o.Verdict, o.Stdout, *spent = verdict, nil, limit
	}
	return o
}

// A trainer is a stand-in for an engine that trains functions.
type trainer struct{ *standIn }

func (trainer) Training(compilers.Mode) []string { return []string{"train"} }

// What is slow is told from what does not end, and what is slow in the reference mode
// that does as much from both.
func TestTime(t *testing.T) {
	const endless = time.Hour
	for name, tt := range map[string]struct {
		took, reference, trained time.Duration
		compiles, wrong          bool
		keep                     bool // it is not let run for longer
		finding                  string
		why                      string
	}{
		"endless":                     {took: endless, finding: "endless"},
		"endless compilation":         {took: endless, compiles: true, finding: "slow-compile"},
		"slow":                        {took: 5 * time.Second, why: "b is slow, and ends after 5.0 s of CPU time"},
		"slow compilation":            {took: 9 * time.Second, compiles: true, why: "b is slow, and ends after 9.0 s of CPU time"},
		"slow, of a known bucket":     {took: 5 * time.Second, keep: true, finding: "endless"},
		"slow, and then wrong":        {took: 5 * time.Second, wrong: true, finding: "wrong-answer"},
		"heavy":                       {took: endless, reference: 200 * time.Millisecond, why: "b is too heavy: ax-1 slow takes 0.20 s of CPU time, of a limit of 1s"},
		"heavy to compile":            {took: endless, reference: 300 * time.Millisecond, compiles: true, why: "b is too heavy: ax-1 slow takes 0.30 s of CPU time, of a limit of 2s"},
		"too heavy for all":           {took: endless, reference: endless, why: "b is too heavy: no reference mode ends in a tenth of the limit; ax-1 slow: endless"},
		"trained":                     {took: endless, trained: 10 * time.Millisecond, finding: "endless"},
		"heavy for who was trained":   {took: endless, trained: time.Second, why: "b is too heavy: ax-1 slow takes 1.00 s of CPU time, of a limit of 3s"},
		"trained in vain":             {took: endless, trained: endless, why: "b is too heavy: no reference mode ends in a tenth of the limit; ax-1 slow: endless"},
		"slow for one who is trained": {took: 20 * time.Second, trained: 10 * time.Millisecond, why: "b is slow, and ends after 20.0 s of CPU time"},
	} {
		t.Run(name, func(t *testing.T) {
			o, log := standIns(t)
			for i, target := range o.Targets {
				stand := target.(*standIn)
				if tt.trained > 0 {
					o.Targets[i] = trainer{stand}
				}
				stand.change = func(job compilers.Job, _ []string, right compilers.Outcome) compilers.Outcome {
					took := tt.reference
					switch {
					case !slices.Contains(strings.Fields(string(job.Files[0].Content)), "b"):
						return right
					case slices.Contains(job.Extra, "train"):
						took = tt.trained
					case job.Mode == "fast" && stand.id.Name == "ax-1":
						took = tt.took
						if tt.wrong {
							right.Stdout = []byte("x\n")
						}
					case job.Mode == "fast":
						return right
					}
					return needs(stand, right, took, tt.compiles, tt.trained > 0)
				}
			}
			o.Ask = func(target compilers.Target, _ compilers.Mode) bool { return target.ID().Name == "ax-1" }
			o.Lasting = func(*oracle.Finding) bool { return !tt.keep }
			report, err := o.Check(t.Context(), group("a", "b", "c"), 0)
			require.NoError(t, err)
			assert.Empty(t, report.Suspicions)
			assert.Zero(t, report.Unanswered)
			if tt.finding == "" {
				require.Nil(t, report.Finding, "%v", report.Finding)
				require.Len(t, report.Discards, 1)
				assert.Contains(t, report.Discards[0], tt.why)
				assert.Less(t, len(*log), 20)
				return
			}
			require.NotNil(t, report.Finding, "%v", report.Discards)
			assert.Equal(t, []string{"b", tt.finding}, []string{report.Finding.Subject.Name(), report.Finding.Outcome.Verdict.String()})
			if !tt.keep && !tt.wrong {
				assert.Contains(t, report.Finding.Witnesses, corpus.Witness{Who: "ax-1 fast (10 times the limit)", Said: tt.finding})
			}
		})
	}
}

// A first question is asked in haste. What is right in more time is right, hides nothing
// that is wrong, and the next configuration is given that time.
func TestHaste(t *testing.T) {
	for name, wrong := range map[string]bool{"right": false, "wrong": true} {
		t.Run(name, func(t *testing.T) {
			o, _ := standIns(t)
			var limits []time.Duration
			for _, target := range o.Targets {
				stand := target.(*standIn)
				stand.change = func(job compilers.Job, _ []string, right compilers.Outcome) compilers.Outcome {
					if limits = append(limits, stand.limits.RunCPU); job.Mode != "fast" {
						return right
					}
					out := string(right.Stdout)
					if wrong && stand.id.Name == "ax-1" {
						right.Stdout = []byte(strings.Replace(out, "c", "x", 1))
					}
					if !strings.Contains(out, "b") {
						return right
					}
					return needs(stand, right, 300*time.Millisecond, false, false)
				}
			}
			report, err := o.Check(t.Context(), choosy{group("a", "b", "c")}, 0)
			require.NoError(t, err)
			assert.Empty(t, report.Suspicions)
			assert.Equal(t, 100*time.Millisecond, slices.Min(limits[1:]))
			if wrong {
				require.NotNil(t, report.Finding)
				assert.Equal(t, []string{"c", "wrong-answer"}, []string{report.Finding.Subject.Name(), report.Finding.Outcome.Verdict.String()})
				assert.Equal(t, []string{"b"}, report.Others)
				return
			}
			assert.Equal(t, 3, report.Asked, "%v", report.Discards)
			assert.Equal(t, time.Second, limits[len(limits)-1], "of the last configuration")
		})
	}
}
