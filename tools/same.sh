#!/bin/sh
# Compares the C of an old commit with that of this tree, byte for byte:
# same.sh REF [N [PROGRAMS [SEED]]]. Both make N recipes as functions, and
# PROGRAMS as whole programs, of every profile. Then both hunt with a compiler
# that is wrong on purpose, and have to find the same. SEED is the first recipe,
# and the seed of the hunt. The first difference ends it with exit status 1. SKIP
# names, between commas, profiles and mixes of hunts that are meant to differ.
set -eu

ref=${1-}
n=${2:-10000}
programs=${3:-$(((n + 9) / 10))}
seed=${4:-1}
seeds=300 # of the hunt
[ -n "$ref" ] || { echo "same: no REF; want the commit to compare with" >&2; exit 2; }
case $n$programs$seed in
*[!0-9]*) echo "same: want numbers, not $n, $programs, $seed" >&2; exit 2 ;;
esac

tmp=$(mktemp -d)
pids=
finish() {
	trap '' INT TERM HUP
	if [ -n "$pids" ]; then
		# shellcheck disable=SC2086 # two words
		kill $pids 2>/dev/null || :
		wait || :
	fi
	git worktree remove --force "$tmp/tree" 2>/dev/null || :
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# fail WHAT says what is wrong, and ends.
fail() {
	echo "same: $*" >&2
	exit 1
}

# speak runs the command of this directory: "gen functions|programs PROFILE NUMBER SEED", or a
# hunt. Commands before reify version take other flags for the same.
speak() {
	if [ "$1" != gen ]; then
		[ -e .speaks ] || export REIFY_LEVELS="$REIFY_MODES"
		exec ./reify "$@"
	elif [ -e .speaks ]; then
		exec ./reify gen -what "$2" -profile "$3" -n "$4" -seed "$5" -o made
	fi
	profile=-profile number=-n
	case $3 in default | draw) profile=-config ;; esac
	[ "$2" = functions ] || number=-programs
	exec ./reify gen $profile "$3" $number "$4" -seed "$5" -o made
}

# both ARGUMENTS has the old and the new command speak, each in its own directory. In
# the background, where an interrupt does not wait for them.
both() {
	(cd "$tmp/old" && speak "$@" >log 2>&1) &
	pids=$!
	(cd "$tmp/new" && speak "$@" >log 2>&1) &
	pids="$pids $!"
	old=0 new=0
	wait "${pids% *}" || old=$?
	wait "${pids#* }" || new=$?
	pids=
}

# ended STATUS WHAT fails unless that was the exit status of both.
ended() {
	[ "$old" = "$1" ] || { tail -n 20 "$tmp/old/log"; fail "$2, of $ref: exit status $old, want $1"; }
	[ "$new" = "$1" ] || { tail -n 20 "$tmp/new/log"; fail "$2, of this tree: exit status $new, want $1"; }
}

# compare DIR WHAT compares all C below DIR, and counts: the entries of DIR, and
# the files. Reproducers may differ: it removes them.
compare() {
	find "$tmp/old/$1" "$tmp/new/$1" -type f ! -name '*.[ch]' -exec rm -f {} +
	(cd "$tmp"; diff -r "old/$1" "new/$1" 2>&1) | head -n 40 >"$tmp/diff"
	if [ -s "$tmp/diff" ]; then
		cat "$tmp/diff"
		fail "$2: DIFFERENT from $ref, see above"
	fi
	entries=$((entries + $(find "$tmp/old/$1" -mindepth 1 -maxdepth 1 | wc -l)))
	files=$((files + $(find "$tmp/old/$1" -type f | wc -l)))
}

# generate functions|programs TOTAL CHUNK PROFILE compares so many recipes. The disk holds one chunk at a time, of some 40 MB for each command.
generate() {
	entries=0 files=0 from=0
	while [ "$from" -lt "$2" ]; do
		count=$(($2 - from))
		[ "$count" -le "$3" ] || count=$3
		what="gen $1 $4 $count $((seed + from))"
		# shellcheck disable=SC2086 # several words
		both $what
		ended 0 "$what"
		compare made "$what"
		rm -rf "$tmp/old/made" "$tmp/new/made"
		from=$((from + count))
	done
	[ "$2" = 0 ] || [ "$files" -gt 0 ] || fail "gen $1 $4 $2 made nothing: NOTHING was compared"
}

# offered old|new ARGUMENTS prints a line for each of the names that a command
# offers in place of one that does not exist.
offered() {
	dir=$tmp/$1
	shift
	(cd "$dir" && ./reify "$@" 2>&1) | grep -oE '[a-z-]+(, ?[a-z-]+)+$' | tr -d ' ' | tr ',' '\n'
}

mkdir "$tmp/old" "$tmp/new" "$tmp/bin"
git worktree add --quiet --detach "$tmp/tree" "$ref" || exit 2
# Trimmed paths let go take what it has built of REF before.
go build -trimpath -o "$tmp/new/reify" ./tools/reify
# Older ones had Z3 without this tag.
(cd "$tmp/tree" && go build -trimpath -tags noz3 -o "$tmp/old/reify" ./tools/reify)
git worktree remove --force "$tmp/tree"

for side in old new; do
	! "$tmp/$side/reify" version >/dev/null 2>&1 || : >"$tmp/$side/.speaks"
done

functions=0 wholes=0
profiles=$(offered old gen -profile '?')
[ -n "$profiles" ] || fail "gen of $ref does not list its profiles"
while read -r config; do
	case ,${SKIP-}, in
	*",$config,"*) echo "gen $config: NOT compared, as SKIP says"; continue ;;
	esac
	generate functions "$n" 1000 "$config"
	echo "gen $config: $files files of $entries functions are the same"
	functions=$((functions + entries))
	generate programs "$programs" 100 "$config"
	echo "gen $config: $files files of $entries programs are the same"
	wholes=$((wholes + entries))
done <<END
default
draw
$profiles
END

# gcc-99 is gcc but for a few functions that a checksum of their text picks: one
# gets a wrong answer, or crashes, or the compiler gives up on it. A program that
# has such a function fails as a whole. At -O0, and with sanitizers, all is right.
cat >"$tmp/bin/gcc-99" <<'END'
#!/bin/sh
level=-O0 files=""
for a; do
	case $a in
	--version) echo "gcc-99 (Fake) 99.1.0"; echo "Copyright (C) Free Software Foundation, Inc."; exit ;;
	-fsanitize=*) exec gcc "$@" ;;
	-O*) level=$a ;;
	*.c) files="$files $a" ;;
	esac
done
if [ "$level" = -O0 ] || [ -z "$files" ]; then
	exec gcc "$@"
fi
# In a bundle of programs f1 is p0_f1.
sums=$(awk '
	!on && /^[A-Za-z_].* (p[0-9]+_)?f[0-9]+\(.*\)$/ {
		on = match($0, /f[0-9]+\(/)
		name = substr($0, RSTART, RLENGTH - 1)
	}
	on { gsub(/p[0-9]+_f/, "f"); text = text $0 "\n" }
	on && /^}/ {
		command = "printf \"%s \" " name "; cksum"
		printf "%s", text | command
		close(command)
		on = 0
		text = ""
	}' $files)
while read -r name sum size; do
	case $level:$((sum % 23)) in
	-O2:0) sed -i "s/printf(\"$name /&1/; s/printf(\"%/printf(\"1%/" $files ;;
	-O2:1) sed -i "s/printf(\"$name /__builtin_trap(), &/; s/printf(\"%/__builtin_trap(), &/" $files ;;
	-O3:2) echo "repro.c: In function '$name': internal compiler error: in foo, at bar.cc:$size" >&2; exit 1 ;;
	-O3:3) echo "repro.c: In function '$name': error: no such thing" >&2; exit 1 ;;
	esac
done <<SUMS
$sums
SUMS
exec gcc "$@" -O0
END
chmod +x "$tmp/bin/gcc-99"
export PATH="$tmp/bin:$PATH" REIFY_CC=gcc-99 REIFY_MODES=-O0,-O2,-O3 TMPDIR="$tmp"

mix=
offered new hunt -o hunt -mix '?' >"$tmp/kinds"
for kind in $(offered old hunt -o hunt -mix '?'); do
	case ,${SKIP-}, in
	*",$kind,"*) echo "hunt: $kind is NOT hunted with, as SKIP says"; continue ;;
	esac
	case $kind in
	inject* | text-* | corpus-* | go | go-* | wasm | wasm-* | jvm | jvm-*) continue ;; # they need seeds, a database, or other compilers
	esac
	if grep -qxe "$kind" "$tmp/kinds"; then
		mix=$mix${mix:+,}$kind
	else
		echo "hunt: $kind is NOT hunted with: this tree does not have it"
	fi
done
[ -n "$mix" ] || fail "hunt lists no mix that both know"
what="hunt -n $seeds -mix $mix -seed $seed"
# shellcheck disable=SC2086 # several words
both $what -plan all -keep 1000 -workers 1 -o hunt
ended 1 "$what"
entries=0 files=0
compare hunt/findings "$what"
[ "$files" -gt 0 ] || fail "$what: NO finding has C"
echo "$what: $files files of $entries findings are the same"
echo "same: $functions functions, $wholes programs, $entries findings"
