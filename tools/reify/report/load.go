package report

import (
	"errors"
	"fmt"
	"path/filepath"

	"goreify/corpus"
)

// A Finding is a reproducer and where it was read from.
type Finding struct {
	Name  string // path below the directory that was read, with slashes
	Entry *corpus.Entry
	Count int // how often it was found, itself included; at least 1
}

// Load reads the findings in dir: the reproducers in it, and those of a hunt in
// findings/*/ below it. Entries that no compiler fails on are left out. It returns what
// could be read, sorted by name, also if the error says that some could not. Entries
// with an invalid program count among these.
func Load(dir string) ([]Finding, error) {
	paths, err := corpus.Paths(dir)
	errs := []error{err}
	var findings []Finding
	for _, path := range paths {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return nil, err
		}
		e, err := corpus.Load(path)
		if err == nil {
			err = checkPrograms(path, e)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if e.Verdict != corpus.Untested {
			findings = append(findings, Finding{Name: filepath.ToSlash(name), Entry: e, Count: 1})
		}
	}
	return findings, errors.Join(errs...)
}

// checkPrograms returns an error if a program of an entry is invalid.
func checkPrograms(path string, e *corpus.Entry) error {
	for _, f := range []file{{"program.ir", e.Program}, {"reduced.ir", e.ReducedProgram}} {
		if f.Text == "" {
			continue
		}
		if _, err := readProgram(f.Text); err != nil {
			return fmt.Errorf("%s: %s: %w", path, f.Name, err)
		}
	}
	return nil
}
