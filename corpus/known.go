package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"goreify/reify/safefile"
)

// KnownFile is the name of the list of known buckets in a directory of
// reproducers.
const KnownFile = "known.txt"

// A Known is a bucket that needs no attention any more: its bug has been
// reported, or will not be.
type Known struct {
	Bucket string // as in Entry.Bucket
	Link   string // where the bug is tracked, or empty
	Note   string // further remarks, or empty
}

// LoadKnown reads a list of known buckets: a line each, the bucket, the link and
// the note with a tab between them; the last two may be left out. Empty lines
// and those that start with # are comments. A file that does not exist is an
// error that wraps fs.ErrNotExist; one that is malformed is a *SyntaxError.
func LoadKnown(path string) ([]Known, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return parseKnown(path, string(data))
}

func parseKnown(path, text string) ([]Known, error) {
	var list []Known
	first := map[string]int{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		k, ok, err := parseKnownLine(line)
		if err == nil && ok && first[k.Bucket] > 0 {
			err = fmt.Errorf("second line for %s, the first is at line %d", k.Bucket, first[k.Bucket])
		}
		if err != nil {
			return nil, &SyntaxError{File: path, Line: n, Msg: err.Error()}
		}
		if ok {
			first[k.Bucket] = n
			list = append(list, k)
		}
	}
	return list, nil
}

// parseKnownLine reads a line that is not a comment.
func parseKnownLine(line string) (k Known, ok bool, err error) {
	line = strings.TrimRight(line, "\r\n")
	switch {
	case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		return k, false, nil
	case !printable(line):
		return k, false, errors.New("the line holds a character that is not printable")
	}
	words := strings.Split(line, "\t")
	if len(words) > 3 {
		return k, false, errors.New("want bucket, link and note with a tab between them")
	}
	for i, at := range []*string{&k.Bucket, &k.Link, &k.Note} {
		if i < len(words) {
			*at = strings.TrimSpace(words[i])
		}
	}
	if k.Bucket == "" {
		return k, false, errors.New("no bucket")
	}
	return k, true, nil
}

// String returns the line of k in a list.
func (k Known) String() string {
	return strings.TrimRight(k.Bucket+"\t"+k.Link+"\t"+k.Note, "\t")
}

// MarkKnown puts a bucket on the list at path, or replaces its line. A list that does
// not exist is created. Other lines stay as they are. The file is written whole or not
// at all.
func MarkKnown(path string, k Known) error {
	back, ok, err := parseKnownLine(k.String())
	if err != nil || !ok || back != k {
		return fmt.Errorf("corpus: %q cannot be a line of %s", k.String(), filepath.Base(path))
	}
	data, err := readFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("corpus: %w", err)
	}
	if _, err := parseKnown(path, string(data)); err != nil {
		return err
	}
	var text strings.Builder
	found := false
	for line := range strings.Lines(string(data)) {
		if old, ok, err := parseKnownLine(line); err == nil && ok && old.Bucket == k.Bucket {
			line, found = k.String(), true
		}
		text.WriteString(strings.TrimRight(line, "\n") + "\n")
	}
	if !found {
		text.WriteString(k.String() + "\n")
	}
	if err := safefile.Write(path, []byte(text.String()), 0o644); err != nil {
		return fmt.Errorf("corpus: %w", err)
	}
	return nil
}
