package oracle_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/subject"
)

// A question without an answer is no answer: what has failed is a suspicion that
// says what was lacking, or its configuration is to be asked again.
func TestNoAnswerIsNoFluke(t *testing.T) {
	const full = "No space left on device"
	none := compilers.Outcome{Message: full}
	crash := compilers.Outcome{Verdict: compilers.Crash}
	slow := compilers.Outcome{Verdict: compilers.SlowCompile}
	wrong := func(o compilers.Outcome) compilers.Outcome { o.Stdout = []byte("x\n"); return o }
	all := group("a", "b", "c")
	long := text{words: []string{"a", "b"}}
	for name, tt := range map[string]struct {
		subject subject.Subject
		// ax is what ax-1 does in the n-th question that it is asked fast, and other
		// what others do, after that many of these.
		ax        func(n int, words []string, o compilers.Outcome) compilers.Outcome
		other     func(id compilers.ID, n int, o compilers.Outcome) compilers.Outcome
		suspected []string // names
		doubt     string   // of the last
	}{
		"at first": {
			subject: all,
			ax:      func(int, []string, compilers.Outcome) compilers.Outcome { return none },
		},
		"at first, and then it fails": {
			subject: text{words: []string{"a"}},
			ax: func(n int, _ []string, o compilers.Outcome) compilers.Outcome {
				if n == 1 {
					return wrong(o)
				}
				return none
			},
			suspected: []string{"a"}, doubt: full,
		},
		"when it is confirmed": {
			subject: all,
			ax: func(n int, words []string, o compilers.Outcome) compilers.Outcome {
				if n == 3 { // after all and b
					return none
				}
				if slices.Contains(words, "b") {
					o.Stdout = []byte(strings.Replace(string(o.Stdout), "b", "x", 1))
				}
				return o
			},
			suspected: []string{"b"}, doubt: full,
		},
		"when it is isolated": {
			subject: all,
			ax: func(n int, _ []string, _ compilers.Outcome) compilers.Outcome {
				if n == 1 {
					return crash
				}
				return none
			},
			suspected: []string{"a b c"}, doubt: full,
		},
		"of one member": {
			subject: all,
			ax: func(n int, words []string, o compilers.Outcome) compilers.Outcome {
				switch {
				case n == 1:
					return crash
				case words[0] == "a":
					return none
				}
				return o
			},
			suspected: []string{"a b c"}, doubt: full,
		},
		"of one that was slow": {
			subject: long,
			ax: func(n int, _ []string, o compilers.Outcome) compilers.Outcome {
				if n == 1 {
					return slow
				}
				return none
			},
			suspected: []string{"a b"}, doubt: full,
		},
		"of all witnesses": {
			subject:   text{words: []string{"a"}},
			ax:        func(_ int, _ []string, o compilers.Outcome) compilers.Outcome { return wrong(o) },
			other:     func(compilers.ID, int, compilers.Outcome) compilers.Outcome { return none },
			suspected: []string{"a"}, doubt: full,
		},
		"of the witnesses that would contradict": {
			subject: text{words: []string{"a"}},
			ax:      func(_ int, _ []string, o compilers.Outcome) compilers.Outcome { return wrong(o) },
			other: func(id compilers.ID, _ int, o compilers.Outcome) compilers.Outcome {
				switch {
				case id.Args != nil && id.Family == "bx":
					o = wrong(o)
					o.Report = true
					return o
				case id.Args != nil:
					return none
				}
				return o
			},
			suspected: []string{"a"}, doubt: full,
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := standIns(t)
			n := 0
			last := 0
			for _, target := range slices.Concat(o.Targets, o.Sanitizers) {
				stand := target.(*standIn)
				stand.change = func(job compilers.Job, _ []string, right compilers.Outcome) compilers.Outcome {
					if stand.id.Name == "ax-1" && job.Mode == "fast" {
						if asked := len(*stand.asked); asked != last { // not when it runs
							n, last = n+1, asked
						}
						return tt.ax(n, strings.Fields(string(job.Files[0].Content)), right)
					}
					if tt.other != nil && n > 0 {
						return tt.other(stand.id, n, right)
					}
					return right
				}
			}
			o.Ask = func(target compilers.Target, _ compilers.Mode) bool { return target.ID().Name == "ax-1" }
			report, err := o.Check(t.Context(), tt.subject, 0)
			require.NoError(t, err)
			assert.Nil(t, report.Finding)
			assert.Equal(t, 1, report.Discarded)
			assert.Equal(t, 1, report.Unanswered)
			var suspected []string
			for _, f := range report.Suspicions {
				suspected = append(suspected, f.Subject.Name())
				assert.Contains(t, f.Doubt, tt.doubt)
				assert.Contains(t, string(entry(t, f).Format()), "witness: ")
			}
			assert.Equal(t, tt.suspected, suspected)
			assert.Contains(t, report.Discards[0], full)
		})
	}
}

// Nobody answers for a variant that cannot be tried: it is to be asked about again,
// not set aside.
func TestVariantWithoutAnswer(t *testing.T) {
	o, _ := standIns(t)
	o.Targets[2].(*standIn).change = func(compilers.Job, []string, compilers.Outcome) compilers.Outcome {
		return compilers.Outcome{Message: "no memory"}
	}
	report, err := o.Check(t.Context(), text{words: []string{"s~2"}, trust: subject.Agreed, seed: "s"}, 0)
	require.NoError(t, err)
	assert.Equal(t, 3, report.Unanswered)
	assert.Contains(t, report.Discards[0], "no memory")
}

// A replaced is a stand-in that was replaced.
type replaced struct {
	*standIn
	err error
}

func (r *replaced) Changed() error { return r.err }

// What a compiler says that was replaced in the meantime is told of no version.
func TestReplacedCompiler(t *testing.T) {
	for _, which := range []int{0, 2} { // the one that fails, and a witness
		o, _ := standIns(t)
		garbles(o.Targets[0], "fast", "a")
		was := &replaced{standIn: o.Targets[which].(*standIn)}
		o.Targets[which] = was
		report, err := o.Check(t.Context(), text{words: []string{"a"}}, 0)
		require.NoError(t, err)
		require.NotNil(t, report.Finding)
		was.err = errors.New("it was replaced")
		report, err = o.Check(t.Context(), text{words: []string{"a"}}, 0)
		require.NoError(t, err)
		assert.Nil(t, report.Finding)
		assert.Equal(t, 1, report.Unanswered)
		require.Len(t, report.Suspicions, 1)
		assert.Equal(t, "it was replaced", report.Suspicions[0].Doubt)
	}
}
