package report

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/compilers/native"
)

// versionTime is how long a compiler may take to say its version: a cold disk
// has made clang take more than ten seconds.
const versionTime = time.Minute

// Versions returns a function for Options.Version that asks the compilers which
// are on the PATH of the environment, whatever its REIFY_CC says. Of several that
// have the version of the entry, the one of its name is asked. Only compilers that
// are found there are run, never a name that an entry brings along.
func Versions(ctx context.Context, env compilers.Env) (func(Finding) string, error) {
	env.CC = ""
	found, err := native.Toolchains(ctx, env)
	if err != nil {
		return nil, err
	}
	said := map[string]string{}
	return func(f Finding) string {
		var best *native.Toolchain
		for i, tc := range found {
			if tc.Family == f.Entry.Family && tc.Version == f.Entry.Version && (best == nil || tc.Name == f.Entry.Compiler) {
				best = &found[i]
			}
		}
		if best == nil {
			return ""
		}
		if _, ok := said[best.Path]; !ok {
			said[best.Path] = ask(ctx, *best)
		}
		return said[best.Path]
	}, nil
}

// ask returns what a compiler prints for -v, or "" if it does not answer.
func ask(ctx context.Context, tc native.Toolchain) string {
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	// By its name, for gcc prints how it was called.
	cmd := exec.CommandContext(ctx, tc.Path)
	cmd.Args = []string{tc.Name, "-v"}
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	text, err := cmd.CombinedOutput()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text)) + "\n"
}

// target returns the target that -v prints, or "".
func target(version string) string {
	for line := range strings.Lines(version) {
		if t, ok := strings.CutPrefix(strings.TrimSpace(line), "Target: "); ok {
			return t
		}
	}
	return ""
}
