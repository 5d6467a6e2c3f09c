package compilers

import (
	"context"
	"fmt"
	"strings"
)

// SanitizerLevel is the level to compile at with sanitizers: the lowest at
// which gcc and clang see most of what they can.
const SanitizerLevel = "-O1"

// Sanitized returns the toolchain with undefined behaviour and address
// sanitizers on, so that a program that is undefined on its input ends with
// WrongAnswer and the report as message, or with Crash. Run it under
// Limits.ForSanitizers.
func (t Toolchain) Sanitized() Toolchain {
	return t.with("-fsanitize=undefined,address", "-fno-sanitize-recover=all")
}

// overflowSource overflows an int that no compiler can compute beforehand.
const overflowSource = `#include <limits.h>
int main(int argc, char **argv) { volatile int n = INT_MAX; n = n + argc; return 0; }
`

// ProbeSanitizers returns nil if the toolchain has the runtime of both
// sanitizers: a good program runs and a signed overflow is reported. Else the
// error says what is missing. It takes t as Find returned it, and costs two
// compilations.
func (t Toolchain) ProbeSanitizers(ctx context.Context, ws *Workspace, limits Limits) error {
	limits = limits.ForSanitizers()
	t = t.Sanitized()
	if err := t.Probe(ctx, ws, limits); err != nil {
		return fmt.Errorf("no sanitizers: %w", err)
	}
	o := t.Test(ctx, ws, Job{Source: []byte(overflowSource), Level: SanitizerLevel}, limits)
	if o.Verdict != WrongAnswer || !strings.Contains(o.Message, "signed integer overflow") {
		return fmt.Errorf("no sanitizers: %v does not report a signed overflow: %v", t, o)
	}
	return nil
}
