package corpus

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// Ext is the extension of the files that LoadDir reads.
const Ext = ".txtar"

// A Result is the outcome of loading a file: an entry or an error.
type Result struct {
	Path  string
	Entry *Entry
	Err   error
}

// Load reads the file at path, of at most 64 MB. Its error is a *SyntaxError if
// the file could be read but not understood.
func Load(path string) (*Entry, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	if !bytes.HasSuffix(data, []byte("\n")) {
		data = append(data, '\n') // else txtar adds the newline, in a copy
	}
	return Parse(path, data)
}

// LoadDir reads the reproducers in dir, not those below it, sorted by name. A file that
// is malformed is a result of its own and hides no other. If dir cannot be read, the
// error is the only result.
func LoadDir(dir string) []Result {
	files, err := os.ReadDir(dir)
	if err != nil {
		return []Result{{Path: dir, Err: err}}
	}
	var results []Result
	for _, f := range files {
		if !isEntry(f.Name()) {
			continue
		}
		r := Result{Path: filepath.Join(dir, f.Name())}
		r.Entry, r.Err = Load(r.Path)
		results = append(results, r)
	}
	return results
}

// isEntry tells whether a file is a reproducer by its name. Files whose names begin
// with a dot are still being saved.
func isEntry(name string) bool { return filepath.Ext(name) == Ext && !strings.HasPrefix(name, ".") }
