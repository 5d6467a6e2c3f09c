package native

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// program returns a C program that does something and prints 42.
func program(statements string) []byte {
	return []byte("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nvolatile int zero;\n" +
		"int main(void) {\n" + statements + "\nprintf(\"42\\n\");\nreturn 0;\n}\n")
}

func TestRealCompilersGetItRight(t *testing.T) {
	need.Long(t)
	ws := newWorkspace(t)
	for _, tc := range installed(t) {
		for _, level := range tc.Modes() {
			o := compilers.Test(t.Context(), tc, ws, compilers.Job{Files: compilers.Single(program("")), Want: []byte("42\n"), Mode: level}, roomy())
			assert.Equal(t, compilers.OK, o.Verdict, "%v %s: %v", tc, level, o)
			assert.Equal(t, []string{fmt.Sprintf("%s %s -w repro.c -o repro", tc.Name, level), "./repro"}, o.Command)
			assert.Positive(t, o.CompileCPU)
		}
	}
	requireNothingLeft(t, ws)
}

func TestRealVerdicts(t *testing.T) {
	need.Long(t)
	all := oneOfEachFamily(t)
	small := func(l *compilers.Limits) { l.RunMemory, l.RunCPU = 1<<28, time.Minute }
	slow := "#define A0\n"
	for i := range 45 {
		slow += fmt.Sprintf("#define A%d A%d A%d\n", i+1, i, i)
	}
	slow += "A45\n"
	for name, tt := range map[string]struct {
		source  []byte
		limits  func(*compilers.Limits)
		verdict compilers.Verdict
		signal  syscall.Signal
		message string
	}{
		"wrong":             {program(`printf("1\n"); return 1;`), nil, compilers.WrongAnswer, 0, `printed "1\n"`},
		"divides":           {program("zero = 100 / zero;"), nil, compilers.Crash, syscall.SIGFPE, "SIGFPE"},
		"null":              {program("zero = *(volatile int *)(long)zero;"), nil, compilers.Crash, syscall.SIGSEGV, "SIGSEGV"},
		"aborts":            {program("abort();"), nil, compilers.Crash, syscall.SIGABRT, "SIGABRT"},
		"endless":           {program("while (!zero);"), nil, compilers.Endless, syscall.SIGXCPU, "CPU time"},
		"eats memory":       {program(eatsMemory), small, compilers.Discarded, syscall.SIGSEGV, "near the memory limit"},
		"no C":              {[]byte("int main(void) { return }\n"), nil, compilers.Rejected, 0, "repro.c:1:"},
		"does not link":     {program("extern int nowhere(void); nowhere();"), nil, compilers.Rejected, 0, "undefined reference to `nowhere'"},
		"compiles for ever": {[]byte(slow), func(l *compilers.Limits) { l.CompileCPU = time.Second }, compilers.SlowCompile, 0, "CPU time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := newWorkspace(t)
			some := all
			if tt.verdict == compilers.Endless {
				some = some[:1] // every one costs its CPU limit
			}
			for _, tc := range some {
				limits := roomy()
				if tt.limits != nil {
					tt.limits(&limits)
				}
				o := compilers.Test(t.Context(), tc, ws, compilers.Job{Files: compilers.Single(tt.source), Want: []byte("42\n"), Mode: "-O1"}, limits)
				assert.Equal(t, tt.verdict, o.Verdict, "%v: %v\n%s", tc, o, o.Stderr)
				assert.Equal(t, tt.signal, o.Signal, tc)
				assert.Contains(t, o.Message, tt.message, tc)
				requireNothingLeft(t, ws)
			}
		})
	}
}

// eatsMemory takes memory until there is no more, and then crashes.
const eatsMemory = "for (;;) { char *volatile p = malloc(1 << 20); memset(p, 1, 1 << 20); }"

// A process that is larger than the limit still tells a crash from one for
// want of memory.
func TestLargeProcess(t *testing.T) {
	need.Long(t)
	ws, tc := newWorkspace(t), oneOfEachFamily(t)[0]
	var binaries []string
	for _, statements := range []string{"__builtin_trap();", eatsMemory} {
		binary, o := tc.Build(t.Context(), ws, compilers.Job{Files: compilers.Single(program(statements)), Mode: "-O1"}, roomy())
		require.Equal(t, compilers.OK, o.Verdict, o)
		binaries = append(binaries, binary.Path)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), largeVar+"="+strings.Join(binaries, ":"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, "crash: killed by SIGILL\ndiscarded: killed by SIGSEGV near the memory limit\n", string(out))
}

func TestSeveralFiles(t *testing.T) {
	need.Long(t)
	ws := newWorkspace(t)
	for _, tc := range oneOfEachFamily(t) {
		job := compilers.Job{
			Files: append(compilers.Single(program("extern int second(void), third(void); if (second() + third() != 5) abort();")),
				compilers.File{Name: "third.c", Content: []byte("int third(void) { return 3; }\n")},
				compilers.File{Name: "second.c", Content: []byte("int second(void) { return 2; }\n")},
			),
			Want: []byte("42\n"), Mode: "-O1",
		}
		o := compilers.Test(t.Context(), tc, ws, job, roomy())
		assert.Equal(t, compilers.OK, o.Verdict, "%v: %v", tc, o)
		assert.Equal(t, tc.Name+" -O1 -w repro.c third.c second.c -o repro", o.Command[0])

		job.Files[2].Content = job.Files[1].Content
		o = compilers.Test(t.Context(), tc, ws, job, roomy())
		assert.Equal(t, compilers.Rejected, o.Verdict, "%v: %v", tc, o)
		assert.Contains(t, o.Message, "multiple definition of `third'")
		again := compilers.Test(t.Context(), tc, ws, job, roomy())
		assert.Equal(t, o.Message, again.Message, "no names of temporary files")
	}
}

// A real compiler that takes too much memory is discarded, by whatever name it fails. A process of its
// own asks, as limits of memory are above twice the peak of the process that sets them.
func TestRealCompilerOutOfMemory(t *testing.T) {
	need.Long(t)
	if alone := "^" + t.Name() + "$"; flag.Lookup("test.run").Value.String() != alone {
		out, err := exec.Command(os.Args[0], "-test.run="+alone).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	ws, limits := newWorkspace(t), roomy()
	limits.CompileMemory = 250 << 20
	huge := strings.Repeat("1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,", 1<<17)
	for _, tc := range oneOfEachFamily(t) {
		o := compilers.Test(t.Context(), tc, ws, compilers.Job{Files: compilers.Single([]byte("int a[] = {" + huge + "};\n")), Mode: "-O0"}, limits)
		assert.Equal(t, compilers.Discarded, o.Verdict, "%v: %v", tc, o)
	}
}

func TestRealInternalErrorGCC(t *testing.T) {
	ws := newWorkspace(t)
	tc := firstOf(t, "gcc")
	// The register allocator cannot be left out.
	job := compilers.Job{Files: compilers.Single(program("")), Mode: "-O2", Extra: []string{"-fdisable-rtl-ira"}}
	o := compilers.Test(t.Context(), tc, ws, job, roomy())
	assert.Equal(t, compilers.InternalError, o.Verdict, "%v: %s", o, o.Stderr)
	assert.Regexp(t, `^during RTL pass: \w+: internal compiler error: in \w+, at [\w.]+:\d+$`, o.Message)
	assert.True(t, o.Same(compilers.Test(t.Context(), tc, ws, job, roomy())))
}

func TestRealInternalErrorClang(t *testing.T) {
	ws := newWorkspace(t)
	tc := firstOf(t, "clang")
	crash := `^(illegal instruction|trace/breakpoint trap)`
	_, plain := exec.LookPath("llvm-symbolizer")
	if _, err := exec.LookPath("llvm-symbolizer-" + strings.Split(tc.Version, ".")[0]); err == nil || plain == nil {
		crash += `.* in clang::`
	} else {
		need.Partly(t, "clang", "where clang crashes: it has no symbolizer here")
	}
	for pragma, want := range map[string]string{
		"crash":            crash,
		"llvm_fatal_error": `^error in backend: #pragma clang __debug llvm_fatal_error$`,
	} {
		job := compilers.Job{Files: compilers.Single([]byte("#pragma clang __debug " + pragma + "\nint main(void) { return 0; }\n")), Mode: "-O2"}
		o := compilers.Test(t.Context(), tc, ws, job, roomy())
		assert.Equal(t, compilers.InternalError, o.Verdict, "%v: %s", o, o.Stderr)
		assert.Regexp(t, want, o.Message)
		assert.True(t, o.Same(compilers.Test(t.Context(), tc, ws, job, roomy())))
	}
}

func TestProbeSaysWhatIsMissing(t *testing.T) {
	ws := newWorkspace(t)
	tc := firstOf(t, "gcc")
	bad := tc.with("-lnowhere")
	err := bad.Probe(t.Context(), ws, roomy())
	assert.ErrorContains(t, err, tc.Name+" -lnowhere cannot be used")
	assert.ErrorContains(t, err, "cannot find -lnowhere")

	usable, unusable := compilers.ProbeAll(t.Context(), ws, []compilers.Target{bad, tc}, roomy())
	assert.Equal(t, []compilers.Target{tc}, usable)
	assert.ErrorContains(t, unusable, "-lnowhere")
}

func TestSanitizers(t *testing.T) {
	need.Long(t)
	ws := newWorkspace(t)
	tested := 0
	for _, tc := range oneOfEachFamily(t) {
		sanitized, err := tc.Sanitized(t.Context(), ws, roomy())
		if err != nil {
			assert.ErrorContains(t, err, tc.Name)
			need.Partly(t, tc.Family, "%v", err)
			continue
		}
		tested++
		limits := roomy().ForSanitizers()
		job := compilers.Job{Files: compilers.Single(program("int a[3]; a[0] = 42; zero = a[0] << (zero + 31) ;")), Want: []byte("42\n"), Mode: sanitized.Reference()}
		o := compilers.Test(t.Context(), sanitized, ws, job, limits)
		assert.Equal(t, compilers.WrongAnswer, o.Verdict, "%v: %v", tc, o)
		assert.Regexp(t, `^repro.c:6:\d+: runtime error: left shift of 42`, o.Message)

		job.Files = compilers.Single(program("char *p = malloc(3); free(p); p[zero] = 1;"))
		o = compilers.Test(t.Context(), sanitized, ws, job, limits)
		assert.Equal(t, compilers.WrongAnswer, o.Verdict, "%v: %v", tc, o)
		assert.Contains(t, o.Message, "AddressSanitizer: heap-use-after-free")

		job.Files = compilers.Single([]byte("#ifndef __clang__\n#define __builtin_assume(x) do { if (!(x)) __builtin_unreachable(); } while (0)\n#endif\n" +
			string(program("__builtin_assume(zero > 0);"))))
		o = compilers.Test(t.Context(), sanitized, ws, job, limits)
		assert.Equal(t, compilers.WrongAnswer, o.Verdict, "%v: %v", tc, o)
		assert.Contains(t, o.Message, "unreachable")
	}
	if tested == 0 {
		need.Missing(t, "gcc", "no compiler here has its sanitizers")
	}
	requireNothingLeft(t, ws)
}

// Compilers put nothing outside the workspace.
func TestTemporaryFilesStayInside(t *testing.T) {
	outside := t.TempDir()
	t.Setenv("TMPDIR", outside)
	ws := newWorkspace(t)
	for _, tc := range oneOfEachFamily(t) {
		binary, o := tc.Build(t.Context(), ws, compilers.Job{Files: compilers.Single(program("")), Mode: "-O0", Extra: []string{"-save-temps=cwd"}}, roomy())
		require.Equal(t, compilers.OK, o.Verdict, o)
		binary.Remove()
		assert.NoDirExists(t, filepath.Dir(binary.Path))
	}
	left, err := filepath.Glob(filepath.Join(outside, "*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// Where processors can, gcc computes a product and a sum in one step; if it is to be
// forgiving, in two, which round each.
func TestForgivingRounds(t *testing.T) {
	gcc := need.Command(t, "gcc")
	assembly := func(args ...string) string {
		cmd := exec.Command(gcc, append([]string{"-O2", "-mfma", "-x", "c", "-S", "-o", "-", "-"}, args...)...)
		cmd.Stdin = strings.NewReader("double f(double a, double b, double c) { return a * b + c; }\n")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	assert.Contains(t, assembly(), "vfmadd")
	assert.NotContains(t, assembly(Toolchain{}.Forgiving()...), "vfmadd")
}
