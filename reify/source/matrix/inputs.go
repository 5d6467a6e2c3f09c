package matrix

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// edgesOf holds what edges has returned, by type.
var edgesOf sync.Map

// edges returns the values of a type where operations change their behaviour.
func edges(t ir.Type) []*big.Int {
	t = elem(t)
	if list, ok := edgesOf.Load(t); ok {
		return list.([]*big.Int)
	}
	list := listEdges(t)
	edgesOf.Store(t, list)
	return list
}

func listEdges(t ir.Type) []*big.Int {
	if t == ir.Bool {
		return []*big.Int{new(big.Int), big.NewInt(1)}
	}
	n := bitsOf(t)
	pow := func(k int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(k)) }
	add := func(v *big.Int, k int64) *big.Int { return new(big.Int).Add(v, big.NewInt(k)) }
	var list []*big.Int
	for _, k := range []int64{0, 1, -1, 2, 3, 5, 7, -2} {
		list = append(list, big.NewInt(k))
	}
	list = append(list, pow(n-1), add(pow(n-1), -1), add(pow(n-1), 1), add(pow(n-1), -2))
	list = append(list, big.NewInt(int64(n-1)), big.NewInt(int64(n)), big.NewInt(int64(n/2)))
	if n >= 8 {
		list = append(list, pow(n/2), add(pow(n/2), -1), pow(n-2), new(big.Int).Neg(pow(n/2)), big.NewInt(10), big.NewInt(100))
	}
	alternating := new(big.Int)
	for k := 0; k < n; k += 2 {
		alternating.SetBit(alternating, k, 1)
	}
	list = append(list, alternating, new(big.Int).Not(alternating))
	var kept []*big.Int
	for _, v := range list {
		v = wrap(t, v)
		if !slices.ContainsFunc(kept, func(w *big.Int) bool { return w.Cmp(v) == 0 }) {
			kept = append(kept, v)
		}
	}
	return kept
}

// A care is how small values are drawn, such that operations are defined.
type care int

const (
	edgy   care = iota // edges of the type, and any values
	halved             // values of half the width
	small              // numbers from 1 to 7
	numCares
)

// high is the upper half of a type of more than 64 bits. Where values are small, it is zero.
type high struct{ ir.Int }

// value draws a value of an integer type, or a small integer for a floating-point one.
func (h care) value(t ir.Type, s *choice.Stream) *big.Int {
	if _, high := t.(high); high {
		t = ir.U64
		if h != edgy {
			return new(big.Int)
		}
	}
	list := edges(t)
	v := list[s.Intn(len(list))]
	if s.Chance(1, 4) {
		v = random(s)
	}
	switch v = wrap(t, v); {
	case h == halved:
		v = new(big.Int).Rsh(v, uint(bitsOf(t)+1)/2)
	case h == small:
		v = big.NewInt(int64(1 + s.Intn(min(7, bitsOf(t)))))
	}
	return wrap(t, v)
}

const (
	mostInputs = 8
	mostTries  = 48
)

// Make returns the case of the cell, whose function gets the given name, with its
// inputs: up to eight, which the interpreter has run under the rules of a language. The
// error wraps errNone if the cell has no function: types do not fit, or none of the
// inputs that were drawn has an answer.
func (c Cell) Make(name string, under ir.Under) (k *reify.Case, err error) {
	for how := range numCares {
		if k, err = c.make(name, under, how); !errors.As(err, new(*interp.UB)) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cell %s: %w", c, err)
	}
	return k, nil
}

func (c Cell) make(name string, under ir.Under, how care) (*reify.Case, error) {
	text, params, err := c.text(name, how)
	if err != nil {
		return nil, err
	}
	p, err := ir.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w\n%s", errNone, err, text)
	}
	f := p.Funcs[0]
	if err := ir.Check(f); err != nil {
		return nil, fmt.Errorf("%w: %w", errNone, err)
	}
	s := choice.New(choice.Derive(1, c.String()))
	var claims []*ir.Claim
	var last error
	tries := mostTries
	if len(params) == 0 {
		tries = 1
	}
	for range tries {
		var args []int64
		for _, p := range params {
			args = append(args, p.draw(how, s))
		}
		if slices.ContainsFunc(claims, func(k *ir.Claim) bool { return slices.Equal(k.Args, args) }) {
			continue
		}
		rules := ir.C // of which an answer holds in every language
		r, err := interp.Run(f, args, interp.Options{Brief: true})
		if err != nil && under != ir.C {
			rules = under
			r, err = interp.Run(f, args, interp.Options{Under: under, Brief: true})
		}
		if err != nil {
			last = err
			continue
		}
		claims = append(claims, &ir.Claim{Func: f, Args: args, Want: r.Value, Path: r.Path, Under: rules})
		if len(claims) == mostInputs {
			break
		}
	}
	if len(claims) == 0 {
		return nil, fmt.Errorf("%w: no input has an answer: %w", errNone, last)
	}
	style := reify.Recipe{Body: choice.Derive(2, c.String())} // of languages other than C
	return &reify.Case{Recipe: style, Claim: claims[0], More: claims[1:]}, nil
}

// draw returns an argument.
func (p param) draw(how care, s *choice.Stream) int64 {
	if p.values == nil {
		return int64(s.Intn(mostIndex))
	}
	low, _ := halves(how.value(p.values, s))
	if wide, ok := p.values.(ir.Wide); ok && wide.Bits < 64 && s.Chance(1, 2) { // bits above the type are not zero
		low ^= s.Uint64() << wide.Bits
	}
	return p.t.Wrap(int64(low))
}
