package c

import "testing"

// TestTypesOfExpressions: types that no variable has are defined too.
func TestTypesOfExpressions(t *testing.T) {
	for _, text := range []string{
		"func @f(%a i32) i32 {\n  entry:\n    goto exit\n  exit:\n    return %a + (null:*<2>i32 == null:*<2>i32)\n}\n",
		"func @f(%a i32) i32 {\n    struct S {x i32}\n  entry:\n    goto exit\n  exit:\n    return %a + i32(null:*S != cast(*S, null:*i32))\n}\n",
		"func @f(%a i32) i32 {\n    struct S {x i32}\n  entry:\n    if %a goto b1 else exit\n  b1:\n    (*null:*S).x = 1\n    goto exit\n  exit:\n    return %a\n}\n",
		"func @f(%a i32) i32 {\n  entry:\n    if %a goto b1 else exit\n  b1:\n    %a = i32((*null:*[2]<4>u8)[0][1])\n    goto exit\n  exit:\n    return %a\n}\n",
	} {
		f := parseOne(t, text)
		requireRight(t, []Unit{unitOf(t, f, []int64{0}, Style{})})
	}
}
