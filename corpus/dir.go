package corpus

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"goreify/reify/safefile"
)

// The directory of a hunt has a directory FindingsDir, with one directory for
// each finding. In that stand FindingFile and, extracted, the files in it.
const (
	FindingsDir = "findings"
	FindingFile = "finding" + Ext
)

// Paths returns the paths of the reproducers of a directory, sorted: those in it, and
// those of a hunt, FindingsDir/*/FindingFile, where no directory is a link. Files whose
// names begin with a dot are still being saved, and are left out.
func Paths(dir string) ([]string, error) {
	d, err := safefile.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close() // read only
	files, err := d.List()
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range files {
		if isEntry(f.Name()) {
			paths = append(paths, filepath.Join(dir, f.Name()))
		}
	}
	findings, err := d.Sub(FindingsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return paths, nil
	}
	if err != nil {
		return nil, err
	}
	defer findings.Close() // read only
	if files, err = findings.List(); err != nil {
		return nil, err
	}
	for _, f := range files {
		name := filepath.Join(f.Name(), FindingFile)
		if _, err := findings.Lstat(name); err == nil && f.IsDir() && !strings.HasPrefix(f.Name(), ".") {
			paths = append(paths, filepath.Join(findings.Path(), name))
		}
	}
	slices.Sort(paths)
	return paths, nil
}
