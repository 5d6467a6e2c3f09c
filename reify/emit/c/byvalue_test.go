package c

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// Structs are passed by value alone, in others and behind other arguments; volatile
// ones and bit-fields stay what they are.
func TestByValue(t *testing.T) {
	p, err := ir.Parse(`
func @f(%a i32) i32 {
    struct s {x i32, y u8:3, z [3]u16}
    local %s s = {1, 2, 3, 4, 5}
    local %t [2]s = {6, 1, 7, 8, 9, 2, 3, 4, 5, 6}
    volatile local %v s = {1, 2, 3, 4, 5}
    local %p *s = &%t[1]
  entry:
    %s = *%p
    %t[0] = %s
    %t[1] = %s
    *%p = %t[0]
    %s = %t[%a]
    %t[0] = %v
    %a = i32(%p->z[%a]) + i32(%t[0].z[1])
    %a = %a + %s.x + %p->x
    %a = %a + i32(%s.y) + %v.x
    goto exit
  exit:
    return %a
}
case f(a = 1) = 16 path entry exit`)
	require.NoError(t, err)
	require.NoError(t, p.Check())
	text := Emit([]Unit{{Claim: p.Claims[0], Style: Style{ByValue: true}}})
	for _, want := range []string{
		"s = byval_pass_f_s(*p);", "t[0] = s;", "t[1] = byval_nested_f_s((struct byval_nested_f_s){1, s, {2}}).x;", "*p = t[0];",
		"s = byval_late_f_s(1, 2, 3, 4, 5, 6, t[a], 15);", "t[0] = v;", "byval_f_s_z(", "byval_f_s_x(", "s.y", "v.x",
		"static unsigned short byval_f_s_z(struct f_s x, long long i)\n{\n    return x.z[i];\n}\n",
	} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, Emit([]Unit{{Claim: p.Claims[0]}}), "byval_")
	uninitialised := strings.Replace(p.String(), "local %s s = {1, 2, 3, 4, 5}", "local %s s", 1)
	p, err = ir.Parse(uninitialised)
	require.NoError(t, err)
	assert.NotContains(t, Emit([]Unit{{Claim: p.Claims[0], Style: Style{ByValue: true}}}), "byval_")
}

// Casts of bits are right where the high byte comes first in memory: gcc can store a
// union in that way, on any processor.
func TestCastsWhereTheHighByteComesFirst(t *testing.T) {
	p, err := ir.Parse(`
func @f(%a i32) u64 {
    cast K {w u64, b [8]u8, h [4]u16, f f64, g [2]u32}
    local %u K = {72623859790382856, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _}
    local %r u64 = 0
  entry:
    %r = u64(%u.b[0]) * 100 + u64(%u.h[%a])
    %u.b[%a + 2] = 255
    %r = %r * 31 + %u.w
    %u.g[1] = 1
    %r = %r * 31 + %u.w
    %u.f = f64(%a)
    %r = %r * 31 + u64(%u.h[3])
    %u.h[3] = u16(i32(%u.h[3]) + 16)
    %r = %r * 31 + u64(i64(%u.f))
    goto exit
  exit:
    return %r
}
case f(a = 1) = 0 path entry exit`)
	require.NoError(t, err)
	require.NoError(t, p.Check())
	r, err := interp.Run(p.Funcs[0], []int64{1}, interp.Options{})
	require.NoError(t, err)
	p.Claims[0].Want = r.Value
	text := Emit([]Unit{{Claim: p.Claims[0]}})
	high := regexp.MustCompile(`(?m)^(union f_K \{\n(?: .*\n)+\});`).ReplaceAllString(text, `$1 __attribute__((scalar_storage_order("big-endian")));`)
	require.NotEqual(t, text, high)
	swapped := strings.Replace(high, "#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__\n#define LOW_INDEX", "#if 0\n#define LOW_INDEX", 1)
	require.NotEqual(t, swapped, high)
	for text, right := range map[string]bool{text: true, swapped: true, high: false} {
		bin := filepath.Join(t.TempDir(), "f")
		compile := exec.Command(need.Command(t, "gcc", "gcc", "gcc-12", "gcc-11"), "-w", "-x", "c", "-", "-o", bin)
		compile.Stdin = strings.NewReader(text)
		out, err := compile.CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Equal(t, right, exec.Command(bin).Run() == nil, "%s", text)
	}
}
