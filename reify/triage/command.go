package triage

import (
	"fmt"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
)

// command returns the shell command that shows the failure of the reduced test:
// its exit status is not 0 then.
func (s *subject) command(w way) string {
	compile := strings.Join(append(append([]string{s.entry.Compiler}, s.entry.Flags...), s.entry.Level, "-w", corpus.ReducedMain, "-o", "reduced"), " ")
	switch s.verdict {
	case compilers.InternalError, compilers.SlowCompile, compilers.Rejected:
		return "timeout 60 " + compile
	}
	_, want := w.write(s.reduced)
	if want = strings.TrimSuffix(want, "\n"); want == "" {
		return compile + " && timeout 10 ./reduced"
	}
	return fmt.Sprintf(`%s && [ "$(timeout 10 ./reduced)" = '%s' ]`, compile, strings.ReplaceAll(want, "'", `'\''`))
}
