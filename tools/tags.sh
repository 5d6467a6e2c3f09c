#!/bin/sh
# Prints the build tags of tests on this machine: z3 where cgo and libz3 are.
if [ "${CGO_ENABLED-1}" = 0 ] || ! echo '#include <z3.h>' | gcc -E -x c - >/dev/null 2>&1; then
	echo "tags: libz3 not found: tests go on without Z3" >&2
else
	echo z3
fi
