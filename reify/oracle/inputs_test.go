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
	"goreify/reify/language"
	"goreify/reify/oracle"
	"goreify/reify/solve/search"
	"goreify/reify/source/function"
	"goreify/tools/need"
)

// several returns n small cases with two further inputs each.
func several(t *testing.T, n int) []*reify.Case {
	conf, err := reify.ParseConfig("4,4,1,1,1")
	require.NoError(t, err)
	conf.Inputs = 2
	var list []*reify.Case
	for seed := uint64(1); len(list) < n; seed++ {
		k, err := reify.Make(fmt.Sprintf("f%d", seed), reify.FromSeed(seed), conf, search.Engine{})
		if err == nil && len(k.More) == 2 {
			list = append(list, k)
		}
	}
	return list
}

// A wrong answer to a further input is found, and the reproducer holds all
// inputs, in a form that gives the same C again.
func TestFindsAWrongFurtherAnswer(t *testing.T) {
	need.Long(t)
	batch := several(t, 4)
	guilty := batch[2]
	name := guilty.Func.Name
	o := fake(t, `if [ "$level" = -O2 ]; then sed -i 's/printf("`+name+`#3 /printf("`+name+`#3 1/' "$src"; fi`, "-O0", "-O2")
	report, err := o.Check(t.Context(), function.In(language.C, batch...), 0)
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
	unit := c.Unit{Claim: p.Claims[0], Style: style, More: p.Claims[1:]}.Watched(interp.Stored)
	assert.Equal(t, back.Sources[compilers.MainC], c.Emit([]c.Unit{unit}))

	levels := map[oracle.Status]int{}
	for _, r := range o.Replay(t.Context(), back) {
		levels[r.Status]++
	}
	assert.NotZero(t, levels[oracle.Known]+levels[oracle.AlsoFails], "replayed, it fails again")
	assert.NotZero(t, levels[oracle.Passes])
}
