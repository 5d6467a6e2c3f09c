package crosscheck

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/reify/emit/c"
	"goreify/reify/ir"
	written "goreify/reify/language"
	"goreify/tools/need"
)

// A bench is the compilers to compare with.
type bench struct {
	all    []native.Toolchain
	space  *compilers.Workspace
	limits compilers.Limits
}

// newBench returns the newest usable gcc and clang, and if more is set also both
// with -m32. It says loudly who is missing, and skips the test if all are.
func newBench(t *testing.T, more bool) *bench {
	t.Helper()
	found, err := native.Toolchains(t.Context(), compilers.EnvFrom(os.Environ()))
	if err != nil {
		need.Missing(t, "gcc", "%v", err)
	}
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	b := &bench{space: ws, limits: compilers.DefaultLimits()}
	b.limits.CompileCPU, b.limits.CompileWall = time.Minute, 5*time.Minute
	b.limits.RunCPU, b.limits.RunWall, b.limits.Output = 10*time.Second, time.Minute, 16<<20
	for _, family := range []string{"gcc", "clang"} {
		for _, flags := range [][]string{nil, {"-m32"}} {
			if flags != nil && !more {
				continue
			}
			if tc, ok := b.newest(t.Context(), found, family, flags); ok {
				b.all = append(b.all, tc)
			} else {
				what := family
				if flags != nil {
					what = "m32"
				}
				need.Partly(t, what, "%s %s: there is none that works", family, strings.Join(flags, " "))
			}
		}
	}
	if len(b.all) == 0 {
		need.Missing(t, "gcc", "no compiler works")
	}
	return b
}

// newest returns the newest toolchain of a family that works with the flags.
func (b *bench) newest(ctx context.Context, found []native.Toolchain, family string, flags []string) (best native.Toolchain, ok bool) {
	for _, tc := range found {
		tc.Args = append(tc.Args, flags...)
		if tc.Family == family && tc.Probe(ctx, b.space, b.limits) == nil {
			best, ok = tc, true // they come in ascending order
		}
	}
	return best, ok
}

// agree compiles the units with each compiler at -O0 and requires that they
// print the interpreter's answers. explain names what is wrong in a unit.
func (b *bench) agree(t *testing.T, units []c.Unit, explain func(tc native.Toolchain, unit int) string) {
	t.Helper()
	source, want := []byte(c.Emit(units)), c.Want(units)
	for _, tc := range b.all {
		o := b.ask(t, tc, source, want)
		if o.Verdict == compilers.OK {
			continue
		}
		if wrong, _ := written.Wrong(c.Answers(units), o.Stdout); wrong != nil {
			i := wrong[0]
			t.Fatalf("%v -O0: %v\nunit %d is to print %s%s", tc, o, i, c.Answers(units)[i], explain(tc, i))
		}
		t.Fatalf("%v -O0: %v\n%s", tc, o, o.Stderr)
	}
}

func (b *bench) ask(t *testing.T, tc native.Toolchain, source []byte, want string) compilers.Outcome {
	job := compilers.Job{Files: compilers.Single(source), Want: []byte(want), Mode: "-O0"}
	o := compilers.Test(t.Context(), tc, b.space, job, b.limits)
	if o.Verdict == compilers.Discarded {
		t.Fatalf("%v: %v", tc, o)
	}
	if o.Verdict == compilers.Rejected {
		t.Fatalf("%v does not accept what emit/c writes: %v\n%.2000s", tc, o, o.Stderr)
	}
	return o
}

// unit returns the case of a function that has run.
func unit(f *ir.Function, args []int64, want int64, style c.Style) c.Unit {
	return c.Unit{Claim: &ir.Claim{Func: f, Args: args, Want: want, Path: []int{0}}, Style: style}
}

func (b *bench) String() string { return fmt.Sprint(b.all) }
