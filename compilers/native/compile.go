package native

import (
	"context"

	"goreify/compilers"
	"goreify/reify/safefile"
)

// Compile compiles the job's C files without linking them, and returns what the
// compiler wrote into file besides: a plain name, which one of job.Extra makes
// it write, such as "-fdump-statistics-stats=" + file. Of several C files the
// last one's stays. content is nil unless the verdict is OK. The error says that
// there was no room to compile in, or no such file. It leaves nothing behind.
func (t Toolchain) Compile(ctx context.Context, ws *compilers.Workspace, job compilers.Job, file string, limits compilers.Limits) (content []byte, o compilers.Outcome, err error) {
	o, err = t.compileOnly(ctx, ws, job, limits, func(dir *safefile.Dir) (err error) {
		content, err = dir.Read(file, safefile.Most)
		return err
	})
	return content, o, err
}

// compileOnly compiles the job's C files without linking them and, if that went
// well, calls read with the directory of what was written.
func (t Toolchain) compileOnly(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits, read func(*safefile.Dir) error) (o compilers.Outcome, err error) {
	dir, err := ws.NewDir(job.Files...)
	if err != nil {
		return o, err
	}
	defer ws.Remove(dir)
	if o = t.objects(ctx, ws, dir, job, limits); o.Verdict != compilers.OK {
		return o, nil
	}
	d, err := ws.Open(dir)
	if err != nil {
		return o, err
	}
	defer d.Close() // read only
	return o, read(d)
}

// objects compiles the job, which is written in dir, without linking.
func (t Toolchain) objects(ctx context.Context, ws *compilers.Workspace, dir string, job compilers.Job, limits compilers.Limits) compilers.Outcome {
	if t.tools != nil {
		return t.translate(ctx, ws, dir, job, limits)
	}
	c := t.child(ws, dir, t.arguments(job, "-c"), limits)
	o := t.judge(c.Run(ctx), c.Bounds)
	o.Command = []string{t.command(c.Args)}
	return o
}
