package report

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goreify/corpus"
)

// A Finding is a reproducer and where it was read from.
type Finding struct {
	Name  string // path below the directory that was read, with slashes
	Entry *corpus.Entry
	Count int // how often it was found, itself included; at least 1
}

// Load reads the findings in dir: the reproducers in it, and those of a hunt in
// findings/*/ below it. Entries that no compiler fails on are left out. It
// returns what could be read, sorted by name, also if the error says that some
// could not.
func Load(dir string) ([]Finding, error) {
	names, err := list(dir)
	errs := []error{err}
	var findings []Finding
	for _, name := range names {
		e, err := corpus.Load(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if e.Verdict != corpus.Untested {
			findings = append(findings, Finding{Name: name, Entry: e, Count: 1})
		}
	}
	return findings, errors.Join(errs...)
}

// list returns the names of the reproducers in dir, sorted. What starts with a
// dot is being saved.
func list(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if filepath.Ext(f.Name()) == corpus.Ext && !strings.HasPrefix(f.Name(), ".") {
			names = append(names, f.Name())
		}
	}
	found, err := os.ReadDir(filepath.Join(dir, "findings"))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	for _, d := range found {
		if d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			names = append(names, "findings/"+d.Name()+"/finding"+corpus.Ext)
		}
	}
	slices.Sort(names)
	return names, err
}
