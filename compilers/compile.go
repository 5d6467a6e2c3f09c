package compilers

import (
	"context"
	"os"
	"path/filepath"
)

// Compile compiles the job's C files without linking them, and returns what the
// compiler wrote into file besides: a plain name, which one of job.Extra makes
// it write, such as "-fdump-statistics-stats=" + file. Of several C files the
// last one's stays. content is nil unless the verdict is OK. The error says that
// there was no room to compile in, or no such file. It leaves nothing behind.
func (t Toolchain) Compile(ctx context.Context, ws *Workspace, job Job, file string, limits Limits) (content []byte, o Outcome, err error) {
	dir, err := ws.newJob()
	if err != nil {
		return nil, o, err
	}
	// Whatever cannot be removed now goes with the workspace.
	defer func() { _ = os.RemoveAll(dir) }()
	if err := job.write(dir); err != nil {
		return nil, o, err
	}
	c := t.child(dir, job.arguments(t, "-c"), limits)
	o = judgeBuild(c.run(ctx), c.bounds)
	o.Command = []string{commandLine(t.Name, c.args)}
	if o.Verdict != OK {
		return nil, o, nil
	}
	content, err = os.ReadFile(filepath.Join(dir, file))
	return content, o, err
}
