package corpus

import (
	"bytes"
	"path/filepath"
	"strings"

	"goreify/reify/safefile"
)

// Ext is the extension of the files that LoadDir reads.
const Ext = ".txtar"

// A Result is the outcome of loading a file: an entry or an error.
type Result struct {
	Path  string
	Entry *Entry
	Own   bool // see LoadOwn
	Err   error
}

// Load reads the file at path, of at most 64 MB, which is no link to a file. Its error is a
// *SyntaxError if the file could be read but not understood.
func Load(path string) (*Entry, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	e, _, err := parse(path, data)
	return e, err
}

// parse reads the content of a file, and tells whether it is own: see LoadOwn.
func parse(path string, data []byte) (e *Entry, own bool, err error) {
	own = ownContents()[string(data)]
	if !bytes.HasSuffix(data, []byte("\n")) {
		data = append(data, '\n') // else txtar adds the newline, in a copy
	}
	e, err = Parse(path, data)
	return e, own, err
}

// LoadDir reads the reproducers in dir, not those below it, sorted by name. A file that
// is malformed, or a link, is a result of its own and hides no other. If dir cannot be
// read, the error is the only result.
func LoadDir(dir string) []Result {
	d, err := safefile.Open(dir)
	if err != nil {
		return []Result{{Path: dir, Err: err}}
	}
	defer d.Close() // read only
	files, err := d.List()
	if err != nil {
		return []Result{{Path: dir, Err: err}}
	}
	var results []Result
	for _, f := range files {
		if !isEntry(f.Name()) {
			continue
		}
		r := Result{Path: filepath.Join(dir, f.Name())}
		r.Entry, r.Own, r.Err = loadIn(d, f.Name())
		results = append(results, r)
	}
	return results
}

// LoadFinding reads a finding of the hunt in dir, by its name.
func LoadFinding(dir, name string) (*Entry, error) {
	d, err := safefile.Below(dir, false, FindingsDir, name)
	if err != nil {
		return nil, err
	}
	defer d.Close() // read only
	e, _, err := loadIn(d, FindingFile)
	return e, err
}

func loadIn(d *safefile.Dir, name string) (e *Entry, own bool, err error) {
	data, err := d.Read(name, maxFile)
	if err != nil {
		return nil, false, err
	}
	return parse(filepath.Join(d.Path(), name), data)
}

// isEntry tells whether a file is a reproducer by its name. Files whose names begin
// with a dot are still being saved.
func isEntry(name string) bool { return filepath.Ext(name) == Ext && !strings.HasPrefix(name, ".") }
