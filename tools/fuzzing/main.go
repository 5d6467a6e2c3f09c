package fuzzing

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"goreify/compilers"
)

// goOnVar is the variable of the environment that the flag -go-on has its default of.
const goOnVar = "REIFY_GO_ON"

// goOn tells whether a value of goOnVar asks that the fuzzing goes on after a
// finding.
func goOn(value string) (bool, error) {
	if value != "" && value != "on" && value != "off" {
		return false, fmt.Errorf("%s=%q: want on or off", goOnVar, value)
	}
	return value == "on", nil
}

// Exit statuses.
const (
	exitFound  = 1 // there are findings that are new
	exitUnable = 2
)

// patience is how long the engine may take to end after an interrupt.
const patience = 10 * time.Second

// Main runs the tests of a package whose fuzz targets ask the benches, and returns the
// exit status for TestMain. In the process that coordinates workers it shows findings
// when they are found and, in the end, a line about all that was asked. The first that
// is new ends the run, unless it is to go on; with any the status is 1.
func Main(m *testing.M, benches ...*Bench) int {
	// The engine's own descriptors must not reach a compiler: one that hangs
	// would hang the engine.
	err := compilers.SealDescriptors()
	if err == nil {
		err = compilers.CheckEnv(os.Environ())
	}
	on, verr := goOn(os.Getenv(goOnVar))
	if err == nil {
		err = verr
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "goreify:", err)
		return exitUnable
	}
	flag.BoolVar(&on, "go-on", on, "fuzz targets that ask compilers go on after a finding that is new (also "+goOnVar+"=on)")
	flag.Parse()
	defer func() {
		for _, b := range benches {
			b.close()
		}
	}()
	if !flagged("test.fuzz", "") || flagged("test.fuzzworker", "false") {
		return m.Run()
	}
	w := watcher{run: runOf(os.Getpid()), out: os.Stdout, goOn: on, stop: interrupt}
	code, err := w.watch(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, "goreify: fuzzing:", err)
		return exitUnable
	}
	return code
}

// interrupt ends this process as the user does: the engine stops its workers then.
func interrupt() { _ = syscall.Kill(os.Getpid(), syscall.SIGINT) }

// A watcher shows what the workers of a run tell.
type watcher struct {
	run  run
	out  io.Writer
	goOn bool
	stop func() // ends the fuzzing early
	seen int64  // bytes that were shown
	news int    // findings that are new
}

// watch runs fuzz targets and returns their exit status, or 1 if there are findings
// that are new.
func (w *watcher) watch(fuzz func() int) (code int, err error) {
	if err := w.run.open(); err != nil {
		return 0, err
	}
	// Inputs that earlier runs found interesting are no help, and would all be run
	// first.
	cache, err := filepath.Abs(w.run.path("cache"))
	if err == nil {
		err = flag.Set("test.fuzzcachedir", cache)
	}
	if err != nil {
		return 0, err
	}
	interrupts := make(chan os.Signal, 1) // they must not kill before or after the engine listens
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	var late <-chan time.Time
	begun := time.Now()
	done := make(chan int)
	go func() { done <- fuzz() }()
	for ended := false; !ended; {
		select {
		case code = <-done:
			ended = true
		case <-interrupts:
			if late != nil {
				return exitUnable, w.run.remove()
			}
			late = time.After(patience)
		case <-late:
			return exitUnable, w.run.remove()
		case <-time.After(100 * time.Millisecond):
		}
		w.show()
	}
	fmt.Fprintf(w.out, "fuzz: %.0f s: %v\n", time.Since(begun).Seconds(), w.run.sum())
	if w.news > 0 {
		fmt.Fprintln(w.out, "fuzz: make keep moves what is new to "+CorpusDir)
		code = exitFound
	}
	return code, w.run.remove()
}

// show prints what was told since the last time.
func (w *watcher) show() {
	text := w.run.told(w.seen)
	if text == "" {
		return
	}
	w.seen += int64(len(text))
	fmt.Fprint(w.out, text)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, newMark) {
			if w.news++; w.news == 1 && !w.goOn {
				w.stop()
			}
		}
	}
}
