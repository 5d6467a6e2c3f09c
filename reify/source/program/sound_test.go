package program

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/tools/need"
)

// What the interpreter says of the functions of programs, of traps and of what is left in
// memory is what compilers of other languages than C say in their reference modes.
// REIFY_SOUND_IN is the number of functions, from seed REIFY_SOUND_FROM on, a program of
// each; REIFY_SOUND_CC names the compilers, of one language or more, and REIFY_SOUND_MODES=all
// asks them in all modes.
func TestSoundIn(t *testing.T) {
	number := func(name string, n int) int {
		if text := os.Getenv(name); text != "" {
			var err error
			n, err = strconv.Atoi(text)
			require.NoError(t, err)
		}
		return n
	}
	count, from := number("REIFY_SOUND_IN", 60), number("REIFY_SOUND_FROM", 0)
	asked := 0
	for _, l := range language.All() {
		env := compilers.EnvFrom(os.Environ())
		env.CC = os.Getenv("REIFY_SOUND_CC")
		if env.CC == "" {
			env.CC = map[compilers.Language]string{compilers.Go: "gc", compilers.Wasm: "wazero", compilers.JVM: "java"}[l.Name]
			if env.CC == "java" && l.Calls() {
				need.Command(t, "java")
			}
		}
		if !l.Calls() {
			continue
		}
		found, _, err := targets.Find(t.Context(), env)
		require.NoError(t, err)
		var list []compilers.Target
		for _, c := range found {
			if c.Language() == l.Name {
				list = append(list, c)
			}
		}
		if list != nil {
			asked++
			t.Run(l.Short, func(t *testing.T) { soundIn(t, l, list, count, uint64(from)) })
		}
	}
	assert.Positive(t, asked)
}

func soundIn(t *testing.T, l *language.Language, list []compilers.Target, count int, from uint64) {
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer ws.Close()
	profiles := []string{"focus", "wild", "calls", "swarm", "mixed", "loops", "yarpgen", "aggregates", "machine", "vectors", "lanes"}
	programs, functions, calls, traps, under, states, none := 0, 0, 0, 0, 0, 0, 0
	seed := from
	for ; functions < count; seed++ {
		profile := profiles[int(seed)%len(profiles)]
		s := Source{Options: function.Options{Profile: profile, Size: 4, Language: l.Name}}
		made, err := s.Make(t.Context(), s.Draw(choice.From(seed<<20)))
		if err != nil {
			none++
			require.ErrorIs(t, err, source.ErrNone)
			require.Less(t, none, 100+int(seed-from), "%v", err)
			continue
		}
		b := made.(*function.Batch)
		programs += len(b.Cases)
		functions += b.Weight()
		text := string(b.Artefact().Want)
		calls += strings.Count(text, "\n")
		traps += strings.Count(text, " traps ")
		states += strings.Count(text, " state ")
		e, err := b.Entry()
		require.NoError(t, err)
		p, err := ir.Parse(e.Program)
		require.NoError(t, err)
		require.NoError(t, p.Check())
		for _, c := range p.Claims {
			if c.Under != ir.C {
				under++
			}
		}
		for _, c := range list {
			for _, mode := range c.Modes() {
				if mode != c.Reference() && os.Getenv("REIFY_SOUND_MODES") != "all" {
					continue
				}
				limits := compilers.DefaultLimits().ForFunctions(b.Weight())
				limits.CompileWall, limits.RunWall = 3*time.Minute, 3*time.Minute
				o := compilers.Test(t.Context(), c, ws, b.Artefact().Job(mode), limits)
				if !assert.Equal(t, compilers.OK, o.Verdict, "%v %s, profile %s, seed %d: %v", c.ID(), mode, profile, seed, o) {
					if dir := os.Getenv("REIFY_SOUND_DIR"); dir != "" {
						require.NoError(t, os.WriteFile(dir+"/"+b.Artefact().Files[0].Name, b.Artefact().Files[0].Content, 0o600))
						require.NoError(t, os.WriteFile(dir+"/program.ir", []byte(e.Program), 0o600))
						require.NoError(t, os.WriteFile(dir+"/want.txt", []byte(text), 0o600))
						require.NoError(t, os.WriteFile(dir+"/got.txt", o.Stdout, 0o600))
					}
					return
				}
			}
		}
	}
	t.Logf("%d functions of %d programs of seeds %d to %d, %d batches that cannot be written, %d calls, of which %d trap, %d hold under its rules alone and %d leave a state",
		functions, programs, from, seed-1, none, calls, traps, under, states)
	assert.Positive(t, states)
	assert.Positive(t, under)
	assert.Positive(t, traps)
}
