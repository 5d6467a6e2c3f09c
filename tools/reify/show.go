package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v3"
	"golang.org/x/tools/txtar"

	"goreify/corpus"
	"goreify/reify/safefile"
	"goreify/tools/cmdline"
	reports "goreify/tools/reify/report"
)

func showCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print what a reproducer holds: header, program, path and trace; its source; its graph",
		ArgsUsage: "FILE",
		Description: "text     header, program, path and trace\n" +
			"source   the program in its language\n" +
			"dot      the graph with the path highlighted, in Graphviz's language\n" +
			"svg      the same as a picture, drawn by Graphviz",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "as", Value: "text", Usage: "`WHAT` to print: text, source, dot, svg"},
			&cli.StringFlag{Name: "o", Usage: "`FILE` to write to, not standard output"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() != 1 {
				return fmt.Errorf("show takes one file, got %d", c.NArg())
			}
			file := c.Args().First()
			e, err := corpus.Load(file)
			if err != nil {
				return err
			}
			text, err := shown(ctx, c.String("as"), file, e)
			if err != nil {
				return err
			}
			if path := c.String("o"); path != "" {
				return safefile.Output(path, []byte(text), 0o644)
			}
			to := c.Root().Writer
			if c.String("as") == "source" { // to be compiled
				to = cmdline.Verbatim(c)
			}
			_, err = fmt.Fprint(to, text)
			return err
		},
	}
}

// shown returns what a file holds of an entry, in one of the forms of the flag as.
func shown(ctx context.Context, as, file string, e *corpus.Entry) (string, error) {
	switch as {
	case "text":
		return describe(file, e)
	case "source":
		return e.Sources[e.Main], nil
	case "dot", "svg":
		dot, err := reports.DOT(e.Program) // of the first case
		if err != nil {
			return "", fmt.Errorf("%s: program.ir: %w", file, err)
		}
		if as == "dot" {
			return dot, nil
		}
		svg, err := drawSVG(ctx, dot)
		return string(svg), err
	}
	return "", fmt.Errorf("-as is %q, want text, source, dot or svg", as)
}

// describe returns what a file stores of an entry, without its sources.
func describe(file string, e *corpus.Entry) (string, error) {
	data, err := safefile.Read(file, safefile.Most)
	if err != nil {
		return "", err
	}
	a := txtar.Parse(data)
	a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool {
		_, source := e.Sources[f.Name]
		return source
	})
	return string(txtar.Format(a)), nil
}
