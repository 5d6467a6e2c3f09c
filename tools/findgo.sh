#!/bin/sh
# The acceptance test of Go: a hunt from seed 1 finds the bug that gc 1.17.13 to 1.25.0
# have with two entries into one loop, reduces it and names the versions. Fails
# if it takes more than 60 CPU seconds of this process and its children.
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
go build -tags noz3 -o "$dir/reify" ./tools/reify || exit 1
REIFY_CC=${REIFY_CC-gc-1.25.0} "$dir/reify" hunt -seed 1 -mix go -plan 'gc @check' -n 720 -workers 1 -o "$dir/hunt" -triage
times >"$dir/times"
cat "$dir"/hunt/findings/*/reduced.go || { echo "FAIL: nothing was found and reduced"; exit 1; }
grep -h -e '^bucket: ' -e '^x-versions: ' "$dir"/hunt/findings/*/finding.txtar || { echo "FAIL: no versions"; exit 1; }
# The second line is of children: user and system.
awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); t = 60 * (u[1] + s[1]) + u[2] + s[2]; printf "%.0f CPU s\n", t; exit t > 60 }' "$dir/times" || { echo "FAIL: more than 60 CPU s"; exit 1; }
