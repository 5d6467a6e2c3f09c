package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Extract writes the files of the archive to dir, which must exist. Command is meant to
// be run in dir then. If dir has something else under one of their names, that is
// replaced with force; without, it is an error, and nothing is written. No name and no
// link in dir leads out of it. An entry that fails Check is not written.
func (e *Entry) Extract(dir string, force bool) error {
	if err := e.Check(); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("corpus: extract: %w", err)
	}
	defer root.Close() // the archive has it already
	same := map[string]bool{}
	for _, f := range e.members() {
		info, err := root.Lstat(f.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && info.Mode().IsRegular() {
			var old []byte
			old, err = root.ReadFile(f.Name)
			same[f.Name] = err == nil && bytes.Equal(old, f.Data)
		}
		if !same[f.Name] && !force {
			return errors.Join(fmt.Errorf("corpus: extract: %s is there with other content; nothing was written", filepath.Join(dir, f.Name)), err)
		}
	}
	for _, f := range e.members() {
		if same[f.Name] {
			continue
		}
		if err := replace(root, f.Name, f.Data); err != nil {
			return fmt.Errorf("corpus: extract: %w", err)
		}
	}
	return nil
}

// replace writes a new file in place of a file, link or empty directory of its name,
// and never through a link.
func replace(root *os.Root, name string, data []byte) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}
