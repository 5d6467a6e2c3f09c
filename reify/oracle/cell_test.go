package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/oracle"
	"goreify/reify/subject"
)

// celled is a group of words that are cells: the key of "rot.1" is "rot".
type celled struct{ texts }

func cells(words ...string) celled { return celled{group(words...)} }

func (g celled) Cell(member int) subject.Cell {
	name := g.words[member]
	key, _, _ := strings.Cut(name, ".")
	return subject.Cell{Name: name, Key: key}
}

func (g celled) Members() (list []subject.Subject) {
	for _, w := range g.words {
		list = append(list, cells(w))
	}
	return list
}

func (g celled) Only(members ...int) (subject.Subject, error) {
	var words []string
	for _, i := range members {
		words = append(words, g.words[i])
	}
	return cells(words...), nil
}

// failing are the members of failures, with what explains them.
func failing(list []oracle.Failure) (texts []string) {
	for _, f := range list {
		text := f.Member + " " + f.Verdict.String()
		if f.Doubted {
			text += " doubted"
		}
		texts = append(texts, strings.TrimSpace(text+" "+f.Finding))
	}
	return texts
}

// A cell that is settled is not looked into. Of those that are not, the first is, and
// the others are named.
func TestCells(t *testing.T) {
	all := cells("rot.1", "rot.2", "shl.1", "shl.2", "add.1")
	for name, tt := range map[string]struct {
		bad         []string
		verdict     compilers.Verdict
		alone       bool // one family is asked
		found       string
		cells, open []string
		others      []string
		whole       int // how often the whole was asked about, or what was left of it
	}{
		"settled and not": {
			[]string{"rot.1", "rot.2", "shl.1", "shl.2"}, compilers.WrongAnswer, false,
			"shl.1", []string{"rot.1 wrong-answer F", "rot.2 wrong-answer F"}, []string{"shl.2 wrong-answer"}, []string{"shl.2"}, 1,
		},
		"all settled": {
			[]string{"rot.1", "rot.2"}, compilers.WrongAnswer, false,
			"", []string{"rot.1 wrong-answer F", "rot.2 wrong-answer F"}, nil, nil, 1,
		},
		"settled, of a compiler that gave up": {
			[]string{"rot.2"}, compilers.InternalError, false,
			"", []string{"rot.2 internal-error F"}, nil, []string{"rot.1", "shl.1", "shl.2", "add.1"}, 1,
		},
		"a new one, of a compiler that gave up": {
			[]string{"shl.2"}, compilers.InternalError, false,
			"shl.2", nil, nil, []string{"rot.1", "rot.2", "shl.1", "add.1"}, 1,
		},
		"suspected, since nobody else is asked": {
			[]string{"add.1", "rot.1"}, compilers.Rejected, true,
			"", []string{"rot.1 rejected F", "add.1 rejected doubted"}, nil, []string{"rot.2", "shl.1", "shl.2"}, 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, log := standIns(t)
			o.Sanitizers = nil
			if tt.alone {
				o.Targets = o.Targets[2:]
			}
			target := o.Targets[len(o.Targets)-1].(*standIn)
			target.change = func(job compilers.Job, _ []string, out compilers.Outcome) compilers.Outcome {
				words := strings.Fields(string(job.Files[0].Content))
				var named []string
				for i, w := range words {
					if slices.Contains(tt.bad, w) {
						named, words[i] = append(named, w), "x"
					}
				}
				if named == nil || job.Mode != "fast" && !tt.alone {
					return out
				}
				if tt.verdict == compilers.WrongAnswer {
					out.Stdout = []byte(strings.Join(words, "\n") + "\n")
					return out
				}
				return compilers.Outcome{Verdict: tt.verdict, Message: "no", Named: named}
			}
			o.Settled = func(f *oracle.Failure) bool {
				if f.Cell.Key != "rot" {
					return false
				}
				f.Finding = "F"
				return true
			}
			report, err := o.Check(t.Context(), all, 0)
			require.NoError(t, err)
			found := ""
			if report.Finding != nil {
				found = report.Finding.Subject.Name()
			}
			assert.Equal(t, tt.found, found)
			assert.Equal(t, tt.cells, failing(report.Cells))
			assert.Equal(t, tt.open, failing(report.Open))
			assert.Equal(t, tt.others, report.Others)
			assert.Zero(t, report.Discarded, "%v", report.Discards)
			whole := 0
			for _, line := range *log {
				if program, ok := strings.CutPrefix(line, "bx-1 fast: "); ok && strings.Contains(program, " ") {
					whole++
				}
				assert.NotContains(t, strings.SplitAfter(line, ": ")[1:], "rot.1", "it was looked into")
			}
			assert.Equal(t, tt.whole, whole)
		})
	}
}
