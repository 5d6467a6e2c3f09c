package function

import (
	"flag"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/choice"
	"goreify/tools/need"
)

// printer is HotSpot that says what it compiles.
type printer struct {
	compilers.Target
	ws *compilers.Workspace
}

func newPrinter(t *testing.T) printer {
	need.Command(t, "java")
	env := compilers.EnvFrom(os.Environ())
	env.CC = "java -XX:+PrintCompilation"
	found, _, err := targets.Find(t.Context(), env)
	require.NoError(t, err)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, ws.Close()) })
	return printer{found[0], ws}
}

// said returns the functions that a pattern finds in what is said of a batch in a mode.
func (p printer) said(t *testing.T, b *Batch, mode compilers.Mode, pattern string) map[string]bool {
	built, o := p.Build(t.Context(), p.ws, b.Artefact().Job(mode), compilers.DefaultLimits().ForFunctions(b.Weight()))
	require.Equal(t, compilers.OK, o.Verdict, "%s: %v", mode, o)
	built.Remove()
	require.Equal(t, string(b.Artefact().Want), string(o.Stdout), mode)
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(o.Stderr), -1) {
		names[m[1]] = true
	}
	return names
}

// Nearly all functions are compiled, also those whose graphs are irreducible.
func TestCompiled(t *testing.T) {
	need.Long(t)
	p := newPrinter(t)
	for _, profile := range []string{"mixed", "paper"} {
		size := 20
		if profile == "paper" {
			size = 5
		}
		s := Source{Options{Profile: profile, Size: size, Language: compilers.JVM}}
		made, err := s.Make(t.Context(), s.Draw(choice.From(1<<20)))
		require.NoError(t, err)
		for _, mode := range []compilers.Mode{"@c1", "@c2"} {
			n := len(p.said(t, made.(*Batch), mode, `(?m)^ *\d+ +\d+ [^%].* Cases::(f\d+) \(\d+ bytes\)$`))
			t.Logf("%s %s: %d of %d functions are compiled", profile, mode, n, made.Weight())
			assert.Greater(t, 10*n, 9*made.Weight())
		}
	}
}

var hot = flag.Int("hot", 20, "functions of TestHot")

// HotSpot replaces functions of paths that are hot on the stack, and takes back what it
// compiled for one input when it meets another.
func TestHot(t *testing.T) {
	need.Long(t)
	count := *hot
	p := newPrinter(t)
	functions, several, replaced, taken := 0, 0, 0, 0
	for seed := uint64(0); functions < count; seed++ {
		s := Source{Options{Profile: "focus", Size: min(count, 60), Language: compilers.JVM, Hot: true}}
		made, err := s.Make(t.Context(), s.Draw(choice.From(seed<<20)))
		require.NoError(t, err)
		b := made.(*Batch)
		osr := p.said(t, b, "@osr", `(?m)^ *\d+ +\d+ +%.*Cases::(f\d+) @`)
		deoptimised := p.said(t, b, "@tiered", `(?m)^ *\d+ +\d+ .*4 +Cases::(f\d+) .*made not entrant`)
		for _, k := range b.Cases {
			if len(k.Path) > 200 { // no trap in its way
				functions++
				if osr[k.Func.Name] {
					replaced++
				}
			}
			if len(k.Claims()) > 1 {
				several++
				if deoptimised[k.Func.Name] {
					taken++
				}
			}
		}
	}
	t.Logf("%d hot functions, %d replaced on the stack; of %d with several inputs %d compiled again", functions, replaced, several, taken)
	assert.Greater(t, 100*replaced, 90*functions)
	assert.Greater(t, 3*taken, several)
}
