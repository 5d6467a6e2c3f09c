package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goreify/reify/safefile"
)

// LifeFile is the name of the record of later answers in a directory of reproducers.
const LifeFile = "life.txt"

// A Life is what the newest compiler said of a reproducer on a day.
type Life struct {
	Day      string // as 2006-01-02
	Finding  string // a reproducer's name without its extension
	Compiler string // family and version
	State    LifeState
	Detail   string // of a failure in another form, or by a plainer command; or empty
}

// A LifeState is what became of a failure.
type LifeState string

// The states of a life.
const (
	StillFails  LifeState = "fails"
	Fixed       LifeState = "fixed"
	ChangedForm LifeState = "changed" // it fails in other modes, in another way, or only as it was found
)

// LoadLife reads a record: a line for each answer, with its values in their order and a tab between
// them, the oldest first. Lines that start with # are comments. The errors are those of LoadKnown.
func LoadLife(path string) ([]Life, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return parseLife(path, string(data))
}

func parseLife(path, text string) (list []Life, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		l, err := parseLifeLine(line)
		if err != nil {
			return nil, &SyntaxError{File: path, Line: n, Msg: err.Error()}
		}
		list = append(list, l)
	}
	return list, nil
}

func parseLifeLine(line string) (l Life, err error) {
	words := strings.Split(line, "\t")
	if !printable(strings.ReplaceAll(line, "\t", " ")) || len(words) < 4 || len(words) > 5 {
		return l, errors.New("want day, finding, compiler, state and maybe a detail, with a tab between them")
	}
	l = Life{Day: words[0], Finding: words[1], Compiler: words[2], State: LifeState(words[3]), Detail: strings.Join(words[4:], "")}
	if _, err := time.Parse(time.DateOnly, l.Day); err != nil {
		return l, fmt.Errorf("%q is not a day such as 2026-11-20", l.Day)
	}
	if !slices.Contains([]LifeState{StillFails, Fixed, ChangedForm}, l.State) {
		return l, fmt.Errorf("the state %q is not known, want fails, fixed or changed", l.State)
	}
	return l, nil
}

// String returns the line of l in a record.
func (l Life) String() string {
	return strings.TrimRight(strings.Join([]string{l.Day, l.Finding, l.Compiler, string(l.State), l.Detail}, "\t"), "\t")
}

// AddLife adds answers to the record at path, which is made if it is not there. One that is what a
// compiler of the same version said of the reproducer last is left out: a record grows with
// compilers, not with questions. The file is written whole or not at all.
func AddLife(path string, answers []Life) error {
	data, err := readFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("corpus: %w", err)
	}
	list, err := parseLife(path, string(data))
	if err != nil {
		return err
	}
	text := string(data)
	for _, a := range answers {
		if back, err := parseLifeLine(a.String()); err != nil || back != a {
			return fmt.Errorf("corpus: %q cannot be a line of %s", a.String(), filepath.Base(path))
		}
		if last, ok := LastLife(list, a.Finding); ok && last.Compiler == a.Compiler && last.State == a.State && last.Detail == a.Detail {
			continue
		}
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += a.String() + "\n"
		list = append(list, a)
	}
	if text == string(data) {
		return nil
	}
	if err := safefile.Write(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("corpus: %w", err)
	}
	return nil
}

// LastLife returns the last answer about a reproducer, if there is one.
func LastLife(list []Life, finding string) (last Life, ok bool) {
	for _, l := range list {
		if l.Finding == finding {
			last, ok = l, true
		}
	}
	return last, ok
}

// FindingName returns the name of the reproducer at a path: of its file, or of its directory in that
// of a hunt, without extension.
func FindingName(path string) string {
	name := filepath.Base(path)
	if name == FindingFile {
		name = filepath.Base(filepath.Dir(path))
	}
	return strings.TrimSuffix(name, Ext)
}
