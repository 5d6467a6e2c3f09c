#!/bin/sh
# Installs what goreify needs and this machine lacks: a C compiler or two and
# libz3. Where it may not install, it says what is missing and lets the caller
# go on with what is there. "setup.sh all" adds the older and newer compilers
# that Debian has, what they need for -m32, and the tools that ours are compared
# and checked with. What it installs without "all" is required in .ci/run.
set -u

have() { command -v "$1" >/dev/null 2>&1; }
have_m32() { echo 'int main(void) { return 0; }' | "$1" -m32 -x c -o /dev/null - 2>/dev/null; }
have_z3() { echo '#include <z3.h>' | gcc -E -x c - >/dev/null 2>&1; }

want=""
have gcc || want="$want gcc libc6-dev"
have clang || ls /usr/bin/clang-[0-9]* >/dev/null 2>&1 || want="$want clang"
have_z3 || want="$want libz3-dev"
if [ "${1-}" = all ]; then
	for p in gcc-11 gcc-12 clang-14 clang-16 clang-19; do
		have "$p" || want="$want $p"
	done
	# clang -m32 takes its 32-bit libraries from gcc.
	have_m32 gcc-12 || want="$want gcc-12-multilib"
	have dot || want="$want graphviz"
	# What reductions are checked and compared with, pages tried in, and programs
	# compared with, which include csmith's headers.
	for p in valgrind cvise chromium csmith; do
		have "$p" || want="$want $p"
	done
	# Other compilers of Go, and engines of WebAssembly.
	have gccgo-12 || want="$want gccgo-12"
	have wasm-opt || want="$want binaryen"
	have wasm-interp || want="$want wabt"
	[ -e /usr/include/csmith/csmith.h ] || want="$want libcsmith-dev"
fi
[ -n "$want" ] || exit 0

sudo=""
if [ "$(id -u)" != 0 ]; then
	sudo="sudo -n"
	have sudo && sudo -n true 2>/dev/null || sudo=none
fi
if ! have apt-get || [ "$sudo" = none ]; then
	echo "setup: cannot install packages here; please install:$want" >&2
	have gcc || exit 1
	exit 0
fi
echo "setup: installing$want" >&2
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq || echo "setup: apt-get update failed" >&2
# One by one: a package that this release does not have must not cost the rest.
for p in $want; do
	$sudo apt-get install -y -qq "$p" >/dev/null || echo "setup: could not install $p; going on without it" >&2
done
have gcc || { echo "setup: there is no gcc" >&2; exit 1; }
