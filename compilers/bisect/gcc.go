package bisect

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
)

// gcc looks for the pass that makes the program wrong or must be left out for it
// to be right, for the flags that make it so, and for the transformation.
func (t *Test) gcc(ctx context.Context, b *Blame) error {
	on, err := t.gccPasses(ctx)
	if err != nil {
		return err
	}
	unbounded := t.ask(ctx, analysis) == right
	if unbounded {
		b.Alone = append(b.Alone, analysis)
	}
	saw := t.gccReplayed(ctx, on, slices.Contains(b.Alone, wraps))
	b.Pass, b.Seen, b.Overflows = saw.pass, saw.pass != "", saw.how == overflowing
	on = saw.rest
	coded := !b.Seen && t.gccCode(ctx)
	if coded {
		on = slices.DeleteFunc(slices.Clone(on), func(p string) bool { return !strings.HasPrefix(p, "rtl-") })
	}
	switch {
	case unbounded && !b.Overflows:
		b.Flags = []string{analysis}
		switch {
		case !b.Seen:
			// Passes on the whole program only bring constants to where it goes wrong,
			// and those of the back end come after it.
			on = slices.DeleteFunc(slices.Clone(on), func(p string) bool { return !strings.HasPrefix(p, "tree-") })
			b.Pass = t.gccLast(ctx, on)
		case !t.alone(ctx, b.Pass): // another pass would have done it
			b.Pass, b.Seen = "", false
		}
	case !b.Seen:
		b.Pass = t.gccFirst(ctx, on)
	}
	if len(b.Flags) == 0 {
		if b.Flags, err = t.gccFlags(ctx, b.Pass); err != nil {
			return err
		}
	}
	if len(b.Flags) > 0 && t.confirm(ctx, b.Flags...) != right {
		b.Flags = nil
	}
	if b.Pass == "" && len(b.Flags) > 0 && !slices.Contains(b.Flags, analysis) {
		if b.Pass, err = t.gccControlled(ctx, on, b.Flags); err != nil {
			return err
		}
	}
	if b.Pass == "" && !slices.Contains(b.Flags, analysis) {
		b.Pass = t.gccLast(ctx, on)
	}
	if b.Pass == "" && coded {
		// The expansion to RTL, a pass on that that must run, or a pattern of instructions: nothing tells them apart.
		processor, _, _ := strings.Cut(t.tc.ID().Triple, "-")
		b.Pass = CodeGenerationFor(processor, "")
		return nil
	}
	if b.Pass == "" && len(b.Flags) == 0 {
		return fmt.Errorf("%v: %w", t.tc.ID(), ErrNoCulprit)
	}
	if b.Pass != "" {
		if !slices.Equal(b.Flags, []string{analysis}) {
			if flag := t.ownFlag(ctx, b.Pass); flag != "" {
				b.Flags = []string{flag}
			}
		}
		if b.Function = saw.function; b.Function == "" || b.Pass != saw.pass {
			b.Function = t.gccFunction(ctx, b.Pass)
		}
	}
	b.Counter, b.Count, err = t.gccCounter(ctx, b.Pass)
	return err
}

// gccCode tells whether the compiler goes wrong on the program as its passes on GIMPLE leave it: that
// is sound, and what is made of it fails, without what these passes have noted beside it, such as
// ranges.
func (t *Test) gccCode(ctx context.Context) bool {
	all, err := t.gccPasses(ctx)
	if err != nil || len(t.job.Files) != 1 {
		return false
	}
	last := t.listing(ctx, dumps(all[max(0, slices.Index(all, afterIPA)):]...)...)
	if t.stateOf(ctx, last) != sound && (t.Host == nil || t.stateBy(ctx, t.Host, last) != sound) {
		return false
	}
	text := last.readBack(string(t.job.Files[0].Content))
	if t.job.Mode != t.tc.Reference() {
		text = startAt(text, lastGIMPLE)
	}
	job := t.with([]string{"-fgimple", "-fkeep-static-functions"}) // it does not take away a body that it would start with
	job.Files = compilers.Single([]byte(text))
	return !t.over() && t.answer(ctx, t.quick, job, t.short) == fails
}

// analysis switches off what is concluded on numbers of iterations from what would
// be undefined: no pass of its own, and many passes ask it.
const analysis = "-fno-aggressive-loop-optimizations"

var enabledPass = regexp.MustCompile(`(?m)^\s+((?:tree|rtl|ipa)-\S+)\s+:\s+ON$`)

// gates are passes that only say whether those below them are run, or make loops fit
// for them.
var gates = []string{"ipa-opt_local_passes", "tree-early_optimizations", "tree-fix_loops", "tree-loop"}

// parsePasses returns the passes that -fdump-passes lists as on, in the order in
// which they run, without gates and those that must not be left out. Each file that
// is compiled has its list.
func parsePasses(dump string) []string {
	var list []string
	for _, m := range enabledPass.FindAllStringSubmatch(dump, -1) {
		if !slices.Contains(needed, m[1]) && !slices.Contains(gates, m[1]) && !slices.Contains(list, m[1]) {
			list = append(list, m[1])
		}
	}
	return list
}

// gccPasses returns the passes that are on with further arguments.
func (t *Test) gccPasses(ctx context.Context, args ...string) ([]string, error) {
	dump, err := t.log(ctx, append([]string{"-fdump-passes"}, args...)...)
	if err != nil {
		return nil, err
	}
	list := parsePasses(dump)
	if len(list) == 0 {
		// The compiler fails before it gets to them.
		return nil, fmt.Errorf("%v: -fdump-passes lists no passes: %w", t.tc.ID(), ErrNoCulprit)
	}
	return list, nil
}

// disable returns the arguments that leave out passes.
func disable(passes ...string) []string {
	args := make([]string, len(passes))
	for i, p := range passes {
		args[i] = "-fdisable-" + p
	}
	return args
}

// alone tells whether the program is right without one pass.
func (t *Test) alone(ctx context.Context, pass string) bool {
	return t.ask(ctx, disable(pass)...) == right && t.confirm(ctx, disable(pass)...) == right
}

// gccFirst returns the first pass of a list with which the program fails though it does
// not if that pass and all that follow are left out, or "": what -opt-bisect-limit is to
// clang. The program must also be right without that pass alone. Passes that later ones
// need stay in.
func (t *Test) gccFirst(ctx context.Context, list []string) string {
	const mostKept = 5
	list = slices.Clone(list)
	for range mostKept {
		if t.ask(ctx, disable(list...)...) == fails {
			return ""
		}
		lo, _ := halve(0, len(list), func(n int) bool { return t.ask(ctx, disable(list[n:]...)...) != fails })
		if t.alone(ctx, list[lo]) {
			return list[lo]
		}
		if t.ask(ctx, disable(list[lo:]...)...) == right {
			return "" // there, but a later pass does it too
		}
		list = slices.Delete(list, lo, lo+1)
	}
	return ""
}

// gccLast returns the last pass of a list without which the program is right, or
// "". It goes from the last one to the first by the dozen, and halves those
// without which the program does not fail.
func (t *Test) gccLast(ctx context.Context, list []string) string {
	const some = 12
	for end := len(list); end > 0; end -= min(some, end) {
		if pass := t.lastOf(ctx, list[max(0, end-some):end]); pass != "" {
			return pass
		}
	}
	return ""
}

// lastOf returns the last of some passes without which the program is right, or
// "" if it fails without all of them together.
func (t *Test) lastOf(ctx context.Context, some []string) string {
	if len(some) == 1 {
		if t.alone(ctx, some[0]) {
			return some[0]
		}
		return ""
	}
	if t.ask(ctx, disable(some...)...) == fails {
		return ""
	}
	half := len(some) / 2
	if pass := t.lastOf(ctx, some[half:]); pass != "" {
		return pass
	}
	return t.lastOf(ctx, some[:half])
}

// gccControlled returns the pass that flags switch off: the last one if there are
// several that must be left out together, "" if those do not mend the program.
// on are the passes without the flags.
func (t *Test) gccControlled(ctx context.Context, on, flags []string) (string, error) {
	left, err := t.gccPasses(ctx, flags...)
	if err != nil {
		return "", err
	}
	off := slices.DeleteFunc(slices.Clone(on), func(p string) bool { return slices.Contains(left, p) })
	mends := func(passes []string) bool { return t.ask(ctx, disable(passes...)...) == right }
	if len(off) > 0 && mends(off) {
		off = minimal(off, mends)
		if t.confirm(ctx, disable(off...)...) == right {
			return off[len(off)-1], nil
		}
	}
	if len(off) == 1 { // the flag does more than the switch
		return off[0], nil
	}
	return "", nil
}

// definition finds functions of generated and reduced programs: a name at the
// end of a line, or before an opening brace, that has parameters.
var definition = regexp.MustCompile(`(?m)^[a-z][\w\s*]*\b(\w+)\([^;{}]*\)\s*\{`)

// gccFunction returns the function that the pass has to leave alone for the
// program to be right, or "".
func (t *Test) gccFunction(ctx context.Context, pass string) string {
	if strings.HasPrefix(pass, "ipa-") {
		return Module
	}
	var names []string
	for _, f := range t.job.Files {
		for _, m := range definition.FindAllSubmatch(f.Content, -1) {
			if name := string(m[1]); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) > 64 {
		return ""
	}
	for _, name := range names {
		if t.ask(ctx, "-fdisable-"+pass+"="+name) == right {
			return name
		}
	}
	return ""
}

// needed are the passes that must not be left out, whatever the program: without
// one of them gcc-12 does not compile an ordinary one. Further ones of other
// programs and versions break what they stand beside, and are found out.
var needed = []string{
	"ipa-build_ssa_passes", "ipa-free-fnsummary1", "ipa-visibility",
	"tree-cfg", "tree-eh", "tree-local-fnsummary1", "tree-local-fnsummary2", "tree-loopdone", "tree-loopinit", "tree-lower", "tree-ssa",
	"rtl-dfinish", "rtl-dfinit", "rtl-expand", "rtl-final", "rtl-into_cfglayout", "rtl-ira", "rtl-loop2", "rtl-loop2_done",
	"rtl-loop2_init", "rtl-outof_cfglayout", "rtl-pro_and_epilogue", "rtl-reload", "rtl-rtl", "rtl-shorten", "rtl-vregs",
}
