package triage

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/language"
)

// command returns the shell command that shows the failure of the reduced test, which
// is in C: its exit status is not 0 then.
func (f *failure) command() string {
	e, file := f.entry, f.entry.ReducedMain()
	binary := strings.TrimSuffix(file, filepath.Ext(file))
	name, _, _ := strings.Cut(e.Compiler, "@") // the root directory that it is in
	compile := compilers.CommandLine(name, slices.Concat(e.Flags, []string{e.Mode, "-w", file, "-o", binary}))
	run := "./" + binary
	if c, ok := f.target.(compilers.Commander); ok && (f.target.Traits().Emulated || !language.Find(e.Language).CC()) {
		lines := c.Commands(compilers.Job{Files: []compilers.File{{Name: file}}, Mode: e.Mode}, binary)
		compile, run = lines[0], lines[1]
	}
	switch f.verdict {
	case compilers.InternalError, compilers.SlowCompile, compilers.Rejected:
		return "timeout 60 " + compile
	}
	if e.Source == corpus.TextSource { // it does not check its own answer
		return fmt.Sprintf("%s && { timeout 10 %s || echo \"exit status $?\"; } | diff %s -", compile, run, corpus.ReducedWantFile)
	}
	return compile + " && timeout 10 " + run
}
