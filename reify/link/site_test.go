package link

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// leafOf returns the leaf of a function that is called with zeros.
func leafOf(t *testing.T, text string) *Leaf {
	p := ir.MustParse(text)
	require.NoError(t, p.Check())
	f := p.Funcs[0]
	args := make([]int64, len(f.Params()))
	r, err := interp.Run(f, args, interp.Options{})
	require.NoError(t, err)
	l, err := NewLeaf(&ir.Claim{Func: f, Args: args, Want: r.Value, Path: r.Path})
	require.NoError(t, err)
	return l
}

// Each constant of the body is 1xx if a call may stand there, 2xx if it may and
// is not evaluated for sure, and less if it may not.
func TestSites(t *testing.T) {
	l := leafOf(t, siteText)
	var on []string
	for _, s := range l.on {
		on = append(on, fmt.Sprint(s.v))
		assert.Equal(t, s.v >= 200, s.maybe, "%d", s.v)
	}
	assert.Equal(t, "100 101 102 103 104 200 201 105 202 203 204 205 106 107 28 108 1 110 0 111 112 115 116 114 1 117 118",
		strings.Join(on, " "))
	var off []string
	for _, s := range l.off {
		off = append(off, fmt.Sprint(s.v))
	}
	assert.Equal(t, "119", strings.Join(off, " "))
}

const siteText = `func @f(%a i32) i32 {
    struct S {a i32, b u8:5, c f32, p *i32}
    union U {x u16, y [2]i32}
    local %x i32 = 100
    local %s S = {101, 2, 3, &%x}
    local %u U = {102, _, _}
    local %v <2>i32 = {103, 104}
    local %m [200]i32
    local %f f64
    static @k i32 = 5
    const static @c [2]i32 = {1, 2}
  entry:
    %x = %a && 200 || 201
    %x = 105 ? 202 : 203 + (%a ? 204 : 205)
    %x = expect(%a + 106, 1) + 107
    %s.b = 28
    %s.p = &%m[108] + 1
    %f = f64(110) + 7.0
    *%s.p = 0
    %v = %v + <2>i32{111, 112}
    %x, %m[114] = add_overflow(115, 116)
    switch %v[1] + 117 {117: exit, 120..130: exit, else exit}
  b:
    %x = 119
    unreachable
    goto exit
  exit:
    return %x + 118
}
`

// Whatever may write or read memory through whatever, and nothing else, makes a
// function impure or pure only.
func TestPurity(t *testing.T) {
	for _, test := range []struct {
		vars, stmts, result string
		want                Purity
		reset               string
	}{
		{"local %x i32 = 1", "%x = 2", "%x", Const, ""},
		{"local %x i32 = 1\n local %p *i32 = &%x", "*%p = 2", "%x", Const, ""},
		{"static @x i32 = 1", "", "@x", Pure, ""},
		{"static @x i32 = 1\n static @p *i32 = &@x", "", "*@p", Pure, ""},
		{"static @x i32 = 1", "@x = 2", "@x", Impure, "@x = 1"},
		{"static @x i32 = 1\n local %p *i32 = &@x", "*%p = 2", "@x", Impure, "@x = 1"},
		{"static @x i32 = 1\n static @y i32\n local %p *i32 = &@x", "*%p = 2", "@y", Impure, "@x = 1"},
		{"static @x i32 = 1\n local %p *i32", "%p = &@x; *%p = 2", "@x", Impure, "@x = 1"},
		{"const static @x i32 = 1\n local %y i32 = 2\n local %p *const i32 = &@x\n local %q *i32 = &%y", "*%q = *%p", "%y", Pure, ""},
		{"static @x i64\n local %f i32", "%f, @x = add_overflow(%a, 1)", "%f", Impure, "@x = 0"},
		{"static @x f64 = 3", "@x = 2.0", "%a", Impure, "@x = 3.0"},
		{"static @x <2>u8", "@x[1] = 2", "%a", Impure, "@x = <2>u8{0, 0}"},
		{"struct S {a i32, b i8:3}\n static @x S\n local %y S = {1, 2}", "@x = %y", "%a", Impure, "@x.a = 0; @x.b = 0"},
		{"union U {a [2]i8, b f32}\n static @x [2]U = {1, 2, _, 3, 4, _}", "@x[0].b = 2.0:f32", "%a", Impure,
			"@x[0].a[0] = 1; @x[0].a[1] = 2; @x[1].a[0] = 3; @x[1].a[1] = 4"},
		{"struct S {p *S, q *i32}\n static @s S = {&@s, &@m[2]}\n static @m [2]i32", "@s.p->q = &@m[1]", "%a", Impure,
			"@s.p = &@s; @s.q = &@m[2]; @m[0] = 0; @m[1] = 0"},
		{"local %x i32 = 1\n local %p *volatile i32 = &%x", "", "*%p", Impure, ""},
		{"volatile local %x i32 = 1", "", "%a", Impure, ""},
		{"local %x u32", "%x = checksum(%a)", "%a", Impure, ""},
		{"local %x i32 = 1\n local %p *volatile i32", "%p = &%x", "%a", Const, ""},
	} {
		text := "func @f(%a i32) i32 {\n" + test.vars + "\n entry:\n goto exit\n exit:\n" +
			strings.ReplaceAll(test.stmts, "; ", "\n") + "\n return " + test.result + "\n}\n"
		l := leafOf(t, text)
		assert.Equal(t, test.want, l.purity(), "%s", text)
		var reset []string
		for _, s := range l.reset {
			reset = append(reset, s.String())
		}
		assert.Equal(t, test.reset, strings.Join(reset, "; "), "%s", text)
	}
}
