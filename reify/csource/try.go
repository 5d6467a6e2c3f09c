package csource

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// The bounds of Try: what package cc may take for a text, and for each MB of it.
const (
	tryCPU      = 1 // seconds
	tryCPUOfMB  = 3
	tryData     = 512 << 20 // bytes
	tryDataOfMB = 512 << 20
)

// triesVar has a process do nothing but parse a text of so many bytes.
const triesVar = "REIFY_TRIES"

// Try returns an error if a text of strangers cannot be parsed, or takes too much time or
// memory. Package cc cannot be interrupted, and takes hours for texts that fit on some
// pages, so this very program is started once more and parses the text under limits first.
// That takes some hundredths of a second.
func Try(name string, text []byte, m Model) error {
	if len(text) > MaxText {
		return fmt.Errorf("%s: more than %d bytes", name, MaxText)
	}
	cmd := &exec.Cmd{Path: "/proc/self/exe", Args: []string{"reify-try", name, strconv.Itoa(int(m))}, Dir: "/"}
	cmd.Env = []string{triesVar + "=" + strconv.Itoa(len(text)), "GOMAXPROCS=1"}
	var said bytes.Buffer
	cmd.Stdin, cmd.Stdout = bytes.NewReader(text), &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil && said.Len() > 0:
		return errors.New(said.String())
	case errors.As(err, &exit):
		return fmt.Errorf("%s: it takes more than %d s or %d MB to parse", name, tryTime(len(text)), tryMemory(len(text))>>20)
	}
	return err
}

// tryTime and tryMemory return the limits for a text.
func tryTime(size int) uint64   { return tryCPU + tryCPUOfMB*uint64(size)>>20 }
func tryMemory(size int) uint64 { return tryData + tryDataOfMB>>20*uint64(size) }

func init() {
	if size, err := strconv.Atoi(os.Getenv(triesVar)); err == nil && len(os.Args) == 3 {
		try(size)
	}
}

// try parses standard input under limits, and says what is wrong with it. The exit status
// is 0 in any case in which that can be said.
func try(size int) {
	const killed = 2
	for what, most := range map[int]uint64{unix.RLIMIT_CPU: tryTime(size), unix.RLIMIT_DATA: tryMemory(size), unix.RLIMIT_CORE: 0} {
		if unix.Setrlimit(what, &unix.Rlimit{Cur: most, Max: most}) != nil {
			os.Exit(killed)
		}
	}
	m, err := strconv.Atoi(os.Args[2])
	var text bytes.Buffer
	if err == nil {
		_, err = text.ReadFrom(os.Stdin)
	}
	if err == nil {
		_, err = ParseUnit(os.Args[1], text.Bytes(), Model(m))
	}
	if err != nil {
		fmt.Print(strings.ToValidUTF8(err.Error(), "?"))
	}
	os.Exit(0)
}
