#!/bin/sh
# Prints the build tags for this machine: noz3 where libz3 or cgo is missing.
if [ "${CGO_ENABLED-1}" = 0 ] || ! echo '#include <z3.h>' | gcc -E -x c - >/dev/null 2>&1; then
	echo "tags: libz3 not found, building without it (noz3)" >&2
	echo noz3
fi
