package feedback

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"goreify/reify"
)

// copyDir copies the plain files of a directory; one that is missing has none.
func copyDir(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	files, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, f.Name()), text, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func count(pattern string) (int, error) {
	files, err := filepath.Glob(pattern)
	return len(files), err
}

// distinctLines returns the different whole lines of a file.
func distinctLines(path string) (map[string]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(text) {
		if bytes.HasSuffix(line, []byte("\n")) { // the last may be cut off
			seen[string(line)] = true
		}
	}
	return seen, nil
}

// writeJSON writes a file, whole or not at all.
func writeJSON(name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".part", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(name+".part", name)
}

// readResults reads the results in the directory, by seed, those with feedback
// first. The error may say that one is not of these options.
func readResults(opt Options) ([]Result, error) {
	names, err := filepath.Glob(filepath.Join(opt.Dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var results []Result
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var r Result
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if r.Version != reify.Version || r.Target != opt.Target || r.Time != opt.Time {
			return nil, fmt.Errorf("%s is of version %s, %s and %v, not of %s, %s and %v", name, r.Version, r.Target, r.Time, reify.Version, opt.Target, opt.Time)
		}
		results = append(results, r)
	}
	slices.SortStableFunc(results, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), -strings.Compare(word(a.On), word(b.On)))
	})
	return results, nil
}

// clockTick is the unit of times in /proc, USER_HZ, on all of Linux's
// architectures.
const clockTick = 10 * time.Millisecond

// cpu returns the CPU time, user and system, of a process, of its children that
// run, and of all that have ended and been waited for.
func cpu(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name may have spaces
	fields := strings.Fields(after)
	if len(fields) < 15 {
		return 0, fmt.Errorf("/proc/%d/stat: %q", pid, text)
	}
	var sum time.Duration
	for _, field := range fields[11:15] { // utime, stime, cutime, cstime
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("/proc/%d/stat: %w", pid, err)
		}
		sum += time.Duration(n) * clockTick
	}
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return 0, err
	}
	for _, list := range lists {
		children, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for child := range strings.FieldsSeq(string(children)) {
			if n, err := strconv.Atoi(child); err == nil {
				used, err := cpu(n)
				if err == nil { // or it has ended
					sum += used
				}
			}
		}
	}
	return sum, nil
}
