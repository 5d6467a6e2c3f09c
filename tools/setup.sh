#!/bin/sh
# setup.sh [-with all|engines|harness] GOAL...: says what goreify needs and this machine lacks, for
# the goals of make. It installs it, with apt-get, only for the goals setup, fuzz and test,
# which a new user begins with, and on CI (CI=true). Where it may not, it says what is
# missing, and the goals go on with what is there.
#
# Needed are gcc, a second compiler (clang) and, for tests, libz3: .ci/run requires them. With "all", the
# goal setup adds the older and newer compilers that Debian has, what they need for -m32,
# and the tools that ours are compared and checked with. With "engines" it fetches ENGINES,
# engines of WebAssembly, from npm. With "harness" it adds those of compilers' own tests, and GCC's testsuite/lib of a
# package of its sources.
set -u

die() { echo "setup: $*" >&2; exit 2; }
have() { command -v "$1" >/dev/null 2>&1; }
# any tells whether PATH has one of the commands, with a version or without.
any() (
	IFS=:
	for p; do
		for dir in $PATH; do
			for file in "$dir/$p" "$dir/$p"-[0-9]*; do
				[ ! -x "$file" ] || exit 0
			done
		done
	done
	exit 1
)
have_z3() { have gcc && echo '#include <z3.h>' | gcc -E -x c - >/dev/null 2>&1; }
have_m32() {
	out=$(mktemp) || exit 2
	echo 'int main(void) { return 0; }' | "$1" -m32 -x c -o "$out" - 2>/dev/null
	set -- $?
	rm -f "$out"
	return "$1"
}

with=""
if [ "${1-}" = -with ]; then
	[ $# -ge 2 ] || die "-with wants all, engines or harness"
	with=$2
	shift 2
fi
install="" setup="" z3=""
[ "${CI-}" != true ] || install=on
for goal; do
	case $goal in
	setup) install=on setup=on z3=on ;;
	test) install=on z3=on ;;
	fuzz) install=on ;;
	check) z3=on ;;
	esac
done
[ -n "$setup" ] || with="" # is what another goal is made with

want=""
have gcc || want="$want gcc libc6-dev"
any clang || want="$want clang"
[ -z "$z3" ] || have_z3 || want="$want libz3-dev"
case $with in
"") ;;
all)
	for p in gcc-11 gcc-12 clang-14 clang-16 clang-19; do
		have "$p" || want="$want $p"
	done
	# clang -m32 takes its 32-bit libraries from gcc.
	have_m32 gcc-12 || want="$want gcc-12-multilib"
	have dot || want="$want graphviz"
	any llc || want="$want llvm"
	# What reductions are checked and compared with, pages tried in, and programs
	# compared with, which include csmith's headers.
	for p in valgrind cvise chromium csmith tcc; do
		have "$p" || want="$want $p"
	done
	# Other compilers of Go, and tools for WebAssembly.
	have gccgo-12 || want="$want gccgo-12"
	have wasm-opt || want="$want binaryen"
	have wasm-interp || want="$want wabt"
	[ -e /usr/include/csmith/csmith.h ] || want="$want libcsmith-dev"
	;;
harness)
	have runtest || want="$want dejagnu"
	have jtreg || want="$want jtreg7"
	have spectest-interp || want="$want wabt"
	suite=${XDG_CACHE_HOME:-$HOME/.cache}/goreify/gcc-testsuite
	if [ -n "$setup" ] && [ ! -e "$suite/testsuite/lib/gcc-dg.exp" ]; then
		# The package depends on much that only a build needs.
		mkdir -p "$suite" && cd "$suite" && apt-get -qq download gcc-12-source && {
			dpkg-deb --fsys-tarfile gcc-12-source_*.deb | tar -xO --wildcards '*/gcc-12*.tar.xz' | xz -dc |
				tar -x --strip-components=2 --wildcards '*/gcc/testsuite/lib/*' '*/gcc/testsuite/config/*' '*/gcc/testsuite/gcc.dg/torture/dg-torture.exp'
			rm -f gcc-12-source_*.deb
		} || echo "setup: GCC's testsuite is not to be had here" >&2
		cd "$OLDPWD" || exit 2
	fi
	;;
engines) exec sh "$(dirname "$0")/engines.sh" ${ENGINES:-node-26.10.0 bun-1.4.5 wizer-11.0.3} ;;
*) die "there is nothing to set up that is called $with; there are all, engines and harness" ;;
esac
want=${want# }
if [ -z "$want" ]; then
	[ -z "$setup" ] || echo "setup: nothing is missing"
	exit 0
fi

# without ends the script where a part is missing.
without() {
	echo "setup: $*" >&2
	any gcc clang || { echo "setup: there is no C compiler here" >&2; exit 1; }
	exit 0
}
[ -n "$install" ] || without "missing here: $want (make setup installs it); going on without it"
sudo=""
if [ "$(id -u)" != 0 ]; then
	sudo="sudo -n"
	have sudo && $sudo true 2>/dev/null || sudo=none
fi
if ! have apt-get || [ "$sudo" = none ]; then
	without "missing here: $want (please install it: packages cannot be installed from here); going on without it"
fi
echo "setup: installing with apt-get: $want" >&2
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
apt() { $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y "$@" >"$log" 2>&1; }
apt update || true
failed=""
# All at once is quicker. A package that this release does not have must not cost the rest.
if ! apt install $want; then
	for p in $want; do
		apt install "$p" || failed="$failed $p"
	done
fi
[ -z "$failed" ] || without "could not install$failed ($(grep -m 1 '^E:' "$log" || tail -n 1 "$log")); going on without it"
