package oracle

import (
	"fmt"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// Entry returns a reproducer of cases that no compiler has seen: recipes,
// program, C, answer and trace, each with all inputs. The title, the verdict and
// the command are the caller's to fill in.
func Entry(cases []*reify.Case) *corpus.Entry {
	units := Units(cases)
	e := &corpus.Entry{
		Tool:    reify.Version,
		Sources: map[string]string{corpus.Main: c.Emit(units)},
		Want:    c.Want(units),
		Recipe:  map[string][]byte{},
	}
	var p ir.Program
	var trace strings.Builder
	for i, k := range cases {
		suffix := ""
		if len(cases) > 1 {
			suffix = fmt.Sprintf("-%d", i)
		}
		e.Recipe["config"+suffix] = k.Recipe.Config
		e.Recipe["graph"+suffix] = k.Recipe.Graph
		e.Recipe["path"+suffix] = k.Recipe.Path
		e.Recipe["body"+suffix] = k.Recipe.Body
		e.Notes = append(e.Notes,
			corpus.Note{Key: "x-style", Value: units[i].Style.String()},
			corpus.Note{Key: "x-config", Value: k.Config.String()})
		p.Funcs = append(p.Funcs, k.Func)
		for _, one := range k.Cases() {
			p.Cases = append(p.Cases, one)
			text, err := interp.Trace(one.Func, one.Args, interp.Options{})
			if err != nil {
				panic("oracle: a case that does not run: " + err.Error())
			}
			trace.WriteString(text)
		}
	}
	e.Program, e.Trace = p.String(), trace.String()
	return e
}

// Entry returns the reproducer of the finding. The date is left empty: this
// package reads no clock.
func (f *Finding) Entry() *corpus.Entry {
	var e *corpus.Entry
	if f.Program != nil {
		e = f.Program.Entry()
	} else {
		e = Entry(f.Cases)
	}
	t := f.Toolchain
	e.Verdict = f.Outcome.Verdict.String()
	e.Title = corpus.OneLine(fmt.Sprintf("%v %s: %s", t, f.Level, e.Verdict))
	e.Compiler, e.Family, e.Version, e.Level, e.Flags = t.Name, string(t.Family), t.Version, f.Level, t.Args
	e.Expected = answers(e.Want)
	if f.Outcome.Verdict == compilers.WrongAnswer {
		e.Got = answers(string(f.Outcome.Stdout))
	} else {
		// What a wrong program prints is its own; this tells bugs apart.
		e.Message = corpus.OneLine(f.Outcome.Message)
	}
	e.Bad, e.Witness = f.Bad, f.Witnesses
	if f.Wrong != "" {
		e.Notes = append(e.Notes, corpus.Note{Key: "x-first-wrong", Value: corpus.OneLine(f.Wrong)})
	}
	if f.Incomplete {
		e.Notes = append(e.Notes, corpus.Note{Key: corpus.Incomplete, Value: "time did not suffice to ask all configurations"})
	}
	if f.OnlyDirect {
		e.Notes = append(e.Notes, corpus.Note{Key: "x-linked", Value: "fails only if linked without the compiler's driver: " + strings.Join(f.Outcome.Command, " && ")})
	}
	e.Command = command(t, f.Level, e, f.Outcome.Verdict)
	return e
}

// answers makes one line of what a program prints.
func answers(out string) string {
	return corpus.OneLine(strings.ReplaceAll(strings.TrimSpace(out), "\n", ", "))
}

// command returns the shell command that shows the failure: its exit status is
// not 0 if the program prints anything else, crashes or exits with another
// status, also after the right output.
func command(t compilers.Toolchain, level string, e *corpus.Entry, v compilers.Verdict) string {
	job := Job(e, level)
	words := append(append([]string{t.Name}, t.Args...), level, "-w", corpus.Main)
	for _, f := range job.More {
		words = append(words, f.Name)
	}
	compile := strings.Join(append(words, "-o", "repro"), " ")
	if v == compilers.InternalError || v == compilers.SlowCompile || v == compilers.Rejected {
		return "timeout 60 " + compile
	}
	return compile + ` && { timeout 10 ./repro || echo "exit status $?"; } | diff want.txt -`
}
