package compilers

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A box is this very program, started once more with boxVar set: then only the following
// of it runs. It puts up its wall and, since capabilities and the like belong to threads,
// becomes a fresh process behind it.
func init() {
	text := os.Getenv(boxVar)
	if text == "" {
		return
	}
	runtime.LockOSThread()
	wall, up := strings.CutPrefix(text, behind)
	conn, err := net.FileConn(os.NewFile(3, "box"))
	if err != nil {
		os.Exit(2)
	}
	send := gob.NewEncoder(conn)
	if !up {
		err := putUp(Wall(wall), os.Args[1], os.Args[2:]) // which becomes what serves
		_ = send.Encode(err.Error())
		os.Exit(2)
	}
	boxed = true
	// Children may send us signals, and are to come to nothing with them. Those that
	// are caught, unlike those that are ignored, are as usual in children.
	signal.Notify(make(chan os.Signal, 1))
	if err := seal(); err != nil {
		_ = send.Encode(err.Error())
		os.Exit(2)
	}
	if err := send.Encode(""); err != nil {
		os.Exit(2)
	}
	serve(Wall(wall), send, gob.NewDecoder(conn))
	os.Exit(0)
}

// boxed tells that this process is a box.
var boxed bool

// seal keeps this process, which is of the same user as its children, from them:
// they inherit no capability and no descriptor, neither the one by which we answer nor any that our
// parents have left open, and see none in /proc; nor can they trace us.
func seal() error {
	if err := SealDescriptors(); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("sealing the box: %w", err)
	}
	// Of this thread alone, which is the one that starts them.
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var caps [2]unix.CapUserData
	if err := unix.Capget(&header, &caps[0]); err != nil {
		return fmt.Errorf("sealing the box: %w", err)
	}
	caps[0].Inheritable = 0
	if err := unix.Capset(&header, &caps[0]); err != nil {
		return fmt.Errorf("sealing the box: %w", err)
	}
	return nil
}

// behind marks a wall that is up.
const behind = "behind-"

// serve runs children until the other end of the connection is closed. Then the child
// that runs is ended, and all that it has started, in other sessions, too.
func serve(wall Wall, send *gob.Encoder, recv *gob.Decoder) {
	orders := make(chan order)
	go func() {
		for {
			var o order
			if recv.Decode(&o) != nil {
				clear(wall)
				os.Exit(0)
			}
			orders <- o
		}
	}()
	for o := range orders {
		e := o.child().Run(context.Background())
		clear(wall)
		if wall == Namespaces {
			left, _ := os.ReadDir(shm) // of what cannot be read nothing is left
			for _, entry := range left {
				_ = removeAll(filepath.Join(shm, entry.Name()))
			}
		}
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
			// We are the first process of our namespace: this reaches all the others.
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
	self := syscall.Getpid()
	for line := range stats {
		if pid, parent, ok := parents(line); ok && parent == self {
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
	// If memory runs out, the kernel is to end the processes of the box, and no other:
	// limits are by process. Where that cannot be said, it chooses as always.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	switch wall {
	case Namespaces:
		err = mounts(workspace, show)
	case Landlock:
		err = landlockTo(workspace, show)
	}
	if err != nil {
		return err
	}
	// Children have no use for the keys of the user's session. Where the kernel has no
	// keys, or forbids them, there are none to be had.
	_, _ = unix.KeyctlJoinSessionKeyring("")
	if err := dropBounds(); err != nil {
		return err
	}
	if wall == Namespaces {
		if err := becomeNobody(); err != nil {
			return err
		}
	}
	if err := dropAll(wall); err != nil {
		return err
	}
	if err := filterCalls(wall); err != nil {
		return err
	}
	// The file may be hidden by now, so it is named by its descriptor.
	if _, err := unix.FcntlInt(self.Fd(), unix.F_SETFD, 0); err != nil {
		return err
	}
	if _, err := unix.FcntlInt(3, unix.F_SETFD, 0); err != nil {
		return err
	}
	env := []string{boxVar + "=" + behind + string(wall)}
	return syscall.Exec(fmt.Sprintf("/proc/self/fd/%d", self.Fd()), []string{"reify-box"}, env)
}

// visible are the directories that compilers and programs need. Of all others that
// stand in /, children see nothing.
var visible = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu"}

// shm is where shared memory and semaphores are. Children may have some.
const shm = "/dev/shm"

// system are the kernel's directories, hiddenSystem those of them that are hidden.
var (
	system       = []string{"/proc", "/sys", "/dev"}
	hiddenSystem = []string{shm, "/dev/pts", "/dev/mqueue", "/sys/fs/cgroup"}
)

// hides tells whether namespaces hide a path.
func hides(path string) bool {
	below := func(dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
	if slices.ContainsFunc(hiddenSystem, below) {
		return true
	}
	return !slices.ContainsFunc(visible, below) && !slices.ContainsFunc(system, below)
}

// hidden returns the directories to be hidden.
func hidden() ([]string, error) {
	entries, err := os.ReadDir("/")
	if err != nil {
		return nil, err
	}
	dirs := slices.Clone(hiddenSystem)
	for _, entry := range entries {
		if path := "/" + entry.Name(); entry.IsDir() && hides(path) {
			dirs = append(dirs, path)
		}
	}
	return slices.DeleteFunc(dirs, func(dir string) bool {
		info, err := os.Lstat(dir)
		return err != nil || !info.IsDir()
	}), nil
}

// mounts makes the file system read-only except for the workspace, hides what compilers
// have no use for, and shows the processes of this namespace alone.
func mounts(workspace string, show []string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	// A descriptor holds each directory that is to be seen below a hidden one.
	type held struct {
		fd   int
		path string
		root bool
	}
	var keep []held
	for i, path := range append([]string{workspace}, show...) {
		path, root := strings.CutPrefix(path, RootMark)
		fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if i > 0 && errors.Is(err, fs.ErrNotExist) {
			continue // a compiler was removed: other children have no part in it
		}
		if err != nil {
			return fmt.Errorf("opening %s: %w", path, err)
		}
		keep = append(keep, held{fd, path, root})
	}
	readonly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &readonly); err != nil {
		return fmt.Errorf("making / read-only: %w", err)
	}
	hide, err := hidden()
	if err != nil {
		return err
	}
	for _, dir := range hide {
		mode := "755"
		if dir == shm {
			mode = "777"
		}
		if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=1m,mode="+mode); err != nil {
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
	// Children share nothing through what is hidden, and hoard nothing there.
	for _, dir := range hide {
		if dir == shm {
			continue // see serve
		}
		if err := unix.MountSetattr(unix.AT_FDCWD, dir, 0, &readonly); err != nil {
			return fmt.Errorf("making %s read-only: %w", dir, err)
		}
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	// In a user namespace of its own a child would have all capabilities again.
	if err := os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0); err != nil {
		return fmt.Errorf("forbidding further namespaces: %w", err)
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/proc", 0, &readonly); err != nil {
		return fmt.Errorf("making /proc read-only: %w", err)
	}
	for _, k := range keep {
		if !k.root {
			continue
		}
		if err := furnish(k.path, workspace); err != nil {
			return fmt.Errorf("root directory %s: %w", k.path, err)
		}
	}
	return nil
}

// furnish gives a root directory, which is read-only by now, the workspace, /proc
// and /dev. The directory at its top that the workspace is in is empty else.
func furnish(root, workspace string) error {
	first, _, _ := strings.Cut(workspace[1:], "/")
	top := filepath.Join(root, first)
	if err := unix.Mount("tmpfs", top, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=1m,mode=755"); err != nil {
		return fmt.Errorf("it has no /%s for the workspace %s: %w", first, workspace, err)
	}
	if err := os.MkdirAll(filepath.Join(root, workspace), 0o755); err != nil {
		return err
	}
	for _, dir := range []string{workspace, "/proc", "/dev"} {
		if err := unix.Mount(dir, filepath.Join(root, dir), "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("showing %s: %w", dir, err)
		}
	}
	readonly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, top, 0, &readonly); err != nil {
		return fmt.Errorf("making /%s read-only: %w", first, err)
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
	if err := unix.Prctl(unix.PR_SET_KEEPCAPS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("keeping capabilities: %w", err)
	}
	for _, call := range [][4]uintptr{{unix.SYS_SETGROUPS, 0, 0, 0}, {unix.SYS_SETRESGID, 1, 1, 1}, {unix.SYS_SETRESUID, 1, 1, 1}} {
		if _, _, errno := unix.RawSyscall(call[0], call[1], call[2], call[3]); errno != 0 {
			return fmt.Errorf("becoming the user nobody: %w", errno)
		}
	}
	return nil
}

// dropBounds gives up what setuid programs and root could ever get back. Where we
// have no say in that, there is nothing to give up.
func dropBounds() error {
	// A capability that is to be kept, see dropAll, must be among the inherited ones
	// before.
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var caps [2]unix.CapUserData
	if unix.Capget(&header, &caps[0]) == nil && caps[0].Permitted&chroot != 0 {
		caps[0].Inheritable |= chroot
		if err := unix.Capset(&header, &caps[0]); err != nil {
			return fmt.Errorf("keeping the right to change roots: %w", err)
		}
	}
	for c := range unix.CAP_LAST_CAP + 1 {
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0)
	}
	const noRoot, noRootLocked = 1 << 0, 1 << 1
	_ = unix.Prctl(unix.PR_SET_SECUREBITS, noRoot|noRootLocked, 0, 0, 0)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	return nil
}

// chroot is the capability to put children into root directories.
const chroot = 1 << unix.CAP_SYS_CHROOT

// dropAll gives up all capabilities of this thread, behind namespaces all except chroot,
// and has the kernel give us the children of processes that die. Children get none: the
// box takes it out of what they inherit.
func dropAll(wall Wall) error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var caps [2]unix.CapUserData
	if wall == Namespaces {
		caps[0] = unix.CapUserData{Effective: chroot, Permitted: chroot, Inheritable: chroot}
	}
	if err := unix.Capset(&header, &caps[0]); err != nil {
		return fmt.Errorf("dropping capabilities: %w", err)
	}
	if wall == Namespaces {
		if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, unix.CAP_SYS_CHROOT, 0, 0); err != nil {
			return fmt.Errorf("keeping the right to change roots: %w", err)
		}
	}
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}
