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

// command returns the shell command that shows the failure of the reduced test. It is the
// shortest that does: a compiler that fails need not link, and only what does not end is
// stopped.
func (f *failure) command(r *Reduction) string {
	if r.source != "" {
		return r.source
	}
	e, file := f.entry, f.entry.ReducedMain()
	binary := strings.TrimSuffix(file, filepath.Ext(file))
	id, job := r.target.ID(), compilers.Job{Files: []compilers.File{{Name: file}}, Mode: r.job.Mode}
	name, _, _ := strings.Cut(id.Name, "@") // the root directory that it is in
	compile := compilers.CommandLine(name, slices.Concat(id.Args, []string{job.Mode, file, "-o", binary}))
	run := "./" + binary
	if c, ok := r.target.(compilers.Commander); ok && (r.target.Traits().Emulated || !language.Find(e.Language).CC()) {
		lines := c.Commands(job, binary)
		compile, run = strings.Replace(lines[0], " -w ", " ", 1), lines[1]
	}
	compile = strings.TrimPrefix(compile, "env ")
	stop := ""
	switch f.verdict {
	case compilers.InternalError, compilers.SlowCompile, compilers.Rejected:
		if language.Find(e.Language).CC() {
			compile = strings.Replace(strings.Replace(compile, " -static ", " ", 1), " -o "+binary, " -c", 1)
		}
		if f.verdict == compilers.SlowCompile {
			stop = "timeout 60 "
		}
		return stop + compile
	case compilers.Endless:
		stop = "timeout 10 "
	}
	if e.Source == corpus.TextSource { // it does not check its own answer
		return fmt.Sprintf("%s && { timeout 10 %s || echo \"exit status $?\"; } | diff %s -", compile, run, corpus.ReducedWantFile)
	}
	if run == "true" { // it has run
		return stop + compile
	}
	return compile + " && " + stop + run
}
