package native

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// An identity tells one executable from another that takes its place.
type identity struct {
	path, resolved string // before and after all links
	size           int64
	modified       time.Time
	inode          uint64
}

// identityOf returns the identity of the executable that is at a path now.
func identityOf(path string) (identity, error) {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return identity{}, err
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return identity{}, err
	}
	i := identity{path: path, resolved: resolved, size: info.Size(), modified: info.ModTime()}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		i.inode = stat.Ino
	}
	return i, nil
}

// Changed returns an error if the executable is not the one that was found. It
// costs some microseconds. A toolchain whose path was set by hand has not changed.
func (t Toolchain) Changed() error {
	if t.found.path != t.Path {
		return nil
	}
	now, err := identityOf(t.Path)
	switch {
	case err != nil:
		return fmt.Errorf("%v is gone: %w", t, err)
	case now != t.found:
		return fmt.Errorf("%v is not the compiler any more that was found as version %s: %s was replaced", t, t.Version, now.resolved)
	}
	return nil
}
