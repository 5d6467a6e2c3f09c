package c_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/emit/c"
	"goreify/reify/ir"
)

// A type that expressions alone name is defined before the function.
func TestTypesOfExpressions(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) i32 {
    local %x i32 = 3
  entry:
    if %a < 3 goto never else exit
  never:
    *cast(*<4>i32, &%x) = <4>i32{%a, 1, 2, 3}
    goto exit
  exit:
    return %x
}
case f(a = 7) = 3 path entry exit
`)
	text := c.Emit([]c.Unit{{Claim: p.Claims[0]}})
	defined, used := strings.Index(text, "typedef int"), strings.Index(text, "static int f(")
	assert.Positive(t, defined, text)
	assert.Greater(t, used, defined)
	assert.Equal(t, 1, strings.Count(text, "typedef"))
}
