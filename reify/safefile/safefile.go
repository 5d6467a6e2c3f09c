// Package safefile opens files that somebody else could have put there: a child in the
// directory of its job, or a stranger in a directory that the user names.
//
//	dir, err := safefile.Open(path)       // a descriptor: all else is below it
//	text, err := dir.Read("want.txt", 1<<20)
//	err = dir.Write("page.html", page, 0o644)
//
// A Dir reads regular files of bounded size, and no links to them. A file that it writes
// appears whole in place of the old one, and through no link. No name leads out of the
// directory. A named pipe is an error, and is not waited for.
//
//	Read, Write       a path that the user gives: links on the way to it are theirs
//	Output            the same, where a link at its end is theirs, too
//	Dir               files that were found, or are made, in a directory
package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Most is the usual bound of a file, in bytes: 64 MB.
const Most = 64 << 20

// mostEntries is how many files of a directory are listed.
const mostEntries = 1 << 20

// Errors of files that are there, and not taken.
var (
	ErrNotRegular = errors.New("it is not a regular file")
	ErrLink       = errors.New("it is a link")
	errExchanged  = errors.New("it was exchanged whenever it was opened")
	ErrTooLarge   = errors.New("it is too large")
)

// A Dir is a directory by its descriptor. It is safe for concurrent use.
type Dir struct {
	root *os.Root
	path string
}

// Open opens a directory. The path is the user's, so links on the way are followed.
func Open(path string) (*Dir, error) {
	f, err := os.OpenFile(path, directory, 0)
	if err != nil {
		return nil, err
	}
	return of(f, path)
}

// directory are flags with which nothing but a directory opens, and nothing is waited for.
const directory = syscall.O_DIRECTORY | syscall.O_NONBLOCK

// of returns the directory that a file is, and closes the file.
func of(f *os.File, path string) (*Dir, error) {
	defer f.Close() // read only
	root, err := os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
	if err != nil {
		return nil, err
	}
	return &Dir{root, path}, nil
}

// Below opens a directory in the user's, by the names that lead to it, none of which is a
// link. With make, directories that are not there are made.
func Below(path string, make bool, names ...string) (*Dir, error) {
	d, err := Open(path)
	for _, name := range names {
		if err != nil {
			return nil, err
		}
		above := d
		if make {
			d, err = above.MakeSub(name)
		} else {
			d, err = above.Sub(name)
		}
		err = errors.Join(err, above.Close())
	}
	return d, err
}

// Make opens a directory, which is made, with those above it, if it is not there.
func Make(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	return Open(path)
}

// Path returns the path that the directory was opened by.
func (d *Dir) Path() string { return d.path }

// Close closes the descriptor. All files that were opened stay open.
func (d *Dir) Close() error { return d.root.Close() }

// Sub opens a directory in the directory, which must be no link.
func (d *Dir) Sub(name string) (*Dir, error) {
	f, err := d.open(name, directory, fs.ModeDir)
	if err != nil {
		return nil, err
	}
	return of(f, filepath.Join(d.path, name))
}

// MakeSub is Sub of a directory that is made if nothing of its name is there.
func (d *Dir) MakeSub(name string) (*Dir, error) {
	if err := d.root.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, d.failed("make", name, err)
	}
	return d.Sub(name)
}

// check returns nil if a file is of a type, 0 for a regular file.
func check(info fs.FileInfo, want fs.FileMode) error {
	switch info.Mode().Type() {
	case want:
		return nil
	case fs.ModeSymlink:
		return ErrLink
	}
	if want == fs.ModeDir {
		return syscall.ENOTDIR
	}
	return ErrNotRegular
}

// File opens a regular file to read.
func (d *Dir) File(name string) (*os.File, error) { return d.open(name, os.O_RDONLY, 0) }

// Append opens a regular file to write at its end. It is made if it is not there.
func (d *Dir) Append(name string) (*os.File, error) {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return d.open(name, os.O_WRONLY|os.O_APPEND, 0)
	}
	return f, err
}

// open opens a file of a type, 0 for a regular one, that is there and no link. A file that is put in
// its place meanwhile is opened instead.
func (d *Dir) open(name string, flag int, want fs.FileMode) (*os.File, error) {
	const tries = 8 // each after the first since the file was exchanged
	for n := 1; ; n++ {
		f, same, err := d.openOnce(name, flag, want)
		switch {
		case err != nil:
			return nil, d.failed("open", name, err)
		case same:
			return f, nil
		case n == tries:
			return nil, errors.Join(d.failed("open", name, errExchanged), f.Close())
		}
		if err := f.Close(); err != nil {
			return nil, d.failed("close", name, err)
		}
	}
}

// openOnce opens a file, and reports whether it is the one that has the name, and not one to which a
// link led.
func (d *Dir) openOnce(name string, flag int, want fs.FileMode) (f *os.File, same bool, err error) {
	before, err := d.root.Lstat(name)
	if err == nil {
		err = check(before, want)
	}
	if err == nil {
		f, err = d.root.OpenFile(name, flag|syscall.O_NONBLOCK, 0)
	}
	if err != nil {
		return nil, false, err
	}
	after, err := f.Stat()
	if err == nil {
		err = check(after, want)
	}
	if err != nil {
		return nil, false, errors.Join(err, f.Close())
	}
	return f, os.SameFile(before, after), nil
}

// Pipe makes a named pipe, and opens it in both directions, so that no end waits for the
// other.
func (d *Dir) Pipe(name string) (*os.File, error) {
	f, err := d.root.OpenFile(".", syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	if err := unix.Mkfifoat(int(f.Fd()), name, 0o600); err != nil {
		return nil, d.failed("make", name, err)
	}
	return d.open(name, os.O_RDWR, fs.ModeNamedPipe)
}

// Read returns the content of a regular file of at most so many bytes. The error wraps
// ErrTooLarge if it has more.
func (d *Dir) Read(name string, most int64) ([]byte, error) {
	f, err := d.File(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return readAll(f, filepath.Join(d.path, name), most)
}

// readAll reads a file. The buffer has room for one more byte.
func readAll(f fs.File, name string, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	if info.Size() <= most {
		data.Grow(int(info.Size()) + bytes.MinRead)
		_, err = data.ReadFrom(io.LimitReader(f, most+1)) // a file grows, and a pipe has no size
	}
	if err == nil && max(info.Size(), int64(data.Len())) > most {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("%w: it has more than %d bytes", ErrTooLarge, most)}
	}
	if err != nil {
		return nil, err
	}
	return data.Bytes(), nil
}

// Write writes a file, which appears whole, in place of a file or a link of its name.
// Anything else there is an error.
func (d *Dir) Write(name string, data []byte, perm fs.FileMode) error {
	if info, err := d.root.Lstat(name); err == nil && info.Mode().Type()&^fs.ModeSymlink != 0 {
		return d.failed("write", name, ErrNotRegular)
	}
	f, beside, err := d.beside(name, perm)
	if err != nil {
		return d.failed("write", name, err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = d.root.Rename(beside, name)
	}
	if err != nil {
		return errors.Join(d.failed("write", name, err), d.root.Remove(beside))
	}
	return nil
}

// beside makes a file beside another, whose name is that one's with a dot before it and
// a number behind. Files of processes that were killed meanwhile stay.
func (d *Dir) beside(name string, perm fs.FileMode) (*os.File, string, error) {
	dir, base := filepath.Split(name)
	for n := 0; ; n++ {
		beside := fmt.Sprintf("%s.%s.%d", dir, strings.TrimPrefix(base, "."), n)
		f, err := d.root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if n == mostBeside || !errors.Is(err, fs.ErrExist) {
			return f, beside, err
		}
	}
}

// mostBeside is how many processes may write one file at once, or have been killed at it.
const mostBeside = 10_000

// New writes a file of which nothing is there. The error wraps fs.ErrExist if something is.
func (d *Dir) New(name string, data []byte, perm fs.FileMode) error {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return d.failed("write", name, err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(d.failed("write", name, err), d.root.Remove(name))
	}
	return nil
}

// Put writes a file in place of anything of its name except for a directory with something
// in it. It costs less than Write: for files that can be made again if the machine stops
// meanwhile.
func (d *Dir) Put(name string, data []byte, perm fs.FileMode) error {
	err := d.New(name, data, perm)
	if errors.Is(err, fs.ErrExist) {
		if err = d.root.Remove(name); err == nil {
			err = d.New(name, data, perm)
		}
	}
	return err
}

// List returns the files of the directory, sorted by name: a million of them at most.
func (d *Dir) List() ([]fs.DirEntry, error) {
	f, err := d.root.OpenFile(".", syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	list, err := f.ReadDir(mostEntries)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}

// Sync waits until the entries of the directory are on the disk.
func (d *Dir) Sync() error {
	f, err := d.root.OpenFile(".", syscall.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Lstat tells of a file, or of a link itself.
func (d *Dir) Lstat(name string) (fs.FileInfo, error) { return d.root.Lstat(name) }

// Remove removes a file, a link itself, or an empty directory.
func (d *Dir) Remove(name string) error { return d.root.Remove(name) }

// RemoveAll removes what is there, and all below it. That nothing is there is no error.
func (d *Dir) RemoveAll(name string) error { return d.root.RemoveAll(name) }

// Rename gives a file another name.
func (d *Dir) Rename(from, to string) error { return d.root.Rename(from, to) }

// failed returns an error with the path that the user knows.
func (d *Dir) failed(op, name string, err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return &fs.PathError{Op: op, Path: filepath.Join(d.path, name), Err: err}
}

// Read returns the content of a file, of at most so many bytes, that the user names. It may
// be a link, a pipe or a device; a named pipe that nothing writes to is empty.
func Read(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return readAll(f, f.Name(), most)
}

// Write is Dir.Write of a path that the user gives.
func Write(path string, data []byte, perm fs.FileMode) error {
	d, err := Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer d.Close() // written files are closed
	return d.Write(filepath.Base(path), data, perm)
}

// Output writes what the user asks for into a file, as the shell's > does: through links,
// also those that lead nowhere yet, and into pipes and devices. Write would replace
// /dev/stdout, which is a link, by a file.
func Output(path string, data []byte, perm fs.FileMode) error { return os.WriteFile(path, data, perm) }
