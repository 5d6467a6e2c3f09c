package csource

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

// The bounds of what a text includes beside mostTokens: searches, of which an #include has
// one for each directory that it comes to, and bytes of files that are read. The last is of
// the bytes that come out.
const (
	mostIncludes = 100_000
	mostIncluded = 16 << 20
	mostOutput   = MaxText
)

// Directories of includes are called by their numbers. Package cc keeps files that it has
// seen, and has no bound on their depth, so each #include asks first for a file below the
// root, where none is, and is counted. No dots lead from there to one that was seen.
const (
	beside  = "@" // package cc's name for the directory of the file that includes
	nowhere = "/"
)

// numbers returns the names of directories.
func numbers(n int) (names []string) {
	for i := range n {
		names = append(names, strconv.Itoa(i))
	}
	return names
}

// counted returns names of directories such that a search from any of them on is counted.
func counted(names []string) (list []string) {
	for _, name := range names {
		list = append(list, nowhere, name)
	}
	return list
}

// includes is a file system of several: the n-th under the name n. It ends what includes
// too much by a panic, because package cc takes an error for a file that is elsewhere.
type includes struct {
	open   func(directory int, name string) ([]byte, error)
	read   map[string]headerText
	sizes  map[string]int // tokens of the largest file of a name without directories
	files  int            // that were searched for
	bytes  int            // that were read
	tokens int            // that were included
}

// A headerText is a file, or why there is none.
type headerText struct {
	text []byte
	err  error
}

func newIncludes(open func(directory int, name string) ([]byte, error)) *includes {
	return &includes{open: open, read: map[string]headerText{}, sizes: map[string]int{}}
}

// readHeader returns the content of a header. The error wraps fs.ErrNotExist if no regular
// file is there.
func readHeader(dir fs.FS, name string) ([]byte, error) {
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case info.Size() > MaxText:
		return nil, fmt.Errorf("%s: more than %d bytes", name, MaxText)
	}
	return io.ReadAll(io.LimitReader(f, MaxText))
}

// Open returns a header. A header is read once.
func (l *includes) Open(name string) (fs.File, error) {
	if path.IsAbs(name) {
		l.search(path.Base(name))
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	number, rest, _ := strings.Cut(path.Clean(name), "/")
	h, seen := l.read[name]
	if !seen {
		h = l.load(number, rest)
		l.read[name] = h
	}
	if h.err != nil {
		return nil, h.err
	}
	return &headerFile{bytes.NewReader(h.text), path.Base(name)}, nil
}

// load reads a header.
func (l *includes) load(number, rest string) (h headerText) {
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || !fs.ValidPath(rest) {
		return headerText{err: &fs.PathError{Op: "open", Path: rest, Err: fs.ErrNotExist}}
	}
	h.text, h.err = l.open(i, rest)
	if l.bytes += len(h.text); l.bytes > mostIncluded {
		panic(fmt.Sprintf("it includes more than %d bytes", mostIncluded))
	}
	if h.err == nil {
		var tokens int
		tokens, h.err = shallow(rest, h.text, true)
		l.include(tokens)
		l.sizes[path.Base(rest)] = max(l.sizes[path.Base(rest)], tokens)
	}
	if bytes.Contains(h.text, []byte("__TIME")) || bytes.Contains(h.text, []byte("__DATE__")) { // the pattern is slow
		h.text = clock.ReplaceAll(h.text, []byte(`"lost"`))
	}
	h.text = hidePragmas(h.text)
	return h
}

// include counts tokens that are included.
func (l *includes) include(n int) {
	if l.tokens += n; l.tokens > mostTokens {
		panic(fmt.Sprintf("it includes more than %d tokens", mostTokens))
	}
}

// search counts a search, and what it will find if that is known.
func (l *includes) search(name string) {
	if l.files++; l.files > mostIncludes {
		panic(fmt.Sprintf("it includes files more than %d times", mostIncludes))
	}
	l.include(l.sizes[name])
}

// A headerFile is a regular file of some bytes.
type headerFile struct {
	*bytes.Reader
	name string
}

func (f *headerFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *headerFile) Close() error               { return nil }
func (f *headerFile) Name() string               { return f.name }
func (f *headerFile) Mode() fs.FileMode          { return 0o444 }
func (f *headerFile) ModTime() time.Time         { return time.Time{} }
func (f *headerFile) IsDir() bool                { return false }
func (f *headerFile) Sys() any                   { return nil }

// output keeps what a preprocessor writes.
type output struct{ bytes.Buffer }

// Write returns an error if that is too much.
func (o *output) Write(b []byte) (int, error) {
	if o.Len()+len(b) > mostOutput {
		return 0, fmt.Errorf("it has more than %d bytes after preprocessing", mostOutput)
	}
	return o.Buffer.Write(b)
}
