package oracle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/oracle"
	"goreify/reify/solve/search"
	"goreify/reify/source/program"
	"goreify/tools/need"
)

// A compiler that gets a whole program wrong is found out.
func TestCheckProgram(t *testing.T) {
	need.Long(t)
	o := machine(t)
	o.Targets = newest(o)[:1]
	o.Ask = func(_ compilers.Target, mode compilers.Mode) bool { return mode == "-O1" }
	r := reify.FromSeed(3)
	_, conf := r.Plan()
	p, err := program.Make(r, 5, conf, search.Engine{}, program.Foreign{})
	require.NoError(t, err)
	report, err := o.Check(t.Context(), p, 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	assert.Equal(t, 1, report.Asked)

	p.Linked.IR.Claims[0].Want ^= 1 // no compiler of either family agrees: the program is to blame
	_, err = families(t, "", "").Check(t.Context(), p, 0)
	assert.Contains(t, requireOurs(t, err).Program(), corpus.NoteFunctions+": 5\n")
}

// A program that takes longer than its limit to compile is large, whatever comes
// of it when it gets more time.
func TestSlowPrograms(t *testing.T) {
	for name, tt := range map[string]struct {
		then compilers.Verdict
		why  string
	}{
		"right":         {compilers.OK, "a b is slow, and ends after 3.0 s of CPU time"},
		"out of memory": {compilers.Discarded, "could not be let run for longer: virtual memory exhausted"},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := standIns(t)
			o.Ask = func(target compilers.Target, _ compilers.Mode) bool { return target.ID().Name == "ax-1" }
			o.Lasting = func(*oracle.Finding) bool { return false } // of functions
			stand := o.Targets[0].(*standIn)
			stand.change = func(job compilers.Job, _ []string, right compilers.Outcome) compilers.Outcome {
				if job.Mode != "fast" {
					return right
				}
				if right = needs(stand, right, 3*time.Second, true, false); right.Verdict == compilers.OK {
					right.Verdict, right.Message = tt.then, "virtual memory exhausted"
				}
				return right
			}
			report, err := o.Check(t.Context(), text{words: []string{"a", "b"}}, 0)
			require.NoError(t, err)
			assert.Nil(t, report.Finding)
			require.Len(t, report.Discards, 1)
			assert.Contains(t, report.Discards[0], tt.why)
		})
	}
}

// A finding of a program names the function that is the first to go wrong.
func TestFirstWrongFunction(t *testing.T) {
	need.Long(t)
	p, err := program.Make(reify.FromSeed(3), 5, small(), search.Engine{}, program.Foreign{})
	require.NoError(t, err)
	name := p.Linked.IR.Claims[0].Func.Name
	// The function that main calls returns too much, whoever asserts it or not.
	o := fake(t, `[ "$level" = -O2 ] && sed -i -E 's/([ (])`+name+`\(([a-e0-9, ]*)\)([,)])/\1(`+name+`(\2) + 1)\3/' repro.c`, "-O0", "-O2")
	report, err := o.Check(t.Context(), p, 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	wrong := corpus.Note{Key: corpus.NoteFirstWrong, Value: name}
	assert.Contains(t, report.Finding.Notes, wrong)
	assert.Contains(t, entry(t, report.Finding).Notes, wrong)
}

func small() reify.Config {
	c := reify.DefaultConfig()
	c.Graph.Blocks, c.Graph.Loops, c.Sketch.Vars = 3, 0, 2
	return c
}
