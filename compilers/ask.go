package compilers

import (
	"context"
	"fmt"
	"os"
	"slices"
)

// Ask returns what the toolchain prints on standard output when it is called
// with args and no file, as for "-Q", "--help=optimizers". The error quotes the
// first line of what it complains of.
func (t Toolchain) Ask(ctx context.Context, ws *Workspace, limits Limits, args ...string) (string, error) {
	dir, err := ws.newJob()
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }() // what cannot be removed now goes with the workspace
	c := t.child(dir, slices.Concat(t.Args, args), limits)
	e := c.run(ctx)
	if o := judgeBuild(e, c.bounds); o.Verdict != OK {
		return "", fmt.Errorf("%s: %v", commandLine(t.Name, c.args), o)
	}
	return string(e.stdout), nil
}
