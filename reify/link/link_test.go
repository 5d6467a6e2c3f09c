package link_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/link"
)

const counting = `func @f(%a i32) i32 {
    static @s i32 = 5
    static @left [2][2]i8 = {1, 2, 3, 4}
    global @k i32 = 7
  entry:
    @s = @s + %a
    @left[%a - 2][1] = 9
    goto exit
  exit:
    return @s + i32(@left[1][1]) + @k
}
case f(a = 3) = 24 path entry exit
`

func TestReset(t *testing.T) {
	p := ir.MustParse(counting)
	f := p.Funcs[0]
	p.Claims = append(p.Claims, p.Claims[0])
	require.Error(t, interp.VerifyProgram(p), "the second call finds what the first has left")
	link.Reset(f)
	require.NoError(t, p.Check())
	assert.NoError(t, interp.VerifyProgram(p))
	var head []string
	for _, s := range f.Blocks[0].Stmts {
		head = append(head, s.String())
	}
	assert.Equal(t, []string{"@s = 5", "@left[0][0] = 1", "@left[0][1] = 2", "@left[1][0] = 3", "@left[1][1] = 4",
		"@s = @s + %a", "@left[%a - 2][1] = 9"}, head)

	symbolic := ir.MustParse(counting).Funcs[0]
	symbolic.Vars[1].Init[0] = &ir.Sym{T: ir.I32}
	assert.Panics(t, func() { link.Reset(symbolic) })
}

// Records, unions, pointers, vectors and floating-point numbers are set up again
// just like integers.
func TestResetOfEveryType(t *testing.T) {
	p := inputs(t, "language")
	f := p.Funcs[1]
	p.Claims = []*ir.Claim{p.Claims[1], p.Claims[1], p.Claims[1]}
	require.Error(t, interp.VerifyProgram(p))
	link.Reset(f)
	require.NoError(t, p.Check())
	assert.NoError(t, interp.VerifyProgram(p), "%s", p)
}

func TestGuard(t *testing.T) {
	for _, by := range []link.Counter{link.StaticCounter, link.GlobalCounter} {
		p := ir.MustParse(counting)
		f := p.Funcs[0]
		link.Guard(f, 24, 1, by, p.Claims[0])
		require.NoError(t, p.Check(), "%s", p)
		again := *p.Claims[0]
		again.Path = []int{0, len(f.Blocks) - 1}
		p.Claims = append(p.Claims, &again, &again)
		assert.NoError(t, interp.VerifyProgram(p), "%s", p)
	}
	p := ir.MustParse(counting)
	f := p.Funcs[0]
	link.Reset(f)
	left := link.Guard(f, 24, 2, link.StaticCounter, p.Claims[0])
	assert.Equal(t, "left2", left.Name)
	assert.Equal(t, `func @f(%a i32) i32 {
    static @s i32 = 5
    static @left [2][2]i8 = {1, 2, 3, 4}
    global @k i32 = 7
    static @left2 u32 = 2
    local %answer i32 = 24
  guard:
    if @left2 == 0 goto done else count
  count:
    @left2 = @left2 - 1
    goto entry
  entry:
    @s = 5
    @left[0][0] = 1
    @left[0][1] = 2
    @left[1][0] = 3
    @left[1][1] = 4
    @s = @s + %a
    @left[%a - 2][1] = 9
    goto exit
  exit:
    %answer = @s + i32(@left[1][1]) + @k
    goto done
  done:
    return %answer
}
case f(a = 3) = 24 path guard count entry exit done
`, p.String())
}

// Two functions that call each other for ever end with any counter, after the
// number of real calls that was asked for.
func TestGuardEndsRecursion(t *testing.T) {
	const text = `func @f(%a i32) u32 {
    local %x i32 = 1
  entry:
    %x = i32(@g(7)) + 2
    goto exit
  exit:
    return checksum(%a, %x)
}
func @g(%b u8) i8 {
  entry:
    goto exit
  exit:
    return i8(i32(@f(0) / 4000000000) - 5)
}
`
	endless := ir.MustParse(text)
	_, err := interp.Run(endless.Funcs[0], []int64{0}, interp.Options{})
	require.ErrorIs(t, err, interp.ErrDepth)

	for _, by := range []link.Counter{link.StaticCounter, link.GlobalCounter, link.ParamCounter} {
		for n := range uint32(5) {
			p := ir.MustParse(text)
			lefts := []*ir.Var{
				link.Guard(p.Funcs[0], 77, n, by),
				link.Guard(p.Funcs[1], -5, n, by),
			}
			args := []int64{0}
			if by == link.ParamCounter {
				args = append(args, int64(n))
				for i, f := range p.Funcs {
					for call := range f.Calls() {
						call.Args = append(call.Args, &ir.Binary{
							Op: ir.Sub, X: &ir.Load{Place: &ir.VarRef{Var: lefts[i]}}, Y: &ir.Const{T: ir.U32, V: 1},
						})
					}
				}
			}
			require.NoError(t, p.Check())
			all, real := 0, 0
			_, err := interp.Run(p.Funcs[0], args, interp.Options{Leave: func(c interp.Call) {
				all++
				if len(c.Path) > 2 {
					real++
				}
			}})
			require.NoError(t, err, "%s", p)
			assert.Equal(t, real+1, all, "one call is cut short")
			if by == link.ParamCounter {
				assert.EqualValues(t, n, real, "of all functions together")
			} else {
				assert.EqualValues(t, 2*n, real, "of each function")
			}
		}
	}
}
