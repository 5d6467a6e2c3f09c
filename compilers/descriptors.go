package compilers

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// SealDescriptors marks every descriptor from 3 up close-on-exec. A fuzz
// worker calls it once in TestMain, before it starts children: the pipes to
// the fuzzing coordinator come without the mark, and the coordinator would
// wait for whatever compiler has inherited them.
func SealDescriptors() error {
	dir, err := os.Open("/proc/self/fd")
	if err != nil {
		return fmt.Errorf("sealing descriptors: %w", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return fmt.Errorf("sealing descriptors: %w", err)
	}
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd >= 3 {
			syscall.CloseOnExec(fd)
		}
	}
	return nil
}
