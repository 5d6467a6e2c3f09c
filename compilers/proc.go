package compilers

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// groupCPU returns the CPU time that the processes of a group have used, and
// the children they have waited for. Processes that end meanwhile are missed.
func groupCPU(pgid int) time.Duration {
	var sum time.Duration
	for line := range stats {
		if group, used, ok := parseStat(line); ok && group == pgid {
			sum += used
		}
	}
	return sum
}

// stats yields the line of /proc/PID/stat of each process. Processes that end meanwhile
// are missed.
func stats(yield func(line string) bool) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		panic("compilers: bad glob pattern") // the only error of Glob
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && !yield(string(data)) {
			return
		}
	}
}

// parseStat reads the process group and the CPU time out of a line of
// /proc/PID/stat, whose second field is a name in parentheses that may hold
// anything.
func parseStat(line string) (pgid int, used time.Duration, ok bool) {
	end := strings.LastIndexByte(line, ')')
	if end < 0 {
		return 0, 0, false
	}
	fields := strings.Fields(line[end+1:]) // from the third, the state
	if len(fields) < 15 {
		return 0, 0, false
	}
	pgid, err := strconv.Atoi(fields[2])
	if err != nil {
		return 0, 0, false
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 wherever Go runs
	for _, f := range fields[11:15] {  // utime, stime, cutime, cstime
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, 0, false
		}
		used += time.Duration(n) * tick
	}
	return pgid, used, true
}
