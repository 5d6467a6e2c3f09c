package hunt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/corpus"
)

// A breach is what the program of a stranger tries at a wall: C that is true if it
// succeeds. Then the program dies of SIGILL, and replay tells.
type breach struct {
	name string
	c    string
	// usual asks without a policy, so that the file must be refused; off asks without a box.
	landlock, usual, off bool
}

// tries begin the program of a breach.
const tries = `#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
long syscall(long, ...);
static int gets(int family, int type) { return socket(family, type, 0) >= 0; }
static int traces(void) {
	int pid = fork();
	if (pid == 0) for (;;) pause();
	int traced = syscall(SYS_ptrace, 16, pid, 0, 0) == 0;
	kill(pid, SIGKILL);
	return traced;
}
`

// breaches are those of TestFaults.
func breaches() (list []breach) {
	everywhere := []breach{
		{name: "AF_VSOCK", c: "gets(40, SOCK_STREAM) || gets(40, SOCK_DGRAM)"},
		{name: "AF_NETLINK", c: "gets(AF_NETLINK, SOCK_RAW)"},
		{name: "AF_PACKET and AF_ALG", c: "gets(17, SOCK_RAW) || gets(38, SOCK_SEQPACKET)"},
		{name: "ptrace", c: "traces()"},
		{name: "userfaultfd", c: "syscall(SYS_userfaultfd, 1) >= 0"},
		{name: "io_uring", c: `syscall(SYS_io_uring_setup, 1, (char[256]){0}) >= 0`},
		{name: "keyctl", c: `syscall(SYS_add_key, "user", "x", "y", 1, -3) >= 0`},
		{name: "unshare", c: "syscall(SYS_unshare, 0x400) == 0 || syscall(SYS_unshare, 0x10000000) == 0"},
		{name: "bpf", c: "syscall(SYS_bpf, 0, (int[32]){2, 4, 4, 1}, 48) >= 0"},
		{name: "mount", c: `syscall(SYS_mount, "x", "/tmp", "tmpfs", 0, 0) == 0 || syscall(SYS_fsopen, "tmpfs", 0) >= 0`},
	}
	for _, b := range everywhere {
		list = append(list, breach{name: b.name + " in a box", c: b.c}, breach{name: b.name + " behind Landlock", c: b.c, landlock: true})
	}
	return append(list,
		breach{name: "a directory called corpus, behind Landlock", c: "1", landlock: true, usual: true},
		breach{name: "UDP behind Landlock", c: "gets(AF_INET, SOCK_DGRAM) || gets(AF_INET6, SOCK_DGRAM)", landlock: true},
		breach{name: "TCP behind Landlock", c: "gets(AF_INET, SOCK_STREAM)", landlock: true},
		breach{name: "the passwords behind Landlock", c: `open("/etc/shadow", O_RDONLY) >= 0`, landlock: true},
		breach{name: "the passwords in a box", c: `open("/etc/shadow", O_RDONLY) >= 0`},
		breach{name: "time without a box", c: `({ for (;;); 0; })`, off: true},
		breach{name: "output without a box", c: `({ for (;;) write(1, tries, sizeof tries); 0; })`, off: true},
		breach{name: "a disk without a box", c: `({ int n = 0; for (char name[] = "aaaa";; name[n++ % 4]++) { int fd = creat(name, 0600); for (int i = 0; i < 100; i++) write(fd, tries, sizeof tries); close(fd); } 0; })`, off: true},
	)
}

// try replays a file of a stranger beside one of ours, as root if the test is.
func (b breach) try(t *testing.T, bin string) (toll, []string) {
	tr := newTrial(t, bin, fault{})
	tr.landlock = b.landlock
	dir := filepath.Join(tr.root, "hunt", "corpus")
	require.NoError(t, os.Mkdir(dir, 0o755))
	const name = "crash-gcc-12-Os-b7b90d33.txtar"
	ours, err := os.ReadFile(filepath.Join("..", "..", "..", "corpus", name))
	require.NoError(t, err)
	e, err := corpus.Parse(name, ours)
	require.NoError(t, err)
	good := filepath.Join(dir, "good.txtar")
	require.NoError(t, os.WriteFile(good, ours, 0o644))
	const main = "-- repro.c --\n"
	bad := strings.Replace(string(e.Format()), main, main+tries+"static const char tries[4096] = {1};\n__attribute__((constructor)) static void breach(void) { if ("+b.c+") __builtin_trap(); }\n", 1)
	var kept []string
	for line := range strings.Lines(bad) {
		if !strings.HasPrefix(line, "digest:") {
			kept = append(kept, line)
		}
	}
	file := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(kept, "")), 0o644))

	env := []string{"REIFY_CC=gcc", "REIFY_MODES=-O0", "REIFY_BOX=auto"}
	switch {
	case b.usual:
		env[2] = "REIFY_BOX="
	case b.off:
		env[2] = "REIFY_BOX=off"
	}
	status, said := tr.with(mostOfHostile, env, "replay", "-v", file)
	switch {
	case b.usual && (status != 2 || !strings.Contains(said, "programs of strangers")):
		tr.complain("replay: status %d, want a refusal: %s", status, said)
	case status < 0 || !b.usual && !strings.Contains(said, ": gcc -O0: "):
		tr.complain("replay: status %d: %s", status, said)
	}
	if strings.Contains(said, "SIGILL") || strings.Contains(said, "signal 4") || b.usual && status != 2 {
		tr.complain("it succeeds: %s", said)
		tr.count.escaped++
	}
	if status, said := tr.with(mostOfHostile, env, "replay", good); status == 2 {
		tr.complain("our own beside it: %s", said)
	}
	tr.end()
	tr.left()
	return tr.count, tr.complaints
}
