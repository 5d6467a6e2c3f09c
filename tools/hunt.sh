#!/bin/sh
# Measures the hunt: hunt.sh BENCHTIME BUGTIME [PATTERN], both durations such
# as 2m. PATTERN selects benchmarks: Hunt takes some four times BENCHTIME by the
# clock, with the compilers of REIFY_CC; Bugs takes five times BUGTIME of CPU.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tags=$(sh tools/tags.sh)
go build -tags "$tags" -o "$dir/reify" ./tools/reify
go test -tags "$tags" -c -o "$dir/hunt.test" ./tools/reify/hunt
HUNT_COMMAND=$dir/reify HUNT_BENCH_TIME=$1 HUNT_BUG_TIME=$2 TMPDIR=$dir \
	"$dir/hunt.test" -test.run '^$' -test.bench "${3-Hunt|Bugs}" -test.benchtime 1x -test.timeout 0
