package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
	"golang.org/x/tools/txtar"

	"goreify/corpus"
	"goreify/reify"
	reports "goreify/tools/reify/report"
)

func showCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print what a txtar file holds: header, program, path and trace, or the graph",
		ArgsUsage: "FILE",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "profile", Usage: "print what the profile `NAME` draws from instead, of no file: " + strings.Join(reify.Profiles(), ", ")},
			&cli.BoolFlag{Name: "c", Usage: "print the C instead"},
			&cli.BoolFlag{Name: "dot", Usage: "print the graph with the path highlighted, in Graphviz's language, instead"},
			&cli.StringFlag{Name: "svg", Usage: "draw the graph with the path highlighted to `FILE` (needs Graphviz's dot)"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			w := c.Root().Writer
			if c.IsSet("profile") {
				if c.Args().Present() {
					return errors.New("show takes a file or a -profile, not both")
				}
				p, err := reify.FindProfile(c.String("profile"))
				if err == nil {
					_, err = fmt.Fprint(w, p)
				}
				return err
			}
			if c.NArg() != 1 {
				return fmt.Errorf("show takes one file, got %d", c.NArg())
			}
			// Each of these is printed or drawn in place of the description.
			if c.Bool("c") && c.Bool("dot") || c.String("svg") != "" && (c.Bool("c") || c.Bool("dot")) {
				return errors.New("show takes at most one of -c, -dot and -svg")
			}
			e, err := corpus.Load(c.Args().First())
			if err != nil {
				return err
			}
			switch {
			case c.Bool("c"):
				_, err = fmt.Fprint(w, e.Sources[e.Main])
				return err
			case c.Bool("dot"):
				dot, err := graph(c.Args().First(), e)
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(w, dot)
				return err
			case c.String("svg") != "":
				dot, err := graph(c.Args().First(), e)
				if err != nil {
					return err
				}
				return draw(ctx, dot, c.String("svg"))
			}
			text, err := describe(c.Args().First(), e)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(w, text)
			return err
		},
	}
}

// describe returns what a file stores of an entry, without its sources.
func describe(file string, e *corpus.Entry) (string, error) {
	data, err := os.ReadFile(file)
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

// draw writes a graph in Graphviz's language as SVG.
func draw(ctx context.Context, dot, file string) error {
	svg, err := drawSVG(ctx, dot)
	if err != nil {
		return err
	}
	return os.WriteFile(file, svg, 0o644)
}

// graph returns the graph of the first case of an entry, which a file holds, in
// Graphviz's language.
func graph(file string, e *corpus.Entry) (string, error) {
	dot, err := reports.DOT(e.Program)
	if err != nil {
		return "", fmt.Errorf("%s: program.ir: %w", file, err)
	}
	return dot, nil
}
