package native

import (
	"context"
	"fmt"
	"slices"

	"goreify/compilers"
)

// Ask returns what the toolchain prints on standard output when it is called
// with args and no file, as for "-Q", "--help=optimizers". The error quotes the
// first line of what it complains of.
func (t Toolchain) Ask(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits, args ...string) (string, error) {
	dir, err := ws.NewDir()
	if err != nil {
		return "", err
	}
	defer ws.Remove(dir)
	c := t.child(ws, dir, slices.Concat(t.Args, args), limits)
	e := c.Run(ctx)
	if o := JudgeBuild(e, c.Bounds); o.Verdict != compilers.OK {
		return "", fmt.Errorf("%s: %v", compilers.CommandLine(t.Name, c.Args), o)
	}
	return string(e.Stdout), nil
}
