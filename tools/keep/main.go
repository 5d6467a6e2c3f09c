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
		path := filepath.Join(to, filepath.Base(file.Path))
		if err := move(file.Path, path); err != nil {
			errs = append(errs, err)
			continue
		}
		fmt.Fprintf(out, "moved: %s to %s\n", file.Path, path)
	}
	return errors.Join(errs...)
}

// move moves a file, also to another disk, and overwrites none. A link is not moved: it
// would lead out of the directory that it is moved to.
func move(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("moving %s: it is a link, want a file", from)
	}
	switch err = os.Link(from, to); {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("moving %s: %w", from, err)
	}
	if err := copyNew(from, to); err != nil {
		return fmt.Errorf("moving %s: %w", from, err)
	}
	return os.Remove(from)
}

// copyNew copies a file to one that there was not. It leaves nothing behind if it fails.
func copyNew(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}
