package crosscheck

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	table "goreify/compilers/targets"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	written "goreify/reify/language"
	"goreify/tools/need"
)

// perText is how many expressions a text of a language beside C has.
const perText = 1000

// Random expressions have the values and the traps that the interpreter says under the
// rules of each language beside C, in the reference modes of its compilers and engines.
// REIFY_CROSSCHECK_CC names these, as REIFY_CC does.
func TestTargets(t *testing.T) {
	first, end, long := wanted(t)
	env := compilers.EnvFrom(os.Environ())
	if env.CC = os.Getenv("REIFY_CROSSCHECK_CC"); env.CC == "" {
		env.CC = "gc,wazero"
		if _, err := exec.LookPath("java"); err == nil {
			env.CC += ",java"
		}
	}
	found, _, err := table.Find(t.Context(), env)
	require.NoError(t, err)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	for _, l := range written.All() {
		t.Run(l.Short, func(t *testing.T) {
			asked := slices.DeleteFunc(slices.Clone(found), func(target compilers.Target) bool { return target.Language() != l.Name })
			if len(asked) == 0 {
				need.Missing(t, "java", "REIFY_CROSSCHECK_CC=%q names nothing that understands %s", env.CC, l.Name)
			}
			drawn := drawnIn(l)
			tally, traps, unwritten := newTally(), map[ir.Trap]int{}, 0
			for at := first; at < end; at += perText {
				var units []written.Unit
				for n := at; n < min(at+perText, end); n += perRoom {
					r := drawRoom(choice.New(choice.Derive(uint64(n), "crosscheck "+l.Short)), fmt.Sprintf("f%d", n), drawn)
					r.draw(drawn, perRoom)
					unwritten += r.keepWritten(l)
					units = append(units, r.claims(t, l)...)
					tally.add(r)
					for _, m := range r.trapped {
						traps[m.kind]++
					}
				}
				text := l.Write(units)
				for _, target := range asked {
					job := compilers.Job{Files: text.Files(), Want: text.Want(), Mode: target.Reference()}
					limits := compilers.DefaultLimits().ForFunctions(len(units))
					o := compilers.Test(t.Context(), target, ws, job, limits)
					if o.Verdict == compilers.OK {
						continue
					}
					for _, i := range text.Guilty(o) {
						t.Fatalf("%v %s: %v\n%s: %s\n%v%v", target.ID(), job.Mode, o, units[i].Style, units[i].Claim.Answer(), units[i].Claim.Func, units[i].Claim.Args)
					}
					t.Fatalf("%v %s: %v\n%.2000s", target.ID(), job.Mode, o, o.Stderr)
				}
				if long && at%(50*perText) == 0 {
					t.Logf("REIFY_CROSSCHECK_FROM=%d goes on here", min(at+perText, end))
				}
			}
			t.Logf("%d expressions agree with %v; beside them %d cannot be written, %d were left out: %v; of traps, %v", tally.expressions, asked, unwritten, tally.bad(), tally.kinds, traps)
			tally.checkIntegers(t)
			assert.NotEmpty(t, traps)
			assert.Less(t, unwritten, tally.expressions/10)
		})
	}
}

// drawnIn returns what can be drawn for a language.
func drawnIn(l *written.Language) language {
	d := whole
	d.under = l.Under
	for _, feature := range l.Masked {
		switch feature {
		case "ptr":
			d.pointers, d.bytes = false, false
		case "vector", "lanes":
			d.vectors = false
		case "aggregate":
			d.bytes = false
		case "int128", "bitint":
			d.wides = false
		}
	}
	return d
}

// keepWritten leaves out what a language cannot write, and returns how much that is.
func (r *room) keepWritten(l *written.Language) int {
	unwritten := func(m made) bool { return l.Supports(r.function(r.name, m)) != nil }
	before := len(r.made)
	r.made = slices.DeleteFunc(r.made, unwritten)
	r.trapped = slices.DeleteFunc(r.trapped, func(m trapped) bool { return unwritten(m.made) })
	return before - len(r.made)
}

// claims returns what was made in a room as one function, and each trap as another.
func (r *room) claims(t *testing.T, l *written.Language) (units []written.Unit) {
	t.Helper()
	add := func(name string, trap ir.Trap, list ...made) {
		f := r.function(name, list...)
		require.NoError(t, ir.Check(f), "%s", f)
		require.NoError(t, l.Supports(f), "all that is in it can be written:\n%s", f)
		got, err := interp.Run(f, r.args, interp.Options{Under: l.Under})
		claim := &ir.Claim{Func: f, Args: r.args, Want: got.Value, Path: []int{0}, Under: l.Under, Trap: trap}
		if trap == "" {
			require.NoError(t, err, "%s", f)
		}
		require.NoError(t, interp.Verify(claim), "%s", f)
		units = append(units, written.Unit{Claim: claim, Style: l.DrawStyle(r.s.Fork("style"))})
	}
	add(r.name, "", r.made...)
	for i, m := range r.trapped[:min(len(r.trapped), perRoom/4)] {
		add(fmt.Sprintf("%s_%d", strings.ReplaceAll(r.name, "-", "_"), i), m.kind, m.made)
	}
	return units
}
