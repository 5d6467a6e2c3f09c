package reify

import (
	"errors"
	"fmt"
	"slices"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// MaxInputs is the most further inputs that a function can be asked to have.
const MaxInputs = 8

// triesPerInput is how many candidates are run for each further input that is
// wanted.
const triesPerInput = 24

// Claims returns all cases of the function: the one that was solved for and
// then those of More.
func (k *Case) Claims() []*ir.Claim {
	return append([]*ir.Claim{k.Claim}, k.More...)
}

// Program returns the function, after those of others that it calls, and all its
// cases.
func (k *Case) Program() *ir.Program {
	return &ir.Program{Funcs: append(k.Func.Foreigners(), k.Func), Claims: k.Claims()}
}

// furtherInputs returns up to n more cases of the function of main, no two with the
// same arguments. They are found without a solver, by changes to the arguments of known
// cases and a run of the function. The cases alternate: one follows a known path with
// other data, the next follows a path of its own. If there is no case of one sort, one
// of the other sort takes its place. If the function is total, any path will do, and
// arguments are first drawn without regard to the known ones. The error is a
// *GeneratorBug if a case is wrong.
func furtherInputs(main *ir.Claim, n int, total bool, s *choice.Stream) ([]*ir.Claim, error) {
	if n == 0 || len(main.Args) == 0 {
		return nil, nil
	}
	h := &inputHunt{s: s, fuel: 4*len(main.Path) + 64, known: []*ir.Claim{main}, total: total}
	own := s.Chance(1, 2)
	for range n {
		k := h.next(own)
		own = !own
		if k == nil {
			continue
		}
		if err := interp.Verify(k); err != nil {
			text := (&ir.Program{Funcs: []*ir.Function{k.Func}, Claims: []*ir.Claim{k}}).String()
			return nil, &GeneratorBug{Program: text, Err: fmt.Errorf("further input: %w", err)}
		}
		h.known = append(h.known, k)
	}
	return h.known[1:], nil
}

// Under returns further inputs whose answers hold under a semantics other than C's, and
// which have no answer in C: at most as many as the configuration asks for. They may
// trap. The recipe decides which. The error is a *GeneratorBug if a case is wrong.
func (k *Case) Under(under ir.Under) ([]*ir.Claim, error) {
	if len(k.Args) == 0 {
		return nil, nil
	}
	s := choice.Named("body", k.Recipe.Body).Fork("under " + string(under))
	h := &inputHunt{s: s, fuel: 4*visits(k.Claim) + 64, known: k.Claims()}
	var found []*ir.Claim
	for range triesPerInput {
		if len(found) >= k.Config.Inputs {
			break
		}
		c := h.other(under)
		if c == nil {
			continue
		}
		if err := interp.Verify(c); err != nil {
			text := (&ir.Program{Funcs: []*ir.Function{k.Func}, Claims: []*ir.Claim{c}}).String()
			return nil, &GeneratorBug{Program: text, Err: fmt.Errorf("input under %s: %w", under, err)}
		}
		found = append(found, c)
		h.known = append(h.known, c)
	}
	return found, nil
}

// visits returns how many blocks a claim visits, those in functions that are called included.
func visits(c *ir.Claim) int {
	if !c.Func.IsLeaf() {
		run, _ := interp.Run(c.Func, c.Args, interp.Options{Under: c.Under, Brief: true}) // the claim says how it ends
		return run.Steps
	}
	return len(c.Path)
}

// other runs the function on a candidate. It returns nil if the candidate has an answer
// in C, or none under the semantics.
func (h *inputHunt) other(under ir.Under) *ir.Claim {
	base := choice.Pick(h.s, h.known)
	f, args := base.Func, h.candidate(base)
	if h.tried(args) {
		return nil
	}
	var ub *interp.UB
	if _, err := interp.Run(f, args, interp.Options{Fuel: h.fuel, Brief: true}); !errors.As(err, &ub) || ub.Kind == interp.EndlessLoop {
		h.useless = append(h.useless, args)
		return nil
	}
	run, err := interp.Run(f, args, interp.Options{Fuel: h.fuel, Under: under, Brief: true})
	c := &ir.Claim{Func: f, Args: args, Want: run.Value, Path: run.Path, Under: under}
	var trap *interp.Trap
	switch {
	case errors.As(err, &trap):
		c.Want, c.Trap = 0, trap.Kind
	case err != nil:
		h.useless = append(h.useless, args)
		return nil
	}
	return c
}

// tried reports whether arguments are empty or those of a known case.
func (h *inputHunt) tried(args []int64) bool {
	same := func(k *ir.Claim) bool { return slices.Equal(k.Args, args) }
	return slices.ContainsFunc(h.known, same) || slices.ContainsFunc(h.spare, same) ||
		slices.ContainsFunc(h.useless, func(u []int64) bool { return slices.Equal(u, args) })
}

// An inputHunt looks for inputs of one function.
type inputHunt struct {
	s     *choice.Stream
	fuel  int
	total bool        // the function is defined for any arguments, mostly
	known []*ir.Claim // the main one first
	spare []*ir.Claim // found while the other sort was looked for
	// Arguments that make no case. Few parameters are often drawn alike, and runs that
	// go on for too long cost most.
	useless [][]int64
}

// next returns a case whose path is its own or, if own is not set, that of a known
// case. Else it returns a case of the other sort, and nil if no candidate was of use.
func (h *inputHunt) next(own bool) *ir.Claim {
	wanted := func(k *ir.Claim) bool { return h.total || h.hasOwnPath(k) == own }
	if i := slices.IndexFunc(h.spare, wanted); i >= 0 {
		k := h.spare[i]
		h.spare = slices.Delete(h.spare, i, i+1)
		return k
	}
	for i := range triesPerInput {
		k := h.try(h.total && i < triesPerInput/2)
		if k == nil {
			continue
		}
		if wanted(k) {
			return k
		}
		h.spare = append(h.spare, k)
	}
	if len(h.spare) == 0 {
		return nil
	}
	k := h.spare[0]
	h.spare = h.spare[1:]
	return k
}

func (h *inputHunt) hasOwnPath(k *ir.Claim) bool {
	return !slices.ContainsFunc(h.known, func(o *ir.Claim) bool { return slices.Equal(o.Path, k.Path) })
}

// try runs the function on any arguments, or on a candidate that is like the known
// ones. It returns nil if the arguments are known, or if the run meets undefined
// behaviour or is long.
func (h *inputHunt) try(free bool) *ir.Claim {
	base := choice.Pick(h.s, h.known)
	f, args := base.Func, []int64(nil)
	if free {
		args = h.any(f)
	} else {
		args = h.candidate(base)
	}
	if h.tried(args) {
		return nil
	}
	run, err := interp.Run(f, args, interp.Options{Fuel: h.fuel, Brief: true})
	if err != nil {
		h.useless = append(h.useless, args)
		return nil
	}
	return &ir.Claim{Func: f, Args: args, Want: run.Value, Path: run.Path}
}

// candidate returns the arguments of base with one of them, some, or all drawn
// anew.
func (h *inputHunt) candidate(base *ir.Claim) []int64 {
	args := slices.Clone(base.Args)
	first := h.s.Intn(len(args))
	share := choice.Pick(h.s, []int{0, 0, 30, 100}) // share of the other arguments, in percent
	for i, v := range base.Func.Params() {
		if i == first || h.s.Chance(share, 100) {
			args[i] = h.change(ir.Scalar(v.Type), args[i])
		}
	}
	return args
}

// any returns arguments of f, some of which are edges of types or have low bits in
// common.
func (h *inputHunt) any(f *ir.Function) []int64 {
	var args []int64
	for _, v := range f.Params() {
		t := ir.Scalar(v.Type)
		x := int64(h.s.Uint64())
		switch h.s.Weighted(4, 3, 2, 2, 2) {
		case 0:
			if x = h.s.Edge(2); h.s.Chance(1, 2) {
				x = -x
			}
		case 1:
			x = int64(h.s.Range(-3, 9))
		case 2: // of few bits
			x >>= h.s.Intn(63)
		case 3:
			if len(args) > 0 {
				low := int64(1)<<choice.Pick(h.s, []int{8, 16, 32}) - 1
				x = x&^low | choice.Pick(h.s, args)&low
			}
		}
		args = append(args, t.Wrap(x))
	}
	return args
}

// change returns a value of type t that mostly depends on v. Small steps mostly keep
// the path, large ones leave it.
func (h *inputHunt) change(t ir.Int, v int64) int64 {
	lo, hi := t.Min(), t.Max()
	if lo > hi { // u64, whose values are kept as those of i64
		lo, hi = ir.I64.Min(), ir.I64.Max()
	}
	switch h.s.Weighted(6, 6, 1, 1, 3) {
	case 0:
		return t.Wrap(v + choice.Pick(h.s, []int64{-1, 1})*int64(h.s.Range(1, 9)))
	case 1:
		return t.Wrap(v + h.s.Magnitude(lo, hi))
	case 2:
		return t.Wrap(-v)
	case 3:
		return choice.Pick(h.s, []int64{lo, hi})
	default:
		return h.s.Constant(lo, hi)
	}
}
