package wasm

import (
	"bytes"
	"regexp"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/compilers/served"
)

var (
	resources = regexp.MustCompile(`(?i)No space left on device|Resource temporarily unavailable|out of memory|cannot allocate memory|Cannot allocate Wasm memory|could not allocate memory`)
	// V8 has "# Fatal error in file, line n" and "# what was checked" a line later; Go
	// "panic: ", "fatal error: "; JavaScriptCore "ASSERTION FAILED: ".
	fatal = regexp.MustCompile(`(?m)^(?:#\n)?# Fatal error in .*(?:\n# .*)?$|^(?:panic: |fatal error: |unexpected fault address |SIGSEGV: |ASSERTION FAILED: |thread '[^']*'.* panicked at |panicked at ).*$|^#? ?Check failed: .*$`)
	spent = regexp.MustCompile(`(?m)^end (\d+) (\d+) \d+$`)
	lines = regexp.MustCompile(`, line \d+`)
	// The parts of a message that tell one module from another.
	place = regexp.MustCompile(`(function) #\d+(?::"[^"]*")?| @\+\d+`)
)

// judge returns what the end of a process means that ran one module.
func (e Engine) judge(exit compilers.Exit, b compilers.Bounds) served.Answer {
	endless := compilers.SlowCompile
	if bytes.Contains(exit.Stderr, []byte("compiled\n")) {
		endless = compilers.Endless
	}
	a, done := served.Ended(exit, b, endless)
	if done {
		return a
	}
	text := string(exit.Stderr)
	switch {
	case resources.MatchString(text):
		a.Message = compilers.Normalise(resources.FindString(text))
	case compilers.ByHand(exit.Signal):
		a.Message = "killed by " + compilers.SignalName(exit.Signal)
	case exit.Signal != 0 || fatal.MatchString(text):
		a.Verdict, a.Message = compilers.InternalError, "killed by "+compilers.SignalName(exit.Signal)
		if m := fatal.FindString(text); m != "" {
			m = strings.ReplaceAll(strings.TrimPrefix(m, "#\n"), "\n#", ":")
			a.Message = compilers.Normalise(strings.TrimPrefix(m, "# "))
		}
		a.Crash = lines.ReplaceAllString(a.Message, "")
	case exit.Status == 0 || exit.Status == 1 && len(exit.Stdout) > 0: // what it printed is right or wrong
		return e.printed(exit)
	default:
		return a.Failed(exit.Status)
	}
	return a
}

// printed returns what a process said that ended in order, and what it cost.
func (e Engine) printed(exit compilers.Exit) served.Answer {
	a := served.Said(exit.Stdout, place)
	a.Stderr, a.CompileCPU = exit.Stderr, exit.CPU
	if m := spent.FindSubmatch(exit.Stderr); m != nil {
		a.Calls, _ = time.ParseDuration(string(m[2]) + "us")
		a.CompileCPU = max(0, exit.CPU-a.Calls)
	}
	return a
}
