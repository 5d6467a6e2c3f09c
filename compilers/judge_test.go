package compilers

import (
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The meaning of a program's end, or of that of any child that was stopped.
func TestJudgeRun(t *testing.T) {
	b := Bounds{cpu: 2 * time.Second, wall: 6 * time.Second, memory: 1 << 30, output: 100}
	const MB = 1 << 20
	want := []byte("42\n")
	for name, tt := range map[string]struct {
		e       Exit
		verdict Verdict
		message string
	}{
		"right":            {Exit{Stdout: want}, OK, ""},
		"wrong":            {Exit{Status: 1, Stdout: []byte("43\n")}, WrongAnswer, `printed "43\n", want "42\n"`},
		"right but status": {Exit{Status: 1, Stdout: want}, WrongAnswer, "exit status 1, but the right output"},
		"other status":     {Exit{Status: 7, Stdout: want}, WrongAnswer, "exit status 7"},
		"much output":      {Exit{Stdout: make([]byte, 90)}, WrongAnswer, `printed "` + strings.Repeat(`\x00`, 80) + `" and 10 bytes more, want "42\n"`},
		"sanitizer": {Exit{Status: 1, Stderr: []byte("==17==ERROR: AddressSanitizer: heap-use-after-free on address 0x6020\n")}, WrongAnswer,
			"ERROR: AddressSanitizer: heap-use-after-free on address 0x?"},
		"sanitizer, recovered": {Exit{Stdout: want, Stderr: []byte("repro.c:1:1: runtime error: no\n")}, OK, ""},
		"crash":                {Exit{Status: -1, Signal: syscall.SIGSEGV, RSS: 700 * MB}, Crash, "killed by SIGSEGV"},

		"near the memory limit": {Exit{Status: -1, Signal: syscall.SIGSEGV, RSS: 900 * MB}, Discarded, "killed by SIGSEGV near the memory limit"},
		"killed":                {Exit{Status: -1, Signal: syscall.SIGKILL}, Discarded, "killed by SIGKILL"},
		"file size":             {Exit{Status: -1, Signal: syscall.SIGXFSZ}, Discarded, "file size limit"},
		"no library":            {Exit{Status: 127, Stderr: []byte("./repro: error while loading shared libraries: x.so\n")}, Discarded, "./repro: error while loading shared libraries: x.so"},
		"not started":           {Exit{Status: -1, Err: errors.New("no 0x12")}, Discarded, "could not start: no 0x?"},
		"cancelled":             {Exit{Status: -1, Signal: syscall.SIGKILL, stop: stoppedByContext, CPU: 3 * time.Second}, Discarded, "cancelled"},
		"wall limit, idle":      {Exit{Status: -1, Signal: syscall.SIGKILL, stop: stoppedByWall}, Discarded, "took longer than 6s without using its CPU time"},

		"wall limit, busy":           {Exit{Status: -1, Signal: syscall.SIGKILL, stop: stoppedByWall, CPU: 3 * time.Second}, Endless, "used its CPU time of 2 s"},
		"CPU limit":                  {Exit{Status: -1, Signal: syscall.SIGXCPU, CPU: 2 * time.Second}, Endless, "used its CPU time of 2 s"},
		"CPU limit, ignored":         {Exit{Status: -1, Signal: syscall.SIGKILL, CPU: 3 * time.Second}, Endless, "used its CPU time of 2 s"},
		"CPU limit, seen by looking": {Exit{Status: -1, Signal: syscall.SIGKILL, stop: stoppedByCPU}, Endless, "used its CPU time of 2s"},
		"prints for ever":            {Exit{Status: -1, Signal: syscall.SIGKILL, stop: stoppedByOutput, Overflow: true}, Endless, "printed more than 100 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			v, message := judgeRun(tt.e, b, want)
			assert.Equal(t, tt.verdict, v)
			assert.Equal(t, tt.message, message)
		})
	}
}

// A child that was stopped because of its output is not one that somebody killed.
func TestFailureOfEndlessOutput(t *testing.T) {
	e := Child{Path: "/bin/sh", Args: []string{"-c", "exec yes"}, Dir: "/", Bounds: Bounds{output: 100}}.Run(t.Context())
	assert.EqualError(t, e.Failure(), "printed more than 100 bytes")
	assert.EqualError(t, Exit{Status: -1, Signal: syscall.SIGKILL}.Failure(), "killed by SIGKILL")
}

func TestOutcomeSame(t *testing.T) {
	ice := Outcome{Verdict: InternalError, Message: "in foo, at bar.cc:1"}
	other := Outcome{Verdict: InternalError, Message: "in foo, at bar.cc:2"}
	assert.True(t, ice.Same(ice))
	assert.False(t, ice.Same(other))
	assert.False(t, ice.Same(Outcome{Verdict: OK}))
	assert.True(t, Outcome{Verdict: WrongAnswer, Message: "a"}.Same(Outcome{Verdict: WrongAnswer, Message: "b"}))
}

func TestCommandLine(t *testing.T) {
	assert.Equal(t, `gcc -O2 '-DX="a b"' 'it'\''s' '' ./repro`, CommandLine("gcc", []string{"-O2", `-DX="a b"`, "it's", "", "./repro"}))
	assert.Equal(t, "'my cc'", CommandLine("my cc", nil))
	assert.Equal(t, "'a=b' a=b '-DZ(a)=a'", CommandLine("a=b", []string{"a=b", "-DZ(a)=a"}))
}

// A shell takes the line apart into the words that it was made of, and does
// nothing else with it.
func TestCommandLineInAShell(t *testing.T) {
	words := []string{
		"-fdbg-cnt=match:0", "-mllvm", "a+b,c:d@e%f=g", "", " ", "two words", "tab\there", "line\nend", "it's", "''", `"`, `\`, `a\'b`,
		"$HOME", "${HOME}", "$(echo no)", "`echo no`", "*", "?", "[a-z]*", "{a,b}", "~", "a;b", "a&b", "a|b", "<a", ">a", "(a)", "#a", "!a", "a^b", "ü",
	}
	line := CommandLine("printf", append([]string{`%s\0`}, words...))
	out, err := exec.Command("/bin/sh", "-c", line).Output()
	require.NoError(t, err, line)
	assert.Equal(t, strings.Join(words, "\x00")+"\x00", string(out))
}

func TestParseStat(t *testing.T) {
	pgid, used, ok := parseStat("17 (a) b (c) R 1 42 17 0 -1 4194304 100 0 0 0 150 50 20 5 20 0 1 0 100 0 0")
	require.True(t, ok)
	assert.Equal(t, 42, pgid)
	assert.Equal(t, 2250*time.Millisecond, used)
	for _, bad := range []string{"", "17 (a", "17 (a) R 1", "17 (a) R 1 x 17 0 -1 4194304 100 0 0 0 150 50 20 5 20"} {
		_, _, ok := parseStat(bad)
		assert.False(t, ok, bad)
	}
}
