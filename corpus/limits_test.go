package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

// repeated returns as many different lines as there is room for.
func repeated(size int, format string) string {
	before, after, _ := strings.Cut(format, "%d")
	b := make([]byte, 0, size)
	for n := 0; len(b) < size-40; n++ {
		b = append(strconv.AppendInt(append(b, before...), int64(n), 10), after...)
	}
	return string(b)
}

// What is as large as may be read takes less than 200 MB, the file included,
// whatever it is full of. All that is allocated is counted, freed or not.
func TestLimits(t *testing.T) {
	need.Long(t)
	full := read(t, "full.txtar")
	room := maxFile - len(full)
	for name, tt := range map[string]struct{ old, new, want string }{
		"header lines":         {"x-note: twice\n", repeated(room, "x-a: %d\n"), ":10001: the header has more than 10000 lines"},
		"empty header lines":   {"x-note: twice\n", strings.Repeat("\n", room), ":10001: the header has more than 10000 lines"},
		"header without a key": {"x-note: twice\n", strings.Repeat("-- \n", room/4), ":10001: the header has more than 10000 lines"},
		"line of the header":   {"x-note: twice", "x-a: " + strings.Repeat("a", room), fmt.Sprintf(":33: the line has %d bytes, and 65536 are the most here", room+6)},
		"files":                {"-- recipe --\n", repeated(room, "-- %d --\n") + "-- recipe --\n", ": the archive has more than 10000 files"},
		"name of a file":       {"-- second.c --", "-- " + strings.Repeat("\x01", room-3) + " --", fmt.Sprintf(":51: the line has %d bytes", room+4)},
		"streams":              {"body:\n", repeated(room, "%d:\n"), ": more than 10000 streams"},
		"stream":               {"body:\n", "body:" + strings.Repeat("00", room/2-8) + "\n", ""},
		"name of a stream":     {"body:\n", strings.Repeat("a", room) + ":\n", ":35: want name: hex"},
		"line of a file":       {"int second(void) { return 42; }\n", strings.Repeat("\x01", room) + "\n", ""},
		"lines of a file":      {"int second(void) { return 42; }\n", strings.Repeat("\n", room), ""},
		"answer":               {"42\n-- trace", strings.Repeat("\x01", room) + "\n-- trace", ""},
		"no newline":           {"-- trace.txt --\n", "-- z.c --\n" + strings.Repeat("a", 2*room), ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, full, tt.old)
			text := strings.Replace(full, tt.old, tt.new, 1)
			data := []byte(text[:min(len(text), maxFile)])
			read := func() error { _, err := Parse("f", data); return err }
			budget := uint64(200e6 - maxFile)
			if len(text) > maxFile { // it is cut, and ends in no newline
				file := filepath.Join(t.TempDir(), "a.txtar")
				require.NoError(t, os.WriteFile(file, data, 0o600))
				read = func() error { _, err := Load(file); return err }
				budget = 200e6
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := read()
			runtime.ReadMemStats(&after)
			if tt.want == "" {
				assert.NoError(t, err)
			} else if assert.ErrorContains(t, err, tt.want) {
				assert.Less(t, len(err.Error()), 4*maxBytes)
			}
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, budget)
		})
	}
}

func TestTooLarge(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txtar")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Truncate(file, 1<<40))
	want := fmt.Sprintf("read %s: it is too large: it has more than 67108864 bytes", file)
	_, err := Load(file)
	assert.EqualError(t, err, want)
	_, err = LoadKnown(file)
	assert.EqualError(t, err, want)
	_, err = Load("/dev/zero")
	assert.EqualError(t, err, "read /dev/zero: it is too large: it has more than 67108864 bytes")
	_, err = Parse("f", bytes.Repeat([]byte("\n"), maxFile+2))
	assert.EqualError(t, err, "f:1: the archive has 67108866 bytes, and 67108864 are the most")
}

// A pipe is read as a file is, and waited for only if there is a writer.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "f.txtar")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	_, err := Load(pipe)
	require.Error(t, err)
	text, err := os.ReadFile(filepath.Join("testdata", "full.txtar"))
	require.NoError(t, err)
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	written := make(chan error, 1)
	go func() {
		_, err := w.Write(text)
		written <- errors.Join(err, w.Close())
	}()
	e, err := Load(fmt.Sprintf("/proc/self/fd/%d", r.Fd())) // as shells name those of <(cat FILE)
	require.NoError(t, err)
	require.NoError(t, <-written)
	assert.Equal(t, "wrong", e.Verdict)
}
