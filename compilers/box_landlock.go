package compilers

import (
	"github.com/landlock-lsm/go-landlock/landlock"
)

// landlockTo lets this process, and all that it starts, write to the workspace
// alone, read what compilers need, and open no TCP connection.
func landlockTo(workspace string, show []string) error {
	read := append([]string{"/usr", "/bin", "/lib", "/etc", "/opt", "/proc", "/dev"}, show...)
	return landlock.V4.Restrict(
		landlock.RODirs(read...).IgnoreIfMissing(),
		landlock.RODirs("/lib64", "/lib32", "/libx32").IgnoreIfMissing(),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full", "/dev/tty").IgnoreIfMissing(),
		landlock.RWDirs(workspace).WithRefer(),
	)
}
