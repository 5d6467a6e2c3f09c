package jvm

import (
	"bytes"
	"regexp"
	"strings"

	"goreify/compilers"
	"goreify/compilers/served"
)

var (
	resources = regexp.MustCompile(`(?i)OutOfMemoryError.*|StackOverflowError|insufficient memory|Could not reserve.*|unable to create native thread.*|Cannot allocate memory|Could not create the Java Virtual Machine`)
	// HotSpot says where it failed, what it checked, and in which of its functions.
	fatal    = regexp.MustCompile(`(?m)^#  ((?:Internal Error|SIG[A-Z]+|Error) .*)(?:\n#  (.+))?`)
	frame    = regexp.MustCompile(`(?m)^# Problematic frame:\n# (.*)$`)
	volatile = regexp.MustCompile(`, pid=\d+, tid=\d+| at pc=0x[0-9a-f]+|\+0x[0-9a-f]+|0x[0-9a-f]{6,}`)
)

// judge returns what the end of a process means that ran one class.
func judge(exit compilers.Exit, b compilers.Bounds) served.Answer {
	endless := compilers.SlowCompile
	if bytes.LastIndex(exit.Stderr, []byte("running\n")) > bytes.LastIndex(exit.Stderr, []byte("compiling\n")) {
		endless = compilers.Endless
	}
	a, done := served.Ended(exit, b, endless)
	if done {
		return a
	}
	text := string(exit.Stderr)
	if at := fatal.FindIndex(exit.Stdout); at != nil { // what it says of its own end
		text = string(exit.Stdout[at[0]:])
	}
	switch {
	case fatal.MatchString(text) && !strings.Contains(text, "insufficient memory"):
		return a.Broken(crash(text))
	case resources.MatchString(text):
		a.Message = compilers.Normalise(resources.FindString(text))
	case compilers.ByHand(exit.Signal):
		a.Message = "killed by " + compilers.SignalName(exit.Signal)
	case exit.Signal != 0:
		return a.Broken("killed by " + compilers.SignalName(exit.Signal))
	case exit.Status == 0 || exit.Status == 1 && len(exit.Stdout) > 0: // what it printed is right or wrong
		a = served.Said(exit.Stdout, nil)
		a.Stderr, a.CompileCPU = exit.Stderr, exit.CPU
	default:
		return a.Failed(exit.Status)
	}
	return a
}

// crash returns what HotSpot says of its end, without what is not the same next time.
func crash(text string) string {
	m := fatal.FindStringSubmatch(text)
	said := m[1]
	if strings.HasPrefix(said, "Internal Error") && m[2] != "" {
		said += ": " + m[2]
	} else if f := frame.FindStringSubmatch(text); f != nil {
		said += " in " + f[1]
	}
	return compilers.Normalise(strings.Join(strings.Fields(volatile.ReplaceAllString(said, "")), " "))
}
