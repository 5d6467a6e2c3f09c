package corpus

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"syscall"
)

// Limits of files, far above ordinary ones, so that no file uses up the memory of the
// machine. A header has at most maxLines lines, an archive as many files, a recipe as
// many streams.
const (
	maxFile  = 64 << 20 // bytes of a file
	maxLines = 10_000
	maxBytes = 64 << 10 // of a line of the header, and of one that starts like a marker
)

// readFile reads a file of at most maxFile bytes. The buffer has room for one more
// newline.
func readFile(path string) ([]byte, error) {
	// A pipe without a writer is empty; it is not waited for.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	if size := info.Size(); size <= maxFile {
		data.Grow(int(size) + bytes.MinRead)
		_, err = data.ReadFrom(io.LimitReader(f, maxFile+1)) // pipes have no size
		if err == nil && data.Len() > maxFile {
			err = tooLarge(path, "more")
		}
	} else {
		err = tooLarge(path, fmt.Sprintf("%d bytes", size))
	}
	return data.Bytes(), err
}

func tooLarge(path, size string) error {
	return fmt.Errorf("%s is not read: it has %s, and %d bytes are the most", path, size, maxFile)
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
