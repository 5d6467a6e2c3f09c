package corpus

import (
	"fmt"
	"os"
	"path/filepath"
)

// Extract writes the files of the archive to dir, which must exist, over what
// is there under the same names. Command is meant to be run in dir then. An
// entry that fails Check is not written, so that no name leads out of dir.
func (e *Entry) Extract(dir string) error {
	if err := e.Check(); err != nil {
		return err
	}
	for _, f := range e.members() {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			return fmt.Errorf("corpus: extract: %w", err)
		}
	}
	return nil
}
