package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"goreify/reify/safefile"
)

// KnownFile is the name of the ledger of known bugs in a directory of reproducers.
const KnownFile = "known.txt"

// A Known is what is known of a bucket, or of a reproducer, from the tracker of its
// compiler.
type Known struct {
	// Bucket is as in Entry.Bucket, or a reproducer's name without its extension:
	// culprits change, and a bucket may hold two bugs.
	Bucket string
	Link   string // where the bug is tracked, or empty
	Note   string // further remarks, as Remarks takes them apart, or empty
	State  State  // or empty: the bug has been reported, or will not be
	Looked string // day on which the tracker was looked through, as 2006-01-02, or empty
}

// Remarks are what a note says, by the labels of its sentences. Any may be empty.
type Remarks struct {
	Cause    string // what goes wrong and where, as read in the compiler: the text before any label
	Near     string // reports of something else that is near, and how this differs
	Searched string // the terms that were searched
	Tip      string // what the development version does, if it is not among the versions that were asked
	Private  string // why it must not be told in public
	Public   string // why it may
}

var label = regexp.MustCompile(`(?:^|\. )(Near|Searched|Tip|In private|In public): `)

// Remarks takes the note apart.
func (k Known) Remarks() (r Remarks) {
	at := map[string]*string{"Near": &r.Near, "Searched": &r.Searched, "Tip": &r.Tip, "In private": &r.Private, "In public": &r.Public}
	to, rest := &r.Cause, k.Note
	for {
		m := label.FindStringSubmatchIndex(rest)
		if m == nil {
			*to = strings.TrimSuffix(rest, ".")
			return r
		}
		*to = rest[:m[0]]
		to, rest = at[rest[m[2]:m[3]]], rest[m[1]:]
	}
}

// Same tells whether the finding is a duplicate of another reproducer.
func (k Known) Same() bool { return strings.HasPrefix(string(k.State), string(DuplicateOf)) }

// A State says what a tracker has of a bug: one of States, followed by a version, a link or a
// name where it ends in "in" or "of".
type State string

// States are the words that a State begins with.
var States = []State{Open, FixedIn, DuplicateOf, Likely, NotFound}

// The words of States.
const (
	Open        State = "open"
	FixedIn     State = "fixed in"
	DuplicateOf State = "duplicate of" // a report, or a reproducer
	Likely      State = "likely"       // Link is probably the same bug
	NotFound    State = "not found"
)

// Check returns an error unless s is empty or a state.
func (s State) Check() error {
	for _, word := range States {
		rest, ok := strings.CutPrefix(string(s), string(word))
		wants := word == FixedIn || word == DuplicateOf
		if s == "" || ok && (rest == "") != wants && (rest == "" || len(rest) > 1 && rest[0] == ' ') {
			return nil
		}
	}
	return fmt.Errorf("the state %q is not known, want open, fixed in VERSION, duplicate of NAME, likely or not found", s)
}

// Settled returns those of a list that need no attention any more: hunts only count them. Of
// the others nothing was found in a tracker, or it is not sure. A duplicate of a reproducer is
// what that is.
func Settled(list []Known) []Known {
	settled := func(k Known) bool { return k.State != Likely && k.State != NotFound }
	var some []Known
	for _, k := range list {
		of, is := strings.CutPrefix(string(k.State), string(DuplicateOf)+" ")
		first := slices.IndexFunc(list, func(k Known) bool { return is && k.Bucket == of })
		if settled(k) && (first < 0 || settled(list[first])) {
			some = append(some, k)
		}
	}
	return some
}

// Of tells whether k is about a finding: about one of its buckets, or the reproducer at a path.
func (k Known) Of(e *Entry, path string) bool {
	return k.Bucket == FindingName(path) || slices.Contains(e.Buckets(), k.Bucket)
}

// LoadKnown reads a ledger: a line for each bucket or reproducer, with link, note, state and
// the day of the search, a tab between them; those after the first may be left out. Empty lines
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
	if len(words) > 5 {
		return k, false, errors.New("want bucket, link, note, state and day with a tab between them")
	}
	for i, at := range []*string{&k.Bucket, &k.Link, &k.Note, (*string)(&k.State), &k.Looked} {
		if i < len(words) {
			*at = strings.TrimSpace(words[i])
		}
	}
	if k.Bucket == "" {
		return k, false, errors.New("no bucket")
	}
	if err := k.State.Check(); err != nil {
		return k, false, err
	}
	if _, err := time.Parse(time.DateOnly, k.Looked); k.Looked != "" && err != nil {
		return k, false, fmt.Errorf("%q is not a day such as 2026-11-20", k.Looked)
	}
	return k, true, nil
}

// String returns the line of k in a list.
func (k Known) String() string {
	return strings.TrimRight(strings.Join([]string{k.Bucket, k.Link, k.Note, string(k.State), k.Looked}, "\t"), "\t")
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
