package report

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/compilers/targets"
)

// versionTime is how long a compiler may take to say its version: a cold disk
// has made clang take more than ten seconds.
const versionTime = time.Minute

// Versions returns a function for Options.Version that asks the compilers which
// are on the PATH of the environment and those that its REIFY_CC names. Of several
// that have the version of the entry, the one of its name is asked. Only compilers
// that are found there are run, never a name that an entry brings along.
func Versions(ctx context.Context, env compilers.Env) (func(Finding) string, error) {
	var found []native.Toolchain
	if env.CC != "" {
		named, _, err := targets.Find(ctx, env)
		if err != nil {
			return nil, err
		}
		for _, t := range named {
			if tc, is := t.(native.Toolchain); is {
				found = append(found, tc)
			}
		}
	}
	env.CC = ""
	more, err := native.Toolchains(ctx, env)
	if found = append(found, more...); len(found) == 0 {
		return nil, err
	}
	space := env.Space
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
		file := filepath.Join(best.Root, best.Path)
		if _, ok := said[file]; !ok {
			said[file] = ask(ctx, space, *best)
		}
		return said[file]
	}, nil
}

// ask returns what a compiler prints for -v, or "" if it does not answer.
func ask(ctx context.Context, space *compilers.Workspace, tc native.Toolchain) string {
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	stdout, stderr, err := tc.Says(ctx, space, "-v")
	if err != nil {
		return ""
	}
	// gcc prints how it was called.
	name, _, _ := strings.Cut(tc.Name, "@")
	text := strings.ReplaceAll(stdout+stderr, "COLLECT_GCC="+tc.Path+"\n", "COLLECT_GCC="+name+"\n")
	return strings.TrimSpace(text) + "\n"
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
