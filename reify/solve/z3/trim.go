//go:build cgo && z3

package z3

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
*/
import "C"

// trim gives freed memory back to the system. The Go scheduler moves Z3 from
// thread to thread, for each of which the allocator of glibc has an arena, and
// every arena would keep the most that a problem has ever taken.
func trim() { C.trim() }
