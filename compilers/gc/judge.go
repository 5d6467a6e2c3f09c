package gc

import (
	"fmt"
	"regexp"
	"slices"
	"syscall"

	"goreify/compilers"
)

var (
	outOfResources = regexp.MustCompile(`(?i)No space left on device|Disk quota exceeded|File too large|Input/output error|Read-only file system|` +
		`Too many open files|Resource temporarily unavailable|failed to create new OS thread|` + memoryWords)
	outOfMemory = regexp.MustCompile(`(?i)` + memoryWords)

	// The compiler reports its own errors on standard output, its assembler that it does
	// not know an instruction, and it dies of others as any program of Go does.
	internal  = regexp.MustCompile(`(?m)^.*internal compiler error: (.*)$`)
	assembler = regexp.MustCompile(`(?m)illegal combination .*$`)
	linker    = regexp.MustCompile(`(?m)^main\.(\w+): .*\breloc.*$`)
	goroutine = regexp.MustCompile(`(?m)^(?:panic: |fatal error: |unexpected fault address |SIGSEGV: )(.*)$`)
	rejection = regexp.MustCompile(`(?m)^(?:[^\s:]+\.(?:go|s):\d+(?::\d+)?|main\.\w+|\S*(?:compile|link|asm)): .*$`)
	accused   = regexp.MustCompile(`internal compiler error: '([^']+)'`)
)

const memoryWords = `out of memory|cannot allocate memory|failed to reserve`

// judgeBuild returns what the end of the compiler or the linker means, without its
// command.
func judgeBuild(e compilers.Exit, b compilers.Bounds) compilers.Outcome {
	o := compilers.Outcome{CompileCPU: e.CPU, Signal: e.Signal, Stdout: e.Stdout, Stderr: e.Stderr}
	said := string(slices.Concat(e.Stdout, e.Stderr))
	o.Verdict, o.Message = judge(e, b, said)
	if o.Verdict == compilers.InternalError {
		o.Crash = o.Message
	}
	for _, names := range []*regexp.Regexp{accused, linker} {
		for _, m := range names.FindAllStringSubmatch(said, -1) {
			o.Named = append(o.Named, m[1])
		}
	}
	return o
}

func judge(e compilers.Exit, b compilers.Bounds, said string) (compilers.Verdict, string) {
	if v, message, done := compilers.JudgeStopped(e, b, compilers.SlowCompile); done {
		return v, message
	}
	if e.Signal == 0 && e.Status == 0 {
		return compilers.OK, ""
	}
	switch {
	case outOfMemory.MatchString(said) && b.TookMemory(e.RSS):
		return compilers.InternalError, compilers.Normalise(outOfMemory.FindString(said))
	case outOfResources.MatchString(said):
		return compilers.Discarded, compilers.Normalise(outOfResources.FindString(said))
	case compilers.ByHand(e.Signal):
		return compilers.Discarded, "killed by " + compilers.SignalName(e.Signal)
	case e.Signal == syscall.SIGXFSZ:
		return compilers.Discarded, "file size limit"
	}
	message := ""
	if m := internal.FindStringSubmatch(said); m != nil {
		message = "internal compiler error: " + m[1]
	} else if m := assembler.FindString(said); m != "" {
		message = m
	} else if m := linker.FindString(said); m != "" {
		message = m
	} else if m := goroutine.FindString(said); m != "" {
		message = m
	} else if e.Signal != 0 {
		message = "compiler killed by " + compilers.SignalName(e.Signal)
	}
	if message != "" {
		return compilers.InternalError, crashLine(compilers.Normalise(message))
	}
	if line := rejection.FindString(said); line != "" {
		return compilers.Rejected, compilers.Normalise(line)
	}
	return compilers.Discarded, fmt.Sprintf("exit status %d, and no error is named: %.100q", e.Status, compilers.FirstLine([]byte(said)))
}

// A value is written with its operation, its type and its arguments.
var value = regexp.MustCompile(`\bv\d+ = \w+ <[^>]*>(?: (?:\[[^]]*\]|\{[^}]*\}|[vb]\d+(?: ?\([^)]*\))?))*(?: \([^)]*\))*`)

var (
	quoted = regexp.MustCompile(`'[^']*': `)
	number = regexp.MustCompile(`\b([bv]|[vb]alue |block )?\d+\b`)
	place  = regexp.MustCompile(` : \w+$`)
	ofFunc = regexp.MustCompile(`\bfunc [\w.]+,? ?| (?:for|to) main\.\w+|^main\.\w+: `)
)

// crashLine returns an internal error's message without what differs between programs:
// names of functions and registers, and numbers of values and blocks.
func crashLine(message string) string {
	message = quoted.ReplaceAllString(message, "")
	message = value.ReplaceAllString(message, "v")
	message = place.ReplaceAllString(message, "")
	message = ofFunc.ReplaceAllString(message, "")
	return number.ReplaceAllString(message, "${1}?")
}
