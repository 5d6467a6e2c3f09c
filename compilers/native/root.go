package native

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"goreify/compilers"
)

// rootMark stands between a compiler and the root directory that it lives in.
const rootMark = "@"

// rootPath is PATH in a root directory.
const rootPath = "/usr/local/bin:/usr/bin:/bin"

// rootOf splits "gcc-17@trunk": the root is the directory that env.Roots has under
// that name or, if it has a slash, that path. It is "" for a compiler of this
// machine.
func rootOf(env compilers.Env, name string) (plain, root string, err error) {
	plain, root, ok := strings.Cut(name, rootMark)
	if !ok {
		return name, "", nil
	}
	if plain == "" {
		return "", "", fmt.Errorf("%s: no compiler stands before the @", name)
	}
	if !strings.Contains(root, "/") {
		dir := env.Roots[root]
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

// resolve returns the path, seen from outside, of the file behind all links of a
// path in a root directory.
func resolve(root, path string) (string, error) {
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
