package oracle

import (
	"fmt"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
)

// Entry returns the reproducer of the finding. The date is left empty: this
// package reads no clock.
func (f *Finding) Entry() (*corpus.Entry, error) {
	e, err := f.Subject.Entry()
	if err != nil {
		return nil, err
	}
	if f.want != nil {
		e.Want = string(f.want)
	}
	id := f.Target.ID()
	e.Verdict = f.Outcome.Verdict.String()
	e.Title = corpus.OneLine(fmt.Sprintf("%v: %s", f.Config, e.Verdict))
	e.Compiler, e.Family, e.Version, e.Triple, e.Mode, e.Flags = id.Name, id.Family, id.Version, id.Triple, f.Mode, id.Args
	e.Expected = corpus.Answers(e.Want)
	if f.Outcome.Verdict == compilers.WrongAnswer {
		e.Got = corpus.Answers(string(f.Outcome.Stdout))
	} else {
		// What a wrong program prints is its own; this tells bugs apart.
		e.Message = corpus.OneLine(f.Outcome.Message)
	}
	e.Bad, e.Witness = f.Bad, f.Witnesses
	e.Notes = append(e.Notes, f.Notes...)
	if f.Incomplete {
		e.SetNote(corpus.NoteIncomplete, "not all configurations could be asked")
	}
	if f.OnlyDirect {
		e.SetNote(corpus.NoteLinked, "fails only if linked without the compiler's driver: "+strings.Join(f.Outcome.Command, " && "))
	}
	e.Command = Command(f.Outcome)
	return e, nil
}

// Command returns the shell command that shows the failure of an outcome, among
// the files of its reproducer: its exit status is not 0 if the program prints
// anything else, crashes or exits with another status, also after the right
// output.
func Command(o compilers.Outcome) string {
	lines := o.Command
	if o.Verdict == compilers.InternalError || o.Verdict == compilers.SlowCompile || o.Verdict == compilers.Rejected || len(lines) < 2 {
		return "timeout 60 " + strings.Join(lines, " && ")
	}
	last := len(lines) - 1
	return fmt.Sprintf(`%s && { timeout 10 %s || echo "exit status $?"; } | diff want.txt -`, strings.Join(lines[:last], " && "), lines[last])
}
