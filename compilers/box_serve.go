package compilers

import (
	"context"
	"encoding/gob"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A box is this very program, started once more with boxVar set: then nothing
// of it runs but what follows. It puts up its wall and, since capabilities and
// the like belong to threads, becomes a fresh process behind it.
func init() {
	text := os.Getenv(boxVar)
	if text == "" {
		return
	}
	runtime.LockOSThread()
	words := strings.Split(text, ":")
	wall, up := strings.CutPrefix(words[0], behind)
	conn, err := net.FileConn(os.NewFile(3, "box"))
	if err != nil {
		os.Exit(2)
	}
	send := gob.NewEncoder(conn)
	if !up {
		if err := putUp(Wall(wall), words[1], words[2:]); err != nil {
			_ = send.Encode(err.Error())
			os.Exit(2)
		}
		os.Exit(2) // not reached: putUp becomes what serves
	}
	if err := send.Encode(""); err != nil {
		os.Exit(2)
	}
	serve(Wall(wall), send, gob.NewDecoder(conn))
	os.Exit(0)
}

// behind marks a wall that is up.
const behind = "behind-"

// serve runs children until nobody asks any more. When whoever asked has gone,
// the child that runs goes, too.
func serve(wall Wall, send *gob.Encoder, recv *gob.Decoder) {
	ctx, cancel := context.WithCancel(context.Background())
	orders := make(chan order)
	go func() {
		defer close(orders)
		defer cancel()
		for {
			var o order
			if recv.Decode(&o) != nil {
				return
			}
			orders <- o
		}
	}()
	for o := range orders {
		e := o.child().Run(ctx)
		clear(wall)
		if send.Encode(e.report()) != nil {
			return
		}
	}
}

// clear kills what a child has left behind, whatever group it is in: whose parent
// has died is ours.
func clear(wall Wall) {
	for {
		if _, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); err == syscall.ECHILD {
			return // nearly always
		}
		if wall == Namespaces {
			// We are the first process of our namespace: all others but us.
			_ = syscall.Kill(-1, syscall.SIGKILL)
		} else {
			killChildren()
		}
		if _, err := syscall.Wait4(-1, nil, 0, nil); err == syscall.ECHILD {
			return
		}
	}
}

// killChildren kills the children of this process. Theirs come to us next.
func killChildren() {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		panic("compilers: bad glob pattern") // the only error of Glob
	}
	self := syscall.Getpid()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		if pid, parent, ok := parents(string(data)); ok && parent == self {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// parents reads a process and its parent out of a line of /proc/PID/stat.
func parents(line string) (pid, parent int, ok bool) {
	end := strings.LastIndexByte(line, ')')
	if end < 0 {
		return 0, 0, false
	}
	_, err := fmt.Sscanf(line, "%d", &pid)
	var state string
	_, err2 := fmt.Sscanf(line[end+1:], "%s %d", &state, &parent)
	return pid, parent, err == nil && err2 == nil
}

// putUp puts up the wall around this process, and becomes the server.
func putUp(wall Wall, workspace string, show []string) error {
	self, err := os.Open("/proc/self/exe")
	if err != nil {
		return err
	}
	switch wall {
	case Namespaces:
		err = mounts(workspace, show)
	case Landlock:
		err = landlockTo(workspace, show)
	}
	if err != nil {
		return err
	}
	if err := dropBounds(); err != nil {
		return err
	}
	if wall == Namespaces {
		if err := becomeNobody(); err != nil {
			return err
		}
	}
	if err := dropAll(); err != nil {
		return err
	}
	// The file may be hidden by now, so it is named by its descriptor.
	if _, err := unix.FcntlInt(self.Fd(), unix.F_SETFD, 0); err != nil {
		return err
	}
	if _, err := unix.FcntlInt(3, unix.F_SETFD, 0); err != nil {
		return err
	}
	env := []string{boxVar + "=" + behind + string(wall) + ":" + workspace}
	return syscall.Exec(fmt.Sprintf("/proc/self/fd/%d", self.Fd()), []string{"reify-box"}, env)
}

// hidden are the directories of which children see nothing.
var hidden = []string{"/home", "/root", "/tmp", "/var/tmp", "/run", "/mnt", "/media", "/srv", "/dev/shm", "/sys/fs/cgroup"}

// mounts makes the file system read-only but for the workspace, hides what is
// nobody's business, and shows the processes of this namespace alone.
func mounts(workspace string, show []string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	// What is to be seen below what is hidden is held by a descriptor.
	type held struct {
		fd   int
		path string
	}
	var keep []held
	for _, path := range append([]string{workspace}, show...) {
		fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if err != nil {
			return fmt.Errorf("opening %s: %w", path, err)
		}
		keep = append(keep, held{fd, path})
	}
	readonly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &readonly); err != nil {
		return fmt.Errorf("making / read-only: %w", err)
	}
	for _, dir := range hidden {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			continue
		}
		if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=64m,mode=1777"); err != nil {
			return fmt.Errorf("hiding %s: %w", dir, err)
		}
	}
	for i, k := range keep {
		if err := os.MkdirAll(k.path, 0o755); err != nil {
			return err
		}
		if err := unix.MoveMount(k.fd, "", unix.AT_FDCWD, k.path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return fmt.Errorf("showing %s: %w", k.path, err)
		}
		if i > 0 {
			if err := unix.MountSetattr(unix.AT_FDCWD, k.path, unix.AT_RECURSIVE, &readonly); err != nil {
				return fmt.Errorf("making %s read-only: %w", k.path, err)
			}
		}
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	return nil
}

// becomeNobody has this thread be the second user of the box, if there is one:
// we are root then, whose files children must not have.
func becomeNobody() error {
	ids, err := os.ReadFile("/proc/self/uid_map")
	if err != nil || strings.Count(string(ids), "\n") < 2 {
		return err
	}
	for _, call := range [][4]uintptr{{unix.SYS_SETGROUPS, 0, 0, 0}, {unix.SYS_SETRESGID, 1, 1, 1}, {unix.SYS_SETRESUID, 1, 1, 1}} {
		if _, _, errno := unix.RawSyscall(call[0], call[1], call[2], call[3]); errno != 0 {
			return fmt.Errorf("becoming nobody: %w", errno)
		}
	}
	return nil
}

// dropBounds gives up what setuid programs and root could ever get back. Where we
// have no say in that, there is nothing to give up.
func dropBounds() error {
	for c := 0; c <= unix.CAP_LAST_CAP; c++ {
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0)
	}
	const noRoot, noRootLocked = 1 << 0, 1 << 1
	_ = unix.Prctl(unix.PR_SET_SECUREBITS, noRoot|noRootLocked, 0, 0, 0)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	return nil
}

// dropAll gives up all capabilities of this thread, and has those come to us
// whose parents die.
func dropAll() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("dropping capabilities: %w", err)
	}
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}
