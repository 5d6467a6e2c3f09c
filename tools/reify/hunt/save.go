package hunt

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"goreify/corpus"
	"goreify/reify/safefile"
)

const (
	scriptName = "repro.sh"
	unsaved    = ".saving-" // before the name of a directory that is not whole
)

// save writes a finding to a directory of its name in the directory called where of a hunt:
// the txtar, its files, and repro.sh. The directory appears whole or not at all, and is on
// the disk when save returns. One that is there is left alone.
func save(hunt, where string, f finding) error {
	dir, err := safefile.Below(hunt, true, where)
	if err != nil {
		return err
	}
	defer dir.Close() // what is written is flushed
	if _, err := dir.Lstat(f.name); err == nil {
		return nil
	}
	if err := f.entry.Check(); err != nil {
		return err
	}
	tmp := unsaved + f.name
	err = dir.RemoveAll(tmp) // of a run that was killed; runs are alone
	if err == nil {
		err = fill(dir, tmp, f)
	}
	if err == nil {
		err = dir.Rename(tmp, f.name)
	}
	if err != nil {
		// Files that cannot be removed now are removed when the next run begins.
		_ = dir.RemoveAll(tmp)
		return fmt.Errorf("saving %s: %w", f.name, err)
	}
	return dir.Sync()
}

// fill writes the files of a finding, and waits until they are on the disk.
func fill(in *safefile.Dir, name string, f finding) error {
	dir, err := in.MakeSub(name)
	if err != nil {
		return err
	}
	defer dir.Close() // what is written is flushed
	if err := f.entry.ExtractTo(dir, false); err != nil {
		return err
	}
	if err := dir.New(corpus.FindingFile, f.entry.Format(), 0o644); err != nil {
		return err
	}
	if err := dir.New(scriptName, []byte(script(f.entry, f.slow)), 0o755); err != nil {
		return err
	}
	files, err := dir.List()
	if err != nil {
		return err
	}
	for _, entry := range files {
		file, err := dir.File(entry.Name())
		if err != nil {
			return err
		}
		if err := errors.Join(file.Sync(), file.Close()); err != nil {
			return err
		}
	}
	return dir.Sync()
}

// reconcile brings the directory of a hunt and its database together after a run that was
// killed: half written findings are removed, and a finding that is whole and not
// recorded is recorded. It reports its doings a line each.
func reconcile(s *store, run int64, hunt string, report func(string)) error {
	findings, err := safefile.Below(hunt, false, corpus.FindingsDir)
	if err != nil {
		return err
	}
	defer findings.Close() // read only
	dirs, err := findings.List()
	if err != nil {
		return err
	}
	for _, d := range dirs {
		if strings.HasPrefix(d.Name(), unsaved) {
			report(d.Name() + " was not whole and is removed; its batch runs again")
			if err := findings.RemoveAll(d.Name()); err != nil {
				return err
			}
			continue
		}
		if ok, err := s.recorded(d.Name()); err != nil {
			return err
		} else if ok {
			continue
		}
		if err := adopt(s, run, hunt, d.Name()); err != nil {
			report(fmt.Sprintf("%s is not of this hunt and is left alone: %v", filepath.Join(findings.Path(), d.Name()), err))
			continue
		}
		report(d.Name() + " was saved but not recorded, and is now")
	}
	return nil
}

// adopt records a finding that is in the directory of a hunt.
func adopt(s *store, run int64, hunt, name string) error {
	e, err := corpus.LoadFinding(hunt, name)
	if err != nil {
		return err
	}
	f, err := findingOf(e)
	if err != nil {
		return err
	}
	if f.name != name {
		return fmt.Errorf("its name should be %s", f.name)
	}
	f.sum = sumOfEntry(e)
	return s.record(run, f, usage{})
}
