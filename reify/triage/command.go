package triage

import (
	"path/filepath"
	"slices"
	"strings"

	"goreify/compilers"
)

// command returns the shell command that shows the failure of the reduced test,
// which is in C: its exit status is not 0 then.
func (f *failure) command() string {
	e, file := f.entry, f.entry.ReducedMain()
	binary := strings.TrimSuffix(file, filepath.Ext(file))
	compile := compilers.CommandLine(e.Compiler, slices.Concat(e.Flags, []string{e.Mode, "-w", file, "-o", binary}))
	switch f.verdict {
	case compilers.InternalError, compilers.SlowCompile, compilers.Rejected:
		return "timeout 60 " + compile
	}
	return compile + " && timeout 10 ./" + binary
}
