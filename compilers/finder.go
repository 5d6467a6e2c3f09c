package compilers

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// ErrName is the error of Finder.Find for an entry whose name is none of its own. It
// comes wrapped, and is not worth telling if another finder knows the name.
var ErrName = errors.New("has this name")

// A Finder looks for the targets of some families.
type Finder struct {
	Families []string // whether or not any of them are here
	// Modes are the modes that begin with @ which any of its targets may have.
	Modes []Mode
	// Names are the entries of REIFY_CC that would name targets which are here and are
	// found only if they are named. It may be nil.
	Names func(env Env) []string
	// Signs are how executables of its families are recognised.
	Signs []Sign
	// Find returns those targets that env.Named names, in that order, or all that
	// are here if it names none. unknown says why the other entries are none of
	// its own; its key is "" if nothing is named and nothing is here. The error is
	// one that no other finder can mend.
	Find func(ctx context.Context, env Env) (found []Target, unknown map[string]error, err error)
}

// Named returns the entries of REIFY_CC, with single spaces between words. It is
// nil if there are none.
func (e Env) Named() []string {
	if strings.TrimSpace(e.CC) == "" {
		return nil
	}
	var names []string
	for entry := range strings.SplitSeq(e.CC, ",") {
		names = append(names, strings.Join(strings.Fields(entry), " "))
	}
	return names
}

// ModesOf returns those of some modes that REIFY_MODES names, in its order.
func (e Env) ModesOf(known []Mode) (list []Mode) {
	for name := range strings.SplitSeq(e.Modes, ",") {
		if name = strings.TrimSpace(name); slices.Contains(known, name) && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// A Named returns the target of an entry of REIFY_CC.
type Named[T Target] func(ctx context.Context, env Env, entry string) (T, error)

// FindNamed is Finder.Find for targets that are found only if they are named. none is
// what is wrong if nothing is named.
func FindNamed[T Target](ctx context.Context, e Env, none string, named Named[T]) (found []Target, unknown map[string]error, err error) {
	unknown = map[string]error{}
	names := e.Named()
	if names == nil {
		unknown[""] = errors.New(none)
	}
	for _, entry := range names {
		t, err := named(ctx, e, entry)
		if err != nil {
			unknown[entry] = err
			continue
		}
		found = append(found, t)
	}
	return found, unknown, nil
}

// SiblingsOf returns the targets of some names that are of other versions than t, one of
// each, with the arguments of t. A target that cannot be had is left out.
func SiblingsOf[T Target](t T, e Env, names []string, named Named[T]) (list []Target) {
	seen := map[string]bool{t.ID().Version: true}
	for _, name := range names {
		other, err := named(context.Background(), e, ID{Name: name, Args: t.ID().Args}.String())
		if err != nil || seen[other.ID().Version] {
			continue
		}
		seen[other.ID().Version] = true
		list = append(list, other)
	}
	return list
}
