package oracle_test

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/interp"
	"goreify/reify/solve/search"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/program"
	"goreify/reify/subject"
)

// TestSoundPrograms asks the witnesses of TestSound about whole programs, some
// joined in one: those without sanitizers about the program as it is, the others
// about one that asserts the answers of all calls. REIFY_SOUND_PROGRAMS says how
// many, and REIFY_SOUND_MUTATED=1 puts variants in the place of half of their
// functions; the other variables are as in TestSound.
func TestSoundPrograms(t *testing.T) {
	n, from := count(t, "REIFY_SOUND_PROGRAMS", 5), uint64(count(t, "REIFY_SOUND_FROM", 1))
	size := count(t, "REIFY_SOUND_BUNDLE", 8)
	name, _ := profile(t, planned)
	drawn := function.Seeds{Profile: os.Getenv("REIFY_SOUND_PROFILE"), Features: os.Getenv("REIFY_SOUND_FEATURES"), Variants: os.Getenv("REIFY_SOUND_MUTATED") != ""}
	if drawn.Profile == "plan" {
		drawn.Profile = ""
	}
	o, list := judges(t)
	limits := patience(o)
	limits.CompileCPU *= 4
	about := func(p *program.Program, list []*witness, terse bool) []complaint {
		return ask(t.Context(), o, list, limits, question{p.Weight(), p.Artefact().Job("-O0"), p.Debug().Job("-O0"), terse})
	}
	var wrong tally
	programs, functions, calls, making := 0, 0, 0, time.Duration(0)
	for seed := from; programs < n; {
		start := own(t)
		seeds := drawn
		seeds.First, seeds.Count = seed, min(size, n-programs)
		seed += uint64(seeds.Count)
		s, err := program.Source{}.Make(t.Context(), function.Encode(program.Name, seeds))
		if errors.Is(err, source.ErrNone) {
			continue
		}
		require.NoError(t, err, "seeds from %d", seeds.First)
		made := members(s)
		k := whole(s)
		require.NoError(t, k.Linked.IR.Check(), "seeds from %d", seeds.First)
		require.NoError(t, interp.VerifyProgram(k.Linked.IR), "seeds from %d", seeds.First)
		making += own(t) - start
		if all := about(k, list, true); len(all) > 0 {
			before := len(wrong.wrong)
			for _, p := range made {
				if all := about(p, those(all), false); len(all) > 0 {
					i, err := strconv.ParseUint(strings.TrimPrefix(p.Name(), "program-"), 10, 64)
					require.NoError(t, err)
					wrong.add(t, seeds.First+i, all, p.Linked.IR.String())
				}
			}
			require.Greater(t, len(wrong.wrong), before, "%v\nonly together: seeds %d to %d", all[0], seeds.First, seed-1)
		}
		programs += len(made)
		functions += k.Weight()
		calls += k.Linked.Calls
		if programs/100 > (programs-len(made))/100 {
			fmt.Printf("%d programs, %d functions, %d calls, %d wrong; to go on from here: FROM=%d N=%d\n",
				programs, functions, calls, len(wrong.wrong), seed, n-programs)
		}
	}
	fmt.Printf("%d programs of the profile %s, %d functions, %d calls, %d wrong at -O0 or flagged by a sanitizer; %.2f ms to make one\n",
		programs, name, functions, calls, len(wrong.wrong), perFunction(making, programs))
	costs(os.Stdout, list)
	assert.Equal(t, n, programs)
}

// whole returns the program that a subject is.
func whole(s subject.Subject) *program.Program {
	if j, ok := s.(*program.Joined); ok {
		return j.Program
	}
	return s.(*program.Program)
}

// members returns the programs that a subject consists of.
func members(s subject.Subject) []*program.Program {
	g, ok := s.(subject.Group)
	if !ok {
		return []*program.Program{whole(s)}
	}
	var list []*program.Program
	for _, m := range g.Members() {
		list = append(list, whole(m))
	}
	return list
}

// A compiler that gets a whole program wrong is found out.
func TestCheckProgram(t *testing.T) {
	o := machine(t)
	o.Targets = newest(o)[:1]
	o.Ask = func(_ compilers.Target, mode compilers.Mode) bool { return mode == "-O1" }
	r := reify.FromSeed(3)
	_, conf := r.Plan()
	p, err := program.Make(r, 5, conf, search.Engine{})
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
	p, err := program.Make(reify.FromSeed(3), 1, reify.DefaultConfig(), search.Engine{})
	require.NoError(t, err)
	for name, then := range map[string]string{
		"right":         ":",
		"out of memory": `{ echo "virtual memory exhausted: Cannot allocate memory" >&2; exit 1; }`,
	} {
		t.Run(name, func(t *testing.T) {
			o := fake(t, `[ "$level" = -O2 ] && { `+burn(250)+then+`; }`, "-O0", "-O2")
			o.Limits.CompileCPU = time.Second
			report, err := o.Check(t.Context(), p, 0)
			require.NoError(t, err)
			assert.Nil(t, report.Finding)
			assert.Equal(t, 1, report.Discarded)
		})
	}
}

// A finding of a program names the function that is the first to go wrong.
func TestFirstWrongFunction(t *testing.T) {
	p, err := program.Make(reify.FromSeed(3), 5, small(), search.Engine{})
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
