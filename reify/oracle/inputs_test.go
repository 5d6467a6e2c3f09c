package oracle_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/reify/source/function"
)

// several returns n small cases with two further inputs each.
func several(t *testing.T, n int) []*reify.Case {
	conf, err := reify.ParseConfig("4,4,1,1,1")
	require.NoError(t, err)
	conf.Inputs = 2
	var list []*reify.Case
	batches(t, 1, 3*n, 1, func(reify.Recipe) reify.Config { return conf }, func(cases []*reify.Case, _ uint64) {
		if len(cases[0].More) == 2 && len(list) < n {
			list = append(list, cases...)
		}
	})
	require.Len(t, list, n)
	return list
}

// TestFurtherInputsAreRight asks the newest compiler of each family, not
// optimising and optimising, and the sanitizers. REIFY_INPUTS says about how
// many functions at the paper's default configuration.
func TestFurtherInputsAreRight(t *testing.T) {
	n := count(t, "REIFY_INPUTS", 6)
	conf := reify.DefaultConfig()
	conf.Inputs = 2
	o := machine(t)
	functions, inputs := 0, 0
	batches(t, 1, n, 20, func(reify.Recipe) reify.Config { return conf }, func(cases []*reify.Case, _ uint64) {
		art := function.New(cases).Artefact()
		ask := func(tool compilers.Target, level string) {
			out := compilers.Test(t.Context(), tool, o.Space, art.Job(level), patience(o))
			require.Equal(t, compilers.OK, out.Verdict, "%s: %v\n%s", compilers.Name(tool, level), out, art.Files[0].Content)
		}
		for _, tool := range o.Sanitizers {
			ask(tool, "-O0")
		}
		for _, tool := range newest(o) {
			ask(tool, "-O0")
			ask(tool, "-O2")
		}
		functions += len(cases)
		for _, k := range cases {
			inputs += len(k.More)
		}
	})
	fmt.Printf("%d functions with %d further inputs: right at -O0 and -O2 and without complaint under %v\n", functions, inputs, o.Sanitizers)
	assert.Greater(t, inputs, functions, "most functions have further inputs")
}

// A wrong answer to a further input is found, and the reproducer holds all
// inputs, in a form that gives the same C again.
func TestFindsAWrongFurtherAnswer(t *testing.T) {
	batch := several(t, 4)
	guilty := batch[2]
	name := guilty.Func.Name
	o := fake(t, `if [ "$level" = -O2 ]; then sed -i 's/printf("`+name+`#3 /printf("`+name+`#3 1/' "$src"; fi`, "-O0", "-O2")
	report, err := o.Check(t.Context(), function.New(batch), 0)
	require.NoError(t, err)
	f := report.Finding
	require.NotNil(t, f)
	require.Equal(t, []string{name}, names(f.Subject))
	assert.Same(t, guilty, f.Subject.(*function.Batch).Cases[0])

	e := entry(t, f)
	e.Date = "2026-01-02"
	require.NoError(t, e.Check())
	assert.Contains(t, e.Got, name+"#3 1")
	back, err := corpus.Parse("x", e.Format())
	require.NoError(t, err)
	assert.Equal(t, e.Want, back.Want)

	p, err := ir.Parse(back.Program)
	require.NoError(t, err)
	require.Len(t, p.Claims, 3)
	for i, one := range p.Claims {
		require.NoError(t, interp.Verify(one))
		assert.Equal(t, guilty.Claims()[i].Args, one.Args)
		assert.Equal(t, guilty.Claims()[i].Path, one.Path)
	}
	style, err := c.ParseStyle(back.Note(corpus.NoteStyle))
	require.NoError(t, err)
	unit := c.Unit{Claim: p.Claims[0], Style: style, More: p.Claims[1:]}
	assert.Equal(t, back.Sources[compilers.MainC], c.Emit([]c.Unit{unit}))

	levels := map[oracle.Status]int{}
	for _, r := range o.Replay(t.Context(), back) {
		levels[r.Status]++
	}
	assert.NotZero(t, levels[oracle.Known]+levels[oracle.AlsoFails], "replayed, it fails again")
	assert.NotZero(t, levels[oracle.Passes])
}
