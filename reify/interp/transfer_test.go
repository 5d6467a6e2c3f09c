package interp_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/interp"
)

// Each statement is executed, then what follows it is returned.
func TestTransfers(t *testing.T) {
	for _, test := range []struct {
		stmt, returns string
		want          int64
		kind          interp.Kind
	}{
		{"memcpy(&@a[0], &@b[1], 3)", "@a[0] * 1000 + @a[2] * 10 + @a[3]", 2*1000 + 4*10 + 13, none},
		{"memmove(&@a[1], &@a[0], 3)", "@a[0] * 1000 + @a[1] * 100 + @a[3]", 10*1000 + 10*100 + 12, none},
		{"memmove(&@a[0], &@a[1], 3)", "@a[0] * 1000 + @a[2] * 100 + @a[3]", 11*1000 + 13*100 + 13, none},
		{"memcpy(&@a[0], &@a[2], 2)", "@a[0] + @a[1] * 100", 12 + 1300, none},
		{"memcpy(&@a[0], &@a[1], 2)", "0", 0, interp.OverlappingStore},
		{"memcpy(&@a[0], &@a[0], 4)", "0", 0, interp.OverlappingStore},
		{"memcpy(&@a[0], &@a[0], 0)", "@a[0]", 10, none},
		{"memcpy(&@a[0], null:*i32, 0)", "0", 0, interp.NullDereference},
		{"memcpy(null:*i32, &@a[0], 1)", "0", 0, interp.NullDereference},
		{"memcpy(&@a[4], &@b[0], 0)", "@a[3]", 13, none},
		{"memcpy(&@a[4], &@b[0], 1)", "0", 0, interp.OutOfBounds},
		{"memcpy(&@a[2], &@b[0], 3)", "0", 0, interp.OutOfBounds},
		{"memcpy(&@b[0], &@a[2], 3)", "0", 0, interp.OutOfBounds},
		{"memcpy(&@a[0], &@b[0], %n - 4)", "0", 0, interp.OutOfBounds},
		{"memcpy(&@a[0], &@b[0], %n)", "@a[2] * 100 + @a[3]", 3*100 + 13, none},
		{"memcpy(cast(*u32, &@a[0]), &@u, 1)", "@a[0]", -2, none},
		{"memcpy(&@u, cast(*u32, &@c[0]), 1)", "i32(@u / 2)", 2147483643, none},
		{"memcpy(cast(*i32, &@c[0]), &@a[0], 1)", "0", 0, interp.ConstWrite},
		{"memcpy(&@s, &@t, 1)", "i32(@s.x) * 100 + @s.y[1]", 5*100 + 7, none},
		{"memcpy(&@s.y[0], &@a[1], 2)", "@s.y[0] * 100 + @s.y[1]", 11*100 + 12, none},
		{"memcpy(cast(*i32, &@f), &@a[0], 1)", "0", 0, interp.StrictAliasing},
		{"memcpy(&%v[0], &@a[0], 1)", "%v[0]", 10, none},
		{"memcpy(&%v[0], &@a[0], 1)", "%v[1]", 0, interp.UninitializedRead},
		{"memcpy(&@a[0], &%v[0], 2)", "@a[2]", 12, none},
		{"memcpy(&@a[0], &%v[0], 2)", "@a[1]", 0, interp.UninitializedRead},
		{"memset(&@a[1], 511, 2)", "@a[0] * 100 + @a[2]", 10*100 - 1, none},
		{"memset(&@a[1], 2, %n - 2)", "@a[1]", 0x02020202, none},
		{"memset(&@a[1], 2, 4)", "0", 0, interp.OutOfBounds},
		{"memset(&@s, 0, 1)", "i32(@s.x) * 100 + @s.y[1]", 0, none},
		{"memset(&@s, 255, 1)", "i32(@s.x) * 100 + @s.y[1]", 7*100 - 1, none},
		{"memset(&@s, 1, 1)", "0", 0, interp.InvalidValue},
		{"memset(&@o, 257, 1)", "i32(@o[1])", 1, none},
		{"memset(&@o, 257, 2)", "0", 0, interp.OutOfBounds},
		{"memset(&@o[0], 257, 2)", "i32(@o[1])", 1, none},
		{"memset(&@o[0], 2, 1)", "0", 0, interp.InvalidValue},
		{"memset(&@f, 0, 1)", "i32(@f)", 0, none},
		{"memset(&@f, 3, 1)", "0", 0, interp.InvalidValue},
		{"memset(&@z.i, 1, 1)", "@z.i", 0x01010101, none},
		{"memset(&@z.i, 1, 1)", "i32(@z.k)", 0, interp.InactiveMember},
		{"memmove(cast(*u32, &@z.i), &@z.k, 1)", "0", 0, interp.InactiveMember},
		{"*(%n > 2 ? &@a[1] : &@b[1]) = 5", "@a[1] * 100 + @b[1]", 5*100 + 2, none},
		{"*(%n > 3 ? &@a[1] : &@b[1]) = 5", "@a[1] * 100 + @b[1]", 11*100 + 5, none},
		{"*(%n > 3 ? &@a[9] : &@b[1]) = 5", "@b[1]", 5, none},
		{"*(%n > 2 ? &@a[9] : &@b[1]) = 5", "0", 0, interp.OutOfBounds},
		{"%n = *(%n > 3 ? &@a[1] : &@c[1])", "%n", -8, none},
		{"@a[0] = (%n ? null:*s : &@t) == null:*s", "@a[0]", 1, none},
	} {
		f := checked(t, fmt.Sprintf(`
func @f(%%n i32) i32 {
    struct s {x u8 : 3, y [2]i32}
    union u {i i32, k u32}
    static @a [4]i32 = {10, 11, 12, 13}
    static @b [4]i32 = {1, 2, 3, 4}
    const static @c [4]i32 = {-9, -8, -7, -6}
    static @u u32 = 4294967294
    static @s s = {1, 2, 3}
    static @t s = {5, 6, 7}
    static @f f32 = 5
    static @o [2]bool = {0, 0}
    static @z u = {1, _}
    local %%v [2]i32
  entry:
    %s
    goto exit
  exit:
    return %s
}`, test.stmt, test.returns))
		value, kind := kindOf(t, f[0], 3)
		assert.Equal(t, test.kind, kind, test.stmt)
		assert.Equal(t, test.want, value, test.stmt)
	}
}
