package bisect

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
)

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

// gccEnabled returns the arguments that disable what is enabled at a level.
func (t *Test) gccEnabled(ctx context.Context, level string) ([]string, error) {
	asker, ok := t.tc.(interface {
		Ask(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits, args ...string) (string, error)
	})
	if !ok {
		return nil, fmt.Errorf("%v cannot be asked for its flags", t.tc.ID())
	}
	help, err := asker.Ask(ctx, t.ws, t.limits, append(slices.Clone(t.job.Extra), level, "-Q", "--help=optimizers")...)
	if err != nil {
		return nil, err
	}
	list := parseFlags(help)
	if len(list) == 0 {
		return nil, fmt.Errorf("%v: --help=optimizers names no flag that is enabled", t.tc.ID())
	}
	return list, nil
}

// lowerLevels are the levels that do less than another, or other things, those
// that are most like it first.
var lowerLevels = map[string][]string{
	"-Ofast": {"-O3", "-O2", "-O1", "-O0"},
	"-O3":    {"-O2", "-Os", "-O1", "-O0"},
	"-O2":    {"-Os", "-O1", "-O0"},
	"-Os":    {"-O2", "-O1", "-O0"},
	"-Oz":    {"-Os", "-O2", "-O1", "-O0"},
	"-O1":    {"-Og", "-O0"},
	"-Og":    {"-O0"},
}

// gccFlags returns a smallest set of -fno- flags that makes the program right,
// sorted, or none if there is none. It is the own flag of the pass if that will
// do; else it comes from what the next level at which the program is right does
// without; else from all that is enabled. Two or more are only returned if none
// will do alone.
func (t *Test) gccFlags(ctx context.Context, pass string) ([]string, error) {
	all, err := t.gccEnabled(ctx, t.job.Mode)
	if err != nil {
		return nil, err
	}
	mends := func(flags []string) bool { return t.ask(ctx, flags...) == right }
	for _, flag := range ownFlags(pass) {
		if slices.Contains(all, flag) && mends([]string{flag}) {
			return []string{flag}, nil
		}
	}
	less, err := t.lessAtLowerLevel(ctx, all)
	if err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(f string) bool { return slices.Contains(less, f) })
	var list []string
	for _, set := range [][]string{less, all} {
		if len(set) > 0 && mends(set) {
			list = minimal(set, mends)
			break
		}
	}
	if len(list) != 1 {
		// Several together may hide that one would do.
		for _, flag := range slices.Concat(less, rest) {
			if mends([]string{flag}) {
				return []string{flag}, nil
			}
		}
	}
	slices.Sort(list)
	return list, nil
}

// lessAtLowerLevel returns those flags that the first lower level at which the
// program is right does not enable.
func (t *Test) lessAtLowerLevel(ctx context.Context, all []string) ([]string, error) {
	for _, level := range lowerLevels[t.job.Mode] {
		job := t.job
		job.Mode = level
		if t.answer(ctx, t.quick, job, t.short) != right {
			continue
		}
		there, err := t.gccEnabled(ctx, level)
		if err != nil {
			return nil, err
		}
		return slices.DeleteFunc(slices.Clone(all), func(f string) bool { return slices.Contains(there, f) }), nil
	}
	return nil, nil
}

// ownFlag returns the flag of a pass that makes the program right, or "".
func (t *Test) ownFlag(ctx context.Context, pass string) string {
	for _, flag := range ownFlags(pass) {
		if t.ask(ctx, flag) == right && t.confirm(ctx, flag) == right {
			return flag
		}
	}
	return ""
}

var instance = regexp.MustCompile(`\d+$`)

// ownFlags returns the arguments that may disable a pass by its name, and other
// passes with it: "tree-vrp2" is one of those of -ftree-vrp.
func ownFlags(pass string) []string {
	kind, name, ok := strings.Cut(pass, "-")
	if !ok {
		return nil
	}
	name = strings.ReplaceAll(instance.ReplaceAllString(name, ""), "_", "-")
	flags := []string{"-fno-" + kind + "-" + name, "-fno-" + name}
	for _, f := range flagNames[kind+"-"+name] {
		flags = append(flags, "-fno-"+f)
	}
	return flags
}

// flagNames are the flags of passes that go by another name.
var flagNames = map[string][]string{
	"tree-evrp":         {"tree-vrp"},
	"tree-cddce":        {"tree-dce"},
	"tree-dom":          {"tree-dominator-opts"},
	"tree-lim":          {"tree-loop-im"},
	"tree-ivcanon":      {"tree-loop-ivcanon"},
	"tree-ldist":        {"tree-loop-distribute-patterns", "tree-loop-distribution"},
	"tree-vect":         {"tree-loop-vectorize"},
	"tree-slp":          {"tree-slp-vectorize"},
	"tree-sccp":         {"tree-scev-cprop"},
	"tree-ifcvt":        {"tree-loop-if-convert"},
	"tree-copyprop":     {"tree-copy-prop"},
	"tree-esra":         {"tree-sra"},
	"tree-unswitch":     {"unswitch-loops"},
	"tree-lsplit":       {"split-loops"},
	"tree-lversion":     {"version-loops-for-strides"},
	"tree-linterchange": {"loop-interchange"},
	"tree-unrolljam":    {"loop-unroll-and-jam"},
	"tree-pcom":         {"predictive-commoning"},
	"tree-ifcombine":    {"tree-ifcombine", "ssa-phiopt"},
	"tree-phiopt":       {"ssa-phiopt"},
	"tree-einline":      {"early-inlining", "inline"},
	"tree-cunroll":      {"peel-loops"},
	"tree-thread":       {"thread-jumps"},
	"tree-threadfull":   {"thread-jumps"},
	"tree-ethread":      {"thread-jumps"},
	"tree-switchconv":   {"tree-switch-conversion"},
	"tree-isolate-path": {"isolate-erroneous-paths-dereference"},
	"tree-strlen":       {"optimize-strlen"},
	"tree-tailc":        {"optimize-sibling-calls"},
	"ipa-inline":        {"inline-small-functions", "inline-functions-called-once", "inline-functions"},
	"rtl-ce":            {"if-conversion", "if-conversion2"},
	"rtl-fwprop":        {"forward-propagate"},
	"rtl-cprop":         {"gcse"},
	"rtl-hoist":         {"gcse", "code-hoisting"},
	"rtl-cse":           {"rerun-cse-after-loop", "cse-follow-jumps"},
	"rtl-sched":         {"schedule-insns", "schedule-insns2"},
	"rtl-cprop-hardreg": {"cprop-registers"},
	"rtl-bbro":          {"reorder-blocks"},
	"rtl-loop2-inv":     {"move-loop-invariants"},
}
