package compilers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"goreify/compilers/events"
)

// listenArgs make the compiler tell what it optimises. The files that it writes
// are named after the C files and end as talk has it. It costs gcc 1 % and
// clang 10 to 12 %. -save-stats, for those clangs that were built with
// statistics, costs nothing where they were not.
var listenArgs = map[Family][]string{
	GCC:   {"-fdump-statistics-stats"},
	Clang: {"-fsave-optimization-record", "-save-stats=cwd"},
}

// apartArgs take the place of listenArgs where functions are to be kept apart.
// gcc leaves out what it counts between passes then; clang keeps them apart in
// any case.
var apartArgs = map[Family][]string{GCC: {"-fdump-statistics"}, Clang: listenArgs[Clang]}

// A talk is a kind of file in which a compiler tells what it optimises.
type talk struct {
	pattern string // of the file's name
	parse   func([]byte) (events.ByFunction, error)
}

var talks = map[Family][]talk{
	GCC:   {{"*.statistics", together(events.ParseStatistics)}},
	Clang: {{"*.opt.yaml", events.ParseRecordByFunction}, {"*.stats", together(events.ParseStats)}},
}

// apartTalks take the place of talks as apartArgs do.
var apartTalks = map[Family][]talk{
	GCC:   {{"*.statistics", events.ParseStatisticsByFunction}},
	Clang: talks[Clang],
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
	args, list := listenArgs[t.Family], talks[t.Family]
	if apart {
		args, list = apartArgs[t.Family], apartTalks[t.Family]
	}
	for _, talk := range list {
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
		return nil, fmt.Errorf("%v %s does not say what it optimised, asked with %v", t, t.Version, args)
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
