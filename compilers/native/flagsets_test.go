package native

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// Flags that give a program another meaning, another ABI, or files to write.
var forbidden = regexp.MustCompile(`^-(?:O|std|ansi|pg|m32|mx32|m16|mabi|mregparm|mrtd|mms-|malign-double|msoft-float|mno-sse|mfpmath|` +
	`f(?:no-)?(?:fast-math|unsafe|finite-math|associative|reciprocal|signed-zeros|rounding|signaling|float-store|excess|single-precision|` +
	`unsigned|signed|short|pack-struct|pcc|reg-struct|trapv|profile|test-coverage|whole-program|merge-all|cx-))`)

// Every set may come back in a reproducer, and changes no meaning.
func TestFlagSets(t *testing.T) {
	for name, f := range families {
		require.NotEmpty(t, f.flagSets, name)
		seen := map[string]bool{}
		arch := 0
		for _, set := range f.flagSets {
			text := set.processor + " " + strings.Join(set.Flags, " ")
			assert.False(t, seen[text], "%s has %s twice", name, text)
			seen[text] = true
			args := compilers.Tune(Toolchain{}, set.Flags...).ID().Args
			assert.NoError(t, Toolchain{}.Screen(args...), text)
			for _, flag := range set.Flags {
				assert.False(t, forbidden.MatchString(flag), flag)
				assert.Equal(t, set.Scout, strings.HasPrefix(flag, "-mllvm "), "%s: LLVM's flags are hidden", flag)
			}
			if set.Arch && set.processor == "x86_64" {
				arch++
			}
		}
		assert.GreaterOrEqual(t, arch, 2, name)
	}
}

func TestFlagSetsOfAProcessor(t *testing.T) {
	of := func(triple string) (all []string) {
		for _, set := range (Toolchain{Family: "gcc", Triple: triple}).FlagSets() {
			all = append(all, set.Flags...)
		}
		return all
	}
	assert.Contains(t, of("x86_64-linux-gnu"), "-march=x86-64-v3")
	assert.NotContains(t, of("x86_64-linux-gnu"), "-march=armv9-a")
	assert.Contains(t, of("aarch64-linux-gnu"), "-march=armv9-a")
	assert.NotContains(t, of("aarch64-linux-gnu"), "-march=x86-64-v3")
	assert.Subset(t, of("m68k-linux-gnu"), []string{"-flto", "-funroll-loops"})
	assert.NotContains(t, of("m68k-linux-gnu"), "-march=x86-64-v3")
	assert.Subset(t, of(""), []string{"-march=x86-64-v3", "-march=armv9-a"}, "unknown processor")
}

func TestParseFlagSets(t *testing.T) {
	got, err := parseFlagSets("# A comment\n\n arch x86_64 -march=x86-64-v3\nscout -mllvm -a=-1 -fb -mllvm -c\n-fd --param e=1\n")
	require.NoError(t, err)
	assert.Equal(t, []flagSet{
		{compilers.FlagSet{Flags: []string{"-march=x86-64-v3"}, Arch: true}, "x86_64"},
		{compilers.FlagSet{Flags: []string{"-mllvm -a=-1", "-fb", "-mllvm -c"}, Scout: true}, ""},
		{compilers.FlagSet{Flags: []string{"-fd", "--param e=1"}}, ""},
	}, got)
	for _, text := range []string{"arch", "-fa -mllvm", "arch scout -fa"} {
		_, err := parseFlagSets(text)
		assert.Error(t, err, text)
	}
}

// A flag that a compiler does not know, or that asks for more than the processor has, is
// not usable.
func TestProbeOfFlags(t *testing.T) {
	need.Long(t)
	ws := newWorkspace(t)
	text, err := os.ReadFile("/proc/cpuinfo")
	require.NoError(t, err)
	for _, tc := range oneOfEachFamily(t) {
		for flag, usable := range map[string]bool{
			"-fwrapv":            true,
			"-fnobody-knows":     false,
			"-march=x86-64-v3":   slices.Contains(strings.Fields(string(text)), "avx2"),
			"-march=x86-64-v4":   slices.Contains(strings.Fields(string(text)), "avx512vl"),
			"-mavx512f -mno-avx": true, // asks for none
		} {
			err := compilers.Probe(t.Context(), compilers.Tune(tc, flag).Target, ws, roomy())
			assert.Equal(t, usable, err == nil, "%v %s: %v", tc, flag, err)
		}
	}
}
