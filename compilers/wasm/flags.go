package wasm

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"goreify/compilers"
	"goreify/compilers/served"
)

// setting is how the environment sets an option of JavaScriptCore in bun. Among the
// flags of an engine such words go there.
const setting = "BUN_JSC_"

// screened are the flags that a reproducer may bring.
var screened = map[*kind]*regexp.Regexp{
	v8Kind:  regexp.MustCompile(`^--(?:no-)?(?:wasm|liftoff|turbo|turboshaft|stress-turbo)[a-z0-9-]*(?:=[\d.]+)?$|^--single-threaded$`),
	jscKind: regexp.MustCompile(`^BUN_JSC_(?:use|air|max|default|threshold|wasm|disable|omg)[A-Za-z0-9]*=\d+$`),
}

// tracing are those of them that print or write.
var tracing = regexp.MustCompile(`(?i)stats|profil|trace|dump|filter|path|pgo|test|verbose`)

// Screen returns nil if a reproducer may bring these flags along.
func (e Engine) Screen(args ...string) error {
	return compilers.ScreenEach(args, "engine", func(arg string) bool {
		p := screened[e.kind]
		return p != nil && p.MatchString(arg) && !tracing.MatchString(arg)
	})
}

// training is how the environment tells the runner to make calls again and again.
const training = "TRAIN="

// Training returns the settings with which any mode makes as many calls as a mode does.
func (e Engine) Training(name compilers.Mode) []string {
	m, _ := e.kind.modes.Find(name)
	return served.Training(training, m.env, e.Args)
}

// settings tells flags from those that the environment holds.
func settings(args []string) (flags, env []string) {
	for _, arg := range args {
		if strings.HasPrefix(arg, setting) || strings.HasPrefix(arg, training) {
			env = append(env, arg)
		} else {
			flags = append(flags, arg)
		}
	}
	return flags, env
}

// switches are flags that leave out something each, of all versions.
var switches = map[*kind][]string{
	v8Kind: {
		"--no-wasm-loop-peeling", "--no-wasm-loop-unrolling", "--no-wasm-inlining", "--no-wasm-math-intrinsics", "--no-wasm-bulkmem-inlining",
		"--no-turboshaft-wasm-load-elimination", "--no-turbo-wasm-address-reassociation", "--no-turbo-load-elimination", "--no-turbo-loop-peeling",
		"--no-turbo-loop-rotation", "--no-turbo-loop-variable", "--no-turbo-jt", "--no-turbo-cf-optimization", "--no-turbo-move-optimization",
		"--no-turbo-splitting", "--no-turbo-rewrite-far-jumps", "--no-turbo-sp-frame-access", "--no-turbo-optimize-math-minmax", "--no-turboshaft-wasm",
		"--turbo-force-mid-tier-regalloc", "--no-wasm-opt",
	},
	jscKind: {
		setting + "useB3TailDup=0", setting + "useB3HoistLoopInvariantValues=0", setting + "useB3SpecializeSelect=0", setting + "useAirOptimizePairedLoadStore=0",
		setting + "useWasmByteLoopReplacement=0", setting + "useOMGInlining=0", setting + "useWasmOSR=0", setting + "disableBBQConsts=1", setting + "useWasmFastMemory=0",
		setting + "wasmOMGOptimizationLevel=1", setting + "wasmOMGOptimizationLevel=0", setting + "useBBQJIT=0", setting + "useOMGJIT=0",
	},
}

// Switches returns flags that leave out something each, as far as this version knows
// them. The search for a culprit uses them.
func (e Engine) Switches(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) []string {
	var list []string
	for _, flag := range switches[e.kind] {
		if e.With(flag).(Engine).Probe(ctx, ws, limits) == nil {
			list = append(list, flag)
		}
	}
	return list
}

// FlagSets returns flags to hunt with: other choices of what to do, and of registers.
func (e Engine) FlagSets() []compilers.FlagSet {
	var sets []compilers.FlagSet
	add := func(flags ...string) { sets = append(sets, compilers.FlagSet{Flags: flags}) }
	switch e.kind {
	case v8Kind:
		add("--stress-turbo-late-spilling")
		add("--turbo-stress-instruction-scheduling")
		add("--turbo-instruction-scheduling")
		add("--turbo-force-mid-tier-regalloc")
		add("--turboshaft-wasm")
		add("--no-wasm-loop-unrolling", "--no-wasm-loop-peeling")
		add("--no-turbo-splitting")
		add("--experimental-wasm-revectorize")
	case jscKind:
		for seed := range 6 {
			add(setting+"airRandomizeRegs=1", fmt.Sprintf("%sairRandomizeRegsSeed=%d", setting, seed+1))
		}
		add(setting + "airGreedyRegAllocSpillsEverything=1")
		add(setting + "airGreedyRegAllocSplitAroundLoops=1")
		add(setting + "useB3CanonicalizePrePostIncrements=1")
		add(setting + "maxB3TailDupBlockSize=20")
		add(setting + "wasmOMGOptimizationLevel=1")
	}
	return sets
}
