package native

import "fmt"

// A sighting is which file was at a path.
type sighting struct {
	root, path string
	identity
}

// Changed returns an error if the executable is not the one that was found. It
// costs some microseconds. A toolchain whose path was set by hand has not changed.
func (t Toolchain) Changed() error {
	if t.found.root != t.Root || t.found.path != t.Path {
		return nil
	}
	now, err := identityOf(t.Root, t.Path)
	switch {
	case err != nil:
		return fmt.Errorf("%v is gone: %w", t, err)
	case now != t.found.identity:
		return fmt.Errorf("%v is not the compiler any more that was found as version %s: %s was replaced", t, t.Version, now.Resolved)
	}
	return nil
}
