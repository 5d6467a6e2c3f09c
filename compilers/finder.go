package compilers

import (
	"context"
	"errors"
	"strings"
)

// ErrName is what Finder.Find says of an entry whose name is none of its own. It comes
// wrapped, and is not worth telling if another finder knows the name.
var ErrName = errors.New("is called so")

// A Finder looks for the targets of some families.
type Finder struct {
	Families []string // whether or not any of them are here
	// Modes are the modes that begin with @ which any of its targets may have.
	Modes []Mode
	// Names are the entries of REIFY_CC that would name targets which are here and are
	// found only if they are named. It may be nil.
	Names func(env Env) []string
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
