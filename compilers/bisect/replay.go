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
// Functions are compiled one after another, and what gcc finds out about one it uses
// in those that follow: that it does not return, say. So a pass is to blame only if the
// program is sound with the functions before as they are in the end.
//
// Representations that cannot be read back, such as those of vectors, are passed over. A
// note that a pass makes beside the program, such as a range that is wrong, shows after
// the pass that acts upon it.

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
	pass     string   // the first after which the program is not sound, or ""
	function string   // where that pass goes wrong, or "" if that is not known
	how      state    // what the program is after that
	rest     []string // the passes one of which goes wrong: those after the last one after which it is sound
}

const (
	// firstSSA is the pass before all that optimise.
	firstSSA = "tree-ssa"
	// afterIPA is the first pass on functions after those on the whole program.
	afterIPA = "tree-fixup_cfg3"
	// lastGIMPLE is the last pass on GIMPLE.
	lastGIMPLE = "optimized"
	// mostUnreadable bounds the dumps that are tried in vain.
	mostUnreadable = 12
)

// gccReplayed replays passes of a list, in the order in which they run. Overflows
// count only if they matter, that is if the program is right where they wrap.
func (t *Test) gccReplayed(ctx context.Context, on []string, overflows bool) seen {
	s := seen{rest: on}
	built := []compilers.Verdict{compilers.WrongAnswer, compilers.Crash, compilers.Endless}
	if len(t.job.Files) != 1 || !slices.Contains(built, t.first.Verdict) {
		return s
	}
	good := func(s state) bool { return s == sound || s == overflowing && !overflows }
	if !good(t.stateOf(ctx, t.listing(ctx, dumps()...))) {
		return s
	}
	var trees []int // indices of on
	for i, p := range on {
		if strings.HasPrefix(p, "tree-") {
			trees = append(trees, i)
		}
	}
	// after returns the program as it is after the last of so many trees.
	after := func(n int) listing {
		if n == 0 {
			return t.listing(ctx, dumps()...)
		}
		at := trees[n-1]
		return t.listing(ctx, dumps(on[max(0, slices.Index(on[:at+1], afterIPA)):at+1]...)...)
	}
	lo, hi, left := 0, len(trees)+1, mostUnreadable // sound after lo, not after hi, if that is a tree
	for mid := hi - 1; hi-lo > 1 && left > 0; mid = lo + (hi-lo)/2 {
		switch state := t.stateOf(ctx, after(mid)); {
		case state == unreadable:
			trees = slices.Delete(trees, mid-1, mid)
			hi--
			left--
		case good(state):
			lo = mid
		default:
			hi, s.how = mid, state
		}
	}
	if s.how != unreadable {
		s.rest = on[:trees[hi-1]+1]
	}
	if lo > 0 {
		s.rest = s.rest[trees[lo-1]+1:]
	}
	switch {
	case s.how == unreadable || hi-lo > 1:
	case len(s.rest) > 1: // there are some on the whole program, or that could not be replayed
		if i := slices.Index(on, afterIPA); !slices.Contains(s.rest, afterIPA) || !good(t.stateOf(ctx, t.listing(ctx, append(dumps(afterIPA), disable(on[i+1:]...)...)...))) {
			s.pass = t.gccLast(ctx, s.rest)
		}
	default:
		s.pass = s.rest[0]
		done := len(trees) // the last one before functions are compiled anew
		if i := slices.IndexFunc(trees, func(i int) bool { return on[i] == afterIPA }); i >= hi {
			done = i
		}
		n := t.firstWrong(ctx, after(lo), after(hi), good)
		if before := after(lo); n > 1 && !good(t.stateOf(ctx, before.with(after(done), n-1))) {
			s.pass = ""
		} else if n > 0 {
			s.function = unnumbered(before.names[n-1])
		}
	}
	if s.pass == "" && s.how != unreadable {
		s = seen{rest: on}
	}
	return s
}

// firstWrong returns how many of the functions of a program, in their order, it takes
// as they are after a pass for it to be no longer good, or 0 if that cannot be told.
func (t *Test) firstWrong(ctx context.Context, before, after listing, good func(state) bool) int {
	lo, hi := 0, len(before.names)
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		switch state := t.stateOf(ctx, before.with(after, mid)); {
		case state == unreadable:
			return 0
		case good(state):
			lo = mid
		default:
			hi = mid
		}
	}
	return hi
}

// dumps returns the arguments that print the program after the last of some passes. A
// dump has only the functions that the pass works on; the others are as in those before.
func dumps(passes ...string) []string {
	args := []string{"-fdump-" + firstSSA + "-gimple-uid=stderr"}
	for _, p := range passes {
		if strings.HasPrefix(p, "tree-") {
			args = append(args, "-fdump-"+p+"-gimple-uid=stderr")
		}
	}
	return args
}

// listing returns the program as the compiler prints it with further arguments.
func (t *Test) listing(ctx context.Context, args ...string) listing {
	key := strings.Join(args, "\x00")
	if l, ok := t.listings[key]; ok {
		return l
	}
	if t.over() {
		return listing{}
	}
	dump, err := t.log(ctx, args...)
	if err != nil {
		return listing{}
	}
	l := parseDump(dump)
	t.listings[key] = l
	return l
}

// stateOf returns the state of a program.
func (t *Test) stateOf(ctx context.Context, l listing) state { return t.stateBy(ctx, t.quick, l) }

// stateBy returns the state of a program by a compiler, without optimising.
func (t *Test) stateBy(ctx context.Context, tc compilers.Target, l listing) state {
	if len(l.names) == 0 {
		return unreadable
	}
	if t.over() {
		return unreadable
	}
	text := l.readBack(string(t.job.Files[0].Content))
	if text == "" {
		return unreadable
	}
	run := func(args ...string) compilers.Outcome {
		job := t.with(append(args, "-fgimple"))
		job.Files, job.Mode = compilers.Single([]byte(text)), tc.Reference()
		return t.sure(ctx, func() compilers.Outcome { return t.test(ctx, tc, job, t.short) })
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
