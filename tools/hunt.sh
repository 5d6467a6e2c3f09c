#!/bin/sh
# Measures the hunt: hunt.sh BENCHTIME BUGTIME [PATTERN], both durations such
# as 2m. PATTERN selects benchmarks: Hunt takes some four times BENCHTIME by the
# clock, with the compilers of REIFY_CC; Bugs takes five times BUGTIME of CPU.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/reify" ./tools/reify
go test -c -o "$dir/hunt.test" ./tools/reify/hunt
TMPDIR=$dir "$dir/hunt.test" -command "$dir/reify" -hunt-time "$1" -bug-time "$2" \
	 -test.run '^$' -test.bench "${3-Hunt|Bugs}" -test.benchtime 1x -test.timeout 0
