#!/bin/sh
# Prints how many times the rate of one worker two of them reach: the best of
# five rounds each, in turn, with the garbage collector as the command sets it.
# It means something on two idle cores only.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/reify.test" ./reify
[ ! -r /proc/loadavg ] || echo "load: $(cut -d ' ' -f 1 /proc/loadavg) (want 0) on $(nproc) cores (want at least 2)"
cd reify
for round in 1 2 3 4 5; do
	GOGC=3200 "$dir/reify.test" -test.run '^$' -test.bench '^BenchmarkWorkers$' -test.benchtime "${1-2s}"
done | awk '
	/^BenchmarkWorkers\// {
		split($1, name, "[/-]")
		for (i = 2; i < NF; i++) if ($(i+1) == "functions/s") rate = $i
		print name[2] (name[2] == 1 ? " worker:  " : " workers: ") rate " functions/s"
		if (rate + 0 > best[name[2]]) best[name[2]] = rate + 0
	}
	END {
		if (!best[1] || !best[2]) { print "NOT measured: no rate of one worker and of two"; exit 1 }
		printf "two workers : one = %.2f (wanted: at least 1.9)\n", best[2] / best[1]
	}'
