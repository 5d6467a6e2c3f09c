package native

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// small is a family of a stand-in: gcc that says it is another, and lacks vectors, builtins
// of overflow and a flag.
func small(t *testing.T, more string) (f Family, env compilers.Env, calls string) {
	need.Command(t, "gcc")
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	script(t, filepath.Join(dir, "small"), `[ "$1" = -hello ] && { echo "the small compiler 1.7-b (teapot)"; exit; }
echo "$*" >> `+calls+`
grep -qs 'vector_size\|_overflow' *.c && { echo "small: error: what is that?" >&2; exit 1; }
`+more+`
case " $* " in *" -w "*) echo "small: error: unknown option -w" >&2; exit 1;; esac
exec gcc -w "$@"`)
	f = Family{
		Name: "small", Ask: "-hello", Banner: regexp.MustCompile(`^the small compiler (\S+)`), Modes: []compilers.Mode{"-O0", "-O1"},
		Flags: []string{"-fwrapv"}, Lacks: []string{"-w", "asm"}, Internal: regexp.MustCompile(`(?m)^small gives up.*$`),
	}
	env = compilers.Env{Path: dir + ":" + os.Getenv("PATH"), Cache: filepath.Join(dir, "cache"), Space: newWorkspace(t)}
	return f, env, calls
}

// What a family of another package is, its row says; what it lacks, it is asked once.
func TestFamily(t *testing.T) {
	f, env, calls := small(t, "")
	tc, err := f.Named(t.Context(), env, "small -g")
	require.NoError(t, err)
	id := tc.ID()
	assert.Equal(t, compilers.ID{Name: "small", Args: []string{"-g"}, Family: "small", Version: "1.7-b"}, id)
	assert.Equal(t, []compilers.Mode{"-O0", "-O1"}, tc.Modes())
	assert.Equal(t, "-O0", tc.Reference())
	traits := tc.Traits()
	assert.True(t, traits.Partial)
	assert.Equal(t, 8, traits.Pointer)
	for _, name := range []string{"vector", "overflow", "asm", "other-builtins", "other-types"} {
		assert.Contains(t, traits.Lacks, name)
	}
	for _, name := range []string{"builtin", "facts", "memory", "float", "switch", "computed-goto", "statement-expression", "typeof", "atomic", "fallthrough"} {
		assert.NotContains(t, traits.Lacks, name)
	}
	require.NoError(t, tc.Probe(t.Context(), env.Space, patient()))
	assert.Contains(t, tc.Commands(probeJob, "x")[0], "small -fwrapv -g -O0 repro.c -o x")
	_, err = tc.Sanitized(t.Context(), env.Space, patient())
	assert.ErrorIs(t, err, compilers.ErrNoSanitizers)
	_, err = tc.LinkDirectly(t.Context(), env.Space, patient())
	assert.Error(t, err)
	assert.Empty(t, tc.FlagSets())
	assert.Empty(t, append(tc.Filled(), tc.Forgiving()...))
	assert.NoError(t, tc.Changed())

	before, err := os.ReadFile(calls)
	require.NoError(t, err)
	env.Modes = "-O1"
	again, err := f.Named(t.Context(), env, "small -g")
	require.NoError(t, err)
	assert.Equal(t, traits, again.Traits())
	assert.Equal(t, []compilers.Mode{"-O1"}, again.Modes())
	after, err := os.ReadFile(calls)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "it is not asked again")

	gcc, err := Toolchains(t.Context(), compilers.Env{Path: env.Path, CC: "gcc", Cache: env.Cache, Space: env.Space})
	require.NoError(t, err)
	assert.False(t, gcc[0].Traits().Partial)
	assert.Empty(t, gcc[0].Traits().Lacks)
	assert.Len(t, recall(env.Cache), 2, "one family does not forget what another has heard")

	for entry, want := range map[string]string{
		"smaller": "no small has this name", "small=/none": "no such file", "small-2": "not on PATH", "tiny=/bin/sh": "no small has this name",
		"small=/bin/echo": "no small",
	} {
		_, err := f.Named(t.Context(), env, entry)
		assert.ErrorContains(t, err, want, entry)
	}
}

// An error of its own is one, another is a rejection.
func TestFamilyGivesUp(t *testing.T) {
	f, env, _ := small(t, `grep -qs crash *.c && { echo "small gives up at line 7" >&2; exit 1; }`)
	tc, err := f.Named(t.Context(), env, "small")
	require.NoError(t, err)
	for text, want := range map[string]compilers.Verdict{
		"int main(void) { return 0; } /* crash */": compilers.InternalError,
		"typedef int v[vector_size];":              compilers.Rejected,
		"int main(void) { return 0; }":             compilers.OK,
	} {
		o := compilers.Test(t.Context(), tc, env.Space, compilers.Job{Files: compilers.Single([]byte(text)), Mode: "-O0"}, patient())
		assert.Equal(t, want, o.Verdict, "%s: %v", text, o)
	}
}

// Without a place to compile in it lacks everything, and that is not remembered.
func TestFamilyThatCannotBeAsked(t *testing.T) {
	f, env, _ := small(t, "")
	space := env.Space
	env.Space = nil
	tc, err := f.Named(t.Context(), env, "small")
	require.NoError(t, err)
	assert.Equal(t, compilers.Features(), tc.Traits().Lacks)
	env.Space = space
	tc, err = f.Named(t.Context(), env, "small")
	require.NoError(t, err)
	assert.NotContains(t, tc.Traits().Lacks, "builtin")
}

// The probes are right: compilers that have the features show it. Of LLVM IR none is asked.
func TestProbesOfFeatures(t *testing.T) {
	for _, name := range []string{"gcc", "clang"} {
		path := need.Command(t, name)
		f := Family{Name: "as-" + name, Path: path, Banner: families[name].Banner}
		tc, err := f.Named(t.Context(), compilers.Env{Path: os.Getenv("PATH"), Space: newWorkspace(t)}, "as-"+name)
		require.NoError(t, err)
		lacks := strings.Join(tc.Traits().Lacks, " ")
		lacks = strings.TrimPrefix(lacks, "bitint ") // gcc 14 and clang 14 are the first that have it
		if name == "clang" {
			lacks = strings.TrimPrefix(lacks, "facts ") // of clang 14
		}
		assert.Equal(t, "other-llvm other-builtins other-types", lacks, name)
	}
}

// With -m32 there is no type of 128 bits, except in newer compilers.
func TestNo128(t *testing.T) {
	for macros, want := range map[string]bool{
		"":                                    false,
		"#define __SIZEOF_LONG__ 4\n":         true,
		"#define __SIZEOF_INT128__ 16\n":      false,
		"#define __BITINT_MAXWIDTH__ 65535\n": false,
		"#define __BITINT_MAXWIDTH__ 128\n#define __clang__ 1\n":         true,
		"#define __clang__ 1\n#define __SIZEOF_INT128__ 16\n":            false,
		"#define __BITINT_MAXWIDTH__ 64\n#define __SIZEOF_POINTER__ 4\n": true,
	} {
		assert.Equal(t, want, platformOf(macros).No128, macros)
	}
	assert.Equal(t, []string{"int128"}, Toolchain{Family: "gcc"}.lacks(platform{No128: true}))
}
