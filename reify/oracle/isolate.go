package oracle

import (
	"context"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/reify/emit/c"
)

// isolate returns a smallest part of a failing batch that still fails, and how
// it fails: nearly always a single case. It returns the batch itself if time
// runs out or no part fails.
func (o *Oracle) isolate(ctx context.Context, cfg config, b *batch, out compilers.Outcome) (*batch, compilers.Outcome) {
	if len(b.cases) == 1 {
		return b, out
	}
	for _, i := range suspects(b, out) {
		if ctx.Err() != nil {
			return b, out
		}
		alone := b.part([]int{i})
		if got := o.ask(ctx, cfg, alone); got.Verdict.Finding() {
			return alone, got
		}
	}
	// No case fails alone: what one function does to another matters. Leave
	// out as many as can be, in ever smaller pieces.
	for size := len(b.cases) / 2; size >= 1; size /= 2 {
		for from := 0; from < len(b.cases) && len(b.cases) > size && ctx.Err() == nil; {
			var rest []int
			for i := range b.cases {
				if i < from || i >= from+size {
					rest = append(rest, i)
				}
			}
			part := b.part(rest)
			if got := o.ask(ctx, cfg, part); got.Verdict.Finding() {
				b, out = part, got
			} else {
				from += size
			}
		}
	}
	return b, out
}

// suspects orders the cases of a batch: first those of whose lines in the
// output one is not as expected or, if the program ended early, the first that
// lacks a line.
func suspects(b *batch, out compilers.Outcome) []int {
	got := strings.SplitAfter(string(out.Stdout), "\n")
	var first, rest []int
	for i, answer := range c.Answers(b.units) {
		lines := min(strings.Count(answer, "\n"), len(got))
		if strings.Join(got[:lines], "") == answer {
			rest = append(rest, i)
		} else {
			first = append(first, i)
		}
		got = got[lines:]
	}
	return slices.Concat(first, rest)
}
