package native

import (
	"context"
	"fmt"
	"strings"

	"goreify/compilers"
)

// sanitizerLevel is the level to compile at with sanitizers: the lowest at
// which gcc and clang see most of what they can.
const sanitizerLevel = "-O1"

// CheckedAssume is an argument that has sanitizers report a false assumption, as
// clang's do by themselves from version 20 on. It stands in no ID.
const CheckedAssume = "-D__builtin_assume(x)=((x) ? (void)0 : __builtin_unreachable())"

// overflowSource overflows an int that no compiler can compute beforehand.
const overflowSource = `#include <limits.h>
int main(int argc, char **argv) { volatile int n = INT_MAX; n = n + argc; return 0; }
`

// Sanitized returns the toolchain with undefined behaviour and address
// sanitizers on, so that a program that is undefined on its input ends with
// WrongAnswer and the report as message, or with Crash. The error says what is
// missing: a good program must run, and a signed overflow be reported.
func (t Toolchain) Sanitized(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) (compilers.Target, error) {
	if t.other != nil || t.ir {
		return nil, fmt.Errorf("%v: %w", t, compilers.ErrNoSanitizers)
	}
	limits = limits.ForSanitizers()
	t = t.sanitized()
	if err := t.Probe(ctx, ws, limits); err != nil {
		return nil, fmt.Errorf("no sanitizers: %w", err)
	}
	o := compilers.Test(ctx, t, ws, compilers.Job{Files: compilers.Single([]byte(overflowSource)), Mode: sanitizerLevel}, limits)
	if o.Verdict != compilers.WrongAnswer || !strings.Contains(o.Message, "signed integer overflow") {
		return nil, fmt.Errorf("no sanitizers: %v does not report a signed overflow: %v", t, o)
	}
	return t, nil
}

func (t Toolchain) sanitized() Toolchain {
	t = t.with("-fsanitize=undefined,address", "-fno-sanitize-recover=all")
	t.sanitizing = true
	return t
}

// Filled returns the arguments that fill variables with zeros and with a pattern:
// gcc knows them from 12 on, clang from 16 on.
func (t Toolchain) Filled() []string {
	if t.other != nil || t.tools != nil {
		return nil
	}
	return []string{"-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init=pattern"}
}

// Forgiving returns the arguments without which the types of pointers tell gcc and
// clang what they point to, and gcc rounds a*b + c once where a processor can.
func (t Toolchain) Forgiving() []string {
	if t.other != nil || t.tools != nil {
		return nil
	}
	return []string{"-fno-strict-aliasing", "-ffp-contract=off"}
}

// checked returns what is defined for sanitizers.
func (t Toolchain) checked() []string {
	if t.sanitizing {
		return []string{CheckedAssume}
	}
	return nil
}
