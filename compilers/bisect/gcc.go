package bisect

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// gcc looks for the flags that make the program right and for the last pass that
// must be left out for that.
func (t *Test) gcc(ctx context.Context, b *Blame) error {
	flags, err := t.gccFlags(ctx)
	if err != nil {
		return err
	}
	b.Flags = flags
	if b.Pass, err = t.gccPass(ctx); err != nil {
		return err
	}
	if b.Pass == "" && len(flags) == 0 {
		return fmt.Errorf("%v: %w", t.tc, ErrNobody)
	}
	if b.Pass != "" {
		b.Function = t.gccFunction(ctx, b.Pass)
	}
	return nil
}

var enabledFlag = regexp.MustCompile(`(?m)^  -f([a-z0-9-]+)\s+\[enabled\]$`)

// parseFlags returns the flags that -Q --help=optimizers reports as enabled, as
// the arguments that disable them.
func parseFlags(help string) []string {
	var list []string
	for _, m := range enabledFlag.FindAllStringSubmatch(help, -1) {
		list = append(list, "-fno-"+m[1])
	}
	return list
}

// gccFlags returns a smallest set of -fno- flags that makes the program right,
// or none if there is none.
func (t *Test) gccFlags(ctx context.Context) ([]string, error) {
	help, err := t.tc.Ask(ctx, t.ws, t.limits, append(slices.Clone(t.job.Extra), t.job.Level, "-Q", "--help=optimizers")...)
	if err != nil {
		return nil, err
	}
	all := parseFlags(help)
	if len(all) == 0 {
		return nil, fmt.Errorf("%v: --help=optimizers names no flag that is enabled", t.tc)
	}
	mends := func(flags []string) bool { return t.ask(ctx, flags...) == right }
	if !mends(all) {
		return nil, nil
	}
	list := minimal(all, mends)
	if len(list) > 1 {
		// Several together may hide that one would do.
		for _, flag := range all {
			if mends([]string{flag}) {
				list = []string{flag}
				break
			}
		}
	}
	slices.Sort(list)
	return list, nil
}

var enabledPass = regexp.MustCompile(`(?m)^\s+((?:tree|rtl|ipa)-\S+)\s+:\s+ON$`)

// parsePasses returns the passes that -fdump-passes lists as on, in the order in
// which they run, without those that must not be left out.
func parsePasses(dump string) []string {
	var list []string
	for _, m := range enabledPass.FindAllStringSubmatch(dump, -1) {
		if !slices.Contains(needed, m[1]) {
			list = append(list, m[1])
		}
	}
	return list
}

// disable returns the arguments that leave out passes.
func disable(passes ...string) []string {
	args := make([]string, len(passes))
	for i, p := range passes {
		args[i] = "-fdisable-" + p
	}
	return args
}

// gccPass returns the last pass without which the program is right, or "". It
// goes from the last one to the first by the dozen, and one by one where leaving
// out many breaks the compiler.
func (t *Test) gccPass(ctx context.Context) (string, error) {
	dump, err := t.log(ctx, "-fdump-passes")
	if err != nil {
		return "", err
	}
	list := parsePasses(dump)
	if len(list) == 0 {
		return "", fmt.Errorf("%v: -fdump-passes lists no passes", t.tc)
	}
	const some = 12
	for end := len(list); end > 0; end -= min(some, end) {
		chunk := list[max(0, end-some):end]
		a := t.ask(ctx, disable(chunk...)...)
		if a == fails {
			continue
		}
		if pass := t.lastOf(ctx, chunk, a == other); pass != "" {
			return pass, nil
		}
	}
	return "", nil
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

// definition finds functions of generated and reduced programs: a name at the
// end of a line, or before an opening brace, that has parameters.
var definition = regexp.MustCompile(`(?m)^[a-z][\w\s*]*\b(\w+)\([^;{}]*\)\s*\{`)

// gccFunction returns the function that the pass has to leave alone for the
// program to be right, or "".
func (t *Test) gccFunction(ctx context.Context, pass string) string {
	if strings.HasPrefix(pass, "ipa-") {
		return "[module]"
	}
	var names []string
	for _, m := range definition.FindAllStringSubmatch(string(t.job.Source), -1) {
		names = append(names, m[1])
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
