package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/language"
	"goreify/tools/need"
	"goreify/tools/reify/hunt"
)

// What contradicts what is said, with what to do.
func TestHuntContradictions(t *testing.T) {
	for _, tt := range []struct{ want, cc, only, mix string }{
		{"REIFY_CC or -cc names gcc, of C, and -mix programs in Go: leave one of the two out, or name a compiler of Go, such as gc", "gcc", "", "go"},
		{"REIFY_CC or -cc names gc, of Go, and -mix programs in C: leave one of the two out, or name a compiler of C, such as gcc", "gcc,gc", "gc", "focused"},
		{"-only gcc-99: REIFY_CC or -cc names gcc; name gcc-99 there too, or leave one of the two out", "gcc", "gcc-99", ""},
		{"gcc-99: not found on PATH", "", "gcc-99", ""},
	} {
		opt := hunt.Options{Only: tt.only}
		if tt.mix != "" {
			var err error
			opt.Mix, err = hunt.SelectKinds(hunt.Kinds(), tt.mix)
			require.NoError(t, err)
		}
		env := compilers.EnvFrom(os.Environ())
		env.CC = tt.cc
		_, _, err := huntTargets(t.Context(), env, &opt)
		assert.ErrorContains(t, err, tt.want)
	}
	for _, l := range language.All() {
		assert.NotEmpty(t, l.Usual, l.Name)
	}
}

// The compilers of a hunt are those of its mix, unless they are named.
func TestHuntTargets(t *testing.T) {
	env := compilers.EnvFrom(os.Environ())
	env.CC, env.Roots = "", nil // there are hundreds in some root directories
	languages := func(mix, only string) (list []compilers.Language, opt hunt.Options) {
		opt.Only = only
		if mix != "" {
			var err error
			opt.Mix, err = hunt.SelectKinds(hunt.Kinds(), mix)
			require.NoError(t, err)
		}
		found, named, err := huntTargets(t.Context(), env, &opt)
		require.NoError(t, err)
		assert.False(t, named)
		for _, f := range found {
			assert.False(t, f.Traits().Emulated, "%v", f.ID())
			list = append(list, f.Language())
		}
		return list, opt
	}
	usual, _, err := targets.Find(t.Context(), env)
	require.NoError(t, err)
	list, _ := languages("", "")
	assert.Len(t, list, len(usual))
	list, _ = languages("", usual[0].ID().String())
	assert.Len(t, list, len(usual), "the others are witnesses")
	if testing.Short() {
		t.Skip("asks all compilers that are here which they are")
	}
	list, opt := languages("", "gc")
	assert.NotEmpty(t, list)
	assert.Subset(t, []compilers.Language{compilers.Go}, list)
	assert.Equal(t, "gc", opt.Only)
}

// A hunt fails for what it has found, and not for what was found before, unless it is told
// to. It goes on with another compiler only if it is told to.
func TestHuntExitStatus(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	fakeCompiler(t, dir, `[ "$level" = -O2 ] && grep -q 'int test_f2(' "$src" && { echo "repro.c:1:1: internal compiler error: in foo, at bar.cc:1" >&2; exit 1; }`)
	run := func(want int, cc string, more ...string) string {
		t.Helper()
		args := append([]string{"hunt", "-o", filepath.Join(dir, "hunt"), "-cc", cc, "-box", "off", "-modes", "-O0,-O2", "-plan", "all", "-mix", "large", "-n", "4", "-workers", "1", "-known", filepath.Join(dir, "known.txt")}, more...)
		status, out := command(t, args...)
		require.Equal(t, want, status, out)
		return out
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "known.txt"), nil, 0o600))
	out := run(1, "gcc-99")
	assert.Contains(t, out, "1 finding in 1 bucket, 1 new in this run")
	out = run(0, "gcc-99")
	assert.Contains(t, out, "1 finding in 1 bucket, 0 new in this run")
	run(1, "gcc-99", "-any")
	run(2, "gcc")
	run(0, "gcc", "-switch", "-compile-time", "30s")
}
