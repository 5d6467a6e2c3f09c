package bisect

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
)

// phased is a stand-in for gc, which is right without some phases and cannot do
// without others.
type phased struct {
	compilers.Target
	without, required []string
}

func (p phased) ID() compilers.ID             { return compilers.ID{Name: "gc", Family: "gc"} }
func (p phased) Reference() compilers.Mode    { return "@N" }
func (p phased) Traits() (t compilers.Traits) { return t }
func (p phased) Language() compilers.Language { return compilers.Go }
func (p phased) Modes() []compilers.Mode      { return []compilers.Mode{"@O"} }
func (p phased) Phases(context.Context, *compilers.Workspace, compilers.Limits) ([]string, error) {
	return []string{"opt", "cse", "prove", "lower"}, nil
}

func (p phased) Build(_ context.Context, _ *compilers.Workspace, job compilers.Job, _ compilers.Limits) (compilers.Built, compilers.Outcome) {
	off := ""
	for _, arg := range job.Extra {
		off += strings.ReplaceAll(strings.TrimPrefix(arg, "-d="), ",", " ") + " "
	}
	has := func(phase string) bool {
		return slices.Contains(strings.Fields(off), "ssa/"+phase+"/off") || phase == inlining && strings.Contains(off, "-l")
	}
	switch {
	case slices.ContainsFunc(p.required, has):
		return compilers.Built{}, compilers.Outcome{Verdict: compilers.Rejected, Message: "Cannot disable required SSA phase"}
	case job.Mode == "@O" && !(len(p.without) > 0 && !slices.ContainsFunc(p.without, func(phase string) bool { return !has(phase) })):
		return compilers.Built{}, compilers.Outcome{Verdict: compilers.InternalError, Message: "internal compiler error: no"}
	}
	return compilers.Built{}, compilers.Outcome{Verdict: compilers.OK}
}

func (p phased) Run(context.Context, compilers.Built, []string, []byte, compilers.Limits) compilers.Outcome {
	return compilers.Outcome{Verdict: compilers.OK}
}

// The phase without which gc is right is to blame, or the smallest set of them; without
// one there is no culprit.
func TestPhases(t *testing.T) {
	required := []string{"opt", "lower"}
	for name, tt := range map[string]struct {
		without []string
		pass    string
		flags   []string
	}{
		"one":      {[]string{"prove"}, "prove", []string{"-d=ssa/prove/off"}},
		"two":      {[]string{"cse", "prove"}, "cse+prove", []string{"-d=ssa/cse/off,ssa/prove/off"}},
		"inlining": {[]string{inlining}, inlining, []string{"-l"}},
		"required": {[]string{"opt"}, "", nil},
		"nobody":   {nil, "", nil},
	} {
		tc := phased{without: tt.without, required: required}
		job := compilers.Job{Mode: "@O"}
		_, first := tc.Build(t.Context(), nil, job, compilers.Limits{})
		b, err := Find(t.Context(), NewTest(tc, nil, job, compilers.DefaultLimits(), first))
		require.NotNil(t, b, name)
		assert.Equal(t, tt.pass, b.Pass, name)
		assert.Equal(t, tt.flags, b.Flags, name)
		if tt.pass == "" {
			assert.ErrorIs(t, err, ErrNoCulprit, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, tt.flags, MethodsOf("gc").LeaveOut(b.Pass), name)
	}
}
