package llvm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

func emit(t *testing.T, units []Unit) string {
	t.Helper()
	for _, u := range units {
		require.NoError(t, Supports(u.Claim.Func))
		require.NoError(t, interp.Close(u.Claims()...))
	}
	return Emit(units)
}

// What the package comment shows is what is written.
func TestForms(t *testing.T) {
	c := ir.MustParse(`
func @f(%a i32) i32 {
  entry:
    goto b1
  b1:
    %a = %a * 3 - 4
    if %a <= 99 goto b1 else exit
  exit:
    return %a
}
case f(a = 7) = 125 path entry b1 b1 b1 exit
`).Claims[0]
	for style, want := range map[string]string{
		"ssa": `define internal i32 @f(i32 %a) {
entry:
  br label %b1
b1:
  %a.b1 = phi i32 [ %a, %entry ], [ %1, %b1 ]
  %0 = mul i32 %a.b1, 3
  %1 = sub i32 %0, 4
  %2 = icmp sle i32 %1, 99
  br i1 %2, label %b1, label %exit
exit:
  %a.exit = phi i32 [ %1, %b1 ]
  ret i32 %a.exit
}
`,
		"plain": `define internal i32 @f(i32 %a) {
entry:
  %a.addr = alloca i32
  store i32 %a, ptr %a.addr
  br label %b1
b1:
  %0 = load i32, ptr %a.addr
  %1 = mul i32 %0, 3
`,
		"ssa promises external noinline": "define i32 @f(i32 %a) noinline {\n",
		"ssa indirect":                   "indirectbr ptr %3, [label %b1, label %exit]",
		"ssa promises":                   "%0 = mul nsw i32 %a.b1, 3\n",
	} {
		s, err := ParseStyle(style)
		require.NoError(t, err)
		text := emit(t, []Unit{{Claim: c, Style: s}})
		assert.Contains(t, text, want, "%s", style)
		assert.Contains(t, text, "; f(7) returns 125 by way of entry b1 b1 b1 exit.\n")
	}
	assert.Equal(t, "f 125\n", Want([]Unit{{Claim: c}}))
	assert.Equal(t, 8, BodyLines(emit(t, []Unit{{Claim: c, Style: Style{SSA: true}}})))
	assert.Equal(t, 0, UnitOf([]Unit{{Claim: c}}, "f"))
	assert.Equal(t, -1, UnitOf([]Unit{{Claim: c}}, "main"))
}

// The operands of a rotation stand in the order of its bits, whichever shift is first.
func TestRotation(t *testing.T) {
	for text, want := range map[string]string{
		"%a << 5 | %b >> 27": "call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 5)",
		"%a >> 5 | %b << 27": "call i32 @llvm.fshr.i32(i32 %b, i32 %a, i32 5)",
	} {
		c := ir.MustParse("func @f(%a u32, %b u32) u32 {\n  entry:\n    goto exit\n  exit:\n    return " + text + "\n}\n").Funcs[0]
		end := &ir.Claim{Func: c, Args: []int64{32, 3}, Path: []int{0, 1}, Want: map[bool]int64{true: 1024, false: 402653185}[text[4] == '<']}
		style := Style{SSA: true, Idioms: true}
		assert.Contains(t, strings.NewReplacer("%a.exit", "%a", "%b.exit", "%b").Replace(emit(t, []Unit{{Claim: end, Style: style}})), want)
	}
}

// All bits of a value, added or in the other order, are an intrinsic; without one of them, with
// one elsewhere, or where bytes are added, they are not.
func TestWhole(t *testing.T) {
	text := func(join string, unit int, place func(int) int) string {
		var parts []string
		for from := 32 - unit; from >= 0; from -= unit {
			parts = append(parts, fmt.Sprintf("(((%%a >> %d) & %d:u32) << %d)", from, 1<<unit-1, place(from)))
		}
		c := ir.MustParse("func @f(%a u32) u32 {\n  entry:\n    goto exit\n  exit:\n    return " + strings.Join(parts, join) + "\n}\n").Funcs[0]
		return emit(t, []Unit{{Claim: &ir.Claim{Func: c, Args: []int64{0}, Path: []int{0, 1}}, Style: Style{SSA: true, Idioms: true}}})
	}
	assert.Contains(t, text(" | ", 1, func(from int) int { return 31 - from }), "call i32 @llvm.bitreverse.i32(i32 %a")
	assert.Contains(t, text(" + ", 1, func(int) int { return 0 }), "call i32 @llvm.ctpop.i32(i32 %a")
	assert.Contains(t, text(" | ", 8, func(from int) int { return 24 - from }), "call i32 @llvm.bswap.i32(i32 %a")
	assert.NotContains(t, text(" | ", 1, func(from int) int { return max(30-from, 0) }), "@llvm.")
	assert.NotContains(t, text(" + ", 1, func(from int) int { return from / 31 }), "@llvm.")
	assert.NotContains(t, text(" + ", 8, func(int) int { return 0 }), "@llvm.")
}

// Checksums of vectors are calls, except where a union may not have their alignment. A function
// may have the name of the writer's own variable.
func TestChecksumsOfVectors(t *testing.T) {
	text := func(declared string) string {
		c := ir.MustParse("func @low() u32 {\n" + declared + "\n  entry:\n    goto exit\n  exit:\n    return checksum(@g)\n}\n").Funcs[0]
		return emit(t, []Unit{{Claim: &ir.Claim{Func: c, Path: []int{0, 1}}}})
	}
	const call, read = "@crc32.v4i32(i32 0, ptr @low.2.g, i64 ", "load <4 x i32>, ptr @low.2.g, align 1"
	assert.Contains(t, text("global @g <4>u32 = {0, 0, 0, 0}"), call+"1)")
	assert.Contains(t, text("global @g [2]<4>u32 = {0, 0, 0, 0, 0, 0, 0, 0}"), call+"2)")
	union := text("union u {v <4>u32, a [20]u8}\n  global @g u")
	assert.Contains(t, union, read)
	assert.NotContains(t, union, "crc32.v4i32")
}

// Each style is read as it is written.
func TestStyles(t *testing.T) {
	for seed := range uint64(200) {
		style := DrawStyle(reify.FromSeed(seed).Style())
		again, err := ParseStyle(style.String())
		require.NoError(t, err)
		assert.Equal(t, style, again)
	}
	_, err := ParseStyle("ssa nothing")
	assert.EqualError(t, err, `unknown word "nothing" in a style of LLVM IR`)
}

// clang gives the answers of functions of all profiles, in the styles that are drawn: without
// optimisation it is told what LLVM makes of each instruction.
func TestRun(t *testing.T) {
	need.Command(t, "clang")
	var units []Unit
	for _, name := range reify.Profiles() {
		p, err := reify.FindProfile(name)
		require.NoError(t, err)
		for i := range uint64(4) {
			r := reify.FromSeed(1000 + i)
			k, err := reify.Make(fmt.Sprintf("f%d", len(units)), r, p.Configure(r), search.Engine{})
			if err == nil {
				units = append(units, Unit{Claim: k.Claim, More: k.More, Style: DrawStyle(r.Style())})
			}
		}
	}
	require.Greater(t, len(units), 60)
	file := filepath.Join(t.TempDir(), "repro.ll")
	require.NoError(t, os.WriteFile(file, []byte(emit(t, units)), 0o600))
	binary := strings.TrimSuffix(file, ".ll")
	args := []string{"-w", "-O0", file, "-o", binary}
	if out, err := exec.Command("clang", "--version").Output(); err == nil && strings.Contains(string(out), "version 14.") {
		args = append(args, "-mllvm", "-opaque-pointers")
	}
	out, err := exec.Command("clang", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(binary).Output()
	assert.NoError(t, err)
	assert.Equal(t, Want(units), string(out))
	out, err = exec.Command(binary, Alone(2)...).Output()
	assert.NoError(t, err)
	assert.Equal(t, Answers(units)[2], string(out))
}
