package fuzzing

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// Where reproducers are.
const (
	CorpusDir  = "corpus"
	FoundDir   = "out/findings"
	AgainDir   = "out/duplicates"
	DoubtedDir = "out/unconfirmed"
)

// mostKept bounds the reproducers in AgainDir and in DoubtedDir.
const mostKept = 200

// found saves a finding, and tells of it. One whose fingerprint is known is told of
// once in a run.
func (s *session) found(t *testing.T, f *oracle.Finding, c *count) {
	e := dated(t, f)
	if err := os.MkdirAll(FoundDir, 0o755); err != nil {
		t.Fatal(err)
	}
	unlock, err := lock(FoundDir) // workers may come upon the same bug at the same time
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if like := corpus.Alike(e, CorpusDir, FoundDir); like != "" {
		c.Again++
		path := s.keep(t, AgainDir, e)
		if s.worker && !s.run.first(e.Fingerprint()) {
			return
		}
		c.AgainBugs++
		s.tell(t, fmt.Sprintf("AGAIN: %s\n  looks like   %s: the compiler, the levels and what goes wrong are the same\n%s", title(e), like, commands(path)))
		return
	}
	path, err := corpus.Save(FoundDir, e)
	if err != nil {
		t.Fatalf("saving a finding: %v: %v\n%s", err, f, e.Format())
	}
	c.New++
	s.tell(t, fmt.Sprintf("%s %s\n%s", newMark, title(e), commands(path)))
}

// newMark begins the line that tells of a new finding.
const newMark = "FOUND:"

// tell shows a text to the user, whose lines after the first are indented.
func (s *session) tell(t *testing.T, text string) {
	if !s.worker {
		t.Log(text)
		return
	}
	if err := s.run.tell(text); err != nil {
		t.Fatal(err)
	}
}

// symptoms say of verdicts what goes wrong.
var symptoms = map[string]string{
	compilers.WrongAnswer.String():   "wrong code: a wrong answer",
	compilers.Crash.String():         "wrong code: the program crashes",
	compilers.Endless.String():       "wrong code: the program does not end",
	compilers.InternalError.String(): "internal compiler error",
	compilers.SlowCompile.String():   "the compilation does not end",
	compilers.Rejected.String():      "a valid program is rejected",
}

// title says in a line what an entry shows.
func title(e *corpus.Entry) string {
	text := strings.Join(append([]string{e.Compiler}, e.Flags...), " ") + " " + e.Mode + ", " + symptoms[e.Verdict]
	var others []string
	for _, b := range e.Bad {
		for _, mode := range b.Modes {
			if b.Family != e.Family || b.Version != e.Version || mode != e.Mode {
				others = append(others, mode)
			}
			if b.Family != e.Family || b.Version != e.Version {
				others[len(others)-1] = b.Family + " " + b.Version + " " + mode
			}
		}
	}
	if others != nil {
		text += ", also at " + strings.Join(others, " ")
	}
	if e.Note(corpus.NoteIncomplete) != "" {
		text += ", others were not all asked"
	}
	switch {
	case e.Message != "" && e.Verdict != compilers.Endless.String():
		text += ": " + e.Message
	case e.Got != "":
		got, _, _ := strings.Cut(e.Got, ",")
		want, _, _ := strings.Cut(e.Expected, ",")
		text += fmt.Sprintf(" (%s, right is %s)", got, want)
	}
	return corpus.OneLine(text)
}

// commands returns lines that say what to do with a reproducer.
func commands(path string) string {
	if path == "" {
		return ""
	}
	return fmt.Sprintf("  to see it    go run ./tools/reify show %[1]s\n  to run it    go run ./tools/reify replay %[1]s\n  to reduce it go run ./tools/reify triage %[1]s\n", path)
}

// dated returns the reproducer of a finding of today.
func dated(t *testing.T, f *oracle.Finding) *corpus.Entry {
	e, err := f.Entry()
	if err != nil {
		t.Fatal(saveBug(err))
	}
	e.Date = time.Now().Format(time.DateOnly)
	return e
}

// keep saves a reproducer in a directory that may be full, and returns its path or "".
func (s *session) keep(t *testing.T, dir string, e *corpus.Entry) string {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err == nil && len(files) >= mostKept {
		return ""
	}
	path, err := corpus.Save(dir, e)
	if err != nil {
		t.Fatalf("%v\n%s", err, e.Format())
	}
	return path
}

// lock waits until no other process has locked a directory.
func lock(dir string) (unlock func(), err error) {
	d, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX); err != nil {
		return nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	return func() { _ = d.Close() }, nil
}
