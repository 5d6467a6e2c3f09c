#!/bin/sh
# Measures: WHAT=go (the Go benchmarks), engine, paper, scaling, hunt, triage, counters,
# blame, shapes, emi, find-go. The other variables are those of make bench.
set -eu
lab() { go run -ldflags "${LDFLAGS--s -w}" ./tools/lab "$@"; }
case ${WHAT:-go} in
go) go test -tags "$(sh tools/tags.sh)" -run '^$' -bench . ./reify/... ;;
engine)
	lab bench -n 5000
	lab bench -n 5000 -long 60
	;;
paper)
	[ -z "${FULL-}" ] || N=1000
	lab experiment -n "${N:-100}" -o "${OUT:-out/experiments}" all
	;;
scaling) exec sh tools/scaling.sh ;;
hunt) exec sh tools/hunt.sh "${FOR:-2m}" "${BUGTIME:-5m}" ;;
triage) lab triage ${N:+-n "$N"} "${DIR:-corpus}" ;;
counters) lab counters -time "${FOR:-15s}" -against plain ;;
blame) go test -timeout 2h -run '^$' -bench '^BenchmarkBlame$' -benchtime 1x ./compilers/bisect ;;
shapes)
	# shellcheck disable=SC2086 # several words
	EACH_CC="${EACH_CC:-gcc-16@trunk -march=x86-64-v3;clang-23@trunk -march=x86-64-v3;clang-24@trunk -march=x86-64-v3}" \
		exec sh tools/each.sh "${DIR:-out/hunt-shapes}" "${FOR:-1h}" ${SHAPES:-narrow,truth lanes vector-loops machine facts calls aggregates wide vectors}
	;;
emi)
	EACH_CC="${EACH_CC:-gcc-12;gcc-16@trunk;clang-23@trunk}" JUDGES=gcc-12,clang-19 POOL=$POOL \
		exec sh tools/each.sh "${DIR:-out/hunt-emi}" "${FOR:-1h}" focused variants,wild-variants corpus-variants text-variants
	;;
find-go) exec sh tools/findgo.sh ;;
*) echo "bench: unknown WHAT=$WHAT: want go, engine, paper, scaling, hunt, triage, counters, blame, shapes, emi or find-go" >&2; exit 2 ;;
esac
