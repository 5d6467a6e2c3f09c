package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/targets"
)

// A listedEngine is what is told of a target.
type listedEngine struct {
	Name, Language, Family, Version, Triple string
	Modes                                   []string
	Reference                               string
}

func enginesCommand() *cli.Command {
	return &cli.Command{
		Name:  "engines",
		Usage: "list the compilers and engines that are here, as REIFY_CC names them, also those that hunts take only if they are named",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one JSON array"}},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("engines takes no arguments, got %q", c.Args().First())
			}
			env, closer, err := openEnvWith(ctx, compilers.BoxAuto) // what is in a root directory takes a box
			if err != nil {
				return err
			}
			defer closer()
			found, err := targets.All(ctx, env)
			if len(found) == 0 {
				return errors.Join(errors.New("there is no compiler here"), err)
			}
			if err != nil {
				fmt.Fprintln(c.Root().ErrWriter, err)
			}
			var list []listedEngine
			for _, t := range found {
				id := t.ID()
				list = append(list, listedEngine{id.String(), t.Language(), id.Family, id.Version, id.Triple, t.Modes(), t.Reference()})
			}
			if c.Bool("json") {
				return printJSON(c.Root().Writer, list)
			}
			w := tabwriter.NewWriter(c.Root().Writer, 0, 0, 2, ' ', 0)
			for _, e := range list {
				fmt.Fprintf(w, "%s\t%s\t%s %s\t%s\t%s\n", e.Name, e.Language, e.Family, e.Version, e.Triple, strings.Join(e.Modes, " "))
			}
			return w.Flush()
		},
	}
}
