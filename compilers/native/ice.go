package native

import (
	"regexp"
	"strings"

	"goreify/compilers"
)

var (
	gccError = regexp.MustCompile(`(?m)internal compiler error: (.*)$`)
	gccPass  = regexp.MustCompile(`(?m)^during \w+ pass: .*$`)

	clangAssertion = regexp.MustCompile("(?m)([\\w.+-]+:\\d+): .*(Assertion [`'].*' failed)")
	clangBackend   = regexp.MustCompile(`(?m)^fatal error: (error in backend: .*)$`)
	clangFatal     = regexp.MustCompile(`(?m)^LLVM ERROR: .*$`)
	// LLVM's verifier says first how a module is broken, and then in which values.
	clangBroken    = regexp.MustCompile(`(?m)^([A-Z][^\n]*!)\n(?:[^\n]*\n)*?(LLVM ERROR: Broken (?:module|function) found)`)
	clangUnreached = regexp.MustCompile(`(?m)^(.*)\n?UNREACHABLE executed at (?:.*/)?([\w.+-]+:\d+)`)
	clangDump      = regexp.MustCompile(`(?m)^PLEASE submit a bug report|^Stack dump:|PLEASE ATTACH THE FOLLOWING FILES`)
	clangPass      = regexp.MustCompile(`(?m)^\d+\.\s+(Running pass (?:'[^']*'|"[^"]*"))`)
	clangFrame     = regexp.MustCompile(`(?m)^ *#\d+ 0x[0-9a-f]+ ([^(/\n][^(\n]*)`)
	clangSignal    = regexp.MustCompile(`unable to execute command: (.*)`)
	clangFailed    = regexp.MustCompile(`clang frontend command failed.*`)
)

// internalError returns the message of an internal compiler error, or "" if
// there is none in what the compiler printed. The message is one line, the same
// every time the same error happens, and says where it happened:
//
//	during GIMPLE pass: vrp: internal compiler error: in foo, at bar.cc:123
//	LoopInfo.cpp:42: Assertion `L && "no loop"' failed
//	error in backend: Cannot select: 0x?: i32 = ...
//	crash in llvm::foo, Running pass "instcombine"
func internalError(stderr string) string {
	for _, f := range rows {
		if message := f.internal(stderr); message != "" {
			return compilers.Normalise(message)
		}
	}
	return ""
}

func gccInternalError(stderr string) string {
	at := gccError.FindStringSubmatchIndex(stderr)
	if at == nil {
		return ""
	}
	message := "internal compiler error: " + stderr[at[2]:at[3]]
	if passes := gccPass.FindAllString(stderr[:at[0]], -1); passes != nil {
		message = passes[len(passes)-1] + ": " + message
	}
	return message
}

func clangInternalError(stderr string) string {
	if m := clangAssertion.FindStringSubmatch(stderr); m != nil {
		return m[1] + ": " + m[2]
	}
	if m := clangUnreached.FindStringSubmatch(stderr); m != nil {
		return strings.TrimPrefix(m[1]+": ", ": ") + "unreachable at " + m[2]
	}
	if m := clangBackend.FindStringSubmatch(stderr); m != nil {
		return m[1]
	}
	if m := clangBroken.FindStringSubmatch(stderr); m != nil {
		return m[2] + ": " + m[1]
	}
	if m := clangFatal.FindString(stderr); m != "" {
		return m
	}
	if clangDump.MatchString(stderr) {
		return clangCrash(stderr)
	}
	return clangFailed.FindString(stderr)
}

// clangCrash names the crash of a stack dump by its signal, by the first
// function on the stack that is clang's own, and by the innermost pass.
func clangCrash(stderr string) string {
	message := "crash"
	if m := clangSignal.FindStringSubmatch(stderr); m != nil {
		message = strings.ToLower(m[1])
	}
	for _, m := range clangFrame.FindAllStringSubmatch(stderr, -1) {
		if name := strings.TrimSpace(m[1]); !crashMachinery(name) {
			message += " in " + name
			break
		}
	}
	if passes := clangPass.FindAllStringSubmatch(stderr, -1); passes != nil {
		message += ", " + passes[len(passes)-1][1]
	}
	return message
}

// crashMachinery tells whether a function is on the stack of every crash.
func crashMachinery(name string) bool {
	if strings.HasPrefix(name, "llvm::sys::") || strings.HasPrefix(name, "__") {
		return true
	}
	switch strings.Fields(name)[0] {
	case "crash_signal", "internal_error", "fancy_abort", "SignalHandler", "PrintStackTraceSignalHandler", "CrashRecoverySignalHandler",
		"raise", "gsignal", "abort", "pthread_kill", "llvm::report_fatal_error", "llvm::llvm_unreachable_internal":
		return true
	}
	return false
}
