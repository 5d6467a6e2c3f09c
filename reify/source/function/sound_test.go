package function

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/choice"
	"goreify/tools/need"
)

// What the interpreter says of functions, traps and what is left in memory is what
// engines say in their reference modes. WASM_SOUND is the number of functions, made from
// seed WASM_SOUND_FROM on, 40 of each, and WASM_ENGINES names the engines, as REIFY_CC does.
func TestSoundWasm(t *testing.T) { sound(t, compilers.Wasm, "WASM", "wazero", 250) }

// So it is in Java bytecode.
func TestSoundJVM(t *testing.T) {
	need.Command(t, "java")
	sound(t, compilers.JVM, "JVM", "java", 120)
}

// sound asks engines about so many functions in a language. Two variables that begin
// with a prefix tell how many, and of whom.
func sound(t *testing.T, language compilers.Language, prefix, names string, count int) {
	if text := os.Getenv(prefix + "_SOUND"); text != "" {
		var err error
		count, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	if text := os.Getenv(prefix + "_ENGINES"); text != "" {
		names = text
	}
	from := uint64(0)
	if text := os.Getenv(prefix + "_SOUND_FROM"); text != "" {
		var err error
		from, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer ws.Close()
	_, _, err = ws.Enclose(t.Context(), compilers.BoxAuto) // what is in a root directory takes it
	require.NoError(t, err)
	env := compilers.EnvFrom(os.Environ())
	env.CC, env.Space = names, ws
	engines, _, err := targets.Find(t.Context(), env)
	require.NoError(t, err)
	for _, e := range engines {
		if at, ok := e.(compilers.Installed); ok {
			ws.Show(at.Dirs()...)
		}
	}

	profiles := []string{"wild", "mixed", "swarm", "loops", "focus", "yarpgen", "aggregates", "narrow", "machine", "facts", "paper", "vectors", "vector-loops", "lanes", "calls", "truth"}
	functions, calls, traps, wrapped, states := 0, 0, 0, 0, 0
	seed := from
	for ; functions < count; seed++ {
		profile := profiles[int(seed)%len(profiles)]
		size := 40
		if profile == "paper" {
			size = 10
		}
		s := Source{Options{Profile: profile, Size: size, Language: language}}
		made, err := s.Make(t.Context(), s.Draw(choice.From(seed<<20)))
		require.NoError(t, err)
		b := made.(*Batch)
		functions += len(b.Cases)
		text := string(b.Artefact().Want)
		calls += strings.Count(text, "\n")
		traps += strings.Count(text, " traps ")
		states += strings.Count(text, " state ")
		for _, k := range b.Cases {
			for _, c := range k.Claims() {
				if c.Under != "" && c.Trap == "" {
					wrapped++
				}
			}
		}
		for _, e := range engines {
			direct, err := e.(compilers.Linker).LinkDirectly(t.Context(), ws, compilers.DefaultLimits())
			require.NoError(t, err)
			o := compilers.Test(t.Context(), direct, ws, b.Artefact().Job(e.Reference()), compilers.DefaultLimits().ForFunctions(b.Weight()))
			if !assert.Equal(t, compilers.OK, o.Verdict, "%v %s, profile %s, seed %d: %v", e.ID(), e.Reference(), profile, seed, o) {
				for _, i := range b.Guilty(o) {
					t.Logf("%s\n%s", b.styles[i][0], b.Cases[i].Program())
					break
				}
				return
			}
		}
	}
	t.Logf("%d functions of seeds %d to %d, %d calls, of which %d trap, %d hold under its rules alone and %d leave a state", functions, from, seed-1, calls, traps, wrapped, states)
	assert.Positive(t, traps)
	assert.Positive(t, wrapped)
	assert.Positive(t, states)
}

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

// HotSpot replaces functions of paths that are hot on the stack, and takes back what it
// compiled for one input when it meets another. HOT is the number of functions.
func TestHot(t *testing.T) {
	count := 20
	if text := os.Getenv("HOT"); text != "" {
		var err error
		count, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
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
