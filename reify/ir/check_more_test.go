package ir_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// language is a function with the given statements and terminator of its entry.
func language(entry string) string {
	return `func @f(%a i32, %b u8) u32 {
    struct S {a i32, b u8, c i32:5, n *S}
    union U {x i64, y [2]i16}
    local %s S
    const static @k [2]i32 = {1, 2}
    local %q S = {1, 2, 3, &%s}
    static @u U = {5, _, _}
    static @g [2][3]i32
    global @p *i32 = &@g[1][3]
    local %pk *const i32 = &@k[2]
    local %f f32 = 3
    local %d f64
    local %v <4>i32
    local %w <4>u8
    local %l i64
    local %o bool
    volatile static @t i32
  entry:
    ` + entry + `
  b1:
    goto exit
  exit:
    return checksum(%s, @g)
}
`
}

// What parses and breaks a rule.
func TestCheckLanguage(t *testing.T) {
	rows := []struct{ entry, want string }{
		{"%s.a = 1", ""},
		{"%s.c = i5(%a)", ""},
		{"%pk = @p", ""},
		{"@k[0] = 1", "@k[0] is const"},
		{"*%pk = 1", "*%pk is const"},
		{"@p = %pk", "*const i32 assigned to *i32"},
		{"@p = &%l", "*i64 assigned to *i32"},
		{"@p = cast(*i32, &%s.c)", "%s.c is a bit-field, which has no address"},
		{"@p = &%v[1]", "%v[1] is a lane, which has no address"},
		{"%a = i32(i5(%a))", "value of type i5, which is for bit-fields"},
		{"%a = i32(3:i5)", "value of type i5, which is for bit-fields"},
		{"%s.c = %s.c", ""},
		{"%a = -%s.c", "operand of - is i5, want at least 32 bits"},
		{"%s.c = -%s.c", "operand of - is i5, want at least 32 bits"},
		{"%a = !%b", "operand of ! is u8, want at least 32 bits"},
		{"%a = %a ? %b : 1", "operands of ?: are u8, want at least 32 bits"},
		{"%a = %a ? %a : i64(1)", "operands of ?: are i32 and i64"},
		{"%a = %a << %l", "operands of << are i32 and i64"},
		{"%a = %a && %l", "operands of && are i32 and i64"},
		{"%a = popcount(%a)", "argument 0 of popcount is i32"},
		{"%a = abs(u32(%a))", "argument 0 of abs is u32"},
		{"%a = expect(%a, %a)", "argument 1 of expect is not a constant"},
		{"%a = @p == &%l", "operands of == are *i32 and *i64"},
		{"%a = @p == %pk", ""},
		{"%a = i32(@p - &%l)", "operands of - are *i32 and *i64"},
		{"%f = 0.1:f32", "constant 0.1 does not fit f32"},
		{"%f = %d", "f64 assigned to f32"},
		{"%d = %d + %f", "operands of + are f64 and f32"},
		{"%a = %d < %f", "operands of < are f64 and f32"},
		{"%a = i32(bool(%d))", "floating-point number converted to bool"},
		{"%v = <4>i32{1, 2, 3}", "3 values for 4 lanes"},
		{"%v = <4>i32{1, 2, 3, %l}", "lane 3 is i64, want i32"},
		{"%v = %w", "<4>u8 assigned to <4>i32"},
		{"%v = %v + convert(<4>u32, %v)", "operands of + are <4>i32 and <4>u32"},
		{"%v = shuffle(%v, %v, 0, 1)", "<2>i32 assigned to <4>i32"},
		{"%v = shuffle(%v, %v, 0, 1, 2, 8)", "there is no lane 8"},
		{"%v = convert(<4>i32, <2>i8{1, 2})", "<2>i8 converted to <4>i32"},
		{"%v = convert(<4>bool, %v)", "vector of bool"},
		{"%v = shuffle(%v, %v, 0)", "vector of 1 lanes, want 2 to 64"},
		{"%v = shuffle(%v, %v, 0, 1, 2, -2)", "there is no lane -2"},
		{"%v = shuffle(%v, %v, 0, -1, 7, 3)", "a lane in which anything may be is assigned"},
		{"%v = shuffle(~shuffle(%v, %v, 0, -1, 7, 3), %v, 0, 2, 3, 0)", ""},
		{"%v = shuffle(~shuffle(%v, %v, 0, -1, 7, 3), %v, 0, 2, 3, 1)", "a lane in which anything may be is assigned"},
		{"%v = shuffle(%v, shuffle(%v, %v, 0, -1, 7, 3) ^ %v, 4, 6, 7, 0)", ""},
		{"%v = shuffle(%v, shuffle(%v, %v, 0, -1, 7, 3) + %v, 4, 6, 7, 0)", "operator + on <4>i32 has lanes in which anything may be"},
		{"%w = shuffle(shuffle(%w, %w, 0, -1, 7, 3) + %w, %w, 0, 2, 2, 0)", ""},
		{"%w = shuffle(shuffle(%w, %w, 0, -1, 7, 3) / %w, %w, 0, 2, 2, 0)", "operator / on <4>u8 has lanes in which anything may be"},
		{"%w = shuffle(shuffle(%w, %w, 0, 1, 7) * shuffle(%w, %w, 1, 1, 1), <3>u8{1, 2, 3}, 0, 5, 2, 4)", ""},
		{"%v = shuffle(-shuffle(%v, %v, 0, 1, 7), <3>i32{1, 2, 3}, 0, 5, 2, 4)", "operator - on <3>i32 has lanes in which anything may be"},
		{"%v = bitcast(<4>i32, convert(<4>u32, %w))", ""},
		{"%v = bitcast(<4>i32, bitcast(<16>u8, bitcast(<2>u64, %v)))", ""},
		{"%v = bitcast(<4>i32, bitcast(<1>i128, %v) + bitcast(<1>i128, %v))", ""},
		{"%v = convert(<4>i32, bitcast(<1>i128, %v))", "<1>i128 converted to <4>i32"},
		{"%v = bitcast(<4>i32, convert(<2>u64, bitcast(<2>u128, convert(<4>u64, %v))))", "<2>u128 converted to <2>u64"},
		{"%v = shuffle(bitcast(<1>u128, %v), bitcast(<1>u128, %v), 0, 1)", "vector of u128"},
		{"%v = bitcast(<4>i32, %w)", "<4>u8 cast to <4>i32"},
		{"%w = shuffle(bitcast(<6>u8, shuffle(convert(<4>u16, %w), convert(<4>u16, %w), 0, 1, 7)), <6>u8{1, 2, 3, 4, 5, 6}, 0, 1, 2, 3)", "<3>u16 cast to <6>u8"},
		{"%v = bitcast(<4>i32, shuffle(%v, %v, 0, -1, 7, 3))", "cast of a lane in which anything may be"},
		{"%v = call(%v ^ call(~%v))", ""},
		{"%v = call(%v)", "call of no operator on vectors"},
		{"%v = call(shuffle(shuffle(%v, %v, 0, -1, 7, 3), %v, 0, 2, 3, 0))", "call with a lane in which anything may be"},
		{"%v = shuffle(call(shuffle(%v, %v, 0, -1, 7, 3)), %v, 0, 2, 3, 0)", "call with a lane in which anything may be"},
		{"%s = @u", "U assigned to S"},
		{"%a, %l = add_overflow(%a, %l)", ""},
		{"%a, %a = add_overflow(%a, %l)", "both destinations are the same"},
		{"%l, %a = add_overflow(%a, %l)", "flag is i64, want i32 or bool"},
		{"%a, %b = add_overflow(%a, %l)", ""},
		{"%o, %b = add_overflow(%a, %l)", ""},
		{"%a, %o = add_overflow(%a, %l)", "%o is bool, want an integer of 8 to 64 bits"},
		{"%a, %s.c = add_overflow(%a, %l)", "%s.c is i5, want an integer of 8 to 64 bits"},
		{"%a, %l = add_overflow(%b, %l)", "operand is u8, want at least 32 bits"},
		{"assume %b", ""},
		{"unreachable unless %a == 7 && @p == null:*i32", ""},
		{"assume @f(1, 2:u8) == u32(%a)", "f is called in an assumption"},
		{"assume %a && *cast(*volatile i32, @p)", "*cast(*volatile i32, @p), which is volatile, in an assumption"},
		{"assume @t == 1", "volatile @t in an assumption"},
		{"switch %a {1: b1, ?0: b1, ?1..7: b1, -3..-1: b1, else b1}", ""},
		{"switch %a {1: b1, 0..5: b1, else b1}", "two labels share a value"},
		{"switch u32(%a) {4294967295: b1, 4294967295: b1, else b1}", "two labels share a value"},
		{"switch u32(%a) {0: b1, 4294967295: b1, else b1}", ""},
		{"switch %a {5..4: b1, else b1}", "label 0: an empty range"},
		{"switch %a {5:i64: b1, else b1}", "label 0: is i64, want i32"},
		{"switch %b {5: b1, else b1}", "operand is u8, want at least 32 bits"},
		{"switch %a {5: entry, else b1}", "the entry has a predecessor"},
	}
	for _, row := range rows {
		entry := row.entry
		if !strings.HasPrefix(entry, "switch") {
			entry += "\n goto b1"
		}
		p, err := ir.Parse(language(entry))
		require.NoError(t, err, row.entry)
		requireRoundTrip(t, p)
		if err = p.Check(); row.want == "" {
			assert.NoError(t, err, row.entry)
		} else if assert.Error(t, err, row.entry) {
			assert.True(t, strings.HasSuffix(err.Error(), ": "+row.want), "%s\n%s", err, row.want)
		}
	}
}

// What only a tree made by hand can be.
func TestCheckByHand(t *testing.T) {
	rows := []struct {
		name  string
		spoil func(f *ir.Function)
		want  string
	}{
		{"no record", func(f *ir.Function) { f.Types[0] = nil }, "record 0 is missing"},
		{"record's name", func(f *ir.Function) { f.Types[0].Name = "int" }, `record 0: name "int" is reserved in C`},
		{"type's name", func(f *ir.Function) { f.Types[0].Name = "i32" }, "record 0: i32 is the name of a type"},
		{"same name", func(f *ir.Function) { f.Types[0].Name = "U" }, "record U: another record has the same name"},
		{"no members", func(f *ir.Function) { f.Types[1].Fields = nil }, "record U: no members"},
		{"member's type", func(f *ir.Function) { f.Types[1].Fields[0].Type = nil }, "record U: member x: no type"},
		{"member's name", func(f *ir.Function) { f.Types[1].Fields[0].Name = "y" }, "record U: member y: another member has the same name"},
		{"wide bit-field", func(f *ir.Function) { f.Types[0].Fields[2].Bits = 33 }, "record S: member c: bit-field of type i32 and width 33"},
		{"recursive", func(f *ir.Function) { f.Types[0].Fields[0].Type = f.Types[0] }, "record S: member a: record S comes later"},
		{"later", func(f *ir.Function) { f.Types[0].Fields[0].Type = f.Types[1] }, "record S: member a: record U comes later"},
		{"array of later ones", func(f *ir.Function) {
			f.Types[0].Fields[0].Type = ir.Pointer{Elem: ir.Array{Elem: f.Types[1], Len: 2}}
		}, "record S: member a: record U comes later"},
		{"foreign record", func(f *ir.Function) { f.Vars[2].Type = &ir.Record{Name: "S"} }, "variable %s: record is not one of the function"},
		{"nil record", func(f *ir.Function) { f.Vars[2].Type = (*ir.Record)(nil) }, "variable %s: record is not one of the function"},
		{"nil pointer", func(f *ir.Function) { f.Vars[2].Type = ir.Pointer{} }, "variable %s: no type"},
		{"float", func(f *ir.Function) { f.Vars[9].Type = ir.Float{Bits: 16} }, "variable %f: unknown floating-point type f16"},
		{"lanes", func(f *ir.Function) { f.Vars[2].Type = ir.Vector{Elem: ir.I32, Lanes: 1} },
			"variable %s: vector of 1 lanes, want 2 to 64"},
		{"const", func(f *ir.Function) { f.Vars[2].Const = true }, "variable %s: const without an initialiser"},
		{"pointers missing", func(f *ir.Function) { f.Vars[4].Ptrs = nil }, "variable %q: 0 pointers among the initial values, want 4"},
		{"pointers alone", func(f *ir.Function) { f.Vars[4].Init = nil }, "variable %q: pointers as initial values without others"},
		{"pointer a number", func(f *ir.Function) { f.Vars[4].Init[3] = i32(0) }, "variable %q: initial value 3 is not of the kind of its scalar"},
		{"union's other member", func(f *ir.Function) { f.Vars[5].Init[1] = &ir.Const{T: ir.I16} },
			"variable @u: initial value 1 is not of the kind of its scalar"},
		{"number missing", func(f *ir.Function) { f.Vars[4].Init[0] = nil }, "variable %q: initial value 0 is neither constant nor symbol"},
		{"address of itself", func(f *ir.Function) { f.Vars[4].Ptrs[3].(*ir.AddrOf).Place.(*ir.VarRef).Var = f.Vars[4] },
			"variable %q: initial value 3 is the address of %q"},
		{"address too far", func(f *ir.Function) { f.Vars[7].Ptrs[0].(*ir.AddrOf).Place.(*ir.Elem).Index = i32(4) },
			"variable @p: initial value 0: index 4 is not a constant in range"},
		{"null as an address", func(f *ir.Function) { f.Vars[7].Ptrs[0] = &ir.Null{T: ir.Pointer{Elem: ir.I32}} },
			"variable @p: initial value 0 is neither null nor an address"},
		{"float too long", func(f *ir.Function) { f.Vars[9].Init[0] = i32(1<<24 + 1) },
			"variable %f: initial value 0: constant 16777217 does not fit f32"},
		{"label missing", func(f *ir.Function) {
			f.Blocks[0].Term = &ir.Switch{X: i32(1), Cases: []ir.SwitchCase{{To: f.Blocks[1]}}, Default: f.Blocks[1]}
		}, "block entry: terminator (switch 1 {<nil>: b1, else b1}): label 0: neither constant nor symbol"},
	}
	for _, row := range rows {
		f := ir.MustParse(language("goto b1")).Funcs[0]
		row.spoil(f)
		assert.EqualError(t, ir.Check(f), "function @f: "+row.want, row.name)
	}
}

// Nodes without any of their parts are errors, not panics, and print.
func TestCheckEmptyNodes(t *testing.T) {
	stmts := []ir.Stmt{&ir.Assign{}, &ir.Overflow{}, &ir.Assume{}, &ir.Transfer{}, &ir.Fill{}}
	for _, e := range []ir.Expr{&ir.FloatConst{}, &ir.FloatConst{T: ir.F64, V: math.NaN()}, &ir.FloatConst{T: ir.F32, V: math.Inf(-1)},
		&ir.Null{}, &ir.Load{}, &ir.Unary{}, &ir.Unary{Op: ir.LNot}, &ir.Unary{Op: 9}, &ir.Binary{}, &ir.Binary{Op: ir.Lt}, &ir.Binary{Op: ir.Shl},
		&ir.Binary{Op: ir.LAnd}, &ir.Binary{Op: 99}, &ir.Select{}, &ir.Convert{}, &ir.Convert{T: ir.I32}, &ir.Cast{}, &ir.Cast{T: ir.I32},
		&ir.Builtin{}, &ir.Builtin{Fn: 99}, &ir.Builtin{Fn: ir.Expect, Args: make([]ir.Expr, 2)},
		&ir.Builtin{Fn: ir.AddOverflows, Args: make([]ir.Expr, 2)}, &ir.Call{}, &ir.AddrOf{}, &ir.PtrAdd{}, &ir.VecOf{}, &ir.Shuffle{}, &ir.VecCall{}} {
		stmts = append(stmts, &ir.Assign{Src: e}, &ir.Assign{Src: &ir.Load{Place: &ir.Deref{X: e}}},
			&ir.Assign{Src: &ir.Load{Place: &ir.Member{Base: &ir.Deref{X: e}}}})
	}
	for _, p := range []ir.Place{&ir.VarRef{}, &ir.Elem{}, &ir.Member{}, &ir.Deref{}} {
		stmts = append(stmts, &ir.Assign{Src: &ir.Load{Place: p}}, &ir.Assign{Dst: p}, &ir.Assign{Dst: p, Src: i32(1)})
	}
	for _, s := range stmts {
		f := ir.MustParse(language("goto b1")).Funcs[0]
		f.Blocks[0].Stmts = []ir.Stmt{s}
		assert.Error(t, ir.Check(f), "%T %s", s, s)
	}
	f := ir.MustParse(language("goto b1")).Funcs[0]
	f.Blocks[0].Term = &ir.Switch{}
	assert.Error(t, ir.Check(f))
}
