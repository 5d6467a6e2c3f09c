package interp_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
)

// What one member is written the others have in their bits, the low ones first.
func TestCasts(t *testing.T) {
	const defined = interp.Kind(-1)
	for _, test := range []struct {
		body string
		want int64
		kind interp.Kind
	}{
		{"%u.w = 72623859790382856\n    return i64(%u.b[0])", 8, defined},
		{"%u.w = 72623859790382856\n    return i64(%u.h[3])", 0x102, defined},
		{"%u.b[7] = 128\n    return %u.i", -1<<63 + 1, defined},
		{"%u.h[1] = -1\n    return i64(%u.w)", 0xffff0001, defined},
		{"%u.h[1] = -1\n    return i64(%u.g[0])", 0xffff0001, defined},
		{"%u.f = -2.0\n    return i64(%u.b[7])", 0xc0, defined},
		{"%u.w = 4611686018427387904\n    return i64(%u.f)", 2, defined},
		{"%u.w = 0\n    return i64(%u.f)", 0, defined},
		{"return i64(%u.f)", 0, interp.UninitializedRead},                                               // 1 is denormal
		{"%u.w = 9223372036854775808\n    return i64(%u.f)", 0, interp.UninitializedRead},               // -0
		{"%u.h[3] = 32752\n    return i64(%u.f)", 0, interp.UninitializedRead},                          // infinity
		{"%u.h[3] = 32752\n    %u.h[3] = 16384\n    %u.w = %u.w - 1\n    return i64(%u.f)", 2, defined}, // no matter what it was
		{"%u.w = u64(%u.i)\n    return 0", 0, interp.OverlappingStore},
		{"%u.b[1] = %u.b[0]\n    return i64(%u.w)", 257, defined},
		{"%v[1] = %v[0]\n    return i64(%v[1].b[1])", 4, defined},
		{"%v[1].f = 1.5:f32\n    return i64(%v[1].w)", 0x3fc00000, defined},
		{"%p = &%v[1]\n    %p->b[3] = -1\n    return i64(%v[1].w)", -16777210, defined},
		{"return i64(%n.b[0])", 0, interp.UninitializedRead},
		{"%n.b[0] = 1\n    return i64(%n.w)", 0, interp.UninitializedRead},
		{"%n.b[0] = 1\n    %n.b[1] = 1\n    %n.b[2] = 1\n    %n.b[3] = 2\n    return i64(%n.w)", 0x2010101, defined},
		{"return i64(@g.b[2])", 0, defined},
	} {
		f := parse(t, `func @f(%a i32) i64 {
    cast K {w u64, b [8]u8, i i64, h [4]i16, f f64, g [2]u32}
    cast L {w i32, b [4]i8, f f32}
    local %u K = {1, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _}
    local %v [2]L = {1025, _, _, _, _, _, 6, _, _, _, _, _}
    local %n L
    local %p *L = &%v[0]
    static @g L
  entry:
    `+test.body+"\n}\n")
		r, err := interp.Run(f, []int64{0}, interp.Options{})
		if test.kind != defined {
			var ub *interp.UB
			require.True(t, errors.As(err, &ub), "%s: %v", test.body, err)
			assert.Equal(t, test.kind, ub.Kind, test.body)
			continue
		}
		require.NoError(t, err, test.body)
		assert.Equal(t, test.want, r.Value, test.body)
	}
}
