// Command keep moves reproducers that make fuzz has found into the corpus, which git
// tracks:
//
//	keep [FROM [TO]]
//
// FROM is out/findings and TO is corpus, unless others are named. A reproducer that
// looks like one in the directory stays where it is: its compiler, flags, verdict,
// modes and message are the same.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"goreify/corpus"
)

func main() {
	dirs := []string{"out/findings", "corpus"}
	err := errors.New("want at most two directories: from, to")
	if len(os.Args) <= 1+len(dirs) {
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

// move renames a file, and overwrites none.
func move(from, to string) error {
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("moving %s: %s is there: %w", from, to, errors.Join(err, fs.ErrExist))
	}
	return os.Rename(from, to)
}
