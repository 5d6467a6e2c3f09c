package compilers

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Children of a box ask the kernel for what compilers and programs need, and for little else: a
// filter of seccomp(2) refuses the rest with an error. It is for native calls and, on amd64, for
// those of i386, which any program can make; those of other ABIs are refused altogether.

// A callABI has the numbers of system calls, as one kind of program makes them.
type callABI struct {
	arch    uint32   // as seccomp(2) tells of it
	refused []uint32 // for debuggers, containers and administrators, and against the kernel
	shared  []uint32 // reach what processes outside of the box share by key or name
	// clone3 has its flags in memory, and socketcall its arguments, where no filter sees them.
	ioctl, ptrace, clone, clone3, socket, socketpair, socketcall uint32
}

// none is the number of a call that an ABI does not have.
const none = math.MaxUint32

var native = callABI{
	refused: []uint32{
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG,
		unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_OPEN_BY_HANDLE_AT,
		unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
		unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD,
		unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_REBOOT, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
		unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
		unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SYSLOG, unix.SYS_VHANGUP,
	},
	shared: []uint32{unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SEMGET, unix.SYS_MSGGET, unix.SYS_MQ_OPEN},
	ioctl:  unix.SYS_IOCTL, ptrace: unix.SYS_PTRACE, clone: unix.SYS_CLONE, clone3: unix.SYS_CLONE3,
	socket: unix.SYS_SOCKET, socketpair: unix.SYS_SOCKETPAIR, socketcall: none,
}

// i386 has the same, in the same order, and calls of its own in the end: umount, stime, the two
// clocks with 64 bits, iopl, ioperm, modify_ldt, vm86old, vm86, uselib.
var i386 = callABI{
	arch: unix.AUDIT_ARCH_I386,
	refused: []uint32{
		21, 52, 217, 429, 428, 430, 431, 432, 433, 442, 310, 346, 342, 347, 348, 349, 438, 357, 336, 374, 338, 425, 426, 427, 288, 286, 287,
		128, 350, 129, 283, 87, 115, 88, 51, 131, 443, 79, 264, 343, 124, 74, 121, 103, 111, 22, 25, 404, 405, 110, 101, 123, 113, 166, 86,
	},
	shared: []uint32{395, 397, 393, 399, 277, 117}, // the last is ipc, which does all that
	ioctl:  54, ptrace: 26, clone: 120, clone3: 435, socket: 359, socketpair: 360, socketcall: 102,
}

// x32 is the first number of calls of an ABI that amd64 has besides, under the same arch.
const x32 = 1 << 30

// abis returns the ABIs that programs may use, or none where we do not know the numbers.
func abis() []callABI {
	here := native
	switch runtime.GOARCH {
	case "amd64":
		const uselib, modifyLDT, iopl, ioperm, kexecFileLoad = 134, 154, 172, 173, 320
		here.arch = unix.AUDIT_ARCH_X86_64
		here.refused = append(slices.Clone(native.refused), uselib, modifyLDT, iopl, ioperm, kexecFileLoad)
		return []callABI{here, i386}
	case "arm64":
		here.arch = unix.AUDIT_ARCH_AARCH64
		return []callABI{here}
	}
	return nil
}

// A filter is a program that decides on a system call.
type filter []unix.SockFilter

func (f *filter) add(code uint16, k uint32, yes, no uint8) {
	*f = append(*f, unix.SockFilter{Code: code, Jt: yes, Jf: no, K: k})
}

// load takes 32 bits of what seccomp(2) tells of a call: its number, its ABI, or the low half of
// an argument, of which the kernel takes no more where we look.
func (f *filter) load(offset uint32) { f.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset, 0, 0) }

const (
	numberOffset, archOffset = 0, 4
	argumentOffset           = 16 // 8 bytes each
)

// when runs what is put into it if the value that was loaded is one of some, and leaves
// the program then.
func (f *filter) when(value uint32, then func(f *filter)) {
	var body filter
	then(&body)
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, value, 0, uint8(len(body)))
	*f = append(*f, body...)
}

// refuseBits refuses a call if some bits of what was loaded are set.
func (f *filter) refuseBits(bits uint32) {
	f.add(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, bits, 0, 1)
	f.refuse(unix.EPERM)
}

func (f *filter) allow() { f.add(unix.BPF_RET, unix.SECCOMP_RET_ALLOW, 0, 0) }

func (f *filter) refuse(errno unix.Errno) {
	f.add(unix.BPF_RET, unix.SECCOMP_RET_ERRNO|uint32(errno), 0, 0)
}

// only allows a call with one of the values of an argument, and refuses it with others.
func only(argument uint32, errno unix.Errno, values ...uint32) func(f *filter) {
	return func(f *filter) {
		f.load(argumentOffset + 8*argument)
		for _, v := range values {
			f.when(v, (*filter).allow)
		}
		f.refuse(errno)
	}
}

// filterFor returns the filter of the children behind a wall.
func filterFor(wall Wall) (f filter) {
	families := []uint32{unix.AF_UNIX}
	if wall == Namespaces { // whose network has nothing in it
		families = append(families, unix.AF_INET, unix.AF_INET6)
	}
	f.load(archOffset)
	for _, a := range abis() {
		own := a.filter(wall, families)
		f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, a.arch, 1, 0)
		f.add(unix.BPF_JMP|unix.BPF_JA, uint32(len(own)), 0, 0)
		f = append(f, own...)
	}
	f.refuse(unix.ENOSYS)
	return f
}

// filter is filterFor the calls of an ABI.
func (a callABI) filter(wall Wall, families []uint32) (f filter) {
	f.load(numberOffset)
	if a.arch == unix.AUDIT_ARCH_X86_64 {
		f.add(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, x32, 0, 1)
		f.refuse(unix.ENOSYS)
	}
	f.when(a.clone3, func(f *filter) { f.refuse(unix.ENOSYS) }) // C libraries go on with clone
	f.when(a.clone, func(f *filter) {
		f.load(argumentOffset)
		f.refuseBits(namespaceFlags)
		f.allow()
	})
	f.when(a.ioctl, func(f *filter) { // which types into a terminal
		f.load(argumentOffset + 8)
		f.when(unix.TIOCSTI, func(f *filter) { f.refuse(unix.EPERM) })
		f.when(unix.TIOCLINUX, func(f *filter) { f.refuse(unix.EPERM) })
		f.allow()
	})
	// The box itself has children set going under ptrace, to give them limits: see release.
	f.when(a.ptrace, only(0, unix.EPERM, unix.PTRACE_TRACEME, unix.PTRACE_DETACH))
	f.when(a.socket, only(0, unix.EAFNOSUPPORT, families...))
	f.when(a.socketpair, only(0, unix.EAFNOSUPPORT, unix.AF_UNIX))
	if a.socketcall != none { // 1 and 8 are socket and socketpair, of any family
		f.when(a.socketcall, func(f *filter) {
			f.load(argumentOffset)
			f.when(1, func(f *filter) { f.refuse(unix.EAFNOSUPPORT) })
			f.when(8, func(f *filter) { f.refuse(unix.EAFNOSUPPORT) })
			f.allow()
		})
	}
	refused := a.refused
	if wall != Namespaces {
		refused = slices.Concat(refused, a.shared)
	}
	for _, number := range refused {
		f.when(number, func(f *filter) { f.refuse(unix.EPERM) })
	}
	f.allow()
	return f
}

// namespaceFlags are the flags of clone(2) that make namespaces.
const namespaceFlags = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// filterCalls has this thread, and all that it starts, make only the calls of children behind a
// wall. There are kernels and containers without filters: then children make all calls.
func filterCalls(wall Wall) error {
	if abis() == nil {
		return nil
	}
	f := filterFor(wall)
	program := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	// Without the flag, old kernels have children run slowly, to guard them from one another.
	for _, flags := range []uintptr{unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW, 0} {
		_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
		switch errno {
		case 0, unix.ENOSYS:
			return nil
		case unix.EINVAL:
			continue
		}
		return fmt.Errorf("filtering system calls: %w", errno)
	}
	return nil
}
