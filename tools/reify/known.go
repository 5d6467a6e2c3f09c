package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/corpus"
	"goreify/tools/cmdline"
	reports "goreify/tools/reify/report"
)

func knownCommand() *cli.Command {
	return &cli.Command{
		Name:      "known",
		Usage:     "note what a tracker has of a bucket, or how to look there; or list what is known",
		ArgsUsage: "[BUCKET [DIR]]",
		Metadata:  cmdline.Takes(cmdline.Known),
		Description: "BUCKET is the name that triage and reports print, of a finding in DIR, or the name of its file\n" +
			"without .txtar. DIR is a corpus or the directory of a hunt, and has the list; by default corpus.\n" +
			"Hunts only count the buckets on the list, unless their state is likely or not found.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "look", Usage: "print terms and addresses to look with, and note nothing"},
			&cli.StringFlag{Name: "link", Usage: "`URL` of the bug in its tracker"},
			&cli.StringFlag{Name: "note", Usage: "`TEXT`: the cause, and sentences after Near:, Searched:, Tip:, In private: or In public:"},
			&cli.StringFlag{Name: "state", Usage: "`STATE`: open, fixed in VERSION, duplicate of NAME, likely, not found; it is noted with the day"},
		},
		Action: runKnown,
	}
}

func runKnown(_ context.Context, c *cli.Command) error {
	if c.NArg() == 0 && !c.Bool("look") {
		list, err := knownBuckets(c, "")
		for _, k := range list {
			fmt.Fprintln(c.Root().Writer, k)
		}
		return err
	}
	if c.NArg() == 0 || c.NArg() > 2 {
		return errors.New("known takes one bucket, and the directory of its findings")
	}
	bucket, dir := c.Args().First(), c.Args().Get(1)
	file := c.String(cmdline.Known)
	switch {
	case dir == "":
		dir = filepath.Dir(file)
	case !c.IsSet(cmdline.Known):
		file = filepath.Join(dir, corpus.KnownFile)
	}
	if bucket == "" {
		return errors.New("known takes the name of a bucket, and it is empty")
	}
	k := corpus.Known{Bucket: bucket, Link: c.String("link"), Note: c.String("note"), State: corpus.State(c.String("state"))}
	if err := k.State.Check(); err != nil {
		return fmt.Errorf("-state: %w", err)
	}
	if k.State != "" {
		k.Looked = time.Now().Format(time.DateOnly)
	}
	findings, err := findingsOf(k, dir, file)
	switch {
	case err != nil:
		return err
	case c.Bool("look"):
		return look(c.Root().Writer, findings)
	}
	return corpus.MarkKnown(file, k)
}

// look prints how to look for the bug of some findings in its tracker.
func look(w io.Writer, findings []reports.Finding) error {
	if len(findings) == 0 {
		return errors.New("known -look takes a bucket of which there is a finding")
	}
	b := reports.Group(findings)[0]
	for _, s := range b.Look() {
		fmt.Fprintf(w, "%s\n\t%s\n", s.Terms, s.URL)
	}
	if more := b.Reported(); more != nil {
		fmt.Fprintf(w, "open reports about the same part of the compiler: %s\n", strings.Join(more, " "))
	}
	return nil
}

// findingsOf returns those in a directory that a line of the list is about. It may be none if
// the bucket is on the list already, else the error names those that are like it.
func findingsOf(k corpus.Known, dir, file string) (findings []reports.Finding, err error) {
	list, err := corpus.LoadKnown(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, k := range list {
		names = append(names, k.Bucket)
	}
	paths, err := corpus.Paths(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for the bucket %s: %w", k.Bucket, err)
	}
	for _, path := range paths {
		e, err := corpus.Load(path)
		if err != nil {
			continue // what is damaged says so elsewhere
		}
		names = append(names, e.Buckets()...)
		if k.Of(e, path) && e.Verdict != corpus.Untested {
			findings = append(findings, reports.Finding{Name: path, Entry: e, Count: 1})
		}
	}
	if findings != nil || slices.Contains(names, k.Bucket) {
		return findings, nil
	}
	slices.Sort(names)
	near := cmdline.Near(k.Bucket, slices.Compact(names), 5)
	if len(near) == 0 {
		return nil, fmt.Errorf("no finding in %s is of the bucket %s; name the directory of its findings after it, or triage that first", dir, k.Bucket)
	}
	return nil, fmt.Errorf("no finding in %s is of the bucket %s; there are\n\t%s", dir, k.Bucket, strings.Join(near, "\n\t"))
}

// knownBuckets reads the list of known buckets: the one that the flag known names, else
// that of a directory of findings, else the usual one. The last two need not be there.
func knownBuckets(c *cli.Command, dir string) ([]corpus.Known, error) {
	list, err := corpus.LoadKnown(knownFile(c, dir))
	if !c.IsSet(cmdline.Known) && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// knownFile returns the list that knownBuckets reads, whether it is there or not.
func knownFile(c *cli.Command, dir string) string {
	if own := filepath.Join(dir, corpus.KnownFile); dir != "" && !c.IsSet(cmdline.Known) {
		if _, err := os.Lstat(own); err == nil {
			return own
		}
	}
	return c.String(cmdline.Known)
}
