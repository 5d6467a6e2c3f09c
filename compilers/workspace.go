package compilers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"goreify/reify/safefile"
)

// A Workspace is a directory that belongs to this process. It is safe for
// concurrent use.
//
// All workspaces of a user share one parent, BASE/goreify-UID, and each is named after
// its process and locked for as long as that process lives, even if it is killed: the
// process that makes the next workspace removes those whose lock is free. A lock rather
// than the pid alone decides, because pids are used again and containers that share a
// directory number their processes apart.
type Workspace struct {
	top   string        // has the two that follow
	dir   string        // of the directories of jobs, which children can write to
	fixed string        // of files that children can read and not write
	jobs  *safefile.Dir // dir
	lock  *os.File      // of top
	boxes *boxes        // nil: children run as they are; see Enclose
	// refusal is the error of Strangers.
	refusal error

	servers servers
}

// NewWorkspace makes a workspace under base, which must exist (os.TempDir() is
// the usual one), and sweeps those that dead processes have left there.
func NewWorkspace(base string) (*Workspace, error) {
	base, err := filepath.Abs(base)
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	parent := filepath.Join(base, fmt.Sprintf("goreify-%d", os.Getuid()))
	if err := makePrivate(parent); err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	// While the parent is locked no process sees a directory that is made and not locked
	// yet.
	parentLock, err := lockDir(parent, syscall.LOCK_EX)
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	defer parentLock.Close()
	sweep(parent)
	top, err := os.MkdirTemp(parent, fmt.Sprintf("pid%d-*", os.Getpid()))
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	w := &Workspace{top: top, dir: filepath.Join(top, "jobs"), fixed: filepath.Join(top, "fixed")}
	if w.lock, err = lockDir(top, syscall.LOCK_EX); err == nil {
		// Children of root are another user, who may go through these directories.
		err = errors.Join(os.Chmod(top, 0o711), os.Mkdir(w.dir, 0o711), os.Mkdir(w.fixed, 0o755))
	}
	if err == nil {
		w.jobs, err = safefile.Open(w.dir)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("workspace: %w", err), os.RemoveAll(top))
	}
	return w, nil
}

// Dir returns the absolute path of the directory that has the directories of jobs.
func (w *Workspace) Dir() string { return w.dir }

// Fixed returns the absolute path of a directory whose files children can read and,
// behind a wall, not write: what is run or trusted later stands there.
func (w *Workspace) Fixed() string { return w.fixed }

// Close removes the workspace and all in it. Binaries that Build left there go
// with it.
func (w *Workspace) Close() error {
	w.servers.close()
	w.boxes.close()
	return errors.Join(w.jobs.Close(), removeAll(w.top), w.lock.Close())
}

// Abandon ends the children and removes the workspace, as far as that takes no waiting, while
// others may still use it: the process is about to end.
func (w *Workspace) Abandon() {
	w.boxes.abandon()
	_ = removeAll(w.top) // what stays is swept by the next
}

// A Built is what a target has built: a file, alone in its directory. The zero
// value is nothing.
type Built struct {
	Path   string
	Space  *Workspace // that it stands in
	Root   string     // see Child.Root
	Traits *Traits    // of the target that built it, if it is emulated
	// Println says that its output is that on standard error if there is none on standard
	// output: println of Go writes there.
	Println bool
}

// traits returns those of what was built, as far as they say how to run it.
func (b Built) traits() Traits {
	if b.Traits == nil {
		return Traits{}
	}
	return *b.Traits
}

// Command returns the line, to paste into a shell in its directory, that runs it
// with arguments.
func (b Built) Command(args []string) string {
	runner := b.traits().Runner
	words := slices.Concat(runner, []string{"./" + filepath.Base(b.Path)}, args)
	if runner != nil {
		words[0] = filepath.Base(words[0]) // it is on PATH
	}
	return CommandLine(words[0], words[1:])
}

// Remove removes what was built, and all beside it. Files that cannot be removed now go
// with the workspace.
func (b Built) Remove() {
	b.Space.Remove(filepath.Dir(b.Path))
}

// removeAll removes a directory of ours, also if children have made directories in it
// that may not be entered, or deeper ones than there are descriptors.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	// RemoveAll tells what fails.
	if root, err := os.OpenRoot(dir); err == nil {
		flatten(root)
		_ = root.Close()
	}
	return os.RemoveAll(dir)
}

// flatten moves the directories of directories up, until there are none, and
// removes all else. It follows no link out of the root.
func flatten(root *os.Root) {
	list := func(dir string) []fs.DirEntry {
		_ = root.Chmod(dir, 0o700)
		entries, _ := fs.ReadDir(root.FS(), dir)
		return entries
	}
	var dirs []string
	for _, entry := range list(".") {
		dirs = append(dirs, entry.Name())
	}
	for n := 0; len(dirs) > 0; {
		dir := dirs[len(dirs)-1]
		dirs = dirs[:len(dirs)-1]
		if root.Remove(dir) == nil {
			continue
		}
		for _, entry := range list(dir) {
			path := filepath.Join(dir, entry.Name())
			if !entry.IsDir() {
				_ = root.Remove(path)
				continue
			}
			n++
			up := fmt.Sprintf("%d.moved", n)
			_ = root.Chmod(path, 0o700)
			if root.Rename(path, up) == nil {
				dirs = append(dirs, up)
			}
		}
		_ = root.Remove(dir)
	}
}

// NewDir makes a directory for a job, with files and a directory tmp in it. The error
// leaves none behind.
func (w *Workspace) NewDir(files ...File) (dir string, err error) {
	if dir, err = os.MkdirTemp(w.dir, "job-*"); err != nil {
		return "", err
	}
	if err = os.Mkdir(filepath.Join(dir, "tmp"), 0o700); err == nil {
		err = w.Put(dir, files...)
	}
	if err != nil {
		w.Remove(dir)
		return "", err
	}
	return dir, nil
}

// Open opens the directory of a job. Children that ran there may have put anything into
// it, and another thing in its place.
func (w *Workspace) Open(dir string) (*safefile.Dir, error) {
	name, err := filepath.Rel(w.dir, dir)
	if err != nil {
		return nil, err
	}
	return w.jobs.Sub(name)
}

// Put writes files into the directory of a job, in place of anything of their names.
func (w *Workspace) Put(dir string, files ...File) error {
	if len(files) == 0 {
		return nil
	}
	d, err := w.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close() // written files are closed
	for _, f := range files {
		if err := d.Put(f.Name, f.Content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Read returns the content of a regular file, of at most safefile.Most bytes, that a
// child has left in the directory of its job.
func (w *Workspace) Read(dir, name string) ([]byte, error) {
	d, err := w.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close() // read only
	return d.Read(name, safefile.Most)
}

// Remove removes the directory of a job. Files that cannot be removed now go with the
// workspace, which may be none.
func (w *Workspace) Remove(dir string) {
	if w != nil && filepath.Dir(dir) == w.dir {
		_ = removeAll(dir)
	}
}

// makePrivate makes a directory, or accepts one that is ours alone: a directory at a
// predictable path in a shared one might be another user's.
func makePrivate(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != os.Getuid() {
		return fmt.Errorf("%s is not a directory of this user", dir)
	}
	return nil
}

// lockDir opens a directory and locks it; closing the file, or the death of
// the process, unlocks it.
func lockDir(dir string, how int) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), how)
		if err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", dir, err), f.Close())
	}
	return f, nil
}

// sweep removes the workspaces in parent whose process is dead. The caller holds parent's
// lock. Those that cannot be removed are left to the next one: that is no reason not to
// work.
func sweep(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), "pid") {
			continue
		}
		dir := filepath.Join(parent, entry.Name())
		lock, err := lockDir(dir, syscall.LOCK_EX|syscall.LOCK_NB)
		if err != nil {
			continue // alive, or closed just now
		}
		_ = removeAll(dir)
		_ = lock.Close()
	}
}

// ChildrenCPU returns the CPU time of the children of this process: those that it
// has waited for, those that boxes of this workspace have run, and what its servers
// say that they have used so far. The workspace may be nil.
func (w *Workspace) ChildrenCPU() time.Duration {
	if w == nil {
		return ChildrenCPU()
	}
	return ChildrenCPU() + w.boxes.spent() + time.Duration(w.servers.spent.Load())
}
