#!/bin/sh
# Hunts each compiler of EACH_CC with each mix alone, on one core for a time, and
# prints a line for each: each.sh DIR TIME MIX... . Mixes joined by commas are
# taken in turn. The hunts are left in DIR, where they can be triaged, and go on
# if it is called again. JUDGES are the compilers that are asked only about
# failures: one must have sanitizers.
set -eu
dir=$1 time=$2
shift 2
mkdir -p "$dir"
go build -o "$dir/reify" ./tools/reify
printf '%s;' "${EACH_CC:-gcc-16@trunk;clang-24@trunk}" | tr ';' '\n' | while read -r cc; do
	[ -n "$cc" ] || continue
	for mix; do
		hunt=$dir/$(printf '%s %s' "$cc" "$mix" | tr -c 'a-zA-Z0-9_.-' _)
		rc=0
		REIFY_CC="$cc,${JUDGES:-gcc-12}" "$dir/reify" hunt -o "$hunt" -workers 1 -mix "$mix" -seed "${SEED:-1}" \
			${POOL:+-seeds "$POOL"} -plan "\"$cc\" ${EACH_MODES:--O1,-O2,-O3,-Os} one" -time "$time" >"$hunt.log" 2>&1 </dev/null || rc=$?
		last=$(grep ' CPU s, ' "$hunt.log" | tail -n 1)
		[ -n "$last" ] || last="exit status $rc: $(tail -n 1 "$hunt.log")"
		printf '%s | %s | %s\n' "$cc" "$mix" "$last"
	done
done
