package native

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// saying is a fake gcc for a triple that has some macros, as it says when it is
// asked with -dM, and notes that in a file.
func saying(log, triple, macros string) string {
	return `case "$*" in *-dM*) echo >>` + log + `; echo 'Target: ` + triple + `' >&2; printf '` + macros + `'; exit ;; esac` + "\n" + gccBanner + "12.2.0"
}

const bigMacros = `#define __SIZEOF_LONG__ 4\n#define __SIZEOF_POINTER__ 4\n#define __CHAR_UNSIGNED__ 1\n#define __BYTE_ORDER__ __ORDER_BIG_ENDIAN__\n`

// A compiler says itself which platform it is for: once for each list of arguments.
func TestPlatformIsProbed(t *testing.T) {
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	script(t, filepath.Join(bin, "m68k-linux-gnu-gcc-12"), saying(log, "m68k-linux-gnu", bigMacros))
	script(t, filepath.Join(bin, "gcc-12"), saying(log, "x86_64-linux-gnu", ""))
	emulator := script(t, filepath.Join(bin, "qemu-m68k-static"), "shift; echo 42")
	env := compilers.Env{Path: bin, Cache: t.TempDir(), CC: "m68k-linux-gnu-gcc-12, gcc-12-m68k-linux-gnu -g, gcc-12"}
	for range 2 {
		found, err := findAll(t.Context(), env)
		require.NoError(t, err)
		cross, again, native := found[0], found[1], found[2]
		if !registered("qemu-m68k") {
			assert.Equal(t, []string{emulator}, cross.Traits().Runner)
			assert.Contains(t, cross.Traits().String(), "big-endian, unsigned char, long 4 and pointers 4 bytes, run by ")
		}
		assert.True(t, cross.Traits().Emulated)
		assert.Equal(t, "m68k-linux-gnu", cross.ID().Triple)
		assert.Equal(t, "12.2.0 m68k-linux-gnu", cross.ID().Version, "it is another compiler than one of this machine's")
		assert.Equal(t, "m68k-linux-gnu-gcc-12 -g", again.ID().String(), "the name that it has")
		assert.True(t, cross.Traits().Alike(again.Traits()))
		assert.Equal(t, "12.2.0", native.ID().Version)
		assert.Equal(t, "little-endian, signed char, long 8 and pointers 8 bytes", native.Traits().String())
		assert.False(t, cross.Traits().Alike(native.Traits()))
	}
	assert.Equal(t, 3, started(t, log), "it is remembered")

	_, err := findAll(t.Context(), compilers.Env{Path: bin, CC: "gcc-13-m68k-linux-gnu"})
	assert.ErrorContains(t, err, "gcc-13-m68k-linux-gnu: not found on PATH")
	assert.ErrorContains(t, err, "nor m68k-linux-gnu-gcc-13")
}

// Without its emulator a compiler cannot be used, and the error says what lacks.
func TestNoEmulator(t *testing.T) {
	if registered("qemu-vax") {
		t.Skip("the kernel runs programs for VAX")
	}
	bin := t.TempDir()
	script(t, filepath.Join(bin, "vax-linux-gnu-gcc-12"), `[ -e repro.c ] && printf '\177ELFnone' >repro && /bin/chmod +x repro`+"\n"+saying("/dev/null", "vax-linux-gnu", bigMacros))
	found, err := findAll(t.Context(), compilers.Env{Path: bin, CC: "vax-linux-gnu-gcc-12"})
	require.NoError(t, err)
	err = compilers.Probe(t.Context(), found[0], newWorkspace(t), roomy())
	assert.ErrorContains(t, err, "programs for vax-linux-gnu are run by qemu-vax, which is not on PATH (package qemu-user)")
}

// Arguments change what a program means, those that are added later too.
func TestTraits(t *testing.T) {
	for _, tc := range oneOfEachFamily(t) {
		for args, want := range map[string]string{
			"":                               "little-endian, signed char, long 8 and pointers 8 bytes",
			"-m32":                           "little-endian, signed char, long 4 and pointers 4 bytes",
			"-mx32 -funsigned-char":          "little-endian, unsigned char, long 4 and pointers 4 bytes",
			"-m32 -m64":                      "little-endian, signed char, long 8 and pointers 8 bytes",
			"-funsigned-char -fsigned-char":  "little-endian, signed char, long 8 and pointers 8 bytes",
			"-fsigned-char -g -O2 -m64 -m32": "little-endian, signed char, long 4 and pointers 4 bytes",
			"-mnonsense":                     "little-endian, signed char, long 8 and pointers 8 bytes",
		} {
			more := tc.with(strings.Fields(args)...)
			assert.Equal(t, want, more.Traits().String(), "%v", more)
			assert.False(t, more.Traits().Emulated)
		}
	}
	engine := compilers.Traits{ByteOrder: binary.BigEndian, Long: 8, Pointer: 4, Emulated: true}
	assert.Equal(t, "big-endian, unsigned char, long 8 and pointers 4 bytes, emulated", engine.String())
	engine.Runner = []string{"qemu", "-L", "/"}
	assert.Equal(t, "big-endian, unsigned char, long 8 and pointers 4 bytes, run by qemu -L /", engine.String())
}

func TestEmulator(t *testing.T) {
	for triple, want := range map[string]string{
		"s390x-linux-gnu": "qemu-s390x", "armv7a-unknown-linux-gnueabihf": "qemu-arm", "powerpc64le-linux-gnu": "qemu-ppc64le",
		"mips64el-linux-gnuabi64": "qemu-mips64el", "aarch64-linux-gnu": "qemu-aarch64", "i686-linux-gnu": "qemu-i386",
	} {
		assert.Equal(t, want, emulator(platform{Triple: triple}))
	}
	assert.Equal(t, "qemu-armeb", emulator(platform{Triple: "arm-linux-gnueabi", BigEndian: true}))
}

// cross returns the first compiler for another processor that can be used here.
func cross(t testing.TB, ws *compilers.Workspace) Toolchain {
	files, err := filepath.Glob("/usr/bin/*-linux-gnu*-gcc-[0-9]*")
	require.NoError(t, err)
	for _, file := range files {
		found, err := Toolchains(t.Context(), compilers.Env{Path: os.Getenv("PATH"), CC: file})
		if err == nil && found[0].Traits().Emulated && found[0].Probe(t.Context(), ws, roomy()) == nil {
			return found[0]
		}
	}
	need.Missing(t, "cross", "no compiler for another processor, and qemu-user for it")
	return Toolchain{}
}

// A program under an emulator is judged like any other, in a box too.
func TestEmulated(t *testing.T) {
	for _, policy := range []compilers.BoxPolicy{compilers.BoxOff, compilers.BoxAuto} {
		ws := newWorkspace(t)
		_, _, err := ws.Enclose(t.Context(), policy)
		require.NoError(t, err)
		tc := cross(t, ws)
		for body, want := range map[string]compilers.Verdict{
			"return 0;":                        compilers.OK,
			"return 1;":                        compilers.WrongAnswer,
			"__builtin_trap();":                compilers.Crash,
			"for (;;) ;":                       compilers.Endless,
			"*(volatile int *)8 = 1;":          compilers.Crash,
			"static int a[1 << 26]; a[n] = 1;": compilers.OK,
			"kill(getpid(), 9);":               compilers.Discarded,
		} {
			source := "#include <signal.h>\n#include <unistd.h>\nint n = 1 << 25;\nint main(void) { " + body + " return 0; }\n"
			job := compilers.Job{Files: compilers.Single([]byte(source)), Mode: "-O0"}
			o := compilers.Test(t.Context(), tc, ws, job, roomy())
			assert.Equal(t, want, o.Verdict, "%v: %s: %v\n%s", tc, body, o, o.Stderr)
			assert.Equal(t, tc.Commands(job, binaryName), o.Command)
		}
		direct, err := tc.LinkDirectly(t.Context(), ws, roomy())
		require.NoError(t, err)
		assert.Equal(t, compilers.OK, compilers.Test(t.Context(), direct, ws, probeJob, roomy()).Verdict)
	}
}

// Emulators are told of the processor that compilers are told of.
func TestModels(t *testing.T) {
	for _, tt := range []struct {
		emulator, args, model, other string
	}{
		{"qemu-ppc64le", "--target=powerpc64le-linux-gnu", "", ""},
		{"qemu-ppc64le", "--target=powerpc64le-linux-gnu -mcpu=pwr8", "power8", "power10"},
		{"qemu-ppc64le", "-mcpu=power10", "power10", ""},
		{"qemu-ppc64", "-mcpu=power9 -m64", "power9", "power10"},
		{"qemu-ppc64", "-maltivec", "power10", ""},
		{"qemu-s390x", "-march=z16", "max", "gen16a"},
		{"qemu-riscv64", "-march=rv64gcv", "max", "max,vlen=256"},
		{"qemu-loongarch64", "-mlasx", "max", "la464"},
		{"qemu-sparc64", "-mvis3", "", ""},
		{"qemu-mips64el", "-march=mips64r6", "I6400", "I6500"},
		{"qemu-mips64el", "-mmsa", "Loongson-3A4000", ""},
		{"qemu-mips64el", "-march=mips64r2", "", ""},
		{"qemu-mips64el", "-mabi=64", "", ""},
		{"qemu-ppc64", "-mcpu=power9 -mabi=elfv2 -mtune=power10 -mllvm -misched-bottomup", "power9", "power10"},
		{"qemu-riscv64", "-mabi=lp64d -mcmodel=medany", "", ""},
	} {
		model, other := models(tt.emulator, strings.Fields(tt.args))
		assert.Equal(t, tt.model, model, "%s %s", tt.emulator, tt.args)
		assert.Equal(t, tt.other, other, "%s %s", tt.emulator, tt.args)
	}
}

// An emulator is told of a model only if it says that it knows it.
func TestEmulates(t *testing.T) {
	ws := newWorkspace(t)
	dir := t.TempDir()
	old := filepath.Join(dir, "qemu-old")
	require.NoError(t, os.WriteFile(old, []byte("#!/bin/sh\necho 'Available CPUs:'; echo '  power8           (alias for power8_v2.0)'; echo \"MIPS 'I6400'\"\n"), 0o755))
	tc := Toolchain{survey: &survey{space: ws, lists: map[string]string{}}}
	for model, want := range map[string]bool{"power8": true, "I6400": true, "power8_v2": false, "power10": false, "max": false, "": false, "power8,x=1": true} {
		assert.Equal(t, want, tc.emulates(old, model), model)
	}
	assert.False(t, tc.emulates(filepath.Join(dir, "none"), "max"))
	assert.False(t, Toolchain{}.emulates(old, "power8"))
}

// Programs that this processor cannot execute accuse no compiler.
func TestMissingInstructions(t *testing.T) {
	need.Long(t)
	ws := newWorkspace(t)
	illegal := func(args ...string) error {
		tc := fake(t, "case $(cat repro.c) in *LOOPS*) "+strings.ReplaceAll(writes("kill -ILL $$"), "\nEND\n", "\nEND\n")+"; exit ;; esac\n"+writes("echo 42")).with(args...)
		return tc.Probe(t.Context(), ws, patient())
	}
	assert.NoError(t, illegal("-m32", "-g"))
	assert.ErrorContains(t, illegal("-march=none"), "its programs have instructions that are not executed here")
	for _, tc := range oneOfEachFamily(t) {
		assert.NoError(t, tc.with("-march=native").Probe(t.Context(), ws, roomy()))
	}
}
