package oracle_test

import (
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
	"goreify/compilers/native"
	"goreify/reify"
	"goreify/reify/language"
	"goreify/reify/oracle"
	"goreify/reify/solve/search"
	"goreify/reify/source/function"
	"goreify/reify/subject"
	"goreify/tools/need"
)

// logged is a fake compiler's script that notes each compilation at -O2 in the
// file that the function returned reads.
func logged(t *testing.T, script string) (full string, compilations func() int) {
	file := filepath.Join(t.TempDir(), "log")
	return fmt.Sprintf("[ \"$level\" = -O2 ] && echo >> %s\n", file) + script, func() int {
		text, _ := os.ReadFile(file) // missing if there was none
		return strings.Count(string(text), "\n")
	}
}

// names returns the names of the functions.
func names(s subject.Subject) []string { return strings.Fields(s.Name()) }

// A function that crashes or never ends takes the output of all with it, and
// hides none that is wrong too. What is guilty is found without compiling.
func TestCrashesHideNothing(t *testing.T) {
	need.Long(t)
	before := func(name, statement string) string {
		return `-e 's/printf("` + name + ` /` + statement + ` printf("` + name + ` /' `
	}
	trap := before("f9", "__builtin_trap();")
	for name, tt := range map[string]struct {
		edits   string
		verdict compilers.Verdict
		found   string
		others  []string
	}{
		"crash":         {trap, compilers.Crash, "f9", nil},
		"endless":       {before("f4", "for (;;);"), compilers.Endless, "f4", nil},
		"early exit":    {before("f4", "__builtin_exit(1);"), compilers.WrongAnswer, "f4", nil},
		"several":       {trap + before("f4", "__builtin_abort();") + `-e 's/printf("f2 /printf("f2 1/' `, compilers.WrongAnswer, "f2", []string{"f4", "f9"}},
		"several wrong": {`-e 's/printf("f\([57]\) /printf("f\1 1/' `, compilers.WrongAnswer, "f5", []string{"f7"}},
	} {
		t.Run(name, func(t *testing.T) {
			script, compilations := logged(t, `[ "$level" = -O2 ] && sed -i `+tt.edits+`"$src"`+"\n")
			o := fake(t, script, "-O2")
			o.Targets, o.Sanitizers = o.Targets[1:], nil
			o.Limits.RunCPU = 200 * time.Millisecond // what is not endless takes some two
			report, err := o.Check(t.Context(), cases(t, 12), 0)
			require.NoError(t, err)
			f := report.Finding
			require.NotNil(t, f)
			assert.Equal(t, tt.verdict, f.Outcome.Verdict)
			assert.Equal(t, []string{tt.found}, names(f.Subject))
			assert.Equal(t, tt.others, report.Others)
			want := 3
			if tt.verdict == compilers.Endless {
				want++
			}
			assert.Equal(t, want, compilations(), "the batch, the function alone, again to confirm, and for ten times the limit")
		})
	}
}

// A compiler that gives up is asked about halves, unless it says where.
func TestInternalErrorsAreFoundByHalves(t *testing.T) {
	need.Long(t)
	for name, tt := range map[string]struct {
		where string
		most  int
	}{
		"silent": {"repro.c", 2 + 2*4},
		"named":  {"repro.c: In function 'test_f11':\nrepro.c", 3},
	} {
		t.Run(name, func(t *testing.T) {
			script, compilations := logged(t, `if [ "$level" = -O2 ] && grep -q 'int test_f11(' "$src"; then
	echo "`+tt.where+`:7:5: internal compiler error: in foo, at bar.cc:12" >&2
	exit 1
fi
`)
			o := fake(t, script, "-O2")
			o.Targets = o.Targets[1:]
			report, err := o.Check(t.Context(), cases(t, 16), 0)
			require.NoError(t, err)
			require.NotNil(t, report.Finding)
			assert.Equal(t, []string{"f11"}, names(report.Finding.Subject))
			assert.Len(t, report.Others, 15, "nobody has an answer")
			assert.LessOrEqual(t, compilations(), tt.most)
		})
	}
}

// A failure that takes another form when it is confirmed counts if it keeps to
// that one.
func TestFailuresMayChange(t *testing.T) {
	const wrong, crash = `'s/printf("f1 /printf("f1 1/'`, `'s/unsigned got = f1(/*(volatile int *)0 = 0;&/'`
	for name, tt := range map[string]struct {
		last    string // what it does the fourth time; the first two times it is wrong, the third it crashes
		verdict compilers.Verdict
	}{
		"to another": {crash, compilers.Crash},
		"each time":  {"''", compilers.OK},
	} {
		t.Run(name, func(t *testing.T) {
			times := filepath.Join(t.TempDir(), "times")
			o := fake(t, `if [ "$level" = -O2 ]; then
	echo >>`+times+`
	case $(wc -l <`+times+`) in
	1|2) sed -i `+wrong+` "$src" ;;
	3) sed -i `+crash+` "$src" ;;
	*) sed -i `+tt.last+` "$src" ;;
	esac
fi
`, "-O2")
			o.Targets, o.Sanitizers = o.Targets[1:], nil
			report, err := o.Check(t.Context(), cases(t, 3), 0)
			require.NoError(t, err)
			if tt.verdict == compilers.OK {
				assert.Nil(t, report.Finding)
				return
			}
			require.NotNil(t, report.Finding)
			assert.Equal(t, tt.verdict, report.Finding.Outcome.Verdict)
		})
	}
}

// What goes wrong only if the linker is called directly is no finding.
func TestOnlyOrdinaryCommandsAccuse(t *testing.T) {
	dir := t.TempDir()
	writeFake(t, filepath.Join(dir, "gcc-99"), gccBanner, "")
	ld := "#!/bin/sh\nif grep -q 'int test_f1(' repro.c; then printf '#!/bin/sh\\necho f1 0\\n' >repro; chmod +x repro; exit; fi\nexec /usr/bin/ld.bfd \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ld.gold"), []byte(ld), 0o700))
	o := asking(t, compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: "gcc-99", Modes: "-O0"})
	require.True(t, compilers.Direct(o.Targets[0]))

	report, err := o.Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	require.Len(t, report.Suspicions, 1)
	f := report.Suspicions[0]
	assert.True(t, f.OnlyDirect)
	e := entry(t, f)
	e.Date = "2026-01-02"
	assert.NoError(t, e.Check())
	assert.Contains(t, string(e.Format()), "x-linked: fails only if linked without")
	for _, r := range o.Replay(t.Context(), replayed()) {
		assert.Equal(t, oracle.Passes, r.Status, "the driver links what is replayed")
	}
}

// cpuOf returns the CPU time of this process or, for RUSAGE_CHILDREN, of the
// children it has waited for.
func cpuOf(t testing.TB, who int) time.Duration {
	var usage syscall.Rusage
	require.NoError(t, syscall.Getrusage(who, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// The report tells what the children cost, whatever became of the batch.
func TestCost(t *testing.T) {
	need.Long(t)
	for name, script := range map[string]string{"right": "", "wrong": wrongF3} {
		o := fake(t, script, "-O0", "-O2")
		require.True(t, compilers.Direct(o.Targets[0]))
		batch := cases(t, 8)
		before := cpuOf(t, syscall.RUSAGE_CHILDREN)
		report, err := o.Check(t.Context(), batch, 0)
		require.NoError(t, err)
		spent := cpuOf(t, syscall.RUSAGE_CHILDREN) - before
		assert.Equal(t, name == "wrong", report.Finding != nil)
		cost := report.Cost
		assert.Positive(t, cost.Compile)
		assert.Positive(t, cost.Link)
		assert.Positive(t, cost.Run)
		assert.Less(t, cost.Run, cost.Compile)
		// Of each child some microseconds are lost, for the kernel rounds down.
		assert.InDelta(t, spent, cost.Total(), float64(500*time.Microsecond), "%s: %+v", name, cost)
	}
}

// generator returns a function that makes 60 functions more at each call.
func generator() func() *function.Batch {
	seed := uint64(0)
	return func() *function.Batch {
		var batch []*reify.Case
		for ; len(batch) < 60; seed++ {
			r := reify.FromSeed(seed)
			_, plan := r.Plan()
			if k, err := reify.Make(fmt.Sprintf("f%d", seed), r, plan, search.Engine{}); err == nil {
				batch = append(batch, k)
			}
		}
		return function.In(language.C, batch...)
	}
}

// chosen returns an oracle with the compilers and levels that REIFY_CC and
// REIFY_MODES name, or those given.
func chosen(b *testing.B, cc, levels string) *oracle.Oracle {
	env := compilers.EnvFrom(os.Environ())
	if env.CC == "" {
		env.CC = cc
	}
	if env.Modes == "" {
		env.Modes = levels
	}
	return asking(b, env)
}

// BenchmarkUnit compares what 60 functions cost at a level: bare-ms for the
// command that a user types, without limits; driver-ms and direct-ms for Test
// with either way of linking, running and this process's own time included; and
// link-ms of the latter. All three take turns, as machines change their minds.
func BenchmarkUnit(b *testing.B) {
	o := chosen(b, "gcc-12,clang-19", "-O2")
	limits := patience(o)
	for _, target := range o.Targets {
		tool := target.(native.Toolchain)
		require.True(b, tool.Direct())
		for _, level := range tool.Modes() {
			b.Run(tool.Name+level, func(b *testing.B) {
				make60, dir := generator(), b.TempDir()
				spent := map[string]time.Duration{}
				measure := func(unit string, f func()) {
					before := cpuOf(b, syscall.RUSAGE_SELF) + cpuOf(b, syscall.RUSAGE_CHILDREN)
					f()
					spent[unit] += cpuOf(b, syscall.RUSAGE_SELF) + cpuOf(b, syscall.RUSAGE_CHILDREN) - before
				}
				for b.Loop() {
					job := make60().Artefact().Job(level)
					file := filepath.Join(dir, "repro.c")
					require.NoError(b, os.WriteFile(file, job.Files[0].Content, 0o600))
					measure("bare-ms", func() {
						require.NoError(b, exec.Command(tool.Path, level, "-w", file, "-o", file+".out").Run())
					})
					for unit, t := range map[string]compilers.Target{"driver-ms": tool.Plain(), "direct-ms": tool} {
						measure(unit, func() {
							out := compilers.Test(b.Context(), t, o.Space, job, limits)
							require.NotEqual(b, compilers.Discarded, out.Verdict, out)
							spent["link-ms"] += out.LinkCPU
						})
					}
				}
				for unit, d := range spent {
					b.ReportMetric(float64(d.Microseconds())/1000/float64(b.N), unit)
				}
				b.ReportMetric(float64(spent["direct-ms"])/float64(spent["bare-ms"]), "direct:bare")
			})
		}
	}
}

// BenchmarkCheck makes batches of 60 functions and asks about them, with one
// worker. REIFY_CC and REIFY_MODES say whom, and by default gcc-12 at -O2 and
// -O3. It reports the CPU milliseconds of a batch, and in per cent of them what
// this process took itself, to generate as well, and what compilers and linkers
// took.
func BenchmarkCheck(b *testing.B) {
	o := chosen(b, "gcc-12", "-O2,-O3")
	o.Limits.CompileCPU, o.Limits.CompileWall = time.Minute, time.Minute
	make60 := generator()
	var cost oracle.Cost
	own, children := cpuOf(b, syscall.RUSAGE_SELF), cpuOf(b, syscall.RUSAGE_CHILDREN)
	for b.Loop() {
		report, err := o.Check(b.Context(), make60(), 0)
		require.NoError(b, err)
		cost.Compile += report.Cost.Compile
		cost.Link += report.Cost.Link
		cost.Run += report.Cost.Run
	}
	own, children = cpuOf(b, syscall.RUSAGE_SELF)-own, cpuOf(b, syscall.RUSAGE_CHILDREN)-children
	all := float64(own + children)
	b.ReportMetric(all/1e6/float64(b.N), "all-ms/batch")
	b.ReportMetric(100*float64(own)/all, "own-%")
	b.ReportMetric(100*float64(cost.Compile+cost.Link)/all, "compilers-%")
}
