package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// Tree returns the regular files of a directory that the user names, and of those below.
// Links lead from one place in it to another, and not out of it. A named pipe is an error,
// and is not waited for. The directory is opened for each file.
func Tree(path string) fs.FS { return tree(path) }

type tree string

// Open opens a regular file. The error has the name of the file as it was asked for, and
// not where a link leads.
func (t tree) Open(name string) (fs.File, error) {
	d, err := Open(string(t))
	if err != nil {
		return nil, err
	}
	defer d.Close() // files that were opened stay open
	f, err := d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, d.failed("open", name, err)
	}
	info, err := f.Stat()
	if err == nil {
		err = check(info, 0)
	}
	if err != nil {
		return nil, errors.Join(d.failed("open", name, err), f.Close())
	}
	return f, nil
}

// ReadFrom returns the content of a file of at most so many bytes, as Dir.Read does.
func ReadFrom(files fs.FS, name string, most int64) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return readAll(f, name, most)
}

// The bounds of Walk.
const (
	mostDepth = 64
	mostFiles = 1 << 18
)

// ErrTree says that a directory holds more than Walk goes through.
var ErrTree = fmt.Errorf("it has more than %d files, or %d directories one in another", mostFiles, mostDepth)

// Walk calls f with the names of the regular files of a directory that the user names, and
// of those below: in their order, with slashes, from the directory on. It follows no links.
// The error is of f, of a directory, or wraps ErrTree.
func Walk(path string, f func(name string) error) error {
	d, err := Open(path)
	if err != nil {
		return err
	}
	left := mostFiles
	return d.walk("", mostDepth, &left, f)
}

// walk closes the directory.
func (d *Dir) walk(at string, depth int, left *int, f func(name string) error) error {
	defer d.Close() // only read
	list, err := d.List()
	if err != nil {
		return err
	}
	if *left -= len(list); *left < 0 || depth == 0 {
		return d.failed("read", "", ErrTree)
	}
	for _, entry := range list {
		name := path.Join(at, entry.Name())
		switch {
		case entry.Type().IsRegular():
			err = f(name)
		case entry.IsDir():
			var sub *Dir
			if sub, err = d.Sub(entry.Name()); err == nil {
				err = sub.walk(name, depth-1, left, f)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
