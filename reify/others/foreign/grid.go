package foreign

import (
	"slices"

	"goreify/reify/choice"
)

// A Grid is questions about a function that differ in one argument: Args[Param] +
// i*Stride, wrapped, for i from 0 to Count-1. A caller that passes (x & (Count-1)) *
// Stride + Args[Param] needs no other answers, for any x.
type Grid struct {
	Args   []int64
	Param  int
	Stride int64
	Count  int // a power of two
}

// MaxGrid is the most questions of a grid, and maxGrids the most grids of a function.
const (
	MaxGrid  = 16
	maxGrids = 12
)

// Grids returns the grids around some pairs of a function, which its symbol decides.
func Grids(f *Function, pairs []Pair) []Grid {
	if len(pairs) == 0 || len(f.Params) == 0 {
		return nil
	}
	s := choice.Named("grids", []byte(f.Symbol))
	var list []Grid
	for i := range maxGrids {
		list = append(list, Grid{
			Args: pairs[i%len(pairs)].Args, Param: s.Intn(len(f.Params)), Stride: strides[s.Weighted(6, 1, 1, 1, 1, 1, 1)], Count: MaxGrid,
		})
	}
	return list
}

// strides are weighted by Grids.
var strides = []int64{1, -1, 3, 8, 0x1001, 1 << 16, 0x9e3779b97f4a7c15 - 1<<63}

// Questions returns the questions of a grid about f.
func (g Grid) Questions(f *Function) []Question {
	var list []Question
	for i := range g.Count {
		args := slices.Clone(g.Args)
		args[g.Param] = f.Params[g.Param].Wrap(args[g.Param] + int64(i)*g.Stride)
		list = append(list, Question{f, args})
	}
	return list
}

// Cut returns the usable part of a grid whose questions got some replies, the longest
// power of two of questions without a refusal, and the answers. There are no answers if
// all of them are equal.
func (g Grid) Cut(replies []Reply) (Grid, []Pair) {
	n := slices.IndexFunc(replies, func(r Reply) bool { return r.Refused != "" })
	if n < 0 {
		n = len(replies)
	}
	for g.Count > n {
		g.Count /= 2
	}
	if g.Count < 2 {
		return g, nil
	}
	var pairs []Pair
	for _, r := range replies[:g.Count] {
		pairs = append(pairs, r.Pair)
	}
	return g, pairs
}

// Around returns the grids of f that can be passed, with their answers, from a database
// that knows some replies. If replies are missing it returns their questions, and no
// grids.
func Around(f *Function, pairs []Pair, known []Reply) (grids []Grid, answers []Pair, open []Question) {
	index := map[string]Reply{}
	for _, r := range known {
		index[string(packed(r.Args))] = r
	}
	asked := map[string]bool{}
	for _, g := range Grids(f, pairs) {
		var replies []Reply
		for _, q := range g.Questions(f) {
			key := string(packed(q.Args))
			r, ok := index[key]
			if !ok && !asked[key] {
				asked[key] = true
				open = append(open, q)
			}
			replies = append(replies, r)
		}
		if cut, more := g.Cut(replies); len(more) > 0 {
			grids, answers = append(grids, cut), append(answers, more...)
		}
	}
	if len(open) > 0 {
		return nil, nil, open
	}
	return grids, answers, nil
}
