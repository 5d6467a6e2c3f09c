package hunt

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"goreify/reify/safefile"
)

// patience is how long a lock is waited for that a look at the hunt may hold
// for an instant.
const patience = time.Second

// lock takes the lock of a directory. It is released by the death of its
// holder, whatever kills it.
func lock(dir string) (unlock func(), err error) {
	d, err := safefile.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close() // the file stays open
	f, err := d.Append(lockName)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	for tries := 50; errors.Is(err, unix.EWOULDBLOCK) && tries > 0; tries-- {
		time.Sleep(patience / 50)
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("%s: %w", dir, err), f.Close())
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("%s: %w", dir, ErrLocked)
		}
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

// lockName is the file that a running hunt holds a lock of.
const lockName = "lock"

// locked tells whether a hunt runs in a directory.
func locked(dir string) bool {
	d, err := safefile.Open(dir)
	if err != nil {
		return false
	}
	defer d.Close() // read only
	f, err := d.File(lockName)
	if err != nil {
		return false
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) == unix.EWOULDBLOCK
}
