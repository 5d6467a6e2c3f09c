package compilers

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// judgeRun says what a program's end means.
func judgeRun(e Exit, b Bounds, want []byte) (Verdict, string) {
	if v, message, done := JudgeStopped(e, b, Endless); done {
		return v, message
	}
	switch {
	case ByHand(e.Signal):
		return Discarded, "killed by " + SignalName(e.Signal)
	case e.Signal == syscall.SIGXFSZ:
		return Discarded, "file size limit"
	case e.Signal != 0 && b.NearMemory(e.RSS):
		return Discarded, "killed by " + SignalName(e.Signal) + " near the memory limit"
	case e.Signal != 0:
		return Crash, "killed by " + SignalName(e.Signal)
	case e.Status == 127 && bytes.Contains(e.Stderr, []byte("error while loading shared libraries")):
		return Discarded, FirstLine(e.Stderr)
	}
	if report := sanitizerReport(e.Stderr); report != "" && e.Status != 0 {
		return WrongAnswer, report
	}
	if e.Status != 0 && e.Status != 1 {
		return WrongAnswer, fmt.Sprintf("exit status %d", e.Status)
	}
	if !bytes.Equal(e.Stdout, want) {
		return WrongAnswer, fmt.Sprintf("printed %s, want %s", excerpt(e.Stdout), excerpt(want))
	}
	if e.Status != 0 {
		return WrongAnswer, "exit status 1, but the right output"
	}
	return OK, ""
}

var emulatorLine = regexp.MustCompile(`(?m)^qemu-[\w.-]+: .*$`)

// emulatorComplaint returns the line in which an emulator says that it could not do
// its work, or "". That the program died of a signal is none: it tells of that with
// no processor in its name.
func emulatorComplaint(stderr []byte) string { return string(emulatorLine.Find(stderr)) }

// JudgeStopped says what it means that a child could not start or met a limit
// that has nothing to do with what it prints. endless is the verdict for one
// that goes on for ever. done is false if neither is the case.
func JudgeStopped(e Exit, b Bounds, endless Verdict) (v Verdict, message string, done bool) {
	switch {
	case e.stop == stoppedByContext:
		return Discarded, "cancelled", true
	case e.Err != nil:
		return Discarded, "could not start: " + Normalise(e.Err.Error()), true
	case e.Overflow:
		return endless, printedMore(b.output), true
	case e.stop == stoppedByDisk:
		return Discarded, fmt.Sprintf("wrote more than %d bytes, or directories more than %d deep", b.disk, mostDepth), true
	case e.stop == stoppedByCPU:
		return endless, fmt.Sprintf("used its CPU time of %v", b.cpu), true
	case e.Signal == syscall.SIGXCPU,
		(e.stop == stoppedByWall || e.Signal == syscall.SIGKILL) && b.MetCPU(e.CPU):
		return endless, fmt.Sprintf("used its CPU time of %d s", b.cpuSeconds()), true
	case e.stop == stoppedByWall:
		// On a busy machine, or waiting: not its fault, as far as we know.
		return Discarded, fmt.Sprintf("took longer than %v without using its CPU time", b.wall), true
	}
	return Discarded, "", false
}

// printedMore says of a child that it would print for ever.
func printedMore(limit int) string { return fmt.Sprintf("printed more than %d bytes", limit) }

// ByHand tells whether a signal is one that people and systems send, and
// compilers and programs do not bring upon themselves.
func ByHand(s syscall.Signal) bool {
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
	return strings.TrimSpace(Normalise(string(sanitizerLine.Find(stderr))))
}

// excerpt quotes output for a message.
func excerpt(text []byte) string {
	const most = 80
	if len(text) <= most {
		return strconv.Quote(string(text))
	}
	return fmt.Sprintf("%q and %d bytes more", text[:most], len(text)-most)
}

// SignalName returns the name of a signal as <signal.h> has it.
func SignalName(s syscall.Signal) string {
	return cmp.Or(unix.SignalName(s), fmt.Sprintf("signal %d", int(s)))
}

var (
	hexNumber   = regexp.MustCompile(`\b0x[0-9a-fA-F]+`)
	processMark = regexp.MustCompile(`==\d+==`)
	jobFile     = regexp.MustCompile(`(?:/[^\s:'"()]*)?/(?:job-\d+)/`)
	tempFile    = regexp.MustCompile(`\b(?:(?:tmp/)?(?:cc\w{6}|repro-[0-9a-f]{6})|tmp/[\w.-]+-[0-9a-f]{6})\.(\w+)`)
)

// Normalise takes out of a message what differs from run to run: addresses,
// process numbers, names of temporary files and directories.
func Normalise(message string) string {
	message = hexNumber.ReplaceAllString(message, "0x?")
	message = processMark.ReplaceAllString(message, "")
	message = jobFile.ReplaceAllString(message, "")
	return tempFile.ReplaceAllString(message, "?.$1")
}

// FirstLine returns the first line that is not blank.
func FirstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return string(line)
}
