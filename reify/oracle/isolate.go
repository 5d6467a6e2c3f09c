package oracle

import (
	"context"
	"iter"
	"regexp"
	"slices"

	"goreify/compilers"
	"goreify/reify/emit/c"
)

// guilty returns the indices of the cases that a failed run of a batch's binary
// accuses, in order: those whose line in its output is wrong or, if it ended
// before it had printed all, those that fail when the program runs them one at a
// time. That costs a millisecond each, and their CPU time for those that are
// endless. None are accused if there is no binary, or only all together fail.
func (q *inquiry) guilty(ctx context.Context, b *batch, binary string, out compilers.Outcome) []int {
	if binary == "" || len(b.cases) <= 1 {
		return nil
	}
	if out.Verdict == compilers.WrongAnswer {
		if wrong, complete := c.Wrong(b.units, out.Stdout); complete && wrong != nil {
			return wrong
		}
	}
	var list []int
	for i, answer := range c.Answers(b.units) {
		if ctx.Err() != nil {
			break
		}
		alone := compilers.Run(ctx, binary, c.Alone(i), []byte(answer), q.Limits)
		q.cost.add(alone)
		if alone.Verdict.Finding() {
			list = append(list, i)
		}
	}
	return list
}

// isolate returns the parts of a failing batch that are to be looked into, and
// how each fails: every case that fails alone, those that are known to be guilty
// first and, if none does, a smallest part that still fails. It asks about a
// part when the one before has not settled the matter. If time runs out before
// any part has failed, that is the batch itself; many functions that together
// take long to compile are no part.
func (q *inquiry) isolate(ctx context.Context, cfg config, b *batch, out compilers.Outcome, guilty []int) iter.Seq2[*batch, compilers.Outcome] {
	return func(yield func(*batch, compilers.Outcome) bool) {
		if len(b.cases) <= 1 { // none: a whole program
			yield(b, out)
			return
		}
		refused := out.Verdict == compilers.InternalError || out.Verdict == compilers.Rejected
		switch {
		case guilty != nil:
		case refused:
			guilty = named(b, out)
		default:
			guilty = suspects(b, out)
		}
		failed := false
		for _, i := range guilty {
			if ctx.Err() != nil {
				break
			}
			alone := b.part([]int{i})
			if got := q.ask(ctx, cfg, alone); got.Verdict.Finding() {
				failed = true
				if !yield(alone, got) {
					return
				}
			}
		}
		switch {
		case ctx.Err() != nil:
			if !failed {
				yield(b, out)
			}
			return
		case out.Verdict == compilers.SlowCompile:
			return
		case failed && !refused:
			return
		case failed:
			// A compiler that gave up said nothing about the others.
			if b = b.part(b.except(guilty)); len(b.cases) == 0 {
				return
			}
			if out = q.ask(ctx, cfg, b); !out.Verdict.Finding() {
				return
			}
		}
		yield(q.shrink(ctx, cfg, b, out, refused))
	}
}

// shrink returns a smallest part of a failing batch that still fails, and how.
// If time runs out it is larger than need be.
func (q *inquiry) shrink(ctx context.Context, cfg config, b *batch, out compilers.Outcome, refused bool) (*batch, compilers.Outcome) {
	if refused {
		b, out = q.halve(ctx, cfg, b, out)
	}
	// No case fails alone: what one function does to another matters. Leave
	// out as many as can be, in ever smaller pieces.
	for size := len(b.cases) / 2; size >= 1; size /= 2 {
		for from := 0; from < len(b.cases) && len(b.cases) > size && ctx.Err() == nil; {
			var piece []int
			for i := from; i < from+size; i++ {
				piece = append(piece, i)
			}
			part := b.part(b.except(piece))
			if got := q.ask(ctx, cfg, part); got.Verdict.Finding() {
				b, out = part, got
			} else {
				from += size
			}
		}
	}
	return b, out
}

// halve takes a half that fails for as long as there is one. A compiler that
// gives up is quick, so that takes about the time of compiling the batch once.
func (q *inquiry) halve(ctx context.Context, cfg config, b *batch, out compilers.Outcome) (*batch, compilers.Outcome) {
	for len(b.cases) > 1 {
		var indices []int
		for i := range b.cases {
			indices = append(indices, i)
		}
		middle := len(indices) / 2
		failed := false
		for _, half := range [][]int{indices[:middle], indices[middle:]} {
			if ctx.Err() != nil {
				return b, out
			}
			part := b.part(half)
			if got := q.ask(ctx, cfg, part); got.Verdict.Finding() {
				b, out, failed = part, got, true
				break
			}
		}
		if !failed {
			break
		}
	}
	return b, out
}

// gcc and clang say which function they were at.
var atFunction = regexp.MustCompile(`(?m)In function '(\w+)'|on function ["']@?(\w+)`)

// named returns the indices of the cases whose function, or the function that
// tests it, a compiler has named when it gave up.
func named(b *batch, out compilers.Outcome) []int {
	var list []int
	for _, m := range atFunction.FindAllStringSubmatch(string(out.Stderr), -1) {
		if i := c.UnitOf(b.units, m[1]+m[2]); i >= 0 && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

// suspects orders the cases of a batch: first those that its output accuses.
func suspects(b *batch, out compilers.Outcome) []int {
	wrong, _ := c.Wrong(b.units, out.Stdout)
	return append(wrong, b.except(wrong)...)
}
