package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"goreify/reify/safefile"
)

// Extract writes the files of the archive to dir, which must exist. Command is meant to
// be run in dir then. If dir has something else under one of their names, that is
// replaced with force; without, it is an error, and nothing is written. No name and no
// link in dir leads out of it. An entry that fails Check is not written.
func (e *Entry) Extract(dir string, force bool) error {
	d, err := safefile.Open(dir)
	if err != nil {
		return fmt.Errorf("corpus: extract: %w", err)
	}
	defer d.Close() // written files are closed
	return e.ExtractTo(d, force)
}

// ExtractTo is Extract to a directory that is open.
func (e *Entry) ExtractTo(d *safefile.Dir, force bool) error {
	if err := e.Check(); err != nil {
		return err
	}
	var files []File
	for _, f := range e.members() {
		files = append(files, File{f.Name, f.Data})
	}
	return WriteTo(d, files, force)
}

// WriteTo writes files to a directory that is open, as Extract does.
func WriteTo(d *safefile.Dir, files []File, force bool) error {
	same := map[string]bool{}
	for _, f := range files {
		old, err := d.Read(f.Name, int64(len(f.Content)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		same[f.Name] = err == nil && bytes.Equal(old, f.Content)
		if !same[f.Name] && !force {
			return fmt.Errorf("corpus: extract: %s is there with other content; nothing was written", filepath.Join(d.Path(), f.Name))
		}
	}
	for _, f := range files {
		if same[f.Name] {
			continue
		}
		if err := d.Put(f.Name, f.Content, 0o644); err != nil {
			return fmt.Errorf("corpus: extract: %w", err)
		}
	}
	return nil
}
