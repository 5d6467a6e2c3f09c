package export

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/compilers/llvm"
	"goreify/compilers/native"
	"goreify/corpus"
)

// backEnd are culprits that find the IR right, and make wrong code of it.
var backEnd = regexp.MustCompile(`^(?:` + regexp.QuoteMeta(bisect.CodeGeneration) + `|(?:aarch64|arm|loongarch|mips|ppc|powerpc|riscv|systemz|s390x|sparc|x86)-)`)

// llcFlags are options of llc for those of clang; all others are in the attributes of the IR.
var llcFlags = map[string]string{"-fglobal-isel": "-global-isel -global-isel-abort=2"}

// litRun runs a program: %cc links it, %run is its emulator, and nothing on its own processor.
const litRun = "; RUN: %%cc %%t.o -o %%t\n; RUN: timeout 10 %%run %%t%s\n"

// levels are those of llc and of opt -passes for others of clang. What -Os and -Oz mean besides is
// in the attributes of functions.
var levels = map[compilers.Mode]string{"-Os": "-O2", "-Oz": "-O2", "-Og": "-O1", "-Ofast": "-O3"}

// lit writes the reproducer's own test in LLVM IR, or else IR that clang makes of the test, with lines
// that compile and run it. Where a pass is to blame, the IR is that before any.
func lit(ctx context.Context, t Test) ([]corpus.File, error) {
	text, err := t.ownIR()
	switch {
	case err != nil || text != "":
	case t.Language == compilers.LLVM && native.Project(t.Family) != t.Family:
		text, err = t.fromTools()
	default:
		text, err = t.fromC(ctx)
	}
	if err != nil {
		return nil, err
	}
	if strings.Count("\n"+text, "\n; RUN: ") != strings.Count(text, "RUN:") {
		return nil, fmt.Errorf("lit would run text of the program: %w", ErrNotForThis)
	}
	return one(t.Name+".ll", text), nil
}

// versionCode matches the code of another version, in a member in LLVM IR.
var versionCode = regexp.MustCompile(`\n; the code of clang`)

// ownIR returns a test by the reproducer's member in LLVM IR: one for FileCheck if the code differs by
// the fault alone, as it does from that of another version, or in one line. Else one that runs; a
// right compiler may well write what that without optimisation does not. It returns nothing if
// there is no such member.
func (t Test) ownIR() (string, error) {
	ir := t.Members[t.LLVMFile()]
	if ir == "" || strings.Contains(ir, " undefined here.\n") { // which may show or not when it runs
		return "", nil
	}
	run := strings.Replace(t.LLVMRun, t.LLVMFile(), "%s", 1)
	if !llvm.IsRun(t.LLVMRun) || !strings.HasPrefix(ir, "; RUN: "+run+"\n") || strings.Count(ir, "RUN:") != 1 {
		return "", fmt.Errorf("%s does not begin with the command that the reproducer names: %w", t.LLVMFile(), ErrNotForThis)
	}
	ways := []func(string) (string, error){llvm.Runnable, llvm.Lit}
	if versionCode.MatchString(ir) || strings.Count(ir, "\n; + ") == 1 {
		slices.Reverse(ways)
	}
	text, err := ways[0](ir)
	if err != nil {
		text, err = ways[1](ir)
	}
	if err != nil {
		return "", nil // C is another way
	}
	return strings.Replace(text, "\n\n", "\n; "+t.origin()+"\n\n", 1), nil
}

// toolLine is a command of opt or llc, without words that a shell would take for more.
var toolLine = regexp.MustCompile(`^(?:timeout \d+ )?(opt|llc)-[\w.]+(@\w+)?((?: -[\w=+.,-]+| '-[\w=+.,<>();-]+'| reduced\.\w+)+)$`)

// fromTools returns a test by the commands of opt and llc that the reproducer names. Where one fails,
// it is the last.
func (t Test) fromTools() (string, error) {
	var b strings.Builder
	for _, line := range strings.Split(t.ReducedCommand, " && ") {
		m := toolLine.FindStringSubmatch(line)
		if m == nil {
			break
		}
		words := strings.NewReplacer("reduced.ll", "%s", "reduced.", "%t.").Replace(m[3])
		b.WriteString("; RUN: " + m[1] + words + "\n")
		if t.compiles() && m[1] == t.Family {
			break
		}
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("the reproducer names no command of opt or llc: %w", ErrNotForThis)
	}
	return t.running(&b, t.Reduced), nil
}

// running returns a test of IR, behind the lines that compile it.
func (t Test) running(b *strings.Builder, ir string) string {
	want := t.want()
	switch {
	case t.compiles():
	case want == "":
		fmt.Fprintf(b, litRun, "")
	default:
		fmt.Fprintf(b, litRun, " | FileCheck --match-full-lines %s")
	}
	fmt.Fprintf(b, "; %s\n", t.origin())
	if !t.compiles() {
		for line := range strings.Lines(want) {
			b.WriteString(check(strings.TrimSuffix(line, "\n")))
		}
	}
	return b.String() + "\n" + plainIR(ir)
}

// fromC returns a test by the IR that clang makes of the program, or is given.
func (t Test) fromC(ctx context.Context) (string, error) {
	source, err := t.source()
	if err != nil {
		return "", err
	}
	mode, flags := t.Asked()
	coded := backEnd.MatchString(t.Culprit) || t.Culprit == ""
	text, machine := source, ""
	if t.Language == compilers.LLVM { // whose text says nothing of the processor
		machine = " -mtriple=" + t.Triple
		for _, f := range flags {
			if name, ok := strings.CutPrefix(f, "-march="); ok {
				machine += " -mcpu=" + name
			}
		}
	} else {
		if t.IR == nil {
			return "", errors.New("lit: clang is needed to make LLVM IR of C")
		}
		if text, err = t.IR(ctx, source, mode, flags, coded); err != nil {
			return "", err
		}
	}
	level := mode
	if plain := levels[mode]; plain != "" {
		level = plain
	}
	llc := "llc " + level + machine
	for _, f := range flags {
		if option := llcFlags[f]; option != "" {
			llc += " " + option
		}
	}
	var b strings.Builder
	if coded {
		fmt.Fprintf(&b, "; RUN: %s -relocation-model=pic -filetype=obj %%s -o %%t.o\n", llc)
	} else {
		fmt.Fprintf(&b, "; RUN: opt -passes='default<%s>'%s %%s -o %%t.bc\n", strings.TrimPrefix(level, "-"), machine)
		fmt.Fprintf(&b, "; RUN: %s -relocation-model=pic -filetype=obj %%t.bc -o %%t.o\n", llc)
	}
	return t.running(&b, text), nil
}

// check returns the line by which FileCheck wants a line of output, in which nothing is a pattern.
func check(line string) string {
	if line == "" {
		return "; CHECK-EMPTY:\n"
	}
	return "; CHECK: " + strings.NewReplacer("{{", `{{\{\{}}`, "[[", `{{\[\[}}`).Replace(line) + "\n"
}

// metadata are lines of IR that say by whom it was made, and names of the source.
var metadata = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^(?:; ModuleID|source_filename|!llvm\.ident).*\n`),
	regexp.MustCompile(`(?m)^!\d+ = !\{!"[^"]*clang version.*\n`),
	regexp.MustCompile(`(?m)^; Function Attrs:.*\n`),
}

// plainIR returns IR without those.
func plainIR(text string) string {
	for _, m := range metadata {
		text = m.ReplaceAllString(text, "")
	}
	return strings.TrimLeft(text, "\n")
}

// IRFlags are those by which clang writes LLVM IR: after its passes, or before them.
func IRFlags(optimised bool) []string {
	if optimised {
		return []string{"-S", "-emit-llvm"}
	}
	return []string{"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"}
}

// irFile is what clang calls the IR of a C file.
func irFile(main string) string { return strings.TrimSuffix(main, ".c") + ".ll" }

// A Lister compiles a job, and returns what it wrote to a file.
type Lister interface {
	Compile(ctx context.Context, ws *compilers.Workspace, job compilers.Job, file string, limits compilers.Limits) ([]byte, compilers.Outcome, error)
}

// IRBy returns the function IR of a Test, by a clang that is here.
func IRBy(clang compilers.Target, ws *compilers.Workspace, limits compilers.Limits) func(context.Context, string, compilers.Mode, []string, bool) (string, error) {
	return func(ctx context.Context, source string, mode compilers.Mode, flags []string, optimised bool) (string, error) {
		bare, ok := clang.(compilers.Bare)
		if !ok {
			return "", fmt.Errorf("%v takes no flags", clang.ID())
		}
		if err := compilers.Screen(clang, flags...); err != nil {
			return "", err
		}
		with, ok := compilers.With(bare.WithoutArgs(), slices.Clone(flags)...)
		by, is := with.(Lister)
		if !ok || !is {
			return "", fmt.Errorf("%v writes no LLVM IR", clang.ID())
		}
		job := compilers.Job{Files: []compilers.File{{Name: corpus.MainC, Content: []byte(source)}}, Mode: mode, Extra: IRFlags(optimised)}
		text, o, err := by.Compile(ctx, ws, job, irFile(corpus.MainC), limits)
		if err == nil && o.Verdict != compilers.OK {
			err = fmt.Errorf("%v makes no IR: %v", clang.ID(), o)
		}
		return string(text), err
	}
}
