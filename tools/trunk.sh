#!/bin/sh
# trunk.sh DIR [cross|java]: makes a root directory of Debian sid with the compilers of
# today in DIR, or renews the one that is there. "cross" adds compilers for other
# processors, their C libraries and qemu, "java" versions of HotSpot. Nothing of the system outside is touched,
# but that it installs mmdebstrap where it may.
#
# DEBIAN_MIRROR names the archive, by default that of this machine.
set -eu

die() { echo "trunk: $*" >&2; exit 1; }

native="gcc-14 gcc-15 gcc-16 gcc-snapshot clang-23 libclang-rt-23-dev clang-24 libclang-rt-24-dev lld-24 llvm-24 llvm-24-tools libc6-dev"
cross="qemu-user libc6.1-dev-alpha-cross gcc-16-alpha-linux-gnu"
# The processors, as gcc and as the C library name them.
for names in aarch64-linux-gnu:arm64 arm-linux-gnueabihf:armhf riscv64-linux-gnu:riscv64 s390x-linux-gnu:s390x \
	powerpc64-linux-gnu:ppc64 powerpc64le-linux-gnu:ppc64el loongarch64-linux-gnu:loong64 mips64el-linux-gnuabi64:mips64el \
	sparc64-linux-gnu:sparc64 m68k-linux-gnu:m68k hppa-linux-gnu:hppa sh4-linux-gnu:sh4 i686-linux-gnu:i386; do
	cross="$cross gcc-16-${names%:*} libc6-dev-${names#*:}-cross"
done
java="openjdk-11-jre-headless openjdk-21-jre-headless openjdk-25-jre-headless openjdk-26-jre-headless openjdk-27-jre-headless openjdk-28-jre-headless openjdk-28-jre-zero"
want=$native
case ${2-} in
cross) want="$want $cross" ;;
java) want="$want $java" ;;
"") ;;
*) die "nothing is called $2: want cross or java, or neither" ;;
esac

have() { command -v "$1" >/dev/null 2>&1; }
[ -n "$1" ] || die "want the path of a directory: TRUNK is empty"
root=$(readlink -m "$1")
[ "$root" != / ] || die "$1 is this machine's own system"
if [ -e "$root" ] && [ ! -e "$root/etc/debian_version" ] && ! rmdir "$root" 2>/dev/null; then
	die "$root is there, and is no root directory of Debian: name another one in TRUNK"
fi
have apt-get || die "Debian's tools are missing here: it takes apt-get and mmdebstrap"
export DEBIAN_FRONTEND=noninteractive

mirror=${DEBIAN_MIRROR-}
[ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Identifier: Packages' | sed -n 's/^Debian //p' | grep -v security | head -n 1)
[ -n "$mirror" ] || die "this machine's packages are not Debian's: name an archive in DEBIAN_MIRROR"

# The snapshot of gcc under the name that its version will have.
snapshot=usr/lib/gcc-snapshot/bin/gcc
link='ln -sf ../../'$snapshot' "$1/usr/bin/gcc-$(chroot "$1" /'$snapshot' -dumpversion)"'

# Suites under development are signed for a week. A mirror may be older.
old='Acquire::Check-Valid-Until "false";'

if [ ! -e "$root/etc/debian_version" ]; then
	if ! have mmdebstrap; then
		[ "$(id -u)" = 0 ] || die "please install the package mmdebstrap"
		apt-get update -qq && apt-get install -y -qq mmdebstrap >/dev/null || die "the package mmdebstrap could not be installed"
	fi
	if [ "$(id -u)" != 0 ] && ! unshare -Ur true 2>/dev/null; then
		die "an ordinary user needs user namespaces for this, which the kernel denies: run it as root"
	fi
	mode=root
	if [ "$(id -u)" != 0 ]; then
		mode=unshare
		have newuidmap || die "an ordinary user needs newuidmap for this: please install the package uidmap, or run it as root"
		grep -q "^$(id -un):" /etc/subuid /etc/subgid || die "an ordinary user needs a range of users in /etc/subuid and /etc/subgid for this; or run it as root"
	fi
	mkdir -p "$(dirname "$root")"
	new=$root.new
	[ ! -e "$new" ] || die "$new is there: is another one at work? Remove it if not"
	trap 'rm -rf "$new" 2>/dev/null || unshare --map-auto -r rm -rf "$new"' EXIT
	echo "trunk: making $root" >&2
	mmdebstrap --quiet --mode=$mode --variant=apt --aptopt="$old" --aptopt='APT::Install-Recommends "false";' \
		--customize-hook="$link" --include="$(echo $want | tr ' ' ,)" sid "$new" "deb $mirror sid main" "deb $mirror experimental main" ||
		die "the packages could not be installed"
	mv "$new" "$root"
	trap - EXIT
else
	[ "$(id -u)" = 0 ] || die "only root can renew $root; removed (unshare --map-auto -r rm -rf), it is made anew"
	echo "trunk: renewing $root" >&2
	# In mounts of its own, that go with it.
	unshare -m sh -eu -c '
		mount -t proc proc "$1/proc"
		mount --bind /dev "$1/dev"
		r=$1; shift
		chroot "$r" apt-get update -qq
		chroot "$r" apt-get -qq -y --no-install-recommends dist-upgrade
		chroot "$r" apt-get -qq -y --no-install-recommends install "$@"
		chroot "$r" apt-get clean
	' trunk "$root" $want >/dev/null || die "$root could not be renewed"
	sh -euc "$link" trunk "$root"
fi

# inside runs a command in the root.
inside() {
	if [ "$(id -u)" = 0 ]; then chroot "$root" "$@"; else unshare -r chroot "$root" "$@"; fi
}
for cc in "$root"/usr/bin/gcc-[0-9]* "$root"/usr/bin/clang-[0-9]* "$root"/usr/bin/*-linux-*-gcc-[0-9]*; do
	case $cc in */x86_64-*) continue ;; esac
	[ ! -x "$cc" ] || inside "/usr/bin/${cc##*/}" --version | head -n 1
done
for java in "$root"/usr/lib/jvm/java-*-openjdk-*; do
	[ -L "$java" ] || [ ! -d "$java" ] || echo "${java##*/}"
done
du -shx "$root" | cut -f 1
