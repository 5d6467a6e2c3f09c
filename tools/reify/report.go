package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/tools/reify/hunt"
	reports "goreify/tools/reify/report"
)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write a bug report for each bucket of a directory of reproducers, or of a hunt's, and a page of them all",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			boxFlag(),
			&cli.StringFlag{Name: "o", Usage: "write to the directory `OUT`, by default DIR/reports, or DIR/live with -live"},
			&cli.BoolFlag{Name: "live", Usage: "only what is known to fail with the newest version of its compiler that a reproducer names; list it, too"},
			&cli.BoolFlag{Name: "share", Usage: "also write tests with functions of others of which no licence is known"},
			&cli.StringFlag{Name: "known", Usage: "`FILE` of buckets that have been reported, DIR/" + corpus.KnownFile + " by default if it is there"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() != 1 {
				return errors.New("report takes one directory")
			}
			opt := reportOptions{dir: c.Args().First(), out: c.String("o"), known: c.String("known"), live: c.Bool("live"), share: c.Bool("share")}
			if opt.out == "" {
				opt.out = filepath.Join(opt.dir, "reports")
				if opt.live {
					opt.out = filepath.Join(opt.dir, "live")
				}
			}
			env, closer, err := openEnv(ctx, c)
			if err != nil {
				return err
			}
			defer closer()
			return writeReports(ctx, env, c.Root().Writer, opt)
		},
	}
}

type reportOptions struct {
	dir, out string // of reproducers, and of reports
	known    string // file of known buckets, or empty
	live     bool   // only what the newest versions fail on
	share    bool   // text of others without a licence, too
}

// writeReports reports the findings in a directory. Those that are malformed are said in
// the error, which wraps errSkipped, after the others have been reported.
func writeReports(ctx context.Context, env compilers.Env, w io.Writer, opt reportOptions) error {
	findings, unread := reports.Load(opt.dir)
	if len(findings) == 0 {
		return errors.Join(unread, fmt.Errorf("%s holds no findings", opt.dir))
	}
	if err := countHunt(opt.dir, findings); err != nil {
		fmt.Fprintln(os.Stderr, "reify: how often findings were found is not known:", err)
	}
	o := reports.Options{Share: opt.share}
	var err error
	if o.Known, err = loadKnown(opt.dir, opt.known); err != nil {
		return err
	}
	if o.Version, err = reports.Versions(ctx, env); err != nil {
		fmt.Fprintln(os.Stderr, "reify: versions are what the reproducers say:", err)
	}
	if _, err := exec.LookPath("dot"); err == nil {
		o.Draw = drawSVG
	} else {
		fmt.Fprintln(os.Stderr, "reify: graphs are text:", errNoDot)
	}
	buckets := reports.Group(findings)
	if opt.live {
		buckets = reports.Live(buckets)
	}
	refused := reports.Write(ctx, opt.out, buckets, o)
	if refused != nil && !errors.Is(refused, reports.ErrLicence) {
		return refused
	}
	shown := 0
	for _, b := range buckets {
		shown += len(b.Findings)
		if opt.live {
			fmt.Fprintf(w, "%s: %s\n", filepath.Join(opt.out, b.File()), b.Standing())
		}
	}
	fmt.Fprintf(w, "%s: %s in %s\n", filepath.Join(opt.out, reports.Index), several(shown, "finding"), several(len(buckets), "bucket"))
	if unread != nil {
		return fmt.Errorf("%w:\n%w", errSkipped, errors.Join(unread, refused))
	}
	return refused
}

// loadKnown reads the list of known buckets: the one that is named, or that of
// the directory if there is one.
func loadKnown(dir, file string) ([]corpus.Known, error) {
	named := file != ""
	if !named {
		file = filepath.Join(dir, corpus.KnownFile)
	}
	list, err := corpus.LoadKnown(file)
	if !named && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// huntDatabase is the file by which a hunt's directory is told from others.
const huntDatabase = "hunt.db"

// countHunt sets how often findings were found, if dir is that of a hunt.
func countHunt(dir string, findings []reports.Finding) error {
	if _, err := os.Stat(filepath.Join(dir, huntDatabase)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	sum, err := hunt.Read(dir)
	if err != nil {
		return err
	}
	count := map[string]int{}
	for _, b := range sum.ByBucket {
		count[b.Saved] = int(b.Findings)
	}
	for i := range findings {
		findings[i].Count = max(1, count[path.Base(path.Dir(findings[i].Name))])
	}
	return nil
}

var errNoDot = errors.New("SVG needs Graphviz (apt-get install graphviz)")

// drawSVG draws a graph in Graphviz's language.
func drawSVG(ctx context.Context, dot string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "dot", "-Tsvg")
	cmd.Stdin = bytes.NewReader([]byte(dot))
	cmd.Stderr = os.Stderr
	svg, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errNoDot
	}
	if err != nil {
		return nil, fmt.Errorf("dot: %w", err)
	}
	return svg, nil
}

// several returns a number of things: "1 bucket", "2 buckets".
func several(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
