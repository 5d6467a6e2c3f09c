package foreign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"goreify/compilers"
)

// Reasons why an input has no pair.
const (
	ReasonUndefined     = "undefined"     // a sanitizer reports something, or it dies
	ReasonEndless       = "endless"       // it executes more than MaxSteps statements
	ReasonSkipped       = "skipped"       // it died too often before
	ReasonDiffers       = "differs"       // two runs or two families disagree
	ReasonUninitialised = "uninitialised" // the answer depends on uninitialised memory
	ReasonNarrow        = "narrow"        // it does not hold with pointers of 32 bits, or no compiler here can tell
	ReasonRejected      = "rejected"      // a compiler gives up on it
)

// A Harvester asks compilers for the answers of functions. It may be used concurrently.
type Harvester struct {
	space     *compilers.Workspace
	witnesses []witness
	narrow    []witness // with pointers of 32 bits, one of them with sanitizers; or none
	limits    compilers.Limits
	panel     *Panel // that has built the drivers, or nil
}

// A witness is a build that must agree.
type witness struct {
	target  compilers.Target
	reason  string // reason of a refusal if its answer differs
	limits  compilers.Limits
	counted bool // it counts statements
	mode    compilers.Mode
	// sanitizes says that it reports undefined behaviour. If addresses matter, other
	// witnesses see it.
	sanitizes bool
	guarded   bool // objects of proxies lie far apart: a sanitizer sees accesses near them only
}

// NewHarvester returns a harvester that asks the newest of each family in targets, and
// sanitizers of two families. The error says which witness is missing: it needs those,
// and one that sees uninitialised memory (-fsanitize=memory).
func NewHarvester(ctx context.Context, targets, sanitizers []compilers.Target, space *compilers.Workspace) (*Harvester, error) {
	h := NewChecker(space)
	wide := h.limits.ForSanitizers()
	var families []string
	for _, t := range sanitizers {
		if family := t.ID().Family; t.Language() == compilers.C && !slices.Contains(families, family) {
			families = append(families, family)
			h.witnesses = append(h.witnesses, witness{target: t, reason: ReasonUndefined, limits: wide, counted: len(families) == 1, mode: "-O0", sanitizes: true, guarded: true})
		}
	}
	if len(families) < 2 {
		return nil, fmt.Errorf("sanitizers of gcc and clang must agree on the answers of functions, and only those of %v are here", families)
	}
	families = nil
	memory := false
	for _, t := range slices.Backward(targets) {
		t = compilers.Plain(t)
		family := t.ID().Family
		if t.Language() != compilers.C || t.Traits().Emulated || t.Traits().Pointer != 8 || slices.Contains(families, family) {
			continue
		}
		// One family fills uninitialised variables with zeros, the other with a
		// pattern.
		filled := witness{target: t, reason: ReasonDiffers, limits: h.limits, mode: "-O0"}
		if l, ok := t.(compilers.Lenient); ok && len(families) < len(l.Filled()) {
			if u := l.With(l.Filled()[len(families)]); h.works(ctx, u, h.limits) {
				filled = witness{target: u, reason: ReasonUninitialised, limits: h.limits, mode: "-O0"}
			}
		}
		families = append(families, family)
		h.witnesses = append(h.witnesses, filled)
		if u, ok := compilers.With(t, "-fsanitize=memory", "-fno-sanitize-recover=all"); ok && !memory && h.works(ctx, u, wide) {
			memory = true
			h.witnesses = append(h.witnesses, witness{target: u, reason: ReasonUninitialised, limits: wide, mode: "-O0", sanitizes: true})
		}
		if u, ok := compilers.With(t, "-m32"); ok && len(h.narrow) == 0 && h.works(ctx, u, h.limits) && u.Traits().Pointer == 4 {
			h.narrow = append(h.narrow, witness{target: u, reason: ReasonDiffers, limits: h.limits, mode: "-O0"})
		}
	}
	// Code that is defined for a long of 64 bits may not be for one of 32: shifts,
	// above all.
	i := slices.IndexFunc(sanitizers, func(t compilers.Target) bool {
		u, ok := compilers.With(t, "-m32")
		return ok && t.Language() == compilers.C && h.works(ctx, u, wide) && u.Traits().Pointer == 4
	})
	if i >= 0 && len(h.narrow) > 0 {
		u, _ := compilers.With(sanitizers[i], "-m32")
		h.narrow = append(h.narrow, witness{target: u, reason: ReasonUndefined, limits: wide, mode: "-O0", sanitizes: true, guarded: true})
	} else {
		h.narrow = nil
	}
	switch {
	case len(families) < 2:
		return nil, fmt.Errorf("gcc and clang must agree on the answers of functions, and only %v are here", families)
	case !memory:
		return nil, errors.New("a compiler with -fsanitize=memory, such as clang, must check for uninitialised memory, and none is here")
	}
	return h, nil
}

// NewChecker returns a harvester that can only Check, and needs no compilers for that.
func NewChecker(space *compilers.Workspace) *Harvester {
	h := &Harvester{space: space, limits: compilers.DefaultLimits()}
	h.limits.CompileCPU, h.limits.CompileWall = 60*time.Second, 5*time.Minute
	h.limits.RunCPU, h.limits.RunWall = 60*time.Second, 5*time.Minute
	h.limits.Output = 64 << 20
	return h
}

// works tells whether a target builds programs that run.
func (h *Harvester) works(ctx context.Context, t compilers.Target, l compilers.Limits) bool {
	o := compilers.Test(ctx, t, h.space, compilers.Job{Files: compilers.Single([]byte("int main(void) { return 0; }\n")), Mode: "-O0"}, l)
	return o.Verdict == compilers.OK
}

// Narrow tells whether functions are tried with pointers of 32 bits, also with
// sanitizers. Without these no function is of Both.
func (h *Harvester) Narrow() bool { return len(h.narrow) > 0 }

// A Harvest is the result of a function.
type Harvest struct {
	Function *Function // its Models and Class may have changed
	Pairs    []Pair
	Refused  map[string]int // how many inputs have no pair, by the reason
	Rejected bool           // a compiler does not take it
}

// Inputs is the number of inputs that are tried of a function, and MaxPairs bounds the
// pairs that are kept.
const (
	Inputs   = 64
	MaxPairs = 32
)

// leastPairs is the number of pairs that are kept even if some of them visit no new
// statements: with more pairs a function can be called at more places.
const leastPairs = 16

// deaths bounds the inputs that may kill a function before it is given up.
const deaths = 24

// Harvest tries functions on inputs that their text decides. Of the variants of one
// function, which are neighbours, the one with the most sets of visited statements is
// returned. Of functions of one symbol the first is tried, and the others are not
// returned.
func (h *Harvester) Harvest(ctx context.Context, functions []*Function) ([]Harvest, error) {
	symbols := map[string]bool{}
	functions = slices.DeleteFunc(slices.Clone(functions), func(f *Function) bool {
		again := symbols[f.Symbol]
		symbols[f.Symbol] = true
		return again
	})
	var q []Question
	for _, f := range functions {
		for _, args := range Draw(f, Inputs) {
			q = append(q, Question{f, args})
		}
	}
	replies, narrow, err := h.ask(ctx, q, deaths, chosen)
	if err != nil {
		return nil, err
	}
	var list []Harvest
	visits := 0 // of the last of list
	for i, f := range functions {
		r := replies[i*Inputs : (i+1)*Inputs]
		one := Harvest{Function: f, Refused: map[string]int{}, Rejected: true}
		sets, answers, agree := map[uint64]bool{}, map[int64]bool{}, 0
		for k := range r {
			one.Rejected = one.Rejected && r[k].Refused == ReasonRejected
			if r[k].Refused != "" {
				if r[k].Refused != reasonSpare {
					one.Refused[r[k].Refused]++
				}
				continue
			}
			one.Pairs = append(one.Pairs, r[k].Pair)
			sets[r[k].Visited], answers[r[k].Want] = true, true
			if narrow != nil && narrow[i*Inputs+k] {
				agree++
			}
		}
		f.Models = LP64
		if len(one.Pairs) > 0 && agree == len(one.Pairs) {
			f.Models = Both
		}
		if len(answers) < 2 && f.Class != Puns {
			f.Class = Dead
		}
		if n := len(list); n > 0 && list[n-1].Function.Origin == f.Origin {
			if len(sets) > visits {
				list[n-1], visits = one, len(sets)
			}
			continue
		}
		list, visits = append(list, one), len(sets)
	}
	return list, nil
}

// reasonSpare is of inputs that tell nothing new.
const reasonSpare = "spare"

// chosen returns which replies to one function are to be kept: one for each set of
// visited statements, then new answers, then others.
func chosen(replies []Reply) []int {
	var list []int
	sets, answers := map[uint64]bool{}, map[int64]bool{}
	take := func(wanted func(r *Reply) bool, most int) {
		for i := range replies {
			r := &replies[i]
			if r.Refused == "" && len(list) < most && !slices.Contains(list, i) && wanted(r) {
				list = append(list, i)
				sets[r.Visited], answers[r.Want] = true, true
			}
		}
	}
	take(func(r *Reply) bool { return !sets[r.Visited] }, MaxPairs)
	take(func(r *Reply) bool { return !answers[r.Want] }, MaxPairs)
	take(func(*Reply) bool { return true }, leastPairs)
	return list
}
