package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"goreify/reify/safefile"
)

// Save writes e to a file in dir, which must exist, and returns its path. The name is
// made of the verdict, the compiler, the mode and a hash of the content, so that the
// same entry always goes to the same file. If this file exists, Save does nothing. A
// file with other content is never overwritten. The file appears whole or not at all,
// also when several processes save at once.
func Save(dir string, e *Entry) (path string, err error) {
	if err := e.Check(); err != nil {
		return "", err
	}
	data := e.Format()
	sum := digest(data)
	stem := slug(e.Verdict + " " + e.Compiler + " " + e.Mode)
	d, err := safefile.Open(dir)
	if err != nil {
		return "", fmt.Errorf("corpus: save: %w", err)
	}
	defer d.Close() // written files are closed
	// Eight digits tell files apart; more are used when they do not.
	for _, digits := range []int{8, 16} {
		name := stem + "-" + sum[:digits] + Ext
		path = filepath.Join(dir, name)
		old, err := d.Read(name, maxFile)
		switch {
		case err == nil && bytes.Equal(old, data):
			return path, nil
		case err == nil:
			continue // edited since, or a collision
		case !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("corpus: save: %w", err)
		}
		if err := d.Write(name, data, 0o644); err != nil {
			return "", fmt.Errorf("corpus: save in %s: %w", dir, err)
		}
		return path, nil
	}
	return "", fmt.Errorf("corpus: save: %s exists with other content", path)
}

// Update writes e over the file at path, which appears whole or stays as it was: an
// interruption loses nothing. Between two processes the last one wins. The reduced test
// is written beside a finding of a hunt, too. It is written first, so that a reader of
// the entry finds it there.
func Update(path string, e *Entry) error {
	if err := e.Check(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	d, err := safefile.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("corpus: update: %w", err)
	}
	defer d.Close() // written files are closed
	files := map[string]string{}
	if filepath.Base(path) == FindingFile && e.Reduced != "" {
		if _, err := d.Lstat(e.Main); err == nil {
			files[e.ReducedMain()] = e.Reduced
			if want, ok := e.Members[ReducedWantFile]; ok {
				files[ReducedWantFile] = want
			}
		}
	}
	for name, text := range files {
		if err := d.Write(name, []byte(text), 0o644); err != nil {
			return fmt.Errorf("corpus: update: %w", err)
		}
	}
	if err := d.Write(filepath.Base(path), e.Format(), 0o644); err != nil {
		return fmt.Errorf("corpus: update: %w", err)
	}
	return nil
}

// maxSlug is the length that slug cuts to, so that a long verdict makes no file name
// that a file system refuses.
const maxSlug = 64

// slug makes s fit for a file name: letters and digits stay, and each run of other
// characters becomes one dash.
func slug(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
	s = strings.Join(words, "-")
	return strings.TrimRight(s[:min(len(s), maxSlug)], "-")
}
