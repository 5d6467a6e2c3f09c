package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/tools/cmdline"
	"goreify/tools/reify/hunt"
)

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "say what a hunt has come to, also while it runs",
		ArgsUsage: "DIR",
		Metadata:  cmdline.Takes(cmdline.JSON, cmdline.Known),
		Action: func(_ context.Context, c *cli.Command) error {
			if c.NArg() != 1 {
				return errors.New("status takes the directory of a hunt")
			}
			sum, err := hunt.Read(c.Args().First())
			if err != nil {
				return err
			}
			list, err := knownBuckets(c, sum.Dir)
			if err != nil {
				return err
			}
			sum.MarkKnown(list)
			if err = writeSummary(c, sum); err == nil && len(sum.Damaged) > 0 {
				err = fmt.Errorf("%s is damaged: %s; what is lost is drawn again when the hunt goes on", sum.Dir, strings.Join(sum.Damaged, "; "))
			}
			return err
		},
	}
}
