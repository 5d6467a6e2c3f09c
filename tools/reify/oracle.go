package main

import (
	"context"
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
	policy, err := compilers.ParseBoxPolicy(c.String("box"))
	if err != nil {
		return nil, nil, err
	}
	return openBoxed(ctx, policy)
}

func openBoxed(ctx context.Context, policy compilers.BoxPolicy) (o *oracle.Oracle, closer func(), err error) {
	found, named, err := targets.Find(ctx, compilers.EnvFrom(os.Environ()))
	if err != nil {
		return nil, nil, err
	}
	if o, closer, err = oracle.New(ctx, found, named, os.TempDir()); err != nil {
		return nil, nil, err
	}
	for _, u := range o.Unusable {
		fmt.Fprintln(os.Stderr, "reify: not used:", u)
	}
	wall, reason, err := o.Enclose(ctx, policy)
	if err != nil {
		closer()
		return nil, nil, err
	}
	if reason != nil {
		fmt.Fprintf(os.Stderr, "reify: compilers and programs run behind: %s (%s)\n", wall, strings.ReplaceAll(reason.Error(), "\n", "; "))
	}
	return o, closer, nil
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
	if c.String("box") == "" && len(strangers(files)) > 0 {
		o, closer, err = openBoxed(ctx, compilers.BoxRequire)
		if err != nil {
			err = fmt.Errorf("%w; %s is not in corpus/: -box auto or -box off runs it all the same", err, strangers(files)[0])
		}
		return o, closer, err
	}
	return openOracle(ctx, c)
}
