package native

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// direct returns the toolchain as LinkDirectly does.
func direct(t testing.TB, ws *compilers.Workspace, tc Toolchain) Toolchain {
	t.Helper()
	d, err := tc.LinkDirectly(t.Context(), ws, roomy())
	require.NoError(t, err)
	require.True(t, compilers.Direct(d))
	return d.(Toolchain)
}

// Whatever a program does, it does the same however it was linked.
func TestLinkDirectly(t *testing.T) {
	need.Long(t)
	ws := newWorkspace(t)
	programs := map[string]compilers.Job{
		"right":    {Files: compilers.Single(program(""))},
		"floats":   {Files: compilers.Single(program(`double d = zero; if (d != 0.0) printf("x");`))},
		"data":     {Files: compilers.Single(program(`static int big[1 << 20]; static const char *s[] = {"a", "b"}; if (big[zero] || *s[zero] != 'a') abort();`))},
		"status":   {Files: compilers.Single(program("atexit(abort); _Exit(3);"))},
		"atexit":   {Files: compilers.Single(program("atexit(abort);"))},
		"divides":  {Files: compilers.Single(program("zero = 100 / zero;"))},
		"null":     {Files: compilers.Single(program("zero = *(volatile int *)(long)zero;"))},
		"wrong":    {Files: compilers.Single(program(`printf("1\n");`))},
		"rejected": {Files: compilers.Single([]byte("int main(void) { return }\n"))},
		"unlinked": {Files: compilers.Single(program("extern int nowhere(void); nowhere();"))},
		"several":  {Files: append(compilers.Single(program("extern int second(void); if (second() != 2) abort();")), compilers.File{Name: "second.c", Content: []byte("int second(void) { return 2; }\n")})},
	}
	for _, tc := range oneOfEachFamily(t) {
		d := direct(t, ws, tc)
		assert.Equal(t, tc, d.Plain())
		for name, job := range programs {
			job.Mode, job.Want = "-O2", []byte("42\n")
			want, got := compilers.Test(t.Context(), tc, ws, job, roomy()), compilers.Test(t.Context(), d, ws, job, roomy())
			assert.Equal(t, want.String(), got.String(), "%v: %s", tc, name)
			assert.Equal(t, want.Signal, got.Signal, "%v: %s", tc, name)
			assert.Equal(t, want.Stdout, got.Stdout, "%v: %s", tc, name)
			assert.Zero(t, want.LinkCPU, name)
			if name == "unlinked" { // left to the driver at last
				assert.Equal(t, want.Command, got.Command, "%v: %s", tc, name)
			} else {
				assert.Equal(t, name != "rejected", got.LinkCPU > 0, "%v: %s", tc, name)
			}
		}
		job := compilers.Job{Files: compilers.Single(program("while (!zero);")), Mode: "-O2"}
		if tc.Family == "gcc" { // each costs its CPU limit
			assert.Equal(t, compilers.Endless, compilers.Test(t.Context(), d, ws, job, roomy()).Verdict)
		}
		requireNothingLeft(t, ws)
	}
}

// Jobs that may need other libraries are linked by the driver.
func TestLinkDirectlyOnlyWhatWasProbed(t *testing.T) {
	ws := newWorkspace(t)
	d := direct(t, ws, oneOfEachFamily(t)[0])
	job := compilers.Job{Files: compilers.Single(program("")), Want: []byte("42\n"), Mode: "-O1"}
	assert.True(t, d.linksDirectly(job))
	assert.False(t, d.sanitized().Direct())
	changed := d
	changed.Args = []string{"-static"}
	assert.False(t, changed.Direct())
	job.Mode = "-Ofast"
	assert.False(t, d.linksDirectly(job))
	job.Mode = "-O1"
	for _, part := range []string{"-fno-ivopts", "-fdisable-tree-vrp1=main", "-fdbg-cnt=match:0", "-fwrapv", "-mllvm -opt-bisect-limit=7"} {
		job.Extra = strings.Fields(part)
		assert.True(t, d.linksDirectly(job), part)
	}
	for _, other := range []string{"-fsanitize=undefined", "-fno-ivopts -static", "-mllvm -load=x"} {
		job.Extra = strings.Fields(other)
		assert.False(t, d.linksDirectly(job), other)
	}
	job.Extra = []string{"-lm"}
	o := compilers.Test(t.Context(), d, ws, job, roomy())
	assert.Equal(t, compilers.OK, o.Verdict, o)
	assert.Equal(t, d.Name+" -O1 -w -lm repro.c -o repro", o.Command[0])
}

// A linker that fails later on costs time, and nothing else.
func TestDirectLinkerThatFails(t *testing.T) {
	ws := newWorkspace(t)
	d := direct(t, ws, oneOfEachFamily(t)[0])
	job := compilers.Job{Files: compilers.Single(program("")), Want: []byte("42\n"), Mode: "-O0"}
	for name, body := range map[string]string{
		"fails": "echo no >&2; exit 1", "crashes": "kill -SEGV $$", "makes nothing": "exit 0", "prints": "exec yes",
	} {
		broken := d
		link := *d.link
		link.path = script(t, filepath.Join(t.TempDir(), "ld"), body)
		broken.link = &link
		o := compilers.Test(t.Context(), broken, ws, job, roomy())
		assert.Equal(t, compilers.OK, o.Verdict, "%s: %v", name, o)
		assert.Equal(t, []string{d.Name + " -O0 -w repro.c -o repro", "./repro"}, o.Command, name)
		assert.Positive(t, o.LinkCPU, name)
	}
}

func TestLinkDirectlySaysWhatIsMissing(t *testing.T) {
	ws := newWorkspace(t)
	silent := fake(t, writes("echo 42"))
	d, err := silent.LinkDirectly(t.Context(), ws, patient())
	assert.ErrorContains(t, err, "gcc-99 is linked by its driver: -### shows no link command")
	assert.False(t, compilers.Direct(d))
	assert.Equal(t, silent, d)

	// The driver links if the arguments ask anything of the linking.
	real := firstOf(t, "gcc")
	for _, arg := range []string{"-flto", "-flto=2", "-fuse-ld=bfd"} {
		d, err := real.with(arg).LinkDirectly(t.Context(), ws, patient())
		assert.ErrorContains(t, err, "as "+arg+" asks")
		assert.False(t, compilers.Direct(d))
	}

	// Without ld.gold the linker of the driver serves.
	bare := t.TempDir()
	for _, tool := range []string{"as", "ld", "ld.bfd"} {
		path, err := lookPath("", tool, os.Getenv("PATH"))
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(bare, tool)))
	}
	real.searchPath = bare
	assert.Equal(t, "ld", filepath.Base(direct(t, ws, real).link.path))
}

func TestSplitCommand(t *testing.T) {
	for line, want := range map[string][]string{
		"": nil,
		" /x/collect2 -plugin \"-plugin-opt=a b\" -o repro\n": {"/x/collect2", "-plugin", "-plugin-opt=a b", "-o", "repro"},
		` "/usr/bin/ld" "" "a\"b\\c" d\ e`:                    {"/usr/bin/ld", "", `a"b\c`, "d e"},
	} {
		assert.Equal(t, want, splitCommand(line), line)
	}
	assert.Equal(t, []string{"-o", "x"}, withoutPlugin([]string{"-plugin", "p.so", "-plugin-opt=-fresolution=x", "-o", "x"}))
}

// BenchmarkTest reports the CPU milliseconds of compiling, linking and running
// a trivial program in each way, and in all with what this process uses itself.
func BenchmarkTest(b *testing.B) {
	source := program("")
	env := compilers.EnvFrom(os.Environ())
	if env.CC == "" {
		env.CC = "gcc-12,clang-19"
	}
	found, err := Toolchains(b.Context(), env)
	require.NoError(b, err)
	ws := newWorkspace(b)
	for _, tc := range found {
		for _, tc := range []Toolchain{tc, direct(b, ws, tc)} {
			how := map[bool]string{false: "driver", true: "direct"}[tc.Direct()]
			b.Run(fmt.Sprintf("%s/%s", strings.ReplaceAll(tc.String(), " ", ""), how), func(b *testing.B) {
				own, children := compilers.SelfCPU(), compilers.ChildrenCPU()
				var compile, link, run time.Duration
				for b.Loop() {
					o := compilers.Test(b.Context(), tc, ws, compilers.Job{Files: compilers.Single(source), Mode: "-O2"}, roomy())
					compile, link, run = compile+o.CompileCPU, link+o.LinkCPU, run+o.RunCPU
				}
				own, children = compilers.SelfCPU()-own, compilers.ChildrenCPU()-children
				for unit, spent := range map[string]time.Duration{
					"compile-ms": compile, "link-ms": link, "run-ms": run, "own-ms": own, "all-ms": own + children,
				} {
					b.ReportMetric(float64(spent.Microseconds())/1000/float64(b.N), unit)
				}
			})
		}
	}
}
