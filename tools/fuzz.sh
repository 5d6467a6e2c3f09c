#!/bin/sh
# Runs one fuzz target: fuzz.sh TARGET TIME [PACKAGE]. Reduction is not the
# engine's business here, so minimisation is off. Go 1.26 may end a run whose
# time is up with "context deadline exceeded" and no failing input
# (go.dev/issue/75804): that is no failure.
set -u
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
{
	go test -tags "$(sh tools/tags.sh)" -run '^$' -fuzz "^$1\$" -fuzztime "$2" -fuzzminimizetime 0x "${3-.}"
	echo "$?" >"$log.rc"
} 2>&1 | tee "$log"
rc=$(cat "$log.rc"); rm -f "$log.rc"
if [ "$rc" != 0 ] && grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
	echo "time is up"
	rc=0
fi
exit "$rc"
