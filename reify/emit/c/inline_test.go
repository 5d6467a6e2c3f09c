package c

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// A function is inlined always if it stands in the file of its callers, and only
// then.
func TestAlwaysInline(t *testing.T) {
	p := ir.MustParse(`func @f(%a i32) i32 {
  entry:
    return @g(%a) + 1
}
func @g(%b i32) i32 {
  entry:
    return %b * 2
}
case f(a = 3) = 7 path entry
`)
	always := FuncStyle{AlwaysInline: true}
	always.Linkage = StaticInline
	for split, where := range map[Split]string{OneFile: "program.c", DriverApart: "functions.c", FilePerFunction: ""} {
		style := ProgramStyle{Split: split, Funcs: []FuncStyle{{}, always}}
		for _, f := range EmitProgram(p, nil, style) {
			has := strings.Contains(f.Text, "__attribute__((always_inline)) static inline int g(int b)")
			assert.Equal(t, f.Name == where, has, "%s\n%s", f.Name, f.Text)
		}
		requireProgramRight(t, p, style, compilersFound(t)[0], "-O0", "-O2")
	}
	back, err := ParseFuncStyle(always.String())
	require.NoError(t, err)
	assert.Equal(t, always, back)
	assert.Equal(t, "inline always-inline", always.String())
}
