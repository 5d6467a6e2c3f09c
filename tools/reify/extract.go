package main

import (
	"context"
	"errors"
	"os"

	"github.com/urfave/cli/v3"

	"goreify/corpus"
)

func extractCommand() *cli.Command {
	return &cli.Command{
		Name:      "extract",
		Usage:     "write the files of a reproducer to a directory, which is made if it is not there",
		ArgsUsage: "FILE DIR",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "f", Usage: "replace what is there under their names with other content"},
		},
		Action: func(_ context.Context, c *cli.Command) error {
			if c.NArg() != 2 {
				return errors.New("extract takes a file and a directory")
			}
			e, err := corpus.Load(c.Args().First())
			if err != nil {
				return err
			}
			dir := c.Args().Get(1)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			return e.Extract(dir, c.Bool("f"))
		},
	}
}
