package hunt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/subject"
)

// A trial is a hunt that something happens to, in a directory of its own. The
// path of that directory is the mark by which its processes are found.
type trial struct {
	*testing.T
	fault
	bin, root      string
	tmp, dir, bins string // TMPDIR, the hunt's, the compiler's
	whole          time.Duration
	status         int    // of the last hunt
	landlock       bool   // there are no namespaces
	deaf           bool   // nobody reads what the hunt says
	again          bool   // it runs batches that were set aside
	onPath         bool   // it asks all compilers on PATH, which is that of bins
	goOn           func() // the healthy hunt, if it is not the usual one
	port           int
	connections    atomic.Int64
	complaints     []string
	count          toll
}

func newTrial(t *testing.T, bin string, f fault) *trial {
	t.Helper()
	root, err := os.MkdirTemp("", "reify-faults-")
	require.NoError(t, err)
	tr := &trial{T: t, fault: f, bin: bin, root: root}
	t.Cleanup(func() {
		tr.end()
		require.NoError(t, exec.Command("chmod", "-R", "u+rwx", root).Run())
		require.NoError(t, os.RemoveAll(root))
	})
	tr.tmp, tr.dir, tr.bins = filepath.Join(root, "tmp"), filepath.Join(root, "hunt"), filepath.Join(root, "bin")
	for _, dir := range []string{tr.tmp, tr.dir, tr.bins} {
		require.NoError(t, os.Mkdir(dir, 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(tr.bins, noneKnown), nil, 0o644))
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	tr.port = l.Addr().(*net.TCPAddr).Port
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			tr.connections.Add(1)
			_ = c.Close()
		}
	}()
	tr.reinstall()
	if f.nobody && os.Getuid() == 0 {
		for _, dir := range []string{tr.root, tr.tmp, tr.dir, tr.bins, tr.compiler()} {
			require.NoError(t, os.Chown(dir, nobody, nobody))
		}
	}
	return tr
}

// nobody is an ordinary user.
const nobody = 65534

func (t *trial) compiler() string { return filepath.Join(t.bins, "gcc-99") }

// install puts a compiler in the place of what is there.
func (t *trial) install(s standIn, version string) {
	text := strings.ReplaceAll(fakeText(s.script), "99.1.0", version)
	text = t.marked(text)
	file := t.compiler() + ".new"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o755))
	require.NoError(t, os.Rename(file, t.compiler()))
}

// reinstall puts the compiler of the trial in the place of what is there.
func (t *trial) reinstall() {
	if t.other != nil {
		t.other.install(t)
		return
	}
	t.install(standIns[cmp.Or(t.standIn, "gets some functions wrong")], "99.1.0")
}

// mute has the compiler, till heal, not answer when it is asked about a whole batch.
func (t *trial) mute(batch int64) {
	call := regexp.MustCompile(`got = f0\([^;]*;`).Find(t.sources(batch)[0].Content)
	require.NotEmpty(t, call)
	own := standIns["gets some functions wrong"]
	t.install(standIn{script: fmt.Sprintf("grep -qsF '%s' \"$src\" && kill -KILL $$\n", call) + own.script}, "99.1.0")
}

// sources returns the C of a batch.
func (t *trial) sources(n int64) []compilers.File {
	return t.batch(n).Artefact().Files
}

// batch returns the subject of a batch.
func (t *trial) batch(n int64) subject.Subject {
	kind := t.kind()
	s, err := kind.Source.Make(context.Background(), kind.Source.Draw(stream(1, n)))
	require.NoError(t, err)
	return s
}

// kind returns the kind of all batches.
func (t *trial) kind() Kind {
	name := "focused"
	if t.other != nil {
		name = t.other.mix
	}
	kind, _ := findKind(Kinds(), name)
	return kind
}

// marked puts the mark and the port of the trial into a text.
func (t *trial) marked(text string) string {
	return strings.NewReplacer("$MARK", t.root, "$PORT", strconv.Itoa(t.port)).Replace(text)
}

func (t *trial) complain(format string, args ...any) {
	t.complaints = append(t.complaints, fmt.Sprintf(format, args...))
}

func (t *trial) check(err error) {
	if err != nil {
		t.complain("%v", err)
	}
}

// noneKnown is a list of no known buckets.
const noneKnown = "known.txt"

// command returns the hunt.
func (t *trial) command() (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command(t.bin, "hunt", "-o", t.dir, "-mix", t.kind().Name, "-n", strconv.Itoa(t.kind().Seeds*batchesOfTrial), "-plan", "all", "-keep", "1000", "-workers", "1", "-known", filepath.Join(t.bins, noneKnown))
	cmd.Env = []string{"PATH=" + t.bins + ":" + os.Getenv("PATH"), "REIFY_CC=gcc-99", "REIFY_MODES=-O0,-O2", "TMPDIR=" + t.tmp, "HOME=" + t.root, "XDG_CACHE_HOME=" + filepath.Join(t.root, "cache")}
	if t.again {
		cmd.Args = append(cmd.Args, "-again")
	}
	if t.onPath {
		cmd.Env = append(cmd.Env, "REIFY_CC=", "PATH="+t.bins)
	}
	cmd.Args = append(cmd.Args, standInArgs[t.standIn]...)
	if t.other != nil {
		cmd.Args = append(cmd.Args, t.other.args...)
		cmd.Env = append(cmd.Env, "REIFY_CC="+t.marked(t.other.cc), "REIFY_MODES="+t.other.modes)
	}
	cmd.Dir = t.root
	if t.nobody && os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

// patienceOfTrial is how long a hunt may take, of which few take a minute on an idle machine.
const patienceOfTrial = 6 * time.Minute

// run runs the hunt to its end.
func (t *trial) run() { t.at(-1, nil) }

// at runs the hunt, and calls f when so much of the time that it usually takes
// has passed.
func (t *trial) at(part float64, f func(*exec.Cmd)) {
	cmd, out := t.command()
	if t.deaf {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		cmd.Stderr = w
		defer w.Close()
		require.NoError(t, r.Close())
	}
	require.NoError(t, cmd.Start())
	late := time.AfterFunc(patienceOfTrial, func() { _ = cmd.Process.Kill() })
	if f != nil {
		now := time.AfterFunc(time.Duration(part*float64(t.whole)), func() { f(cmd) })
		defer now.Stop()
	}
	_ = cmd.Wait() // the status says it
	if !late.Stop() {
		t.complain("the hunt does not end, and is killed")
		t.count.hung++
	}
	t.status = cmd.ProcessState.ExitCode()
	text := out.String()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	t.Logf("%v: %s", cmd.ProcessState, lines[len(lines)-1])
	if strings.Contains(text, "panic: ") || strings.Contains(text, "goroutine ") {
		t.complain("it panicked: %s", text)
	}
	if !strings.HasPrefix(cmd.ProcessState.String(), "signal: killed") {
		t.left()
	}
}

// told complains if the hunt has left something to do and ended as if it had not:
// its status must be 2, or 1 if it has found something all the same.
func (t *trial) told() {
	if t.status != 0 || !readable(t.dir) {
		return
	}
	if open := query(t, t.dir, openBatches); len(open) > 0 {
		t.complain("%d batches are open, and its status was 0", len(open))
	}
}

// readable tells whether there is a hunt in a directory.
func readable(dir string) bool {
	s, err := readStore(dir)
	return err == nil && s.close() == nil
}

// spoilt has the state of the hunt be changed, and complains if a hunt goes on with
// it. Then the state is as it was.
func (t *trial) spoilt(change func()) {
	file := filepath.Join(t.dir, databaseName)
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	change()
	t.run()
	if t.status != 2 {
		t.complain("nobody notices: status %d", t.status)
	}
	require.NoError(t, os.WriteFile(file, before, 0o644))
}

// flip changes bytes in the state of the hunt, in every page of it.
func (t *trial) flip() {
	file := filepath.Join(t.dir, databaseName)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for at := 4096 + 4000; at < len(data); at += 4096 {
		data[at] ^= 0x55
	}
	require.NoError(t, os.WriteFile(file, data, 0o644))
}

// fill leaves no room on the file system of a directory.
func (t *trial) fill(dir string) {
	f, err := os.OpenFile(filepath.Join(dir, "filler"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return // full already
	}
	defer f.Close()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
}

// heal gives everything room, and puts the compiler back.
func (t *trial) heal() {
	for _, dir := range []string{t.tmp, t.dir} {
		_ = os.Remove(filepath.Join(dir, "filler"))
		err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=256m")
		if err != nil && !errors.Is(err, syscall.EINVAL) && os.Getuid() == 0 {
			t.complain("%v", err)
		}
	}
	t.deaf = false
	t.reinstall()
}

// observe has a healthy hunt go on, and counts what it and those before it did.
func (t *trial) observe() toll {
	if t.goOn != nil {
		t.goOn()
	} else {
		t.heal()
		t.run()
	}
	t.end()
	t.left()
	t.findings()
	if t.must != nil {
		t.must(t)
	}
	return t.count
}

// left counts what is in TMPDIR: the highest number is the one that counts.
func (t *trial) left() {
	files, err := filepath.Glob(filepath.Join(t.tmp, "*", "*"))
	require.NoError(t, err)
	if len(files) > 0 {
		t.complain("left over: %s", strings.Join(files, " "))
	}
	t.count.left = max(t.count.left, len(files))
}

// end counts what lives on, and ends it, and what was written elsewhere.
func (t *trial) end() {
	var pids []int
	for range 10 {
		if pids = t.processes(); len(pids) == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	if len(pids) > 0 {
		t.complain("%d processes live on", len(pids))
		t.count.escaped += len(pids)
	}
	entries, err := os.ReadDir(t.root)
	require.NoError(t, err)
	for _, e := range entries {
		if !slices.Contains([]string{"tmp", "hunt", "bin", "cache"}, e.Name()) {
			t.complain("written elsewhere: %s", e.Name())
			t.count.escaped++
		}
	}
	if n := t.connections.Swap(0); n > 0 {
		t.complain("%d connections", n)
		t.count.escaped++
	}
}

// processes returns those that have the mark of the trial in their environment
// or arguments.
func (t *trial) processes() []int {
	var pids []int
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		environ, _ := os.ReadFile(filepath.Join(dir, "environ"))
		args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err == nil && pid != os.Getpid() && (bytes.Contains(environ, []byte(t.root)) || bytes.Contains(args, []byte(t.root))) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// entries returns the findings that are saved.
func (t *trial) entries() []*corpus.Entry {
	files, err := filepath.Glob(filepath.Join(t.dir, corpus.FindingsDir, "*", corpus.FindingFile))
	require.NoError(t, err)
	return t.load(files)
}

func (t *trial) load(files []string) (list []*corpus.Entry) {
	for _, file := range files {
		e, err := corpus.Load(file)
		if err != nil {
			t.complain("%v", err)
			continue
		}
		list = append(list, e)
	}
	return list
}

// A place is a function of a batch.
type place struct {
	batch    int64
	function string
}

// placesOf returns the functions that an entry of a hunt is about.
func placesOf(e *corpus.Entry) (list []place) {
	n, _ := strconv.ParseInt(e.Note(corpus.NoteHuntBatch), 10, 64)
	for name := range strings.FieldsSeq(e.Note(corpus.NoteHuntFunctions)) {
		list = append(list, place{n, name})
	}
	return list
}

// findings counts what is lost and what is false.
func (t *trial) findings() {
	if !readable(t.dir) {
		t.complain("there is no hunt that can be read")
		t.count.lost += len(t.wrong("99.1.0"))
		return
	}
	wrong := map[string]map[place]bool{"99.1.0": t.wrong("99.1.0"), "99.2.0": t.wrong("99.2.0")}
	told := map[place]bool{}
	for _, e := range t.entries() {
		if t.other != nil {
			wrong[e.Version] = wrong["99.1.0"]
		}
	}
	for _, e := range t.entries() {
		for _, p := range placesOf(e) {
			told[p] = true
			if !wrong[e.Version][p] {
				t.complain("false: batch %d, %s, as gcc %s", p.batch, p.function, e.Version)
				t.count.false++
			}
		}
	}
	suspicions, err := filepath.Glob(filepath.Join(t.dir, unconfirmedName, "*", corpus.FindingFile))
	require.NoError(t, err)
	for _, e := range t.load(suspicions) {
		for _, p := range placesOf(e) {
			told[p] = true
		}
	}
	open := query(t, t.dir, openBatches)
	for p := range wrong["99.1.0"] {
		if t.goOn == nil && !told[p] && !slices.Contains(open, fmt.Sprint(p.batch)) {
			t.complain("lost: batch %d, %s", p.batch, p.function)
			t.count.lost++
		}
	}
	if n := len(query(t, t.dir, `SELECT number FROM batches`)); n != batchesOfTrial {
		t.complain("%d batches were begun, of %d", n, batchesOfTrial)
	}
}

// wrong returns the functions that the compiler of a version gets wrong, by what
// they look like.
func (t *trial) wrong(version string) map[place]bool {
	if t.other != nil {
		return t.other.wrongOf(t)
	}
	pattern := standIns[cmp.Or(t.standIn, "gets some functions wrong")].wrong
	if version != "99.1.0" {
		pattern = standIns["is of another version, and gets others wrong"].wrong
	}
	list := map[place]bool{}
	if pattern == nil {
		return list
	}
	for n := range int64(batchesOfTrial) {
		for _, f := range t.sources(n) {
			for _, m := range pattern.FindAllSubmatch(f.Content, -1) {
				list[place{n, string(m[1])}] = true
			}
		}
	}
	if len(list) == 0 || len(list) > mostFindings*batchesOfTrial {
		t.complain("the compiler gets %d functions wrong, which are too few or too many to count", len(list))
	}
	return list
}
