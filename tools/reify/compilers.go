package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v3"

	"goreify/compilers/targets"
	"goreify/tools/cmdline"
)

// A listedCompiler is what is told of a target.
type listedCompiler struct {
	Name, Language, Family, Version, Triple string
	Modes                                   []string
	Reference                               string
}

func compilersCommand() *cli.Command {
	return &cli.Command{
		Name:        "compilers",
		Usage:       "list the compilers and engines that are here, as -cc names them",
		Description: "Those of languages other than C are asked only where -cc or REIFY_CC names them.",
		Metadata:    cmdline.Takes(cmdline.JSON),
		Action: func(ctx context.Context, c *cli.Command) error {
			env, closer, err := cmdline.OpenEnv(ctx, c) // what is in a root directory takes a box
			if err != nil {
				return err
			}
			defer closer()
			found, err := targets.All(ctx, env)
			if len(found) == 0 {
				return errors.Join(errors.New("no compiler is here"), err)
			}
			if err != nil {
				fmt.Fprintln(c.Root().ErrWriter, err)
			}
			var list []listedCompiler
			for _, t := range found {
				id := t.ID()
				list = append(list, listedCompiler{id.String(), t.Language(), id.Family, id.Version, id.Triple, t.Modes(), t.Reference()})
			}
			return cmdline.Print(c, list, func(w io.Writer) error {
				tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
				for _, e := range list {
					fmt.Fprintf(tw, "%s\t%s\t%s %s\t%s\t%s\n", e.Name, e.Language, e.Family, e.Version, e.Triple, strings.Join(e.Modes, " "))
				}
				return tw.Flush()
			})
		},
	}
}
