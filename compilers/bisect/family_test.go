package bisect

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/compilers"
)

// The name of a culprit tells which flags mend it.
func TestMending(t *testing.T) {
	for flags, want := range map[string][]string{"-fno-a -fno-b": {"-fno-a", "-fno-b"}, "": nil, "-fno-a -fno-b -fno-c -fno-d": nil} {
		b := Blame{Flags: strings.Fields(flags)}
		assert.Equal(t, want, MethodsOf("gcc").Mending(b.Culprit()), flags)
		assert.Nil(t, MethodsOf("clang").Mending(b.Culprit()))
	}
	b := Blame{Pass: "tree-vrp2", Flags: []string{"-fno-tree-vrp"}}
	assert.Equal(t, []string{"-fdisable-tree-vrp2"}, MethodsOf("gcc").Mending(b.Culprit()))
	assert.Nil(t, MethodsOf("engine").Mending("C2"))
	for _, family := range []string{"gcc", "gc"} {
		assert.Nil(t, MethodsOf(family).LeaveOut(CodeGenerationFor("arm", "lower")), "nothing leaves that out")
	}
}

// A stranger is a target of an unknown family, which fails. Its log has the modes that it
// is asked in.
type stranger struct {
	compilers.Target // panics if anything else is called
	asked            *[]string
}

func (stranger) ID() compilers.ID { return compilers.ID{Name: "engine", Family: "engine"} }

func (s stranger) Build(_ context.Context, _ *compilers.Workspace, job compilers.Job, _ compilers.Limits) (compilers.Built, compilers.Outcome) {
	*s.asked = append(*s.asked, strings.Join(append([]string{job.Mode}, job.Extra...), " "))
	return compilers.Built{}, compilers.Outcome{Verdict: compilers.InternalError, Message: "no"}
}

// Nothing but the failure is asked of a target whose passes cannot be told.
func TestUnknownFamily(t *testing.T) {
	s := stranger{asked: new([]string)}
	first := compilers.Outcome{Verdict: compilers.InternalError, Message: "no"}
	b, err := Find(t.Context(), NewTest(s, nil, compilers.Job{Mode: "@fast"}, compilers.DefaultLimits(), first))
	assert.ErrorIs(t, err, ErrNoCulprit)
	assert.ErrorContains(t, err, `passes of family "engine"`)
	assert.Equal(t, &Blame{}, b)
	assert.Equal(t, []string{"@fast"}, *s.asked)

	first.Message = "other"
	b, err = Find(t.Context(), NewTest(s, nil, compilers.Job{Mode: "@fast"}, compilers.DefaultLimits(), first))
	assert.ErrorIs(t, err, ErrGone)
	assert.ErrorContains(t, err, "engine @fast: ")
	assert.Nil(t, b)
}
