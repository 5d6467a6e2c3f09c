#!/bin/sh
# Fills a database with functions of the C that is here: sources in packages of
# Debian, which are installed where that is allowed, and C in Go's module cache.
# Says what could not be had, and takes the functions of testdata/functions, which are
# our own, if that is all. Nothing of it enters the repository.
#
#	functions.sh DATABASE
#
# ROOT is where /usr is looked for, for a test.
set -u

db=$1
here=$(dirname "$db")
src=$here/functions-src
mkdir -p "$src" || exit 2
echo "module functions" >"$src/go.mod" # there is Go in those sources, which is not of ours
reify=$src/reify
if ! go build -o "$reify" ./tools/reify; then
	echo "make others: reify was not built, see above; without a network its modules must be here, by go mod download" >&2
	exit 2
fi
usr=${ROOT:-}/usr
lacks=""
some=""

add() { # PROJECT VERSION[:LICENCE] FLAGS OPTION... FILE|DIR...
	project=$1 release=$2 flags=$3
	shift 3
	"$reify" others add -what functions -db "$db" -origin "$project@$release" -cflags "$flags" "$@" 2>"$src/$project.log"
	case $? in
	0) some=1 ;;
	*) echo "$project: $(tail -n 1 "$src/$project.log")" >&2 ;;
	esac
}

# A package of Debian, of which a file is wanted.
package() {
	[ -e "$2" ] && return 0
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
		apt-get -o Acquire::Retries=0 -o Acquire::http::Timeout=20 install -y --no-install-recommends "$1" >/dev/null 2>&1
	fi
	[ -e "$2" ] && return 0
	lacks="$lacks $1"
	return 1
}

# The version of a package, without Debian's part.
release() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null | sed 's/^[0-9]*://; s/[-+~].*//'; }

if package gcc-12-source "$usr/src/gcc-12"; then
	tar=$(ls "$usr"/src/gcc-12/gcc-*.tar.* | head -n 1)
	gcc=$src/$(basename "$tar" | sed 's/-dfsg//; s/\.tar\..*//')
	if [ ! -e "$gcc" ]; then
		mkdir -p "$gcc"
		tar xf "$tar" -C "$gcc" --strip-components 1 --wildcards --no-wildcards-match-slash '*/zlib' '*/libiberty' '*/libdecnumber' '*/include'
	fi
	v=$(release gcc-12-source)
	add zlib "$(sed -n 's/^#define ZLIB_VERSION "\(.*\)"/\1/p' "$gcc/zlib/zlib.h")" "" -only '*.c' "$gcc/zlib"
	add libiberty "$v:GPL-2.0-or-later" "-DHAVE_CONFIG_H -I$gcc/include" -only '*.c' "$gcc/libiberty"
	add libdecnumber "$v" "-I$gcc/libdecnumber -I$gcc/libdecnumber/dpd -I$gcc/include" -only '*.c' "$gcc/libdecnumber"
fi
if package newlib-source "$usr/src/newlib"; then
	tar=$(ls "$usr"/src/newlib/newlib-*.tar.* | head -n 1)
	newlib=$src/$(basename "$tar" | sed 's/\.tar\..*//')
	if [ ! -e "$newlib" ]; then
		mkdir -p "$newlib"
		tar xf "$tar" -C "$newlib" --strip-components 1 --wildcards --no-wildcards-match-slash '*/newlib/libc' '*/COPYING*'
	fi
	c=$newlib/newlib/libc
	add newlib "$(release newlib-source)" "-DPREFER_SIZE_OVER_SPEED -I$c/include" "$c/string" "$c/stdlib" "$c/search" "$c/ctype" "$c/time" "$c/misc" "$c/stdio"
fi
if package libstb-dev "$usr/include/stb/stb_image.h"; then
	v=$(release libstb-dev)
	for h in "$usr"/include/stb/*.h; do
		name=$(basename "$h" .h)
		upper=$(echo "$name" | tr a-z A-Z)
		add "$name" "$v" "-D${upper}_IMPLEMENTATION -DSTB_DEFINE -DSTBI_NO_SIMD -DSTBIR_NO_SIMD -DSTBCC_GRID_COUNT_X_LOG2=10 -DSTBCC_GRID_COUNT_Y_LOG2=10 -DSTBVOX_CONFIG_MODE=1 -include stddef.h" "$h"
	done
fi
if package libxxhash-dev "$usr/include/xxhash.h"; then
	add xxhash "$(release libxxhash-dev)" "-DXXH_STATIC_LINKING_ONLY -DXXH_IMPLEMENTATION -DXXH_NO_XXH3 -DXXH_FORCE_MEMORY_ACCESS=3" "$usr/include/xxhash.h"
fi

# What modules of Go hold of C.
cache=$(go env GOMODCACHE)
for dir in "$cache"/github.com/mattn/go-sqlite3@* "$cache"/modernc.org/ccorpus2@*/assets/sqlite-amalgamation; do
	[ -e "$dir" ] && add sqlite "$(sed -n 's/^#define SQLITE_VERSION *"\(.*\)"/\1/p' "$dir"/sqlite3*.c | head -n 1):blessing" "" -only 'sqlite3*.c' "$dir" && break
done
for dir in "$cache"/github.com/\!data\!dog/zstd@*; do
	[ -e "$dir" ] && add zstd "" "-I$dir" -only '*.c' "$dir"
done
for dir in "$cache"/modernc.org/ccorpus2@*/assets/github.com/bellard/quickjs; do
	[ -e "$dir" ] && add quickjs "$(cat "$dir/VERSION")" "-D_GNU_SOURCE -DCONFIG_VERSION=\"0\"" -only '*.c' "$dir"
done

[ -z "$lacks" ] || echo "could not be had:$lacks; install these packages, and run make others again for their functions" >&2
if [ -z "$some" ]; then
	echo "no C of others is here: these are the functions of testdata/functions alone" >&2
	add goreify ":none" "" testdata/functions
fi
[ -e "$db" ] || { echo "make others: no function could be had" >&2; exit 2; }
"$reify" others status -what functions -db "$db"
