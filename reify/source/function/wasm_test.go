package function

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/choice"
)

// What the interpreter says of functions, traps and what is left in memory is what
// engines say in their reference modes. WASM_SOUND is the number of functions, made from
// seed WASM_FROM on, 40 of each, and WASM_ENGINES names the engines, as REIFY_CC does.
func TestSoundWasm(t *testing.T) {
	count, first, names := 250, 0, "wazero"
	for name, number := range map[string]*int{"WASM_SOUND": &count, "WASM_FROM": &first} {
		if text := os.Getenv(name); text != "" {
			var err error
			*number, err = strconv.Atoi(text)
			require.NoError(t, err, name)
		}
	}
	if text := os.Getenv("WASM_ENGINES"); text != "" {
		names = text
	}
	env := compilers.EnvFrom(os.Environ())
	env.CC = names
	engines, _, err := targets.Find(t.Context(), env)
	require.NoError(t, err)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer ws.Close()

	profiles := []string{"wild", "mixed", "swarm", "loops", "focus", "yarpgen", "aggregates", "narrow", "machine", "facts", "paper", "vectors", "vector-loops"}
	functions, calls, traps, wrapped, states := 0, 0, 0, 0, 0
	seed := uint64(first)
	for ; functions < count; seed++ {
		profile := profiles[int(seed)%len(profiles)]
		size := 40
		if profile == "paper" {
			size = 10
		}
		s := Source{Options{Profile: profile, Size: size, Language: compilers.Wasm}}
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
					t.Logf("%s\n%s", b.styles[i], b.Cases[i].Program())
					break
				}
				return
			}
		}
	}
	t.Logf("%d functions of seeds %d to %d, %d calls, of which %d trap, %d hold under wasm alone and %d leave a state", functions, first, seed-1, calls, traps, wrapped, states)
	assert.Positive(t, traps)
	assert.Positive(t, wrapped)
	assert.Positive(t, states)
}
