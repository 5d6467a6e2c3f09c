package c

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// The last statement of a loop stands in its head if it assigns an integer, and in its body
// if it assigns anything else.
func TestStep(t *testing.T) {
	for stmt, inHead := range map[string]bool{
		"%i = %i + 1":         true,
		"%i = i32(%x)":        true,
		"%i = i32(%p == %q)":  true,
		"%x = %x + 1.0":       false,
		"%p = %q":             false,
		"%w = %w + i128(%i)":  false,
		"%v = -%v":            false,
		"%s = %t":             false,
		"%u = checksum(@sum)": false,
	} {
		p, err := ir.Parse(`func @f(%a i32) i32 {
    struct S {m i32}
    local %i i32 = 0
    local %u u32 = 0
    local %x f64 = 0
    local %p *i32 = &%i
    local %q *i32 = &%i
    local %w i128
    local %v <4>u32 = {1, 2, 3, 4}
    local %s S = {1}
    local %t S = {1}
    static @sum i32 = 3
  entry:
    goto b1
  b1:
    if %a < 10 goto b2 else exit
  b2:
    if %a < 3 goto b3 else b4
  b3:
    %a = %a + 2
    goto b4
  b4:
    ` + stmt + `
    goto b1
  exit:
    return %a
}
case f(a = 10) = 10 path entry b1 exit
`)
		require.NoError(t, err, stmt)
		require.NoError(t, p.Check(), stmt)
		text := Emit([]Unit{{Claim: p.Claims[0], Style: Style{Structured: true}}})
		body := `for \(; a < 10;`
		if inHead {
			assert.Regexp(t, body, text, stmt)
		} else {
			assert.NotRegexp(t, body, text, stmt)
			assert.Contains(t, text, "while (a < 10)", stmt)
		}
	}
}
