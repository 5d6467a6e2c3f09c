package bisect

import (
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
	"goreify/compilers/targets"
	"goreify/tools/need"
)

func TestMinimal(t *testing.T) {
	all := strings.Fields("a b c d e f g h i j k l m n o p")
	for _, want := range []string{"a", "p", "h", "a p", "b c", "d h l", "a b c d e f g h i j k l m n o p"} {
		need := strings.Fields(want)
		tests := 0
		got := minimal(all, func(list []string) bool {
			tests++
			return !slices.ContainsFunc(need, func(n string) bool { return !slices.Contains(list, n) })
		})
		assert.Equal(t, need, got)
		assert.LessOrEqual(t, tests, 120, want)
	}
}

func TestParseFlags(t *testing.T) {
	assert.Equal(t, []string{"-fno-aggressive-loop-optimizations", "-fno-tree-vrp"}, parseFlags(`The following options control optimizations:
  -O<number>                  		
  -faggressive-loop-optimizations 	[enabled]
  -falign-functions=          		16
  -fassociative-math          		[disabled]
  -ftree-vrp                  		[enabled]
`))
}

func TestParsePasses(t *testing.T) {
	assert.Equal(t, []string{"tree-evrp", "rtl-combine"}, parsePasses(`   *free_lang_data                                     :  ON
   tree-cfg                                            :  ON
         tree-evrp                                     :  ON
         tree-ehcleanup1                               :  OFF
      rtl-combine                                      :  ON
`))
}

func TestParseBisect(t *testing.T) {
	steps, err := parseBisect(`BISECT: running pass (1) forceattrs on [module]
warning: something else
BISECT: running pass (2) InlinerPass on (f)
BISECT: NOT running pass (3) X86 LEA Fixup on function (g)
`)
	require.NoError(t, err)
	assert.Equal(t, []step{{"forceattrs", "[module]", false}, {"InlinerPass", "f", false}, {"X86 LEA Fixup", "g", true}}, steps)

	_, err = parseBisect("BISECT: running pass (2) InlinerPass on (f)\n")
	assert.ErrorContains(t, err, "pass (2) follows pass (0)")
	_, err = parseBisect("")
	assert.ErrorContains(t, err, "no passes")
}

// A compiler that calls itself what the test wants, and makes programs that are
// right, or as the script decides in wrong: with another answer ("answer") or
// without end ("end").
const fake = `#!/bin/sh
args="$*"
case $args in *--version*) echo "%s"; echo "Copyright (C) Free Software Foundation, Inc."; exit ;; esac
%s
case $args in *repro.c*) ;; *) exit ;; esac
case $wrong in
'') echo '#!/bin/sh
echo 42' ;;
answer) echo '#!/bin/sh
echo 43' ;;
end) echo '#!/bin/sh
while :; do :; done' ;;
esac > repro
chmod +x repro
`

// testOf returns the test of a fake compiler for a program that prints 42.
func testOf(t *testing.T, name, banner, script string) *Test {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), fmt.Appendf(nil, fake, banner, script), 0o700))
	found, _, err := targets.Find(t.Context(), compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: name})
	require.NoError(t, err)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	job := compilers.Job{Files: compilers.Single([]byte("int f(int a) { return a; }\nint main(void) { return 0; }\n")), Want: []byte("42\n"), Mode: "-O2"}
	limits := compilers.DefaultLimits()
	limits.CompileWall, limits.RunWall = time.Minute, time.Minute
	limits.RunCPU = 400 * time.Millisecond // which an endless one uses up at each end
	first := compilers.Test(t.Context(), found[0], ws, job, limits)
	return NewTest(found[0], ws, job, limits, first)
}

func find(t *testing.T, name, banner, script string) (*Blame, error) {
	t.Helper()
	return Find(t.Context(), testOf(t, name, banner, script))
}

const clangBanner = "Debian clang version 99.0.0"

// The log names five passes; the third goes wrong.
const clangScript = `
limit=$(echo "$args" | sed -n 's/.*opt-bisect-limit=\(-*[0-9]*\).*/\1/p')
case $limit in -1) limit=99 ;; '') limit=99 ;; esac
i=0
for p in forceattrs sroa InstCombinePass gvn licm; do
	i=$((i + 1))
	echo "BISECT: running pass ($i) $p on (f$i)" >&2
done
`

func TestClang(t *testing.T) {
	need.Long(t)
	b, err := find(t, "clang-99", clangBanner, clangScript+`[ $limit -ge 3 ] && wrong=answer`)
	require.NoError(t, err)
	assert.Equal(t, "InstCombinePass", b.Pass)
	assert.Equal(t, "f3", b.Function)
	assert.Equal(t, []string{"-mllvm", "-opt-bisect-limit=2"}, b.Flags)
	assert.Empty(t, b.Alone)
	assert.Positive(t, b.Tests)
	assert.Equal(t, "InstCombinePass on f3, mended by -mllvm -opt-bisect-limit=2", b.String())

	_, err = find(t, "clang-99", clangBanner, clangScript+"wrong=answer")
	assert.ErrorIs(t, err, ErrNoCulprit, "wrong without any pass")
	for name, script := range map[string]string{"no passes": "wrong=answer", "pass (1) follows": clangScript + clangScript + "wrong=answer"} {
		b, err = find(t, "clang-99", clangBanner, script)
		assert.ErrorIs(t, err, ErrNoCulprit, name)
		assert.ErrorContains(t, err, name)
		assert.Equal(t, "unknown", b.Culprit())
	}
	_, err = find(t, "clang-99", clangBanner, clangScript)
	assert.ErrorIs(t, err, ErrGone)
}

// Where the program is right as code generation gets it, no pass before that is to
// blame; where it is not, or a promise in it makes it wrong, one is.
func TestClangCodeGeneration(t *testing.T) {
	need.Long(t)
	for ir, want := range map[string]string{
		"sound":     "code generation for x86_64", // uncovered by InstCombinePass
		"broken":    "InstCombinePass",
		"add nsw i": "InstCombinePass",
	} {
		b, err := find(t, "clang-99", clangBanner, clangScript+`
case $args in
*-dM*) echo "Target: x86_64-pc-linux-gnu"; exit ;;
*print-before*) printf '*** IR Dump Before Pre-ISel ***\ntarget triple = "some-other"\n`+ir+`\n' >&2 ;;
esac
[ $limit -ge 3 ] && wrong=answer
case $args in
*repro.ll*)
	wrong=
	case $args in
	*-O0*) grep -q target repro.ll && wrong=end ;;
	*disable-llvm-passes*) grep -q sound repro.ll && wrong=answer; grep -q nsw repro.ll && wrong=answer ;;
	esac
	args=repro.c
	grep -q broken repro.ll && wrong=answer ;;
esac`)
		require.NoError(t, err)
		assert.Equal(t, want, b.Culprit())
		if want != "InstCombinePass" {
			assert.Equal(t, "InstCombinePass", b.Uncovered)
		}
		assert.Equal(t, []string{"-mllvm", "-opt-bisect-limit=2"}, b.Flags)
	}
}

// An endless program costs its limit at both ends, and little between.
func TestClangEndless(t *testing.T) {
	need.Long(t)
	test := testOf(t, "clang-99", clangBanner, clangScript+`case $args in *-O0*) ;; *) [ $limit -ge 4 ] && wrong=end ;; esac`)
	require.Equal(t, compilers.Endless, test.first.Verdict)
	b, err := Find(t.Context(), test)
	require.NoError(t, err)
	assert.Equal(t, "gvn", b.Pass)
	assert.Less(t, test.short.RunCPU, test.limits.RunCPU)
	assert.Less(t, b.CPU, 4*time.Second)
}

const gccBanner = "gcc-99 (Fake) 99.1.0"

// alpha and gcse are not enabled at -O1. vrp1 and vrp2 are not run without their
// flag.
const gccScript = `
case $args in
*--help=optimizers*)
	for f in alpha tree-vrp gcse omega; do
		case $args$f in *-O1*alpha|*-O1*gcse) continue ;; esac
		printf '  -f%s  \t[enabled]\n' $f
	done
	exit ;;
*-fdump-passes*)
	for p in tree-evrp tree-vrp1 tree-vrp2 rtl-cse1 rtl-combine; do
		case $args$p in *-fno-tree-vrp*tree-vrp?) continue ;; esac
		echo "   $p   :  ON" >&2
	done ;;
*-fdbg-cnt-list*)
	echo '  counter name                  counter value     closed intervals' >&2
	echo '-----------------------------------------------------------------' >&2
	echo '  match                         40                unset' >&2
	echo '  vrp_folded                    90                unset' >&2
	echo '  pre                           0                 unset' >&2 ;;
esac
wrong=answer
`

func TestGCC(t *testing.T) {
	for name, tt := range map[string]struct {
		script string
		want   Blame
	}{
		"a pass and its flag": {
			`case $args in *-fno-omega*|*-fno-tree-vrp*|*-fdisable-tree-evrp*|*-fdisable-tree-vrp2|*-fdisable-tree-vrp2[!=]*|*-fdisable-tree-vrp2=f*|*-fwrapv*) wrong= ;; esac`,
			// The passes before only prepare the ground.
			Blame{Pass: "tree-vrp2", Function: "f", Flags: []string{"-fno-tree-vrp"}, Alone: []string{"-fwrapv"}},
		},
		"a pass without which the compiler fails": {
			`case $args in *-fdisable-tree-vrp2*) wrong= ;; esac
			case $args in *-fdisable-rtl-cse1*) echo "repro.c: error: no" >&2; exit 1 ;; esac`,
			Blame{Pass: "tree-vrp2", Function: "f"},
		},
		"two passes of one flag": {
			`case $args in *-fno-tree-vrp*|*-fdisable-tree-vrp1*-fdisable-tree-vrp2*) wrong= ;; esac`,
			Blame{Pass: "tree-vrp2", Flags: []string{"-fno-tree-vrp"}},
		},
		"two flags and no pass": {
			`case $args in *-fno-alpha*-fno-omega*|*-fno-strict-aliasing*) wrong= ;; esac`,
			Blame{Flags: []string{"-fno-alpha", "-fno-omega"}, Alone: []string{"-fno-strict-aliasing"}},
		},
		"flags of the level first": {
			`case $args in *-fno-gcse*|*-fno-omega*|*-O1*) wrong= ;; esac`,
			Blame{Flags: []string{"-fno-gcse"}},
		},
		"together they hide that one will do": {
			`case $args in *-fno-gcse*) wrong=answer ;; *-fno-omega*) wrong= ;; esac`,
			Blame{Flags: []string{"-fno-omega"}},
		},
		"a counter": {
			`case $args in *-fno-alpha*|*-fdbg-cnt=match:[0-9]|*-fdbg-cnt=match:[0-9][!0-9]*) wrong= ;; esac`,
			Blame{Flags: []string{"-fno-alpha"}, Counter: "match", Count: 10},
		},
		"the counter of the pass": {
			`case $args in *-fdisable-tree-vrp1*|*-fdbg-cnt=match:0*|*-fdbg-cnt=vrp_folded:[0-7]\ *) wrong= ;; esac`,
			Blame{Pass: "tree-vrp1", Function: "f", Counter: "vrp_folded", Count: 8},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, err := find(t, "gcc-99", gccBanner, gccScript+tt.script)
			require.NoError(t, err)
			assert.Positive(t, b.Tests)
			assert.Positive(t, b.CPU)
			got := *b
			got.Tests, got.CPU = 0, 0
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestGCCNobody(t *testing.T) {
	b, err := find(t, "gcc-99", gccBanner, gccScript)
	assert.ErrorIs(t, err, ErrNoCulprit, "always wrong")
	assert.Empty(t, b.Flags)
	assert.Equal(t, "unknown pass", b.String())
	assert.Equal(t, "unknown", b.Culprit())
	_, err = find(t, "gcc-99", gccBanner, "wrong=answer")
	assert.ErrorIs(t, err, ErrNoCulprit, "no list of passes")
	_, err = find(t, "gcc-99", gccBanner, gccScript+"wrong=")
	assert.ErrorIs(t, err, ErrGone, "never wrong")
}

func TestGCCEndless(t *testing.T) {
	need.Long(t)
	test := testOf(t, "gcc-99", gccBanner, gccScript+`
wrong=end
case $args in *-fno-tree-vrp*|*-fdisable-tree-vrp2*|*-O0*) wrong= ;; esac`)
	require.Equal(t, compilers.Endless, test.first.Verdict)
	b, err := Find(t.Context(), test)
	require.NoError(t, err)
	assert.Equal(t, "tree-vrp2", b.Culprit())
	assert.Equal(t, []string{"-fno-tree-vrp"}, b.Flags)
	assert.Less(t, b.CPU, 3*time.Second)
}

// Past the bound nothing is searched, and the blame says so.
func TestBound(t *testing.T) {
	test := testOf(t, "gcc-99", gccBanner, gccScript+`case $args in *-fno-tree-vrp*) wrong= ;; esac`)
	test.CPU = time.Nanosecond
	b, err := Find(t.Context(), test)
	assert.ErrorIs(t, err, ErrNoCulprit)
	assert.True(t, b.Cut)
	assert.Less(t, b.Tests, 20)
}

// Flags that tell one bug from another are asked about first.
func TestFirstQuestions(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	_, err := find(t, "gcc-99", gccBanner, gccScript+`echo "$args" >> `+log+`
case $args in *-fno-tree-vrp*) wrong= ;; esac`)
	require.NoError(t, err)
	asked, err := os.ReadFile(log)
	require.NoError(t, err)
	before, _, found := strings.Cut(string(asked), "-fdump-passes")
	assert.True(t, found)
	assert.Contains(t, before, "-fwrapv")
	assert.Contains(t, before, "-fno-strict-aliasing")
}

func TestCulprit(t *testing.T) {
	assert.Equal(t, "tree-vrp2", (&Blame{Pass: "tree-vrp2", Flags: []string{"-fno-tree-vrp"}}).Culprit())
	assert.Equal(t, "-faggressive-loop-optimizations", (&Blame{Flags: []string{"-fno-aggressive-loop-optimizations"}}).Culprit())
	assert.Equal(t, "tree-vrp2 on f, match:3, mended by -fno-tree-vrp",
		(&Blame{Pass: "tree-vrp2", Function: "f", Counter: "match", Count: 3, Flags: []string{"-fno-tree-vrp"}}).String())
}

func TestOwnFlags(t *testing.T) {
	assert.Equal(t, []string{"-fno-tree-vrp", "-fno-vrp"}, ownFlags("tree-vrp2"))
	assert.Contains(t, ownFlags("tree-ivopts"), "-fno-ivopts")
	assert.Contains(t, ownFlags("tree-dom3"), "-fno-tree-dominator-opts")
	assert.Contains(t, ownFlags("rtl-cprop_hardreg"), "-fno-cprop-registers")
	assert.Empty(t, ownFlags(""))
}

func TestParseCounters(t *testing.T) {
	const list = `***dbgcnt: upper limit 2 reached for match.***
  counter name                  counter value     closed intervals
-----------------------------------------------------------------
  asan_use_after_scope          0                 unset
  ccp                           135               [0, 0]
  match                         117               [1, 2]
`
	assert.Equal(t, []counter{{"ccp", 135}, {"match", 117}}, parseCounters(list))
	assert.Equal(t, []counter{{"ccp", 200}, {"match", 117}}, parseCounters(list+"  ccp                           200               unset\n"), "of two files")
	assert.Equal(t, "-fdbg-cnt=ccp:0", counter{"ccp", 135}.upTo(0))
}
