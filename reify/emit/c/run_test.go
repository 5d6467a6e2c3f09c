package c

import (
	"fmt"
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

// TestRunGraphs runs random graphs in random styles.
func TestRunGraphs(t *testing.T) {
	need.Long(t)
	s := choice.New([]byte("graphs"))
	var units []Unit
	for len(units) < 64 {
		f := randomFunction(s, "f"+strconv.Itoa(len(units)), s.Range(2, 20))
		args := []int64{int64(s.Intn(1 << 20))}
		r, err := interp.Run(f, args, interp.Options{Fuel: 2000})
		if err != nil {
			continue // it does not end
		}
		units = append(units, Unit{Claim: &ir.Claim{Func: f, Args: args, Want: r.Value, Path: r.Path}, Style: DrawStyle(s)}.Watched(interp.Stored))
	}
	requireRight(t, units)
}

// TestRunExpressions runs every operator on every type, every conversion, and
// random trees of them.
func TestRunExpressions(t *testing.T) {
	need.Long(t)
	s := choice.New([]byte("expressions"))
	types := []ir.Int{ir.Bool, ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64}
	var units []Unit
	add := func(params []ir.Int, result ir.Int, tree func(v []*ir.Var) ir.Expr) {
		f := &ir.Function{Name: "f" + strconv.Itoa(len(units)), Result: result}
		for i, p := range params {
			f.Vars = append(f.Vars, &ir.Var{Name: string(rune('a' + i)), Type: p, Kind: ir.Param, Index: i})
		}
		exit := &ir.Block{Name: "exit", Index: 1}
		exit.Term = &ir.Return{Val: tree(f.Vars)}
		f.Blocks = []*ir.Block{{Name: "entry", Term: &ir.Goto{To: exit}}, exit}
		require.NoError(t, ir.Check(f))
		for range 20 {
			var args []int64
			for _, p := range params {
				args = append(args, drawValue(s, p))
			}
			if r, err := interp.Run(f, args, interp.Options{}); err == nil {
				style := Style{VolatileArgs: s.Chance(1, 2), ImplicitCasts: s.Chance(1, 2), Consts: Consts(s.Intn(int(numConsts)))}
				units = append(units, Unit{Claim: &ir.Claim{Func: f, Args: args, Want: r.Value, Path: r.Path}, Style: style}.Watched(interp.Stored))
				return
			}
		}
	}
	for _, op := range ir.Ops() {
		for _, typ := range types {
			if typ.Bits < 32 {
				continue
			}
			result := typ
			if op.Yields01() {
				result = ir.I32
			}
			add([]ir.Int{typ, typ}, result, func(v []*ir.Var) ir.Expr { return bin(op, load(v[0]), load(v[1])) })
			add([]ir.Int{typ}, result, func(v []*ir.Var) ir.Expr {
				return bin(op, load(v[0]), &ir.Const{T: typ, V: drawValue(s, typ)})
			})
		}
	}
	for _, from := range types {
		for _, to := range types {
			add([]ir.Int{from}, to, func(v []*ir.Var) ir.Expr { return &ir.Convert{T: to, X: load(v[0])} })
			add(nil, to, func([]*ir.Var) ir.Expr {
				return &ir.Convert{T: to, X: &ir.Const{T: from, V: drawValue(s, from)}}
			})
		}
		for _, v := range []int64{from.Min(), from.Max(), 0, from.Wrap(-1)} {
			add(nil, from, func([]*ir.Var) ir.Expr { return &ir.Const{T: from, V: v} })
		}
	}
	for fn := ir.Popcount; fn <= ir.ExpectProbably; fn++ {
		for _, typ := range []ir.Int{ir.I32, ir.U32, ir.I64, ir.U64} {
			if typ.Signed != fn.Signed() || fn.Hints() && typ != ir.I32 {
				continue
			}
			call := func(v []*ir.Var) ir.Expr { return builtin(s, fn, load(v[0])) }
			add([]ir.Int{typ}, ir.IntOf(call([]*ir.Var{{Type: typ}})), call)
		}
	}
	for range 100 {
		result := choice.Pick(s, types)
		add([]ir.Int{choice.Pick(s, types), choice.Pick(s, types)}, result, func(v []*ir.Var) ir.Expr {
			return drawTree(s, v, result, 5)
		})
	}
	require.Greater(t, len(units), 300)
	requireRight(t, units)
	requireCompiles32(t, units)
}

func drawValue(s *choice.Stream, t ir.Int) int64 {
	if s.Chance(1, 2) {
		return t.Wrap(int64(s.Range(-3, 9)))
	}
	return choice.Pick(s, []int64{t.Min(), t.Max(), t.Wrap(t.Max() - 1), t.Wrap(int64(s.Uint64()))})
}

// drawTree returns an expression of type t over the variables v.
func drawTree(s *choice.Stream, v []*ir.Var, t ir.Int, depth int) ir.Expr {
	if depth == 0 || s.Chance(1, 6) {
		if x := load(choice.Pick(s, v)); ir.IntOf(x) == t {
			return x
		} else if s.Chance(1, 2) {
			return &ir.Convert{T: t, X: x}
		}
		return &ir.Const{T: t, V: drawValue(s, t)}
	}
	if t.Bits < 32 || s.Chance(1, 6) {
		from := choice.Pick(s, []ir.Int{ir.I32, ir.U32, ir.I64, ir.U64})
		return &ir.Convert{T: t, X: drawTree(s, v, from, depth-1)}
	}
	sub := func(t ir.Int) ir.Expr { return drawTree(s, v, t, depth-1) }
	wide := []ir.Int{ir.I32, ir.U32, ir.I64, ir.U64}
	switch s.Intn(8) {
	case 0:
		return &ir.Unary{Op: ir.UnOp(s.Intn(2)), X: sub(t)}
	case 1:
		return &ir.Select{If: sub(choice.Pick(s, wide)), X: sub(t), Y: sub(t)}
	case 2:
		if t == ir.I32 {
			return &ir.Unary{Op: ir.LNot, X: sub(choice.Pick(s, wide))}
		}
		if !t.Signed {
			return builtin(s, ir.Bswap, sub(t))
		}
		return builtin(s, ir.Abs, sub(t))
	case 3:
		if t == ir.I32 {
			fn := ir.Fn(s.Intn(int(ir.ExpectProbably) + 1))
			operands := choice.Pick(s, wide)
			operands.Signed = fn.Signed()
			if fn.Hints() || fn == ir.Abs || fn == ir.Bswap {
				return builtin(s, ir.Expect, sub(t))
			}
			return builtin(s, fn, sub(operands))
		}
	}
	op, operands := ir.Op(s.Intn(int(ir.Shr)+1)), t
	if t == ir.I32 && s.Chance(1, 4) {
		op = ir.Lt + ir.Op(s.Intn(8))
		operands = choice.Pick(s, wide)
	}
	if op.Shifts() {
		count := bin(ir.And, sub(operands), &ir.Const{T: operands, V: 7})
		if s.Chance(1, 2) {
			count = &ir.Convert{T: operands, X: &ir.Convert{T: ir.U8, X: bin(ir.And, sub(ir.U32), u32(31))}}
		}
		return bin(op, sub(operands), count)
	}
	return bin(op, sub(operands), sub(operands))
}

func builtin(s *choice.Stream, fn ir.Fn, x ir.Expr) ir.Expr {
	b := &ir.Builtin{Fn: fn, Args: []ir.Expr{x}}
	if fn.Hints() {
		b.Args = append(b.Args, &ir.Const{T: ir.I32, V: drawValue(s, ir.I32)})
	}
	return b
}

// requireCompiles32 compiles for 32 bits, and runs the program where the
// libraries for that are installed. Each of many units is for one of the compilers.
func requireCompiles32(t *testing.T, all []Unit) {
	t.Helper()
	found := compilersFound(t)
	for i, compiler := range found {
		units := share(all, i, len(found))
		text := Emit(units)
		if _, err := compile(t, "int main(void) { return 0; }", compiler, "-m32"); err != nil {
			_, err := compile(t, text, compiler, "-m32", "-O0", "-c")
			require.NoError(t, err)
			need.Partly(t, "m32", "programs of %s -m32 are compiled, but not run: there are no 32-bit libraries", compiler)
			continue
		}
		program, err := compile(t, text, compiler, "-m32", "-O1")
		require.NoError(t, err)
		out, status := execute(t, program)
		require.Equal(t, Want(units), out)
		require.Zero(t, status)
	}
}

// By hand: the CRC-32 of "123456789" is 0xcbf43926, and of no bytes 0.
func TestRunChecksum(t *testing.T) {
	const text = `
func @check(%%n u8) u32 {
    local %%a i16 = %d
    %s @b [2][1]i8 = {51, 52}
    local %%c u32 = %d
  entry:
    goto exit
  exit:
    return checksum(%%a, @b, %%c, %%n)
}
`
	var units []Unit
	for _, kind := range []string{"static", "global", "volatile static"} {
		f := parseOne(t, fmt.Sprintf(text, '1'|'2'<<8, kind, '5'|'6'<<8|'7'<<16|'8'<<24))
		u := unitOf(t, f, []int64{'9'}, Style{Linkage: Extern})
		require.EqualValues(t, 0xcbf43926, u.Claim.Want)
		units = append(units, u)
	}
	empty := parseOne(t, "func @e() u32 {\n  entry:\n    goto x\n  x:\n    return checksum()\n}\n")
	units = append(units, unitOf(t, empty, nil, Style{}))
	require.Zero(t, units[3].Claim.Want)
	requireRight(t, units)
	want := "check_ 3421780262\ncheck__2 3421780262\ncheck__3 3421780262\ne 0\n"
	require.Equal(t, want, Want(units))

	// The program tells a wrong answer, and runs one unit alone.
	wrong := *units[1].Claim
	wrong.Want++
	units[1].Claim = &wrong
	for _, compiler := range compilersFound(t) {
		program, err := compile(t, Emit(units), compiler, "-O1")
		require.NoError(t, err)
		for _, test := range []struct {
			args   []string
			out    string
			status int
		}{
			{nil, want, 1},
			{[]string{"0"}, "check_ 3421780262\n", 0},
			{[]string{"1"}, "check__2 3421780262\n", 1},
			{[]string{"3"}, "e 0\n", 0},
			{[]string{"4"}, "", 2},
		} {
			out, status := execute(t, program, test.args...)
			assert.Equal(t, test.out, out, "%v", test.args)
			assert.Equal(t, test.status, status, "%v", test.args)
		}
		single, err := compile(t, Emit(units[1:2]), compiler, "-O1")
		require.NoError(t, err)
		out, status := execute(t, single)
		assert.Equal(t, "check_ 3421780262\n", out)
		assert.Equal(t, 1, status)
	}
}

// The checksum is called at run time even if all is known at compile time.
func TestChecksumIsNotFolded(t *testing.T) {
	f := parseOne(t, `
func @f() u32 {
    local %a i32 = 3
    local %b [4]i64 = {1, 2, 3, 4}
  entry:
    goto exit
  exit:
    return checksum(%a, %b)
}
`)
	for _, style := range []Style{{}, {Linkage: StaticInline}, {Linkage: Extern, NoInline: true}} {
		text := Emit([]Unit{unitOf(t, f, nil, style)})
		for _, compiler := range compilersFound(t) {
			for _, level := range []string{"-O2", "-O3"} {
				asm := assembly(t, compiler, level, text)
				calls := strings.Count(asm, "call\tcrc32") + strings.Count(asm, "callq\tcrc32") +
					strings.Count(asm, "jmp\tcrc32")
				assert.GreaterOrEqual(t, calls, 5, "%s %s %s", compiler, level, style)
			}
		}
	}
}
