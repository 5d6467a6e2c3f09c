package wasm

import (
	"context"
	"encoding/binary"
	"slices"

	"goreify/compilers"
)

// The files of a program: the module in hexadecimal, and what runs it in engines of
// JavaScript.
const (
	MainFile   = compilers.MainWasm
	RunnerFile = "repro.mjs"
)

// An Engine is one that can be asked.
type Engine struct {
	compilers.Installation

	kind   *kind
	served bool // by servers
}

// A kind is a line of engines that have modes in common.
type kind struct {
	family string
	modes  compilers.Ways[mode]
	args   []string // in all modes
	room   int64    // address space that it reserves without using it; -1 if that is without bounds
	drive  driver   // of one that cannot be told to make calls, or nil
	takes  []string // behind its flags then
	own    bool     // a user's file tells of it
}

// A mode is a way to ask an engine. The first one of a kind does the least.
type mode struct {
	name compilers.Mode
	args []string
	sync []string // more of them, for V8 14 and later: compilations are waited for
	env  []string
	rare bool // asked in if it is named
}

func (m mode) Way() (name compilers.Mode, rare bool) { return m.name, m.rare }

var (
	wazeroKind = &kind{family: "wazero", room: 4 << 30, modes: compilers.Ways[mode]{
		{name: "@interpreter"},
		{name: "@compiler"},
		{name: "@checks", rare: true}, // compiled code looks whether it is to stop
	}}
	v8Kind = &kind{family: "v8", room: -1, args: []string{"--single-threaded"}, modes: compilers.Ways[mode]{
		{name: "@liftoff", args: []string{"--liftoff-only"}},
		{name: "@turbofan", args: []string{"--no-liftoff"}},
		// Each function is called often, and gets from tier to tier on the way.
		{name: "@tiered", args: []string{"--wasm-tiering-budget=10000"}, sync: []string{"--wasm-sync-tier-up"}, env: []string{training + "400"}, rare: true},
	}}
	// Nothing is compiled beside what runs.
	jscKind = &kind{family: "jsc", room: -1, args: []string{"BUN_JSC_useConcurrentJIT=0"}, modes: compilers.Ways[mode]{
		{name: "@ipint", env: []string{"BUN_JSC_useBBQJIT=0", "BUN_JSC_useOMGJIT=0"}},
		{name: "@bbq", env: []string{"BUN_JSC_useOMGJIT=0", "BUN_JSC_useWasmIPInt=0", "BUN_JSC_thresholdForBBQOptimizeAfterWarmUp=0", "BUN_JSC_thresholdForBBQOptimizeSoon=0"}},
		{name: "@omg", env: []string{"BUN_JSC_useWasmIPInt=0", "BUN_JSC_thresholdForBBQOptimizeAfterWarmUp=0", "BUN_JSC_thresholdForBBQOptimizeSoon=0",
			"BUN_JSC_thresholdForOMGOptimizeAfterWarmUp=0", "BUN_JSC_thresholdForOMGOptimizeSoon=0"}},
		{name: "@tiered", env: []string{"BUN_JSC_thresholdForBBQOptimizeAfterWarmUp=100", "BUN_JSC_thresholdForBBQOptimizeSoon=100",
			"BUN_JSC_thresholdForOMGOptimizeAfterWarmUp=200", "BUN_JSC_thresholdForOMGOptimizeSoon=200", training + "400"}, rare: true},
	}}
	rewrites      = []string{moduleIn, "-o", moduleOut}
	craneliftKind = &kind{family: "cranelift", room: -1, drive: driveInitialiser, takes: rewrites, modes: compilers.Ways[mode]{{name: "@cranelift"}}}
	// Features that each engine has, and that this asks to be told of.
	binaryenKind = &kind{family: "binaryen", drive: driveOptimiser, takes: rewrites, args: []string{
		"--enable-sign-ext", "--enable-mutable-globals", "--enable-nontrapping-float-to-int", "--enable-bulk-memory", "--enable-simd"}, modes: compilers.Ways[mode]{
		{name: "@O0", args: []string{"-O0"}, rare: true},
		{name: "@O1", args: []string{"-O1"}},
		{name: "@O3", args: []string{"-O3"}},
		{name: "@O4", args: []string{"-O4"}},
	}}
	wabtKind = &kind{family: "wabt", drive: driveInterpreter, takes: []string{moduleIn, "--run-all-exports"}, modes: compilers.Ways[mode]{{name: "@interp"}}}

	kinds = []*kind{wazeroKind, v8Kind, jscKind, craneliftKind, binaryenKind, wabtKind}
)

// Own returns the engine of a line of a user's file, which runs RunnerFile as node does.
func Own(ctx context.Context, env compilers.Env, l compilers.Line, entry string) (e Engine, err error) {
	k := &kind{family: l.Name, own: true, room: -1, args: l.Flags}
	for _, one := range l.Modes {
		k.modes = append(k.modes, mode{name: one.Mode, args: one.Flags})
	}
	e.kind = k
	e.Installation, err = l.Found(ctx, env, entry)
	return e, err
}

var _ interface {
	compilers.Tool
	compilers.Engine
	compilers.Linker
	compilers.Sibling
	compilers.Tunable
} = Engine{}

// ID returns the name, arguments, family and version.
func (e Engine) ID() compilers.ID { return e.Identity(e.kind.family, "wasm32") }

// Language returns WebAssembly.
func (e Engine) Language() compilers.Language { return compilers.Wasm }

// Modes returns those that REIFY_MODES names, or those that are usual.
func (e Engine) Modes() []compilers.Mode {
	if e.Chosen != nil {
		return e.Chosen
	}
	return e.kind.modes.Usual()
}

// Reference returns the mode that optimises least: that of an interpreter or of a
// baseline compiler.
func (e Engine) Reference() compilers.Mode { return e.kind.modes[0].name }

// Traits returns those of 32-bit WebAssembly, the same everywhere.
func (e Engine) Traits() compilers.Traits {
	return compilers.Traits{ByteOrder: binary.LittleEndian, CharSigned: true, Long: 4, Pointer: 4, Partial: e.kind.own}
}

// Stamped returns the engine with a digest in its version.
func (e Engine) Stamped(digest string) compilers.Target {
	e.Version = compilers.StampVersion(e.Version, digest)
	return e
}

// With returns the engine with more flags.
func (e Engine) With(args ...string) compilers.Target {
	e.Args = slices.Concat(e.Args, args)
	return e
}

// WithoutArgs returns the engine as it is called by its name alone.
func (e Engine) WithoutArgs() compilers.Target {
	e.Args = nil
	return e
}
