package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/safefile"
	"goreify/reify/triage"
	"goreify/tools/cmdline"
	"goreify/tools/reify/export"
)

// asFiles is the value of -as that is no form of a test.
const asFiles = "files"

func exportCommand() *cli.Command {
	description := "files      those of the reproducer, as they are\n"
	for _, f := range export.Forms {
		description += fmt.Sprintf("%-10s a test for the suite of %s, in %s\n", f.Name, strings.Join(f.Families, ", "), f.Place)
	}
	return &cli.Command{
		Name:        "export",
		Usage:       "write a reproducer as files to compile by hand, or as a test of a compiler's suite",
		ArgsUsage:   "FILE",
		Description: strings.TrimSuffix(description, "\n"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "as", Value: asFiles, Usage: "`FORM` to write"},
			&cli.StringFlag{Name: "o", Usage: "`DIR` to write to, made if need be; by default out/ and the name of FILE"},
			&cli.BoolFlag{Name: "f", Usage: "replace what is there under their names with other content"},
		},
		Action: runExport,
	}
}

func runExport(ctx context.Context, c *cli.Command) error {
	if c.NArg() != 1 {
		return errors.New("export takes one file; -o names the directory")
	}
	file, dir := c.Args().First(), c.String("o")
	if dir == "" {
		dir = filepath.Join("out", strings.TrimSuffix(filepath.Base(file), corpus.Ext))
	}
	form := export.Find(c.String("as"))
	if form == nil && c.String("as") != asFiles {
		names := []string{asFiles}
		for _, f := range export.Forms {
			names = append(names, f.Name)
		}
		return fmt.Errorf("-as is %q, want %s", c.String("as"), strings.Join(names, ", "))
	}
	e, err := corpus.Load(file)
	if err != nil {
		return err
	}
	var files []corpus.File
	test := export.Test{Entry: e, Name: export.NameOf(file)}
	if form != nil {
		closer, err := openIR(ctx, c, file, form, &test)
		if err != nil {
			return err
		}
		defer closer()
		if files, err = form.Write(ctx, test); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	d, err := safefile.Make(dir)
	if err != nil {
		return err
	}
	defer d.Close() // written files are closed
	if form == nil {
		return e.ExtractTo(d, c.Bool("f"))
	}
	if err := corpus.WriteTo(d, files, c.Bool("f")); err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintln(c.Root().Writer, filepath.Join(d.Path(), f.Name))
	}
	fmt.Fprintf(c.Root().Writer, "for %s; there: %s\n", form.Place, fmt.Sprintf(form.Run, strings.TrimSuffix(files[0].Name, filepath.Ext(files[0].Name))))
	return nil
}

// openIR gives a test a clang that makes LLVM IR, if its form is that, and returns what closes that.
func openIR(ctx context.Context, c *cli.Command, file string, form *export.Form, test *export.Test) (closer func(), err error) {
	if !form.IR || test.Language == compilers.LLVM {
		return func() {}, nil
	}
	o, closer, err := cmdline.OpenOracle(ctx, c)
	if err != nil {
		return nil, err
	}
	clang, err := triage.Target(ctx, o, test.Entry)
	if err == nil {
		_, err = cmdline.Load(o.Space, file) // may a stranger's text be compiled here?
	}
	if err != nil {
		closer()
		return nil, fmt.Errorf("%s: LLVM IR is made by the compiler that fails: %w", file, err)
	}
	test.IR = export.IRBy(clang, o.Space, o.Limits)
	return closer, nil
}
