package ll

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wrapped returns a module whose function f has a body of one block.
func wrapped(result, params, body string) string {
	return "@g = global [2 x i32] [i32 5, i32 -1], align 4\n@v = internal global <3 x i16> <i16 1, i16 2, i16 3>\n" +
		"define " + result + " @f(" + params + ") {\n" + body + "\n}\n"
}

// A call comes to what LLVM's reference says: a value, lane by lane, or an error.
func TestRun(t *testing.T) {
	for name, c := range map[string]struct {
		result, params, body string
		args                 []Operand
		want                 string // a constant, or what the error says
	}{
		"wraps":          {"i8", "i8 %a", "%b = add i8 %a, 1\nret i8 %b", []Operand{Number(IntType(8), 127)}, "-128"},
		"nsw":            {"i8", "i8 %a", "%b = add nsw i8 %a, 1\nret i8 %b", []Operand{Number(IntType(8), 127)}, "poison"},
		"odd width":      {"i114", "i114 %a", "%b = lshr i114 %a, 28\n%c = and i114 %b, 50000000000000000\nret i114 %c", []Operand{Number(IntType(114), -1)}, "50000000000000000"},
		"shift too far":  {"<2 x i8>", "", "%b = shl <2 x i8> splat (i8 1), <i8 8, i8 7>\nret <2 x i8> %b", nil, "<i8 poison, i8 -128>"},
		"select":         {"i8", "i1 %a", "%b = select i1 %a, i8 1, i8 poison\nret i8 %b", []Operand{Number(IntType(1), 1)}, "1"},
		"branch":         {"i8", "", "br i1 poison, label %1, label %1\n1:\nret i8 1", nil, "a branch on poison: is undefined"},
		"division":       {"i8", "i8 %a", "%b = sdiv i8 %a, -1\nret i8 %b", []Operand{Number(IntType(8), -128)}, "a quotient that overflows: is undefined"},
		"freeze":         {"i8", "", "%b = freeze i8 undef\nret i8 %b", nil, "a freeze of poison, which has no one value is not known"},
		"memory":         {"i32", "", "store i16 -1, ptr getelementptr inbounds nuw (i8, ptr @g, i64 2)\n%b = load i32, ptr @g, align 4, !tbaa !3\nret i32 %b", nil, "-65531"},
		"packed":         {"i32", "", "%p = alloca <{ i8, i32 }>\nstore <{ i8, i32 }> <{ i8 1, i32 7 }>, ptr %p\n%q = getelementptr i8, ptr %p, i64 1\n%r = getelementptr <{ i8, i32 }>, ptr %p, i64 0, i32 1\nstore i8 9, ptr %r\n%b = load i32, ptr %q\nret i32 %b", nil, "9"},
		"bounds":         {"i32", "", "%p = getelementptr i32, ptr @g, i64 2\n%b = load i32, ptr %p\nret i32 %b", nil, "an access at 8 of 4 bytes to @g, which has 8: is undefined"},
		"a packed lane":  {"i8", "", "%p = alloca [2 x <3 x i24>]\nstore <3 x i24> <i24 1, i24 2, i24 3>, ptr %p\n%q = getelementptr [2 x <3 x i24>], ptr %p, i64 0, i64 0, i64 2\n%b = load i8, ptr %q\nret i8 %b", nil, "3"},
		"not stored":     {"i8", "", "%p = alloca i8, align 1\n%b = load i8, ptr %p\nret i8 %b", nil, "poison"},
		"lanes":          {"<3 x i16>", "", "%b = load <3 x i16>, ptr @v\n%c = shufflevector <3 x i16> %b, <3 x i16> poison, <3 x i32> <i32 2, i32 poison, i32 0>\nret <3 x i16> %c", nil, "<i16 3, i16 poison, i16 1>"},
		"lanes as bits":  {"i16", "", "%b = bitcast <2 x i8> <i8 1, i8 2> to i16\nret i16 %b", nil, "513"},
		"overflow":       {"i1", "i32 %a", "%b = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %a, i32 2)\n%c = extractvalue { i32, i1 } %b, 1\nret i1 %c", []Operand{Number(IntType(32), 1<<30)}, "true"},
		"three ways":     {"<2 x i2>", "<2 x i8> %a", "%b = tail call <2 x i2> @llvm.scmp.v2i2.v2i8(<2 x i8> %a, <2 x i8> splat (i8 -1))\nret <2 x i2> %b", []Operand{Number(&Type{Kind: Vector, N: 2, Elem: IntType(8)}, -2)}, "splat (i2 -1)"},
		"funnel":         {"i8", "i8 %a", "%b = call i8 @llvm.fshl.i8(i8 %a, i8 %a, i8 11)\nret i8 %b", []Operand{Number(IntType(8), 33)}, "9"},
		"saturates":      {"i8", "i8 %a", "%b = call i8 @llvm.usub.sat.i8(i8 %a, i8 9)\nret i8 %b", []Operand{Number(IntType(8), 3)}, "0"},
		"reversed":       {"i16", "", "%b = call i16 @llvm.bswap.i16(i16 256)\nret i16 %b", nil, "1"},
		"reduction":      {"i8", "", "%b = call i8 @llvm.vector.reduce.smax.v2i8(<2 x i8> <i8 -1, i8 -2>)\nret i8 %b", nil, "-1"},
		"compressed":     {"<3 x i8>", "", "%b = call <3 x i8> @llvm.experimental.vector.compress.v3i8(<3 x i8> <i8 1, i8 2, i8 3>, <3 x i1> <i1 false, i1 true, i1 false>, <3 x i8> <i8 4, i8 5, i8 6>)\nret <3 x i8> %b", nil, "<i8 2, i8 5, i8 6>"},
		"unreachable":    {"i8", "", "unreachable", nil, "unreachable is reached in @f: is undefined"},
		"a loop":         {"i32", "", "br label %1\n1:\n%2 = phi i32 [ 0, %0 ], [ %3, %1 ]\n%3 = add i32 %2, 3\n%4 = icmp ult i32 %3, 10\nbr i1 %4, label %1, label %5\n5:\nret i32 %3", nil, "12"},
		"a switch":       {"i32", "i32 %0", "switch i32 %0, label %2 [\n i32 7, label %3\n]\n2:\nret i32 1\n3:\nret i32 2", []Operand{Number(IntType(32), 7)}, "2"},
		"no end":         {"i32", "", "br label %1\n1:\nbr label %1", nil, "does not end"},
		"atomic":         {"i32", "", "%a = load atomic i32, ptr @g seq_cst, align 4\nret i32 1", nil, "is not known"},
		"floating point": {"i32", "i32 %a", "%b = sitofp i32 %a to float\n%c = fmul float %b, 0x3FE0000000000000\n%d = fcmp olt float %c, 2.0\n%e = fptosi float %c to i32\n%f = select i1 %d, i32 %e, i32 -1\nret i32 %f", []Operand{Number(IntType(32), 3)}, "1"},
		"too great":      {"i8", "", "%b = fptoui double 256.0 to i8\nret i8 %b", nil, "poison"},
		"by address":     {"i32", "i1 %a", "%b = select i1 %a, ptr blockaddress(@f, %x), ptr blockaddress(@f, %y)\nindirectbr ptr %b, [label %x, label %y]\nx:\nret i32 1\ny:\nret i32 2", []Operand{Number(IntType(1), 1)}, "1"},
		"a distance":     {"i64", "", "%a = ptrtoint ptr @g to i64\n%b = ptrtoint ptr getelementptr (i32, ptr @g, i64 1) to i64\n%c = sub i64 %b, %a\n%d = sdiv exact i64 %c, ptrtoint (ptr getelementptr (i32, ptr null, i64 1) to i64)\nret i64 %d", nil, "1"},
		"abort":          {"i32", "", "call void @abort() #3\nunreachable", nil, "aborted"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := Parse(wrapped(c.result, c.params, c.body))
			var r Result
			if err == nil {
				m.Steps = 1000
				r, err = m.Run(m.Func("f"), c.args...)
			}
			if err != nil {
				assert.Contains(t, err.Error(), c.want)
				return
			}
			assert.Equal(t, c.want, r.Value.String())
			again, err := Parse(m.String())
			require.NoError(t, err)
			assert.Equal(t, m.String(), again.String(), "what is written is read back")
		})
	}
}

// Where the high byte comes first, so does the first lane.
func TestByteOrder(t *testing.T) {
	m, err := Parse(wrapped("i16", "", "%b = bitcast <2 x i8> <i8 1, i8 2> to i16\nstore i16 %b, ptr @g\n%c = load i8, ptr @g\n%d = zext i8 %c to i16\n%e = mul i16 %d, 3\n%f = add i16 %e, %b\nret i16 %f"))
	require.NoError(t, err)
	m.Big = true
	r, err := m.Run(m.Func("f"))
	require.NoError(t, err)
	assert.Equal(t, "261", r.Value.String())
	m.Big = false
	r, err = m.Run(m.Func("f"))
	require.NoError(t, err)
	assert.Equal(t, "516", r.Value.String())
}

// What clang writes is read without what promises or describes.
func TestParse(t *testing.T) {
	m, err := Parse(`; ModuleID = '-'
source_filename = "-"
target datalayout = "E-S64-m:e"
target triple = "s390x-unknown-linux-gnu"
@.str = private unnamed_addr constant [4 x i8] c"%u\0A\00", align 1
; Function Attrs: nofree
define dso_local noundef signext range(i32 0, 2) i32 @main(ptr noundef readonly captures(none) initializes((0, 4)) %0, i8 zeroext %1) local_unnamed_addr #0 {
  %3 = tail call fastcc zeroext i32 @h(i32 noundef zeroext 0, i64 noundef %9), !range !4 ; a comment
  ret i32 %3
}
declare void @h(i32 zeroext, ...) local_unnamed_addr #1
attributes #0 = { nofree minsize "target-cpu"="z13" "target-features"="+vector" }
!0 = !{i32 1}
`)
	require.NoError(t, err)
	assert.True(t, m.BigEndian())
	assert.Equal(t, `target datalayout = "E-S64-m:e"
target triple = "s390x-unknown-linux-gnu"
@.str = internal constant [4 x i8] [i8 37, i8 117, i8 10, i8 0], align 1

define signext i32 @main(ptr %_0, i8 zeroext %_1) minsize "target-cpu"="z13" "target-features"="+vector" {
  %_3 = call fastcc zeroext i32 @h(i32 zeroext 0, i64 %_9)
  ret i32 %_3
}

declare void @h(i32 zeroext, ...)
`, m.String())
	_, err = Parse("define void @f() {\n  %a = extractvalue { i8 } zeroinitializer, 9\n}\n")
	require.ErrorIs(t, err, ErrUnknown)
	_, err = Parse("define void @f() {\n  fence seq_cst\n}\n")
	require.ErrorIs(t, err, ErrUnknown)
	assert.ErrorContains(t, err, `"fence seq_cst"`)
}

// Texts and runs that would take all memory are not known, or do not end.
func TestBounds(t *testing.T) {
	function := func(body string) string { return "define i32 @f() {\n" + body + "\n}\n" }
	for name, text := range map[string]string{
		"wide integers":    function("%a = add i8000000 0, 0\nret i32 0"),
		"no bits":          function("%a = add i0 0, 0\nret i32 0"),
		"a long vector":    function("%a = add <2000000 x i8> zeroinitializer, zeroinitializer\nret i32 0"),
		"a great array":    "@g = global [1000 x [1000 x [1000 x i8]]] zeroinitializer\n",
		"arrays of none":   "@g = global [1000000 x [1000000 x {}]] zeroinitializer\n",
		"a less than none": "@g = global [-1 x i8] zeroinitializer\n",
		"doubled":          "%a = type { [1000000 x i8] }\n%b = type { %a, %a }\n",
		"nested types":     "@g = external global " + strings.Repeat("[1 x ", 100_000) + "i8" + strings.Repeat("]", 100_000) + "\n",
		"nested operands":  "@g = global " + strings.Repeat("[1 x i8] [ ", 100_000) + "\n",
	} {
		_, err := Parse(text)
		assert.ErrorIs(t, err, ErrUnknown, name)
	}
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"calls":     {"%a = call i32 @f()\nret i32 %a", ErrEndless},
		"variables": {"br label %1\n1:\n%2 = alloca [1000000 x i8]\nbr label %1", ErrUnknown},
	} {
		m, err := Parse(function(c.body))
		require.NoError(t, err)
		_, err = m.Run(m.Func("f"))
		assert.ErrorIs(t, err, c.want, name)
	}
}

// Edits leave functions that can be read, without what is not needed.
func TestEdits(t *testing.T) {
	const source = `define i32 @f(i64 %a, i1 %c) {
entry:
  %p = alloca i32
  store i32 1, ptr %p
  br i1 %c, label %x, label %y
x:
  %b = trunc i64 %a to i32
  br label %z
y:
  br label %z
z:
  %d = phi i32 [ %b, %x ], [ 0, %y ]
  %e = call i32 @h(i32 %d, i64 %a)
  ret i32 %e
}
`
	for name, c := range map[string]struct {
		edit func(f *Func)
		want string
	}{
		"a jump": {func(f *Func) { f.Go(0, "x") }, `
define i32 @f(i64 %a, i1 %b) {
  %c = alloca i32
  store i32 1, ptr %c
  %d = trunc i64 %a to i32
  %e = call i32 @h(i32 %d, i64 %a)
  ret i32 %e
}
`},
		"an early return": {func(f *Func) {
			f.ReturnAfter(Place{1, 0}, Operand{Type: IntType(32), Local: "b"})
			f.Go(0, "x")
			f.Remove(Place{0, 1})
		}, `
define i32 @f(i64 %a, i1 %b) {
  %c = trunc i64 %a to i32
  ret i32 %c
}
`},
		"a sum for a call": {func(f *Func) { f.Go(0, "y"); f.Remove(Place{0, 1}); f.Join(Place{3, 1}, true) }, `
define i64 @f(i64 %a, i1 %b) {
  %c = zext i32 0 to i64
  %d = add i64 %c, %a
  ret i64 %d
}
`},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := Parse(source)
			require.NoError(t, err)
			f := m.Func("f").Clone()
			c.edit(f)
			f.Tidy()
			f.Rename()
			assert.Equal(t, strings.TrimPrefix(c.want, "\n"), f.String())
			m, err = Parse(source)
			require.NoError(t, err)
			assert.Equal(t, source, m.String(), "the original stays")
		})
	}
}
