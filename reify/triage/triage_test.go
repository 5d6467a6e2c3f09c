package triage

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/compilers/native"
	"goreify/corpus"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// requireReduced fails unless the entry has a small reduced test that shows the
// bug of the stand-in.
func requireReduced(t *testing.T, r *Result) {
	t.Helper()
	e := r.Entry
	require.NoError(t, e.Check())
	assert.Contains(t, e.Reduced, "* 77 ")
	assert.Regexp(t, `while \(|goto`, e.Reduced)
	assert.LessOrEqual(t, r.After, 13, e.Reduced)
	assert.Less(t, r.After, r.Before)
	p, err := ir.Parse(e.ReducedProgram)
	require.NoError(t, err)
	require.NoError(t, p.Check())
	require.NoError(t, interp.VerifyProgram(p))
	require.Equal(t, modes("-O2", "-O3"), e.ReducedBad)
	require.Equal(t, modes("-O0", "-O1"), e.ReducedGood)
}

// Every kind of failure, from the finding to its bucket.
func TestFinding(t *testing.T) {
	for name, tt := range map[string]struct {
		script  string
		verdict compilers.Verdict
		bucket  string
	}{
		"wrong answer":   {"", compilers.WrongAnswer, "gcc/wrong-answer/tree-vrp2/O2,O3"},
		"crash":          {`[ -z "$wrong" ] || wrong=crash`, compilers.Crash, "gcc/crash/tree-vrp2/O2,O3"},
		"internal error": {`[ -z "$wrong" ] || wrong=ice`, compilers.InternalError, "gcc/internal-error/tree-vrp2/in vrp_fold, at tree-vrp.c"},
	} {
		t.Run(name, func(t *testing.T) {
			e := entry(t, tt.verdict)
			before := string(e.Format())
			r, err := Finding(t.Context(), fake(t, tt.script), e, Options{})
			require.NoError(t, err)
			assert.Equal(t, before, string(e.Format()), "the entry given stays as it is")
			requireReduced(t, r)
			e = r.Entry
			assert.Equal(t, tt.bucket, e.Bucket)
			assert.Equal(t, "tree-vrp2", e.Culprit)
			assert.Equal(t, []string{"-fno-tree-vrp"}, e.MendedBy)
			assert.Empty(t, e.MendedAlone)
			assert.Equal(t, modes("-O0", "-O1"), e.Good)
			assert.True(t, strings.HasPrefix(e.ReducedCommand, "gcc-99 -O2 reduced.c -"), e.ReducedCommand)
			assert.True(t, Done(e))
			assert.Positive(t, r.ReduceCPU)
		})
	}
}

// A program that fails in other modes than the original is another bug, even if
// one like it is smaller.
func TestModesAreKept(t *testing.T) {
	need.Long(t)
	// Without a division it fails at -O1, too.
	o := fake(t, `case $level$text in *' / '*) ;; -O1*'* 77 '*) wrong=answer ;; esac`)
	r, err := Finding(t.Context(), o, entry(t, compilers.WrongAnswer), Options{})
	require.NoError(t, err)
	requireReduced(t, r)
	assert.Contains(t, r.Entry.Reduced, " / ")
}

// What the flags of the original do not mend is another bug.
func TestCulpritIsKept(t *testing.T) {
	need.Long(t)
	o := fake(t, `case $level$text in *' / '*) ;; -O[23]*'* 77 '*) args= ;; esac`)
	r, err := Finding(t.Context(), o, entry(t, compilers.WrongAnswer), Options{})
	require.NoError(t, err)
	requireReduced(t, r)
	assert.Contains(t, r.Entry.Reduced, " / ")
}

// A compiler that now and then is wrong about anything at all.
func TestFlakyCompiler(t *testing.T) {
	counter := filepath.Join(t.TempDir(), "n")
	require.NoError(t, os.WriteFile(counter, nil, 0o600))
	o := fake(t, `printf x >>`+counter+`; n=$(stat -c %s `+counter+`)
case $level$(( (n * n + n / 7) % 10 )) in -O[23]0) wrong=answer ;; esac`)
	e := entry(t, compilers.WrongAnswer)
	e.Culprit, e.MendedBy, e.Bucket = "tree-vrp2", []string{"-fno-tree-vrp"}, "b" // as if blamed before
	r, err := Finding(t.Context(), o, e, Options{})
	if err != nil {
		require.ErrorIs(t, err, ErrNotReduced, "it may well say that it cannot tell")
		return
	}
	requireReduced(t, r)
}

// Where it takes two calls, the reduced test makes two.
func TestSeveralCalls(t *testing.T) {
	need.Long(t)
	p := ir.MustParse(program + "case f(a = 7, b = 2) = 0 path entry b1 b1 b2 exit\ncase f(a = 3, b = 2) = 0 path entry b1 b1 b2 exit\n")
	o := fake(t, `grep -q '[fg](2[,)]' "$src" && grep -q '[fg](3[,)]' "$src" || wrong=`)
	r, err := Finding(t.Context(), o, entryOf(t, compilers.WrongAnswer, p), Options{})
	require.NoError(t, err)
	requireReduced(t, r)
	assert.NotContains(t, r.Entry.Reduced, "(7", "two of three suffice")
	for _, a := range []string{"2", "3"} {
		assert.Regexp(t, `[fg]\(`+a+`[,)]`, r.Entry.Reduced)
	}

	none := fake(t, `grep -q 'wrong |= got' "$src" || wrong=`)
	_, err = Finding(t.Context(), none, entryOf(t, compilers.WrongAnswer, p), Options{})
	assert.ErrorContains(t, err, ", nor do all together: ")

	// Each call alone adds 2 to what is 2 or 4 below the greatest int.
	counts := strings.Replace(program, "local %c i32 = 5", "static @n i32 = 2147483643\n    local %c i32 = 9", 1)
	counts = strings.Replace(counts, "%c = %c + 4", "@n = @n + %b", 1)
	counts += "case f(a = 7, b = 2) = 0 path entry b1 b1 b2 exit\ncase f(a = 3, b = 2) = 0 path entry b1 b1 b2 exit\n"
	_, err = Finding(t.Context(), none, entryOf(t, compilers.WrongAnswer, ir.MustParse(counts)), Options{})
	assert.ErrorContains(t, err, ", nor do 2 of the 3 together, the most that were seen to run one after another: ")
	counts = strings.Replace(counts, "2147483643", "2147483645", 1)
	_, err = Finding(t.Context(), none, entryOf(t, compilers.WrongAnswer, ir.MustParse(counts)), Options{})
	assert.ErrorContains(t, err, ", and no two were seen to run one after another: ")
}

// All calls together are one program, whose answer the interpreter gives.
func TestTogether(t *testing.T) {
	p := ir.MustParse(program)
	none, _, err := together(p)
	require.NoError(t, err)
	assert.Empty(t, none, "there is but one")

	p.Funcs[0].Name, p.Claims = "all", append(p.Claims, &ir.Claim{Func: p.Funcs[0], Args: []int64{3, 2}})
	before := p.String()
	all, calls, err := together(p)
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, 2, calls)
	assert.Equal(t, before, p.String())
	for i, call := range []string{"= @all(3, 2)", "= @all(%a1_0, %a1_1)"} {
		require.NoError(t, all[i].Check())
		require.NoError(t, interp.VerifyProgram(all[i]))
		assert.Contains(t, all[i].String(), "func @all_()")
		assert.Contains(t, all[i].String(), call)
	}
	assert.Equal(t, all[0].Claims[0].Want, all[1].Claims[0].Want)

	p.Claims[1].Args[1] = 1 << 30 // overflows
	all, _, err = together(p)
	require.NoError(t, err)
	assert.Empty(t, all)

	p.Claims = append(p.Claims, &ir.Claim{Func: p.Funcs[0], Args: []int64{4, 2}})
	all, calls, err = together(p)
	require.NoError(t, err)
	require.Len(t, all, 2, "the one that cannot run is left out")
	assert.Equal(t, 2, calls)
	assert.Contains(t, all[0].String(), "= @all(4, 2)")
	assert.NotContains(t, all[0].String(), "1073741824")
}

func TestNothingToReduce(t *testing.T) {
	o := fake(t, "")
	e := entry(t, compilers.WrongAnswer)
	e.Program = ""
	r, err := Finding(t.Context(), o, e, Options{})
	require.ErrorIs(t, err, ErrNotReduced)
	assert.Equal(t, "gcc/wrong-answer/tree-vrp2/O2,O3", r.Entry.Bucket, "what else is known counts")
	assert.Empty(t, r.Entry.Reduced)

	e = entry(t, compilers.WrongAnswer)
	e.Source = "elsewhere"
	r, err = Finding(t.Context(), o, e, Options{})
	require.ErrorIs(t, err, ErrNotReduced)
	require.ErrorContains(t, err, `programs of source "elsewhere" cannot be reduced`)
	assert.Equal(t, "gcc/wrong-answer/tree-vrp2/O2,O3", r.Entry.Bucket)
	assert.Equal(t, modes("-O0", "-O1"), r.Entry.Good)

	gone := fake(t, "wrong=")
	_, err = Finding(t.Context(), gone, entry(t, compilers.WrongAnswer), Options{})
	require.ErrorIs(t, err, bisect.ErrGone)

	e.Verdict = corpus.Untested
	_, err = Finding(t.Context(), o, e, Options{})
	require.ErrorIs(t, err, ErrUntested)

	e = entry(t, compilers.WrongAnswer)
	e.Compiler, e.Version = "gcc-98", "98.1.0"
	_, err = Finding(t.Context(), o, e, Options{})
	require.ErrorIs(t, err, ErrNoCompiler)

	e = entry(t, compilers.WrongAnswer)
	e.Language = "Go"
	_, err = Finding(t.Context(), o, e, Options{})
	require.ErrorIs(t, err, ErrNoCompiler)
}

// A compiler of a family whose culprits nobody can name is asked with no flag that
// it may not know. All else is found out.
func TestUnknownFamily(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	o := fake(t, "echo $args >>"+asked)
	o.Targets[0] = strange{o.Targets[0]}
	e := entry(t, compilers.WrongAnswer)
	e.Family, e.Bad = "fcc", nil
	r, err := Finding(t.Context(), o, e, Options{})
	require.NoError(t, err)
	assert.Equal(t, "fcc/wrong-answer/unknown/O2", r.Entry.Bucket)
	assert.Empty(t, r.Entry.MendedAlone)
	assert.LessOrEqual(t, r.After, 13, r.Entry.Reduced)
	said, err := os.ReadFile(asked)
	require.NoError(t, err)
	assert.NotContains(t, string(said), "-f")
}

// A foreign target is of no family that is known, and has no abilities.
type strange struct{ compilers.Target }

func (f strange) ID() compilers.ID {
	id := f.Target.ID()
	id.Family = "fcc"
	return id
}

// A target that does not take the flags of the failing one is not asked without
// them.
func TestMatrixWithoutFlags(t *testing.T) {
	o := fake(t, "")
	own := strange{o.Targets[0].(compilers.Configurable).With("-flag")}
	o.Targets = []compilers.Target{strange{o.Targets[0]}}
	e := entry(t, compilers.WrongAnswer)
	bad, good, err := (&failure{oracle: o, entry: e, target: own}).matrix(t.Context(), oracle.Job(e, ""))
	require.NoError(t, err)
	assert.Empty(t, bad)
	assert.Empty(t, good)
}

// Nor is one that does not know them: it would be wrong everywhere.
func TestMatrixOfAnotherVersion(t *testing.T) {
	o := fake(t, `case "$args $0" in *-fnew*gcc-98) echo "error: unrecognized command-line option" >&2; exit 1 ;; esac`)
	older := o.Targets[0].(native.Toolchain)
	older.Name, older.Path, older.Version = "gcc-98", filepath.Join(filepath.Dir(older.Path), "gcc-98"), "98.1.0"
	require.NoError(t, os.Symlink("gcc-99", older.Path))
	o.Targets = append(o.Targets, older)
	e := entry(t, compilers.WrongAnswer)
	of := func(args ...string) []corpus.Configuration {
		own := o.Targets[0].(compilers.Configurable).With(args...)
		bad, _, err := (&failure{oracle: o, entry: e, target: own}).matrix(t.Context(), oracle.Job(e, ""))
		require.NoError(t, err)
		return bad
	}
	assert.Len(t, of(), 2)
	assert.Equal(t, []corpus.Configuration{{Family: "gcc", Version: "99.1.0", Args: []string{"-fnew"}, Modes: []string{"-O2", "-O3"}}}, of("-fnew"))
}

// Whenever it is interrupted, the file is as it was or says more, and doing it
// again ends as if nothing had happened.
func TestInterrupted(t *testing.T) {
	need.Long(t)
	o := fake(t, "")
	quiet := filepath.Join(t.TempDir(), "quiet.txtar")
	require.NoError(t, corpus.Update(quiet, entry(t, compilers.WrongAnswer)))
	_, skipped, err := File(t.Context(), o, quiet, Options{})
	require.NoError(t, err)
	assert.False(t, skipped)
	want, err := os.ReadFile(quiet)
	require.NoError(t, err)
	_, skipped, err = File(t.Context(), o, quiet, Options{})
	require.NoError(t, err)
	assert.True(t, skipped)

	file := filepath.Join(t.TempDir(), "file.txtar")
	require.NoError(t, corpus.Update(file, entry(t, compilers.WrongAnswer)))
	stopped := 0
	for _, after := range []int{1, 2, 4, 7} { // lines of progress
		ctx, cancel := context.WithCancel(t.Context())
		lines := 0
		_, _, err := File(ctx, o, file, Options{Progress: func(string) {
			if lines++; lines == after {
				cancel()
			}
		}})
		cancel()
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
			stopped++
		}
		e, err := corpus.Load(file)
		require.NoError(t, err)
		assert.Empty(t, e.Reduced)
	}
	assert.Equal(t, 4, stopped)
	e, err := corpus.Load(file)
	require.NoError(t, err)
	assert.NotEmpty(t, e.Bucket, "the blame of an interrupted reduction is kept")
	_, _, err = File(t.Context(), o, file, Options{})
	require.NoError(t, err)
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

// The result does not depend on how many candidates are compiled at a time.
func TestWorkers(t *testing.T) {
	need.Long(t)
	var texts []string
	for _, workers := range []int{1, 3} {
		r, err := Finding(t.Context(), fake(t, ""), entry(t, compilers.WrongAnswer), Options{Workers: workers})
		require.NoError(t, err)
		texts = append(texts, string(r.Entry.Format()))
	}
	assert.Equal(t, texts[0], texts[1])
}
