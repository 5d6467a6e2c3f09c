package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/oracle"
)

// boxFlag says what compilers and programs are to be kept in.
func boxFlag() cli.Flag {
	return &cli.StringFlag{Name: "box", Sources: cli.EnvVars("REIFY_BOX"),
		Usage: "`POLICY` for what runs compilers and programs: auto (the best wall that the kernel allows), require (namespaces, or nothing is run), off"}
}

// openOracle returns an oracle that asks the compilers of this machine, and what
// closes it. It says which compilers are not used, and what keeps children in if
// that is not the best there is.
func openOracle(ctx context.Context, c *cli.Command) (o *oracle.Oracle, closer func(), err error) {
	env, closer, err := openEnv(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	return openIn(ctx, env, closer)
}

// openIn is openOracle where there is a workspace, and what closes that. More
// targets are asked, too; that one of these cannot be used is an error.
func openIn(ctx context.Context, env compilers.Env, closer func(), more ...compilers.Target) (o *oracle.Oracle, _ func(), err error) {
	found, named, err := targets.Find(ctx, env)
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
		fmt.Fprintln(os.Stderr, "reify: not used:", u)
	}
	return o, closer, nil
}

// openEnv returns what the environment asks for, with a workspace whose children
// are kept in as the option box says, and what closes it. It says what keeps them
// in if that is not the best there is.
func openEnv(ctx context.Context, c *cli.Command) (env compilers.Env, closer func(), err error) {
	policy, err := compilers.ParseBoxPolicy(c.String("box"))
	if err != nil {
		return env, nil, err
	}
	return openEnvWith(ctx, policy)
}

func openEnvWith(ctx context.Context, policy compilers.BoxPolicy) (env compilers.Env, closer func(), err error) {
	env = compilers.EnvFrom(os.Environ())
	if env.Space, err = compilers.NewWorkspace(os.TempDir()); err != nil {
		return env, nil, err
	}
	closer = func() { _ = env.Space.Close() } // what stays is swept by the next
	wall, reason, err := env.Space.Enclose(ctx, policy)
	if err != nil {
		closer()
		return env, nil, err
	}
	if reason != nil {
		fmt.Fprintf(os.Stderr, "reify: compilers and programs run behind: %s (%s)\n", wall, strings.ReplaceAll(reason.Error(), "\n", "; "))
	}
	return env, closer, nil
}

// strangers returns those of the files that are not in a directory corpus, where
// our own are. Their programs are run in a box, unless the user says otherwise.
func strangers(files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		return filepath.Base(filepath.Dir(file)) == "corpus"
	})
}

// openForFiles is openOracle for programs that may be those of strangers.
func openForFiles(ctx context.Context, c *cli.Command, files []string) (o *oracle.Oracle, closer func(), err error) {
	env, closer, err := openEnvForFiles(ctx, c, files)
	if err != nil {
		return nil, nil, err
	}
	return openIn(ctx, env, closer)
}

// openEnvForFiles is openEnv for programs that may be those of strangers.
func openEnvForFiles(ctx context.Context, c *cli.Command, files []string) (env compilers.Env, closer func(), err error) {
	if c.String("box") != "" || len(strangers(files)) == 0 {
		return openEnv(ctx, c)
	}
	if env, closer, err = openEnvWith(ctx, compilers.BoxRequire); err != nil {
		err = fmt.Errorf("%w; %s is not in corpus/: -box auto or -box off runs it all the same", err, strangers(files)[0])
	}
	return env, closer, err
}
