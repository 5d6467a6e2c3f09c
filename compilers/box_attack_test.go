package compilers

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

// attempts are lines of C that print their name if the kernel does something for them that a
// child must not have done. X makes a system call by its native number, I one of i386, as any
// program of amd64 can.
const attempts = `
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#define X(name, ...) do { errno = 0; if (syscall(__VA_ARGS__) != -1 || errno != EPERM && errno != ENOSYS && errno != EAFNOSUPPORT) printf("%s: %d\n", name, errno); } while (0)
static long i386(long n, long a, long b, long c) {
	long r = n;
#ifdef __x86_64__
	__asm__ volatile("int $0x80" : "+a"(r) : "b"(a), "c"(b), "d"(c) : "memory", "r8", "r9", "r10", "r11");
#endif
	return (int)r;
}
#define I(name, ...) do { long r = i386(__VA_ARGS__); if (r != -EPERM && r != -ENOSYS && r != -EAFNOSUPPORT) printf("i386 %s: %ld\n", name, r); } while (0)
int main(int argc, char **argv) {
	(void)argv;
	char buffer[256] = {0};
	static int families[] = {AF_NETLINK, AF_VSOCK, AF_PACKET, AF_ALG, AF_BLUETOOTH, AF_TIPC, AF_KEY, AF_XDP};
	for (unsigned i = 0; i < sizeof families / sizeof *families; i++) {
		X("socket", SYS_socket, families[i], SOCK_DGRAM, 0);
		X("socket", SYS_socket, families[i], SOCK_RAW, 0);
		X("socket", SYS_socket, families[i], SOCK_SEQPACKET, 0);
		X("socketpair", SYS_socketpair, families[i], SOCK_SEQPACKET, 0, buffer);
		I("socket", 359, families[i], SOCK_RAW, 0);
	}
	if (argc > 1) { // there is a network
		X("UDP", SYS_socket, AF_INET, SOCK_DGRAM, 0);
		X("UDP 6", SYS_socket, AF_INET6, SOCK_DGRAM, 0);
		X("TCP", SYS_socket, AF_INET, SOCK_STREAM, 0);
		X("raw", SYS_socket, AF_INET, SOCK_RAW, 1);
		I("UDP", 359, AF_INET, SOCK_DGRAM, 0);
		X("shmget", SYS_shmget, 0x676f7265, 1, 0600 | 01000);
		I("ipc", 117, 23, 0x676f7265, 1);
	}
	I("socketcall", 102, 1, 0, 0);
	int pid = fork();
	if (pid == 0) for (;;) pause();
	X("ptrace attach", SYS_ptrace, 16, pid, 0, 0);
	X("ptrace seize", SYS_ptrace, 0x4206, pid, 0, 0);
	I("ptrace attach", 26, 16, pid, 0);
	X("process_vm_readv", SYS_process_vm_readv, pid, buffer, 0, buffer, 0, 0);
	I("process_vm_readv", 347, pid, (long)0, 0);
	X("kcmp", SYS_kcmp, pid, pid, 0, 0, 0);
	kill(pid, SIGKILL);
	waitpid(pid, 0, 0);
	X("bpf", SYS_bpf, 5, buffer, 48);
	X("keyctl", SYS_keyctl, 0, -3, 1);
	X("add_key", SYS_add_key, "user", "x", "y", 1, -3);
	I("keyctl", 288, 0, -3, 1);
	X("perf_event_open", SYS_perf_event_open, buffer, 0, -1, -1, 0);
	X("userfaultfd", SYS_userfaultfd, 1);
	X("io_uring_setup", SYS_io_uring_setup, 1, buffer);
	I("io_uring_setup", 425, 1, 0, 0);
	X("unshare", SYS_unshare, CLONE_NEWUSER);
	X("unshare of files", SYS_unshare, CLONE_FILES);
	I("unshare", 310, CLONE_FILES, 0, 0);
	X("clone", SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
	I("clone", 120, CLONE_NEWUSER | SIGCHLD, 0, 0);
	X("clone3", SYS_clone3, buffer, 0);
	X("setns", SYS_setns, open("/proc/self/ns/uts", O_RDONLY), 0);
	X("mount", SYS_mount, "x", "/tmp", "tmpfs", 0, 0);
	X("umount", SYS_umount2, "/tmp", 2);
	I("umount", 22, 0, 0, 0);
	X("fsopen", SYS_fsopen, "tmpfs", 0);
	X("open_tree", SYS_open_tree, -100, "/", 1);
	X("open_by_handle_at", SYS_open_by_handle_at, -100, buffer, 0);
	X("finit_module", SYS_finit_module, 0, "", 0);
	X("reboot", SYS_reboot, 0, 0, 0, 0);
	X("swapon", SYS_swapon, "/x", 0);
	X("quotactl", SYS_quotactl, 0, 0, 0, 0);
	X("fanotify_init", SYS_fanotify_init, 0x200, 0);
	X("adjtimex", SYS_adjtimex, buffer);
	X("TIOCSTI", SYS_ioctl, 0, TIOCSTI, "x");
	X("TIOCSTI", SYS_ioctl, 0, TIOCSTI | 1UL << 32, "x");
#ifdef __x86_64__
	X("x32", 0x40000000 + SYS_getpid);
	X("modify_ldt", SYS_modify_ldt, 0, buffer, 16);
	X("iopl", SYS_iopl, 3);
#endif
	int fd[2];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) || socket(AF_UNIX, SOCK_STREAM, 0) < 0) puts("no sockets at all");
	if (system("exit 7") != 7 << 8) puts("no children");
	return 0;
}
`

// The kernel does nothing for a child that compilers have no use for, whichever ABI asks it.
func TestCallsOfChildren(t *testing.T) {
	gcc := need.Command(t, "gcc")
	if abis() == nil {
		need.Missing(t, "box", "no filter of system calls for %s", runtime.GOARCH)
	}
	source := filepath.Join(t.TempDir(), "attempts.c")
	require.NoError(t, os.WriteFile(source, []byte(attempts), 0o600))
	for _, wall := range walls(t) {
		t.Run(string(wall), func(t *testing.T) {
			ws := enclosed(t, wall)
			dir, err := ws.NewDir()
			require.NoError(t, err)
			program := filepath.Join(dir, "attempts")
			out, err := exec.CommandContext(t.Context(), gcc, "-w", source, "-o", program).CombinedOutput()
			require.NoError(t, err, "%s", out)
			var args []string
			if wall != Namespaces {
				args = append(args, "network")
			}
			e := Child{Space: ws, Path: program, Args: args, Dir: dir, Env: FixedEnv("", dir), Bounds: patient().Compile()}.Run(t.Context())
			require.NoError(t, e.Failure())
			assert.Empty(t, string(e.Stdout))
		})
	}
}

// Where root is behind Landlock, its children read no secret of /etc, and find their settings.
func TestSecretsBehindLandlock(t *testing.T) {
	for _, wall := range walls(t) {
		if wall != Landlock {
			continue
		}
		ws := enclosed(t, wall)
		e, _ := ws.shell(t, "cat /etc/shadow /etc/gshadow /etc/security/opasswd; ls /etc/ssl/private; test -f /etc/passwd && cat /etc/passwd | grep -c ^root:")
		assert.Equal(t, "1\n", string(e.Stdout))
	}
}
