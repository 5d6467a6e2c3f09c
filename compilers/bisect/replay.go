package bisect

import (
	"context"
	"slices"
	"strings"
	"syscall"

	"goreify/compilers"
)

// Replaying tells which pass of gcc makes a program wrong by what the program has
// become after each: -fdump-tree-PASS-gimple prints it, -fgimple reads that back,
// and it is compiled without optimising and run. The first pass after which it gives
// a wrong answer is to blame, and so is the first after which it overflows: a
// program that did not must not be made to, for other passes conclude that it
// cannot. Leaving out passes may mend a program by way of these others, or of those
// that only prepare the ground.
//
// What cannot be read back, such as vectors, is passed over.

// A state is what has become of a program.
type state int

const (
	unreadable state = iota
	sound
	overflowing // a signed integer overflows; the answer is right if that wraps
	wrong
)

// A seen is what replaying has told.
type seen struct {
	pass string   // the first after which the program is not sound, or ""
	how  state    // what it is after that
	rest []string // the passes one of which goes wrong: those after the last one after which it is sound
}

const (
	// firstSSA is the pass before all that optimise.
	firstSSA = "tree-ssa"
	// afterIPA is the first pass on functions after those on the whole program.
	afterIPA = "tree-fixup_cfg3"
	// mostUnreadable bounds the dumps that are tried in vain.
	mostUnreadable = 12
)

// gccReplayed replays passes of a list, in the order in which they run.
func (t *Test) gccReplayed(ctx context.Context, on []string) seen {
	s := seen{rest: on}
	if len(t.job.Files) != 1 || t.replay(ctx) != sound {
		return s
	}
	var trees []int // indices of on
	for i, p := range on {
		if strings.HasPrefix(p, "tree-") {
			trees = append(trees, i)
		}
	}
	lo, hi, left := -1, len(trees), mostUnreadable // sound at lo, not at hi, if that is after all
	for mid := hi - 1; hi-lo > 1 && left > 0; mid = lo + (hi-lo)/2 {
		at := trees[mid]
		switch state := t.replay(ctx, on[max(0, slices.Index(on[:at+1], afterIPA)):at+1]...); state {
		case unreadable:
			trees = slices.Delete(trees, mid, mid+1)
			hi--
			left--
		case sound:
			lo = mid
		default:
			hi, s.how = mid, state
		}
	}
	if hi < len(trees) {
		s.rest = on[:trees[hi]+1]
	}
	if lo >= 0 {
		s.rest = s.rest[trees[lo]+1:]
	}
	switch {
	case s.how == unreadable || hi-lo > 1:
	case len(s.rest) == 1:
		s.pass = s.rest[0]
	default: // there are some on the whole program, or that could not be replayed
		s.pass = t.gccLast(ctx, s.rest)
	}
	return s
}

// replay returns the state of the program after the last of some passes. A dump has
// only the functions that the pass works on; the others are as in those before.
func (t *Test) replay(ctx context.Context, passes ...string) state {
	args := []string{"-fdump-" + firstSSA + "-gimple=stderr"}
	for _, p := range passes {
		if strings.HasPrefix(p, "tree-") {
			args = append(args, "-fdump-"+p+"-gimple=stderr")
		}
	}
	if t.cpu >= t.CPU {
		t.cut = true
		return unreadable
	}
	dump, err := t.log(ctx, args...)
	if err != nil {
		return unreadable
	}
	text := readBack(string(t.job.Files[0].Content), dump)
	if text == "" {
		return unreadable
	}
	run := func(args ...string) compilers.Outcome {
		job := t.with(append(args, "-fgimple"))
		job.Files, job.Mode = compilers.Single([]byte(text)), t.tc.Reference()
		return t.sure(ctx, func() compilers.Outcome { return t.test(ctx, t.quick, job, t.short) })
	}
	switch o := run("-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error"); {
	case o.Verdict == compilers.OK:
		return sound
	case o.Verdict == compilers.Crash && o.Signal == syscall.SIGILL && run("-fwrapv").Verdict == compilers.OK:
		return overflowing
	case o.Verdict == compilers.Crash, o.Verdict == compilers.WrongAnswer, o.Verdict == compilers.Endless:
		return wrong
	}
	return unreadable
}
