package interp

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// integers are the types of operands in Go.
type integers interface {
	int32 | int64 | uint32 | uint64
}

// computed returns what this very compiler makes of an operation, or the trap.
func computed[T integers](op ir.Op, x, y T) (v int64, trap ir.Trap) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case error:
			v, trap = 0, map[string]ir.Trap{
				"runtime error: integer divide by zero": ir.DivideByZero,
				"runtime error: negative shift amount":  ir.NegativeShift,
			}[e.Error()]
		}
	}()
	switch op {
	case ir.Add:
		return int64(x + y), ""
	case ir.Sub:
		return int64(x - y), ""
	case ir.Mul:
		return int64(x * y), ""
	case ir.Div:
		return int64(x / y), ""
	case ir.Rem:
		return int64(x % y), ""
	case ir.And:
		return int64(x & y), ""
	case ir.Or:
		return int64(x | y), ""
	case ir.Xor:
		return int64(x ^ y), ""
	case ir.Shl:
		return int64(x << y), ""
	case ir.Shr:
		return int64(x >> y), ""
	}
	panic("no operator on numbers")
}

// The rules of Go are what Go does, for all operators and types, on edges.
func TestGoRules(t *testing.T) {
	edges := []int64{0, 1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 65, 100, 1 << 30, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1}
	for _, v := range edges {
		edges = append(edges, -v, -v-1)
	}
	of := map[ir.Int]func(ir.Op, int64, int64) (int64, ir.Trap){
		ir.I32: func(op ir.Op, x, y int64) (int64, ir.Trap) { return computed(op, int32(x), int32(y)) },
		ir.I64: func(op ir.Op, x, y int64) (int64, ir.Trap) { return computed(op, x, y) },
		ir.U32: func(op ir.Op, x, y int64) (int64, ir.Trap) { return computed(op, uint32(x), uint32(y)) },
		ir.U64: func(op ir.Op, x, y int64) (int64, ir.Trap) { return computed(op, uint64(x), uint64(y)) },
	}
	m := testMachine()
	rules := *under[Go]
	rules.unordered = false // nothing else is evaluated
	m.at.rules = &rules
	traps := map[ir.Trap]int{}
	check := func(op ir.Op, typ ir.Int, x, y int64) {
		x, y = convert(typ, x), convert(typ, y)
		want, trap := of[typ](op, x, y)
		got, _, err := m.at.binary(op, typ, x, y)
		kind := ir.Trap("")
		if trap := new(Trap); errors.As(err, &trap) {
			kind = trap.Kind
		} else {
			require.NoError(t, err)
		}
		if trap != kind || want != got {
			t.Fatalf("%s %s %s in %s is %d %q, Go says %d %q", typ.Format(x), op, typ.Format(y), typ, got, kind, want, trap)
		}
		traps[kind]++
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, typ := range []ir.Int{ir.I32, ir.I64, ir.U32, ir.U64} {
		for _, op := range ir.Ops() {
			if op.Yields01() {
				continue
			}
			for _, x := range edges {
				for _, y := range edges {
					check(op, typ, x, y)
				}
			}
			for range 25_000 {
				x, y := int64(random.Uint64()), int64(random.Uint64())
				check(op, typ, x>>random.IntN(64), y>>random.IntN(64))
			}
		}
	}
	assert.Len(t, traps, 3)
}

const underText = `
func @f(%a i32) i32 {
    local %x i32
    static @g [3]i32 = {5, 6, 7}
  entry:
    %x = %x + %a
    if %a > 9 goto far else near
  far:
    %x = @g[%a]
    goto exit
  near:
    @g[0] = 100 / (%a - 3)
    %x = -(%a) + @g[0] + (1 << %a)
    goto exit
  exit:
    return %x
}
case f(a = 1) under go = -49 path entry near exit
case f(a = 3) under go traps divide-by-zero path entry near
case f(a = -1) under go traps negative-shift path entry near
case f(a = 10) under go traps out-of-bounds path entry far
case f(a = 1) under wasm = -49 path entry near exit
case f(a = 3) under wasm traps divide-by-zero path entry near
case f(a = -1) under wasm = 2147483624 path entry near exit
`

// Claims hold under the semantics that they name, and print and parse.
func TestUnder(t *testing.T) {
	p := ir.MustParse(underText)
	for _, c := range p.Claims {
		assert.NoError(t, Verify(c), "%s", c)
	}
	assert.Equal(t, p.String(), ir.MustParse(p.String()).String())
	assert.Equal(t, "traps divide-by-zero", p.Claims[1].Answer())
	assert.Equal(t, p.String(), p.Clone().String())

	for name, change := range map[string]func(c *ir.Claim){
		"another kind":   func(c *ir.Claim) { c.Trap = ir.OutOfBounds },
		"no trap":        func(c *ir.Claim) { c.Trap = "" },
		"a shorter path": func(c *ir.Claim) { c.Path = c.Path[:1] },
		"a longer path":  func(c *ir.Claim) { c.Path = append(c.Path, 3) },
		"as in C":        func(c *ir.Claim) { c.Trap, c.Under = "", ir.C },
	} {
		c := *p.Clone().Claims[1]
		change(&c)
		assert.Error(t, Verify(&c), name)
	}

	_, err := Run(p.Funcs[0], []int64{10}, Options{Under: Wasm})
	var ub *UB
	require.ErrorAs(t, err, &ub)
	assert.Equal(t, OutOfBounds, ub.Kind, "an index has no answer there")
	_, err = Run(p.Funcs[0], []int64{1}, Options{})
	require.ErrorAs(t, err, &ub)
	assert.Equal(t, UninitializedRead, ub.Kind)
	r, err := Run(p.Funcs[0], []int64{3}, Options{Under: Go})
	var trap *Trap
	require.ErrorAs(t, err, &trap)
	assert.Equal(t, Trap{Kind: ir.DivideByZero, Func: "f", Block: "near", Step: 1, Stmt: "@g[0] = 100 / (%a - 3)", Detail: "100 / 0 in i32"}, *trap)
	assert.Equal(t, []int64{5, 6, 7}, r.Vars[2], "what traps stores nothing")
}

// A statement that could trap in two ways has no answer in Go, which leaves open
// which it is.
func TestUnordered(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) i32 {
    local %x [2]i32 = {1, 2}
  entry:
    goto exit
  exit:
    return 1 / %a + %x[%a + 5]
}
`)
	_, err := Run(p.Funcs[0], []int64{0}, Options{Under: Go})
	var ub *UB
	require.ErrorAs(t, err, &ub)
	assert.Equal(t, UnspecifiedOrder, ub.Kind)
	_, err = Run(p.Funcs[0], []int64{0}, Options{Under: Wasm})
	var trap *Trap
	assert.True(t, errors.As(err, &trap))
}

// What cannot be is no case.
func TestBadCases(t *testing.T) {
	for line, want := range map[string]string{
		"case f(a = 3) under java = 1 path entry exit":                "unknown semantics",
		"case f(a = 3) under go traps nowhere path entry":             "unknown trap nowhere",
		"case f(a = 3) under go path entry exit":                      `expected "="`,
		"case f(a = 3) traps divide-by-zero path entry":               `expected "="`,
		"case f(a = 3) under go = 1 path entry":                       "does not end at the exit",
		"case f(a = 3) under go traps divide-by-zero path exit entry": "does not begin at the entry",
	} {
		p, err := ir.Parse("func @f(%a i32) i32 {\n  entry:\n    goto exit\n  exit:\n    return %a\n}\n" + line + "\n")
		if err == nil {
			err = p.Check()
		}
		if err == nil {
			err = VerifyProgram(p)
		}
		assert.ErrorContains(t, err, want, line)
	}
}

// In LLVM operations wrap, of wide integers, too; what is poison or undefined there has no answer.
func TestLLVMRules(t *testing.T) {
	for text, want := range map[string]string{
		"%a + 1":                     "-2147483648",
		"-(%a + 1)":                  "-2147483648",
		"abs(%a + 1)":                "-2147483648",
		"%a << 1":                    "-2",
		"-1 << 31":                   "-2147483648",
		"clz(u32(%a - %a))":          "32",
		"i32(bit40(%a) << bit40(9))": "-512",
		"i32(bit33(%a) * bit33(%a))": "1",
		"(%a + 1) / -1":              "SignedOverflow",
		"(%a + 1) % -1":              "SignedOverflow",
		"1 << (%a - %a + 32)":        "ShiftAmount",
		"1 / (%a - %a)":              "DivisionByZero",
	} {
		f := ir.MustParse("func @f(%a i32) i32 {\n  entry:\n    return " + text + "\n}\n").Funcs[0]
		r, err := Run(f, []int64{1<<31 - 1}, Options{Under: LLVM})
		if err != nil {
			assert.ErrorContains(t, err, want, text)
			assert.ErrorAs(t, err, new(*UB), text)
			continue
		}
		assert.Equal(t, want, ir.I32.Format(r.Value), text)
	}
}
