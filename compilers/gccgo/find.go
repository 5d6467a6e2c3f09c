package gccgo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
)

// Finder finds versions of gccgo that REIFY_CC names.
var Finder = compilers.Finder{Families: []string{family}, Find: findAll, Names: here, Signs: []compilers.Sign{
	{Name: family, Ask: "--version", Says: regexp.MustCompile(`^\S*gccgo\S* \(.*\) \d`), Example: "gccgo (GCC) 17.0.0 20261123 (experimental)"},
}}

var namePattern = regexp.MustCompile(`^gccgo(?:-\d+)?$`)

func findAll(ctx context.Context, env compilers.Env) (found []compilers.Target, unknown map[string]error, err error) {
	return compilers.FindNamed(ctx, env, "no gccgo is named in REIFY_CC", named)
}

var versionLine = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

// named returns the toolchain of an entry of REIFY_CC.
func named(ctx context.Context, env compilers.Env, entry string) (Toolchain, error) {
	t := Toolchain{compilers.InstallationOf(env, entry)}
	name, path, given := strings.Cut(t.Name, "=")
	if !namePattern.MatchString(name) || given && name != family {
		return Toolchain{}, fmt.Errorf("%s: no gccgo %w", entry, compilers.ErrName)
	}
	for _, arg := range t.Args {
		if !strings.HasPrefix(arg, "-") {
			return t, fmt.Errorf("%s: %q is no flag", entry, arg)
		}
	}
	t.Chosen = env.ModesOf(levels)
	if given {
		var err error
		if t.Path, err = compilers.AtHome(path, "bin/"+family); err != nil {
			return t, fmt.Errorf("%s: %w", t.Name, err)
		}
	} else if t.Path = compilers.LookPath(env.Path, t.Name); t.Path == "" {
		return t, fmt.Errorf("%s is not on PATH (package %s)", t.Name, t.Name)
	}
	exit, err := compilers.Ask(ctx, env, compilers.Query{Path: t.Path, Args: []string{"-dumpfullversion"}})
	if err != nil {
		return t, err
	}
	if t.Version = compilers.FirstLine(exit.Stdout); !versionLine.MatchString(t.Version) {
		return t, fmt.Errorf("%s -dumpfullversion: %q is no version", t.Path, t.Version)
	}
	parts := []string{t.Path}
	if given { // a build of the users' own: its driver may stay as it is
		exit, _ := compilers.Ask(ctx, env, compilers.Query{Path: t.Path, Args: append(slices.Clone(t.Args), "-print-prog-name=go1")})
		if file := compilers.FirstLine(exit.Stdout); filepath.IsAbs(file) && compilers.Executable("", file) {
			parts = append(parts, file)
		}
	}
	t.Found, err = compilers.See("", parts...)
	return t, err
}

// here returns the names of the versions that are on PATH.
func here(env compilers.Env) (names []string) {
	for _, dir := range filepath.SplitList(env.Path) {
		entries, _ := os.ReadDir(dir) // PATH may name what is not there
		for _, entry := range entries {
			if name := entry.Name(); namePattern.MatchString(name) && compilers.LookPath(env.Path, name) != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// Siblings returns the other versions that are here, with the same arguments.
func (t Toolchain) Siblings() []compilers.Target {
	return compilers.SiblingsOf(t, t.Host, here(t.Host), named)
}
