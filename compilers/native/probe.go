package native

import (
	"context"
	"fmt"
	"strings"

	"goreify/compilers"
)

// probeSource needs a header, the C library and a working linker, which is
// what a toolchain without its -m32 parts lacks.
const probeSource = `#include <stdio.h>
int main(int argc, char **argv) { printf("%d\n", 41 + argc); return 0; }
`

// probeJob is a program that any usable toolchain gets right.
var probeJob = compilers.Job{Files: compilers.Single([]byte(probeSource)), Want: []byte("42\n"), Mode: "-O0"}

// Probe returns nil if the toolchain compiles, links and runs a trivial
// program, else an error that says what went wrong. It costs one compilation.
func (t Toolchain) Probe(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) error {
	if t.unknown != nil {
		return fmt.Errorf("%v cannot be used: %w", t, t.unknown)
	}
	o := compilers.Test(ctx, t, ws, probeJob, limits)
	if o.Verdict != compilers.OK {
		return fmt.Errorf("%v cannot be used: %s: %v", t, strings.Join(o.Command, " && "), o)
	}
	return nil
}
