//go:build cgo && z3

package z3

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/tools/need"
)

// A rule is a function of two parameters a and b, which the path takes through
// a condition, a statement, and another condition, both of which are to hold:
//
//	if before goto then else exit; then: statement; if after goto last else exit
type rule struct {
	name      string
	t         string // type of the parameters and of x, i32 if empty
	types     string // records
	decl      string // further variables
	before    string // %a == %a if empty
	statement string // %x = %a if empty
	after     string // %a == %a if empty
	ret       string // %x if empty
	sat       bool
}

func (r rule) text() string {
	or := func(s, otherwise string) string {
		if s == "" {
			return otherwise
		}
		return s
	}
	t := or(r.t, "i32")
	return "func @f(%a " + t + ", %b " + t + ") " + t + ` {
    ` + r.types + `
    local %x ` + t + ` = 0
    ` + r.decl + `
  entry:
    goto first
  first:
    if ` + or(r.before, "%a == %a") + ` goto then else exit
  then:
    ` + or(r.statement, "%x = %a") + `
    if ` + or(r.after, "%a == %a") + ` goto last else exit
  last:
    goto exit
  exit:
    return ` + or(r.ret, "%x") + `
}
`
}

const bothLarge = "(%a > 65536) * (%b > 65536)" // 65537 * 65537 is more than 2^32

// The rows are the rules of appendix B, each met in a way that has a model and
// in one that has none, and then what goes beyond SYMLANG.
var rules = []rule{
	{name: "SYMBOL in range", statement: "%x = ?0", after: "%x == 2147483647", sat: true},
	{name: "SYMBOL out of range", decl: "local %n i8 = ?0", after: "i32(%n) > 127"},
	{name: "LOC-VAR in range", before: "%a == 2147483647", sat: true},
	{name: "LOC-VAR out of range", before: "%a > 2147483647"},
	{name: "DECLARE", decl: "local %y i32 = ?0", after: "%y == -77", sat: true},
	{name: "DECLARE and the variable changes", decl: "local %y i32 = ?0", before: "%y == 5", after: "%y == 6"},
	{name: "DECLARE a constant", decl: "local %y i32 = -5", after: "%y == -5", sat: true},
	{name: "DECLARE a global without a value", decl: "global @g i32", after: "@g == 0", sat: true},
	{name: "DECLARE a global, which is zero", decl: "global @g i32", after: "@g != 0"},
	{name: "DECLARE nothing", decl: "local %y i32", after: "%y == 0"},

	{name: "ADD-TERM", before: "%a == 2147483647", statement: "%x = %a + ?0", after: "%x == 2147483640", sat: true},
	{name: "ADD-TERM does not wrap", before: "%a == 2147483647", statement: "%x = %a + ?0", after: "%x == -2147483648"},
	{name: "ADD-TERM overflows", before: "(%a > 2000000000) * (%b > 2000000000)", statement: "%x = %a + %b"},
	{name: "SUB-TERM", before: "%a == -2147483648", statement: "%x = %a - ?0", after: "%x == -2147483647", sat: true},
	{name: "SUB-TERM overflows", before: "(%a < -2000000000) * (%b > 2000000000)", statement: "%x = %a - %b"},
	{name: "MUL-TERM", before: "%a == 3", statement: "%x = %a * ?0", after: "%x == -2147483646 + %b * 0", sat: true},
	{name: "MUL-TERM to the minimum", before: "%a == -65536", statement: "%x = %a * %b", after: "%x == -2147483648", sat: true},
	{name: "MUL-TERM past the maximum", before: "%a == -65536", statement: "%x = %a * %b", after: "%b == -32768"},
	{name: "MUL-TERM minimum by -1", before: "%a == -2147483648", statement: "%x = %a * %b", after: "%b == -1"},
	{name: "MUL-TERM overflows to a small number", before: bothLarge, statement: "%x = %a * %b"},
	{name: "MUL-TERM with no factor", before: "%a == 3", statement: "%x = %a * ?0", after: "%x == 4"},
	{name: "DIV-TERM", before: "%a == -7", statement: "%x = %a / ?0", after: "%x == -3", sat: true},
	{name: "DIV-TERM is not floored", before: "%a == -7", statement: "%x = %a / 2", after: "%x == -4"},
	{name: "DIV-TERM by zero", before: "%b == 0", statement: "%x = %a / %b"},
	{name: "DIV-TERM minimum by -1", before: "%a == -2147483648", statement: "%x = %a / %b", after: "%b == -1"},
	{name: "DIV-TERM minimum by -1, both known", decl: "local %y i32 = -2147483648", statement: "%x = %y / -1 * 3"},
	{name: "DIV-TERM by zero, both known", decl: "local %y i32 = 7", statement: "%x = %y / 0 * 3"},
	{name: "REM-TERM minimum by -1, both known", decl: "local %y i32 = -2147483648", statement: "%x = %y % -1 * 3"},
	{name: "unsigned largest by 1, both known", t: "u64", decl: "local %y u64 = 18446744073709551615", statement: "%x = %y / 1 % %y + 1", after: "%x == 1", sat: true},
	{name: "REM-TERM", before: "%a == -7", statement: "%x = %a % ?0", after: "%x == -1", sat: true},
	{name: "REM-TERM has the sign of the dividend", before: "%a < 0", statement: "%x = %a % ?0", after: "%x > 0"},
	{name: "REM-TERM by zero", before: "%b == 0", statement: "%x = %a % %b"},
	{name: "REM-TERM minimum by -1", before: "%a == -2147483648", statement: "%x = %a % %b", after: "%b == -1"},
	{name: "ADD-EXPR", statement: "%x = %a * ?0 + %b * ?1 + ?2", after: "%x == 123456789", sat: true},
	{name: "ADD-EXPR from left to right", before: "%a == 2147483647", statement: "%x = %a + 1 - 1"},
	{name: "SUB-EXPR", statement: "%x = %a * ?0 - %b * ?1 - ?2", after: "%x == -2147483648", sat: true},
	{name: "SUB-EXPR overflows", before: "%a == -2147483648", statement: "%x = %a * 1 - 1 + 1"},

	{name: "ASSIGN", statement: "%x = %b", after: "(%x == 4) * (%b == 4)", sat: true},
	{name: "ASSIGN and the value differs", statement: "%x = %b", after: "(%x == 4) * (%b == 5)"},
	{name: "CON-JMP <", before: "%a < %b", after: "%b > %a", sat: true},
	{name: "CON-JMP < and >=", before: "%a < %b", after: "%a >= %b"},
	{name: "CON-JMP <=", before: "%a <= %b", after: "%a == %b", sat: true},
	{name: "CON-JMP <= and >", before: "%a <= %b", after: "%a > %b"},
	{name: "CON-JMP == and !=", before: "%a == %b", after: "%a != %b"},
	{name: "CON-JMP any expression", before: "%a - 5", sat: true},
	{name: "CON-JMP any expression, zero", before: "%a - 5", after: "%a == 5"},
	{name: "RETURN", before: "%a == 2147483647", ret: "%a + %b", sat: true},
	{name: "RETURN overflows", before: "(%a > 2000000000) * (%b > 2000000000)", ret: "%a + %b"},
	{name: "RETURN an uninitialised variable", decl: "local %y i32", ret: "%y"},

	{name: "comparison as a value", statement: "%x = (%a < %b) + (%a == 3)", after: "%x == 2", sat: true},
	{name: "comparison is 0 or 1", statement: "%x = %a < %b", after: "%x * %x != %x"},
	{name: "unsigned wraps", t: "u32", before: "%a > 4294967290", statement: "%x = %a + ?0", after: "%x == 2", sat: true},
	{name: "unsigned product wraps", t: "u64", before: "%a == 4294967296", statement: "%x = %a * %a", after: "%x == 0", sat: true},
	{name: "unsigned division", t: "u32", before: "%a == 4294967295", statement: "%x = %a / 2", after: "%x == 2147483647", sat: true},
	{name: "unsigned division by zero", t: "u32", before: "%b == 0", statement: "%x = %a % %b"},
	{name: "unsigned comparison", t: "u64", before: "%a > 9223372036854775807", sat: true},
	{name: "unsigned is not negative", t: "u64", before: "%a < 0"},
	{name: "64 bits", t: "i64", before: "%a == 9223372036854775807", statement: "%x = %a - ?0", after: "%x == 1", sat: true},
	{name: "64 bits overflow", t: "i64", before: "(%a > 4611686018427387904) * (%b > 4611686018427387904) == 1", statement: "%x = %a + %b"},
	{name: "64-bit product overflows", t: "i64", before: "(%a > 4294967296) * (%b > 4294967296) == 1", statement: "%x = %a * %b"},
	{name: "widening keeps the sign", decl: "local %n i8 = -1", statement: "%x = i32(%n)", after: "%x == -1", sat: true},
	{name: "widening an unsigned", decl: "local %n u8 = 255", statement: "%x = i32(%n)", after: "%x == -1"},
	{name: "narrowing wraps", decl: "local %n i8 = 0", before: "%a == 200", statement: "%n = i8(%a)", after: "i32(%n) == -56", sat: true},
	{name: "narrowing to unsigned", decl: "local %n u16 = 0", before: "%a == -1", statement: "%n = u16(%a)", after: "i32(%n) != 65535"},
	{name: "negative to a wider unsigned", decl: "local %n u64 = 0", before: "%a == -1", statement: "%n = u64(%a)", after: "%n == 18446744073709551615", sat: true},

	{name: "element", decl: "static @g [2][3]i32 = {0, 1, 2, 3, 4, 5}", before: "%a == 1", statement: "%x = @g[%a][?0]", after: "%x == 5", sat: true},
	{name: "element in another row", decl: "static @g [2][3]i32 = {0, 1, 2, 3, 4, 5}", before: "%a == 0", statement: "%x = @g[%a][?0]", after: "%x == 5"},
	{name: "index too large", decl: "global @g [4]i32", before: "%a > 3", statement: "%x = @g[%a]"},
	{name: "index too large inside the whole", decl: "global @g [2][3]i32", before: "%a == 3", statement: "%x = @g[0][%a]"},
	{name: "index negative", decl: "global @g [4]i32", before: "%a < 0", statement: "@g[%a] = 1"},
	{name: "index of any type", decl: "global @g [4]i32 = {0, 0, 9, 0}", statement: "%x = @g[u8(%a)]", after: "(%x == 9) * (%a > 255)", sat: true},
	{name: "store and load", decl: "global @g [4]i32", statement: "@g[%a] = ?0", after: "@g[%b] == 7", sat: true},
	{name: "store elsewhere", decl: "global @g [4]i32", before: "%a != %b", statement: "@g[%a] = ?0", after: "@g[%b] == 7"},
	{name: "load what was stored", decl: "local %m [4]i32", statement: "%m[%a] = ?0", after: "%m[%b] == 7", sat: true},
	{name: "load what was not stored", decl: "local %m [4]i32", before: "%a != %b", statement: "%m[%a] = ?0", after: "%m[%b] == %m[%b]"},
}

func TestRules(t *testing.T) {
	need.Long(t)
	full := newSolver(t, Options{})
	narrow := newSolver(t, Options{SymbolBits: 8})
	for i, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			p := parse(t, r.text(), "entry first then last exit")
			for _, s := range []*Solver{full, narrow} {
				m, err := s.Solve(p, stream(i))
				if !r.sat {
					require.ErrorIs(t, err, solve.ErrUnsat)
					continue
				}
				require.NoError(t, err)
				require.NoError(t, follows(p, m))
			}
		})
	}
}

func TestChecksumNeedsValues(t *testing.T) {
	const text = `
func @f(%a i32) u32 {
    local %m [2]i32
  entry:
    goto b1
  b1:
    %m[0] = %a
    %m[%a] = ?0
    goto exit
  exit:
    return checksum(%a, %m)
}
`
	p := parse(t, text, "entry b1 exit")
	m, err := newSolver(t, Options{}).Solve(p, stream(0))
	require.NoError(t, err)
	require.Equal(t, []int64{1}, m.Args, "the only index that initialises all of m")
	require.NoError(t, follows(p, m))
}

// figure1 is the program of Figure 1b, with its input s0 as a parameter.
const figure1 = `
func @func(%b i32) i32 {
    local %a i32 = ?0
    local %c i32 = ?1
  entry:
    goto b1
  b1:
    %c = %a * ?2 + %b * ?3 + ?4
    if %c * ?5 + ?6 <= 0 goto b3 else b2
  b2:
    goto exit
  b3:
    %a = %c * ?7 + ?8
    goto b1
  exit:
    return %a + %b + %c
}
`

func TestFigure1(t *testing.T) {
	for _, bits := range []int{8, FullWidth} {
		p := parse(t, figure1, "entry b1 b3 b1 b2 exit")
		m, err := newSolver(t, Options{SymbolBits: bits}).Solve(p, stream(1))
		require.NoError(t, err)
		require.NoError(t, follows(p, m))
		require.NotContains(t, m.Set, false, "the path meets every symbol")
	}
}

func TestOnlyThePathCounts(t *testing.T) {
	const text = `
func @f(%a i32) i32 {
    local %x i32 = ?0
  entry:
    goto b1
  b1:
    if %a < ?1 goto b2 else exit
  b2:
    %x = %a / 0 + ?2
    goto exit
  exit:
    return %x
}
`
	p := parse(t, text, "entry b1 exit")
	s := newSolver(t, Options{})
	m, err := s.Solve(p, stream(0))
	require.NoError(t, err)
	require.Equal(t, []bool{true, true, false}, m.Set)
	require.NoError(t, follows(p, m))

	_, err = s.Solve(solve.Problem{Func: p.Func, Path: []int{0, 1, 2, 3}}, stream(0))
	require.ErrorIs(t, err, solve.ErrUnsat)
}

func TestPathMustBeOne(t *testing.T) {
	p := parse(t, figure1, "entry")
	s := newSolver(t, Options{})
	for _, path := range [][]int{nil, {1, 2, 4}, {0, 2, 4}, {0, 1, 4}, {0, 1}, {0, 1, 2, 4, 4}, {0, 1, 2, 9}} {
		_, err := s.Solve(solve.Problem{Func: p.Func, Path: path}, stream(0))
		require.Error(t, err, "%v", path)
		require.NotErrorIs(t, err, solve.ErrUnsat)
		require.NotErrorIs(t, err, solve.ErrUnknown)
	}
}

// What belongs to whole programs is refused, not guessed at.
func TestCallsAreRefused(t *testing.T) {
	s := newSolver(t, Options{})
	for _, stmt := range []string{"%x = @f(%a) + 1", "%x = checksum(%a)"} {
		f := ir.MustParse("func @f(%a u32) u32 {\n local %x u32 = ?0\n entry:\n " + stmt + "\n goto exit\n exit:\n return %x\n}").Funcs[0]
		_, err := s.Solve(solve.Problem{Func: f, Path: []int{0, 1}}, stream(0))
		require.ErrorIs(t, err, solve.ErrUnknown, stmt)
	}
}

func TestOptions(t *testing.T) {
	for _, bits := range []int{-1, 1, FullWidth + 1} {
		_, err := New(Options{SymbolBits: bits})
		require.ErrorContains(t, err, "SymbolBits")
	}
	// A budget that is used up at once tells nothing.
	p := parse(t, figure1, "entry b1 b3 b1 b2 exit")
	_, err := newSolver(t, Options{RLimit: 1}).Solve(p, stream(0))
	require.ErrorIs(t, err, solve.ErrUnknown)
}
