package native

import (
	"context"
	"strings"

	"goreify/compilers"
)

// Changed returns an error if the executable is not the one that was found. It
// costs some microseconds. A toolchain whose path was set by hand has not changed.
func (t Toolchain) Changed() error {
	if !t.found.Begins(t.Root, t.Path) {
		return nil
	}
	return t.found.Changed(t.String(), t.Version)
}

// Digest returns the digest of the compiler.
func (t Toolchain) Digest(cache string) (string, error) { return t.found.Digest(cache) }

// Stamped returns the toolchain with a digest in its version.
func (t Toolchain) Stamped(digest string) compilers.Target {
	t.Version = compilers.StampVersion(t.Version, digest)
	return t
}

// own tells whether users have named it by its path, as they do with what they build.
func (t Toolchain) own() bool { return strings.Contains(t.Name, "/") && t.Root == "" }

// parts are the files that change when a compiler is built anew: the executable, of gcc
// the compiler that it calls, and of clang the libraries beside it.
func (t Toolchain) parts(ctx context.Context, space *compilers.Workspace) []string {
	files := []string{t.Path}
	if t.tools != nil {
		files = append(files, t.Maker())
	}
	if more := t.row().parts; more != nil {
		files = append(files, more(ctx, t, space)...)
	}
	return files
}
