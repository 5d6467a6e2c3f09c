package targets

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/gc"
	"goreify/compilers/gccgo"
	"goreify/compilers/jvm"
	"goreify/compilers/native"
	"goreify/compilers/own"
	"goreify/compilers/tcc"
	"goreify/compilers/wasm"
)

// finders look for the targets of each kind. An entry of REIFY_CC belongs to the
// first that knows it.
var finders = []compilers.Finder{native.Tools, native.Finder, tcc.Finder, gc.Finder, gccgo.Finder, wasm.Finder, jvm.Finder, own.Finder}

// Find returns the targets that the environment names, or else all that are here, those
// of one finder after those of another. named tells whether it names them: then a target
// that cannot be used is an error for the caller. The error says what is missing or
// misspelt.
func Find(ctx context.Context, env compilers.Env) (found []compilers.Target, named bool, err error) {
	return find(ctx, env, finders)
}

func find(ctx context.Context, env compilers.Env, finders []compilers.Finder) (found []compilers.Target, named bool, err error) {
	cc, names := env.CC, env.Named()
	named = len(names) > 0
	if slices.Contains(names, "") {
		return nil, named, fmt.Errorf("REIFY_CC=%q: empty entry", cc)
	}
	if err := checkModes(env.Modes, append(slices.Clip(finders), compilers.Finder{Modes: own.Modes(names)})); err != nil {
		return nil, named, err
	}
	var entries []string
	for _, name := range names {
		list, err := own.Entries(name)
		for _, entry := range list {
			entry, failed := recognise(ctx, env, finders, entry)
			entries, err = append(entries, entry), errors.Join(err, failed)
		}
		if err != nil {
			return nil, named, fmt.Errorf("REIFY_CC=%q: %w", cc, err)
		}
	}
	names = entries
	all := slices.Clone(names)
	why := map[string][]error{}
	for _, f := range finders {
		if named && len(names) == 0 {
			break
		}
		env.CC = strings.Join(names, ",")
		list, unknown, err := f.Find(ctx, env)
		if err != nil {
			return nil, named, err
		}
		found = append(found, list...)
		for entry, err := range unknown {
			why[entry] = append(why[entry], err)
		}
		names = slices.DeleteFunc(names, func(name string) bool { return unknown[name] == nil })
	}
	if len(names) > 0 {
		list := why[names[0]]
		// A name of the users' own for what is on PATH is as good as the path.
		if path := nicknamed(env, names[0]); path != "" {
			entry, err := recognise(ctx, env, finders, path)
			if err == nil {
				all[slices.Index(all, names[0])] = entry
				env.CC = strings.Join(all, ",")
				return find(ctx, env, finders)
			}
			list = append(list, err)
		}
		if own := slices.DeleteFunc(slices.Clone(list), func(err error) bool { return errors.Is(err, compilers.ErrName) }); len(own) > 0 {
			list = own
		}
		err := errors.Join(list...)
		if len(list) == 1 && !strings.ContainsAny(names[0], "/=@") {
			err = fmt.Errorf("%w; reify compilers lists the names of those that are here, and a path may be given, too", err)
		}
		return nil, named, fmt.Errorf("REIFY_CC=%q: %w", cc, err)
	}
	if len(found) == 0 {
		return nil, named, errors.Join(why[""]...)
	}
	found, err = stamped(env, found)
	return found, named, err
}

// checkModes returns an error that names the mode of REIFY_MODES which begins with @
// and that no finder knows. Each finder reads the others by itself.
func checkModes(levels string, finders []compilers.Finder) error {
	known := modesOf(finders)
	for name := range strings.SplitSeq(levels, ",") {
		if name = strings.TrimSpace(name); strings.HasPrefix(name, "@") && !slices.Contains(known, name) {
			return fmt.Errorf("REIFY_MODES=%q: no compiler has the mode %q; want %s", levels, name, strings.Join(known, ", "))
		}
	}
	return nil
}

func modesOf(finders []compilers.Finder) (all []compilers.Mode) {
	for _, f := range finders {
		all = append(all, f.Modes...)
	}
	return all
}

// Modes returns the modes of all finders that begin with @, those that are asked in only
// if they are named among them.
func Modes() []compilers.Mode { return modesOf(finders) }

// All returns the targets that the environment names, or else all that are here, those
// that are otherwise taken only by name among them. unusable says why others are not.
func All(ctx context.Context, env compilers.Env) (found []compilers.Target, unusable error) {
	if env.Named() != nil {
		found, _, err := Find(ctx, env)
		return found, err
	}
	if err := checkModes(env.Modes, finders); err != nil {
		return nil, err
	}
	var errs []error
	for _, f := range finders {
		of := env
		if f.Names != nil {
			if of.CC = strings.Join(f.Names(env), ","); of.CC == "" {
				continue
			}
		}
		list, unknown, err := f.Find(ctx, of)
		for _, name := range slices.Sorted(maps.Keys(unknown)) {
			errs = append(errs, unknown[name])
		}
		found, errs = append(found, list...), append(errs, err)
	}
	return found, errors.Join(errs...)
}

// Families returns the names of all families, whether or not they are here.
func Families() []string {
	var all []string
	for _, f := range finders {
		all = append(all, f.Families...)
	}
	return all
}
