#!/bin/sh
# Runs one fuzz target: fuzz.sh [WHAT [TIME [FLAG...]]]. WHAT is one of the words below,
# of which reify and function are the same. TIME is a duration (60s, 8h) or a number of
# executions (1000x); flags are those of the test. Status 0: no finding is new; 1: one
# is; 2: it did not run well, or a test of our own failed.
#
# Reduction is not the engine's business here, so its minimisation is off. Go 1.26 may
# end a run whose time is up with "context deadline exceeded" and no failing input
# (go.dev/issue/75804): that is no failure. What go test says of passing and failing
# is left out: the last line says what was found.
set -u
what=${1:-reify}
time=${2:-60s}
[ $# -lt 1 ] || shift
[ $# -lt 1 ] || shift
package=.
case $what in
reify | function) target=FuzzReify ;;
program) target=FuzzProgram ;;
go) target=FuzzGo ;;
wasm) target=FuzzWasm ;;
jvm) target=FuzzJVM ;;
generate) target=FuzzGenerate ;;
mutate) target=FuzzMutate package=./reify/mutate ;;
portfolio)
	target=FuzzPortfolio package=./reify
	set -- -tags "$(sh tools/tags.sh)" "$@"
	;;
keep) exec go run ./tools/keep ;; # what was found goes into the corpus
class) target=FuzzClass package=./reify/emit/jvm ;;
*)
	echo "fuzz.sh: $what is nothing to fuzz: want function, program, go, wasm, jvm, generate, mutate, portfolio or class" >&2
	exit 2
	;;
esac
log=$(mktemp) || exit 2
trap 'rm -f "$log" "$log.rc"' EXIT
trap : INT TERM # go test ends what it began and says what was found
echo "fuzz: building $target, then $time of it (after a change, or the first time, building takes minutes)"
{
	trap : INT TERM
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 0x "$package" "$@"
	echo "$?" >"$log.rc"
} 2>&1 | {
	trap '' INT TERM
	tee "$log" | grep --line-buffered -Ev '^(PASS|ok  	.*|FAIL(	.*)?|exit status [0-9]+)$'
}
rc=$(cat "$log.rc" || echo 2)
if grep -q '^FOUND:' "$log"; then
	exit 1
fi
if [ "$rc" != 0 ] && grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
	rc=0
fi
if grep -q '^fuzz: [0-9]* s: asked' "$log" && ! grep -q '^--- FAIL' "$log"; then
	rc=0 # go test fails when it is interrupted
fi
[ "$rc" = 0 ] || exit 2
