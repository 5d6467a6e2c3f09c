package reduce_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/reduce"
)

const small = `func @f(%a i32) i32 {
  entry:
    %a = %a * 2
    goto b1
  b1:
    %a = %a + 1
    if %a < 9 goto b1 else exit
  exit:
    return %a
}
case f(a = 1) = 9 path entry b1 b1 b1 b1 b1 b1 b1 exit
`

func TestRunErrors(t *testing.T) {
	broken := errors.New("the compiler has gone")
	answers := func(list ...bool) reduce.Test {
		return func(context.Context, reduce.Candidate) (bool, error) {
			a := list[0]
			list = list[1:]
			return a, nil
		}
	}
	yes := holds(func(*ir.Program) bool { return true })
	for name, c := range map[string]struct {
		change func(p *ir.Program)
		o      reduce.Options
		form   int
		is     error
		says   string
	}{
		"not reproduced":   {o: reduce.Options{Test: answers(false, false)}, is: reduce.ErrNotReproduced, says: "Test says no"},
		"not confirmed":    {o: reduce.Options{Test: yes, Confirm: answers(false, false)}, is: reduce.ErrNotReproduced, says: "Confirm says no"},
		"flaky":            {o: reduce.Options{Test: answers(true, false)}, is: reduce.ErrFlaky, says: "Test"},
		"flaky at first":   {o: reduce.Options{Test: answers(false, true)}, is: reduce.ErrFlaky, says: "Test"},
		"Confirm is flaky": {o: reduce.Options{Test: yes, Confirm: answers(true, false)}, is: reduce.ErrFlaky, says: "Confirm"},
		"broken": {o: reduce.Options{Test: func(context.Context, reduce.Candidate) (bool, error) {
			return false, broken
		}}, is: broken},
		"no case":      {change: func(p *ir.Program) { p.Claims = nil }, o: reduce.Options{Test: yes}, says: "0 cases"},
		"wrong answer": {change: func(p *ir.Program) { p.Claims[0].Want = 8 }, o: reduce.Options{Test: yes}, says: "returns 9, its case says 8"},
		"undefined":    {change: func(p *ir.Program) { p.Claims[0].Args[0] = 2147483647 }, o: reduce.Options{Test: yes}, says: "SignedOverflow"},
		"no such form": {o: reduce.Options{Test: yes, Forms: 2}, form: 2, says: "form 2 of 2"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := ir.Parse(small)
			require.NoError(t, err)
			if c.change != nil {
				c.change(p)
			}
			got, err := reduce.Run(t.Context(), reduce.Candidate{Program: p, Form: c.form}, c.o)
			require.Error(t, err)
			assert.Nil(t, got)
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
			assert.ErrorContains(t, err, c.says)
		})
	}
}

// TestErrorLater has Test fail on the way: the best so far comes back with the
// error.
func TestErrorLater(t *testing.T) {
	broken := errors.New("the disk is full")
	p := parse(t, small)
	calls := 0
	got, err := reduce.Run(t.Context(), reduce.Candidate{Program: p}, reduce.Options{
		Test: func(_ context.Context, c reduce.Candidate) (bool, error) {
			if calls++; calls == 6 {
				return false, broken
			}
			return roundTwice(c.Program), nil
		},
	})
	require.ErrorIs(t, err, broken)
	assert.True(t, roundTwice(got.Program))
	assert.Less(t, len(got.Program.String()), len(small))
}

// TestForms starts with the last way to write the program and ends with the
// plainest that will do.
func TestForms(t *testing.T) {
	got, err := reduce.Run(t.Context(), reduce.Candidate{Program: parse(t, small), Form: 3}, reduce.Options{
		Forms: 4,
		Test: func(_ context.Context, c reduce.Candidate) (bool, error) {
			// Form 1 works once there is no multiplication.
			return roundTwice(c.Program) && (c.Form > 1 || c.Form == 1 && len(c.Program.Funcs[0].Blocks[0].Stmts) == 0), nil
		},
	})
	require.NoError(t, err)
	assert.Equal(t, 1, got.Form)
}

// TestEndless has programs become endless when statements go. None is handed on.
func TestEndless(t *testing.T) {
	p := parse(t, `func @f(%a i32, %b u32) u32 {
    volatile global @v i32
  entry:
    goto b1
  b1:
    @v = %a
    %b = %b + 1
    %a = %a + 1
    if %a < 50 goto b1 else exit
  exit:
    return checksum(%a, %b, @v)
}
case f(a = 1, b = 2) = 0 path entry b1 exit
`)
	most := 0
	got, err := reduce.Run(t.Context(), reduce.Candidate{Program: p}, reduce.Options{
		Test: func(_ context.Context, c reduce.Candidate) (bool, error) {
			most = max(most, len(c.Program.Claims[0].Path))
			return roundTwice(c.Program), nil
		},
	})
	require.NoError(t, err)
	assert.LessOrEqual(t, most, 4*51+1000)
	assert.Positive(t, got.Undefined)
}

// TestUntidy reduces a program whose failure needs a function that nobody calls.
func TestUntidy(t *testing.T) {
	p := parse(t, small+`
func @unused(%x i32) i32 {
  entry:
    return 1
}
`)
	got, err := reduce.Run(t.Context(), reduce.Candidate{Program: p}, reduce.Options{
		Test: holds(func(p *ir.Program) bool { return len(p.Funcs) == 2 && roundTwice(p) }),
	})
	require.NoError(t, err)
	require.Len(t, got.Program.Funcs, 2)
	assert.Empty(t, got.Program.Funcs[0].Blocks[0].Stmts)
	require.NoError(t, interp.VerifyProgram(got.Program))
}

// TestMaxTests ends a reduction early.
func TestMaxTests(t *testing.T) {
	for _, confirm := range []reduce.Test{nil, holds(roundTwice)} {
		for most := 3; most < 15; most++ {
			calls := 0
			got, err := reduce.Run(t.Context(), reduce.Candidate{Program: parse(t, small)}, reduce.Options{
				MaxTests: most, Confirm: confirm,
				Test: func(_ context.Context, c reduce.Candidate) (bool, error) {
					calls++
					return roundTwice(c.Program), nil
				},
			})
			require.NoError(t, err)
			assert.True(t, roundTwice(got.Program))
			assert.Equal(t, most, got.Tests)
			assert.True(t, got.Spent)
			assert.LessOrEqual(t, calls, most)
		}
	}
}
