package native

import (
	"context"
	"os"
	"path/filepath"

	"goreify/compilers"
)

// Compile compiles the job's C files without linking them, and returns what the
// compiler wrote into file besides: a plain name, which one of job.Extra makes
// it write, such as "-fdump-statistics-stats=" + file. Of several C files the
// last one's stays. content is nil unless the verdict is OK. The error says that
// there was no room to compile in, or no such file. It leaves nothing behind.
func (t Toolchain) Compile(ctx context.Context, ws *compilers.Workspace, job compilers.Job, file string, limits compilers.Limits) (content []byte, o compilers.Outcome, err error) {
	o, err = t.compileOnly(ctx, ws, job, limits, func(dir string) (err error) {
		content, err = os.ReadFile(filepath.Join(dir, file))
		return err
	})
	return content, o, err
}

// compileOnly compiles the job's C files without linking them and, if that went
// well, calls read with the directory of what was written.
func (t Toolchain) compileOnly(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits, read func(dir string) error) (o compilers.Outcome, err error) {
	dir, err := ws.NewDir()
	if err != nil {
		return o, err
	}
	// Files that cannot be removed now go with the workspace.
	defer func() { _ = os.RemoveAll(dir) }()
	if err := job.Write(dir); err != nil {
		return o, err
	}
	c := t.child(ws, dir, t.arguments(job, "-c"), limits)
	o = JudgeBuild(c.Run(ctx), c.Bounds)
	o.Command = []string{t.command(c.Args)}
	if o.Verdict != compilers.OK {
		return o, nil
	}
	return o, read(dir)
}
