package oracle_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/oracle"
	"goreify/reify/subject"
)

// A known variant is of a seed whose answer was recorded.
type known struct{ text }

func (k known) Artefact() subject.Artefact {
	a := k.text.Artefact()
	a.Want = []byte(printed(k.words))
	return a
}

// A lenient stand-in can fill variables and forgive.
type lenientStandIn struct{ *standIn }

func (l lenientStandIn) With(...string) compilers.Target { return l }
func (lenientStandIn) Filled() []string                  { return []string{"fill-0", "fill-1"} }
func (lenientStandIn) Forgiving() []string               { return []string{"forgive"} }

// A rule says what a stand-in makes of programs.
type rule struct {
	who, mode, word string
	extra           string // of the job, or empty for whatever that is
	out             compilers.Outcome
}

var wrong = compilers.Outcome{Verdict: compilers.OK, Stdout: []byte("garbled\n")} // until it is compared

// follow has the targets and sanitizers do what the first rule says that fits.
func follow(o *oracle.Oracle, rules []rule) {
	for i, t := range slices.Concat(o.Targets, o.Sanitizers) {
		s := t.(*standIn)
		s.change = func(job compilers.Job, _ []string, right compilers.Outcome) compilers.Outcome {
			for _, r := range rules {
				if r.who == s.id.String() && r.mode == job.Mode && r.word == strings.TrimSpace(string(job.Files[0].Content)) &&
					(r.extra == "" || slices.Contains(job.Extra, r.extra)) {
					if r.out.Verdict == compilers.OK && r.out.Stdout == nil {
						return right
					}
					return r.out
				}
			}
			return right
		}
		if i < len(o.Targets) {
			o.Targets[i] = lenientStandIn{s}
		}
	}
}

// A failure of a variant whose seed is known counts only if nothing speaks against
// the variant.
func TestStrictly(t *testing.T) {
	report := compilers.Outcome{Verdict: compilers.WrongAnswer, Report: true, Message: "undefined behaviour"}
	crash := compilers.Outcome{Verdict: compilers.Crash}
	rejected := compilers.Outcome{Verdict: compilers.Rejected}
	slow := compilers.Outcome{Verdict: compilers.SlowCompile, CompileCPU: 5 * time.Second}
	const ax, bx, axCheck, bxCheck = "ax-2", "bx-1", "ax-2 check", "bx-1 check"
	fails := rule{bx, "fast", "s~2", "", wrong}
	for name, tt := range map[string]struct {
		rules    []rule
		change   func(o *oracle.Oracle)
		doubt    string // of a suspicion; else it is a finding
		contrary string // the contradiction
		ours     bool
	}{
		"nothing speaks against it":   {rules: []rule{fails}},
		"the seed fails, too":         {rules: []rule{fails, {bx, "fast", "s", "", wrong}}, doubt: "bx-1 fast is not right about the seed either"},
		"one does not optimise":       {rules: []rule{fails, {"ax-1", "slow", "s~2", "", wrong}}, doubt: "ax-1 slow is not content"},
		"one family":                  {rules: []rule{fails}, change: func(o *oracle.Oracle) { o.Targets = o.Targets[2:] }, doubt: "of two families to be content"},
		"no sanitizers":               {rules: []rule{fails}, change: func(o *oracle.Oracle) { o.Sanitizers = nil }, doubt: "sanitizers of two families"},
		"a sanitizer's program dies":  {rules: []rule{fails, {bxCheck, "slow", "s~2", "", crash}}, doubt: "bx-1 check slow is not content"},
		"one sanitizer objects":       {rules: []rule{fails, {axCheck, "slow", "s~2", "", report}}, doubt: "ax-2 check reports undefined behaviour, and bx-1 check runs it without"},
		"both object to the edit":     {rules: []rule{fails, {axCheck, "slow", "s~2", "", report}, {bxCheck, "slow", "s~2", "", report}}, contrary: "undefined behaviour", ours: true},
		"both object to the seed too": {rules: []rule{fails, {axCheck, "slow", "s~2", "", report}, {bxCheck, "slow", "s~2", "", report}, {axCheck, "slow", "s", "", report}}, contrary: "undefined behaviour"},
		"a fill matters":              {rules: []rule{{ax, "slow", "s~2", "fill-1", wrong}, fails}, doubt: "with fill-1 ax-2 slow says wrong-answer"},
		"one does not know a fill":    {rules: []rule{{ax, "slow", "s~2", "fill-1", rejected}, fails}},
		"types of pointers matter":    {rules: []rule{{bx, "fast", "s~2", "forgive", compilers.Outcome{Verdict: compilers.OK}}, fails}, doubt: "forgive mends it"},
		"an internal error": {rules: []rule{{bx, "fast", "s~2", "", compilers.Outcome{Verdict: compilers.InternalError, Message: "x"}},
			{axCheck, "slow", "s~2", "", report}}},
		"slower than its seed": {rules: []rule{{bx, "fast", "s~2", "", slow}}},
		"its seed is slow":     {rules: []rule{{bx, "fast", "s~2", "", slow}, {bx, "fast", "s", "", slow}}, doubt: "and its seed 5.0 s"},
		"rejected":             {rules: []rule{{bx, "fast", "s~2", "", rejected}}, doubt: "may be right to reject"},
	} {
		t.Run(name, func(t *testing.T) {
			o, log := standIns(t)
			follow(o, tt.rules)
			if tt.change != nil {
				tt.change(o)
			}
			got, err := o.Check(t.Context(), known{variant()}, 0)
			assert.Contains(t, (*log)[0], " fast: s~2", "nobody is asked before it fails")
			if tt.contrary != "" {
				var c *oracle.Contradiction
				require.ErrorAs(t, err, &c)
				assert.Contains(t, c.Error(), tt.contrary)
				assert.Equal(t, tt.ours, c.Ours())
				return
			}
			require.NoError(t, err)
			if tt.doubt == "" {
				require.NotNil(t, got.Finding, "%v", got.Discards)
				assert.Equal(t, "bx-1 fast", got.Finding.Config.String())
				return
			}
			assert.Nil(t, got.Finding)
			require.NotEmpty(t, got.Suspicions)
			assert.Contains(t, got.Suspicions[0].Doubt, tt.doubt)
		})
	}
}
