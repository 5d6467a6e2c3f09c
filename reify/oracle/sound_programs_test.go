package oracle_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// TestSoundPrograms asks the witnesses of TestSound about whole programs, some in
// a bundle: those without sanitizers about the bundle as it is, the others about
// one that asserts the answers of all calls. REIFY_SOUND_PROGRAMS says how many;
// REIFY_SOUND_FROM and REIFY_SOUND_PROFILE are as in TestSound.
func TestSoundPrograms(t *testing.T) {
	n, from := count(t, "REIFY_SOUND_PROGRAMS", 5), uint64(count(t, "REIFY_SOUND_FROM", 1))
	size := count(t, "REIFY_SOUND_BUNDLE", 8)
	name, conf := profile(t, planned)
	o := machine(t)
	list := witnesses(t, o)
	limits := patience(o)
	limits.CompileCPU *= 4
	about := func(p *program.Program, list []*witness, terse bool) []complaint {
		return ask(t.Context(), o, list, limits, question{p.Weight(), p.Artefact().Job("-O0"), p.Debug().Job("-O0"), terse})
	}
	// One is nil if none of the program's functions can be solved.
	one := func(seed uint64) *program.Program {
		r := reify.FromSeed(seed)
		p, err := program.Make(r, program.Size(r), conf(r), search.Engine{})
		if errors.Is(err, source.ErrNone) {
			return nil
		}
		require.NoError(t, err, "seed %d", seed)
		return p
	}
	var wrong tally
	programs, functions, calls, making := 0, 0, 0, time.Duration(0)
	for seed := from; programs < n; {
		start := own(t)
		first := seed
		var bundled []*oracle.Program
		for ; len(bundled) < min(size, n-programs); seed++ {
			if p := one(seed); p != nil {
				bundled = append(bundled, p)
			}
		}
		k := oracle.Bundle(bundled)
		require.NoError(t, k.IR.Check(), "seeds from %d", first)
		require.NoError(t, interp.VerifyProgram(k.IR), "seeds from %d", first)
		making += own(t) - start
		if all := about(k, list, true); len(all) > 0 {
			before := len(wrong.wrong)
			for again := first; again < seed; again++ {
				if p := one(again); p != nil {
					if all := about(p, those(all), false); len(all) > 0 {
						wrong.add(t, again, all, p.IR.String())
					}
				}
			}
			require.Greater(t, len(wrong.wrong), before, "%v\nonly together: seeds %d to %d", all[0], first, seed-1)
		}
		programs += len(bundled)
		functions += len(k.IR.Funcs)
		calls += k.Linked.Calls
		if programs/100 > (programs-len(bundled))/100 {
			fmt.Printf("%d programs, %d functions, %d calls, %d wrong; to go on from here: FROM=%d N=%d\n",
				programs, functions, calls, len(wrong.wrong), seed, n-programs)
		}
	}
	fmt.Printf("%d programs of the profile %s, %d functions, %d calls, %d wrong at -O0 or flagged by a sanitizer; %.2f ms to make one\n",
		programs, name, functions, calls, len(wrong.wrong), perFunction(making, programs))
	costs(os.Stdout, list)
	assert.Equal(t, n, programs)
}

// A program says the same in every form: text, C with and without assertions,
// reproducer.
func TestProgramEntry(t *testing.T) {
	o := machine(t)
	splits := map[int]bool{}
	for seed := uint64(1); seed < 9; seed++ {
		r := reify.FromSeed(seed)
		_, conf := r.Plan()
		p, err := oracle.MakeProgram(r, 4, conf, search.Engine{})
		require.NoError(t, err)
		again, err := oracle.MakeProgram(r, 4, conf, search.Engine{})
		require.NoError(t, err)
		assert.Equal(t, p.Files, again.Files, "same bytes, same program")
		splits[min(len(p.Files), 3)] = true

		e := p.Entry()
		e.Title, e.Verdict, e.Command = "a program", corpus.Untested, oracle.Command(e, "gcc", "-O1")
		require.NoError(t, e.Check())
		back, err := corpus.Parse("entry", e.Format())
		require.NoError(t, err)
		text, err := ir.Parse(back.Program)
		require.NoError(t, err)
		require.NoError(t, text.Check())
		assert.NoError(t, interp.VerifyProgram(text))
		if seed > 3 {
			continue
		}
		for _, replay := range one(o).Replay(t.Context(), back) {
			assert.Equal(t, oracle.Passes, replay.Status, "seed %d: %v", seed, replay.Outcome)
		}
	}
	assert.Greater(t, len(splits), 1, "one file and several")
}

// one returns an oracle with one compiler and one level.
func one(o *oracle.Oracle) *oracle.Oracle {
	less := *o
	less.Toolchains, less.Levels = newest(o)[:1], []string{"-O1"}
	return &less
}

// A compiler that gets a whole program wrong is found out.
func TestCheckProgram(t *testing.T) {
	o := one(machine(t))
	r := reify.FromSeed(3)
	_, conf := r.Plan()
	p, err := oracle.MakeProgram(r, 5, conf, search.Engine{})
	require.NoError(t, err)
	report, err := o.CheckProgram(t.Context(), p, 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	assert.Equal(t, 1, report.Asked)

	p.Want = "1\n" // no compiler of either family agrees: the program is to blame
	_, err = families(t, "", "").CheckProgram(t.Context(), p, 0)
	var bug *oracle.Contradiction
	require.ErrorAs(t, err, &bug)
	assert.Contains(t, bug.Program, "x-functions: 5")
}

// A bundle prints what its programs answer, one after another.
func TestBundle(t *testing.T) {
	o := one(machine(t))
	_, conf := reify.FromSeed(5).Plan()
	var list []*oracle.Program
	functions, calls := 0, 0
	for seed := range uint64(4) {
		p, err := oracle.MakeProgram(reify.FromSeed(seed), 4, conf, search.Engine{})
		require.NoError(t, err)
		functions += len(p.IR.Funcs)
		calls += p.Linked.Calls
		list = append(list, p)
	}
	b := oracle.Bundle(list)
	assert.Len(t, b.IR.Funcs, functions)
	assert.Len(t, b.IR.Cases, 4)
	assert.Equal(t, calls, b.Linked.Calls)
	require.NoError(t, b.IR.Check(), "names are unique")
	report, err := o.CheckProgram(t.Context(), b, 0)
	require.NoError(t, err)
	assert.Equal(t, 1, report.Asked)
}

// A program that takes longer than its limit to compile is large, whatever comes
// of it when it gets more time.
func TestSlowPrograms(t *testing.T) {
	p, err := oracle.MakeProgram(reify.FromSeed(3), 1, reify.DefaultConfig(), search.Engine{})
	require.NoError(t, err)
	for name, then := range map[string]string{
		"right":         ":",
		"out of memory": `{ echo "virtual memory exhausted: Cannot allocate memory" >&2; exit 1; }`,
	} {
		t.Run(name, func(t *testing.T) {
			o := fake(t, `[ "$level" = -O2 ] && { `+burn(250)+then+`; }`, "-O0", "-O2")
			o.Limits.CompileCPU = time.Second
			report, err := o.CheckProgram(t.Context(), p, 0)
			require.NoError(t, err)
			assert.Nil(t, report.Finding)
			assert.Equal(t, 1, report.Discarded)
		})
	}
}

// A finding of a program names the function that is the first to go wrong.
func TestFirstWrongFunction(t *testing.T) {
	p, err := oracle.MakeProgram(reify.FromSeed(3), 5, small(), search.Engine{})
	require.NoError(t, err)
	name := p.IR.Cases[0].Func.Name
	// The function that main calls returns too much, whoever asserts it or not.
	o := fake(t, `[ "$level" = -O2 ] && sed -i -E 's/([ (])`+name+`\(([a-e0-9, ]*)\)([,)])/\1(`+name+`(\2) + 1)\3/' repro.c`, "-O0", "-O2")
	report, err := o.CheckProgram(t.Context(), p, 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Equal(t, name, report.Finding.Wrong)
	assert.Contains(t, entry(t, report.Finding).Notes, corpus.Note{Key: "x-first-wrong", Value: name})
}

func small() reify.Config {
	c := reify.DefaultConfig()
	c.Graph.Blocks, c.Graph.Loops, c.Sketch.Vars = 3, 0, 2
	return c
}
