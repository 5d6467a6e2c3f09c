package ir_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// calling holds a call in every position that there is, ahead of its callee.
const calling = `func @f(%a i32) i32 {
    local %x [2]i32 = {@g(1, 2) + 3, 4}
    static @g i32 = 5
    local %s u32
  entry:
    goto b1
  b1:
    %x[i32(@g(6, 7))] = @g(%a + 8, u8(@f(@g))) * 9
    if @f(10) < 11 goto b1 else b2
  b2:
    %s = checksum(%x)
    goto exit
  exit:
    return @g(i64(12), 13)
}

func @g(%p i32, %q u8) i32 {
  only:
    return @g(%p, %q)
}
case f(a = 1) = 2 path entry b1 b2 exit
`

func callingProgram(t *testing.T) *ir.Program {
	p, err := ir.Parse(calling)
	require.NoError(t, err)
	return p
}

func TestCalls(t *testing.T) {
	p := callingProgram(t)
	var got []string
	for call := range p.Funcs[0].Calls() {
		got = append(got, call.String())
	}
	assert.Equal(t, []string{"@g(1, 2)", "@f(@g)", "@g(%a + 8, u8(@f(@g)))", "@g(6, 7)", "@f(10)", "@g(i64(12), 13)"}, got)
	for call := range p.Funcs[0].Calls() {
		assert.Equal(t, "@g(1, 2)", call.String())
		break
	}
}

func TestCheckCalls(t *testing.T) {
	// The text has one argument of a wrong type.
	require.EqualError(t, callingProgram(t).Check(),
		"function @f: block exit: terminator (return @g(i64(12), 13)): argument 0 of @g is i64, want i32")
	call := func(f *ir.Function) *ir.Call { return f.Blocks[len(f.Blocks)-1].Term.(*ir.Return).Val.(*ir.Call) }
	for _, row := range []struct {
		name  string
		spoil func(p *ir.Program, f, g *ir.Function)
		want  string
	}{
		{"nothing", func(*ir.Program, *ir.Function, *ir.Function) {}, ""},
		{"no callee", func(_ *ir.Program, f, _ *ir.Function) { call(f).Func = nil },
			"function @f: block exit: terminator (return <nil>(12, 13:u8)): call without a callee"},
		{"foreign callee", func(_ *ir.Program, f, g *ir.Function) { call(f).Func = ir.Clone(g) },
			"function @f: calls @g, which is not one of the program"},
		{"too few arguments", func(_ *ir.Program, f, _ *ir.Function) { call(f).Args = call(f).Args[:1] },
			"function @f: block exit: terminator (return @g(12)): 1 arguments for the 2 parameters of @g"},
		{"too many arguments", func(_ *ir.Program, f, _ *ir.Function) { call(f).Args = append(call(f).Args, i32(14)) },
			"function @f: block exit: terminator (return @g(12, 13, 14)): 3 arguments for the 2 parameters of @g"},
		{"no argument", func(_ *ir.Program, f, _ *ir.Function) { call(f).Args[0] = nil },
			"function @f: block exit: terminator (return @g(<nil>, 13)): missing expression"},
		{"result", func(_ *ir.Program, _, g *ir.Function) { g.Result = ir.I64 },
			"function @f: variable %x: initial value 0: operands of + are i64 and i32"},
		{"callee without a variable", func(_ *ir.Program, _, g *ir.Function) { g.Vars[1] = nil },
			"function @f: variable %x: initial value 0: @g: variable 1 is missing"},
		{"reads a variable at first", func(_ *ir.Program, f, _ *ir.Function) {
			f.Vars[1].Init[0].(*ir.Binary).Y = &ir.Load{Place: &ir.VarRef{Var: f.Vars[0]}}
		}, "function @f: variable %x: initial value 0 is neither constant nor symbol"},
		{"another kind of number at first", func(_ *ir.Program, f, _ *ir.Function) {
			f.Vars[1].Init[0].(*ir.Binary).Y = &ir.Convert{T: ir.I32, X: &ir.FloatConst{T: ir.F64, V: 1.5}}
		}, "function @f: variable %x: initial value 0 is neither constant nor symbol"},
		{"call in a static", func(_ *ir.Program, f, _ *ir.Function) { f.Vars[2].Init[0] = f.Vars[1].Init[0] },
			"function @f: variable @g: initial value 0 is neither constant nor symbol"},
		{"call that contains itself", func(_ *ir.Program, f, _ *ir.Function) { call(f).Args[0] = call(f) },
			"function @f: block exit: terminator: expression of more than 500 levels"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := callingProgram(t)
			call(p.Funcs[0]).Args[0] = i32(12)
			row.spoil(p, p.Funcs[0], p.Funcs[1])
			err := p.Check()
			if row.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.EqualError(t, err, row.want)
		})
	}
}
