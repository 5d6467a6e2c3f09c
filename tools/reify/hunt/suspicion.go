package hunt

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"goreify/reify/oracle"
	"goreify/reify/safefile"
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
func (h *hunt) suspect(b batch, list []*oracle.Finding) error {
	if len(list) == 0 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range list {
		f, err := newFinding(b, s)
		if err != nil {
			return err
		}
		what := unconfirmedName
		if s.Note {
			what, f.name = notesName, f.name[:strings.LastIndex(f.name, "-")+1]+sum(f.fingerprint())
		}
		whole, _, err := suspicions(h.Dir, what)
		if err != nil {
			return err
		}
		if slices.Contains(whole, f.name) {
			continue // the batch ran before, or the note is there
		}
		if len(whole) >= mostUnconfirmed {
			return nil
		}
		if err := save(h.Dir, what, f); err != nil {
			return err
		}
		line := fmt.Sprintf("%s: %s in %s", what, f.entry.Title, filepath.Join(h.Dir, what, f.name))
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
	dir, err := safefile.Below(hunt, false, what)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close() // read only
	list, err := dir.List()
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

// removeSuspicion removes one that a directory of suspicions may have.
func removeSuspicion(hunt, what, name string) error {
	dir, err := safefile.Below(hunt, false, what)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(dir.RemoveAll(name), dir.Close())
}

// clearUnconfirmed removes the suspicions that a run which was killed has left
// half written.
func clearUnconfirmed(hunt string) error {
	var errs []error
	for _, what := range []string{unconfirmedName, notesName} {
		_, half, err := suspicions(hunt, what)
		errs = append(errs, err)
		for _, name := range half {
			errs = append(errs, removeSuspicion(hunt, what, name))
		}
	}
	return errors.Join(errs...)
}
