package c

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCompound: an assignment is a step only where C's ++ and -- compute what
// the function does, which is in the type of the variable or in int.
func TestCompound(t *testing.T) {
	tests := []struct{ stmt, want string }{
		{"%i = %i + 1", "i++;"},
		{"%i = %i - -1", "i++;"},
		{"%i = i32(u32(%i) + 1:u32)", "i += 1u;"},
		{"%i = i32(i64(%i) - 1:i64)", "i -= 1ll;"},
		{"%l = i64(u64(%l) + 1:u64)", "l += 1ull;"},
		{"%l = %l - 1", "l--;"},
		{"%u = u32(u64(%u) + 1:u64)", "u++;"},
		{"%c = i8(u32(%c) + 1:u32)", "c++;"},
		{"%c = i8(i32(%c) - 1)", "c--;"},
	}
	for _, test := range tests {
		f := parseOne(t, "func @f(%i i32, %l i64, %u u32, %c i8) i32 {\n  entry:\n    goto exit\n  exit:\n    "+
			test.stmt+"\n    return 0\n}\n")
		text := Emit([]Unit{unitOf(t, f, []int64{5, 5, 5, 5}, Style{Compound: true})})
		assert.Contains(t, text, "    "+test.want+"\n", test.stmt)
	}
}
