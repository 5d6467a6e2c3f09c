package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"goreify/corpus"
)

func knownCommand() *cli.Command {
	return &cli.Command{
		Name:      "known",
		Usage:     "mark a bucket as known: it stops no fuzzing, and a hunt only counts it; without a bucket, list those that are known",
		ArgsUsage: "[BUCKET]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "file", Value: knownFile, Usage: "`FILE` of the list"},
			&cli.StringFlag{Name: "link", Usage: "`URL` of the bug in its tracker"},
			&cli.StringFlag{Name: "note", Usage: "`TEXT` to say about it"},
		},
		Action: func(_ context.Context, c *cli.Command) error {
			switch c.NArg() {
			case 0:
				list, err := corpus.LoadKnown(c.String("file"))
				for _, k := range list {
					fmt.Fprintln(c.Root().Writer, k)
				}
				return err
			case 1:
				return corpus.MarkKnown(c.String("file"), corpus.Known{Bucket: c.Args().First(), Link: c.String("link"), Note: c.String("note")})
			}
			return errors.New("known takes one bucket")
		},
	}
}

// knownFile is the list of known buckets unless a flag names another.
var knownFile = filepath.Join("corpus", corpus.KnownFile)
