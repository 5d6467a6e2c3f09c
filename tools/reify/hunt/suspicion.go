package hunt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"goreify/reify/oracle"
)

const (
	unconfirmedName = "unconfirmed" // directory below that of the hunt
	notesName       = "notes"       // likewise, of what hidden flags alone show
	// mostUnconfirmed bounds what is saved in each: a compiler that is wrong
	// everywhere, with no other to ask, is suspected in every batch.
	mostUnconfirmed = 200
)

// suspect saves the suspicions of a batch, like findings but in a directory of
// their own. They are recorded nowhere else and count as nothing. Of notes the first
// of each fingerprint is saved.
func (h *hunt) suspect(b batch, suspicions []*oracle.Finding) error {
	if len(suspicions) == 0 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range suspicions {
		f, err := newFinding(b, s)
		if err != nil {
			return err
		}
		what := unconfirmedName
		if s.Note {
			what, f.name = notesName, f.name[:strings.LastIndex(f.name, "-")+1]+sum(f.entry.Fingerprint())
		}
		dir := filepath.Join(h.Dir, what)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		path := filepath.Join(dir, f.name)
		if _, err := os.Stat(path); err == nil {
			continue // the batch ran before, or the note is there
		}
		if n, err := countSuspicions(h.Dir, what); err != nil || n >= mostUnconfirmed {
			return err
		}
		if err := save(dir, f); err != nil {
			return err
		}
		line := fmt.Sprintf("%s: %s in %s", what, f.entry.Title, path)
		if s.Doubt != "" {
			line += ": " + s.Doubt
		}
		h.log.line(line)
	}
	return nil
}

// suspicions returns the names in a directory of suspicions, and those of directories
// that are not whole.
func suspicions(hunt, what string) (whole, half []string, err error) {
	list, err := os.ReadDir(filepath.Join(hunt, what))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	for _, d := range list {
		if strings.HasPrefix(d.Name(), unsaved) {
			half = append(half, d.Name())
		} else {
			whole = append(whole, d.Name())
		}
	}
	return whole, half, err
}

// countSuspicions returns the number of those saved in a directory of suspicions.
func countSuspicions(hunt, what string) (int64, error) {
	whole, _, err := suspicions(hunt, what)
	return int64(len(whole)), err
}

// clearUnconfirmed removes the suspicions that a run which was killed has left
// half written.
func clearUnconfirmed(hunt string) error {
	var errs []error
	for _, what := range []string{unconfirmedName, notesName} {
		_, half, err := suspicions(hunt, what)
		errs = append(errs, err)
		for _, name := range half {
			errs = append(errs, os.RemoveAll(filepath.Join(hunt, what, name)))
		}
	}
	return errors.Join(errs...)
}
