// Command keep moves reproducers that make fuzz has found into the corpus, which git
// tracks:
//
//	keep [FROM [TO]]
//
// FROM is out/findings and TO is corpus, unless others are named. A reproducer that
// looks like one in the directory stays where it is: its compiler, flags, verdict,
// modes and message are the same. A link is no reproducer, and no file is overwritten.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goreify/corpus"
	"goreify/reify/safefile"
)

func main() {
	dirs := []string{"out/findings", "corpus"}
	err := errors.New("want at most two directories: from, to")
	flag := func(arg string) bool { return strings.HasPrefix(arg, "-") }
	if len(os.Args) <= 1+len(dirs) && !slices.ContainsFunc(os.Args[1:], flag) {
		copy(dirs, os.Args[1:])
		err = keep(os.Stdout, dirs[0], dirs[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "keep:", err)
		os.Exit(2)
	}
}

// keep moves the reproducers of a directory that another one has nothing like, and
// says of each what became of it. The error names those that could not be moved.
func keep(out io.Writer, from, to string) error {
	files := corpus.LoadDir(from)
	if len(files) == 0 || errors.Is(files[0].Err, fs.ErrNotExist) {
		fmt.Fprintf(out, "there is nothing in %s: make fuzz puts there what it finds\n", from)
		return nil
	}
	var errs []error
	for _, file := range files {
		if file.Err != nil {
			errs = append(errs, file.Err)
			continue
		}
		if like := corpus.Alike(file.Entry, to); like != "" {
			fmt.Fprintf(out, "stays: %s looks like %s\n", file.Path, like)
			continue
		}
		name := filepath.Base(file.Path)
		if err := move(from, to, name); err != nil {
			errs = append(errs, err)
			continue
		}
		fmt.Fprintf(out, "moved: %s to %s\n", file.Path, filepath.Join(to, name))
	}
	return errors.Join(errs...)
}

// move moves a file, also to another disk, and overwrites none. A link is not moved: it
// would lead out of the directory that it is moved to.
func move(from, to, name string) error {
	old, err := safefile.Open(from)
	if err != nil {
		return err
	}
	defer old.Close() // read only
	dir, err := safefile.Open(to)
	if err != nil {
		return err
	}
	defer dir.Close() // the file is on the disk
	data, err := old.Read(name, safefile.Most)
	if err == nil {
		err = dir.New(name, data, 0o644)
	}
	if err != nil {
		return fmt.Errorf("moving %s: %w", filepath.Join(from, name), err)
	}
	return old.Remove(name)
}
