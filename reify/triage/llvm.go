package triage

import (
	"context"
	"maps"
	"strings"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/compilers/llvm"
	"goreify/compilers/native"
	"goreify/corpus"
)

// llvm makes the smallest test in LLVM IR of the reduced one, a job, if the compiler is clang and
// LLVM's tools stand beside it. A note says why there is none.
func (f *failure) llvm(ctx context.Context, opt Options, job compilers.Job) error {
	e := f.entry
	own, ok := compilers.Plain(f.target).(native.Toolchain)
	if !ok || native.Project(own.Family) != "clang" {
		return nil
	}
	tools, err := llvm.Beside(own, f.oracle.Space, f.oracle.Limits)
	if err != nil {
		opt.progress("has no test in LLVM IR: %v", err)
		return nil
	}
	opt.progress("looks for a test in LLVM IR")
	e.LLVMRun, e.LLVMTargets = "", ""
	e.SetNote(corpus.NoteNoLLVM, "")
	e.Members = maps.Clone(e.Members)
	delete(e.Members, e.LLVMFile())
	finding := llvm.Finding{Job: job, Verdict: f.verdict}
	for _, t := range f.oracle.Targets {
		t, ok := f.flagged(t)
		if clang, same := t.(native.Toolchain); ok && same && clang.Family == own.Family && clang.Version != own.Version && !own.IsTool() && compilers.Probe(ctx, t, f.oracle.Space, f.oracle.Limits) == nil {
			finding.Others = append(finding.Others, clang)
		}
	}
	test, err := llvm.Find(ctx, tools, finding)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		e.SetNote(corpus.NoteNoLLVM, corpus.OneLine(err.Error()))
		return nil
	}
	if e.Members == nil {
		e.Members = map[string]string{}
	}
	e.Members[e.LLVMFile()] = test.String()
	e.LLVMRun, e.LLVMTargets = test.Run(e.LLVMFile()), test.Elsewhere()
	// The test tells more than the pass that shows it: the IR is right, and llc alone fails.
	if test.Tool == "llc" && !strings.HasPrefix(e.Culprit, bisect.CodeGeneration) {
		if e.Culprit != "" {
			e.SetNote(corpus.NoteUncovered, e.Culprit)
		}
		processor, _, _ := strings.Cut(own.ID().Triple, "-")
		part := ""
		if strings.Contains(test.Message, "Cannot select") {
			part = "selection"
		}
		e.Culprit = bisect.CodeGenerationFor(processor, part)
	}
	return nil
}
