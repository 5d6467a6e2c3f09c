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

// plantedShare is the number of functions of which one has a trap planted in it.
const plantedShare = 8

// under returns the case in the form for a semantics: with further inputs that have
// answers there alone, and now and then with a trap on the path of the main input. All
// that has an answer in C has one elsewhere. The error is a *reify.GeneratorBug.
func under(k *reify.Case, u ir.Under) (*reify.Case, error) {
	if u == ir.C {
		return k, nil
	}
	more, err := k.Under(u)
	if err != nil {
		return nil, err
	}
	one := *k
	one.More = slices.Concat(k.More, more)
	if trapped, err := Planted(&one, u); trapped != nil || err != nil {
		return trapped, err
	}
	return &one, nil
}

// Planted returns the case of a copy of the function that has a trap on the path of the
// main input under a semantics other than C's, with the other inputs that do not reach the trap. It
// returns nil for most functions. The error is a *reify.GeneratorBug.
func Planted(one *reify.Case, u ir.Under) (*reify.Case, error) {
	s := choice.Named("body", one.Recipe.Body).Fork("plant")
	if u == ir.C || !s.Chance(1, plantedShare) {
		return nil, nil
	}
	c, err := plant.Trap(one.Claim, u, s)
	switch {
	case errors.Is(err, plant.ErrNone):
		return nil, nil
	case err != nil:
		return nil, &reify.GeneratorBug{Program: one.Program().String(), Err: err}
	}
	// The other inputs may reach the trap as well.
	trapped := *one
	trapped.Claim, trapped.More = c, nil
	for _, m := range one.Claims() {
		same := *m
		same.Func, same.End = c.Func, nil
		if interp.Verify(&same) == nil {
			trapped.More = append(trapped.More, &same)
		}
	}
	return &trapped, nil
}
