package function

import (
	"errors"
	"slices"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/plant"
)

// plantedShare is how many functions one has a trap planted in.
const plantedShare = 8

// under returns the case as it is asked about under a semantics: with further inputs
// that have answers there alone, and now and then with a trap in the way of the main
// one. The error is a *reify.GeneratorBug.
func under(k *reify.Case, u ir.Under) (*reify.Case, error) {
	more, err := k.Under(u)
	if err != nil {
		return nil, err
	}
	one := *k
	one.More = slices.Concat(k.More, more)
	s := choice.Named("body", k.Recipe.Body).Fork("plant")
	if !s.Chance(1, plantedShare) {
		return &one, nil
	}
	c, err := plant.Trap(k.Claim, u, s)
	switch {
	case errors.Is(err, plant.ErrNone):
		return &one, nil
	case err != nil:
		return nil, &reify.GeneratorBug{Program: k.Program().String(), Err: err}
	}
	// The other inputs may meet the trap as well.
	trapped := one
	trapped.Claim, trapped.More = c, nil
	for _, m := range one.Claims() {
		same := *m
		same.Func = c.Func
		if interp.Verify(&same) == nil {
			trapped.More = append(trapped.More, &same)
		}
	}
	return &trapped, nil
}
