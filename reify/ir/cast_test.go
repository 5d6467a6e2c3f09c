package ir_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// Only those casts of bits are accepted that mean the same on all targets.
func TestCastsThatAreDefined(t *testing.T) {
	for _, test := range []struct{ fields, wrong string }{
		{"x u32, y [4]u8, z i32, f f32", ""},
		{"x f64, y [2]i32, z [4]u16, w [1]u64", ""},
		{"x u8, y i8", ""},
		{"x [4]u8, y u32", "the first member is [4]u8"},
		{"x u32, y u16", "member y: u16 is cast to u32, of another size"},
		{"x u32, y [3]u8", "member y: [3]u8 is cast to u32, of another size"},
		{"x u32, y [2]u32", "of another size"},
		{"x u64, y [2][4]u8", "member y: the bits of [2][4]u8 are cast"},
		{"x u8, y bool", "member y: the bits of bool or a bit-field are cast"},
		{"x bool", "the bits of bool"},
		{"x u32, y i32:7", "bit-field"},
		{"x u64, y *u64", "member y: *u64 is cast to u64, of another size"},
		{"x <4>u16, y u64", "the first member is <4>u16"},
	} {
		text := "func @f(%a i32) i32 {\n    cast U {" + test.fields + "}\n  entry:\n    return 0\n}\n"
		p, err := ir.Parse(text)
		if test.wrong != "" {
			assert.ErrorContains(t, err, test.wrong, test.fields)
			continue
		}
		require.NoError(t, err, test.fields)
		require.NoError(t, p.Check(), test.fields)
		assert.Equal(t, text, p.String())
		r := p.Funcs[0].Types[0]
		assert.True(t, r.Union && r.Cast)
		assert.True(t, ir.Clone(p.Funcs[0]).Types[0].Cast)

		r.Fields[0].Type = ir.Array{Elem: ir.U16, Len: 3} // the checker says so, too
		assert.ErrorContains(t, p.Check(), "the first member is [3]u16")
		r.Fields[0].Type, r.Union = ir.U32, false
		assert.ErrorContains(t, p.Check(), "bits are cast by a struct")
	}
}

// Parts of such unions have no address: what is stored through a pointer to one would
// have to be known to be a cast.
func TestCastsHaveNoAddress(t *testing.T) {
	for text, wrong := range map[string]string{
		"%p = &%u":                        "",
		"%p = &%v[1]":                     "",
		"%q = &%u.x":                      "%u.x is a part of U, by which bits are cast, and has no address",
		"%b = &%p->y[1]":                  "has no address",
		"%u.x, %a = add_overflow(%a, 1)":  "",
		"%a, %u.x = add_overflow(%a, 1)":  "has no address",
		"memset(&%u, 0, 1)":               "unions",
		"%u.y[1] = u8(%p->x)":             "",
		"memcpy(cast(*u8, %p), &%u.y, 1)": "has no address",
	} {
		p, err := ir.Parse(`func @f(%a i32) i32 {
    cast U {x i32, y [4]u8}
    local %u U = {1, _, _, _, _}
    local %v [2]U = {1, _, _, _, _, 2, _, _, _, _}
    local %p *U = null
    local %q *i32 = null
    local %b *u8 = null
  entry:
    ` + text + `
    return 0
}
`)
		require.NoError(t, err, text)
		if err = p.Check(); wrong == "" {
			assert.NoError(t, err, text)
		} else {
			assert.ErrorContains(t, err, wrong, text)
		}
	}
}
