#!/bin/sh
# The acceptance test of Go: hunts from seed 1 find the bug that gc 1.17.13 to 1.25.0
# have with two entries into one loop, as an internal error with checks and as a wrong
# answer without. Fails if finding them takes more than 60 CPU seconds. Then the
# internal error is reduced, which names the versions.
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/reify" ./tools/reify || exit 1
REIFY_CC=${REIFY_CC-gc-1.25.0}
export REIFY_CC
# A hunt exits with status 1 where it finds something.
hunt() { # DIR MIX MODE SEEDS
	"$dir/reify" hunt -seed 1 -mix "$2" -plan "gc $3" -n "$4" -workers 1 -o "$dir/$1"
}
hunt check go @check 720
hunt plain go-paper @O 1000
times >"$dir/times"
grep -l '^verdict: internal-error' "$dir"/check/findings/*/finding.txtar >"$dir/internal" || { echo "FAIL: no internal error"; exit 1; }
grep -h -e '^title: ' -e '^expected: ' -e '^got: ' $(grep -l '^verdict: wrong-answer' "$dir"/plain/findings/*/finding.txtar) /dev/null |
	grep . || { echo "FAIL: no wrong answer"; exit 1; }
# The second line is of children: user and system.
awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); t = 60 * (u[1] + s[1]) + u[2] + s[2]; printf "found in %.0f CPU s\n", t; exit t > 60 }' "$dir/times" || { echo "FAIL: more than 60 CPU s"; exit 1; }
"$dir/reify" triage -n 1 "$dir/check" || exit 1
cat "$dir"/check/findings/*/reduced.go || { echo "FAIL: nothing was reduced"; exit 1; }
grep -h -e '^bucket: ' -e '^x-versions: ' "$dir"/check/findings/*/finding.txtar || { echo "FAIL: no versions"; exit 1; }
