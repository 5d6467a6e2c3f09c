package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/corpus"
	"goreify/reify/triage"
	"goreify/tools/cmdline"
	reports "goreify/tools/reify/report"
)

// runAgain asks the newest compilers about files, or about those of a directory that are known to
// fail with the newest, and records the answers beside them. Nothing is triaged anew.
func runAgain(ctx context.Context, c *cli.Command, opt triageOptions) error {
	names := c.Args().Slice()
	if info, err := os.Stat(names[0]); err == nil && info.IsDir() {
		findings, err := reports.Load(names[0])
		if err != nil {
			return err
		}
		dir := names[0]
		names = nil
		for _, b := range reports.Live(reports.Group(findings)) {
			for _, f := range b.Findings {
				names = append(names, filepath.Join(dir, f.Name))
			}
		}
	}
	if opt.to != nowhere { // what cannot be added to is said before an hour of questions
		for _, name := range names {
			if err := corpus.AddLife(lifeOf(name), nil); err != nil {
				return err
			}
		}
	}
	o, to, closer, err := openTo(ctx, c)
	if err != nil {
		return err
	}
	defer closer()
	day := time.Now().Format(time.DateOnly)
	return eachFile(names, func(progress *cmdline.Progress, file string) error {
		if ctx.Err() != nil {
			return nil // said once
		}
		e, err := cmdline.Load(o.Space, file)
		if err != nil {
			return err
		}
		l, err := triage.Again(ctx, o, to, e)
		if errors.Is(err, triage.ErrNoHome) {
			progress.Line(opt.out, fmt.Sprintf("%s: not asked: %v", file, err))
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		l.Day, l.Finding = day, corpus.FindingName(file)
		progress.Line(opt.out, fmt.Sprintf("%s: %s: %s %s", file, l.Compiler, l.State, l.Detail))
		if opt.to == nowhere {
			return nil
		}
		return corpus.AddLife(lifeOf(file), []corpus.Life{l})
	})
}

// lifeOf returns the record of a file: that of a hunt, or of the corpus.
func lifeOf(file string) string {
	dir := filepath.Dir(file)
	if filepath.Base(file) == corpus.FindingFile {
		dir = filepath.Dir(filepath.Dir(dir))
	}
	return filepath.Join(dir, corpus.LifeFile)
}
