package llvm

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/llvm/ll"
	"goreify/tools/need"
)

// seeded is a function in which a fault of products is hidden. Its caller prints the result.
const seeded = `@g = global i32 7, align 4
@text = private constant [4 x i8] c"%d\0A\00"

declare i32 @printf(ptr, ...)
declare i32 @llvm.bswap.i32(i32)

define internal i32 @hash(i32 %a, i64 %b) noinline {
  %c = trunc i64 %b to i32
  %d = xor i32 %a, %c
  ret i32 %d
}

define i32 @work(i32 signext %a) {
entry:
  %g = load i32, ptr @g
  %p = icmp sgt i32 %a, 3
  br i1 %p, label %x, label %y
x:
  %m = mul nsw i32 %a, %g
  %w = call i32 @llvm.bswap.i32(i32 %m)
  br label %y
y:
  %r = phi i32 [ 0, %entry ], [ %w, %x ]
  %e = sext i32 %r to i64
  %h = call i32 @hash(i32 %g, i64 %e)
  ret i32 %h
}

define i32 @main() {
  %r = call i32 @work(i32 signext 9)
  %n = call i32 (ptr, ...) @printf(ptr @text, i32 signext %r)
  %w = icmp ne i32 %r, 1056964615
  %z = zext i1 %w to i32
  ret i32 %z
}
`

// A compiler that adds for a product is shown by a product alone, and a right one by
// nothing.
func TestReduce(t *testing.T) {
	need.Long(t)
	clangs, ws := found(t, "clang-24@trunk")
	tools, err := Beside(clangs[0], ws, compilers.DefaultLimits())
	require.NoError(t, err)
	m, err := ll.Parse(seeded)
	require.NoError(t, err)
	calls, err := m.Watch(m.Func("main"))
	require.NoError(t, err)
	require.Equal(t, "0", calls["main"].Value.String())
	j, err := tools.newCoder(t.Context(), tools.llc("-O2"), compilers.WrongAnswer)
	require.NoError(t, err)
	s := &search{Tools: tools, m: m}
	_, err = s.reduce(t.Context(), j, starts(m, calls, true))
	require.ErrorIs(t, err, errNotShown)
	right := j.bad.make
	j.bad.make = func(ctx context.Context, ir, kind string) ([]byte, compilers.Outcome) {
		return right(ctx, strings.ReplaceAll(ir, " mul ", " add "), kind)
	}
	c, err := s.reduce(t.Context(), j, starts(m, calls, true))
	require.NoError(t, err)
	assert.Equal(t, `define i32 @f(i32 %a) {
  %b = mul i32 %a, 7
  ret i32 %b
}
`, c.F.String())
	assert.Equal(t, "f(i32 0)", c.call())
}

// LLVM's tools stand beside clang, and beside no other compiler.
func TestBeside(t *testing.T) {
	compilersHere, ws := found(t, "gcc-17@trunk", "clang-23@trunk")
	_, err := Beside(compilersHere[0], ws, compilers.DefaultLimits())
	require.ErrorContains(t, err, "is no clang")
	_, err = Beside(compilersHere[1], ws, compilers.DefaultLimits())
	require.ErrorContains(t, err, "there is no llc beside clang-23@trunk")
}

func TestSelection(t *testing.T) {
	assert.Equal(t, []string{"-O2"}, selection([]string{"-march=z13"}, "-Os"))
	assert.Equal(t, []string{"-O1", "-global-isel", "-global-isel-abort=2", "-x"}, selection([]string{"-fglobal-isel", "-mllvm", "-x"}, "-O1"))
}

// A content judge takes every candidate.
type content struct{ judge }

func (content) answers() bool { return true }

func (content) holds(_ context.Context, _ *ll.Module, list []Candidate, _ []ll.Value) ([]bool, error) {
	return slices.Repeat([]bool{true}, len(list)), nil
}

// A breaking judge wants no answer.
type breaking struct{ content }

func (breaking) answers() bool { return false }

// A judge that wants arguments finds the fewest features, and -O0 where it selects alike.
func TestFewest(t *testing.T) {
	m, err := ll.Parse("define i64 @f(i64 %a) {\n  ret i64 0\n}\n")
	require.NoError(t, err)
	f := m.Func("f")
	for _, tt := range []struct{ wants, args, fewest string }{
		{`\+v(,|$)`, "-mattr=+i,+v,+zicsr", "-mattr=+v"},
		{`\+msa.*\+fp64`, "-mattr=+x,+msa,+y,+fp64", "-mattr=+msa,+fp64"},
		{`-O0|-global-isel`, "-global-isel -global-isel-abort=2", "-O0"},
		{`-global-isel`, "-global-isel -global-isel-abort=2", "-global-isel"},
	} {
		s := &search{m: m, args: strings.Fields(tt.args)}
		_, err := s.plain(t.Context(), Candidate{f, []ll.Operand{ll.Number(f.Params[0].Type, 1)}}, func(args []string) judge {
			if regexp.MustCompile(tt.wants).MatchString(strings.Join(args, " ")) {
				return content{}
			}
			return refusing{}
		})
		require.NoError(t, err)
		assert.Equal(t, tt.fewest, strings.Join(s.args, " "))
	}
}

// An old version reads vectors of equal lanes one by one.
func TestReads(t *testing.T) {
	new := "  %c = shl <2 x i8> %a, splat (i8 1)\n  %d = call <3 x i4> @g(<3 x i4> splat (i4 -1), <1 x i8> splat (i8 7))\n"
	assert.Equal(t, new, other{number: 21}.reads(new))
	assert.Equal(t, "  %c = shl <2 x i8> %a, <i8 1, i8 1>\n  %d = call <3 x i4> @g(<3 x i4> <i4 -1, i4 -1, i4 -1>, <1 x i8> <i8 7>)\n", other{number: 14}.reads(new))
}

// What the function says of the processor stays where vectors are passed: the caller relies on it.
// Arguments go as the judge allows.
func TestPlain(t *testing.T) {
	for _, tt := range []struct {
		head  string
		judge judge
		attrs int
		args  string
	}{
		{"i64 @f(i64 %a)", content{}, 0, "-mcpu=c -mattr=+v"},
		{"<2 x i64> @f(i64 %a)", content{}, 2, ""},
		{"i64 @f(<2 x i64> %a)", content{}, 2, ""},
		{"<2 x i64> @f(i64 %a)", breaking{}, 0, "-mcpu=c -mattr=+v"},
	} {
		result, _, _ := strings.Cut(tt.head, " @")
		m, err := ll.Parse("define " + tt.head + " \"target-cpu\"=\"c\" \"target-features\"=\"+v\" {\n  ret " + result + " zeroinitializer\n}\n")
		require.NoError(t, err)
		f := m.Func("f")
		s := &search{m: m, args: []string{"-O2", "-mattr=+v", "-mcpu=x"}}
		assert.Equal(t, "-O0 -mattr=+v -mcpu=x", strings.Join(unoptimised(s.args), " "))
		c, err := s.plain(t.Context(), Candidate{f, []ll.Operand{ll.Number(f.Params[0].Type, 1)}}, func([]string) judge { return tt.judge })
		require.NoError(t, err)
		assert.Len(t, c.F.Attrs, tt.attrs, tt.head)
		assert.Equal(t, tt.args, strings.Join(s.args, " "), tt.head)
	}
}

// sample is a test as it is written.
var sample = &Test{
	IR: "define i8 @f() {\n  ret i8 1\n}\n", Tool: "llc", Args: []string{"-mtriple=s390x-linux-gnu"},
	Call: "f()", Want: "1", Got: "2", Good: []string{"llc -O0"}, DiffTo: "llc -O0",
	Diff:    difference(instructions("f:\n\tlhi %r2, 1 # one\n\tbr %r14\n"), instructions("\t.globl f\n\tlhi %r2, 2\n\tbr %r14\n")),
	Targets: []Asked{{"aarch64-linux-gnu", false}, {"powerpc64-linux-gnu", true}},
}

func TestString(t *testing.T) {
	assert.Equal(t, `; RUN: llc -mtriple=s390x-linux-gnu < %s
;
; f() is 1, and 2 here.
; right: llc -O0
; elsewhere wrong: powerpc64-linux-gnu; right: aarch64-linux-gnu

define i8 @f() {
  ret i8 1
}

; the code of llc -O0 (-), and here (+):
; - lhi %r2, 1
; + lhi %r2, 2
;   br %r14
`, sample.String())
	far := *sample
	far.Diff, far.Code = nil, []string{"  lhi %r2, 2"}
	assert.Contains(t, far.String(), "}\n\n; the code here:\n;   lhi %r2, 2\n")
	assert.Equal(t, "llc -mtriple=s390x-linux-gnu < reduced.ll", sample.Run("reduced.ll"))
	assert.True(t, IsRun(sample.Run("reduced.ll")))
	for _, line := range []string{"", "llc", "llc -o x < reduced.ll", "sh < reduced.ll", "llc -o=x < reduced.ll", "llc -x; touch y < reduced.ll", "opt -load-pass-plugin=x.so < reduced.ll", "opt -passes=a < reduced.ll\ntouch x", "llc < /etc/x.ll"} {
		assert.False(t, IsRun(line), line)
	}
	assert.Equal(t, "wrong: powerpc64-linux-gnu; right: aarch64-linux-gnu", sample.Elsewhere())
}

// A test that runs compares what its call returns, lane by lane.
func TestRunnable(t *testing.T) {
	vectors := *sample
	vectors.Want, vectors.Tool, vectors.Args = "<i8 1, i8 poison>", "opt", []string{"-mtriple=riscv64-linux-gnu", "-passes=gvn", "-S"}
	vectors.IR = "define <2 x i8> @f() {\n  ret <2 x i8> splat (i8 1)\n}\n"
	for test, want := range map[*Test]string{sample: `; RUN: llc -mtriple=s390x-linux-gnu %s -relocation-model=pic -filetype=obj -o %t.o
; RUN: %cc %t.o -o %t
; RUN: timeout 10 %run %t


define i8 @f() {
  ret i8 1
}

define i32 @main() {
  %r = call i8 @f()
  %w.0 = add i1 false, false
  %c.0 = icmp ne i8 %r, 1
  %w.1 = or i1 %w.0, %c.0
  %s = zext i1 %w.1 to i32
  ret i32 %s
}
`, &vectors: `; RUN: opt -mtriple=riscv64-linux-gnu -passes=gvn -S %s | llc -O0 -mtriple=riscv64-linux-gnu -target-abi=lp64d -relocation-model=pic -filetype=obj -o %t.o
; RUN: %cc %t.o -o %t
; RUN: timeout 10 %run %t


define <2 x i8> @f() {
  ret <2 x i8> splat (i8 1)
}
define i32 @main() {
  %r = call <2 x i8> @f()
  %w.0 = add i1 false, false
  %l.0 = extractelement <2 x i8> %r, i32 0
  %c.0 = icmp ne i8 %l.0, 1
  %w.1 = or i1 %w.0, %c.0
  %s = zext i1 %w.1 to i32
  ret i32 %s
}
`} {
		test := *test
		if test.Tool == "opt" {
			test.Diff = nil
		}
		text, err := Runnable(test.String())
		require.NoError(t, err)
		assert.Equal(t, want, text)
		m, err := ll.Parse(text)
		require.NoError(t, err)
		r, err := m.Run(m.Func("main"))
		require.NoError(t, err)
		assert.Equal(t, "0", r.Value.String())
	}
	_, err := Runnable("; RUN: llc < %s\n")
	require.Error(t, err)
}

// A test of LLVM's suite passes with right code, and fails with wrong code.
func TestLit(t *testing.T) {
	text, err := Lit(sample.String())
	require.NoError(t, err)
	assert.Equal(t, `; RUN: llc -mtriple=s390x-linux-gnu < %s | FileCheck %s

define i8 @f() {
  ret i8 1
}

; CHECK-LABEL: f:
; CHECK-NOT: {{^[[:space:]]*}}lhi %r2, 2{{[[:space:]]*$}}
`, text)
	_, err = Lit("; RUN: llc < %s\n\n; + a\n;   a\n")
	require.ErrorIs(t, err, errNoLine)
	clangs, ws := found(t, "clang-24@trunk")
	tools, err := Beside(clangs[0], ws, compilers.DefaultLimits())
	require.NoError(t, err)
	code, o := tools.llc("-mtriple=s390x-linux-gnu").make(t.Context(), text, assembly)
	require.Equal(t, compilers.OK, o.Verdict, "%s", o.Stderr)
	require.Contains(t, string(code), "lhi\t%r2, 1")
	for _, code := range [][]byte{code, bytes.ReplaceAll(code, []byte("%r2, 1"), []byte("%r2, 2"))} {
		dir, err := ws.NewDir(compilers.File{Name: "test.ll", Content: []byte(text)}, compilers.File{Name: "code.s", Content: code})
		require.NoError(t, err)
		e := compilers.Child{Space: ws, Root: tools.Clang.Root, Path: tools.dir + "/FileCheck", Args: []string{"test.ll", "--input-file=code.s"}, Dir: dir, Bounds: tools.Limits.Compile()}.Run(t.Context())
		assert.Equal(t, bytes.Contains(code, []byte("%r2, 2")), e.Failure() != nil, "%s%s", code, e.Stderr)
		ws.Remove(dir)
	}
}

// The tools that a target is made of are those of its finding: code generation gets what its
// passes have left, and is asked as they ask it.
func TestToolsOfTools(t *testing.T) {
	list, ws := found(t, "opt-24@trunk -march=x86-64-v3,llc-24@trunk --target=aarch64-linux-gnu -regalloc=basic")
	job := compilers.Job{Files: []compilers.File{{Name: compilers.MainLLVM, Content: []byte(seeded)}}}
	for n, tt := range []struct {
		mode     compilers.Mode
		ir, log  string // part of it
		selected string
	}{
		{"@instcombine", "icmp sgt i32 %a, 3", "BISECT: running pass (1) instcombine on hash\n", "-O0"},
		{"@global", "mul nsw i32 %a, %g", "", "-O2 -global-isel -global-isel-abort=0 -regalloc=basic"},
	} {
		tools, err := Beside(list[n], ws, compilers.DefaultLimits())
		require.NoError(t, err)
		assert.Equal(t, "clang", tools.Clang.Family)
		job.Mode = tt.mode
		text, log, err := tools.IR(t.Context(), job, "-opt-bisect-limit=-1")
		require.NoError(t, err)
		assert.Contains(t, text, tt.ir)
		assert.Contains(t, log, tt.log)
		_, calls, wrong, err := program(text)
		assert.NoError(t, err)
		assert.NoError(t, wrong)
		assert.Len(t, calls, 3)
		assert.Equal(t, tt.selected, strings.Join(tools.own.Selection(tt.mode), " "))
	}
}

// Programs of ours take the arguments of main, of which they are given none.
func TestProgram(t *testing.T) {
	_, calls, wrong, err := program("define i32 @main(i32 %argc, ptr %argv) {\n  %n = sub i32 %argc, 1\n  ret i32 %n\n}\n")
	require.NoError(t, err)
	require.NoError(t, wrong)
	assert.Equal(t, "0", calls["main"].Value.String())
}

// An internal error of opt is cut as one of code generation is, and its command to the pass.
func TestStopped(t *testing.T) {
	need.Long(t)
	list, ws := found(t, "opt-24@trunk -passes=function(trigger-crash-function)")
	tools, err := Beside(list[0], ws, compilers.DefaultLimits())
	require.NoError(t, err)
	job := compilers.Job{Files: []compilers.File{{Name: compilers.MainLLVM, Content: []byte(seeded)}}, Mode: "@adce"}
	test, err := Find(t.Context(), tools, Finding{Job: job, Verdict: compilers.InternalError})
	require.NoError(t, err)
	assert.Equal(t, "opt -mtriple=x86_64-linux-gnu -passes=trigger-crash-function,adce -S < reduced.ll", test.Run("reduced.ll"))
	assert.True(t, IsRun(test.Run("smallest.llvm")))
	assert.True(t, IsRun("opt '-passes=function(loop-mssa(lnicm))' < smallest.llvm"))
	assert.Less(t, test.Lines, 8)
	assert.NotEmpty(t, test.Message)
}

// A refusing judge takes nothing.
type refusing struct{ content }

func (refusing) holds(_ context.Context, _ *ll.Module, list []Candidate, _ []ll.Value) ([]bool, error) {
	return make([]bool, len(list)), nil
}
