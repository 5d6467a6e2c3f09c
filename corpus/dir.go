package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The directory of a hunt has a directory FindingsDir, with one directory for
// each finding. In that stand FindingFile and, extracted, the files in it.
const (
	FindingsDir = "findings"
	FindingFile = "finding" + Ext
)

// Paths returns the paths of the reproducers of a directory, sorted: those in it, and
// those of a hunt, FindingsDir/*/FindingFile. Files whose names begin with a dot are
// still being saved, and are left out.
func Paths(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range files {
		if isEntry(f.Name()) {
			paths = append(paths, filepath.Join(dir, f.Name()))
		}
	}
	found, err := os.ReadDir(filepath.Join(dir, FindingsDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range found {
		path := filepath.Join(dir, FindingsDir, f.Name(), FindingFile)
		if _, err := os.Stat(path); err == nil && !strings.HasPrefix(f.Name(), ".") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths, nil
}
