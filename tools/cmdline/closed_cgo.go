//go:build cgo

package cmdline

/*
#include <fcntl.h>

static int closed;

// It runs before Go's runtime opens /dev/null in place of what is closed.
__attribute__((constructor)) static void look(void) { closed = fcntl(1, F_GETFD) == -1; }

static int was_closed(void) { return closed; }
*/
import "C"

// stdoutWasClosed tells whether the process began without standard output.
func stdoutWasClosed() bool { return C.was_closed() != 0 }
