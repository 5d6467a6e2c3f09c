package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/tools/reify/hunt"
)

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "say what a hunt has come to, also while it runs",
		ArgsUsage: "DIR",
		Flags:     []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one JSON object"}},
		Action: func(_ context.Context, c *cli.Command) error {
			if c.NArg() != 1 {
				return errors.New("status takes one directory")
			}
			sum, err := hunt.Read(c.Args().First())
			if err != nil {
				return err
			}
			if c.Bool("json") {
				err = printJSON(c.Root().Writer, sum)
			} else {
				err = sum.Write(c.Root().Writer)
			}
			if err == nil && len(sum.Damaged) > 0 {
				err = fmt.Errorf("%s is damaged: %s; what is lost is drawn again when the hunt goes on", sum.Dir, strings.Join(sum.Damaged, "; "))
			}
			return err
		},
	}
}
