package compilers

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

// judgeRun says what a program's end means.
func judgeRun(e exit, b bounds, want []byte) (Verdict, string) {
	if v, message, done := judgeStopped(e, b, Endless); done {
		return v, message
	}
	switch {
	case byHand(e.signal):
		return Discarded, "killed by " + signalName(e.signal)
	case e.signal == syscall.SIGXFSZ:
		return Discarded, "file size limit"
	case e.signal != 0 && b.nearMemory(e.rss):
		return Discarded, "killed by " + signalName(e.signal) + " near the memory limit"
	case e.signal != 0:
		return Crash, "killed by " + signalName(e.signal)
	case e.status == 127 && bytes.Contains(e.stderr, []byte("error while loading shared libraries")):
		return Discarded, firstLine(e.stderr)
	}
	if report := sanitizerReport(e.stderr); report != "" && e.status != 0 {
		return WrongAnswer, report
	}
	if e.status != 0 && e.status != 1 {
		return WrongAnswer, fmt.Sprintf("exit status %d", e.status)
	}
	if !bytes.Equal(e.stdout, want) {
		return WrongAnswer, fmt.Sprintf("printed %s, want %s", excerpt(e.stdout), excerpt(want))
	}
	if e.status != 0 {
		return WrongAnswer, "exit status 1, but the right output"
	}
	return OK, ""
}

// judgeStopped says what it means that a child could not start or met a limit
// that has nothing to do with what it prints. endless is the verdict for one
// that goes on for ever. done is false if neither is the case.
func judgeStopped(e exit, b bounds, endless Verdict) (v Verdict, message string, done bool) {
	switch {
	case e.stop == stoppedByContext:
		return Discarded, "cancelled", true
	case e.err != nil:
		return Discarded, "could not start: " + normalise(e.err.Error()), true
	case e.overflow:
		return endless, fmt.Sprintf("printed more than %d bytes", b.output), true
	case e.stop == stoppedByCPU:
		return endless, fmt.Sprintf("used its CPU time of %v", b.cpu), true
	case e.signal == syscall.SIGXCPU,
		(e.stop == stoppedByWall || e.signal == syscall.SIGKILL) && b.metCPU(e.cpu):
		return endless, fmt.Sprintf("used its CPU time of %d s", b.cpuSeconds()), true
	case e.stop == stoppedByWall:
		// On a busy machine, or waiting: not its fault, as far as we know.
		return Discarded, fmt.Sprintf("took longer than %v without using its CPU time", b.wall), true
	}
	return Discarded, "", false
}

// byHand tells whether a signal is one that people and systems send, and
// compilers and programs do not bring upon themselves.
func byHand(s syscall.Signal) bool {
	switch s {
	case syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT:
		return true
	}
	return false
}

var sanitizerLine = regexp.MustCompile(`(?m)^.*(?:runtime error: |ERROR: \w+Sanitizer: ).*$`)

// sanitizerReport returns the line in which a sanitizer says what it found,
// without process numbers and addresses, or "".
func sanitizerReport(stderr []byte) string {
	return strings.TrimSpace(normalise(string(sanitizerLine.Find(stderr))))
}

// excerpt quotes output for a message.
func excerpt(text []byte) string {
	const most = 80
	if len(text) <= most {
		return strconv.Quote(string(text))
	}
	return fmt.Sprintf("%q and %d bytes more", text[:most], len(text)-most)
}

// signalName returns the name of a signal as <signal.h> has it.
func signalName(s syscall.Signal) string {
	switch s {
	case syscall.SIGABRT:
		return "SIGABRT"
	case syscall.SIGBUS:
		return "SIGBUS"
	case syscall.SIGFPE:
		return "SIGFPE"
	case syscall.SIGHUP:
		return "SIGHUP"
	case syscall.SIGILL:
		return "SIGILL"
	case syscall.SIGINT:
		return "SIGINT"
	case syscall.SIGKILL:
		return "SIGKILL"
	case syscall.SIGPIPE:
		return "SIGPIPE"
	case syscall.SIGQUIT:
		return "SIGQUIT"
	case syscall.SIGSEGV:
		return "SIGSEGV"
	case syscall.SIGSYS:
		return "SIGSYS"
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGTRAP:
		return "SIGTRAP"
	case syscall.SIGXCPU:
		return "SIGXCPU"
	case syscall.SIGXFSZ:
		return "SIGXFSZ"
	}
	return fmt.Sprintf("signal %d", int(s))
}
