package compilers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"goreify/compilers/events"
)

// A language is how a compiler tells what it optimises: the arguments that make
// it do so, and the kinds of files that it then writes, which are named after
// the C files.
type language struct {
	args  []string
	talks []talk
}

// A talk is a kind of file.
type talk struct {
	pattern string // of the file's name
	parse   func([]byte) (events.ByFunction, error)
}

// languages are those of the families. To speak costs gcc 1 % and clang 12 to
// 14 %. -save-stats, for those clangs that were built with statistics, costs
// nothing where they were not.
var languages = map[Family]language{
	GCC: {[]string{"-fdump-statistics-stats"}, []talk{{"*.statistics", together(events.ParseStatistics)}}},
	Clang: {[]string{"-fsave-optimization-record", "-save-stats=cwd"},
		[]talk{{"*.opt.yaml", events.ParseRecordByFunction}, {"*.stats", together(events.ParseStats)}}},
}

// gccApart keeps functions apart, and leaves out what is counted between passes.
var gccApart = language{[]string{"-fdump-statistics"}, []talk{{"*.statistics", events.ParseStatisticsByFunction}}}

// language returns what a compiler speaks if functions are to be kept apart, or
// if they need not be. clang keeps them apart in any case.
func (t Toolchain) language(apart bool) language {
	if apart && t.Family == GCC {
		return gccApart
	}
	return languages[t.Family]
}

// together returns a parser that keeps no functions apart as one that does.
func together(parse func([]byte) (events.Counts, error)) func([]byte) (events.ByFunction, error) {
	return func(text []byte) (events.ByFunction, error) {
		c, err := parse(text)
		return events.ByFunction{"": c}, err
	}
}

// hear reads and removes what a compiler that was listened to has written in
// dir. The error says that it wrote nothing or nothing that is known.
func (t Toolchain) hear(dir string, apart bool) (events.ByFunction, error) {
	counts := events.ByFunction{}
	files := 0
	spoken := t.language(apart)
	for _, talk := range spoken.talks {
		names, err := filepath.Glob(filepath.Join(dir, talk.pattern))
		if err != nil {
			return nil, err
		}
		files += len(names)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			c, err := talk.parse(text)
			if err != nil {
				return nil, fmt.Errorf("%v %s: %w", t, t.Version, err)
			}
			counts.Add(c)
			if err := os.Remove(name); err != nil {
				return nil, err
			}
		}
	}
	if files == 0 {
		return nil, fmt.Errorf("%v %s does not say what it optimised, asked with %v", t, t.Version, spoken.args)
	}
	return counts, nil
}

// listened adds to an outcome what the compiler said in dir.
func (t Toolchain) listened(dir string, apart bool, o Outcome) Outcome {
	if o.Verdict == OK {
		if o.Functions, o.Unheard = t.hear(dir, apart); o.Unheard == nil {
			o.Events = o.Functions.Total()
		}
	}
	return o
}

// again calls a job's build a second time, without listening, if it has not gone
// well with it: asking for remarks makes clang analyse more, and crash
// where it otherwise does not. The verdict is that of the second, and Unheard
// tells of the first.
func again(ctx context.Context, first Outcome, build func() Outcome) Outcome {
	if first.Verdict == OK || ctx.Err() != nil {
		return first
	}
	o := build()
	o.CompileCPU += first.CompileCPU
	o.LinkCPU += first.LinkCPU
	if o.Verdict != first.Verdict {
		o.Unheard = fmt.Errorf("%v, only when it was asked what it optimised", first)
	}
	return o
}

// Listen compiles the job's C files without linking them, and listens: the
// outcome has Events or says in Unheard or by its verdict why not. It leaves
// nothing behind.
func (t Toolchain) Listen(ctx context.Context, ws *Workspace, job Job, limits Limits) Outcome {
	job.Listen = true
	args := job.arguments(t, "-c")
	dir, err := ws.newJob()
	if err == nil {
		// Whatever cannot be removed now goes with the workspace.
		defer func() { _ = os.RemoveAll(dir) }()
		err = job.write(dir)
	}
	var o Outcome
	if err == nil {
		c := t.child(dir, args, limits)
		o = t.listened(dir, job.Apart, judgeBuild(c.run(ctx), c.bounds))
	} else {
		o.Message = "no room to compile in: " + normalise(err.Error())
	}
	o.Command = []string{commandLine(t.Name, args)}
	return o
}
