package link

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// What moves to a helper is what is evaluated in any case, or may be; the rest is
// passed. Helpers that may be undefined for some arguments are not declared const.
func TestOutline(t *testing.T) {
	for _, test := range []struct {
		of, call, body string
		total          bool
	}{
		{"%a * 3 - %a", "(%a)", "%p0 * 3 - %p0", false},
		{"i32(u32(%a) * 3 - u32(%b))", "(%a, %b)", "i32(u32(%p0) * 3 - u32(%p1))", true},
		{"%m[%a] & %m[%a]", "(%m[%a], %m[%a])", "%p0 & %p1", true},
		{"%v | %v", "(%v, %v)", "%p0 | %p1", true},
		{"%a / %b", "(%a, %b)", "%p0 / %p1", false},
		{"(%a && %b) + 1", "(%a, %b)", "(%p0 && %p1) + 1", false},
		{"(%a && %m[%a]) ^ 1", "(%a && %m[%a])", "%p0 ^ 1", true},
		{"(%a || %u) ^ 1", "(%a || %u)", "%p0 ^ 1", true}, // %u may have no value
		{"(%a ? %u : %b) ^ ~%a", "(%a ? %u : %b, %a)", "%p0 ^ ~%p1", true},
		{"popcount(u32(%a)) ^ abs(%b)", "(%a, %b)", "popcount(u32(%p0)) ^ abs(%p1)", false},
		{"expect(%a, 1) ^ 1", "(expect(%a, 1))", "%p0 ^ 1", true},
		{"i32(%s.x) ^ 1", "(i32(%s.x))", "%p0 ^ 1", true}, // no parameter can be a bit-field
	} {
		p := ir.MustParse("func @f(%a i32, %b i32) i32 {\n struct S {x i8:3}\n local %m [2]i32 = {1, 2}\n volatile local %v i32 = 1\n" +
			" local %u i32\n local %s S = {1}\n entry:\n goto exit\n exit:\n %a = " + test.of + "\n return 1\n}\n")
		require.NoError(t, p.Check(), test.of)
		src := p.Funcs[0].Blocks[1].Stmts[0].(*ir.Assign).Src
		seen := false
		for seed := range byte(40) { // constants are passed sometimes, and what chooses may branch
			b := &builder{s: choice.New([]byte{seed})}
			o := outliner{b: b, of: map[*ir.Var]*ir.Var{}, total: true}
			require.True(t, o.moves(src), test.of)
			fn := o.function(src)
			var args []string
			for _, arg := range o.args {
				args = append(args, arg.String())
			}
			assert.Equal(t, test.total, o.total, test.of)
			if "("+strings.Join(args, ", ")+")" == test.call {
				seen = true
				assert.Equal(t, "return "+test.body, fn.Blocks[len(fn.Blocks)-1].Term.String())
			}
		}
		assert.True(t, seen, test.of)
	}
}

// What decides something is in a branch, an index, or the step of a counter.
func TestDeciding(t *testing.T) {
	l := leafOf(t, `func @f(%a i32) i32 {
    local %i i32 = 9
    local %x i32 = 9
    local %m [4]i32 = {9, 9, 9, 9}
    local %p *i32 = &%m[0]
  entry:
    goto b1
  b1:
    %i = %i - 101
    %x = %a + 9
    %m[%a & 102] = 9
    %p = &%m[0] + (%a & 103)
    if %i < 104 goto exit else b1
  b2:
    if 9 goto exit else b1
  exit:
    return %x + 9
}
`)
	l.findDeciding()
	var found []int64
	for _, s := range l.deciding {
		found = append(found, s.v)
	}
	assert.Equal(t, []int64{101, 102, 0, 103, 104}, found)
}
