package compilers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/landlock-lsm/go-landlock/landlock"
	abi "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// public returns the largest directories at or below one all of which everybody may read, and the
// files beside these. Children of root, who owns /etc/shadow, get no more. Where links lead is not
// said: it has rules of its own, or is hidden.
func public(dir string) (dirs, files []string, err error) {
	entries, err := os.ReadDir(dir)
	whole := err == nil
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		info, err := entry.Info()
		if err != nil {
			continue // it was removed
		}
		const read, enter = 0o004, 0o001
		switch mode := info.Mode(); {
		case mode&fs.ModeSymlink != 0:
		case mode.IsDir() && mode&read != 0 && mode&enter != 0:
			more, beside, err := public(path)
			if err != nil {
				return nil, nil, err
			}
			whole = whole && slices.Equal(more, []string{path})
			dirs, files = append(dirs, more...), append(files, beside...)
		case mode.IsRegular() && mode&read != 0:
			files = append(files, path)
		default:
			whole = false
		}
	}
	if whole {
		return []string{dir}, nil, nil
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		err = nil
	}
	return dirs, files, err
}

// landlockTo lets this process, and all that it starts, write to the workspace alone, and read
// what compilers need, as far as the kernel's version knows of that.
func landlockTo(workspace string, show []string) error {
	if v, err := abi.LandlockGetABIVersion(); err != nil || v < 1 {
		return fmt.Errorf("the kernel has none: %w", err)
	}
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return err
	}
	settings, files, err := public("/etc")
	if err != nil {
		return err
	}
	read := slices.Concat(slices.DeleteFunc(slices.Clone(visible), func(dir string) bool { return dir == "/etc" }), settings, []string{"/proc"}, show)
	return landlock.V11.BestEffort().Restrict(
		landlock.RODirs(read...).IgnoreIfMissing(),
		landlock.ROFiles(append(files, self, "/dev/random", "/dev/urandom")...).IgnoreIfMissing(),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full").IgnoreIfMissing(),
		landlock.RWDirs(workspace).WithRefer(),
	)
}
