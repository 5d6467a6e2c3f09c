package compilers

import (
	"fmt"
	"os"

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
	read := append([]string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/proc", "/dev"}, show...)
	return landlock.V6.BestEffort().Restrict(
		landlock.RODirs(read...).IgnoreIfMissing(),
		landlock.ROFiles(self),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full").IgnoreIfMissing(),
		landlock.RWDirs(workspace).WithRefer(),
	)
}
