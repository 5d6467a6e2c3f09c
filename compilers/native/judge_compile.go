package native

import (
	"bytes"
	"fmt"
	"regexp"
	"syscall"

	"goreify/compilers"
)

// The messages below are those of gcc 11 to 12, clang 14 to 19 and binutils
// under LC_ALL=C. A driver reports the end of a child it waited for in words,
// so words are all there is to go by.
var (
	// Wants that the machine could not meet. gcc even calls it an internal error when the
	// assembler meets the limit on file sizes.
	outOfResources = regexp.MustCompile(`(?i)No space left on device|Disk quota exceeded|File size limit exceeded|` +
		`File too large|Input/output error|Read-only file system|Too many open files|` +
		`Resource temporarily unavailable|failed to map segment|` + memoryWords + `|` +
		// Linkers write through mmap, where a full disk is a bus error.
		`terminated with signal 7 \[Bus error\]|linker.*Bus error`)

	// Wants that can be the compiler's own fault, if it took much.
	outOfMemory = regexp.MustCompile(`(?i)` + memoryWords)

	outOfCPU = regexp.MustCompile(`CPU time limit exceeded`)

	// A child of the driver was killed by a signal that no process brings upon itself.
	killedByHand = regexp.MustCompile(`(?:Killed|Terminated|Interrupt|Hangup|Quit) signal terminated program|` +
		`internal compiler error: (?:Killed|Terminated|Interrupt|Hangup|Quit) \(program|` +
		`unable to execute command: (?:Killed|Terminated|Interrupt|Hangup|Quit)|` +
		`terminated with signal (?:1|2|3|9|15) \[`)

	errorLine = regexp.MustCompile(`(?m)^.*\b(?:[eE]rror|ERROR|sorry, unimplemented): .*$`)

	// The linker's complaints come first and need not call themselves errors; the
	// driver's last line tells nothing.
	linkFailed  = regexp.MustCompile(`(?m)^(?:collect2: error: ld returned|.*: error: linker command failed)`)
	linkContext = regexp.MustCompile("warning: |: in function [`'].*':$")
)

const memoryWords = `virtual memory exhausted|memory exhausted|out of memory|Cannot allocate memory|std::bad_alloc`

// judgeCompile says what a compiler's end means. The order matters: clang
// prints its crash report when it meets the CPU limit, and gcc calls its child's
// end an internal error whatever ended it.
func judgeCompile(e compilers.Exit, b compilers.Bounds) (compilers.Verdict, string) {
	if v, message, done := compilers.JudgeStopped(e, b, compilers.SlowCompile); done {
		return v, message
	}
	if e.Signal == 0 && e.Status == 0 {
		return compilers.OK, ""
	}
	switch {
	case outOfMemory.Match(e.Stderr) && b.TookMemory(e.RSS):
		return compilers.InternalError, compilers.Normalise(string(outOfMemory.Find(e.Stderr)))
	case outOfResources.Match(e.Stderr):
		return compilers.Discarded, compilers.Normalise(string(outOfResources.Find(e.Stderr)))
	case outOfCPU.Match(e.Stderr):
		return compilers.SlowCompile, "used its CPU time"
	case killedByHand.Match(e.Stderr) && b.MetCPU(e.CPU):
		return compilers.SlowCompile, "used its CPU time"
	case killedByHand.Match(e.Stderr):
		return compilers.Discarded, compilers.Normalise(string(killedByHand.Find(e.Stderr)))
	case compilers.ByHand(e.Signal):
		return compilers.Discarded, "killed by " + compilers.SignalName(e.Signal)
	case e.Signal == syscall.SIGXFSZ:
		return compilers.Discarded, "file size limit"
	}
	message := internalError(string(e.Stderr))
	if message == "" && e.Signal != 0 {
		message = "compiler killed by " + compilers.SignalName(e.Signal)
	}
	switch {
	case message != "" && b.NearMemory(e.RSS):
		return compilers.Discarded, message + ", near the memory limit"
	case message != "":
		return compilers.InternalError, message
	}
	if said := rejection(e.Stderr); said != "" {
		return compilers.Rejected, compilers.Normalise(said)
	}
	return compilers.Discarded, fmt.Sprintf("exit status %d, and no error is named: %.100q", e.Status, compilers.FirstLine(e.Stderr))
}

// rejection returns the line that says why a program was rejected, or "".
func rejection(stderr []byte) string {
	if linkFailed.Match(stderr) {
		for line := range bytes.Lines(stderr) {
			if line = bytes.TrimSpace(line); !linkContext.Match(line) {
				return string(line)
			}
		}
	}
	return string(errorLine.Find(stderr))
}
