package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/corpus"
	"goreify/tools/cmdline"
)

func knownCommand() *cli.Command {
	return &cli.Command{
		Name:      "known",
		Usage:     "mark a bucket as known: hunts only count it then; or list those that are",
		ArgsUsage: "[BUCKET [DIR]]",
		Metadata:  cmdline.Takes(cmdline.Known),
		Description: "BUCKET is the name that triage and reports print, of a finding in DIR: a corpus, or the directory of\n" +
			"a hunt, where the list is kept. By default DIR is corpus.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "link", Usage: "`URL` of the bug in its tracker"},
			&cli.StringFlag{Name: "note", Usage: "`TEXT` to say about it"},
		},
		Action: func(_ context.Context, c *cli.Command) error {
			if c.NArg() == 0 {
				list, err := knownBuckets(c, "")
				for _, k := range list {
					fmt.Fprintln(c.Root().Writer, k)
				}
				return err
			}
			if c.NArg() > 2 {
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
			if err := bucketExists(bucket, dir, file); err != nil {
				return err
			}
			return corpus.MarkKnown(file, corpus.Known{Bucket: bucket, Link: c.String("link"), Note: c.String("note")})
		},
	}
}

// bucketExists returns an error unless a finding in a directory is of a bucket, or the
// bucket is on the list already. The error names those that are like it.
func bucketExists(bucket, dir, file string) error {
	list, err := corpus.LoadKnown(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var names []string
	for _, k := range list {
		names = append(names, k.Bucket)
	}
	paths, err := corpus.Paths(dir)
	if err != nil {
		return fmt.Errorf("looking for the bucket %s: %w", bucket, err)
	}
	for _, path := range paths {
		if e, err := corpus.Load(path); err == nil { // what is damaged says so elsewhere
			names = append(names, e.Buckets()...)
		}
	}
	if slices.Contains(names, bucket) {
		return nil
	}
	slices.Sort(names)
	near := cmdline.Near(bucket, slices.Compact(names), 5)
	if len(near) == 0 {
		return fmt.Errorf("no finding in %s is of the bucket %s; name the directory of its findings after it, or triage that first", dir, bucket)
	}
	return fmt.Errorf("no finding in %s is of the bucket %s; there are\n\t%s", dir, bucket, strings.Join(near, "\n\t"))
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
