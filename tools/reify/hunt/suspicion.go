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
	// mostUnconfirmed bounds what is saved there: a compiler that is wrong
	// everywhere, with nobody else to ask, is suspected in every batch.
	mostUnconfirmed = 200
)

// suspect saves the suspicions of a batch, like findings but in a directory of
// their own. They are recorded nowhere else and count as nothing.
func (h *hunt) suspect(b batch, suspicions []*oracle.Finding) error {
	if len(suspicions) == 0 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	dir := filepath.Join(h.Dir, unconfirmedName)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, s := range suspicions {
		f, err := newFinding(b, s)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, f.name)
		if _, err := os.Stat(path); err == nil {
			continue // the batch ran before
		}
		if n, err := countUnconfirmed(h.Dir); err != nil || n >= mostUnconfirmed {
			return err
		}
		if err := save(dir, f); err != nil {
			return err
		}
		line := fmt.Sprintf("unconfirmed: %s in %s", f.entry.Title, path)
		if s.Doubt != "" {
			line += ": " + s.Doubt
		}
		h.log.line(line)
	}
	return nil
}

// unconfirmed returns the names in the directory of suspicions, and those of
// directories that are not whole.
func unconfirmed(hunt string) (whole, half []string, err error) {
	list, err := os.ReadDir(filepath.Join(hunt, unconfirmedName))
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

// countUnconfirmed returns the number of suspicions saved in a hunt's directory.
func countUnconfirmed(hunt string) (int, error) {
	whole, _, err := unconfirmed(hunt)
	return len(whole), err
}

// clearUnconfirmed removes the suspicions that a run which was killed has left
// half written.
func clearUnconfirmed(hunt string) error {
	_, half, err := unconfirmed(hunt)
	for _, name := range half {
		err = errors.Join(err, os.RemoveAll(filepath.Join(hunt, unconfirmedName, name)))
	}
	return err
}
