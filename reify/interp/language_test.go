package interp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// A sample is a list of statements, separated by semicolons, that is undefined
// or gives %a a value.
type sample struct {
	stmts string
	kind  interp.Kind // none if want counts
	want  any         // the int of %a, or the text that the detail begins with
}

const none interp.Kind = -1

// check runs the samples in functions of one block with the declarations. %a is
// i64, and a parameter that is 7.
func check(t *testing.T, decls string, samples []sample) {
	t.Helper()
	for _, s := range samples {
		stmts := strings.ReplaceAll(s.stmts, "; ", "\n    ")
		f := straight(t, "%a i64", "i64", decls, stmts, "%a")
		require.NoError(t, ir.Check(f), "%s", s.stmts)
		r, err := interp.Run(f, []int64{7}, interp.Options{})
		if s.kind == none {
			if assert.NoError(t, err, "%s", s.stmts) {
				assert.EqualValues(t, s.want, r.Value, "%s", s.stmts)
			}
			continue
		}
		var ub *interp.UB
		if !assert.ErrorAs(t, err, &ub, "%s", s.stmts) {
			continue
		}
		assert.Equal(t, s.kind, ub.Kind, "%s: %v", s.stmts, err)
		assert.Equal(t, "entry", ub.Block)
		lines := strings.Split(s.stmts, "; ")
		assert.Equal(t, lines[len(lines)-1], ub.Stmt, "the last statement is the one at fault")
		assert.True(t, strings.HasPrefix(ub.Detail, s.want.(string)), "%s: %s, want %s", s.stmts, ub.Detail, s.want)
	}
}

func TestIntegerOperators(t *testing.T) {
	check(t, `local %z i32 = 0
 local %i i32 = -5
 local %u u32 = 4000000000
 local %b bool = 1
 local %x i32
 volatile local %v i32 = 3`, []sample{
		{"%a = %a & 5 ^ 8 | 16", none, 29},
		{"%a = i64(%i & 255)", none, 251},
		{"%a = i64(~%i)", none, 4},
		{"%a = i64(~%u)", none, 294967295},
		{"%a = i64(-%u)", none, 294967296},
		{"%a = i64(!%i + !%z * 2)", none, 2},
		{"%a = %a << 2", none, 28},
		{"%a = i64(%i >> 1)", none, -3},
		{"%a = i64(%u >> 31)", none, 1},
		{"%a = i64(%u << 1)", none, 3705032704},
		{"%a = %a << 60", none, 7 << 60},
		{"%a = %a << 61", interp.ShiftOverflow, "7 << 61 in i64"},
		{"%a = i64(%i << 0)", interp.ShiftOverflow, "-5 << 0 in i32"},
		{"%a = i64(1 << 31 - %z)", interp.ShiftOverflow, "1 << 31 in i32"},
		{"%a = i64(1 << 30 - %z)", none, 1 << 30},
		{"%a = %a >> 64", interp.ShiftAmount, "7 >> 64 in i64"},
		{"%a = %a >> -1", interp.ShiftAmount, "7 >> -1 in i64"},
		{"%a = i64(%u << 32)", interp.ShiftAmount, "4000000000 << 32 in u32"},
		{"%a = -(-9223372036854775807 - %a / 7)", interp.SignedOverflow, "-(-9223372036854775808) does not fit i64"},
		// Only what is needed is evaluated.
		{"%a = i64(%z && 1 / %z)", none, 0},
		{"%a = i64(%i || 1 / %z)", none, 1},
		{"%a = i64(%i && %u > 3)", none, 1},
		{"%a = i64(%i && 1 / %z)", interp.DivisionByZero, "1 / 0"},
		{"%a = i64(%z ? %x : %i)", none, -5},
		{"%a = i64(%i ? %x : %i)", interp.UninitializedRead, "%x has no value"},
		{"%a = 1 ? 2 : 3", none, 2},
		// A sequence point orders what is on its two sides and nothing else.
		{"%a = i64(%v && %v)", none, 1},
		{"%a = i64(%v ? %v : 1)", none, 3},
		{"%a = i64(!%v || (%v ? %v && %v : 2))", none, 1},
		{"%a = i64((%v && %v) + 1)", none, 2},
		{"%a = i64((%v && %v) + %v)", interp.UnsequencedAccess, "volatile %v is read twice"},
		{"%a = i64(%v + (%z || %v))", interp.UnsequencedAccess, "volatile %v is read twice"},
		{"%a = i64(%v + (1 ? %v : 2))", interp.UnsequencedAccess, "volatile %v is read twice"},
		{"%a = i64(%v ? %v + %v : 2)", interp.UnsequencedAccess, "volatile %v is read twice"},
		{"%a = i64((%v ? 0 : 1) || (%z ? 1 : %v) - %v)", interp.UnsequencedAccess, "volatile %v is read twice"},
		// _Bool asks whether a value is zero.
		{"%b = bool(256); %a = i64(%b)", none, 1},
		{"%b = bool(i32(%b) - 1); %a = i64(%b)", none, 0},
		{"%a = i64(popcount(%u) + clz(%u) * 100 + expect(%z, 1))", none, 13},
		{"%a = i64(ctz(u32(%z)))", interp.BuiltinArgument, "ctz(0)"},
		{"%a = i64(clz(u64(%z)))", interp.BuiltinArgument, "clz(0)"},
		{"%a = abs(%a - 9) + i64(ffs(%z))", none, 2},
		{"%a = abs(-9223372036854775807 - %a / 7)", interp.SignedOverflow, "abs(-9223372036854775808) does not fit i64"},
		{"unreachable", interp.UnreachableReached, "executed"},
		{"assume %z == 0; %a = 4", none, 4},
		{"unreachable unless %u; %a = i64(expect_probably(%z, 1)) + 5", none, 5},
		{"assume %z", interp.UnreachableReached, "the condition of an assumption does not hold"},
		{"unreachable unless %u == 9", interp.UnreachableReached, "the condition of an assumption does not hold"},
		{"assume 1 / %z == 0 || 1", interp.DivisionByZero, "1 / 0"},
	})
}

func TestOverflowBuiltin(t *testing.T) {
	check(t, `local %x i32
 local %u u32 = 4294967295
 local %i i32 = -1
 local %l i64
 local %k [2]i32 = {0, 0}
 local %o bool
 local %n i8
 local %q *i32 = &%k[1]
 local %m i64 = 9223372036854775807`, []sample{
		{"%x, %l = add_overflow(%u, %i); %a = %l * 10 + i64(%x)", none, 42949672940},
		{"%x, %i = add_overflow(%u, %i); %a = i64(%i) * 10 + i64(%x)", none, -19},
		{"%x, %u = sub_overflow(%i, %i); %a = i64(%u) * 10 + i64(%x)", none, 0},
		{"%x, %u = mul_overflow(%m, %m); %a = i64(%u) * 10 + i64(%x)", none, 11},
		{"%o, %n = mul_overflow(%m, -1); %a = i64(%n) * 10 + i64(%o)", none, 11},
		{"%o, %n = add_overflow(%i, -127); %a = i64(%n) * 10 + i64(%o)", none, -1280},
		{"%x, %l = add_overflow(%m, 1); %a = %l + i64(%x)", none, -9223372036854775807},
		{"%k[%k[0]], %k[1] = add_overflow(1, 2); %a = i64(%k[1] * 10 + %k[0])", none, 30},
		{"%k[%k[1]], %k[1] = add_overflow(1, 2)", interp.UnsequencedAccess, "%k[1] is read beside"},
		{"%k[1], *%q = add_overflow(1, 2)", interp.UnsequencedAccess, "%k[1] is stored to twice"},
		{"%x, %u = add_overflow(%l, 2)", interp.UninitializedRead, "%l has no value"},
	})
}

func TestRecords(t *testing.T) {
	check(t, `struct S {x i32, f i32:5, g u8:1, y [2]i64}
 struct T {s S, n [2]S}
 union U {i i32, l i64, s S, h [2]i16, d f64, e [2]f32, v <2>i32, w <2>i32, p *i32, q *i32, t S}
 local %s S = {1, -3, 1, 10, 20}
 local %t T
 local %k S
 local %u U
 local %n i32 = 0
 static @z T
 static @zu U
 volatile local %v S = {1, 2, 0, 3, 4}`, []sample{
		{"%a = %s.y[1] + i64(%s.f) + i64(%s.g)", none, 18},
		{"%s.f = i5(16); %a = i64(%s.f)", none, -16},
		{"%s.g = bool(2); %a = i64(%s.g)", none, 1},
		{"%t.n[1] = %s; %a = %t.n[1].y[0]", none, 10},
		{"%t.n[1] = %s; %a = i64(%t.n[0].x)", interp.UninitializedRead, "%t.n[0].x has no value"},
		{"%s.y[%s.x + 1] = 3", interp.OutOfBounds, "index 2 into [2]i64 in %s"},
		{"%a = @z.n[1].y[1]", none, 0},
		// A record is copied whether it has values or not.
		{"%k.x = 5; %s = %k; %a = i64(%s.x)", none, 5},
		{"%k.x = 5; %s = %k; %a = %s.y[0]", interp.UninitializedRead, "%s.y[0] has no value"},
		{"%s = %s; %a = %s.y[1]", none, 20},
		// A copy reads each scalar of a volatile record once.
		{"%k = %v; %a = %k.y[0]", none, 3},
		{"%v = %k; %a = 1", none, 1},
		{"%t.n[%v.x - 1] = %v", interp.UnsequencedAccess, "volatile %v.x is read twice"},
		// Unions.
		{"%u.i = 3; %a = i64(%u.i)", none, 3},
		{"%u.i = 3; %a = %u.l", interp.InactiveMember, "%u.l is not the member"},
		{"%u.i = 3; %u.l = 4; %a = i64(%u.i)", interp.InactiveMember, "%u.i is not the member"},
		{"%a = %u.l", interp.UninitializedRead, "%u.l has no value"},
		{"%u.s = %s; %u.s.y[0] = 11; %a = %u.s.y[0] + %u.s.y[1]", none, 31},
		{"%u.s = %s; %u.h[1] = 3:i16; %a = i64(%u.h[0])", interp.UninitializedRead, "%u.h[0] has no value"},
		{"%u.l = i64(%n); %a = %u.l", none, 0},
		{"%a = i64(@zu.i)", none, 0},
		{"%a = @zu.l", interp.InactiveMember, "@zu.l is not the member"},
		{"@zu = %u; %a = i64(@zu.i)", interp.UninitializedRead, "@zu.i has no value"},
		{"%u.i = 1; %u.l = i64(%u.i)", interp.OverlappingStore, "%u.i is stored to %u.l"},
		{"%u.i = 1; %u.l = i64(%u.i) + 0; %a = %u.l", none, 1},
		{"%u.h[0] = 1:i16; %u.h[1] = %u.h[0]; %a = i64(%u.h[1])", none, 1},
		{"%u.s = %s; %k = %u.s; %a = %k.y[1]", none, 20},
		{"%u.d = 2.0; %u.l = i64(%u.d)", interp.OverlappingStore, "%u.d is stored to %u.l"},
		{"%u.d = 2.0; %u.e[1] = f32(%u.d)", interp.OverlappingStore, "%u.d is stored to %u.e[1]"},
		{"%u.i = 2; %u.d = f64(%u.i)", interp.OverlappingStore, "%u.i is stored to %u.d"},
		{"%u.d = 2.0; %u.d = %u.d + 1.0; %a = i64(%u.d)", none, 3},
		{"%u.v = <2>i32{1, 2}; %u.w = %u.v", interp.OverlappingStore, "%u.v[0] is stored to %u.w[0]"},
		{"%u.v = <2>i32{1, 2}; %u.v[1] = 7; %a = i64(%u.v[0] + %u.v[1])", none, 8},
		{"%u.v = <2>i32{1, 2}; %u.w[1] = 7; %a = i64(%u.v[0])", interp.InactiveMember, "%u.v[0] is not"},
		{"%u.p = &%n; %u.q = %u.p", interp.OverlappingStore, "%u.p is stored to %u.q"},
		{"%u.p = &%n; %u.p = %u.p; %a = i64(*%u.p)", none, 0},
		{"%u.s = %s; %u.t = %u.s", interp.OverlappingStore, "%u.s.x is stored to %u.t.x"},
		{"%u.i = 1; %k = %u.s", interp.InactiveMember, "%u.s.x is not the member"},
	})
}

func TestPointers(t *testing.T) {
	check(t, `struct S {x i32, c i8, y [2]i64, next *S}
 union U {i i32, l i64}
 local %i i32 = 3
 local %j i32 = 4
 local %c i8 = 1
 local %m [2][3]i32 = {1, 2, 3, 4, 5, 6}
 const local %k i32 = 9
 volatile local %v i32 = 8
 local %s S = {1, 2, 3, 4, null}
 local %r S
 local %u U
 local %p *i32 = &%i
 local %q *i32
 local %n *i32 = null
 local %e *i32 = &%m[0][3]
 local %pc *const i32 = &%k
 local %pv *volatile i32 = &%v
 local %pp **i32 = &%p
 local %row *[3]i32 = &%m[1]
 local %ps *S = &%s
 local %pl *i64 = &%s.y[0]
 local %one i32 = 1
 global @g i32 = 5
 static @gp *i32 = &@g`, []sample{
		{"%a = i64(*%p + *@gp)", none, 8},
		{"*%p = 6; %a = i64(%i)", none, 6},
		{"**%pp = 6; *%pp = &%j; *%p = 10; %a = i64(%i + %j)", none, 16},
		{"*%n = 1", interp.NullDereference, "a pointer to i32 is null"},
		{"%a = i64(*%n)", interp.NullDereference, "a pointer to i32 is null"},
		{"%q = %n + 0", interp.NullDereference, "null + 0"},
		{"%a = i64(*%q)", interp.UninitializedRead, "%q has no value"},
		{"%a = %s.next->y[0]", interp.NullDereference, "a pointer to S is null"},
		{"%pl = &%s.next->y[1]", interp.NullDereference, "a pointer to S is null"},
		{"%q = &*%n; %a = i64(%q == %n)", none, 1},
		{"%s.next = &%s; %a = %s.next->next->y[1]", none, 4},
		{"%r = *%ps; %ps->y[0] = 50; *%ps = %r; %a = %s.y[0]", none, 3},
		// Bounds.
		{"%a = i64((*%row)[2])", none, 6},
		{"%a = i64((*%row)[2 + %one])", interp.OutOfBounds, "index 3 into [3]i32 in %m"},
		{"%a = i64(*%e)", interp.OutOfBounds, "a pointer points behind %m[0][2]"},
		{"%a = i64(*(%e + -1))", none, 3},
		{"%q = &%m[0][0] + 3; %a = i64(%q == %e)", none, 1},
		{"%q = &%m[0][0] + 4", interp.OutOfBounds, "pointer to element 0 of 3, + 4"},
		{"%q = %e + -4", interp.OutOfBounds, "pointer to element 3 of 3, + -4"},
		{"%q = %e + u32(-1)", interp.OutOfBounds, "pointer to element 3 of 3, + 4294967295"},
		{"%q = %p + 1; %q = %q + -1; %a = i64(*%q)", none, 3},
		{"%q = %p + 2", interp.OutOfBounds, "pointer to element 0 of 1, + 2"},
		{"%row = %row + -1; %a = i64((*%row)[1])", none, 2},
		{"%row = %row + 1; %a = i64((*%row)[1])", interp.OutOfBounds, "a pointer points behind %m[1]"},
		{"%q = &%m[1][3 + %one]", interp.OutOfBounds, "index 4 into [3]i32 in %m"},
		{"%a = *(%pl + 1)", none, 4},
		{"%pl = %pl + 3", interp.OutOfBounds, "pointer to element 0 of 2, + 3"},
		// Comparisons and differences.
		{"%a = i64((%p == %n) + (%p != &%j) * 2 + (%p == &%i) * 4)", none, 6},
		{"%a = %e - &%m[0][1]", none, 2},
		{"%a = &%m[0][1] - %e", none, -2},
		{"%a = &%m[1] - &%m[0]", none, 1},
		{"%a = &%m[1][0] - &%m[0][0]", interp.UnrelatedPointers, "%m[1][0] - %m[0][0]"},
		{"%a = %p - %n", interp.UnrelatedPointers, "%i - null"},
		{"%a = i64((&%m[0][2] < &%m[1][0]) + (%e >= &%m[0][1]) * 2)", none, 3},
		{"%a = i64(%p < &%j)", interp.UnrelatedPointers, "%i < %j"},
		{"%a = i64(%n <= %n)", interp.UnrelatedPointers, "null <= null"},
		{"%a = i64(%n <= %p)", interp.UnrelatedPointers, "null <= %i"},
		{"%a = i64(%e == &%m[1][0])", interp.UnrelatedPointers, "behind %m[0][2] == %m[1][0]"},
		{"%a = i64(%p + 1 == &%j)", interp.UnrelatedPointers, "behind %i == %j"},
		{"%a = i64(%p + 1 == &%j + 1)", none, 0},
		// Types.
		{"%a = i64(*cast(*u32, %p) + 1)", none, 4},
		{"*cast(*u32, %p) = 4294967295; %a = i64(%i)", none, -1},
		{"%i = -1; %a = i64(*cast(*u32, %p))", none, 4294967295},
		{"%a = i64(*cast(*u32, &%m[0][0] + 1))", none, 2},
		{"%a = i64(*(cast(*u32, &%m[0][0]) + 1))", none, 2},
		{"%a = i64(*cast(*u16, %p))", interp.StrictAliasing, "%i is i32, accessed as u16"},
		{"%a = i64(*cast(*u8, %p))", interp.StrictAliasing, "%i is i32, accessed as u8"},
		{"%a = i64(*cast(*f32, %p) < 1.0:f32)", interp.StrictAliasing, "%i is i32, accessed as f32"},
		{"%q = cast(*i32, cast(*u8, %p)); %a = i64(*%q)", none, 3},
		{"%q = cast(*i32, cast(*u8, %p) + 1)", interp.StrictAliasing, "arithmetic as for u8"},
		{"%q = cast(*i32, &%c)", interp.Misaligned, "%c is i8, converted to a pointer to i32"},
		{"%q = cast(*i32, cast(*i64, &%q))", interp.Misaligned, "%q is *i32, converted to a pointer to i64"},
		{"%q = cast(*i32, cast(*f32, &%i)); %a = i64(*%q)", none, 3},
		{"%q = cast(*i32, cast(*<2>i32, %pl))", interp.Misaligned, "%s.y[0] is i64, converted to a pointer to <2>i32"},
		{"%q = cast(*i32, &%s); %a = i64(*%q)", none, 1},
		{"%ps = cast(*S, &%s.x); %a = %ps->y[1]", none, 4},
		{"%ps = cast(*S, %pl); %a = %ps->y[1]", interp.StrictAliasing, "%s.y[0] is i64, accessed as S"},
		// Qualifiers.
		{"%a = i64(*%pc)", none, 9},
		{"*cast(*i32, %pc) = 1", interp.ConstWrite, "%k is const"},
		{"%pc = %p; %a = i64(*%pc)", none, 3},
		{"%a = i64(*%pv)", none, 8},
		{"%a = i64(*%pv + *%pv)", interp.UnsequencedAccess, "volatile %v is read twice"},
		{"%a = i64(*%pv + %v)", interp.UnsequencedAccess, "volatile %v is read twice"},
		{"%a = i64(*cast(*i32, %pv))", interp.VolatileAccess, "%v is volatile"},
		{"*cast(*i32, %pv) = 1", interp.VolatileAccess, "%v is volatile"},
		// Into unions.
		{"%u.i = 1; %q = &%u.i; *%q = 2; %a = i64(%u.i)", none, 2},
		{"%u.i = 1; %q = &%u.i; %u.l = 2; %a = i64(*%q)", interp.InactiveMember, "%u.i is not the member"},
		{"%u.i = 1; %pl = &%u.l; *%pl = 2", interp.StrictAliasing, "a store through a pointer makes %u.l"},
		{"%u.i = 1; %pl = &%u.l; %u.l = 2; *%pl = 3; %a = %u.l", none, 3},
		{"%q = &%u.i; %u.l = 2; (&%u)->i = 3; %a = i64(*%q)", none, 3},
		{"%u.i = 1; %q = &%u.i; %u.l = i64(*%q)", interp.OverlappingStore, "%u.i is stored to %u.l"},
	})
}

func TestFloats(t *testing.T) {
	check(t, `local %d f64 = 3
 local %f f32 = 16777216
 local %g f32 = 1
 local %z f64 = 0
 local %x f64
 local %i i32 = 16777217
 local %big f64`, []sample{
		{"%a = i64(%d / 2.0 * 4.0 - 0.5)", none, 5},
		{"%a = i64(-%d)", none, -3},
		{"%x = -1.5; %a = i64(%x)", none, -1},
		{"%a = i64(%d / %z < 1.0)", interp.DivisionByZero, "3 / 0"},
		{"%a = i64(%d / 7.0)", interp.Inexact, "3 / 7 in f64"},
		{"%a = i64(%f + %g)", interp.Inexact, "1.6777216e+07 + 1 in f32"},
		{"%a = i64(%f - %g)", none, 16777215},
		{"%a = i64(f64(%f) + f64(%g))", none, 16777217},
		{"%x = f64(%i); %a = i64(%x)", none, 16777217},
		{"%f = f32(%i)", interp.Inexact, "16777217 is not a number of f32"},
		{"%x = 0.1; %f = f32(%x)", interp.Inexact, "0.1 is not a number of f32"},
		{"%x = 1e+300; %x = %x * %x", interp.Inexact, "1e+300 * 1e+300 in f64"},
		{"%x = 9007199254740992.0; %x = %x + 1.0", interp.Inexact, "9.007199254740992e+15 + 1 in f64"},
		{"%x = 9007199254740991.0; %x = %x + 1.0; %a = i64(%x)", none, 9007199254740992},
		{"%x = 5e-324; %x = %x * 0.5", interp.Inexact, "5e-324 * 0.5 in f64"},
		{"%x = 255.5; %a = i64(u8(%x))", none, 255},
		{"%x = 256.0; %a = i64(u8(%x))", interp.ConversionOutOfRange, "256 does not fit u8"},
		{"%x = -0.5; %a = i64(u8(%x))", none, 0},
		{"%x = -1.0; %a = i64(u8(%x))", interp.ConversionOutOfRange, "-1 does not fit u8"},
		{"%x = 9223372036854775808.0; %a = i64(u64(%x) >> 63)", none, 1},
		{"%x = 9223372036854775808.0; %a = i64(%x)", interp.ConversionOutOfRange, "9.223372036854776e+18 does not fit i64"},
		{"%a = i64(%big < 1.0)", interp.UninitializedRead, "%big has no value"},
		{"%a = i64((%d < 4.0) + (%d == 3.0) * 2 + (%d >= 3.5) * 4)", none, 3},
		// No zero has a sign.
		{"%x = %z * -1.0", interp.Inexact, "0 * -1"},
		{"%x = -(%d - %d)", interp.Inexact, "-(0) has a sign"},
		{"%x = %z - %z", interp.Inexact, "0 - 0"},
	})
}

func TestVectors(t *testing.T) {
	check(t, `local %v <4>i32 = {1, -2, 3, 4}
 local %w <4>i32 = {5, 6, 7, 2147483647}
 local %u <4>u8 = {1, 2, 255, 4}
 local %b <4>i8 = {127, 1, -128, 0}
 local %x <4>i32
 volatile local %q <4>i32 = {1, 2, 3, 4}
 local %p *<4>i32 = &%v
 local %i i32 = 2
 local %r i32`, []sample{
		{"%a = i64(%v[%i] * 10 + %v[1])", none, 28},
		{"%a = i64(%v[%i + 2])", interp.OutOfBounds, "index 4 into <4>i32 in %v"},
		{"%x = %v * %v; %a = i64(%x[0] + %x[1] + %x[2] + %x[3])", none, 30},
		{"%x = %v + %w", interp.SignedOverflow, "4 + 2147483647 does not fit i32"},
		{"%u = %u + %u; %a = i64(%u[2])", none, 254},
		{"%b = -%b", interp.SignedOverflow, "-(-128) does not fit i8"},
		{"%b = %b + %b", interp.SignedOverflow, "127 + 127 does not fit i8"},
		{"%b = ~%b; %a = i64(%b[2])", none, 127},
		{"%u = %u << <4>u8{1, 7, 1, 8}", interp.ShiftAmount, "4 << 8 in u8"},
		{"%u = %u << <4>u8{1, 7, 1, 7}; %a = i64(%u[1]) * 1000 + i64(%u[2])", none, 254},
		{"%x = %v / (%v - %v)", interp.DivisionByZero, "1 / 0"},
		{"%x = %v < %w; %a = i64(%x[0])", none, -1},
		{"%x = %v == %v + <4>i32{0, 1, 0, 1}; %a = i64(%x[0] * 10 + %x[1])", none, -10},
		{"%x = shuffle(%v, %w, 7, 0, 4, 3); %a = i64(%x[2]) * 100 + i64(%x[3])", none, 504},
		{"%x = convert(<4>i32, shuffle(bitcast(<8>u16, %v), bitcast(<8>u16, %w), 2, 3, 15, 0)); %a = i64(%x[0]) * 100 + i64(%x[1] ^ %x[2])", none, 6586168},
		{"%x = shuffle(convert(<2>i32, bitcast(<2>u16, %u)), <2>i32{0, 0}, 0, 1, 1, 0); %a = i64(%x[0]) * 10000 + i64(%x[1])", none, 5131279},
		{"%x = bitcast(<4>i32, bitcast(<2>u64, %v) >> <2>u64{32, 0}); %a = i64(%x[0] * 10 + %x[1])", none, -20},
		{"%x = <4>i32{-1, -1, -1, 5}; %x = bitcast(<4>i32, bitcast(<1>u128, %x) + bitcast(<1>u128, <4>u32{1, 0, 0, 0})); %a = i64(%x[0] * 10 + %x[3])", none, 6},
		{"%x = <4>i32{-1, -1, -1, 2147483647}; %x = bitcast(<4>i32, bitcast(<1>i128, %x) + bitcast(<1>i128, <4>u32{1, 0, 0, 0}))", interp.SignedOverflow, "170141183460469231731687303715884105727 + 1 does not fit i128"},
		{"%x = <4>i32{0, 0, 0, -2147483648}; %x = bitcast(<4>i32, bitcast(<1>i128, %x) < bitcast(<1>i128, <4>u32{1, 0, 0, 0})); %a = i64(%x[0] + %x[3])", none, -2},
		{"%x = shuffle(shuffle(%v, %w, 0, -1, 5) & <3>i32{7, 7, 6}, <3>i32{0, 0, 9}, 0, 2, 5, 0); %a = i64(%x[0] * 100 + %x[1] * 10 + %x[2])", none, 169},
		{"%x = call(%v + call(~%v)); %a = i64(%x[0] + %x[3])", none, -2},
		{"%x = call(%v + %w)", interp.SignedOverflow, "4 + 2147483647 does not fit i32"},
		{"%u = convert(<4>u8, %v); %a = i64(%u[1])", none, 254},
		{"%x[1] = 3; %a = i64(%x[1])", none, 3},
		{"%x[1] = 3; %x = %x + %v", interp.UninitializedRead, "%x[0] has no value"},
		{"%x = %q; %a = i64(%x[3])", none, 4},
		{"%x = %q + %q", interp.UnsequencedAccess, "volatile %q[0] is read twice"},
		{"%a = i64(%q[0] + %q[1])", none, 3},
		{"*%p = *%p + *%p; %a = i64(%v[3] + (*%p)[0])", none, 10},
	})
}

// The operands that are evaluated because of another's value are told, and no others.
func TestChosen(t *testing.T) {
	f := ir.MustParse(`
func @f(%a i32) i32 {
  exit:
    return (%a > 0 && %a < 9 ? 2 : 3) + (%a == 5 || 1 / %a > 7)
}
`).Funcs[0]
	for arg, want := range map[int64][]string{
		5:  {"%a < 9", "2"},
		-1: {"3", "1 / %a > 7"},
		12: {"%a < 9", "3", "1 / %a > 7"},
	} {
		var got []string
		_, err := interp.Run(f, []int64{arg}, interp.Options{Chosen: func(e ir.Expr) { got = append(got, e.String()) }})
		require.NoError(t, err)
		assert.Equal(t, want, got, arg)
	}
}

// ?: of wide integers and of pointers is evaluated as that of integers is.
func TestSelectOfOtherFamilies(t *testing.T) {
	f := parse(t, `
func @f() i32 {
    volatile local %v i32 = 0
    local %a i32 = 0
    local %w u128
    local %p *i32 = &%a
  entry:
    %w = u128(1)
    %w = %v ? %w : %w + %w
    %p = %a == 0 ? %p : &%a
    %a = %v + %v
    return %a
}`)
	var got []string
	_, err := interp.Run(f, nil, interp.Options{Chosen: func(e ir.Expr) { got = append(got, e.String()) }})
	var ub *interp.UB
	require.ErrorAs(t, err, &ub)
	assert.Equal(t, interp.UnsequencedAccess, ub.Kind)
	assert.Equal(t, []string{"%w + %w", "%p"}, got)
}
