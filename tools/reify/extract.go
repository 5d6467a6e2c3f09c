package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/corpus"
	"goreify/reify/safefile"
)

func extractCommand() *cli.Command {
	return &cli.Command{
		Name:      "extract",
		Usage:     "write the files of a reproducer to a directory, to compile them by hand",
		ArgsUsage: "FILE",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "`DIR` to write to, made if need be; by default out/ and the name of FILE"},
			&cli.BoolFlag{Name: "f", Usage: "replace what is there under their names with other content"},
		},
		Action: func(_ context.Context, c *cli.Command) error {
			if c.NArg() != 1 {
				return errors.New("extract takes one file; -o names the directory")
			}
			file, dir := c.Args().First(), c.String("o")
			e, err := corpus.Load(file)
			if err != nil {
				return err
			}
			if dir == "" {
				dir = filepath.Join("out", strings.TrimSuffix(filepath.Base(file), corpus.Ext))
			}
			d, err := safefile.Make(dir)
			if err != nil {
				return err
			}
			defer d.Close() // written files are closed
			return e.ExtractTo(d, c.Bool("f"))
		},
	}
}
