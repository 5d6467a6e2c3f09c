package oracle

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/reify/subject"
)

// guilty returns the indices of the members that a failed run of a group accuses, in
// order. These are the members whose answer in its output is wrong. If the run ended
// before all answers were printed, they are the members that fail, or give no answer,
// when the program runs them one at a time, in haste. That costs a millisecond each, and
// more for those that are endless. No member is accused if nothing was built, or if
// only all together fail. Of a compiler that gave up they are those that it named.
func (q *inquiry) guilty(ctx context.Context, cfg Config, s subject.Subject, built compilers.Built, out compilers.Outcome) []accused {
	g, ok := s.(subject.Group)
	if !ok || len(g.Members()) <= 1 || built.Path == "" && !refused(out) {
		return nil
	}
	if list := g.Guilty(out); list != nil || built.Path == "" {
		return accuse(list, out.Verdict)
	}
	some, ok := s.(subject.Selective)
	if !ok {
		return nil
	}
	var list []accused
	for i, m := range g.Members() {
		if ctx.Err() != nil {
			break
		}
		a, err := q.admit(ctx, m)
		if err == nil {
			alone := cfg.Target.Run(ctx, built, some.Select(i), a.Want, q.hasty().Limits)
			q.add(alone)
			if alone.Verdict != compilers.OK {
				list = append(list, accused{i, alone.Verdict})
			}
		} else if _, none := errors.AsType[noAnswer](err); none {
			list = append(list, accused{i, compilers.Discarded}) // and is asked again
		}
	}
	return list
}

// few is how many members are asked about one by one after a single failure of all together,
// of which none is accused. Of more the failure is to happen twice.
const few = 16

// isolate returns the parts of a failing subject that are to be confirmed, and how each
// fails: every member that fails alone, beginning with those that are known to be
// guilty. If no member does, there is one part, a smallest one that still fails. It
// asks about a part when the part before has not settled the matter. The part is the
// subject itself if time runs out before any part has failed, or if a part gives no
// answer and no other fails. Many functions that together take long to compile are no
// part.
func (in *inquest) isolate(ctx context.Context, s subject.Subject, out compilers.Outcome, guilty []int) iter.Seq2[subject.Subject, compilers.Outcome] {
	return func(yield func(subject.Subject, compilers.Outcome) bool) {
		g, ok := s.(subject.Group)
		if !ok || len(g.Members()) <= 1 {
			yield(s, out)
			return
		}
		gaveUp := refused(out)
		if guilty == nil && !gaveUp {
			if len(g.Members()) > few && !in.fails(ctx, s, &out) {
				return
			}
			guilty = indices(len(g.Members()))
		}
		failed := false
		own := in.q.hasty()
		if out.Verdict == compilers.SlowCompile && g.Weight() == len(g.Members()) {
			own.Limits.CompileCPU /= 2 // a function that hangs the compiler alone shows it in half the time
		}
		for _, i := range guilty {
			if ctx.Err() != nil {
				break
			}
			alone := g.Members()[i]
			got := own.ask(ctx, in.cfg, alone)
			if in.noAnswer = unanswered(got, in.noAnswer); got.Verdict.Finding() {
				failed = true
				if !yield(alone, got) {
					return
				}
			}
		}
		switch {
		case ctx.Err() != nil, in.noAnswer != "" && out.Verdict != compilers.SlowCompile:
			if !failed {
				yield(s, out)
			}
			return
		case out.Verdict == compilers.SlowCompile:
			return
		case failed && (!gaveUp || ofCells(s)): // cells are asked about again without those that failed
			return
		case failed:
			// A compiler that gave up said nothing about the other members.
			rest := except(len(g.Members()), guilty)
			if len(rest) == 0 {
				return
			}
			if s = only(g, rest); !in.fails(ctx, s, &out) {
				return
			}
		}
		yield(in.shrink(ctx, s, out, gaveUp))
	}
}

// refused tells whether a compiler gave up.
func refused(out compilers.Outcome) bool {
	return out.Verdict == compilers.InternalError || out.Verdict == compilers.Rejected
}

// fails tells whether a subject fails, and sets out to how.
func (in *inquest) fails(ctx context.Context, s subject.Subject, out *compilers.Outcome) bool {
	got := in.q.ask(ctx, in.cfg, s)
	in.noAnswer = unanswered(got, in.noAnswer)
	if !got.Verdict.Finding() {
		return false
	}
	*out = got
	return true
}

// shrink returns a smallest part of a failing subject that still fails, and how.
// If time runs out it is larger than need be.
func (in *inquest) shrink(ctx context.Context, s subject.Subject, out compilers.Outcome, gaveUp bool) (subject.Subject, compilers.Outcome) {
	if gaveUp {
		s, out = in.halve(ctx, s, out)
	}
	// No member fails alone: the effect of one on another matters. Leave out as many as
	// can be, in ever smaller pieces.
	for size := len(members(s)) / 2; size >= 1; size /= 2 {
		for from := 0; from < len(members(s)) && len(members(s)) > size && ctx.Err() == nil; {
			n := len(members(s))
			part := only(s.(subject.Group), slices.Concat(indices(from), indices(n)[min(from+size, n):]))
			if in.fails(ctx, part, &out) {
				s = part
			} else {
				from += size
			}
		}
	}
	return s, out
}

// halve takes a half that fails for as long as there is one. A compiler that gives up
// is quick, so the halving takes about the time of compiling the group once.
func (in *inquest) halve(ctx context.Context, s subject.Subject, out compilers.Outcome) (subject.Subject, compilers.Outcome) {
	for len(members(s)) > 1 {
		all := indices(len(members(s)))
		middle := len(all) / 2
		failed := false
		for _, half := range [][]int{all[:middle], all[middle:]} {
			if ctx.Err() != nil {
				return s, out
			}
			part := only(s.(subject.Group), half)
			if failed = in.fails(ctx, part, &out); failed {
				s = part
				break
			}
		}
		if !failed {
			break
		}
	}
	return s, out
}

// only returns some members of a group, which are among its indices.
func only(g subject.Group, list []int) subject.Subject {
	if len(list) == 1 {
		return g.Members()[list[0]]
	}
	part, err := g.Only(list...)
	if err != nil {
		panic("oracle: a part of a group that cannot be made: " + err.Error())
	}
	return part
}

// indices returns the numbers from 0 to n-1.
func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// except returns the numbers from 0 to n-1 without the given ones.
func except(n int, given []int) []int {
	return slices.DeleteFunc(indices(n), func(i int) bool { return slices.Contains(given, i) })
}

// An accused member is one that a run says failed, and how.
type accused struct {
	member  int
	verdict compilers.Verdict
}

// accuse returns some members as accused.
func accuse(list []int, verdict compilers.Verdict) (all []accused) {
	for _, i := range list {
		all = append(all, accused{i, verdict})
	}
	return all
}

// numbers returns the indices of the accused members, nil if there are none.
func numbers(list []accused) (indices []int) {
	for _, a := range list {
		indices = append(indices, a.member)
	}
	return indices
}

// members returns the members of a group, or the subject itself.
func members(s subject.Subject) []subject.Subject {
	if g, ok := s.(subject.Group); ok {
		return g.Members()
	}
	return []subject.Subject{s}
}

// others returns the names of the members without an answer, those named excepted: the
// guilty ones of a program that ran, and all members if there are none or they are not
// known.
func others(s subject.Subject, ran bool, guilty []accused, except ...string) []string {
	var rest []string
	for i, m := range members(s) {
		passed := ran && guilty != nil && !slices.Contains(numbers(guilty), i)
		if !passed && !slices.Contains(except, m.Name()) {
			rest = append(rest, m.Name())
		}
	}
	return rest
}

// names returns the names of a finding's members; nil has none.
func (f *Finding) names() []string {
	if f == nil {
		return nil
	}
	return strings.Fields(f.Subject.Name())
}

// ofCells tells whether the members of a subject are cells.
func ofCells(s subject.Subject) bool {
	g, ok := s.(subject.Celled)
	return ok && g.Cell(0) != (subject.Cell{})
}
