#!/bin/sh
# Runs one fuzz target: fuzz.sh TARGET TIME [PACKAGE]. Reduction is not the
# engine's business here, so minimisation is off. Go 1.26 may end a run whose
# time is up with "context deadline exceeded" and no failing input
# (go.dev/issue/75804): that is no failure. After an interrupt it still prints
# what the workers told, whose output the engine drops, and cleans up.
set -u
told=${3-.}/out/told.txt
before=0
if [ -e "$told" ]; then
	before=$(wc -l <"$told")
fi
log=$(mktemp) || exit 1
trap 'rm -f "$log" "$log.rc"' EXIT
trap : INT TERM
{
	trap : INT TERM
	go test -tags "$(sh tools/tags.sh)" -run '^$' -fuzz "^$1\$" -fuzztime "$2" -fuzzminimizetime 0x "${3-.}"
	echo "$?" >"$log.rc"
} 2>&1 | tee -i "$log"
rc=$(cat "$log.rc" || echo 1)
if [ "$rc" != 0 ] && grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
	echo "time is up"
	rc=0
fi
if [ -e "$told" ]; then
	tail -n "+$((before + 1))" "$told" >"$log"
	cat "$log"
	if grep -q '^FAIL' "$log"; then
		rc=1
	fi
fi
exit "$rc"
