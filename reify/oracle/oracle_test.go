package oracle_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/language"
	"goreify/reify/oracle"
	"goreify/reify/solve/search"
	"goreify/reify/source/function"
	"goreify/tools/need"
	"goreify/tools/standin"
)

// shelf is that of the stand-ins of this package.
var shelf standin.Shelf

func TestMain(m *testing.M) { os.Exit(shelf.Run(m)) }

// writeFake writes an executable that calls itself version 99.1.0, and behaves
// like gcc at -O0 but for what script does before gcc is called; level and src are
// set.
func writeFake(t *testing.T, file, banner, script string) {
	need.Command(t, "gcc")
	text := `#!/bin/sh
for a; do
	case $a in
	--version) echo "` + banner + `"; exit ;;
	-O*) level=$a ;;
	*.c) src=$a ;;
	esac
done
` + script + "\n" + shelf.Compile("gcc")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o700))
}

const gccBanner = "gcc-99 (Fake) 99.1.0\nCopyright (C) Free Software Foundation, Inc."

// find returns an oracle that asks the compilers that the environment names, for
// the time of the test.
func find(t testing.TB, env compilers.Env) (*oracle.Oracle, error) {
	found, named, err := targets.Find(t.Context(), env)
	if err != nil {
		return nil, err
	}
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { _ = space.Close() })
	return oracle.New(t.Context(), space, found, named)
}

// asking is find, which must work.
func asking(t testing.TB, env compilers.Env) *oracle.Oracle {
	for _, name := range []string{"gcc", "clang"} {
		if slices.Contains(strings.Split(env.CC, ","), name) {
			need.Command(t, name)
		}
	}
	o, err := find(t, env)
	require.NoError(t, err)
	return o
}

// entry returns the reproducer of a finding.
func entry(t testing.TB, f *oracle.Finding) *corpus.Entry {
	e, err := f.Entry()
	require.NoError(t, err)
	return e
}

// requireOurs requires that a proved program was contradicted.
func requireOurs(t testing.TB, err error) *oracle.Contradiction {
	var bug *oracle.Contradiction
	require.ErrorAs(t, err, &bug)
	require.True(t, bug.Ours())
	require.Contains(t, bug.Error(), "GENERATOR BUG")
	return bug
}

// probed are the oracles that fakes has made, by the compilers and their levels.
var probed = map[string]*oracle.Oracle{}

// fakes returns an oracle that asks the compilers of cc. Those that scripts names
// are fake. They are probed before the scripts are put in their place, so that one
// probe does for all tests.
func fakes(t *testing.T, cc, levels string, scripts map[string]string) *oracle.Oracle {
	write := func(dir, name, script string) string {
		banner := gccBanner
		if strings.HasPrefix(name, "clang") {
			banner = clangBanner
		}
		file := filepath.Join(dir, name)
		writeFake(t, file, banner, script)
		return file
	}
	key := cc + " " + levels
	if probed[key] == nil {
		dir := t.TempDir()
		for name := range scripts {
			write(dir, name, "")
		}
		probed[key] = asking(t, compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: cc, Modes: levels})
	}
	dir := t.TempDir() // of others than those found, which would have changed
	replaced := func(targets []compilers.Target) (list []compilers.Target) {
		for _, target := range targets {
			tool := target.(native.Toolchain)
			if script, ok := scripts[tool.Name]; ok {
				tool.Path = write(dir, tool.Name, script)
			}
			list = append(list, tool)
		}
		return list
	}
	o := *probed[key]
	o.Targets, o.Sanitizers = replaced(o.Targets), replaced(o.Sanitizers)
	var err error
	o.Space, err = compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, o.Space.Close()) })
	return &o
}

// fake returns an oracle that asks real gcc and a fake one, gcc-99.
func fake(t *testing.T, script string, levels ...string) *oracle.Oracle {
	o := fakes(t, "gcc,gcc-99", strings.Join(levels, ","), map[string]string{"gcc-99": script})
	// On a busy machine, too, what uses up its time is to meet the limit of CPU
	// time first, which accuses, and not that of wall time, which abandons.
	o.Limits.CompileWall, o.Limits.RunWall = 5*time.Minute, 5*time.Minute
	return o
}

// cases returns n small cases, because what is in them does not matter.
func cases(t *testing.T, n int) *function.Batch {
	var list []*reify.Case
	focus, err := reify.FindProfile("focus")
	require.NoError(t, err)
	for seed := uint64(0); len(list) < n; seed++ {
		r := reify.FromSeed(seed)
		conf := focus.Draw(choice.Named("config", r.Config))
		if k, err := reify.Make(fmt.Sprintf("f%d", len(list)), r, conf, search.Engine{}); err == nil {
			list = append(list, k)
		}
	}
	return function.In(language.C, list...)
}

// wrongF3 makes the program print another answer for the function f3.
const wrongF3 = `case $level in -O2|-O3) sed -i 's/printf("f3 /printf("f3 1/' "$src" ;; esac`

func TestFindsTheGuiltyFunction(t *testing.T) {
	o := fake(t, wrongF3, "-O0", "-O2", "-O3")
	batch := cases(t, 8)
	report, err := o.Check(t.Context(), batch, 0)
	require.NoError(t, err)
	f := report.Finding
	require.NotNil(t, f)
	require.Equal(t, []string{"f3"}, names(f.Subject), "the reproducer holds one function")
	assert.Same(t, batch.Cases[3], f.Subject.(*function.Batch).Cases[0])
	assert.Equal(t, "gcc-99", f.Target.ID().Name)
	assert.Equal(t, compilers.WrongAnswer, f.Outcome.Verdict)
	require.Len(t, f.Bad, 1)
	assert.Equal(t, []string{"-O2", "-O3"}, f.Bad[0].Modes)

	e := entry(t, f)
	e.Date = "2026-01-02"
	require.NoError(t, e.Check())
	assert.Contains(t, e.Witness, corpus.Witness{Who: "gcc-99 -O0", Said: "ok"})
	assert.Contains(t, e.Witness, corpus.Witness{Who: "gcc -O0", Said: "ok"})
	assert.NotEqual(t, e.Expected, e.Got)
	assert.Equal(t, batch.Cases[3].Recipe.Body, e.Recipe["body"])
	back, err := corpus.Parse("x", e.Format())
	require.NoError(t, err)

	// The reproducer, replayed: where it is known to fail it fails.
	assert.Equal(t, map[string]oracle.Status{
		"gcc -O0": oracle.Passes, "gcc -O2": oracle.Passes, "gcc -O3": oracle.Passes,
		"gcc-99 -O0": oracle.Passes, "gcc-99 -O2": oracle.Known, "gcc-99 -O3": oracle.Known,
	}, statuses(o.Replay(t.Context(), back)))

	// As if another level were known.
	back.Mode, back.Bad[0].Modes = "-O2", []string{"-O0"}
	got := statuses(o.Replay(t.Context(), back))
	assert.Equal(t, oracle.Fixed, got["gcc-99 -O0"])
	assert.Equal(t, oracle.Known, got["gcc-99 -O2"])
	assert.Equal(t, oracle.AlsoFails, got["gcc-99 -O3"])
	back.Good = []corpus.Configuration{{Family: "gcc", Version: "99.1.0", Modes: []string{"-O3"}}}
	assert.Equal(t, oracle.Regression, statuses(o.Replay(t.Context(), back))["gcc-99 -O3"])
}

func TestInternalErrors(t *testing.T) {
	o := fake(t, `if [ "$level" = -O3 ] && grep -q 'int test_f5(' "$src"; then
	echo "during GIMPLE pass: vrp" >&2
	echo "repro.c:7:5: internal compiler error: in foo, at bar.cc:12" >&2
	exit 1
fi`, "-O0", "-O3")
	report, err := o.Check(t.Context(), cases(t, 7), 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Equal(t, compilers.InternalError, report.Finding.Outcome.Verdict)
	assert.Contains(t, report.Finding.Outcome.Message, "in foo, at bar.cc:12")
	assert.Equal(t, "f5", report.Finding.Subject.Name())
}

// A second bug in one function is not part of the first one's fingerprint.
func TestFailuresOfAnotherKindAreApart(t *testing.T) {
	o := fake(t, `case $level in
-O2) sed -i 's/printf("f1 /printf("f1 1/' "$src" ;;
-O3) grep -q 'int test_f1(' "$src" && { echo "repro.c:1:1: internal compiler error: in foo, at bar.cc:1" >&2; exit 1; } ;;
esac`, "-O0", "-O2", "-O3")
	report, err := o.Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	f := report.Finding
	require.NotNil(t, f)
	require.Len(t, f.Bad, 1)
	assert.Equal(t, []string{"-O2"}, f.Bad[0].Modes)
	assert.Equal(t, []string{"gcc-99 -O3"}, f.Apart)
	e := entry(t, f)
	assert.Contains(t, e.Witness, corpus.Witness{Who: "gcc-99 -O3", Said: "internal-error"})
	got := statuses(o.Replay(t.Context(), e))
	assert.Equal(t, oracle.Known, got["gcc-99 -O2"])
	assert.Equal(t, oracle.Known, got["gcc-99 -O3"], "a witness told")
}

// Two functions that fail only together.
func TestSmallestPartOfABatch(t *testing.T) {
	need.Long(t)
	o := fake(t, `if [ "$level" = -O2 ] && grep -q 'int test_f1(' "$src" && grep -q 'int test_f6(' "$src"; then
	sed -i 's/printf("f6 /printf("f6 1/' "$src"
fi`, "-O0", "-O2")
	report, err := o.Check(t.Context(), cases(t, 8), 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Equal(t, []string{"f1", "f6"}, names(report.Finding.Subject))
	assert.Empty(t, report.Others, "the others are right")
	e := entry(t, report.Finding)
	e.Date = "2026-01-02"
	assert.NoError(t, e.Check())
	assert.Contains(t, e.Recipe, "body-1")
}

// What fails once and not again is no finding.
func TestFlukesAreNotFindings(t *testing.T) {
	flag := filepath.Join(t.TempDir(), "flag")
	o := fake(t, fmt.Sprintf(`if [ "$level" = -O2 ] && mkdir %s 2>/dev/null; then sed -i 's/printf("f0 /printf("f0 1/' "$src"; fi`, flag), "-O0", "-O2")
	report, err := o.Check(t.Context(), cases(t, 2), 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	assert.Equal(t, 1, report.Discarded)
	assert.DirExists(t, flag, "the fluke happened")
}

// A fluke does not hide what is certain beside it, in either way to fail.
func TestFlukesHideNothing(t *testing.T) {
	need.Long(t)
	for name, fail := range map[string]string{
		"wrong answer":   `sed -i "s/printf(\"$1 /printf(\"$1 1/" "$src"`,
		"internal error": `echo "repro.c: In function '$1':" >&2; echo "repro.c:1:1: internal compiler error: in foo, at bar.cc:1" >&2; exit 1`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			// f2 fails in the batch and the first time alone, f5 always.
			o := fake(t, `
bad() { grep -q "int test_$1(" "$src" && { `+fail+`; }; }
if [ "$level" = -O2 ]; then
	grep -q 'int test_f2(' "$src" && { mkdir `+dir+`/1 || mkdir `+dir+`/2; } 2>/dev/null && bad f2
	bad f5
fi`, "-O0", "-O2")
			report, err := o.Check(t.Context(), cases(t, 7), 0)
			require.NoError(t, err)
			require.NotNil(t, report.Finding, "%v", report.Discards)
			assert.Equal(t, []string{"f5"}, names(report.Finding.Subject))
			assert.Contains(t, report.Others, "f2", "it has no answer")
			assert.DirExists(t, filepath.Join(dir, "2"), "the fluke happened")
		})
	}
}

// A compiler that goes wrong everywhere, and never twice, is given up in time.
func TestManyFlukes(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	script, compilations := logged(t, `
if [ "$level" = -O2 ]; then
	name=$(grep -o '^int test_f[0-9]*' "$src" | tr -d ' \n')
	mkdir "`+dir+`/$name" 2>/dev/null && sed -i 's/printf("f\([0-9]*\) /printf("f\1 1/' "$src"
fi
`)
	o := fake(t, script, "-O2")
	o.Targets, o.Sanitizers = o.Targets[1:], nil
	report, err := o.Check(t.Context(), cases(t, 20), 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	assert.Equal(t, 1, report.Discarded)
	assert.LessOrEqual(t, compilations(), 1+3*12, "each of the doubtful is asked about thrice")
}

// A level that fails once and not again is not a bad one: it would give each
// finding of a bug a fingerprint of its own.
func TestFlakyLevelsAreNotBad(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	o := fake(t, fmt.Sprintf(`case $level in
-O0|-O1) grep -q 'int test_f3(' "$src" && mkdir %s/$level 2>/dev/null && level=-O2 ;;
esac
`, dir)+wrongF3, "-O2", "-O0", "-O1", "-O3")
	o.Targets[0], o.Targets[1] = o.Targets[1], o.Targets[0]
	report, err := o.Check(t.Context(), cases(t, 4), 0)
	require.NoError(t, err)
	f := report.Finding
	require.NotNil(t, f)
	require.Len(t, f.Bad, 1)
	assert.Equal(t, []string{"-O2", "-O3"}, f.Bad[0].Modes)
	assert.False(t, f.Incomplete)
	assert.Contains(t, f.Witnesses, corpus.Witness{Who: "gcc-99 -O0", Said: compilers.Discarded.String()})
	assert.DirExists(t, filepath.Join(dir, "-O0"), "it did fail")
	assert.DirExists(t, filepath.Join(dir, "-O1"), "it did fail")
}

// If every compiler contradicts the answer, it is the answer that is wrong. If
// all of them are of one family, nobody knows: they share the faults of what
// precedes the optimiser.
func TestWrongAnswersOfOursAreGeneratorBugs(t *testing.T) {
	need.Long(t)
	list := cases(t, 3).Cases
	lie := *list[1].Claim
	lie.Want++
	list[1].Claim = &lie
	batch := function.In(language.C, list...)
	const doubt = "no compiler gets the answer right without optimising"

	_, err := families(t, "", "").Check(t.Context(), batch, 0)
	assert.Contains(t, requireOurs(t, err).Error(), doubt)

	report, err := fake(t, "", "-O0", "-O2").Check(t.Context(), batch, 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	require.NotEmpty(t, report.Suspicions)
	for _, f := range report.Suspicions {
		assert.Equal(t, []string{"f1"}, names(f.Subject))
		assert.Contains(t, f.Doubt, doubt+", but all that answered are of the family gcc")
	}
}

// What several compilers reject is no C, of whatever family they are.
func TestRejectedByAllIsAGeneratorBug(t *testing.T) {
	o := fake(t, `grep -q 'int test_f1(' "$src" && { echo "repro.c:1:1: error: expected expression" >&2; exit 1; }`, "-O0", "-O2")
	other := o.Targets[1].(native.Toolchain)
	other.Name = "gcc-98"
	o.Targets = []compilers.Target{o.Targets[1], other}
	_, err := o.Check(t.Context(), cases(t, 2), 0)
	requireOurs(t, err)
}

// A compiler that breaks down at -O0 says nothing about the answer.
func TestABrokenWitnessAccusesNobody(t *testing.T) {
	need.Long(t)
	o := families(t, wrongAtAll, `case $level in -O0) grep -q 'int test_f1(' "$src" && { echo "clang: error: unable to execute command: Segmentation fault" >&2; exit 139; } ;; esac`)
	report, err := o.Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	require.NotEmpty(t, report.Suspicions)
	assert.Equal(t, compilers.WrongAnswer, report.Suspicions[0].Outcome.Verdict)
	assert.Contains(t, report.Suspicions[0].Doubt, "all that answered are of the family gcc")
}

// A compiler that is wrong at -O0 too, and the only one there, is not believed;
// nor is it proof that the answer is wrong. A sanitizer that objects is.
func TestASingleWitnessProvesNothing(t *testing.T) {
	o := fake(t, `sed -i 's/printf("f1 /printf("f1 1/' "$src"`, "-O0", "-O2")
	o.Targets, o.Sanitizers = o.Targets[1:], nil
	report, err := o.Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	require.Len(t, report.Suspicions, 2, "one at each level")
	for _, f := range report.Suspicions {
		assert.Equal(t, []string{"f1"}, names(f.Subject))
		assert.False(t, f.OnlyDirect)
	}

	o = fake(t, `case "$*" in
*-fsanitize=*) sed -i 's/^int main(void)$/int main(void) { volatile int x = 2147483647; x = x + 1; return 0; } int unused(void)/' "$src" ;;
*) sed -i 's/printf("f1 /printf("f1 1/' "$src" ;;
esac`, "-O0")
	o.Targets = o.Targets[1:]
	_, err = o.Check(t.Context(), cases(t, 3), 0)
	assert.Contains(t, requireOurs(t, err).Error(), "signed integer overflow")
}

// A sanitizer of a compiler that is wrong at -O0 follows what that made of the
// program. It is no witness if another compiler is right.
func TestSanitizersOfACompilerThatIsWrongUnoptimised(t *testing.T) {
	o := fake(t, `case "$*" in
*-fsanitize=*) sed -i 's/^int main(void)$/int main(void) { volatile int x = 2147483647; x = x + 1; return 0; } int unused(void)/' "$src" ;;
*) sed -i 's/printf("f1 /printf("f1 1/' "$src" ;;
esac`, "-O0", "-O2")
	report, err := o.Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Equal(t, []string{"f1"}, names(report.Finding.Subject))
	assert.Equal(t, "gcc-99", report.Finding.Target.ID().Name)
}

// The report of a sanitizer whose compiler is right at -O0 accuses us, whatever
// else the compilers say.
func TestReportsAreGeneratorBugs(t *testing.T) {
	o := fake(t, `case "$*" in *-fsanitize=*)
	sed -i 's/^int main(void)$/int main(void) { volatile int x = 2147483647; x = x + 1; return 0; } int unused(void)/' "$src" ;; esac
`+wrongF3, "-O0", "-O2")
	_, err := o.Check(t.Context(), cases(t, 4), 0)
	bug := requireOurs(t, err)
	assert.Contains(t, bug.Error(), "reports")
	assert.Contains(t, bug.Error(), "signed integer overflow")
}

// A compiler that is wrong wherever it optimises is wrong with its sanitizers
// on as well: without a report that says nothing about the program.
func TestSanitizersOfTheCompilerUnderTest(t *testing.T) {
	need.Long(t)
	o := fake(t, `case $level in -O1|-O2) sed -i 's/printf("f1 /printf("f1 1/' "$src" ;; esac`, "-O0", "-O1", "-O2")
	o.Targets = o.Targets[1:] // the fake alone
	report, err := o.Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Contains(t, entry(t, report.Finding).Witness, corpus.Witness{Who: "gcc-99 -fsanitize=undefined,address -fno-sanitize-recover=all -O1", Said: "wrong-answer"})
}

// A compiler that crashes at every level is to blame all the same.
func TestInternalErrorsAtEveryLevel(t *testing.T) {
	o := fake(t, `if grep -q 'int test_f1(' "$src"; then echo "repro.c:1:1: internal compiler error: in foo, at bar.cc:1" >&2; exit 1; fi`, "-O0", "-O2")
	o.Targets = o.Targets[1:]
	report, err := o.Check(t.Context(), cases(t, 2), 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Equal(t, compilers.InternalError, report.Finding.Outcome.Verdict)
}

// until returns a context that ends when there is a file.
func until(t *testing.T, file string) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for ctx.Err() == nil {
			if _, err := os.Stat(file); err == nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return ctx
}

// Nobody is accused if time is too short to hear the witnesses.
func TestUnheardWitnessesAccuseNobody(t *testing.T) {
	dir := t.TempDir()
	// The third compilation at -O2 is the confirmation; after it all sleep, and
	// time is up when the first one does.
	o := fake(t, fmt.Sprintf(`[ -e %[1]s/3 ] && { mkdir %[1]s/asleep; sleep 1000; }
[ $level = -O2 ] && { mkdir %[1]s/1 || mkdir %[1]s/2 || mkdir %[1]s/3; } 2>/dev/null
`, dir)+wrongF3, "-O2")
	o.Targets = o.Targets[1:]
	report, err := o.Check(until(t, filepath.Join(dir, "asleep")), cases(t, 4), 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	require.Len(t, report.Suspicions, 1)
	e := entry(t, report.Suspicions[0])
	e.Date = "2026-01-02"
	assert.NoError(t, e.Check())
	assert.True(t, e.KnownBad("gcc", e.Version, nil, "-O3"), "the list of bad levels is incomplete, and says so")
}

// When time is up, the compiler that is running is stopped, and no other started.
func TestStopsInTime(t *testing.T) {
	asleep := filepath.Join(t.TempDir(), "asleep")
	o := fake(t, `[ "$level" = -O3 ] && mkdir `+asleep+` && sleep 1000`, "-O3", "-O0") // more than a test may take
	report, err := o.Check(until(t, asleep), cases(t, 2), 2)                           // the fake first
	require.NoError(t, err)
	assert.Nil(t, report.Finding, "a compiler that sleeps is not shown to be slow")
	assert.Empty(t, report.Suspicions)
	assert.Equal(t, []int{0, 1, 3}, []int{report.Asked, report.Discarded, report.Skipped})
}

// No compiler is started in the time that is kept for looking into a failure.
func TestReserve(t *testing.T) {
	o := fake(t, "", "-O0")
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for reserve, want := range map[time.Duration][]int{time.Minute: {2, 0}, 2 * time.Hour: {0, 2}} {
		o.Reserve = reserve
		report, err := o.Check(ctx, cases(t, 2), 0)
		require.NoError(t, err)
		assert.Equal(t, want, []int{report.Asked, report.Skipped}, reserve)
	}
}

// A compiler that hangs is a finding, and in little more time than it takes to
// see it hang, because the fuzzing engine leaves little. (The fake burns CPU
// time, which is what counts.)
func TestEndlessCompilation(t *testing.T) {
	need.Long(t)
	o := fake(t, `if [ "$level" = -O2 ] && grep -q 'int test_f1(' "$src"; then while :; do :; done; fi`, "-O0", "-O2")
	o.Limits.CompileCPU = 700 * time.Millisecond
	o.Lasting = func(*oracle.Finding) bool { return false } // as the engine has it
	report, err := o.Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	t.Log(report.Cost)
	require.NotNil(t, report.Finding)
	assert.Equal(t, compilers.SlowCompile, report.Finding.Outcome.Verdict)
	assert.Equal(t, "f1", report.Finding.Subject.Name())
}

// burn makes a fake compiler take so many hundredths of a second of CPU time. On
// a virtual machine what limits count may lag far behind.
func burn(hundredths int) string {
	return fmt.Sprintf("until read -r _ _ _ _ _ _ _ _ _ _ _ _ _ user system _ </proc/$$/stat && [ $((user + system)) -ge %d ]; do :; done; ", hundredths)
}

// The time for a compilation is for one function; more get more.
func TestBatchesGetTime(t *testing.T) {
	need.Long(t)
	o := fake(t, `
if [ "$level" = -O2 ] && [ "$(grep -c '^int test_' "$src")" -gt 1 ]; then
	`+burn(130)+`
fi`, "-O2")
	o.Targets = o.Targets[1:]
	o.Limits.CompileCPU = time.Second
	report, err := o.Check(t.Context(), cases(t, 31), 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	assert.Equal(t, 1, report.Asked, "%v", report.Discards)
	assert.Greater(t, report.Cost.Compile, time.Second)
}

// Many functions take long to compile; that accuses nobody.
func TestSlowBatchesAreNotFindings(t *testing.T) {
	need.Long(t)
	o := fake(t, `if [ "$level" = -O2 ] && [ "$(grep -c '^int test_' "$src")" -gt 1 ]; then while :; do :; done; fi`, "-O0", "-O2")
	o.Limits.CompileCPU = 700 * time.Millisecond
	report, err := o.Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	assert.Equal(t, 1, report.Discarded)
}

func TestNoCompiler(t *testing.T) {
	_, err := find(t, compilers.Env{Path: t.TempDir()})
	assert.ErrorContains(t, err, "no gcc, gcc-N, clang or clang-N on PATH")
	_, err = find(t, compilers.Env{Path: os.Getenv("PATH"), CC: "gcc-0"})
	assert.ErrorContains(t, err, "gcc-0")
	_, err = find(t, compilers.Env{Path: os.Getenv("PATH"), Modes: "fast"})
	assert.ErrorContains(t, err, "REIFY_MODES")
	need.Command(t, "gcc")
	_, err = find(t, compilers.Env{Path: os.Getenv("PATH"), CC: "gcc,gcc -fno-such-flag"})
	assert.ErrorContains(t, err, "gcc -fno-such-flag cannot be used")
}
