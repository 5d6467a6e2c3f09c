package hunt

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"goreify/compilers"
	"goreify/reify/choice"
)

// tune returns a target with the flags that a batch gives it, or as it is if the
// batch gives it none. They are drawn once for a batch.
func (h *hunt) tune(ctx context.Context, b batch, t compilers.Target, word flagWord) (compilers.Target, error) {
	of, ok := t.(compilers.Tunable)
	if !ok {
		return t, nil
	}
	flags, err := h.store.flagsOf(b.number, t.ID())
	if err != nil {
		return t, err
	}
	all := len(flags)
	if flags, err = h.knownTo(ctx, of, flags); err != nil {
		return t, err
	}
	if len(flags) == 0 || len(flags) < all { // or the compiler was replaced
		if flags, err = h.drawFlags(ctx, b, of, word); err != nil {
			return t, err
		}
		if err := h.store.giveFlags(b.number, t.ID(), flags); err != nil {
			return t, err
		}
	}
	if len(flags) == 0 {
		return t, nil
	}
	return compilers.Tune(of, flags...), nil
}

// drawFlags draws flags for a target: those for the processor, or none, by the seed
// alone, and after them other flags by their yields.
func (h *hunt) drawFlags(ctx context.Context, b batch, of compilers.Tunable, word flagWord) (flags []string, err error) {
	draw := choice.New(choice.Derive(h.seed, fmt.Sprintf("flags of batch %d, %v", b.number, of.ID())))
	var arch, others []compilers.FlagSet
	for _, set := range of.FlagSets() {
		if set.Arch {
			arch = append(arch, set)
		} else {
			others = append(others, set)
		}
	}
	if draw.Chance(1, 2) {
		if flags, err = h.pickSet(ctx, draw, of, arch, nil); err != nil {
			return nil, err
		}
	}
	if word != anyFlags {
		return flags, nil
	}
	past, err := h.flagYields()
	if err != nil {
		return nil, err
	}
	more, err := h.pickSet(ctx, draw, of, others, past)
	return slices.Concat(flags, more), err
}

// pickSet draws one of the sets of which a target knows any flag, and returns those
// that it knows.
func (h *hunt) pickSet(ctx context.Context, draw *choice.Stream, of compilers.Tunable, sets []compilers.FlagSet, past map[flagOf]yield) ([]string, error) {
	for len(sets) > 0 {
		i := draw.Weighted(setWeights(of.ID().Family, sets, past)...)
		flags, err := h.knownTo(ctx, of, sets[i].Flags)
		if err != nil || len(flags) > 0 {
			return flags, err
		}
		sets = slices.Delete(slices.Clone(sets), i, i+1)
	}
	return nil, nil
}

// knownTo returns those of some flags that a target knows and the machine can run. One
// that it does not is asked about once in a run, and named.
func (h *hunt) knownTo(ctx context.Context, of compilers.Tunable, flags []string) (known []string, err error) {
	h.probing.Lock()
	defer h.probing.Unlock()
	for _, flag := range flags {
		key := of.ID().String() + " " + flag
		knows, asked := h.knows[key]
		if !asked {
			why := compilers.Probe(ctx, compilers.Tune(of, flag).Target, h.oracle.Space, h.oracle.Limits)
			knows = why == nil
			switch {
			case knows:
			case compilers.Probe(ctx, of, h.oracle.Space, h.oracle.Limits) != nil:
				return nil, nil // it is not for the flag
			default:
				if err := h.note("goes on without the flag: " + firstLine(why.Error())); err != nil {
					return nil, err
				}
			}
			h.knows[key] = knows
		}
		if knows {
			known = append(known, flag)
		}
	}
	return known, nil
}

// A flagOf is a flag of a family.
type flagOf struct{ family, flag string }

// Weights of sets of flags, in thousandths of that of one which was never drawn.
const (
	untried     = 1000
	leastWeight = 100
)

// setWeights returns the weight of each set: the mean of what its flags yield in a CPU
// second, as if each had had a bucket in the first prior seconds.
func setWeights(family string, sets []compilers.FlagSet, past map[flagOf]yield) (weights []int) {
	for _, set := range sets {
		sum := 0.0
		for _, flag := range set.Flags {
			y := past[flagOf{family, flag}]
			sum += float64(y.buckets+1) * prior / (y.cost() + prior)
		}
		weights = append(weights, max(leastWeight, int(untried*sum/float64(len(set.Flags)))))
	}
	return weights
}

// flagsOf returns the flags that were drawn for a batch and a target, if any were.
func (s *store) flagsOf(batch int64, target compilers.ID) ([]string, error) {
	return each(s.db, `SELECT flag FROM flags WHERE batch = ? AND target = ? ORDER BY place`,
		func(flag *string) []any { return []any{flag} }, batch, target.String())
}

// giveFlags records the flags that were drawn for a batch and a target.
func (s *store) giveFlags(batch int64, target compilers.ID, flags []string) error {
	return s.transact(func(tx *sql.Tx) error {
		_, err := tx.Exec(`DELETE FROM flags WHERE batch = ? AND target = ?`, batch, target.String())
		for place, flag := range flags {
			if err != nil {
				break
			}
			_, err = tx.Exec(`INSERT INTO flags (batch, target, family, place, flag) VALUES (?, ?, ?, ?, ?)`,
				batch, target.String(), target.Family, place, flag)
		}
		return err
	})
}

// yieldsEvery is for how many draws the yields of flags hold that were read: after a
// day of hunting that takes a tenth of a second.
const yieldsEvery = 32

// flagYields returns what each flag has yielded.
func (h *hunt) flagYields() (map[flagOf]yield, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.flagDraws%yieldsEvery == 0 {
		rows, err := h.store.flags()
		if err != nil {
			return nil, err
		}
		h.flagPast = map[flagOf]yield{}
		for _, r := range rows {
			h.flagPast[flagOf{r.Family, r.Flag}] = yield{cpu: r.CPUSeconds, running: r.running, buckets: int(r.Buckets)}
		}
	}
	h.flagDraws++
	return h.flagPast, nil
}

// flags returns the flags that were drawn, by family and name, with the buckets whose
// first findings needed them.
func (s *store) flags() ([]Flag, error) {
	const query = `WITH needed AS (
			SELECT f.family, f.flag, COUNT(DISTINCT k.fingerprint) AS buckets
			FROM ` + fresh + ` k JOIN findings n ON n.name = k.finding JOIN flags f ON f.batch = k.batch
			WHERE instr(n.compiler || ' ', f.target || ' ') = 1 AND instr(' ' || k.flags || ' ', ' ' || f.flag || ' ') > 0
			GROUP BY f.family, f.flag)
		SELECT f.family, f.flag, COUNT(*), SUM(b.cpu), SUM(b.done = 0 AND b.tries = 0), COALESCE(MAX(needed.buckets), 0)
		FROM flags f JOIN batches b ON b.number = f.batch LEFT JOIN needed ON needed.family = f.family AND needed.flag = f.flag
		GROUP BY f.family, f.flag ORDER BY f.family, f.flag`
	return each(s.db, query, func(f *Flag) []any {
		return []any{&f.Family, &f.Flag, &f.Batches, &f.CPUSeconds, &f.running, &f.Buckets}
	})
}
