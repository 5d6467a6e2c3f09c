package compilers

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// probeSource needs a header, the C library and a working linker, which is
// what a toolchain without its -m32 parts lacks.
const probeSource = `#include <stdio.h>
int main(int argc, char **argv) { printf("%d\n", 41 + argc); return 0; }
`

// Probe returns nil if the toolchain compiles, links and runs a trivial
// program, else an error that says what went wrong. It costs one compilation.
func (t Toolchain) Probe(ctx context.Context, ws *Workspace, limits Limits) error {
	if t.Version == "" {
		// Ask again, for the reason.
		if err := t.identify(ctx); err != nil {
			return fmt.Errorf("%v is of no use: %w", t, err)
		}
	}
	o := t.Test(ctx, ws, Job{Source: []byte(probeSource), Want: []byte("42\n"), Level: "-O0"}, limits)
	if o.Verdict != OK {
		return fmt.Errorf("%v is of no use: %s: %v", t, strings.Join(o.Command, " && "), o)
	}
	return nil
}

// ProbeAll returns the toolchains that pass Probe, in their order, and the
// errors of the others joined, or nil.
func ProbeAll(ctx context.Context, ws *Workspace, toolchains []Toolchain, limits Limits) (usable []Toolchain, unusable error) {
	var errs []error
	for _, t := range toolchains {
		if err := t.Probe(ctx, ws, limits); err != nil {
			errs = append(errs, err)
			continue
		}
		usable = append(usable, t)
	}
	return usable, errors.Join(errs...)
}
