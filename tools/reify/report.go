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
	"goreify/reify/safefile"
	"goreify/tools/cmdline"
	"goreify/tools/reify/grid"
	"goreify/tools/reify/hunt"
	reports "goreify/tools/reify/report"
)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write a bug report for each bucket of a directory of findings, and a page of them all",
		ArgsUsage: "DIR",
		Metadata:  cmdline.Takes(cmdline.Known),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "`DIR` to write to; by default reports below that of the findings, or live with -live"},
			&cli.BoolFlag{Name: "live", Usage: "only what fails with the newest version of a compiler that reproducers name; list it"},
			&cli.BoolFlag{Name: "share", Usage: "also write tests that hold functions of others without a known licence"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() != 1 {
				return errors.New("report takes one directory")
			}
			opt := reportOptions{dir: c.Args().First(), out: c.String("o"), live: c.Bool("live"), share: c.Bool("share")}
			var err error
			if opt.known, err = knownBuckets(c, opt.dir); err != nil {
				return err
			}
			env, closer, err := cmdline.OpenEnv(ctx, c)
			if err != nil {
				return err
			}
			defer closer()
			return writeReports(ctx, env, c.Root().Writer, opt)
		},
	}
}

type reportOptions struct {
	dir, out string // of reproducers, and of reports or "" for one below the other
	known    []corpus.Known
	live     bool // only what the newest versions fail on
	share    bool // text of others without a licence, too
}

// open opens the directory of the reports, which is made if it is not there. One below the
// findings, which may be a stranger's, is no link.
func (o reportOptions) open() (*safefile.Dir, error) {
	switch {
	case o.out != "":
		return safefile.Make(o.out)
	case o.live:
		return safefile.Below(o.dir, true, "live")
	}
	return safefile.Below(o.dir, true, "reports")
}

// writeReports reports the findings in a directory. Those that are malformed are said in
// the error, which wraps cmdline.ErrSkipped, after the others have been reported.
func writeReports(ctx context.Context, env compilers.Env, w io.Writer, opt reportOptions) error {
	life, err := corpus.LoadLife(filepath.Join(opt.dir, corpus.LifeFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	sum, uncounted := huntIn(opt.dir)
	undrawn := uncounted
	if sum != nil {
		_, undrawn = grid.Write(sum)
	}
	if undrawn != nil {
		fmt.Fprintln(cmdline.Errors(), "reify: the page of the matrix cannot be written:", undrawn)
	}
	findings, unread := reports.Load(opt.dir)
	if len(findings) == 0 {
		return errors.Join(unread, fmt.Errorf("%s holds no findings", opt.dir))
	}
	if uncounted != nil {
		fmt.Fprintln(cmdline.Errors(), "reify: how often findings were found is not known:", uncounted)
	}
	if sum != nil {
		countFindings(sum, findings)
	}
	o := reports.Options{Share: opt.share, Known: opt.known, Life: life}
	if _, err := exec.LookPath("dot"); err == nil {
		o.Draw = drawSVG
	} else {
		fmt.Fprintln(cmdline.Errors(), "reify: graphs are text:", errNoDot)
	}
	buckets := reports.Group(findings)
	if opt.live {
		buckets = reports.Live(buckets)
	}
	out, err := opt.open()
	if err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	defer out.Close() // written files are closed
	progress := cmdline.NewProgress(0, "reports")
	defer progress.Close()
	progress.Now(out.Path())
	refused := reports.Write(ctx, out, buckets, o)
	if refused != nil && !errors.Is(refused, reports.ErrLicence) {
		return refused
	}
	progress.Close()
	shown := 0
	for _, b := range buckets {
		shown += len(b.Findings)
		if opt.live {
			fmt.Fprintf(w, "%s: %s\n", filepath.Join(out.Path(), b.File()), b.Standing())
		}
	}
	fmt.Fprintf(w, "%s: %s in %s\n", filepath.Join(out.Path(), reports.Index), cmdline.Several(shown, "finding"), cmdline.Several(len(buckets), "bucket"))
	if unread != nil {
		return fmt.Errorf("%w:\n%w", cmdline.ErrSkipped, errors.Join(unread, refused))
	}
	return refused
}

// huntDatabase is the file by which a hunt's directory is told from others.
const huntDatabase = "hunt.db"

// huntIn reads the hunt in dir, if that is the directory of one.
func huntIn(dir string) (*hunt.Summary, error) {
	if _, err := os.Lstat(filepath.Join(dir, huntDatabase)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	sum, err := hunt.Read(dir)
	if err != nil {
		return nil, err
	}
	return sum, nil
}

// countFindings sets how often a hunt has found findings.
func countFindings(sum *hunt.Summary, findings []reports.Finding) {
	count := map[string]int{}
	for _, b := range sum.ByBucket {
		count[b.Saved] = int(b.Findings)
	}
	for i := range findings {
		findings[i].Count = max(1, count[path.Base(path.Dir(findings[i].Name))])
	}
}

var errNoDot = errors.New("SVG needs Graphviz (apt-get install graphviz)")

// drawSVG draws a graph in Graphviz's language.
func drawSVG(ctx context.Context, dot string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "dot", "-Tsvg")
	cmd.Stdin = bytes.NewReader([]byte(dot))
	cmd.Stderr = cmdline.Errors()
	svg, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errNoDot
	}
	if err != nil {
		return nil, fmt.Errorf("dot: %w", err)
	}
	return svg, nil
}
