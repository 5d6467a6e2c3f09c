package oracle_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/foreign"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/inject"
	"goreify/reify/subject"
)

// TestSoundForeign asks the witnesses of TestSound about programs of each mode that call
// functions of others, of the database that REIFY_SOUND_FUNCTIONS names.
// REIFY_SOUND_FOREIGN says how many of each mode, or of REIFY_SOUND_MODE alone; the other
// variables are as in TestSound.
func TestSoundForeign(t *testing.T) {
	n, first := count(t, "REIFY_SOUND_FOREIGN", 0), uint64(count(t, "REIFY_SOUND_FROM", 1))
	if n == 0 {
		t.Skip("make sound-foreign asks about a database of functions")
	}
	db, err := foreign.Read(os.Getenv("REIFY_SOUND_FUNCTIONS"))
	require.NoError(t, err)
	defer db.Close() // nothing was written
	o, list := judges(t)
	h, err := foreign.NewHarvester(t.Context(), o.Targets, o.Sanitizers, o.Space)
	require.NoError(t, err)
	limits := patience(o)
	limits.CompileCPU *= 4
	var wrong tally
	modes := []inject.Mode{inject.Fixed, inject.Rows, inject.Free}
	if text := os.Getenv("REIFY_SOUND_MODE"); text != "" {
		modes = []inject.Mode{inject.Mode(text)}
	}
	for _, mode := range modes {
		options := function.Options{Profile: os.Getenv("REIFY_SOUND_PROFILE"), Size: 48}
		if mode == inject.Fixed {
			options.Size = 6
		}
		s := inject.New(options, mode, func() (inject.Base, error) { return db, nil })
		s.Ask = func(list []*foreign.Function) (inject.Asker, error) { return h.Panel(list), nil }
		about := func(one subject.Subject, list []*witness, terse bool) []complaint {
			a := one.Artefact()
			list = slices.DeleteFunc(slices.Clone(list), func(w *witness) bool { return !w.Traits().Meet(a.Needs) })
			checked := a
			if clued, ok := one.(interface{ Debug() subject.Artefact }); ok {
				checked = clued.Debug()
			}
			return ask(t.Context(), o, list, limits, question{one.Weight(), a.Job("-O0"), checked.Job("-O0"), terse})
		}
		made, making := 0, time.Duration(0)
		for seed := first; made < n; seed += 1 << 12 {
			start := own(t)
			m, err := s.Make(t.Context(), s.Draw(choice.From(seed)))
			making += own(t) - start
			if errors.Is(err, source.ErrNone) {
				continue
			}
			require.NoError(t, err, "%s, seed %d", mode, seed)
			members := []subject.Subject{m}
			if g, ok := m.(subject.Group); ok {
				members = g.Members()
			}
			if all := about(m, list, true); len(all) > 0 {
				before := len(wrong.wrong)
				for _, one := range members {
					if all := about(one, those(all), false); len(all) > 0 {
						e, err := one.Entry()
						require.NoError(t, err)
						wrong.add(t, seed, all, e.Program)
					}
				}
				require.Greater(t, len(wrong.wrong), before, "%v\nonly together: %s, seed %d", all[0], mode, seed)
			}
			made += len(members)
		}
		fmt.Printf("%s: %d programs, %d wrong so far at -O0 or flagged by a sanitizer; %.2f ms to make one, compilers not counted\n",
			mode, made, len(wrong.wrong), perFunction(making, made))
		assert.GreaterOrEqual(t, made, n)
	}
	costs(os.Stdout, slices.DeleteFunc(list, func(w *witness) bool { return w.asked == 0 }))
}
