package bisect

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// gcc looks for the last pass that must be left out for the program to be right,
// for the flags that make it so, and for the transformation.
func (t *Test) gcc(ctx context.Context, b *Blame) error {
	on, err := t.gccPasses(ctx)
	if err != nil {
		return err
	}
	if b.Pass = t.gccPass(ctx, on); b.Pass != "" && t.confirm(ctx, disable(b.Pass)...) != right {
		b.Pass = ""
	}
	if b.Flags, err = t.gccFlags(ctx, b.Pass); err != nil {
		return err
	}
	if len(b.Flags) > 0 && t.confirm(ctx, b.Flags...) != right {
		b.Flags = nil
	}
	if b.Pass == "" && len(b.Flags) == 0 {
		return fmt.Errorf("%v: %w", t.tc, ErrNobody)
	}
	if b.Pass == "" {
		if b.Pass, err = t.gccControlled(ctx, on, b.Flags); err != nil {
			return err
		}
	} else {
		b.Function = t.gccFunction(ctx, b.Pass)
	}
	b.Counter, b.Count, err = t.gccCounter(ctx, b.Pass)
	return err
}

var enabledPass = regexp.MustCompile(`(?m)^\s+((?:tree|rtl|ipa)-\S+)\s+:\s+ON$`)

// parsePasses returns the passes that -fdump-passes lists as on, in the order in
// which they run, without those that must not be left out. Each file that is
// compiled has its list.
func parsePasses(dump string) []string {
	var list []string
	for _, m := range enabledPass.FindAllStringSubmatch(dump, -1) {
		if !slices.Contains(needed, m[1]) && !slices.Contains(list, m[1]) {
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
		return nil, fmt.Errorf("%v: -fdump-passes lists no passes", t.tc)
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

// gccPass returns the last pass of a list without which the program is right, or
// "". It goes from the last one to the first by the dozen, and one by one where
// leaving out many breaks the compiler.
func (t *Test) gccPass(ctx context.Context, list []string) string {
	const some = 12
	for end := len(list); end > 0; end -= min(some, end) {
		chunk := list[max(0, end-some):end]
		a := t.ask(ctx, disable(chunk...)...)
		if a == fails {
			continue
		}
		if pass := t.lastOf(ctx, chunk, a == other); pass != "" {
			return pass
		}
	}
	return ""
}

// lastOf returns the last of some passes without which the program is right, or
// "". Without all of them the program is right, or another thing goes wrong.
func (t *Test) lastOf(ctx context.Context, chunk []string, broken bool) string {
	if !broken && len(chunk) > 3 {
		half := chunk[len(chunk)/2:]
		a := t.ask(ctx, disable(half...)...)
		if a != fails {
			if pass := t.lastOf(ctx, half, a == other); pass != "" {
				return pass
			}
		}
		chunk = chunk[:len(chunk)/2]
	}
	for _, pass := range slices.Backward(chunk) {
		if t.ask(ctx, disable(pass)...) == right {
			return pass
		}
	}
	return ""
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
		return "[module]"
	}
	sources := [][]byte{t.job.Source}
	for _, f := range t.job.More {
		sources = append(sources, f.Content)
	}
	var names []string
	for _, source := range sources {
		for _, m := range definition.FindAllSubmatch(source, -1) {
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
