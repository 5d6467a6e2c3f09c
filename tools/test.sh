#!/bin/sh
# Runs go test with the given arguments and prints a line for each package, and
# whatever must not be overlooked: failures in full, tests that were skipped and
# why, what a test could not check (NOT TESTED), compilers that are not used, and
# bugs that a compiler no longer has (fixed).
set -u
log=$(mktemp) || exit 1
trap 'rm -f "$log" "$log.rc"' EXIT
{
	go test -v "$@" 2>&1
	echo "$?" >"$log.rc"
} | tee "$log" | grep -E --line-buffered \
	'^(ok|FAIL|panic:|\?)|^ *--- (SKIP|FAIL)|NOT |not used|: fixed|functions at the default|gcov agrees|agreed'
rc=$(cat "$log.rc")
if [ "$rc" != 0 ]; then
	echo "---- the whole output of what failed:"
	awk '/^=== RUN/ { buf = ""; next } { buf = buf $0 "\n" } /^--- FAIL/ { printf "%s", buf } /^--- (PASS|SKIP)/ { buf = "" } /^(panic:|FAIL)/ { printf "%s", buf; buf = "" }' "$log" | head -400
fi
exit "$rc"
