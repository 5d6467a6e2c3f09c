package cmdline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// OpenOracle returns an oracle that asks the compilers of this machine, and what
// closes it. It says which compilers are not used, and what keeps children in if
// that is not the best there is.
func OpenOracle(ctx context.Context, c *cli.Command) (o *oracle.Oracle, closer func(), err error) {
	return OpenWith(ctx, c, targets.Find)
}

// OpenIn is OpenOracle where there is a workspace, and what closes that. More
// targets are asked, too; that one of these cannot be used is an error.
func OpenIn(ctx context.Context, env compilers.Env, closer func(), more ...compilers.Target) (o *oracle.Oracle, _ func(), err error) {
	found, named, err := targets.Find(ctx, env)
	return openFound(ctx, env, closer, found, named, more, err)
}

// OpenWith is OpenOracle with targets of the caller's own choice. One of these that cannot
// be used is an error if it was named.
func OpenWith(ctx context.Context, c *cli.Command, find func(context.Context, compilers.Env) (found []compilers.Target, named bool, err error)) (o *oracle.Oracle, closer func(), err error) {
	env, closer, err := OpenEnv(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	found, named, err := find(ctx, env)
	if o, closer, err = openFound(ctx, env, closer, found, named, nil, err); err == nil {
		Limit(c, o, o.Limits)
	}
	return o, closer, err
}

// openFound is OpenIn with targets that were found, or with what went wrong instead.
func openFound(ctx context.Context, env compilers.Env, closer func(), found []compilers.Target, named bool, more []compilers.Target, err error) (o *oracle.Oracle, _ func(), _ error) {
	if err == nil {
		among := func(list []compilers.Target, t compilers.Target) bool {
			return slices.ContainsFunc(list, func(other compilers.Target) bool { return other.ID().Same(t.ID()) })
		}
		found = append(found, slices.DeleteFunc(slices.Clone(more), func(t compilers.Target) bool { return among(found, t) })...)
		o, err = oracle.New(ctx, env.Space, found, named)
		for _, t := range more {
			if err == nil && !among(o.Targets, t) {
				err = fmt.Errorf("%v cannot be used: %w", t.ID(), errors.Join(o.Unusable...))
			}
		}
	}
	if err != nil {
		closer()
		return nil, nil, err
	}
	for _, u := range o.Unusable {
		fmt.Fprintln(Errors(), "reify: not used:", u)
	}
	return o, closer, nil
}

// OpenEnv returns what the environment asks for, with a workspace whose children
// are kept in as the flag box says, and what closes it. It says what keeps them
// in if that is not the best there is.
func OpenEnv(ctx context.Context, c *cli.Command) (env compilers.Env, closer func(), err error) {
	policy, err := compilers.ParseBoxPolicy(box(c))
	if err != nil {
		return env, nil, err
	}
	env = compilers.EnvFrom(Environ(c))
	if env.Space, closer, err = OpenSpace(ctx); err != nil {
		return env, nil, err
	}
	wall, reason, err := env.Space.Enclose(ctx, policy)
	if err != nil {
		closer()
		return env, nil, err
	}
	if reason != nil {
		fmt.Fprintf(Errors(), "reify: compilers and programs run behind: %s (%s)\n", wall, strings.ReplaceAll(reason.Error(), "\n", "; "))
	}
	return env, closer, nil
}

// OpenForStrangers is OpenOracle for programs that others wrote, and that nobody has looked at:
// an error where these are not run.
func OpenForStrangers(ctx context.Context, c *cli.Command) (o *oracle.Oracle, closer func(), err error) {
	if o, closer, err = OpenOracle(ctx, c); err != nil {
		return nil, nil, err
	}
	if err := o.Space.Strangers(); err != nil {
		closer()
		return nil, nil, err
	}
	return o, closer, nil
}

// Load reads a reproducer whose program is to be compiled and run in a workspace. One that is
// not this repository's own, by its content, is an error where those of strangers are not run.
func Load(space *compilers.Workspace, path string) (*corpus.Entry, error) {
	e, own, err := corpus.LoadOwn(path)
	if err == nil && !own {
		if err = space.Strangers(); err != nil {
			err = fmt.Errorf("%s is none of this repository's own reproducers: %w", path, err)
		}
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}
