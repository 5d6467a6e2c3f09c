package hunt

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/tools/need"
)

// A hostile is a reproducer of a stranger: what is done to a good one, and what
// must be said of it. Whatever it is, nothing is written, run or reached that has
// not to be, and a good reproducer beside it is served.
type hostile struct {
	name string
	edit func(text string, t *trial) string
	// refused tells that replay must refuse the file, with status 2. Else its
	// program is run, and status 0 to 2 are all right.
	refused bool
	// says is part of what replay must say, if anything.
	says string
}

// header returns an edit that puts lines in the place of those of their key, or
// before the first file.
func header(line string) func(string, *trial) string {
	key, _, _ := strings.Cut(line, ":")
	return func(text string, t *trial) string {
		var kept []string
		head, rest, _ := strings.Cut(text, "\n-- ")
		for l := range strings.SplitSeq(head, "\n") {
			if !strings.HasPrefix(l, key+":") {
				kept = append(kept, l)
			}
		}
		return strings.Join(append(kept, t.marked(line)), "\n") + "\n-- " + rest
	}
}

// member returns an edit that adds a file.
func member(name string) func(string, *trial) string {
	return func(text string, _ *trial) string { return text + "-- " + name + " --\nint x;\n" }
}

// runs returns an edit that has the program do something before main.
func runs(c string) func(string, *trial) string {
	return func(text string, t *trial) string {
		const main = "-- repro.c --\n"
		return strings.Replace(text, main, main+t.marked("int fork(void), setsid(void), pause(void), creat(const char *, unsigned), mkdir(const char *, unsigned), chmod(const char *, unsigned);\n"+
			"int socket(int, int, int), connect(int, const void *, unsigned), execlp(const char *, const char *, ...), system(const char *);\n"+
			"__attribute__((constructor)) static void fault(void) { "+c+" }\n"), 1)
	}
}

// programIR returns an edit that puts another program in the place of what the C
// was made from.
func programIR(program string) func(string, *trial) string {
	return func(text string, _ *trial) string {
		const mark = "-- program.ir --\n"
		at := strings.Index(text, mark) + len(mark)
		return text[:at] + program + text[at+strings.Index(text[at:], "-- "):]
	}
}

// hostiles are the files of TestFaults.
var hostiles = []hostile{
	{"a flag runs a command", header("flags: -wrapper touch,$MARK/outside"), true, "-wrapper"},
	{"a flag loads a plugin", header("flags: -fplugin=$MARK/bin/gcc-99"), true, "-fplugin"},
	{"a flag names where programs are", header("flags: -B$MARK/bin"), true, "-B"},
	{"a flag names specs", header("flags: -specs=$MARK/bin/specs"), true, "-specs"},
	{"a flag names a file of flags", header("flags: @$MARK/bin/flags"), true, "@"},
	{"a flag writes dependencies", header("flags: -MD -MF $MARK/outside"), true, "-M"},
	{"a flag writes the output", header("flags: -o $MARK/outside"), true, "-o"},
	{"a flag keeps what is temporary", header("flags: -save-temps -dumpdir $MARK/outside"), true, "-save-temps"},
	{"a flag writes a dump", header("flags: -fdump-tree-all=$MARK/outside"), true, "-fdump"},
	{"a flag includes a file", header("flags: -include /etc/passwd"), true, "-include"},
	{"a flag passes others on", header("flags: -Wl,-Map=$MARK/outside"), true, "-Wl"},
	{"the compiler is a shell", header("compiler: bash"), false, ""},
	{"the compiler is a path", header("compiler: $MARK/bin/gcc-99"), false, ""},
	{"the command runs another", header("command: touch $MARK/outside; $(touch $MARK/outside)"), false, ""},
	{"the mode is a flag that writes", header("mode: -o$MARK/outside"), false, ""},
	{"the title is HTML", header("title: <script>alert(1)</script> | `x` ![x](y)"), false, ""},
	{"a file is above", member("../outside.c"), true, ""},
	{"a file has a path", member("/tmp/outside.c"), true, ""},
	{"a file is a flag", member("-o.c"), true, ""},
	{"a file is there twice", member("want.txt"), true, "second file"},
	{"eight million header lines", func(text string, _ *trial) string { return strings.Repeat("x-a: b\n", 8<<20) + text }, false, ""},
	{"a header line of 64 MB", func(text string, _ *trial) string { return "x-a: " + strings.Repeat("b", 64<<20) + "\n" + text }, false, ""},
	{"CRLF", func(text string, _ *trial) string { return strings.ReplaceAll(text, "\n", "\r\n") }, true, "CRLF"},
	{"cut in want.txt", func(text string, _ *trial) string {
		return text[:strings.Index(text, "-- want.txt --\n")+len("-- want.txt --\n")+3]
	}, true, ""},
	{"cut in the program", func(text string, _ *trial) string { return text[:strings.Index(text, "-- repro.c --\n")+400] }, true, ""},
	{"nothing", func(string, *trial) string { return "" }, true, ""},
	{"no text", func(string, *trial) string { return strings.Repeat("\x00\xff", 1<<16) }, true, ""},
	{"a program that does not check", programIR("func @f(%a i32, %b i64) i32 {\n  entry:\n    %a = %b\n    return %a\n}\ncase f(a = 1, b = 2) = 1 path entry\n"), false, ""},
	{"a program of no blocks", programIR("func @f() i32 {\n}\ncase f() = 1 path entry\n"), false, ""},
	{"it writes elsewhere", runs(`creat("$MARK/outside", 0644);`), false, ""},
	{"it runs a shell that writes elsewhere", runs(`system("echo x >$MARK/outside");`), false, ""},
	{"it connects", runs(`static const unsigned char to[16] = {2, 0, $PORT >> 8, $PORT & 255, 127, 0, 0, 1}; connect(socket(2, 1, 0), to, sizeof to);`), false, ""},
	{"it leaves a process", runs(`if (!fork()) { setsid(); if (!fork()) execlp("sh", "sh", "-c", "sleep 1000; :", "$MARK", (char *)0); for (;;) pause(); }`), false, ""},
	{"it forks ten times", runs(`for (int i = 0; i < 10; i++) if (!fork()) { setsid(); for (;;) pause(); }`), false, ""},
	{"it makes a directory of mode 000", runs(`mkdir("locked", 0700); creat("locked/in", 0600); chmod("locked", 0);`), false, ""},
}

// mostOfHostile is the time and the memory that a file of a stranger may cost.
const (
	mostOfHostile   = time.Minute
	mostOfHostileKB = 512 << 10
)

// try shows, replays and reports a file.
func (h hostile) try(t *testing.T, bin string) (toll, []string) {
	tr := newTrial(t, bin, fault{standIn: "writes elsewhere", nobody: true})
	good, err := os.ReadFile(filepath.Join("..", "..", "..", "corpus", "crash-gcc-12-Os-b7b90d33.txtar"))
	require.NoError(t, err)
	e, err := corpus.Parse("good.txtar", good)
	require.NoError(t, err)
	good = e.Format() // in the format of today
	files := filepath.Join(tr.dir, "files")
	reports := filepath.Join(tr.dir, "reports")
	for _, dir := range []string{files, reports} {
		require.NoError(t, os.Mkdir(dir, 0o777))
		require.NoError(t, os.Chmod(dir, 0o777))
	}
	bad := h.edit(string(good), tr)
	if bad == string(good) {
		tr.complain("the file is as it was")
	}
	file := filepath.Join(files, "a-bad.txtar")
	require.NoError(t, os.WriteFile(file, []byte(bad), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(files, "b-good.txtar"), good, 0o644))

	for _, args := range [][]string{{"show", file}, {"show", "-as", "source", file}, {"show", "-as", "dot", file}} {
		if status, _ := tr.verb(args...); status != 0 && status != 2 {
			tr.complain("%s: status %d", strings.Join(args[:len(args)-1], " "), status)
		}
	}
	status, said := tr.verb("replay", file)
	switch {
	case h.refused && status != 2:
		tr.complain("replay: status %d, want 2: %.200s", status, said)
	case !h.refused && (status < 0 || status > 2):
		tr.complain("replay: status %d: %.200s", status, said)
	case !strings.Contains(said, h.says):
		tr.complain("replay does not speak of %s: %.200s", h.says, said)
	}
	if strings.HasPrefix(h.name, "the compiler is ") {
		if status, said := tr.verb("triage", "-do", "blame", "-o", "-", file); status != 0 && status != 2 {
			tr.complain("blame: status %d: %.200s", status, said)
		}
	}
	if status, said = tr.verb("replay", filepath.Join(files, "b-good.txtar")); status == 2 {
		tr.complain("replay of a good file, later: %.200s", said)
	}
	if status, said = tr.verb("report", "-o", reports, files); status < 0 || status > 2 {
		tr.complain("report: status %d: %.200s", status, said)
	}
	pages, err := filepath.Glob(filepath.Join(reports, "*.md"))
	require.NoError(t, err)
	if len(pages) == 0 {
		tr.complain("the good file is not reported: %.200s", said)
	}
	for _, page := range append(pages, filepath.Join(reports, "index.html")) {
		if text, err := os.ReadFile(page); err == nil && strings.Contains(string(text), "<script>alert") {
			tr.complain("%s holds the script", filepath.Base(page))
		}
	}
	tr.end()
	tr.left()
	return tr.count, tr.complaints
}

// verb runs a command with gcc at -O0, as an ordinary user, and returns its status,
// -1 for one that panics or does not end, and what it said.
func (t *trial) verb(args ...string) (int, string) {
	if slices.Contains(args, "blame") { // it is to ask the compiler that the file names
		return t.with(mostOfHostile, []string{"REIFY_CC=", "REIFY_MODES="}, args...)
	}
	return t.with(mostOfHostile, []string{"REIFY_CC=gcc", "REIFY_MODES=-O0"}, args...)
}

// with is verb within a time, and with what is added to the environment of the hunt.
func (t *trial) with(patience time.Duration, env []string, args ...string) (int, string) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	of, _ := t.command()
	cmd := exec.CommandContext(ctx, t.bin, args...)
	cmd.Env, cmd.Dir, cmd.SysProcAttr = append(of.Env, env...), of.Dir, of.SysProcAttr
	if t.landlock {
		need.NoNamespaces(t.T, cmd)
	}
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		require.NoError(t, err)
	}
	said := string(out)
	if ctx.Err() != nil {
		t.complain("%s hangs", args[0])
		t.count.hung++
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && usage.Maxrss > mostOfHostileKB {
		t.complain("%s: %d MB of memory", args[0], usage.Maxrss>>10)
	}
	if strings.Contains(said, "panic: ") || strings.Contains(said, "fatal error: ") && strings.Contains(said, "goroutine ") {
		_, text, _ := strings.Cut(said, "panic: ")
		t.complain("%s panics: %.100s", args[0], text)
		return -1, said
	}
	return cmd.ProcessState.ExitCode(), said
}
