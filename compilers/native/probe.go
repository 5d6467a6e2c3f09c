package native

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"goreify/compilers"
)

// probeSource needs a header, the C library and a working linker, which is
// what a toolchain without its -m32 parts lacks.
const probeSource = `#include <stdio.h>
int main(int argc, char **argv)
{
	printf("%d\n", 41 + argc);
	return 0;
}
`

// probeJob is a program that any usable toolchain gets right.
var probeJob = compilers.Job{Files: compilers.Single([]byte(probeSource)), Want: []byte("42\n"), Mode: "-O0"}

// probeIR is one in LLVM IR, with pointers that have no type.
var probeIR = compilers.Job{Files: []compilers.File{{Name: compilers.MainLLVM, Content: []byte(`declare i32 @printf(ptr, ...)
@format = private constant [4 x i8] c"%d\0A\00"
define i32 @main(i32 %argc) {
  %sum = add i32 %argc, 41
  %printed = call i32 (ptr, ...) @printf(ptr @format, i32 %sum)
  ret i32 0
}
`)}}, Want: probeJob.Want, Mode: "-O0"}

// trivial returns the probe in the language of the toolchain. opt has passes in no reference mode.
func (t Toolchain) trivial() compilers.Job {
	job := probeJob
	if t.ir {
		job = probeIR
	}
	if t.tools != nil && t.tools.name == opt {
		job.Mode = "-O1"
	}
	return job
}

// vectorChecks returns statements that end a program, as the instructions would, on a
// processor without what the compiler was told that it has.
func vectorChecks() string {
	var b strings.Builder
	for _, feature := range []string{"avx2", "bmi2", "fma", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512vbmi"} {
		fmt.Fprintf(&b, "#ifdef __%s__\n\tif (!__builtin_cpu_supports(%q)) __builtin_trap();\n#endif\n", strings.ToUpper(feature), feature)
	}
	return b.String()
}

// machineSource checks what x86 can tell of itself, and has loops for which compilers
// use all kinds of vector instructions, if they may.
var machineSource = `#include <stdio.h>
#define LOOPS(T) \
T a_##T[256], b_##T[256], c_##T[256]; \
int loops_##T(int n) \
{ \
	T sum = 0, least = a_##T[0]; \
	for (int i = 0; i < n; i++) c_##T[i] = a_##T[i] * b_##T[i] + c_##T[i]; \
	for (int i = 0; i < n; i++) sum += a_##T[i]; \
	for (int i = 0; i < n; i++) least = a_##T[i] < least ? a_##T[i] : least; \
	for (int i = 0; i < n; i++) if (b_##T[i] > c_##T[i]) c_##T[i] = b_##T[i]; \
	for (int i = 0; i < n; i++) b_##T[n - 1 - i] = a_##T[i]; \
	for (int i = 0; i < n / 2; i++) c_##T[2 * i + 1] = a_##T[i] - b_##T[2 * i]; \
	for (int i = 0; i < n; i++) d[i] = c_##T[i]; \
	for (int i = 0; i < n; i++) c_##T[i] = a_##T[where[i] & 255]; \
	return sum + least > 0; \
}
double d[256];
int where[256], counts[256];
LOOPS(char) LOOPS(short) LOOPS(int) LOOPS(long) LOOPS(float) LOOPS(double)
int main(int argc, char **argv)
{
` + vectorChecks() + `	int n = 255 + argc;
	for (int i = 0; i < n; i++) counts[i] = __builtin_popcount(where[i] >> (counts[i] & 31)) + (where[i] << (i & 15));
	n -= loops_char(n) + loops_short(n) + loops_int(n) + loops_long(n) + loops_float(n) + loops_double(n);
	printf("%d\n", n - 214);
	return 0;
}
`

// machineJob shows whether programs find all instructions that they have.
var machineJob = compilers.Job{Files: compilers.Single([]byte(machineSource)), Want: []byte("42\n"), Mode: "-O3"}

// machined returns those of some arguments that choose instructions.
func machined(args []string) (list []string) {
	for i, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		value := i > 0 && args[i-1] == "-mllvm"
		if strings.HasPrefix(arg, "-m") && !value && !slices.Contains(unmachined, name) {
			list = append(list, arg)
		}
	}
	return list
}

// unmachined are arguments that begin as if they chose instructions.
var unmachined = []string{"-m31", "-m32", "-m64", "-mabi", "-mcmodel", "-mllvm", "-mtune"}

// Probe returns nil if the toolchain compiles, links and runs a trivial
// program, else an error that says what went wrong. It costs one compilation, and
// another if its arguments choose the instructions that programs may have.
func (t Toolchain) Probe(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) error {
	if t.unknown != nil {
		return fmt.Errorf("%v cannot be used: %w", t, t.unknown)
	}
	o := compilers.Test(ctx, t, ws, t.trivial(), limits)
	if traits := t.Traits(); o.Verdict == compilers.Discarded && traits.Emulated && traits.Runner == nil {
		if _, err := t.emulatorPath(); err != nil {
			return fmt.Errorf("%v cannot be used: %w", t, err)
		}
	}
	if o.Verdict == compilers.OK && machined(t.Clang().Args) != nil {
		clang := t.Clang()
		clang.ir = false
		if o := compilers.Test(ctx, clang, ws, machineJob, limits); o.Verdict == compilers.Crash && o.Signal == syscall.SIGILL {
			return fmt.Errorf("%v cannot be used: its programs have instructions that are not executed here", t)
		}
	}
	if o.Verdict != compilers.OK {
		hint := ""
		if strings.Contains(string(o.Stderr), "cannot execute") { // what is not there
			hint = " (a gcc that is not installed needs -B and the directory of its cc1)"
		}
		return fmt.Errorf("%v cannot be used: %s: %v%s", t, strings.Join(o.Command, " && "), o, hint)
	}
	return nil
}
