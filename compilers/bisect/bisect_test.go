package bisect

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
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
	assert.Equal(t, []step{{"forceattrs", "[module]"}, {"InlinerPass", "f"}, {"X86 LEA Fixup", "g"}}, steps)

	_, err = parseBisect("BISECT: running pass (2) InlinerPass on (f)\n")
	assert.ErrorContains(t, err, "pass (2) follows pass (0)")
	_, err = parseBisect("")
	assert.ErrorContains(t, err, "no passes")
}

// A compiler that is gcc, calls itself what the test wants, and miscompiles as
// the script decides: it sets wrong.
const fake = `#!/bin/sh
args="$*"
for a; do case $a in *.c) src=$a ;; esac; done
case $args in *--version*) echo "%s"; echo "Copyright (C) Free Software Foundation, Inc."; exit ;; esac
%s
[ -n "$wrong" ] && [ -n "$src" ] && sed -i 's/printf("42/printf("43/' $src
[ -n "$src" ] && exec gcc -w -O0 $src -o repro
exit 0
`

// find blames the pass of a fake compiler for a program that prints 42.
func find(t *testing.T, name, banner, script string) (*Blame, error) {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skipf("NOT TESTED: %v", err)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), fmt.Appendf(nil, fake, banner, script), 0o700))
	found, err := compilers.Find(t.Context(), compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: name})
	require.NoError(t, err)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	job := compilers.Job{Source: []byte("int printf(const char *, ...);\nint main(void) { printf(\"42\\n\"); return 0; }\n"), Want: []byte("42\n"), Level: "-O2"}
	limits := compilers.DefaultLimits()
	limits.CompileWall, limits.RunWall = time.Minute, time.Minute
	first := found[0].Test(t.Context(), ws, job, limits)
	return Find(t.Context(), NewTest(found[0], ws, job, limits, first))
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
	b, err := find(t, "clang-99", clangBanner, clangScript+`[ $limit -ge 3 ] && wrong=1`)
	require.NoError(t, err)
	assert.Equal(t, "InstCombinePass", b.Pass)
	assert.Equal(t, "f3", b.Function)
	assert.Equal(t, []string{"-mllvm", "-opt-bisect-limit=2"}, b.Flags)
	assert.False(t, b.Wrapv)
	assert.Positive(t, b.Tests)
	assert.Equal(t, "InstCombinePass on f3, mended by -mllvm -opt-bisect-limit=2", b.String())

	_, err = find(t, "clang-99", clangBanner, clangScript+"wrong=1")
	assert.ErrorIs(t, err, ErrNobody, "wrong without any pass")
	_, err = find(t, "clang-99", clangBanner, clangScript)
	assert.ErrorIs(t, err, ErrGone)
}

const gccBanner = "gcc-99 (Fake) 99.1.0"

const gccScript = `
case $args in
*--help=optimizers*)
	for f in alpha tree-vrp gcse; do printf '  -f%s  \t[enabled]\n' $f; done
	exit ;;
*-fdump-passes*)
	for p in tree-evrp tree-vrp1 tree-vrp2 rtl-cse1 rtl-combine; do echo "   $p   :  ON" >&2; done ;;
esac
`

func TestGCC(t *testing.T) {
	b, err := find(t, "gcc-99", gccBanner, gccScript+`
wrong=1
case $args in *-fno-tree-vrp*|*-fdisable-tree-evrp*|*-fdisable-tree-vrp2*|*-fwrapv*) wrong= ;; esac`)
	require.NoError(t, err)
	assert.Equal(t, "tree-vrp2", b.Pass, "what comes before only prepares the ground")
	assert.Equal(t, "main", b.Function)
	assert.Equal(t, []string{"-fno-tree-vrp"}, b.Flags)
	assert.True(t, b.Wrapv)
	assert.False(t, b.NoStrictAliasing)

	// Two flags together, and no pass.
	b, err = find(t, "gcc-99", gccBanner, gccScript+`
wrong=1
case $args in *-fno-alpha*-fno-gcse*) wrong= ;; esac`)
	require.NoError(t, err)
	assert.Empty(t, b.Pass)
	assert.Equal(t, []string{"-fno-alpha", "-fno-gcse"}, b.Flags)

	b, err = find(t, "gcc-99", gccBanner, gccScript+`wrong=1`)
	assert.ErrorIs(t, err, ErrNobody)
	assert.Empty(t, b.Flags)
	assert.Equal(t, "unknown pass", b.String())
}
