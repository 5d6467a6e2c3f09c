package oracle_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/source"
	"goreify/reify/source/function"
	variants "goreify/reify/source/variant"
)

// TestSoundVariants asks the witnesses of TestSound about variants by all passes,
// seven of each function. REIFY_SOUND_VARIANTS says how many; REIFY_SOUND_SEEDS names
// a directory of reproducers to make variants of instead; the other variables are as
// in TestSound.
func TestSoundVariants(t *testing.T) {
	n, first := count(t, "REIFY_SOUND_VARIANTS", 20), uint64(count(t, "REIFY_SOUND_FROM", 1))
	o := function.Options{Profile: os.Getenv("REIFY_SOUND_PROFILE"), Features: os.Getenv("REIFY_SOUND_FEATURES"), Size: min(12, max(1, n/8))}
	if o.Profile == "plan" {
		o.Profile = ""
	}
	var from source.Source = variants.Source{Options: o, Variants: 7}
	if dir := os.Getenv("REIFY_SOUND_SEEDS"); dir != "" {
		c := variants.NewCorpus(dir, 6, 10)
		require.NoError(t, c.Check(), "REIFY_SOUND_SEEDS")
		from = c
	}
	of, list := judges(t)
	limits := patience(of)
	var wrong tally
	asked, making := 0, time.Duration(0)
	for seed := first; asked < n; seed += uint64(o.Size) {
		start := own(t)
		s, err := from.Make(t.Context(), from.Draw(choice.From(seed)))
		require.NoError(t, err, "seeds from %d", seed)
		batch := s.(*function.Batch)
		making += own(t) - start
		about := func(b *function.Batch, list []*witness, terse bool) []complaint {
			job := b.Artefact().Job("-O0")
			return ask(t.Context(), of, list, limits, question{b.Weight(), job, job, terse})
		}
		if all := about(batch, list, true); len(all) > 0 {
			before := len(wrong.wrong)
			for i, one := range batch.Members() {
				if all := about(one.(*function.Batch), those(all), false); len(all) > 0 {
					e, err := one.Entry()
					require.NoError(t, err)
					wrong.add(t, seed, all, fmt.Sprint(e.Notes, "\n", batch.Cases[i].Program()))
				}
			}
			require.Greater(t, len(wrong.wrong), before, "%v\nonly together: seeds from %d", all[0], seed)
		}
		if asked += batch.Weight(); asked/1000 > (asked-batch.Weight())/1000 {
			fmt.Printf("%d functions and variants, %d wrong; to go on from here: FROM=%d N=%d\n", asked, len(wrong.wrong), seed+uint64(o.Size), n-asked)
		}
	}
	fmt.Printf("%d functions and variants, %d wrong at -O0 or flagged by a sanitizer; %.3f ms to make one\n",
		asked, len(wrong.wrong), perFunction(making, asked))
	costs(os.Stdout, list)
	assert.GreaterOrEqual(t, asked, n)
}
