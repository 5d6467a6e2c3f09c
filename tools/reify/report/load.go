package report

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"goreify/corpus"
)

// A Finding is a reproducer and where it was read from.
type Finding struct {
	Name  string // path below the directory that was read, with slashes
	Entry *corpus.Entry
	Count int // how often it was found, itself included; at least 1
}

// Load reads the findings in dir: its reproducers, or, if it is that of a hunt,
// those below dir/findings. Entries that no compiler fails on are left out. It
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

// list returns the names of the reproducers in dir.
func list(dir string) ([]string, error) {
	below := filepath.Join(dir, "findings")
	found, err := os.ReadDir(below)
	if errors.Is(err, fs.ErrNotExist) {
		return listPlain(dir)
	}
	var names []string
	for _, d := range found {
		// What starts with a dot is being saved.
		if d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			names = append(names, "findings/"+d.Name()+"/finding"+corpus.Ext)
		}
	}
	return names, err
}

func listPlain(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	var names []string
	for _, f := range files {
		if filepath.Ext(f.Name()) == corpus.Ext && !strings.HasPrefix(f.Name(), ".") {
			names = append(names, f.Name())
		}
	}
	return names, err
}
