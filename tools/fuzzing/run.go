package fuzzing

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"goreify/reify/safefile"

	"github.com/cespare/xxhash/v2"
)

// A run is the directory in which the workers of a coordinator tell what they did:
// the engine drops what they print.
//
//	told     texts for the user, in the order of time
//	PID      the tally of a worker
//	known-*  there is one for each known fingerprint that was told of
//	cache/   what the engine calls interesting
type run string

// runsDir has a directory for each run that goes on.
const runsDir = "out/fuzz"

// runOf returns the run of the coordinator with a process number.
func runOf(coordinator int) run { return run(filepath.Join(runsDir, strconv.Itoa(coordinator))) }

// open makes the directory of a run, and removes those of coordinators that are gone.
func (r run) open() error {
	old, err := os.ReadDir(runsDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, d := range old {
		pid, err := strconv.Atoi(d.Name())
		if err == nil && (errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || runOf(pid) == r) {
			if err := runOf(pid).remove(); err != nil {
				return err
			}
		}
	}
	return os.MkdirAll(r.path("cache"), 0o755)
}

func (r run) remove() error { return os.RemoveAll(string(r)) }

func (r run) path(name string) string { return filepath.Join(string(r), name) }

// tell adds a text to those for the user.
func (r run) tell(text string) error {
	file, err := os.OpenFile(r.path("told"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(strings.TrimRight(text, "\n") + "\n")
	return errors.Join(err, file.Close())
}

// told returns what was told after the first bytes, up to the end of a line.
func (r run) told(from int64) string {
	data, err := safefile.Read(r.path("told"), safefile.Most)
	if err != nil || int64(len(data)) <= from {
		return ""
	}
	text := string(data[from:])
	return text[:strings.LastIndexByte(text, '\n')+1]
}

// first tells whether no worker has told of a fingerprint.
func (r run) first(fingerprint string) bool {
	file, err := os.OpenFile(r.path(fmt.Sprintf("known-%016x", xxhash.Sum64String(fingerprint))), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	return err == nil && file.Close() == nil
}

// tally writes what this worker did.
func (r run) tally(t tally) error {
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	name := r.path(strconv.Itoa(os.Getpid()))
	return safefile.Write(name, data, 0o644)
}

// sum returns what all workers did.
func (r run) sum() (sum tally) {
	files, _ := os.ReadDir(string(r))
	for _, f := range files {
		if _, err := strconv.Atoi(f.Name()); err != nil {
			continue
		}
		var one tally
		if data, err := safefile.Read(r.path(f.Name()), safefile.Most); err == nil && json.Unmarshal(data, &one) == nil {
			for config, c := range one {
				sum.add(config, c)
			}
		}
	}
	return sum
}

// A count is what came of some executions.
type count struct {
	Batches, Functions, Unanswered     int
	New, Again, AgainBugs, Unconfirmed int
	CPU                                time.Duration // of compilers and programs
}

// A tally has the counts of configurations.
type tally map[string]count

func (t *tally) add(config string, c count) {
	if *t == nil {
		*t = tally{}
	}
	(*t)[config] = (*t)[config].plus(c)
}

func (c count) plus(d count) count {
	return count{c.Batches + d.Batches, c.Functions + d.Functions, c.Unanswered + d.Unanswered,
		c.New + d.New, c.Again + d.Again, c.AgainBugs + d.AgainBugs, c.Unconfirmed + d.Unconfirmed, c.CPU + d.CPU}
}

func (t tally) total() (sum count) {
	for _, c := range t {
		sum = sum.plus(c)
	}
	return sum
}

func (t tally) functions() int { return t.total().Functions }

// String says in a line what was asked, of which compilers, and what was found.
func (t tally) String() string {
	sum := t.total()
	var names []string
	for _, config := range slices.Sorted(maps.Keys(t)) {
		name, _, _ := strings.Cut(config, " ")
		if names = append(names, name); t[config].Batches == 0 {
			names = names[:len(names)-1]
		}
	}
	text := fmt.Sprintf("asked about %d functions in %d compilations", sum.Functions, sum.Batches)
	if names != nil {
		text += " by " + strings.Join(slices.Compact(names), ", ")
	}
	text += fmt.Sprintf(", %.0f CPU s; findings: %d new", sum.CPU.Seconds(), sum.New)
	if sum.Again > 0 {
		text += fmt.Sprintf(", %d like %d that are in %s or %s", sum.Again, sum.AgainBugs, CorpusDir, FoundDir)
	}
	if sum.Unconfirmed > 0 {
		text += fmt.Sprintf(", %d not confirmed (%s)", sum.Unconfirmed, DoubtedDir)
	}
	if sum.Unanswered > 0 {
		text += fmt.Sprintf("; compilations without an answer in time: %d", sum.Unanswered)
	}
	return text
}
