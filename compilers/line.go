package compilers

import (
	"context"
	"fmt"
	"regexp"
)

// A Line is what a user's file says of a compiler, a virtual machine or an engine that no
// package knows; see package own.
type Line struct {
	Name     string
	Language Language
	Path     string         // of the executable, absolute
	Ask      string         // the argument with which it says its version
	Says     *regexp.Regexp // the line in which it does; the group is the version
	Modes    []LineMode     // the one that does the least first, at least one
	Flags    []string       // in all modes
	Lacks    []string       // flags that it does not know, and features of C
}

// A LineMode is a mode of a Line, with its flags. Those of a compiler of C are its name.
type LineMode struct {
	Mode  Mode
	Flags []string
}

// Found returns what is known of the executable of a line that an entry of REIFY_CC names.
func (l Line) Found(ctx context.Context, env Env, entry string) (i Installation, err error) {
	i = InstallationOf(env, entry)
	var modes []Mode
	for _, m := range l.Modes {
		modes = append(modes, m.Mode)
	}
	i.Chosen = env.ModesOf(modes)
	if i.Path, err = AtHome(l.Path); err != nil {
		return i, err
	}
	exit, asked := Ask(ctx, env, Query{Path: i.Path, Args: []string{l.Ask}})
	m := l.Says.FindSubmatch(append(append(exit.Stdout, '\n'), exit.Stderr...))
	if m == nil {
		if asked != nil {
			return i, asked
		}
		return i, fmt.Errorf("%s %s: %q is not what %q takes", i.Path, l.Ask, FirstLine(append(exit.Stdout, exit.Stderr...)), l.Says)
	}
	i.Version = string(m[len(m)-1])
	i.Found, err = See("", i.Path)
	return i, err
}
