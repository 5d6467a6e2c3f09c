package compilers

import (
	"fmt"
	"strings"
)

// limiterName is $0 of the shell that sets the limits: what it complains under
// when it cannot start the child.
const limiterName = "reify-limits"

// limitScript returns the shell script that lowers its own limits and then
// becomes the child, in the same process.
//
// prlimit(2) on a child that has been started would be the native way, but
// loses a race: a compiler driver may have forked its cc1 before the limits
// are set, and what it forked stays unlimited. Setting our own limits around
// the fork would limit every other goroutine's children, and ourselves. The
// shell costs about a millisecond a child (BenchmarkChild), against 30 and more
// for the smallest compilation.
//
// A limit that cannot be set is below an inherited one already, so failures of
// ulimit are ignored. dash counts processes with -p, bash with -u; POSIX has
// blocks of 512 bytes for -f, and kilobytes for -v.
func limitScript(b bounds) string {
	var s strings.Builder
	s.WriteString("{ ulimit -c 0")
	if n := b.cpuSeconds(); n > 0 {
		// SIGXCPU first, which says what happened; SIGKILL for who ignores it.
		fmt.Fprintf(&s, "; ulimit -S -t %d; ulimit -H -t %d", n, n+1)
	}
	if b.memory > 0 {
		fmt.Fprintf(&s, "; ulimit -v %d", (b.memory+1023)/1024)
	}
	if b.fileSize > 0 {
		fmt.Fprintf(&s, "; ulimit -f %d", (b.fileSize+511)/512)
	}
	if b.processes > 0 {
		fmt.Fprintf(&s, "; ulimit -p %d || ulimit -u %d", b.processes, b.processes)
	}
	s.WriteString(`; } 2>/dev/null; exec "$@"`)
	return s.String()
}
