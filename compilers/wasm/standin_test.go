package wasm

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
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
	const right = `printf 'f 42\n'`
	limits := compilers.DefaultLimits()
	limits.CompileWall, limits.RunWall = time.Second, time.Second
	for name, tt := range map[string]struct{ served, alone, want string }{
		"right":                   {right + ` > "$5"; echo end 1 2 3 > "$5"`, "exit 1", "ok"},
		"lies":                    {`printf 'f 41\nend 1 2 3\n' > "$5"`, right, `wrong-answer: printed "f 41", want "f 42"`},
		"lies about the state":    {`printf 'f 42 state 7\nend 1 2 3\n' > "$5"`, right, `wrong-answer: printed "f 42 state 7", want "f 42"`},
		"says too little":         {`printf 'end 1 2 3\n' > "$5"`, right, `wrong-answer: printed "", want "f 42"`},
		"rejects a function":      {`printf 'rejected Compiling function #0:"f16" failed: Invalid opcode 0x7 @+3472\nend 1 2 3\n' > "$5"`, right, "rejected: Compiling function failed: Invalid opcode 0x?"},
		"rejects":                 {`printf 'rejected no such\nend 1 2 3\n' > "$5"`, right, "rejected: no such"},
		"dies when it has served": {`exit 3`, right, "internal-error: exit status 3: , in a process that has run other modules"},
		"dies by a signal":        {`kill -SEGV $$`, right, "internal-error: killed by SIGSEGV, in a process that has run other modules"},
		"dies always":             {`kill -SEGV $$`, "kill -SEGV $$", "internal-error: killed by SIGSEGV"},
		"asserts":                 {`exit 1`, `printf '#\n# Fatal error in file.cc, line 7\n# Check failed: x.\n' >&2; kill -TRAP $$`, "internal-error: Fatal error in file.cc, line 7: Check failed: x."},
		"speaks nonsense":         {`printf 'end of the world\n' > "$5"`, right, `internal-error: it ended its answer with "of the world", in a process that has run other modules`},
		"hangs":                   {`sleep 60`, right, "ok"},
		"hangs always":            {`exit 1`, `while :; do :; done`, "slow-compile: used its CPU time of 1 s"},
		"never ends a call":       {`exit 1`, `echo compiled >&2; while :; do :; done`, "endless: used its CPU time of 1 s"},
		"does not stop talking":   {`while :; do echo f 42; done > "$5"`, right, "internal-error: the server gave no answer: printed more than 1048576 bytes, in a process that has run other modules"},
		"prints without lines":    {`while :; do printf 0123456789012345678901234567890123456789; done > "$5"`, right, "internal-error: the server gave no answer: printed more than 1048576 bytes, in a process that has run other modules"},
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

// Modules are packed and unpacked, and what is corrupt is said with its line; it accuses
// no engine.
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
		"node":         "node is neither on PATH nor in " + Dir(env) + ": make setup-engines fetches engines",
		"node-26":      "node-26 is neither on PATH nor in " + Dir(env) + ": make setup-engines fetches engines",
		"bun=bun":      "bun=bun: want an absolute path",
		"wazero --opt": "wazero --opt: wazero takes no flags",
		"gcc-12":       "gcc-12: no WebAssembly engine is called so",
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
