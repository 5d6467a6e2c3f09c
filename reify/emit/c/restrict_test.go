package c

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// One case that stores to what a pointer points to is enough, and one that is
// not as it says is, too.
func TestRestrictIsTrueOfAllCases(t *testing.T) {
	f := parseOne(t, `func @f(%a i32) i32 {
    static @x [2]i32 = {1, 2}
    static @y i32 = 3
    local %p *i32 = &@x[0]
    local %q *i32 = &@y
    local %r *i32 = &%a
  entry:
    if %a > 5 goto b1 else b2
  b1:
    @x[1] = %a
    goto b2
  b2:
    return *%p + *%q
}`)
	small, large := unitOf(t, f, []int64{1}, Style{}).Claim, unitOf(t, f, []int64{9}, Style{}).Claim
	p, q, r := f.Vars[3], f.Vars[4], f.Vars[5]
	style := Style{Restrict: true}
	for _, test := range []struct {
		what string
		unit Unit
		p, q bool
	}{
		{"not asked for", Unit{Claim: small}, false, false},
		{"not stored to", Unit{Claim: small, Style: style}, true, true},
		{"stored to", Unit{Claim: large, Style: style}, false, true},
		{"stored to in the second case", Unit{Claim: small, Style: style, More: []*ir.Claim{large}}, false, true},
		{"another path", Unit{Claim: &ir.Claim{Func: f, Args: small.Args, Want: small.Want, Path: large.Path}, Style: style}, false, false},
	} {
		can := restricted(test.unit.Watched(interp.Stored))
		assert.Equal(t, test.p, can[p], test.what)
		assert.Equal(t, test.q, can[q], test.what)
		assert.Equal(t, test.q, can[r], test.what)
	}
	// The parameter is a local variable then, which is initialised in the body.
	style.ParamsAsGlobals = true
	assert.False(t, restricted(Unit{Claim: small, Style: style}.Watched(interp.Stored))[r])
}
