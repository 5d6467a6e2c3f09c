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
	describe(e, f.Config, f.Outcome)
	e.Bad, e.Witness = f.Bad, f.Witnesses
	e.Notes = append(e.Notes, f.Notes...)
	if f.Incomplete {
		e.SetNote(corpus.NoteIncomplete, "not all configurations could be asked")
	}
	if f.OnlyDirect {
		e.SetNote(corpus.NoteLinked, "fails only if linked without the compiler's driver: "+strings.Join(f.Outcome.Command, " && "))
	}
	return e, nil
}

// Describe has an entry say how it fails here, in place of how it failed before. A
// title that was written by hand stays.
func (r Replay) Describe(e *corpus.Entry) {
	own := compilers.ID{Name: e.Compiler, Args: e.Flags}
	before := e.Title
	automatic := before == title(own.String()+" "+e.Mode, e.Verdict)
	if describe(e, r.Config, r.Outcome); !automatic {
		e.Title = before
	}
}

// describe fills in the compiler of an entry, and how it fails.
func describe(e *corpus.Entry, c Config, o compilers.Outcome) {
	id := c.Target.ID()
	e.Verdict = o.Verdict.String()
	e.Title = title(c.String(), e.Verdict)
	e.Compiler, e.Family, e.Version, e.Triple, e.Mode, e.Flags = id.Name, id.Family, id.Version, id.Triple, c.Mode, id.Args
	e.Expected = corpus.Answers(e.Want)
	e.Got, e.Message = "", ""
	if o.Verdict == compilers.WrongAnswer {
		e.Got = corpus.Answers(string(o.Stdout))
	} else {
		// The output of a wrong program tells bugs apart no better than the program
		// does; the message of another failure does.
		e.Message = corpus.OneLine(o.Message)
	}
	e.Command = Command(o)
}

func title(config, verdict string) string { return corpus.OneLine(config + ": " + verdict) }

// Command returns the shell command that shows the failure of an outcome, among the
// files of its reproducer. Its exit status is not 0 if the program prints another
// output, crashes, or exits with another status after the right output.
func Command(o compilers.Outcome) string {
	lines := o.Command
	if o.Verdict == compilers.InternalError || o.Verdict == compilers.SlowCompile || o.Verdict == compilers.Rejected || len(lines) < 2 {
		return "timeout 60 " + strings.Join(lines, " && ")
	}
	last := len(lines) - 1
	return fmt.Sprintf(`%s && { timeout 10 %s || echo "exit status $?"; } | diff want.txt -`, strings.Join(lines[:last], " && "), lines[last])
}
