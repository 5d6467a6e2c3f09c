package targets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goreify/compilers"
)

// recognise returns an entry of REIFY_CC that is a path as NAME=PATH: the executable is
// asked which compiler it is. Another entry is returned as it is.
func recognise(ctx context.Context, env compilers.Env, finders []compilers.Finder, entry string) (string, error) {
	path, args, _ := strings.Cut(entry, " ")
	if name, _, given := strings.Cut(path, "="); !strings.Contains(path, "/") || given && !strings.Contains(name, "/") {
		return entry, nil
	}
	if _, err := os.Stat(path); err != nil && strings.Contains(path, compilers.RootMark) {
		return entry, nil // in a root directory
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	var signs []compilers.Sign
	var homes []string
	for _, f := range finders {
		for _, s := range f.Signs {
			signs = append(signs, s)
			if s.Home != "" && !slices.Contains(homes, s.Home) {
				homes = append(homes, s.Home)
			}
		}
	}
	file, err := compilers.AtHome(path, homes...)
	if err != nil {
		return "", err
	}
	if file != path {
		signs = slices.DeleteFunc(signs, func(s compilers.Sign) bool { return s.Home == "" || filepath.Join(path, s.Home) != file })
	}
	name, err := nameOf(ctx, env, signs, file)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(name + "=" + path + " " + args), nil
}

// nameOf returns the name of the sign that an executable shows. It is asked until it
// shows one.
func nameOf(ctx context.Context, env compilers.Env, signs []compilers.Sign, file string) (string, error) {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return "", err
	}
	// The command go looks for its directory, of which a box shows bin alone, and in that
	// of a user's module for another version of itself.
	vars := []string{"GOTOOLCHAIN=local", "GOROOT=" + filepath.Dir(filepath.Dir(real))}
	var asked, said []string
	for _, first := range signs {
		if slices.Contains(asked, first.Ask) {
			continue
		}
		asked = append(asked, first.Ask)
		exit, err := compilers.Ask(ctx, env, compilers.Query{Path: file, Args: []string{first.Ask}, Env: vars})
		stop := errors.Join(exit.Err, ctx.Err())
		if stop == nil && exit.TimedOut() {
			stop = err // nor will it answer to other arguments
		}
		if err := stop; err != nil {
			return "", fmt.Errorf("asking %s which compiler it is: %w", file, err)
		}
		text := string(exit.Stdout) + "\n" + string(exit.Stderr)
		if err := compilers.Unsupported(text); err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
		for _, s := range signs {
			if s.Ask == first.Ask && (s.Says.Match(exit.Stdout) || s.Says.Match(exit.Stderr)) {
				return s.Name, nil
			}
		}
		line := compilers.FirstLine([]byte(strings.TrimSpace(text)))
		if line == "" && err != nil {
			line = err.Error()
		}
		said = append(said, fmt.Sprintf("%s: %q", first.Ask, line))
	}
	return "", fmt.Errorf("%s is none of the compilers that are known (%s); they are recognised by these answers:%s", file, strings.Join(said, "; "), examples(signs))
}

// examples returns a line for each sign.
func examples(signs []compilers.Sign) string {
	var b strings.Builder
	for _, s := range signs {
		fmt.Fprintf(&b, "\n  %-12s %-10s %s", s.Name, s.Ask, s.Example)
	}
	return b.String()
}

// nicknamed returns an entry of REIFY_CC with the path of the executable on PATH in the
// place of a name that no finder knows, or "".
func nicknamed(env compilers.Env, entry string) string {
	name, args, _ := strings.Cut(entry, " ")
	path := compilers.LookPath(env.Path, name)
	if path == "" || strings.ContainsAny(name, "/=") {
		return ""
	}
	return strings.TrimSpace(path + " " + args)
}

// stamped returns the targets, where those that users have built have a digest in their
// version: those of versions that are no releases, and those that call themselves the
// same as another build.
func stamped(env compilers.Env, found []compilers.Target) ([]compilers.Target, error) {
	list := slices.Clone(found)
	for i, t := range found {
		s, ok := t.(compilers.Stamped)
		if !ok || !strings.Contains(t.ID().Name, "/") || strings.Contains(t.ID().Name, compilers.RootMark) {
			continue
		}
		if !compilers.Development(t.ID().Version) && !slices.ContainsFunc(found, func(o compilers.Target) bool { return another(env, s, o) }) {
			continue
		}
		digest, err := s.Digest(env.Cache)
		if err != nil {
			return nil, fmt.Errorf("reading %v to tell it from other builds: %w", t.ID(), err)
		}
		list[i] = s.Stamped(digest)
	}
	return list, nil
}

// another tells whether a target calls itself the same as another, and is none.
func another(env compilers.Env, t compilers.Stamped, other compilers.Target) bool {
	id, o := t.ID(), other.ID()
	s, ok := other.(compilers.Stamped)
	if !ok || id.Name == o.Name || id.Family != o.Family || id.Version != o.Version {
		return false
	}
	own, err := t.Digest(env.Cache)
	theirs, err2 := s.Digest(env.Cache)
	return err != nil || err2 != nil || own != theirs
}
