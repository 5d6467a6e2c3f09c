package hunt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"goreify/corpus"
)

const (
	scriptName = "repro.sh"
	unsaved    = ".saving-" // before the name of a directory that is not whole
)

// save writes a finding to a directory of its name: the txtar, its files, and
// repro.sh. The directory appears whole or not at all, and is on the disk when
// save returns. One that is there is left alone.
func save(findings string, f finding) error {
	final := filepath.Join(findings, f.name)
	if _, err := os.Stat(final); err == nil {
		return nil
	}
	if err := f.entry.Check(); err != nil {
		return err
	}
	tmp := filepath.Join(findings, unsaved+f.name)
	err := os.Mkdir(tmp, 0o755)
	if errors.Is(err, fs.ErrExist) { // of a run that was killed; runs are alone
		err = errors.Join(os.RemoveAll(tmp), os.Mkdir(tmp, 0o755))
	}
	if err == nil {
		err = fill(tmp, f)
	}
	if err == nil {
		err = os.Rename(tmp, final)
	}
	if err != nil {
		// Files that cannot be removed now are removed when the next run begins.
		_ = os.RemoveAll(tmp)
		return fmt.Errorf("saving %s: %w", f.name, err)
	}
	return flush(findings)
}

// fill writes the files of a finding, and waits until they are on the disk.
func fill(dir string, f finding) error {
	if err := f.entry.Extract(dir, false); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, corpus.FindingFile), f.entry.Format(), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, scriptName), []byte(script(f.entry, f.slow)), 0o755); err != nil {
		return err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := flush(filepath.Join(dir, file.Name())); err != nil {
			return err
		}
	}
	return flush(dir)
}

// flush waits until a file or directory is on the disk.
func flush(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// reconcile brings directory and database together after a run that was
// killed: what is half written is removed, and a finding that is whole but not
// recorded is recorded. It reports what it did a line each.
func reconcile(s *store, run int64, findings string, report func(string)) error {
	dirs, err := os.ReadDir(findings)
	if err != nil {
		return err
	}
	for _, d := range dirs {
		path := filepath.Join(findings, d.Name())
		if strings.HasPrefix(d.Name(), unsaved) {
			report(d.Name() + " was not whole and is removed; its batch runs again")
			if err := os.RemoveAll(path); err != nil {
				return err
			}
			continue
		}
		if ok, err := s.recorded(d.Name()); err != nil {
			return err
		} else if ok {
			continue
		}
		if err := adopt(s, run, path); err != nil {
			report(fmt.Sprintf("%s is not of this hunt and is left alone: %v", path, err))
			continue
		}
		report(d.Name() + " was saved but not recorded, and is now")
	}
	return nil
}

// adopt records the finding that is in a directory.
func adopt(s *store, run int64, path string) error {
	e, err := corpus.Load(filepath.Join(path, corpus.FindingFile))
	if err != nil {
		return err
	}
	f, err := findingOf(e)
	if err != nil {
		return err
	}
	if f.name != filepath.Base(path) {
		return fmt.Errorf("its name should be %s", f.name)
	}
	f.sum = sumOfEntry(e)
	return s.record(run, f, usage{})
}
