package compilers

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// boxes are the helper processes of a workspace that run children behind a wall.
// Each runs one child at a time, and kills all that is left of it before the
// next: so few boxes live long, and a child costs no box of its own.
type boxes struct {
	wall Wall
	dir  string // of the workspace, the only one that children can write to
	// show are directories to be seen although they are hidden by the wall, and
	// roots, after RootMark.
	show []string

	mu   sync.Mutex
	idle []*box
	busy map[*box]bool
}

// A box is a helper process.
type box struct {
	wall Wall
	cmd  *exec.Cmd
	conn net.Conn
	send *gob.Encoder
	recv *gob.Decoder

	shows int           // how many of the directories to be seen there were
	spent time.Duration // CPU time of its children
}

// Enclose has all children of the workspace run in boxes, as far as the policy asks for
// that and the kernel allows it. It returns the wall that keeps them in, and the reason
// why no better one does. Only the system's directories are seen by children, and those
// of Show. The error says why there is no box, if there must be one.
func (w *Workspace) Enclose(ctx context.Context, p BoxPolicy) (wall Wall, reason, err error) {
	if p == BoxOff {
		return NoWall, nil, nil
	}
	for _, wall := range []Wall{Namespaces, Landlock, NoWall} {
		problem := w.enclose(ctx, wall)
		if problem == nil {
			if p == BoxUsual && wall != Namespaces {
				w.refusal = errStrangers(wall)
			}
			return wall, reason, nil
		}
		reason = errors.Join(reason, fmt.Errorf("%s: %w", wall, problem))
		if p == BoxRequire {
			return NoWall, reason, fmt.Errorf("no box for compilers and programs: %w", reason)
		}
	}
	return NoWall, reason, nil
}

// enclose is Enclose with a certain wall.
func (w *Workspace) enclose(ctx context.Context, wall Wall) error {
	b := &boxes{wall: wall, dir: w.dir, show: []string{w.fixed}, busy: map[*box]bool{}}
	if wall == Namespaces && os.Getuid() == 0 {
		// Their user, called nobody, must reach the directories of children.
		if err := os.Chmod(w.dir, 0o711); err != nil {
			return err
		}
	}
	dir, err := w.NewDir()
	if err != nil {
		return err
	}
	defer w.Remove(dir)
	c := Child{Path: "/bin/true", Dir: dir, Env: FixedEnv("", dir), Bounds: DefaultLimits().Compile()}
	if err := b.run(ctx, c).Failure(); err != nil {
		b.close()
		return err
	}
	w.boxes = b
	return nil
}

// Show has children that start from now on see directories, of compilers, that a
// box would hide. It may be called of no workspace.
func (w *Workspace) Show(dirs ...string) {
	if w == nil || w.boxes == nil {
		return
	}
	w.boxes.add(dirs...)
}

func (b *boxes) add(dirs ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := len(b.show)
	for _, dir := range dirs {
		if !slices.Contains(b.show, dir) {
			b.show = append(b.show, dir)
		}
	}
	if len(b.show) == before {
		return
	}
	for _, one := range b.idle {
		one.close()
	}
	b.idle = nil
}

// Dirs returns the directories of a compiler's installation that a box would hide, given
// the path of its executable: those that it needs, and none beside them.
func Dirs(executable string) []string {
	var dirs []string
	resolved, err := filepath.EvalSymlinks(executable)
	if err != nil {
		resolved = executable
	}
	for _, path := range []string{executable, resolved} {
		bin := filepath.Dir(path)
		if !hides(bin) {
			continue
		}
		all := []string{bin}
		if filepath.Base(bin) == "bin" {
			for _, name := range append(triplesIn(filepath.Dir(bin)), installation...) {
				all = append(all, filepath.Join(filepath.Dir(bin), name))
			}
		}
		for _, dir := range all {
			if info, err := os.Stat(dir); err == nil && info.IsDir() && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// installation are the directories beside bin that compilers need: a JDK that was built
// and not installed has modules.
var installation = []string{"lib", "lib32", "lib64", "libexec", "include", "conf", "modules"}

var tripleName = regexp.MustCompile(`^\w+(?:-\w+){2,3}$`)

// triplesIn returns the directories of an installation that are called by a triple,
// where compilers for other processors have theirs.
func triplesIn(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // what cannot be read has none
	for _, entry := range entries {
		if tripleName.MatchString(entry.Name()) && entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
}

// hand gives a directory for a child, and all in it, to whom children are.
func (b *boxes) hand(dir string) error {
	if b == nil || b.wall != Namespaces || os.Getuid() != 0 {
		return nil
	}
	if !strings.HasPrefix(dir, b.dir+"/") {
		return fmt.Errorf("%s is not a directory of the workspace", dir)
	}
	// Its files may be exchanged meanwhile, and still lead nowhere else.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && strings.Count(path, "/") > mostDepth {
			return fs.SkipDir // what is as deep a child has made, and is its own
		}
		return errors.Join(err, root.Lchown(path, nobody, nobody))
	})
}

// nobody is the number of a user without rights, which children of root run as.
const nobody = 65534

// run runs a child in a box.
func (b *boxes) run(ctx context.Context, c Child) Exit {
	if err := ctx.Err(); err != nil {
		return Exit{Err: err, stop: stoppedByContext, Status: -1}
	}
	if c.Root != "" {
		if b.wall != Namespaces {
			return Exit{Err: errNoRoot(c.Root), Status: -1}
		}
		b.add(RootMark + c.Root)
	}
	if err := b.hand(c.Dir); err != nil {
		return Exit{Err: err, Status: -1}
	}
	one, err := b.take()
	if err != nil {
		return Exit{Err: err, Status: -1}
	}
	e, err := one.run(ctx, c)
	defer b.settle(one, e.CPU, err == nil)
	if err != nil {
		if ctx.Err() != nil {
			return Exit{Err: ctx.Err(), stop: stoppedByContext, Status: -1}
		}
		return Exit{Err: fmt.Errorf("box: %w", err), Status: -1}
	}
	return e
}

// errNoRoot says that children cannot be run in a root directory.
func errNoRoot(root string) error {
	return fmt.Errorf("programs in the root directory %s run in a box of namespaces only", root)
}

// settle takes back a box whose child has ended, or ends one that is of no use.
func (b *boxes) settle(one *box, cpu time.Duration, usable bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.busy, one)
	if usable && one.shows == len(b.show) {
		one.spent += cpu
		b.idle = append(b.idle, one)
		return
	}
	one.close()
}

// spent returns the CPU time of the children of boxes that live: the kernel tells
// of a box when it has ended.
func (b *boxes) spent() (sum time.Duration) {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, one := range b.idle {
		sum += one.spent
	}
	for one := range b.busy {
		sum += one.spent
	}
	return sum
}

// take returns a box that is idle, or a new one.
func (b *boxes) take() (one *box, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := len(b.idle); n > 0 {
		one, b.idle = b.idle[n-1], b.idle[:n-1]
	} else if one, err = b.open(); err != nil {
		return nil, err
	}
	b.busy[one] = true
	return one, nil
}

// boxVar has a process serve as a box, behind the wall that it names. Arguments
// are the workspace and what is shown.
const boxVar = "REIFY_BOX_SERVES"

// open starts a box.
func (b *boxes) open() (*box, error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "box"), os.NewFile(uintptr(fds[1]), "box")
	defer theirs.Close()
	conn, err := net.FileConn(ours)
	err = errors.Join(err, ours.Close())
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{Path: "/proc/self/exe", Args: append([]string{"reify-box", b.dir}, b.show...), Dir: "/", ExtraFiles: []*os.File{theirs}}
	cmd.Env = []string{boxVar + "=" + string(b.wall)}
	cmd.Stderr = os.Stderr
	// A session of its own has no terminal, into which children could type.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if b.wall == Namespaces {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWNET
		cmd.SysProcAttr.UidMappings = identities(os.Getuid())
		cmd.SysProcAttr.GidMappings = identities(os.Getgid())
		cmd.SysProcAttr.GidMappingsEnableSetgroups = os.Getuid() == 0
		cmd.SysProcAttr.Credential = &syscall.Credential{NoSetGroups: true}
	}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	one := &box{wall: b.wall, shows: len(b.show), cmd: cmd, conn: conn, send: gob.NewEncoder(conn), recv: gob.NewDecoder(conn)}
	if err := one.ready(); err != nil {
		one.close()
		return nil, err
	}
	return one, nil
}

// identities maps the first user or group of a box to our own and, if that is root, the
// second one to that of children.
func identities(own int) []syscall.SysProcIDMap {
	list := []syscall.SysProcIDMap{{ContainerID: 0, HostID: own, Size: 1}}
	if own == 0 {
		list = append(list, syscall.SysProcIDMap{ContainerID: 1, HostID: nobody, Size: 1})
	}
	return list
}

// boxStart is how long a box may take to be ready, on a busy machine.
const boxStart = 20 * time.Second

// ready waits until the box says that it is, or why it cannot be.
func (o *box) ready() error {
	if err := o.conn.SetDeadline(time.Now().Add(boxStart)); err != nil {
		return err
	}
	var problem string
	if err := o.recv.Decode(&problem); err != nil {
		return fmt.Errorf("the box did not start: %w", err)
	}
	if problem != "" {
		return errors.New(problem)
	}
	return o.conn.SetDeadline(time.Time{})
}

// run has the box run a child. An error says that the box cannot be used any more.
func (o *box) run(ctx context.Context, c Child) (Exit, error) {
	if err := o.send.Encode(c.order()); err != nil {
		return Exit{}, err
	}
	type answer struct {
		report
		err error
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		a.err = o.recv.Decode(&a.report)
		done <- a
	}()
	select {
	case a := <-done:
		return a.exit(), a.err
	case <-ctx.Done():
		// The box goes, and all that is in it.
		return Exit{}, ctx.Err()
	}
}

// close ends the box and what is left in it.
func (o *box) close() {
	o.end()
	defer time.AfterFunc(boxEnd, func() { _ = o.cmd.Process.Kill() }).Stop()
	_ = o.cmd.Wait() // killed, or with what it started
}

// end is close without waiting.
func (o *box) end() {
	_ = o.conn.Close()
	if o.wall == Namespaces {
		_ = o.cmd.Process.Kill() // and so all in it
	}
}

// boxEnd is how long a box has to end its children where its own end does not.
const boxEnd = time.Second

// close ends the boxes. None may be in use.
func (b *boxes) close() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, one := range b.idle {
		one.close()
	}
	b.idle = nil
}

// abandon ends the boxes, also those in use.
func (b *boxes) abandon() {
	if b == nil || !b.mu.TryLock() { // a box is being opened: it ends with us
		return
	}
	defer b.mu.Unlock()
	for one := range b.busy {
		one.end()
	}
}

// An order is a Child as a box is told of it.
type order struct {
	Path, Dir string
	Root      string
	Args, Env []string
	CPU, Wall time.Duration
	Memory    int64
	Output    int
	FileSize  int64
	Processes int
	Disk      int64
}

func (c Child) order() order {
	b := c.Bounds
	return order{c.Path, c.Dir, c.Root, c.Args, c.Env, b.cpu, b.wall, b.memory, b.output, b.fileSize, b.processes, b.disk}
}

func (o order) child() Child {
	return Child{Path: o.Path, Root: o.Root, Args: o.Args, Dir: o.Dir, Env: o.Env, Bounds: Bounds{o.CPU, o.Wall, o.Memory, o.Output, o.FileSize, o.Processes, o.Disk}}
}

// A report is an Exit as a box tells of it.
type report struct {
	Exit Exit // without its error
	Err  string
	Stop stopReason
}

func (e Exit) report() report {
	r := report{Exit: e, Stop: e.stop}
	if e.Err != nil {
		r.Exit.Err, r.Err = nil, e.Err.Error()
	}
	return r
}

func (r report) exit() Exit {
	e := r.Exit
	e.stop = r.Stop
	if e.Err = nil; r.Err != "" {
		e.Err = errors.New(r.Err)
	}
	return e
}
