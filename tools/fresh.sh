#!/bin/sh
# fresh.sh [-c COMMAND]... [CASE...]: runs the two commands of the README on fresh
# machines, by default on all. A fresh machine is a root directory of Debian 12 with
# gcc, make and Go, and a clone of the current commit. "fresh.sh -cases" lists the
# cases. It prints a line for each command; the output goes to out/fresh. It exits 1
# if a command failed. -c runs another command in place of these.
#
# A machine is entered by pivot_root and may use user namespaces. A container is
# entered by chroot, has the capabilities that containers have by default, no git,
# and no namespaces. Offline there is no network but lo.
#
# The roots are made once and kept in the user's cache. Go comes from this machine,
# and so do modules, as a proxy of files: each case has a module cache and a build
# cache of its own, which are empty in the beginning.
#
# DEBIAN_MIRROR names the archive, by default that of this machine.
set -eu

# name, root, kind, user, network, commands
cases="machine-root base machine root online both
machine-root-offline base machine root offline both
machine-user base machine user online both
container-root base container root online both
container-root-offline base container root offline both
container-user base container user online both
gcc-clang gcc-clang machine user offline test
gcc-bare-clang gcc-bare-clang machine user offline test
clang-only clang machine user offline test
gcc-11-only gcc-11 machine user offline test"

die() { echo "fresh: $*" >&2; exit 2; }
have() { command -v "$1" >/dev/null 2>&1; }

# packages prints what a root has. What all have is what every Debian has but mmdebstrap leaves out.
packages() {
	common="make,git,ca-certificates,libc6-dev,mount"
	case $1 in
	base) echo "$common,gcc" ;;
	gcc-clang) echo "$common,gcc,clang,libclang-rt-14-dev" ;; # no 32-bit libraries of gcc's
	gcc-bare-clang) echo "$common,gcc,clang" ;; # clang has no sanitizers
	clang) echo "$common,clang" ;;
	gcc-11) echo "$common,gcc-11" ;;
	esac
}

# inside is the first process in namespaces of its own, which end with it. It lays the
# layers over a root, makes that usable, enters it and runs the command.
inside() {
	lower=$1 layers=$2 goroot=$3 modules=$4 kind=$5 who=$6 command=$7
	root=$layers/root
	if [ -e "$layers/copied" ] || ! mount -t overlay -o "lowerdir=$lower,upperdir=$layers/upper,workdir=$layers/work" overlay "$root" 2>/dev/null; then
		if [ ! -e "$layers/copied" ]; then
			cp -a "$lower/." "$root"
			cp -a "$layers/upper/." "$root"
			touch "$layers/copied"
		fi
		mount --bind "$root" "$root"
	fi
	mount --bind "$goroot" "$root/usr/local/go"
	mount -o remount,bind,ro "$root/usr/local/go"
	mount --bind "$modules" "$root/mnt/modules"
	mount -o remount,bind,ro "$root/mnt/modules"
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	mount -t proc proc "$root/proc"
	mount -t sysfs -o ro sysfs "$root/sys" 2>/dev/null || mount --rbind /sys "$root/sys"
	mount -t tmpfs -o mode=755 dev "$root/dev"
	(
		cd "$root/dev"
		umask 0
		mknod null c 1 3; mknod zero c 1 5; mknod full c 1 7; mknod random c 1 8; mknod urandom c 1 9; mknod tty c 5 0
		mkdir -m 1777 shm
		mkdir -m 755 pts
		ln -s /proc/self/fd fd; ln -s fd/0 stdin; ln -s fd/1 stdout; ln -s fd/2 stderr
		mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts pts
		ln -s pts/ptmx ptmx
	)
	ip link set lo up 2>/dev/null || true
	home=/root
	[ "$who" = root ] || home=/home/$who
	cd "$root"
	enter="" at=""
	if [ "$kind" = machine ]; then
		mkdir -p old
		pivot_root . old
		umount -l old
		rmdir old
		cd /
	else
		rm -f "$root/usr/bin/git"
		at=$root enter="chroot $root"
		caps=-all
		for c in chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw sys_chroot mknod audit_write setfcap; do
			caps=$caps,+$c
		done
		enter="$enter setpriv --bounding-set $caps --inh-caps -all"
	fi
	[ "$who" = root ] || enter="$enter setpriv --reuid $who --regid $who --init-groups"
	set -- env -i HOME="$home" USER="$who" LOGNAME="$who" SHELL=/bin/sh TERM=dumb \
		PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
	[ "$who" = root ] || set -- "$@" PATH=/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin
	for v in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY GOPROXY; do
		eval "value=\${$v-}"
		[ -z "$value" ] || set -- "$@" "$v=$value"
	done
	allowed=denied
	$enter unshare --user true 2>/dev/null && allowed=allowed
	case $kind-$allowed in
	machine-denied) die "a machine needs user namespaces, which are denied here" ;;
	container-allowed) die "user namespaces are allowed in the container, and should not be" ;;
	esac
	status=0
	$enter "$@" sh -c 'cd && cd goreify && eval "$1"' sh "$command" || status=$?
	[ -c "$at/dev/null" ] || { echo "fresh: /dev/null is no device any more" >&2; status=1; }
	exit "$status"
}
if [ "${1-}" = -inside ]; then
	shift
	inside "$@"
fi

# In braces, for it is read whole before it runs: the file may change meanwhile.
{
commands=""
while [ $# -gt 0 ]; do
	case $1 in
	-cases) echo "$cases" | cut -d ' ' -f 1; exit 0 ;;
	-c)
		[ -n "${2-}" ] || die "-c wants a command"
		commands="$commands$2
"
		shift 2
		;;
	-*) die "there is no flag $1; there are -cases and -c COMMAND" ;;
	*) break ;;
	esac
done
[ $# != 0 ] || set -- $(echo "$cases" | cut -d ' ' -f 1)
for name; do
	echo "$cases" | grep -q "^$name " || die "there is no case $name; there are" $(echo "$cases" | cut -d ' ' -f 1)
done
have go || die "there is no go on PATH, which the machines get from this one"
[ "$(id -u)" = 0 ] || die "this takes root: it mounts file systems and makes users"
have unshare && have pivot_root && have setpriv || die "unshare, pivot_root and setpriv are missing: please install util-linux"

self=$(readlink -f "$0")
top=$(cd "$(dirname "$self")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/goreify/fresh
goroot=$(go env GOROOT)
modules=$(go env GOMODCACHE)/cache/download
out=$top/out/fresh
mkdir -p "$cache" "$out"

child="" work=""
children() { cat "/proc/$1/task/$1/children" 2>/dev/null; }
# clean ends what runs, and removes what is left. No mount is seen outside.
clean() {
	trap '' INT TERM HUP
	if [ -n "$child" ]; then
		# The first process in the namespaces is a child of unshare, which is one of $child.
		unshare=$(children "$child") || true
		[ -z "$unshare" ] || kill -KILL $(children $unshare || echo $unshare) 2>/dev/null || true
		wait "$child" 2>/dev/null || true
	fi
	[ -z "$work" ] || rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# enclosed runs unshare with the given arguments, in mounts and processes of its own, and
# sets status, seconds and cpu.
enclosed() {
	begin=$(date +%s)
	(
		trap - EXIT INT TERM HUP
		status=0
		unshare --mount --propagation private --pid --ipc --fork --kill-child "$@" || status=$?
		echo "$status" >"$work/status"
		times >"$work/times"
	) </dev/null &
	child=$!
	wait "$child" || true
	child=""
	status=$(cat "$work/status")
	seconds=$(($(date +%s) - begin))
	# The second line has user and system time of children, as 1m2.5s.
	cpu=$(sed -n '2s/[ms]/ /gp' "$work/times" | awk '{ printf "%d", 60 * ($1 + $3) + $2 + $4 }')
}

# base makes the root of a name, if it is not there.
base() {
	root=$cache/$1
	if [ -e "$root/etc/debian_version" ]; then
		return
	fi
	if ! have mmdebstrap; then
		have apt-get || die "Debian's tools are missing here: it takes apt-get and mmdebstrap"
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq mmdebstrap >/dev/null || die "the package mmdebstrap could not be installed"
	fi
	mirror=${DEBIAN_MIRROR-}
	[ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Identifier: Packages' | sed -n 's/^Debian //p' | grep -v security | head -n 1)
	[ -n "$mirror" ] || die "this machine's packages are not Debian's: name an archive in DEBIAN_MIRROR"
	echo "fresh: making $root" >&2
	work=$(mktemp -d "$cache/new.XXXXXX")
	# How this machine reaches the archive is how the new one does.
	apt-config dump --format '%F "%v";%n' Acquire::http Acquire::https Acquire::Check-Valid-Until Acquire::Check-Date >"$work/apt.conf"
	enclosed --mount-proc mmdebstrap --quiet --mode=root --variant=apt --aptopt="$work/apt.conf" --aptopt='APT::Install-Recommends "false";' \
		--customize-hook='cp "'"$work"'/apt.conf" "$1/etc/apt/apt.conf.d/99fresh"' \
		--customize-hook='cp -L /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/ca-certificates.crt"' \
		--customize-hook='chroot "$1" useradd -m -s /bin/sh user' \
		--customize-hook='rm -rf "$1"/var/cache/apt/*.bin "$1"/etc/apt/apt.conf.d/99mmdebstrap; mkdir -p "$1/usr/local/go" "$1/mnt/modules"' \
		--include="$(packages "$1")" bookworm "$work/root" "deb $mirror bookworm main"
	[ "$status" = 0 ] || die "$root could not be made"
	chmod 755 "$work/root"
	mv "$work/root" "$root"
	rm -rf "$work"
	work=""
}

# run runs a command in a root that is laid out in $work.
run() {
	lower=$1 kind=$2 who=$3 network=$4 command=$5 log=$6
	export GOPROXY="file:///mnt/modules,$proxy" net=""
	[ "$network" = online ] || export GOPROXY=file:///mnt/modules net=--net
	enclosed $net sh "$self" -inside "$lower" "$work" "$goroot" "$modules" "$kind" "$who" "$command" >"$log" 2>&1
}

(cd "$top" && go mod download)
proxy=$(go env GOPROXY)
failed=0
for name; do
	set -- $(echo "$cases" | grep "^$name ")
	shift
	lower=$cache/$1 kind=$2 who=$3 network=$4 list=$5
	base "$1"
	work=$(mktemp -d "$cache/run.XXXXXX")
	mkdir -m 755 "$work/root" "$work/upper" "$work/work"
	home=$work/upper/root
	if [ "$who" = root ]; then
		mkdir -m 700 "$home"
	else
		home=$work/upper/home/$who
		mkdir -m 755 "$work/upper/home"
		mkdir -m 700 "$home"
	fi
	git clone -q --no-hardlinks "$top" "$home/goreify"
	[ "$who" = root ] || chown -R --reference "$lower/home/$who" "$home"
	do=$commands
	if [ -z "$do" ]; then
		[ "$list" = test ] || do="make fuzz
"
		do="${do}make test
"
	fi
	while [ -n "$do" ]; do
		command=${do%%
*}
		do=${do#*
}
		log=$out/$name-$(echo "$command" | tr -cs 'A-Za-z0-9\n' - | cut -c -40).log
		run "$lower" "$kind" "$who" "$network" "$command" "$log"
		said=passed
		if grep -q '^FOUND:' "$log"; then # which is what make fuzz is for
			said="passed, and found a bug"
		elif [ "$status" != 0 ]; then
			said="FAILED ($status), see ${log#"$top/"}" failed=1
		fi
		# The files of tests that say so.
		untested=$(sed -n 's/^ *\([A-Za-z0-9_]*\)_test\.go:[0-9]*: NOT TESTED.*/\1/p' "$log" | sort | uniq -c | awk '{ printf " %s:%d", $2, $1 }')
		printf '%-22s %-10s %4d s %5d s of CPU  %s%s\n' "$name" "$command" "$seconds" "$cpu" "$said" "${untested:+; NOT TESTED in$untested}"
	done
	rm -rf "$work"
	work=""
done
exit "$failed"
}
