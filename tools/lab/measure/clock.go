package measure

import (
	"time"

	"golang.org/x/sys/unix"
)

// clocks are those of CPU time that a measurement reads: processCPU and threadCPU,
// except in tests.
type clocks struct{ process, thread func() time.Duration }

// processCPU returns the user and system time that all threads of the process
// have used: what getrusage gives, in nanoseconds.
func processCPU() time.Duration { return clock(unix.CLOCK_PROCESS_CPUTIME_ID) }

// threadCPU returns the user and system time of the calling thread, to which
// the caller has locked itself.
func threadCPU() time.Duration { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }

func clock(id int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(id, &t); err != nil {
		panic("measure: this system has no clock of CPU time: " + err.Error())
	}
	return time.Duration(t.Nano())
}
