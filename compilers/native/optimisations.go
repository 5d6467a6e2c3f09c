package native

import (
	"context"
	"fmt"
	"path/filepath"

	"goreify/compilers"
	"goreify/compilers/events"
	"goreify/reify/safefile"
)

// A reporting is how the compilers of a family say what they optimised: the
// arguments that ask for it, and the kinds of files that they then write.
type reporting struct {
	args  []string
	files []reportFile
}

// A reportFile is a kind of file.
type reportFile struct {
	pattern string // of the file's name
	parse   func([]byte) (events.Counts, error)
}

// The ways of gcc and clang. -save-stats is for those clangs that were built
// with statistics; the others write none.
var (
	statistics = reporting{[]string{"-fdump-statistics-stats"}, []reportFile{{"*.statistics", events.ParseStatistics}}}
	remarks    = reporting{[]string{"-fsave-optimization-record", "-save-stats=cwd"},
		[]reportFile{{"*.opt.yaml", events.ParseRecord}, {"*.stats", events.ParseStats}}}
)

// Optimisations compiles the job's C files without linking them, and returns
// what the compiler says it optimised, of all files together: nil if it did not compile
// them. The error says that it wrote nothing or nothing that is known, or that there was
// no room to compile in. It leaves nothing behind.
func (t Toolchain) Optimisations(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (events.Counts, compilers.Outcome, error) {
	r := t.row().reports
	job.Extra = append(r.args[:len(r.args):len(r.args)], job.Extra...)
	counts := events.Counts{}
	files := 0
	o, err := t.compileOnly(ctx, ws, job, limits, func(dir *safefile.Dir) error {
		list, err := dir.List()
		if err != nil {
			return err
		}
		for _, file := range r.files {
			for _, entry := range list {
				if ok, _ := filepath.Match(file.pattern, entry.Name()); !ok { // the patterns are ours
					continue
				}
				text, err := dir.Read(entry.Name(), safefile.Most)
				if err != nil {
					return err
				}
				files++
				c, err := file.parse(text)
				if err != nil {
					return err
				}
				counts.Add(c)
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, o, fmt.Errorf("%v %s: %w", t, t.Version, err)
	case o.Verdict != compilers.OK:
		return nil, o, nil
	case files == 0:
		return nil, o, fmt.Errorf("%v %s does not say what it optimised, asked with %v", t, t.Version, r.args)
	}
	return counts, o, nil
}
