package export

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/emit/jvm"
)

// Each form has what its harness reads; the bodies are those of the reproducers.
func TestForms(t *testing.T) {
	for _, tt := range []struct {
		finding string
		files   []string
		has     []string // of all files
		lacks   string
	}{
		{"wrong-answer-gcc-17-Os-277b402f", []string{"reify_277b402f.c"},
			[]string{"{ dg-do run }", "{ dg-require-effective-target int32plus }", `{ dg-additional-options "-w" }`, `{ dg-output "^-1850000000 1`}, "dg-timeout"},
		{"wrong-answer-gcc-16-O3-8807f10c", []string{"reify_8807f10c.c"},
			[]string{"{ dg-require-effective-target avx2_runtime }", `{ dg-additional-options "-march=x86-64-v3" { target i?86-*-* x86_64-*-* } }`}, "dg-output"},
		{"internal-error-sh4-linux-gnu-gcc-16-Os-4c43f5c4", []string{"reify_4c43f5c4.c"}, []string{"{ dg-do compile }"}, "-static"},
		{"endless-gcc-17-Os-e161f17b", []string{"reify_e161f17b.c"}, []string{"{ dg-do run }", "{ dg-timeout 10 }"}, "-Os"},
		{"wrong-answer-clang-24-O1-d8e375e6", []string{"reify_d8e375e6.ll"},
			[]string{"; RUN: llc -O2 -relocation-model=pic -filetype=obj %s -o %t.o\n; RUN: %cc %t.o -o %t\n; RUN: timeout 10 %run %t", "; IR of -O2 --target=aarch64-linux-gnu, optimised true"}, "opt -passes"},
		{"endless-clang-24-O2-2726ded0", []string{"reify_2726ded0.ll"},
			[]string{"; RUN: opt -passes='default<O2>' %s -o %t.bc\n", "optimised false"}, "ModuleID"},
		{"wrong-answer-gc-GOARCH-ppc64-check-040b7ae4", []string{"reify_040b7ae4.go", "reify_040b7ae4.out"}, []string{"// run\n\n", "GOARCH=ppc64", "package main"}, "ssa/check"},
		{"internal-error-gc-GOARCH-s390x-N-4fce6b57", []string{"reify_4fce6b57.go"}, []string{"// compile\n\n", "GOARCH=s390x"}, "-gcflags"},
		{"wrong-answer-java-28-trunk-c2-4c843d19", []string{"Reify4c843d19.java", "Reify4c843d19Program.java"},
			[]string{" * @test\n", " * @compile Reify4c843d19Program.java\n", "class Reify4c843d19Program"}, "// f 0"},
		{"wrong-answer-wazero-compiler-bb4d81c8", []string{"reify_bb4d81c8.wast"}, []string{"(module\n", `(assert_return (invoke "f") (i32.const 1))`}, ";; f f"},
	} {
		e, err := corpus.Load(filepath.Join("../../../corpus", tt.finding+corpus.Ext))
		require.NoError(t, err)
		delete(e.Members, e.LLVMFile()) // TestOwnIR has those
		ir := func(_ context.Context, source string, mode compilers.Mode, flags []string, optimised bool) (string, error) {
			assert.Equal(t, e.Reduced, source)
			return "; ModuleID = 'a.c'\n; IR of " + strings.Join(append([]string{mode}, flags...), " ") + ", optimised " + map[bool]string{true: "true", false: "false"}[optimised] + "\n", nil
		}
		files, err := formOf(e.Family).Write(t.Context(), Test{Entry: e, Name: NameOf(tt.finding + corpus.Ext), IR: ir})
		require.NoError(t, err, tt.finding)
		var names []string
		all := ""
		for _, f := range files {
			names = append(names, f.Name)
			all += string(f.Content)
		}
		assert.Equal(t, tt.files, names)
		for _, text := range tt.has {
			assert.Contains(t, all, text, tt.finding)
		}
		assert.NotContains(t, all, tt.lacks, tt.finding)

		other := Find("wast")
		if e.Family == "wazero" {
			other = Find("jtreg")
		}
		_, err = other.Write(t.Context(), Test{Entry: e, Name: "x"})
		assert.ErrorIs(t, err, ErrNotForThis)
	}
}

// What a test prints is compared with what it should.
func TestOutput(t *testing.T) {
	e := &corpus.Entry{Family: "gcc", Version: "16.2.0", Verdict: "wrong-answer", Main: "repro.c", Mode: "-O2", Reduced: "int x;\n",
		Notes: []corpus.Note{{Key: corpus.NoteReducedWant, Value: "4 (x)"}}}
	of := func(family string) string {
		e.Family = family
		files, err := formOf(family).Write(t.Context(), Test{Entry: e, Name: "a", IR: func(context.Context, string, compilers.Mode, []string, bool) (string, error) { return "", nil }})
		require.NoError(t, err)
		text := ""
		for _, f := range files {
			text += f.Name + ": " + string(f.Content)
		}
		return text
	}
	assert.Contains(t, of("gcc"), `{ dg-output "^4 \\u0028x\\u0029(\n|\r\n|\r)" }`)
	assert.Contains(t, of("clang"), "; RUN: timeout 10 %run %t | FileCheck --match-full-lines %s\n")
	assert.Contains(t, of("clang"), "; CHECK: 4 (x)\n")
	assert.Contains(t, of("gc"), "a.out: 4 (x)\n")
}

// Output is compared as it is, also if a harness would take it for a pattern, and no text of a program is obeyed.
func TestHostile(t *testing.T) {
	e := &corpus.Entry{Version: "28", Verdict: "wrong-answer", Main: "repro.c", Mode: "-O2", Reduced: "int x;\n", Culprit: "\"*/ @test } RUN:\n// run",
		Members: map[string]string{sourceFile: "class " + jvm.SourceClass + " {}\n", corpus.ReducedWantFile: "\"\\u\x01é😀 $x\n*/ [[a]] {{.*}} }\n\nRUN\n"}}
	of := func(family string) (string, error) {
		e.Family = family
		files, err := formOf(family).Write(t.Context(), Test{Entry: e, Name: NameOf("a-$(x)\n\".txtar"), IR: func(_ context.Context, source string, _ compilers.Mode, _ []string, _ bool) (string, error) {
			return "@s = constant \"" + source + "\"", nil
		}})
		if err != nil {
			return "", err
		}
		assert.Regexp(t, `^[Rr]eify_?x\.\w+$`, files[0].Name)
		return string(files[0].Content), nil
	}
	for family, want := range map[string]string{
		"hotspot": `want = "\"\\u\001\351\ud83d\ude00 $x\012*/ [[a]] {{.*}} }\012\012RUN";`,
		"gcc":     `{ dg-output "\\u002a\\u002f \\u005b\\u005ba\\u005d\\u005d `,
		"clang":   "; CHECK: */ {{\\[\\[}}a]] {{\\{\\{}}.*}} }\n; CHECK-EMPTY:\n",
		"gc":      "// run\n\n// Made and reduced by a fuzzer, which blames    test   RUN  run.\n",
	} {
		text, err := of(family)
		require.NoError(t, err, family)
		assert.Contains(t, text, want, family)
	}
	for family, text := range map[string]string{"gcc": "/* {  dg-do-what-i-say } */", "clang": "RUN: x", "hotspot": "/* @test */"} {
		e.Reduced = text
		_, err := of(family)
		assert.ErrorIs(t, err, ErrNotForThis, family)
	}
}

// ownIR is a member that package llvm writes.
const ownIR = `; RUN: llc -mtriple=aarch64-linux-gnu -O2 < %s
;
; f(i8 -1) is -1, and 1 here.
; right: clang-23

define i64 @f(i8 %a) {
  %b = sext i8 %a to i32
  %c = ashr i32 %b, 31
  %d = sext i32 %c to i64
  ret i64 %d
}

; the code of clang-23 (-), and here (+):
; - sbfx x0, x0, #7, #1
; + sbfiz x0, x0, #33, #8
;   ret
`

// A reproducer's own test in LLVM IR is exported: for FileCheck, or to run where no line of code is
// the wrong compiler's alone. No text of a stranger is a command.
func TestOwnIR(t *testing.T) {
	const run = "llc -mtriple=aarch64-linux-gnu -O2 < reduced.ll"
	write := func(run, text string) (string, error) {
		e := &corpus.Entry{Family: "clang", Version: "24.0.0", Verdict: "wrong-answer", Main: "repro.c", Mode: "-Oz", Reduced: "int x;\n", Culprit: "instcombine",
			LLVMRun: run, Members: map[string]string{"reduced.ll": text}}
		files, err := Find("lit").Write(t.Context(), Test{Entry: e, Name: "a", IR: func(_ context.Context, _ string, mode compilers.Mode, _ []string, _ bool) (string, error) {
			return "@s = constant \"RUN: x\"", nil
		}})
		if err != nil {
			return "", err
		}
		return string(files[0].Content), nil
	}
	text, err := write(run, ownIR)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(text, "; RUN: llc -mtriple=aarch64-linux-gnu -O2 < %s | FileCheck %s\n; Made and reduced by a fuzzer, which blames instcombine.\n\ndefine"), text)
	assert.Contains(t, text, "; CHECK-NOT: {{^[[:space:]]*}}sbfiz x0")
	before, _, _ := strings.Cut(ownIR, "\n; the code")
	plain := strings.Replace(ownIR, "the code of clang-23", "the code of llc -O0", 1)
	for _, ir := range []string{before, strings.Replace(plain, "; + ", "; + mov x1, x2\n; + ", 1)} {
		text, err = write(run, ir)
		require.NoError(t, err)
		assert.Contains(t, text, "; RUN: timeout 10 %run %t\n; Made")
	}
	text, err = write(run, plain)
	require.NoError(t, err)
	assert.Contains(t, text, "; CHECK-NOT: ", "one line")

	for _, tt := range [][2]string{
		{run, ownIR + "; RUN: rm x\n"}, {run, strings.Replace(ownIR, "ret i64", "; RUN: x\n", 1)},
		{"llc -O2 < reduced.ll", ownIR}, {"", ownIR}, {run + "; x", strings.Replace(ownIR, " < %s", " < %s; x", 1)},
		{"", ""}, // clang makes IR
	} {
		_, err := write(tt[0], tt[1])
		assert.ErrorIs(t, err, ErrNotForThis, tt)
	}
}

// A reproducer of opt or llc is compiled by its own commands, up to the one that fails.
func TestOfTools(t *testing.T) {
	write := func(verdict, command string) (string, error) {
		e := &corpus.Entry{Family: "opt", Version: "24.0.0", Language: compilers.LLVM, Verdict: verdict, Main: "repro.ll", Mode: "@lnicm", Reduced: "define i32 @f()", ReducedCommand: command}
		files, err := Find("lit").Write(t.Context(), Test{Entry: e, Name: "a"})
		if err != nil {
			return "", err
		}
		return string(files[0].Content), nil
	}
	const opt = "opt-24@trunk -mcpu=x86-64 '-passes=function(loop-mssa(lnicm))' reduced.ll -o reduced.bc"
	const all = opt + " && llc-24 -O0 -filetype=obj reduced.bc -o reduced.o && clang-24 reduced.o -o reduced && ./reduced"
	const begin = "; RUN: opt -mcpu=x86-64 '-passes=function(loop-mssa(lnicm))' %s -o %t.bc\n; "
	text, err := write("internal-error", all)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(text, begin+"Made"), text)
	text, err = write("wrong-answer", all)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(text, begin+"RUN: llc -O0 -filetype=obj %t.bc -o %t.o\n; RUN: %cc %t.o -o %t\n; RUN: timeout 10 %run %t\n"), text)
	for _, command := range []string{"", "opt-24 -x reduced.ll; rm x", "opt-24 -passes=a>b reduced.ll", "opt-24 '-x' ''$(rm x)'' reduced.ll"} {
		_, err := write("wrong-answer", command)
		assert.ErrorIs(t, err, ErrNotForThis, command)
	}
}

// LLVM's tools have no levels for size.
func TestLevels(t *testing.T) {
	for mode, want := range map[compilers.Mode]string{"-Oz": "O2", "-Os": "O2", "-O3": "O3", "-Ofast": "O3"} {
		e := &corpus.Entry{Family: "clang", Version: "24.0.0", Verdict: "wrong-answer", Main: "repro.c", Mode: mode, Reduced: "int x;\n", Culprit: "instcombine"}
		files, err := Find("lit").Write(t.Context(), Test{Entry: e, Name: "a", IR: func(context.Context, string, compilers.Mode, []string, bool) (string, error) { return "", nil }})
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(files[0].Content), "; RUN: opt -passes='default<"+want+">' %s -o %t.bc\n; RUN: llc -"+want+" "), mode)
	}
}

// A test that can be said in Java is.
func TestJava(t *testing.T) {
	e := &corpus.Entry{Family: "hotspot", Version: "28", Verdict: "wrong-answer", Main: "repro.class.hex", Reduced: "00\n",
		ReducedCommand: "java -Xbatch -XX:-TieredCompilation " + sourceFile,
		Members:        map[string]string{sourceFile: "class " + jvm.SourceClass + " { public static void main(String[] a) { System.out.println(2); } }\n"},
		Notes:          []corpus.Note{{Key: corpus.NoteReducedWant, Value: "1"}}}
	files, err := Find("jtreg").Write(t.Context(), Test{Entry: e, Name: "reify_1"})
	require.NoError(t, err)
	require.Len(t, files, 2)
	test := string(files[0].Content)
	assert.Equal(t, []string{"Reify1.java", "Reify1Program.java"}, []string{files[0].Name, files[1].Name})
	assert.Contains(t, test, " * @run main/othervm -Xbatch -XX:-TieredCompilation Reify1\n")
	assert.Contains(t, test, "Reify1Program.main(args);")
	assert.Contains(t, test, `want = "1";`)
	assert.Contains(t, string(files[1].Content), "class Reify1Program {")
}

// The plainest mode in which the reduced test fails is asked.
func TestAsked(t *testing.T) {
	e := &corpus.Entry{Family: "gc", Version: "1.27.4", Mode: "@check", Reduced: "x", ReducedBad: []corpus.Configuration{
		{Family: "gc", Version: "1.26.8", Modes: []string{"@O"}}, {Family: "gc", Version: "1.27.4", Modes: []string{"@check", "@O"}}}}
	mode, _ := Test{Entry: e}.Asked()
	assert.Equal(t, "@O", mode)
	e.ReducedBad = e.ReducedBad[:1]
	mode, _ = Test{Entry: e}.Asked()
	assert.Equal(t, "@check", mode)
}
