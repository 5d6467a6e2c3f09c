package ir_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// valid is what each row of the table breaks in one way.
const valid = `func @f(%a i32, %b u8) u32 {
    local %x i32 = ?0
    static @g [2][3]u32 = {1, 2, 3, 4, 5, 6}
    local %c u8
  entry:
    goto b1
  b1:
    %x = %a + i32(%b)
    @g[%x][2] = @g[0][%b] / 2
    if %x < ?1 goto b2 else exit
  b2:
    %c = %b
    goto b1
  exit:
    return checksum(%x, @g)
}
func @g() i8 {
  only:
    return 0
}
case f(a = -5, b = 255) = 4294967295 path entry b1 b2 b1 exit
case g() = -128 path only
`

// i32 returns a constant.
func i32(v int64) ir.Expr { return &ir.Const{T: ir.I32, V: v} }

func assign(f *ir.Function, block, stmt int) *ir.Assign {
	return f.Blocks[block].Stmts[stmt].(*ir.Assign)
}

func TestCheck(t *testing.T) {
	require.NoError(t, ir.MustParse(valid).Check())

	rows := []struct {
		name  string
		spoil func(p *ir.Program, f *ir.Function)
		want  string
	}{
		{"no function", func(p *ir.Program, _ *ir.Function) { p.Funcs[1] = nil }, "function 1 is missing"},
		{"same function name", func(p *ir.Program, _ *ir.Function) { p.Funcs[1].Name = "f" },
			"function @f: another one has the same name"},
		{"function name empty", func(_ *ir.Program, f *ir.Function) { f.Name = "" },
			`function @: name "" is not an identifier`},
		{"function name no identifier", func(_ *ir.Program, f *ir.Function) { f.Name = "1f" },
			`function @1f: name "1f" is not an identifier`},
		{"function name keyword", func(_ *ir.Program, f *ir.Function) { f.Name = "int" },
			`function @int: name "int" is reserved in C`},
		{"function name reserved", func(_ *ir.Program, f *ir.Function) { f.Name = "_Bool" },
			`function @_Bool: name "_Bool" is reserved in C`},
		{"result type", func(_ *ir.Program, f *ir.Function) { f.Result.Bits = 33 },
			"function @f: result: unknown integer type u33"},
		{"symbols negative", func(_ *ir.Program, f *ir.Function) { f.Syms = -1 },
			"function @f: -1 symbols, want 0 to 1048576"},
		{"symbols too many", func(_ *ir.Program, f *ir.Function) { f.Syms = 1<<20 + 1 },
			"function @f: 1048577 symbols, want 0 to 1048576"},

		{"no variable", func(_ *ir.Program, f *ir.Function) { f.Vars[2] = nil },
			"function @f: variable 2 is missing"},
		{"variable name", func(_ *ir.Program, f *ir.Function) { f.Vars[2].Name = "x y" },
			`function @f: variable 2: name "x y" is not an identifier`},
		{"variable keyword", func(_ *ir.Program, f *ir.Function) { f.Vars[2].Name = "__x" },
			`function @f: variable 2: name "__x" is reserved in C`},
		{"same variable name", func(_ *ir.Program, f *ir.Function) { f.Vars[3].Name = "a" },
			"function @f: variable @a: another variable has the same name"},
		{"variable index", func(_ *ir.Program, f *ir.Function) { f.Vars[2].Index = 3 },
			"function @f: variable %x: has index 3, want 2"},
		{"variable kind", func(_ *ir.Program, f *ir.Function) { f.Vars[2].Kind = 4 },
			"function @f: variable @x: unknown kind 4"},
		{"parameter late", func(_ *ir.Program, f *ir.Function) { f.Vars[4].Kind = ir.Param },
			"function @f: variable %c: parameter after another variable"},
		{"parameter array", func(_ *ir.Program, f *ir.Function) { f.Vars[1].Type = ir.Array{Elem: ir.I32, Len: 1} },
			"function @f: variable %b: parameter is an array"},
		{"parameter initialised", func(_ *ir.Program, f *ir.Function) { f.Vars[0].Init = []ir.Expr{i32(0)} },
			"function @f: variable %a: parameter with an initialiser"},
		{"no type", func(_ *ir.Program, f *ir.Function) { f.Vars[2].Type = nil },
			"function @f: variable %x: no type"},
		{"integer type", func(_ *ir.Program, f *ir.Function) { f.Vars[2].Type = ir.Int{Bits: 24, Signed: true} },
			"function @f: variable %x: unknown integer type i24"},
		{"array length", func(_ *ir.Program, f *ir.Function) { f.Vars[3].Type = ir.Array{Elem: ir.U32} },
			"function @f: variable @g: array of length 0, want 1 or more and at most 1048576 scalars"},
		{"array size", func(_ *ir.Program, f *ir.Function) {
			f.Vars[3].Type = ir.Array{Elem: ir.Array{Elem: ir.U32, Len: math.MaxInt}, Len: 2}
		}, "function @f: variable @g: array of length 9223372036854775807, want 1 or more and at most 1048576 scalars"},
		{"array dimensions", func(_ *ir.Program, f *ir.Function) {
			for range ir.MaxDepth {
				f.Vars[3].Type = ir.Array{Elem: f.Vars[3].Type, Len: 1}
			}
		}, "function @f: variable @g: array of more than 500 dimensions"},
		{"variables too large", func(_ *ir.Program, f *ir.Function) {
			f.Vars[3].Type, f.Vars[3].Init = ir.Array{Elem: ir.U32, Len: ir.MaxScalars}, nil
		}, "function @f: variable @g: the variables so far hold more than 1048576 scalars"},
		{"initialiser length", func(_ *ir.Program, f *ir.Function) { f.Vars[3].Init = f.Vars[3].Init[1:] },
			"function @f: variable @g: 5 initial values for 6 scalars"},
		{"initialiser empty", func(_ *ir.Program, f *ir.Function) { f.Vars[4].Init = []ir.Expr{} },
			"function @f: variable %c: 0 initial values for 1 scalars"},
		{"initialiser type", func(_ *ir.Program, f *ir.Function) { f.Vars[3].Init[1] = i32(0) },
			"function @f: variable @g: initial value 1 is i32, want u32"},
		{"initialiser not constant", func(_ *ir.Program, f *ir.Function) {
			f.Vars[2].Init[0] = &ir.Binary{Op: ir.Add, X: i32(1), Y: i32(2)}
		}, "function @f: variable %x: initial value 0 is neither constant nor symbol"},
		{"initialiser does not fit", func(_ *ir.Program, f *ir.Function) { f.Vars[2].Init[0] = i32(1 << 31) },
			"function @f: variable %x: initial value 0: constant 2147483648 does not fit i32"},

		{"no blocks", func(_ *ir.Program, f *ir.Function) { f.Blocks = nil },
			"function @f: no blocks"},
		{"no block", func(_ *ir.Program, f *ir.Function) { f.Blocks[1] = nil },
			"function @f: block 1 is missing"},
		{"block name", func(_ *ir.Program, f *ir.Function) { f.Blocks[1].Name = "goto" },
			`function @f: block 1: name "goto" is reserved in C`},
		{"same block name", func(_ *ir.Program, f *ir.Function) { f.Blocks[1].Name = "entry" },
			"function @f: block entry: another block has the same name"},
		{"block index", func(_ *ir.Program, f *ir.Function) { f.Blocks[1].Index = 2 },
			"function @f: block b1: has index 2, want 1"},
		{"no terminator", func(_ *ir.Program, f *ir.Function) { f.Blocks[1].Term = nil },
			"function @f: block b1: terminator: no terminator"},
		{"no terminator at the exit", func(_ *ir.Program, f *ir.Function) { f.Blocks[3].Term = nil },
			"function @f: block exit: terminator: no terminator"},
		{"return too early", func(_ *ir.Program, f *ir.Function) { f.Blocks[2].Term = f.Blocks[3].Term },
			"function @f: block b2: terminator (return checksum(%x, @g)): returns, but is not the last block"},
		{"no return", func(_ *ir.Program, f *ir.Function) { f.Blocks[3].Term = f.Blocks[2].Term },
			"function @f: block exit: terminator (goto b1): the last block does not return"},
		{"entry has a predecessor", func(_ *ir.Program, f *ir.Function) { f.Blocks[2].Term.(*ir.Goto).To = f.Blocks[0] },
			"function @f: block b2: terminator (goto entry): the entry has a predecessor"},
		{"no target", func(_ *ir.Program, f *ir.Function) { f.Blocks[2].Term.(*ir.Goto).To = nil },
			"function @f: block b2: terminator (goto <nil>): target is not a block of the function"},
		{"foreign target", func(_ *ir.Program, f *ir.Function) {
			f.Blocks[1].Term.(*ir.If).Else = ir.Clone(f).Blocks[3]
		}, "function @f: block b1: terminator (if %x < ?1 goto b2 else exit): target is not a block of the function"},
		{"same targets", func(_ *ir.Program, f *ir.Function) { f.Blocks[1].Term.(*ir.If).Else = f.Blocks[2] },
			"function @f: block b1: terminator (if %x < ?1 goto b2 else b2): both targets are the same"},

		{"no statement", func(_ *ir.Program, f *ir.Function) { f.Blocks[1].Stmts[1] = nil },
			"function @f: block b1: statement 1: missing statement"},
		{"no destination", func(_ *ir.Program, f *ir.Function) { assign(f, 1, 0).Dst = nil },
			"function @f: block b1: statement 0 (<nil> = %a + i32(%b)): missing place"},
		{"no source", func(_ *ir.Program, f *ir.Function) { assign(f, 1, 0).Src = nil },
			"function @f: block b1: statement 0 (%x = <nil>): missing expression"},
		{"no variable referred to", func(_ *ir.Program, f *ir.Function) { assign(f, 1, 0).Dst = &ir.VarRef{} },
			"function @f: block b1: statement 0 (<nil> = %a + i32(%b)): missing variable"},
		{"assigned type", func(_ *ir.Program, f *ir.Function) {
			assign(f, 1, 0).Src.(*ir.Binary).Y = i32(4)
			f.Vars[2].Type = ir.U32
			f.Vars[2].Init = nil
		},
			"function @f: block b1: statement 0 (%x = %a + 4): i32 assigned to u32"},
		{"array assigned", func(_ *ir.Program, f *ir.Function) {
			assign(f, 1, 1).Dst = assign(f, 1, 1).Dst.(*ir.Elem).Base
		}, "function @f: block b1: statement 1 (@g[%x] = @g[0][%b] / 2): @g[%x] is an array, want a scalar"},
		{"array loaded", func(_ *ir.Program, f *ir.Function) {
			assign(f, 2, 0).Src = &ir.Load{Place: &ir.VarRef{Var: f.Vars[3]}}
		}, "function @f: block b2: statement 0 (%c = @g): @g is an array, want a scalar"},
		{"scalar indexed", func(_ *ir.Program, f *ir.Function) {
			assign(f, 2, 0).Dst = &ir.Elem{Base: assign(f, 2, 0).Dst, Index: i32(0)}
		}, "function @f: block b2: statement 0 (%c[0] = %b): %c is not an array"},
		{"index wrong", func(_ *ir.Program, f *ir.Function) { assign(f, 1, 1).Dst.(*ir.Elem).Index = i32(1 << 40) },
			"function @f: block b1: statement 1 (@g[%x][1099511627776] = @g[0][%b] / 2): constant 1099511627776 does not fit i32"},
		{"foreign variable", func(_ *ir.Program, f *ir.Function) {
			assign(f, 1, 0).Dst = &ir.VarRef{Var: ir.Clone(f).Vars[2]}
		}, "function @f: block b1: statement 0 (%x = %a + i32(%b)): variable %x is not one of the function"},
		{"operand types", func(_ *ir.Program, f *ir.Function) {
			assign(f, 1, 0).Src.(*ir.Binary).Y.(*ir.Convert).T = ir.U32
		}, "function @f: block b1: statement 0 (%x = %a + u32(%b)): operands of + are i32 and u32"},
		{"comparison types", func(_ *ir.Program, f *ir.Function) {
			f.Blocks[1].Term.(*ir.If).Cond.(*ir.Binary).Y.(*ir.Sym).T = ir.I64
		}, "function @f: block b1: terminator (if %x < ?1:i64 goto b2 else exit): operands of < are i32 and i64"},
		{"narrow arithmetic", func(_ *ir.Program, f *ir.Function) {
			e := assign(f, 2, 0).Src
			assign(f, 2, 0).Src = &ir.Binary{Op: ir.Add, X: e, Y: &ir.Const{T: ir.U8, V: 1}}
		}, "function @f: block b2: statement 0 (%c = %b + 1): operand of + is u8, want at least 32 bits"},
		{"narrow comparison", func(_ *ir.Program, f *ir.Function) {
			f.Blocks[1].Term.(*ir.If).Cond = &ir.Binary{Op: ir.Ne, X: &ir.Const{T: ir.I16}, Y: &ir.Const{T: ir.I16}}
		}, "function @f: block b1: terminator (if 0:i16 != 0:i16 goto b2 else exit): operand of != is i16, want at least 32 bits"},
		{"operator", func(_ *ir.Program, f *ir.Function) { assign(f, 1, 0).Src.(*ir.Binary).Op = 99 },
			"function @f: block b1: statement 0 (%x = %a Op(99) i32(%b)): operator Op(99) on an integer"},
		{"converted type", func(_ *ir.Program, f *ir.Function) {
			assign(f, 1, 0).Src.(*ir.Binary).Y.(*ir.Convert).T = ir.Int{}
		}, "function @f: block b1: statement 0 (%x = %a + u0(%b)): unknown integer type u0"},
		{"constant type", func(_ *ir.Program, f *ir.Function) { assign(f, 1, 0).Src = &ir.Const{} },
			"function @f: block b1: statement 0 (%x = 0:u0): unknown integer type u0"},
		{"constant does not fit", func(_ *ir.Program, f *ir.Function) {
			assign(f, 2, 0).Src = &ir.Const{T: ir.U8, V: -1}
		}, "function @f: block b2: statement 0 (%c = -1): constant -1 does not fit u8"},
		{"symbol type", func(_ *ir.Program, f *ir.Function) { assign(f, 1, 0).Src = &ir.Sym{ID: 1} },
			"function @f: block b1: statement 0 (%x = ?1:u0): unknown integer type u0"},
		{"symbol negative", func(_ *ir.Program, f *ir.Function) { assign(f, 1, 0).Src = &ir.Sym{T: ir.I32, ID: -1} },
			"function @f: block b1: statement 0 (%x = ?-1): symbol ?-1 is not one of the function's 2"},
		{"symbol too large", func(_ *ir.Program, f *ir.Function) { f.Syms = 1 },
			"function @f: block b1: terminator (if %x < ?1 goto b2 else exit): symbol ?1 is not one of the function's 1"},
		{"symbol twice", func(_ *ir.Program, f *ir.Function) { assign(f, 1, 0).Src = &ir.Sym{T: ir.I32} },
			"function @f: block b1: statement 0 (%x = ?0): symbol ?0 stands in two places"},
		{"condition missing", func(_ *ir.Program, f *ir.Function) { f.Blocks[1].Term.(*ir.If).Cond = nil },
			"function @f: block b1: terminator (if <nil> goto b2 else exit): missing expression"},
		{"result type returned", func(_ *ir.Program, f *ir.Function) { f.Blocks[3].Term = &ir.Return{Val: i32(0)} },
			"function @f: block exit: terminator (return 0): i32 returned as u32"},
		{"checksum returned", func(_ *ir.Program, f *ir.Function) { f.Result = ir.I32 },
			"function @f: block exit: terminator (return checksum(%x, @g)): u32 returned as i32"},
		{"checksum inside", func(_ *ir.Program, f *ir.Function) {
			r := f.Blocks[3].Term.(*ir.Return)
			r.Val = &ir.Convert{T: ir.U32, X: r.Val}
		}, "function @f: block exit: terminator (return u32(checksum(%x, @g))): checksum is a part of an expression"},
		{"checksum of a foreign variable", func(_ *ir.Program, f *ir.Function) {
			f.Blocks[3].Term.(*ir.Return).Val.(*ir.Checksum).Of[1] = ir.Clone(f).Vars[3]
		}, "function @f: block exit: terminator (return checksum(%x, @g)): variable @g is not one of the function"},
		{"tree that contains itself", func(_ *ir.Program, f *ir.Function) {
			e := assign(f, 1, 0).Src.(*ir.Binary)
			e.Y = e
		}, "function @f: block b1: statement 0: expression of more than 500 levels"},
		{"place that contains itself", func(_ *ir.Program, f *ir.Function) {
			e := assign(f, 1, 1).Dst.(*ir.Elem)
			e.Base = e
		}, "function @f: block b1: statement 1: expression of more than 500 levels"},

		{"no case", func(p *ir.Program, _ *ir.Function) { p.Claims[1] = nil },
			"case 1: function is not one of the program"},
		{"case of a foreign function", func(p *ir.Program, f *ir.Function) { p.Claims[0].Func = ir.Clone(f) },
			"case 0: function is not one of the program"},
		{"too few arguments", func(p *ir.Program, _ *ir.Function) { p.Claims[0].Args = []int64{1} },
			"case 0 of @f: 1 arguments for 2 parameters"},
		{"argument does not fit", func(p *ir.Program, _ *ir.Function) { p.Claims[0].Args[1] = 256 },
			"case 0 of @f: argument b = 256 does not fit u8"},
		{"result does not fit", func(p *ir.Program, _ *ir.Function) { p.Claims[0].Want = -1 },
			"case 0 of @f: result -1 does not fit u32"},
		{"path empty", func(p *ir.Program, _ *ir.Function) { p.Claims[0].Path = nil },
			"case 0 of @f: path: does not begin at the entry"},
		{"path begins late", func(p *ir.Program, _ *ir.Function) { p.Claims[0].Path = []int{1, 3} },
			"case 0 of @f: path: does not begin at the entry"},
		{"path stops early", func(p *ir.Program, _ *ir.Function) { p.Claims[0].Path = []int{0, 1} },
			"case 0 of @f: path: does not end at the exit"},
		{"path off an edge", func(p *ir.Program, _ *ir.Function) { p.Claims[0].Path = []int{0, 1, 2, 3} },
			"case 0 of @f: path: step 3: no edge from b2 to exit"},
		{"path past the exit", func(p *ir.Program, _ *ir.Function) { p.Claims[0].Path = []int{0, 1, 3, 3} },
			"case 0 of @f: path: step 3: no edge from exit to exit"},
		{"path to no block", func(p *ir.Program, _ *ir.Function) { p.Claims[0].Path = []int{0, 4} },
			"case 0 of @f: path: step 1: there is no block 4"},
	}
	names := map[string]bool{}
	for _, row := range rows {
		assert.False(t, names[row.name], "two rows %q", row.name)
		names[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			p := ir.MustParse(valid)
			row.spoil(p, p.Funcs[0])
			assert.EqualError(t, p.Check(), row.want)
		})
	}
}
