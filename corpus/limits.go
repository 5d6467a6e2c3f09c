package corpus

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"

	"goreify/reify/safefile"
)

// Limits of files, far above ordinary ones, so that no file uses up the memory of the
// machine. A header has at most maxLines lines, an archive as many files, a recipe as
// many streams.
const (
	maxFile  = 64 << 20 // bytes of a file
	maxLines = 10_000
	maxBytes = 64 << 10 // of a line of the header, and of one that starts like a marker
)

// readFile reads a file of at most maxFile bytes. A link to a file is an error: in a
// directory of a stranger it may lead anywhere. The buffer has room for one more newline.
func readFile(path string) ([]byte, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSymlink {
		if to, err := os.Stat(path); err == nil && to.Mode().Type() != fs.ModeNamedPipe { // as a shell's <(...) leads to
			return nil, fmt.Errorf("%s is not read: %w; name the file that it leads to", path, safefile.ErrLink)
		}
	}
	return safefile.Read(path, maxFile)
}

// withinLimits rejects archives that would take too much memory, before anything is
// made of them.
func (p *parser) withinLimits(data []byte) error {
	if len(bytes.TrimSuffix(data, []byte("\n"))) > maxFile {
		return p.errorf("the archive has %d bytes, and %d are the most", len(data), maxFile)
	}
	n, files := 0, 0
	for line := range bytes.Lines(data) {
		n++
		dashes := bytes.HasPrefix(line, []byte("-- "))
		if files > 0 && !dashes {
			continue
		}
		p.line = n
		if len(line) > maxBytes {
			return p.errorf("the line has %d bytes, and %d are the most here", len(line), maxBytes)
		}
		if dashes && likeMarker(string(bytes.TrimSuffix(line, []byte("\n")))) {
			files++
		}
		if files == 0 && n > maxLines {
			return p.errorf("the header has more than %d lines", maxLines)
		}
		if files > maxLines {
			return p.errorf("the archive has more than %d files", maxLines)
		}
	}
	p.line = 0
	return nil
}
