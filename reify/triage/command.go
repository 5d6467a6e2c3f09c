package triage

import (
	"strings"

	"goreify/compilers"
	"goreify/corpus"
)

// command returns the shell command that shows the failure of the reduced test:
// its exit status is not 0 then.
func (s *subject) command() string {
	compile := strings.Join(append(append([]string{s.entry.Compiler}, s.entry.Flags...), s.entry.Level, "-w", corpus.ReducedMain, "-o", "reduced"), " ")
	switch s.verdict {
	case compilers.InternalError, compilers.SlowCompile, compilers.Rejected:
		return "timeout 60 " + compile
	}
	return compile + " && timeout 10 ./reduced"
}
