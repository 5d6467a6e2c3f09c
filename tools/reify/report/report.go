// Package report writes bug reports of the reproducers in a directory: for each bucket
// a Markdown text in the form that GCC's Bugzilla and LLVM's issue tracker ask for, and
// one HTML page with all of them.
//
//	findings, err := report.Load("corpus")
//	buckets := report.Group(findings)
//	dir, err := safefile.Below("corpus", true, "reports")
//	err = report.Write(ctx, dir, buckets, report.Options{})
//
// Its input is the results of triage in the entries; an entry without triage is
// reported as far as possible, and marked. The same entries make the same bytes, given
// the same Graphviz to draw with.
//
//	load.go      entries of a directory, or of a hunt
//	bucket.go    which of them are the same bug, and what its files are called
//	bug.go       what a report says of a bucket, for both forms
//	others.go    whose text is in the test, and who may be shown it
//	members.go   what goes with a test in hexadecimal
//	title.go     the title, in the words of the trackers
//	matrix.go    which configurations work and which fail
//	graph.go     the graph with the path highlighted; svg.go makes it fit for the page
//	markdown.go  report.md.tmpl filled in
//	html.go      index.html.tmpl filled in
package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"goreify/corpus"
	"goreify/reify/printable"
	"goreify/reify/safefile"
)

// Options are what a report takes from outside the entries. Each may be nil.
type Options struct {
	// Draw turns Graphviz's language into SVG. Without it graphs are text.
	Draw func(ctx context.Context, dot string) ([]byte, error)
	// Known lists the buckets that need no attention any more.
	Known []corpus.Known
	// Life is what newer compilers said since.
	Life []corpus.Life
	// Share says that text of others without a known licence may be written.
	Share bool
}

// Index is the name of the page.
const Index = "index.html"

// written is how files of Markdown begin that were written by this package.
const written = "<!-- written by reify report -->\n"

// Write writes the reports of buckets to a directory. Reports that an earlier call wrote
// there and that belong to no bucket any more are removed. A bucket that is not written
// because a licence is missing is named in the error, which wraps ErrLicence, after all
// other buckets have been written.
func Write(ctx context.Context, out *safefile.Dir, buckets []Bucket, o Options) error {
	var bugs []*bug
	var refused []error
	files := map[string][]byte{}
	for _, b := range buckets {
		bug, err := newBug(ctx, b, o)
		if errors.Is(err, ErrLicence) {
			refused = append(refused, fmt.Errorf("report: %s: %w", b.Key, err))
			continue
		}
		if err != nil {
			return fmt.Errorf("report: %s: %w", b.Key, err)
		}
		bugs = append(bugs, bug)
		if files[bug.File()], err = markdown(bug); err != nil {
			return fmt.Errorf("report: %s: %w", b.Key, err)
		}
		if script := bug.bisectScript(); script != "" {
			files[bug.Name+bisectFile] = []byte(script)
		}
	}
	page, err := html(bugs, o.Life)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	files[Index] = page
	if err := removeStale(out, files); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	for name, data := range files {
		if err := out.Write(name, []byte(printable.Text(string(data))), 0o666); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	return errors.Join(refused...)
}

// removeStale removes the reports in out that are not among the files.
func removeStale(out *safefile.Dir, files map[string][]byte) error {
	old, err := out.List()
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range old {
		mark := written
		if strings.HasSuffix(f.Name(), bisectFile) {
			mark = bisectMark
		}
		if _, ok := files[f.Name()]; ok || mark == written && filepath.Ext(f.Name()) != ".md" || !f.Type().IsRegular() {
			continue // a link or a pipe is none of ours
		}
		mine, err := begins(out, f.Name(), mark)
		if mine {
			err = out.Remove(f.Name())
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// begins tells whether a file begins with a text.
func begins(dir *safefile.Dir, name, text string) (bool, error) {
	f, err := dir.File(name)
	if err != nil {
		return false, err
	}
	defer f.Close() // read only
	head, err := io.ReadAll(io.LimitReader(f, int64(len(text))))
	return string(head) == text, err
}
