package oracle_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/oracle"
	"goreify/reify/source/function"
	"goreify/reify/source/program"
	"goreify/reify/subject"
)

// Of a group the guilty members are found, by what the output or the target says
// of them if it does, and with as few questions as that allows.
func TestIsolation(t *testing.T) {
	all := group("a", "b", "c", "d", "e", "f")
	gone := func(named ...string) compilers.Outcome {
		return compilers.Outcome{Verdict: compilers.InternalError, Message: "gone", Named: named}
	}
	crash := compilers.Outcome{Verdict: compilers.Crash}
	wrong := func(o compilers.Outcome, word string) compilers.Outcome {
		o.Stdout = bytes.ReplaceAll(o.Stdout, []byte(word), []byte("x"))
		return o
	}
	for name, tt := range map[string]struct {
		group  subject.Group
		change func(words []string, o compilers.Outcome) compilers.Outcome
		found  string
		others []string
		asked  []string // after the whole, and before the finding is asked about again
	}{
		"wrong lines": {
			all, func(_ []string, o compilers.Outcome) compilers.Outcome { return wrong(wrong(o, "c"), "e") },
			"c", []string{"e"}, []string{"c"},
		},
		"named": {
			all, func(words []string, o compilers.Outcome) compilers.Outcome {
				if slices.Contains(words, "d") {
					return gone("main", "d")
				}
				return o
			},
			"d", []string{"a", "b", "c", "e", "f"}, []string{"d"},
		},
		"another named": {
			all, func(words []string, o compilers.Outcome) compilers.Outcome {
				if slices.Contains(words, "d") {
					return gone("a")
				}
				return o
			},
			"d", []string{"a", "b", "c", "e", "f"}, []string{"a", "a b c", "d e f", "d"},
		},
		"nobody named": {
			all, func(words []string, o compilers.Outcome) compilers.Outcome {
				if slices.Contains(words, "e") {
					return gone()
				}
				return o
			},
			"e", []string{"a", "b", "c", "d", "f"}, []string{"a b c", "d e f", "d", "e f", "e"},
		},
		"only together": {
			all, func(words []string, o compilers.Outcome) compilers.Outcome {
				if slices.Contains(words, "b") {
					return wrong(o, "e")
				}
				return o
			},
			"b e", nil,
			[]string{"e", "d e f", "a b c", "b c d e f", "c d e f", "b d e f", "b e f", "b f", "b e"},
		},
		"a crash of one that cannot be chosen": {
			all, func(words []string, o compilers.Outcome) compilers.Outcome {
				if slices.Contains(words, "b") {
					return crash
				}
				return o
			},
			"b", []string{"a", "c", "d", "e", "f"}, []string{"a", "b"},
		},
		"a crash of one that can": {
			choosy{all}, func(words []string, o compilers.Outcome) compilers.Outcome {
				if slices.Contains(words, "b") && strings.Contains(string(o.Stdout), "b") {
					return crash
				}
				return o
			},
			"b", nil, []string{"b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, log := standIns(t)
			o.Sanitizers = nil
			o.Targets[2].(*standIn).change = func(job compilers.Job, _ []string, right compilers.Outcome) compilers.Outcome {
				if job.Mode != "fast" {
					return right
				}
				return tt.change(strings.Fields(string(job.Files[0].Content)), right)
			}
			report, err := o.Check(t.Context(), tt.group, 0)
			require.NoError(t, err)
			require.NotNil(t, report.Finding, "%v", report.Discards)
			assert.Equal(t, tt.found, report.Finding.Subject.Name())
			assert.Equal(t, tt.others, report.Others)
			var asked []string
			for _, line := range *log {
				if program, ok := strings.CutPrefix(line, "bx-1 fast: "); ok {
					asked = append(asked, program)
				}
			}
			assert.Equal(t, slices.Concat([]string{tt.group.Name()}, tt.asked, []string{tt.found}), asked)
		})
	}
}

// sabotaged returns an oracle for C of which bx-1 is changed in its fast mode,
// and what that was asked in it.
func sabotaged(t *testing.T, change func(compilers.Job, compilers.Outcome) compilers.Outcome) (*oracle.Oracle, func() []compilers.Job) {
	o, _ := standIns(t)
	o.Sanitizers = nil
	var asked []compilers.Job
	for _, target := range o.Targets {
		target.(*standIn).language = compilers.C
	}
	guilty := o.Targets[2].(*standIn)
	guilty.asked = &asked
	guilty.change = func(job compilers.Job, _ []string, right compilers.Outcome) compilers.Outcome {
		if job.Mode != "fast" {
			return right
		}
		return change(job, right)
	}
	return o, func() []compilers.Job {
		return slices.DeleteFunc(asked, func(job compilers.Job) bool { return job.Mode != "fast" })
	}
}

// The functions that a target names, or whose lines are wrong, are those of the
// batch.
func TestIsolationOfBatches(t *testing.T) {
	batch := cases(t, 5)
	for name, tt := range map[string]struct {
		change func(compilers.Job, compilers.Outcome) compilers.Outcome
		found  int
		others []string
	}{
		"a wrong line": {func(_ compilers.Job, o compilers.Outcome) compilers.Outcome {
			o.Stdout = bytes.ReplaceAll(o.Stdout, []byte("f3 "), []byte("f3 1"))
			return o
		}, 3, nil},
		"named": {func(job compilers.Job, o compilers.Outcome) compilers.Outcome {
			if bytes.Contains(job.Files[0].Content, []byte(" test_f4(")) {
				return compilers.Outcome{Verdict: compilers.InternalError, Message: "gone", Named: []string{"main", "test_f4"}}
			}
			return o
		}, 4, []string{"f0", "f1", "f2", "f3"}},
	} {
		t.Run(name, func(t *testing.T) {
			o, asked := sabotaged(t, tt.change)
			report, err := o.Check(t.Context(), batch, 0)
			require.NoError(t, err)
			require.NotNil(t, report.Finding, "%v", report.Discards)
			found := report.Finding.Subject.(*function.Batch)
			require.Len(t, found.Cases, 1)
			assert.Same(t, batch.Cases[tt.found], found.Cases[0])
			assert.Equal(t, tt.others, report.Others)
			assert.Len(t, asked(), 3, "the batch, the function alone, and again to confirm")
		})
	}
}

// The same holds for programs that are joined. A wrong answer of all together
// tells nothing, so each is asked about.
func TestIsolationOfPrograms(t *testing.T) {
	seeds := function.Seeds{Profile: "focus", First: 1, Count: 3}
	s, err := program.Source{}.Make(t.Context(), function.Encode(program.Name, seeds))
	require.NoError(t, err)
	joined := s.(*program.Joined)
	guilty := joined.Members()[1]
	// A function of the second program, as it is called where all are joined.
	named := "p1_" + guilty.(*program.Program).Linked.IR.Funcs[0].Name
	contains := func(job compilers.Job) bool {
		return bytes.Equal(job.Want, joined.Artefact().Want) || bytes.Equal(job.Want, guilty.Artefact().Want)
	}
	for name, tt := range map[string]struct {
		outcome compilers.Outcome
		others  []string
		asked   int
	}{
		"named": {
			compilers.Outcome{Verdict: compilers.InternalError, Message: "gone", Named: []string{"main", named}},
			[]string{"program-0", "program-2"}, 3,
		},
		"wrong": {
			compilers.Outcome{Verdict: compilers.WrongAnswer, Stdout: []byte("0\n")},
			[]string{"program-0", "program-2"}, 4, // the first program, too
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, asked := sabotaged(t, func(job compilers.Job, right compilers.Outcome) compilers.Outcome {
				if contains(job) {
					return tt.outcome
				}
				return right
			})
			report, err := o.Check(t.Context(), joined, 0)
			require.NoError(t, err)
			require.NotNil(t, report.Finding, "%v", report.Discards)
			assert.Same(t, guilty, report.Finding.Subject)
			assert.Equal(t, tt.others, report.Others)
			jobs := asked()
			assert.Equal(t, joined.Artefact().Want, jobs[0].Want)
			// Beside these, the clues of a program are other files with its answer.
			alone := 0
			for _, job := range jobs {
				if slices.EqualFunc(job.Files, guilty.Artefact().Files, func(a, b compilers.File) bool { return bytes.Equal(a.Content, b.Content) }) {
					alone++
				}
			}
			assert.Equal(t, 2, alone, "alone, and again to confirm")
			others := len(slices.DeleteFunc(jobs, contains))
			assert.Equal(t, tt.asked, 1+alone+others)
		})
	}
}
