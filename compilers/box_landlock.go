package compilers

import (
	"fmt"
	"os"
	"slices"

	"github.com/landlock-lsm/go-landlock/landlock"
	abi "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// landlockTo lets this process, and all that it starts, write to the workspace
// alone, read what compilers need, and open no TCP connection, as far as the
// kernel's version knows of that.
func landlockTo(workspace string, show []string) error {
	if v, err := abi.LandlockGetABIVersion(); err != nil || v < 1 {
		return fmt.Errorf("the kernel has none: %w", err)
	}
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return err
	}
	read := slices.Concat(visible, []string{"/proc"}, show)
	return landlock.V6.BestEffort().Restrict(
		landlock.RODirs(read...).IgnoreIfMissing(),
		landlock.ROFiles(self, "/dev/random", "/dev/urandom").IgnoreIfMissing(),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full").IgnoreIfMissing(),
		landlock.RWDirs(workspace).WithRefer(),
	)
}
