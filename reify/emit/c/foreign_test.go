package c

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/link"
	"goreify/tools/need"
)

// Two functions that others might have written, and one of ours that they are called
// by. Names of ours that are theirs give way.
const foreignProgram = `
foreign @r1f9c(%a u32, %b i64) u32 {
    origin "a test, bits.c"
    licence "MIT"
    answer (1, -1) = 65 steps 9
    answer (7, 2) = 5 steps 5
    answer (4294967295, 9223372036854775807) = 95
    c "typedef unsigned int r1f9c_word;"
    c "enum { r1f9c_some = 2 };"
    c "static r1f9c_word r1f9c_ones(r1f9c_word crc32) { r1f9c_word n = 0; for (; crc32; crc32 &= crc32 - 1) n++; return n; }"
    c "unsigned r1f9c(unsigned a, long long b)"
    c "{"
    c "    return r1f9c_ones(a) + (b < 0 ? 64 : (r1f9c_word)__builtin_popcountll(b)) + (a == 7) * 1 + 0 * r1f9c_some;"
    c "}"
}
foreign @rfade(%c i8) i64 {
    answer (-3) = 9
    answer (2) = 4
    c "long long rfade(signed char c) { return (long long)c * c; }"
}
func @f(%a i32) i32 {
    local %x i32 = 0
    global @fade i32 = 3
  entry:
    %x = %a * 3 - 4
    goto b1
  b1:
    %x = %x + 7
    if %x < 40 goto b1 else exit
  exit:
    return %x + @fade
}
case f(a = 2) = 47 path entry b1 b1 b1 b1 b1 b1 exit
`

// Programs with foreign functions print, parse, and are right with all compilers in
// all forms.
func TestForeign(t *testing.T) {
	need.Long(t)
	p := ir.MustParse(foreignProgram)
	require.NoError(t, p.Check())
	text := p.String()
	again, err := ir.Parse(text)
	require.NoError(t, err)
	assert.Equal(t, text, again.String())
	assert.Equal(t, text, p.Clone().String())

	s := choice.New([]byte("foreign"))
	called := map[string]int{}
	compilers := compilersFound(t)
	splits := map[Split]bool{}
	for n := range 10 {
		p := p.Clone()
		host, err := link.NewLeaf(p.Claims...)
		require.NoError(t, err)
		leaves := []*link.Leaf{host}
		for _, f := range p.Funcs[:2] {
			l, err := link.NewForeign(f)
			require.NoError(t, err)
			leaves = append(leaves, l)
		}
		linked, err := link.Link(leaves, link.DefaultOptions(), s)
		require.NoError(t, err)
		require.NoError(t, linked.IR.Check())
		require.NoError(t, interp.VerifyProgram(linked.IR))
		for call := range linked.IR.Funcs[0].Calls() {
			called[call.Func.Name]++
		}
		style := DrawProgramStyle(s, linked.IR)
		splits[style.Split] = true
		style.Debug = n%2 == 1
		requireProgramRight(t, linked.IR, style, compilers[n%len(compilers)], "-O0", "-O2")
		form := TestForms()[n%len(TestForms())]
		form.Print = true
		program, err := compile(t, EmitTest(linked.IR, form), compilers[(n/2)%len(compilers)], "-O1")
		require.NoError(t, err, "%s", linked.IR)
		got, status := execute(t, program)
		assert.Equal(t, WantTest(linked.IR, form), got, "%s", linked.IR)
		assert.Zero(t, status)
	}
	assert.NotZero(t, called["r1f9c"])
	assert.NotZero(t, called["rfade"])
	assert.Greater(t, len(splits), 1)
	assert.True(t, strings.HasPrefix(text, "foreign @r1f9c("))
}
