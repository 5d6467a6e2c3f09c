package oracle_test

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/source/function"
)

// A stateLiar makes programs that optimising compilers could: all answers and traps of
// a function are right, and what it leaves in memory is not.
type stateLiar struct {
	compilers.Commander
	about string
	built map[string]bool
}

func (l stateLiar) Build(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (compilers.Built, compilers.Outcome) {
	built, o := l.Commander.Build(ctx, ws, job, limits)
	l.built[built.Path] = job.Mode != l.Reference()
	return built, o
}

func (l stateLiar) Run(ctx context.Context, built compilers.Built, args []string, want []byte, limits compilers.Limits) compilers.Outcome {
	o := l.Commander.Run(ctx, built, args, want, limits)
	line := regexp.MustCompile(`(?m)^(` + l.about + `\b.* traps .* state )\d+$`)
	if l.built[built.Path] && line.Match(o.Stdout) {
		o.Stdout = line.ReplaceAll(o.Stdout, []byte("${1}1"))
		o.Verdict, o.Message = compilers.WrongAnswer, "another state"
	}
	return o
}

// Who is wrong about the state after a trap alone is found, and so is the function.
func TestStateLiar(t *testing.T) {
	lang := language.Find(compilers.Go)
	const text = `
func @NAME(%a i32) i32 {
    static @g i32 = 5
    local %t i32 = 0
  entry:
    @g = @g + %a
    %t = 100 / (%a - 3)
    goto exit
  exit:
    return %a
}
case NAME(a = 3) under go traps divide-by-zero path entry
`
	var cases []*reify.Case
	for _, name := range []string{"f", "g", "h"} {
		cases = append(cases, &reify.Case{Claim: ir.MustParse(strings.ReplaceAll(text, "NAME", name)).Claims[0]})
	}
	env := compilers.EnvFrom(os.Environ())
	env.CC = "gc"
	o := asking(t, env)
	o.Limits.CompileWall, o.Limits.RunWall = time.Minute, time.Minute
	o.Ask = func(c compilers.Target, mode compilers.Mode) bool { return mode == "@O" }
	o.Targets = []compilers.Target{stateLiar{o.Targets[0].(compilers.Commander), "g", map[string]bool{}}}
	batch := function.In(lang, cases...)
	require.Contains(t, string(batch.Artefact().Want), "g traps divide-by-zero state ")
	report, err := o.Check(t.Context(), batch, 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	e, err := report.Finding.Entry()
	require.NoError(t, err)
	assert.Equal(t, "wrong-answer", e.Verdict)
	assert.Contains(t, e.Program, "func @g(")
	assert.NotContains(t, e.Program, "func @f(")
}
