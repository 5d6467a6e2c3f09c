package hunt

import (
	"encoding/binary"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/safefile"
)

// An attack is a directory of a stranger, and commands that the user gives about it, as
// root if the test is. A file outside, which is not to be read or written, has a mark.
type attack struct {
	name string
	try  func(t *trial, victim string)
}

// secret is what the victim holds. It begins as a reproducer and a page of reports do, so
// that it is taken for one.
const secret = "<!-- written by reify report -->\nthe secret of root\n"

// trySome tries an attack and counts what came of it.
func (a attack) trySome(t *testing.T, bin string) (toll, []string) {
	tr := newTrial(t, bin, fault{})
	victim := filepath.Join(tr.bins, "victim")
	require.NoError(t, os.WriteFile(victim, []byte(secret), 0o600))
	a.try(tr, victim)
	text, err := os.ReadFile(victim)
	if err != nil || string(text) != secret {
		tr.complain("the victim is %q, %v", text, err)
		tr.count.escaped++
	}
	tr.end()
	tr.left()
	return tr.count, tr.complaints
}

// ask gives a command, which must end in time, and not tell the secret.
func (t *trial) ask(patience time.Duration, env []string, args ...string) (status int, said string) {
	status, said = t.with(patience, env, args...)
	if strings.Contains(said, "the secret") {
		t.complain("%s tells the secret", args[0])
		t.count.escaped++
	}
	return status, said
}

// stranger makes a directory with a good finding in it, and one as a hunt has them.
func (t *trial) stranger() (dir string) {
	dir = filepath.Join(t.dir, "strangers")
	finding := filepath.Join(dir, corpus.FindingsDir, "wrong-1")
	require.NoError(t, os.MkdirAll(finding, 0o777))
	good, err := os.ReadFile(filepath.Join("..", "..", "..", "corpus", "crash-gcc-12-Os-b7b90d33.txtar"))
	require.NoError(t, err)
	e, err := corpus.Parse("good.txtar", good)
	require.NoError(t, err)
	for _, file := range []string{filepath.Join(dir, "good.txtar"), filepath.Join(finding, corpus.FindingFile)} {
		require.NoError(t, os.WriteFile(file, e.Format(), 0o644))
	}
	require.NoError(t, e.Extract(finding, true))
	return dir
}

// instead puts a link to a path, or a named pipe if that is "", in the place of a file.
func instead(t *testing.T, file, to string) {
	require.NoError(t, os.RemoveAll(file))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	if to == "" {
		require.NoError(t, syscall.Mkfifo(file, 0o666))
		return
	}
	require.NoError(t, os.Symlink(to, file))
}

// soon is how long a command may take that asks no compiler.
const soon = 20 * time.Second

// reported links or pipes a file of a stranger's directory before reify report.
func reported(name string, to func(victim string) string) func(*trial, string) {
	return func(t *trial, victim string) {
		dir := t.stranger()
		instead(t.T, filepath.Join(dir, name), to(victim))
		status, said := t.ask(soon, []string{"REIFY_CC=gcc"}, "report", dir)
		if page, err := opened(t.T, dir).Read(filepath.Join("reports", "index.html"), safefile.Most); status == 0 && (err != nil || !strings.Contains(string(page), "goreify")) {
			t.complain("report ends well without a page: %s", said)
		}
		t.ask(soon, nil, "status", dir)
		t.ask(soon, nil, "known", "some-bucket", dir)
	}
}

func toVictim(victim string) string { return victim }
func toItsDir(victim string) string { return filepath.Dir(victim) }
func toAPipe(string) string         { return "" }
func toZero(string) string          { return "/dev/zero" }

// fileAttacks are those of TestFaults that lead files elsewhere.
var fileAttacks = []attack{
	{"the script of a reduction is a link", linkedInJob("interesting.sh")},
	{"the C file of a reduction is a link", linkedInJob("test.c")},
	{"the message of a reduction is a link", linkedInJob("ice.txt")},
	{"the page of reports is a link", reported("reports/index.html", toVictim)},
	{"the page of reports is a pipe", reported("reports/index.html", toAPipe)},
	{"a report is a link", reported("reports/x.md", toVictim)},
	{"a report is endless", reported("reports/x.md", toZero)},
	{"a report is a pipe", reported("reports/x.md", toAPipe)},
	{"the directory of reports is a link", reported("reports", toItsDir)},
	{"a reproducer is a link", reported("a.txtar", toVictim)},
	{"a reproducer is endless", reported("a.txtar", toZero)},
	{"a reproducer is a pipe", reported("a.txtar", toAPipe)},
	{"a finding is a link", reported("findings/wrong-2", toItsDir)},
	{"the list of known buckets is a link", reported("known.txt", toVictim)},
	{"the list of known buckets is a pipe", reported("known.txt", toAPipe)},
	{"a file of a finding is a link", func(t *trial, victim string) {
		t.run()
		list := query(t.T, t.dir, `SELECT name FROM findings ORDER BY name`)
		require.NotEmpty(t, list, "the test needs something to find")
		for _, finding := range list {
			for _, name := range []string{"reduced.c", "repro.c", "reduced-want.txt", "repro.sh"} {
				instead(t.T, filepath.Join(t.dir, corpus.FindingsDir, finding, name), victim)
			}
		}
		if status, said := t.ask(patienceOfTrial, wide, "triage", "-n", "1", t.dir); status != 0 {
			t.complain("triage: status %d: %s", status, said)
		}
		first := filepath.Join(t.dir, corpus.FindingsDir, list[0])
		t.ask(soon, nil, "export", "-f", "-o", first, filepath.Join(first, corpus.FindingFile))
	}},
	{"a hunt goes on in a directory of links", func(t *trial, victim string) {
		before, err := os.ReadDir(t.bins)
		require.NoError(t, err)
		for name, to := range map[string]string{"findings": toItsDir(victim), "lock": victim, "generator-bug.txt": victim} {
			instead(t.T, filepath.Join(t.dir, name), to)
		}
		t.run()
		for _, name := range []string{"unconfirmed", "notes"} {
			instead(t.T, filepath.Join(t.dir, name), toItsDir(victim))
		}
		require.NoError(t, os.Remove(filepath.Join(t.dir, "findings")))
		t.run()
		if list, err := os.ReadDir(t.bins); err != nil || len(list) != len(before) {
			t.complain("written beside the victim: %v, %v", list, err)
		}
	}},
	{"a Go program of ill will", ofLanguage("internal-error-gc-GOARCH-s390x-N-4fce6b57.txtar", compilers.MainGo, func(t *trial, _ string) string {
		return t.marked("package main\n\nimport \"os\"\n\nfunc init() {\n\tos.WriteFile(\"$MARK/outside\", nil, 0o644)\n\tos.Symlink(\"$MARK/bin/victim\", \"repro.go\")\n" +
			"\tos.StartProcess(\"/bin/sh\", []string{\"sh\", \"-c\", \"sleep 1000; : $MARK\"}, &os.ProcAttr{})\n}\n\nfunc main() { b, _ := os.ReadFile(\"$MARK/bin/victim\"); os.Stdout.Write(b) }\n")
	})},
	{"a Go program that is compiled for ever", ofLanguage("internal-error-gc-GOARCH-s390x-N-4fce6b57.txtar", compilers.MainGo, func(*trial, string) string {
		text := "package main\n\nvar a = " + strings.Repeat("[...]string{0: ", 40) + "\"x\"" + strings.Repeat("}", 40) + "\n\nconst c = 1" + strings.Repeat(" << 1", 50_000) + "\n\nfunc main() {}\n"
		return text
	})},
	{"a Go program that includes a file", ofLanguage("internal-error-gc-GOARCH-s390x-N-4fce6b57.txtar", compilers.MainGo, func(t *trial, _ string) string {
		return t.marked("package main\n\nimport (\n\t\"C\"\n\t_ \"embed\"\n)\n\n//go:embed victim\nvar s string\n\n//line $MARK/bin/victim:1\nfunc main() { x }\n")
	})},
	{"a WebAssembly module that imports from its host", ofLanguage("wrong-answer-wazero-compiler-bb4d81c8.txtar", compilers.MainWasm, func(*trial, string) string {
		return wasmOf("\x02\x16\x02\x02fs\x04open\x00\x00\x07process\x04exit\x00\x00", "\x08\x01\x00")
	})},
	{"a WebAssembly module that starts by itself for ever", ofLanguage("wrong-answer-wazero-compiler-bb4d81c8.txtar", compilers.MainWasm, func(*trial, string) string {
		return wasmOf("\x03\x02\x01\x00", "\x08\x01\x00", "\x0a\x09\x01\x07\x00\x03\x40\x0c\x00\x0b\x0b")
	})},
	{"a WebAssembly module with names of escape sequences", ofLanguage("wrong-answer-wazero-compiler-bb4d81c8.txtar", compilers.MainWasm, func(*trial, string) string {
		return wasmOf("\x03\x02\x01\x00", "\x07\x0e\x01\x0a\x1b]0;x\x07\x1b[2J\x00\x00", "\x0a\x05\x01\x03\x00\x00\x0b")
	})},
	{"a WebAssembly module of 4 GB of memory", ofLanguage("wrong-answer-wazero-compiler-bb4d81c8.txtar", compilers.MainWasm, func(*trial, string) string {
		return wasmOf("\x03\x02\x01\x00", "\x05\x07\x01\x01\x80\x80\x04\x80\x80\x04", "\x08\x01\x00", "\x0a\x0b\x01\x09\x00\x41\x80\x80\x04\x40\x00\x1a\x0b")
	})},
	{"a WebAssembly module of a billion locals", ofLanguage("wrong-answer-wazero-compiler-bb4d81c8.txtar", compilers.MainWasm, func(*trial, string) string {
		return wasmOf("\x03\x02\x01\x00", "\x0a\x0a\x01\x08\x01\xff\xff\xff\xff\x03\x7e\x0b")
	})},
	{"a class that is another file", ofLanguage("internal-error-java-11-c2-2a78f4cf.txtar", compilers.MainClass, func(*trial, string) string {
		return hex.EncodeToString([]byte("\xca\xfe\xba\xbe\x00\x00\x00\x34\xff\xff"+strings.Repeat("\x01\xff\xff", 1000))) + "\n"
	})},
}

// wasmOf returns the file of a module with sections, after one type, of functions without
// parameters and results.
func wasmOf(sections ...string) string {
	module := "\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00" + strings.Join(sections, "")
	return string(hex.AppendEncode(nil, []byte(module))) + "\n"
}

// customOf returns the custom sections of a module, as its file holds them.
func customOf(t *testing.T, text string) string {
	module, err := hex.DecodeString(strings.ReplaceAll(text, "\n", ""))
	require.NoError(t, err)
	var list []byte
	for rest := module[8:]; len(rest) > 1; {
		size, n := binary.Uvarint(rest[1:])
		section := rest[:1+n+int(size)]
		if rest = rest[len(section):]; section[0] == 0 {
			list = append(list, section...)
		}
	}
	return hex.EncodeToString(list) + "\n"
}

// linkedInJob has a C file whose program at -O2 puts a link in the place of a file in its
// working directory be reduced.
func linkedInJob(name string) func(*trial, string) {
	return func(t *trial, victim string) {
		t.install(standIn{script: `[ "$level" = -O2 ] && set -- "$@" -DWRONG=1` + "\n"}, "99.1.0")
		// Cvise runs the program as well, so what the program does may stand in its place.
		cvise := "#!/bin/sh\nln -sf " + victim + " " + name + "\nexit 0\n"
		require.NoError(t, os.WriteFile(filepath.Join(t.bins, "cvise"), []byte(cvise), 0o755))
		require.NoError(t, exec.Command("chmod", "o+rx", t.root, t.bins).Run())
		text := `int printf(const char *, ...), unlink(const char *), symlink(const char *, const char *);
int main(void)
{
#ifdef WRONG
    unlink("` + name + `"), symlink("` + victim + `", "` + name + `");
    printf("1\n");
#endif
    printf("2\n");
    return 0;
}
`
		if name == "test.c" { // only cvise comes before it is read
			text = strings.ReplaceAll(text, "    unlink", "    // unlink")
		}
		file := filepath.Join(t.dir, "x.c")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		cmd := []string{"triage", "-do", "reduce", "-cc", "gcc-99", "-modes", "-O2", "-time", "20s", file}
		status, said := t.ask(patienceOfTrial, []string{"REIFY_CC=", "REIFY_MODES="}, cmd...)
		t.Logf("reduce: status %d: %s", status, said)
		if status != 0 && status != 2 || strings.Contains(said, "families must agree") {
			t.complain("reduce: status %d: %s", status, said)
		}
		require.NoError(t, os.Remove(filepath.Join(t.bins, "cvise")))
	}
}

// ofLanguage has the main file of a reproducer of the corpus be another, and gives all
// commands about it.
func ofLanguage(entry, main string, text func(*trial, string) string) func(*trial, string) {
	return func(t *trial, victim string) {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "corpus", entry))
		require.NoError(t, err)
		e, err := corpus.Parse(entry, data)
		require.NoError(t, err)
		old := e.Sources[main]
		e.Sources[main] = text(t, victim)
		if main == compilers.MainWasm { // the engines read the calls in the sections of ours
			e.Sources[main] += customOf(t.T, old)
		}
		dir := filepath.Join(t.dir, "strangers")
		require.NoError(t, os.Mkdir(dir, 0o777))
		file := filepath.Join(dir, "a.txtar")
		require.NoError(t, os.WriteFile(file, e.Format(), 0o644))
		all := []string{"REIFY_CC=", "REIFY_MODES="}
		var lang []string
		switch main {
		case compilers.MainGo:
			lang = []string{"REIFY_CC=gc", "REIFY_MODES=@N"}
		case compilers.MainWasm:
			lang = []string{"REIFY_CC=wazero,node", "REIFY_MODES="}
			if onPathOrGCC("node") != "node" {
				lang[0] = "REIFY_CC=wazero"
			}
		case compilers.MainClass:
			lang = []string{"REIFY_CC=" + onPathOrGCC("java"), "REIFY_MODES="}
		}
		for _, args := range [][]string{
			{"show", file}, {"show", "-as", "source", file}, {"show", "-as", "dot", file}, {"replay", file}, {"triage", "-do", "blame", "-o", "-", file},
			{"triage", "-do", "reduce", "-o", "-", file}, {"triage", "-do", "adopt", "-o", "-", file}, {"triage", dir}, {"report", dir}, {"others", "vary", "-n", "1", "-o", filepath.Join(dir, "variants"), file}, {"export", "-o", filepath.Join(dir, "out"), file},
		} {
			env := lang
			if slices.Contains([]string{"show", "report", "export", "others"}, args[0]) {
				env = all
			}
			if status, said := t.ask(patienceOfTrial, env, args...); status < 0 || status > 2 {
				t.complain("%s: status %d: %.300s", strings.Join(args[:len(args)-1], " "), status, said)
			}
		}
	}
}

// onPathOrGCC returns a command if it is on PATH, else the one that every machine has.
func onPathOrGCC(command string) string {
	if _, err := exec.LookPath(command); err != nil {
		return "gcc"
	}
	return command
}
