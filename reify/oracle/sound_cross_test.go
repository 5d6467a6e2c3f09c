package oracle_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

// judges returns the witnesses of this machine or, if REIFY_SOUND_CROSS is set,
// compilers for other processors: those that REIFY_CC names, or else for each
// processor the first gcc and the first clang that is here and can be used.
func judges(t *testing.T) (*oracle.Oracle, []*witness) {
	if os.Getenv("REIFY_SOUND_CROSS") == "" {
		o := machine(t)
		return o, witnesses(t, o)
	}
	env := compilers.EnvFrom(os.Environ())
	var err error
	env.Space, err = compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, env.Space.Close()) })
	wall, reason, err := env.Space.Enclose(t.Context(), compilers.BoxAuto)
	require.NoError(t, err)
	t.Log("compilers and programs run behind:", wall, reason)

	o := &oracle.Oracle{Space: env.Space, Limits: compilers.DefaultLimits()}
	if env.CC != "" {
		found, _, err := targets.Find(t.Context(), env)
		require.NoError(t, err)
		o, err = oracle.New(t.Context(), env.Space, found, true)
		require.NoError(t, err)
	} else {
		for _, p := range processors {
			for _, commands := range [][]string{gccs, clangs} {
				if target, why := first(t.Context(), env, p, commands); target != nil {
					o.Targets = append(o.Targets, target)
				} else {
					need.Partly(t, "cross", "%s", why)
				}
			}
		}
	}
	var list []*witness
	for _, target := range o.Targets {
		t.Logf("%v %s: %v", target.ID(), target.ID().Version, target.Traits())
		list = append(list, &witness{Target: target})
	}
	require.NotEmpty(t, list, "no compiler for another processor")
	return o, list
}

// A processor is one that programs must be right on.
type processor struct{ triple, args string }

var processors = []processor{
	{"aarch64-linux-gnu", ""}, {"arm-linux-gnueabihf", ""}, {"riscv64-linux-gnu", ""}, {"s390x-linux-gnu", ""},
	{"powerpc64-linux-gnu", ""}, {"loongarch64-linux-gnu", ""}, {"mips64el-linux-gnuabi64", ""}, {"sparc64-linux-gnu", ""},
	{"m68k-linux-gnu", ""}, {"hppa-linux-gnu", ""}, {"alpha-linux-gnu", ""}, {"sh4-linux-gnu", ""}, {"i686-linux-gnu", ""},
}

// gccs and clangs are the commands to try for a processor, in this order.
var (
	gccs   = []string{"TRIPLE-gcc-16@trunk", "TRIPLE-gcc-16", "TRIPLE-gcc-14", "TRIPLE-gcc-12"}
	clangs = []string{"clang-24@trunk --target=TRIPLE", "clang-24@trunk --target=TRIPLE -fuse-ld=lld",
		"clang-24 --target=TRIPLE", "clang-24 --target=TRIPLE -fuse-ld=lld", "clang-19 --target=TRIPLE"}
)

// first returns the first target for a processor that can be used, or why there is
// none.
func first(ctx context.Context, env compilers.Env, p processor, commands []string) (found compilers.Target, why string) {
	why = p.triple + ": none of these is here:"
	for _, command := range commands {
		env.CC = strings.TrimSpace(strings.ReplaceAll(command, "TRIPLE", p.triple) + " " + p.args)
		why += " " + env.CC + ","
		list, _, err := targets.Find(ctx, env)
		if err != nil {
			continue
		}
		usable, err := compilers.ProbeAll(ctx, env.Space, list, compilers.DefaultLimits().ForSanitizers())
		if err == nil {
			return usable[0], ""
		}
		why = strings.TrimSuffix(why, ",") + fmt.Sprintf(" (%v),", err)
	}
	return nil, strings.TrimSuffix(why, ",")
}
