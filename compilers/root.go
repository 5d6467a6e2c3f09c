package compilers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// RootMark stands between a target and the root directory that it lives in, and before
// a root directory among those that boxes show.
const RootMark = "@"

// RootPath is PATH in a root directory.
const RootPath = "/usr/local/bin:/usr/bin:/bin"

// Root splits "gcc-17@trunk": the root is the directory that Roots has under that name
// or, if it has a slash, that path. It is "" for a target of this machine.
func (e Env) Root(name string) (plain, root string, err error) {
	plain, root, ok := strings.Cut(name, RootMark)
	if !ok {
		return name, "", nil
	}
	if _, err := os.Stat(name); err == nil && strings.Contains(plain, "/") {
		return name, "", nil // a path of this machine that has the mark in it
	}
	if plain == "" {
		return "", "", fmt.Errorf("%s: no compiler stands before the @", name)
	}
	if !strings.Contains(root, "/") {
		dir := e.Roots[root]
		if dir == "" {
			return plain, "", fmt.Errorf("%s: no root directory is called %q", name, root)
		}
		root = dir
	}
	if root, err = filepath.Abs(root); err != nil {
		return plain, "", err
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return plain, "", fmt.Errorf("%s: there is no root directory %s (make trunk makes that of trunk)", name, root)
	}
	return plain, root, nil
}

// InRoot returns the path, seen from outside, of the file behind all links of a path in a
// root directory, which is / of this machine if it is "".
func InRoot(root, path string) (string, error) {
	if root == "" {
		return filepath.EvalSymlinks(path)
	}
	dir, err := os.Open(root)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	fd, err := unix.Openat2(int(dir.Fd()), path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_IN_ROOT})
	if err != nil {
		return "", &os.PathError{Op: "open", Path: filepath.Join(root, path), Err: err}
	}
	defer unix.Close(fd)
	return os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
}

// Executable tells whether there is an executable file at a path in a root directory.
func Executable(root, file string) bool {
	resolved, err := InRoot(root, file)
	if err != nil {
		return false
	}
	info, err := os.Stat(resolved)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
