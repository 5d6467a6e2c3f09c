package c

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// TestRunInputs runs random graphs in random styles, with up to four inputs
// each. All of them count in memory what they visit, so that a call that does
// not begin as in a new program gives another answer.
func TestRunInputs(t *testing.T) {
	need.Long(t)
	s := choice.New([]byte("inputs"))
	var units []Unit
	lines, memory := 0, 0
	for len(units) < 48 {
		f := randomFunction(s, "f"+strconv.Itoa(len(units)), s.Range(2, 12))
		var cases []*ir.Claim
		for range s.Range(2, 8) {
			args := []int64{int64(s.Intn(1 << 20))}
			r, err := interp.Run(f, args, interp.Options{Fuel: 2000})
			if err == nil && len(cases) < 4 {
				cases = append(cases, &ir.Claim{Func: f, Args: args, Want: r.Value, Path: r.Path})
			}
		}
		if len(cases) < 2 {
			continue
		}
		u := Unit{Claim: cases[0], Style: DrawStyle(s), More: cases[1:]}.Watched(interp.Stored)
		u.Style.Declared = DrawDeclared(s)
		units = append(units, u)
		lines += len(cases)
		if strings.Contains(callsOf(Emit([]Unit{u})), "    f"+strconv.Itoa(len(units)-1)+"_h = 0u;\n") {
			memory++
		}
		units[len(units)-1].Style.Rows = len(units)%2 == 0
	}
	assert.Equal(t, lines, strings.Count(Want(units), "\n"))
	assert.Greater(t, memory, 30, "functions that assign to memory")
	requireRight(t, units)
}

// TestWrongFurtherAnswer: the program tells a wrong answer whichever of the
// calls gives it, and makes the other calls all the same.
func TestWrongFurtherAnswer(t *testing.T) {
	f := parseOne(t, `
func @f(%a i32) i32 {
    static @s i32 = 40
  entry:
    goto b1
  b1:
    @s = @s + %a
    goto exit
  exit:
    return @s
}
`)
	for wrong := range 4 { // the last: none
		u := unitOf(t, f, []int64{1}, Style{VolatileArgs: true})
		u.More = []*ir.Claim{unitOf(t, f, []int64{2}, Style{}).Claim, unitOf(t, f, []int64{3}, Style{}).Claim}
		status := 0
		if wrong < 3 {
			status = 1
			u.claims()[wrong].Want++
		}
		for _, compiler := range compilersFound(t) {
			program, err := compile(t, Emit([]Unit{u, u}), compiler, "-O1")
			require.NoError(t, err)
			out, got := execute(t, program, "0")
			assert.Equal(t, "f 41\nf#2 42\nf#3 43\n", out)
			assert.Equal(t, status, got)
			out, got = execute(t, program)
			assert.Equal(t, "f 41\nf#2 42\nf#3 43\nf_2 41\nf_2#2 42\nf_2#3 43\n", out)
			assert.Equal(t, status, got)
		}
	}
}

func TestAnswers(t *testing.T) {
	f := parseOne(t, "func @f(%a u64) u64 {\n  entry:\n    goto x\n  x:\n    return %a\n}\n")
	one, two := unitOf(t, f, []int64{7}, Style{}), unitOf(t, f, []int64{8}, Style{})
	one.More = []*ir.Claim{unitOf(t, f, []int64{-1}, Style{}).Claim}
	assert.Equal(t, []string{"f 7\nf#2 18446744073709551615\n", "f_2 8\n"}, Answers([]Unit{one, two}))
	assert.Equal(t, "f 7\nf#2 18446744073709551615\nf_2 8\n", Want([]Unit{one, two}))
}

func TestEmitCaseOfAnotherFunction(t *testing.T) {
	f, g := randomFunction(choice.New(nil), "f", 5), randomFunction(choice.New(nil), "g", 5)
	assert.PanicsWithValue(t, "emit/c: a case of g in a unit of f", func() {
		Emit([]Unit{{Claim: &ir.Claim{Func: f, Args: []int64{1}}, More: []*ir.Claim{{Func: g, Args: []int64{1}}}}})
	})
}
