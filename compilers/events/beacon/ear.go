package beacon

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"

	"goreify/compilers/events"
)

// The variables of the environment that the fuzz targets read.
const (
	FeedbackVar = "REIFY_FEEDBACK" // on, off, or empty for the default
	EventsVar   = "REIFY_EVENTS"   // a file to append new events to
	GoOnVar     = "REIFY_GO_ON"    // on, or off, the default: whether a finding is saved, and the fuzzing goes on
)

// ToldFile is the file whose new lines tools/fuzz.sh prints in the end. The fuzz
// targets write there, as the engine drops whatever its workers print. Those of
// findings begin with FAIL.
const ToldFile = "out/told.txt"

// byDefault is what REIFY_FEEDBACK is if it is not set. In three times 30 CPU
// minutes it reached 0.97 times the events that fuzzing without it did.
const byDefault = false

// On reports whether a variable of the environment, as os.Environ returns it, is
// on or off, and byDefault if it is empty or not set. Anything else is an error.
func On(environ []string, name string, byDefault bool) (bool, error) {
	on := byDefault
	for _, entry := range environ {
		switch value, ok := strings.CutPrefix(entry, name+"="); {
		case !ok || value == "":
		case value == "on" || value == "off":
			on = value == "on"
		default:
			return false, fmt.Errorf("%s=%q: want on or off", name, value)
		}
	}
	return on, nil
}

// Fuzzing reports whether this process runs inputs for the fuzzing engine. The
// engine's build of a test binary has counters, and its workers this flag.
func Fuzzing() bool {
	f := flag.Lookup("test.fuzzworker")
	return f != nil && f.Value.String() == "true"
}

// An Ear is what a fuzz target hears with. The zero Ear is deaf. An Ear must
// not be used concurrently.
type Ear struct {
	show bool
	log  *os.File // or nil
	seen map[events.Event]bool
	deaf map[string]bool // compilers of which it was told
}

// NewEar returns an ear as the environment, as os.Environ returns it, asks for
// one: deaf unless fuzzing. With REIFY_EVENTS it also writes each event, when it
// is heard for the first time, as a line of that file. The error says which
// variable is wrong.
func NewEar(environ []string, fuzzing bool) (*Ear, error) {
	show, err := On(environ, FeedbackVar, byDefault)
	if err != nil {
		return nil, err
	}
	if !fuzzing {
		return &Ear{}, nil
	}
	e := &Ear{show: show, seen: map[events.Event]bool{}, deaf: map[string]bool{}}
	file := ""
	for _, entry := range environ {
		if value, ok := strings.CutPrefix(entry, EventsVar+"="); ok {
			file = value
		}
	}
	if file == "" {
		return e, nil
	}
	if e.log, err = os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, fmt.Errorf("%s: %w", EventsVar, err)
	}
	return e, nil
}

// Listens reports whether there is a use in listening to the compilers.
func (e *Ear) Listens() bool { return e.show || e.log != nil }

// Hear shows the events of the compilations of one input, and writes the new
// ones down if it is to.
func (e *Ear) Hear(compilations []events.Counts) error {
	if e.show {
		Show(compilations...)
	}
	if e.log == nil {
		return nil
	}
	w := bufio.NewWriter(e.log)
	for _, counts := range compilations {
		for _, event := range counts.Events() {
			if !e.seen[event] {
				e.seen[event] = true
				fmt.Fprintln(w, event)
			}
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("%s: %w", EventsVar, err)
	}
	return nil
}

// Deaf reports whether it is the first time that a compiler was not heard, of
// which err, if it is not nil, says why: it is told once, and the fuzzing goes on.
func (e *Ear) Deaf(compiler string, err error) bool {
	if err == nil || e.deaf[compiler] {
		return false
	}
	if e.deaf != nil {
		e.deaf[compiler] = true
	}
	return true
}

// Close closes the file of REIFY_EVENTS.
func (e *Ear) Close() error {
	if e.log == nil {
		return nil
	}
	return e.log.Close()
}
