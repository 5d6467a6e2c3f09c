package csource

import (
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
	"modernc.org/cc/v4"
)

// The bounds of Try: what package cc may take for a text, and for each MB of it.
const (
	tryCPU      = 1 // seconds
	tryCPUOfMB  = 3
	tryData     = 512 << 20 // bytes
	tryDataOfMB = 512 << 20
)

// trier is how a process is called that does nothing but preprocess or parse a text, of as
// many bytes as its argument says.
const trier = "reify-try"

// A trial is a text of strangers and what is to be done with it.
type trial struct {
	Name  string
	Text  []byte
	Model Model
	// Expand has it preprocessed, with headers from directories of these numbers.
	Expand          bool
	Include, System []string
}

// A saying is what the process that tries says: the header that it needs next, by the number
// of the directory and the name, or the result.
type saying struct {
	Directory int
	Header    string
	Done      bool
	Out       []byte
	Err       string // "" is none
}

// A given is a header that the process gets, or why it does not.
type given struct {
	Text    []byte
	Missing bool
	Err     string // "" is none
}

// Try returns an error if a text of strangers cannot be parsed, or takes too much time or
// memory. Package cc cannot be interrupted, and takes hours for texts that fit on some
// pages, so this very program is started once more and parses the text under limits first.
// That takes some hundredths of a second.
func Try(name string, text []byte, m Model) error {
	_, err := trial{Name: name, Text: text, Model: m}.run(nil)
	return err
}

// preprocess has a process of its own, for the same reason, preprocess a text.
func preprocess(name string, text []byte, m Model, config *cc.Config, dirs []fs.FS) ([]byte, error) {
	t := trial{Name: name, Text: text, Model: m, Expand: true, Include: config.IncludePaths, System: config.SysIncludePaths}
	return t.run(dirs)
}

// run has a process of its own do it, and gives it the headers that it needs.
func (t trial) run(dirs []fs.FS) ([]byte, error) {
	if len(t.Text) > MaxText {
		return nil, fmt.Errorf("%s: more than %d bytes", t.Name, MaxText)
	}
	cmd := &exec.Cmd{Path: "/proc/self/exe", Args: []string{trier, strconv.Itoa(len(t.Text))}, Dir: "/", Env: []string{"GOMAXPROCS=1"}}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	said, err := t.converse(gob.NewEncoder(in), gob.NewDecoder(out), dirs)
	ended := errors.Join(in.Close(), cmd.Wait()) // after what it says
	switch {
	case err != nil || ended != nil:
		return nil, fmt.Errorf("%s: it takes more than %d s or %d MB to parse", t.Name, tryTime(len(t.Text)), tryMemory(len(t.Text))>>20)
	case said.Err != "":
		return nil, errors.New(said.Err)
	}
	return said.Out, nil
}

// converse returns the result of the process.
func (t trial) converse(to *gob.Encoder, from *gob.Decoder, dirs []fs.FS) (said saying, err error) {
	if err := to.Encode(t); err != nil {
		return said, err
	}
	for {
		said = saying{}
		if err := from.Decode(&said); err != nil || said.Done {
			return said, err
		}
		var g given
		if said.Directory >= len(dirs) {
			g.Missing = true
		} else if text, err := readHeader(dirs[said.Directory], said.Header); err == nil {
			g.Text = text
		} else if g.Missing = errors.Is(err, fs.ErrNotExist); !g.Missing {
			g.Err = err.Error()
		}
		if err := to.Encode(g); err != nil {
			return said, err
		}
	}
}

// tryTime and tryMemory return the limits for a text. A part of a second counts as a second.
func tryTime(size int) uint64   { return tryCPU + (tryCPUOfMB*uint64(size)+1<<20-1)>>20 }
func tryMemory(size int) uint64 { return tryData + tryDataOfMB>>20*uint64(size) }

func init() {
	if len(os.Args) != 2 || os.Args[0] != trier {
		return
	}
	if size, err := strconv.Atoi(os.Args[1]); err == nil {
		try(size)
	}
}

// try does what standard input asks for, under limits, and says on standard output what came of
// it. The exit status is 0 in any case in which that can be said.
func try(size int) {
	const killed = 2
	for what, most := range map[int]uint64{unix.RLIMIT_CPU: tryTime(size), unix.RLIMIT_DATA: tryMemory(size), unix.RLIMIT_CORE: 0} {
		if unix.Setrlimit(what, &unix.Rlimit{Cur: most, Max: most}) != nil {
			os.Exit(killed)
		}
	}
	debug.SetMemoryLimit(int64(tryMemory(size) / 2)) // garbage does not count as the text's
	from, to := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	var t trial
	if from.Decode(&t) != nil {
		os.Exit(killed)
	}
	result := saying{Done: true}
	var err error
	if t.Expand {
		config := &cc.Config{IncludePaths: t.Include, SysIncludePaths: t.System}
		result.Out, err = expand(t.Name, t.Text, t.Model, config, newIncludes(func(directory int, name string) ([]byte, error) {
			var g given
			if to.Encode(saying{Directory: directory, Header: name}) != nil || from.Decode(&g) != nil {
				os.Exit(killed)
			}
			switch {
			case g.Missing:
				return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
			case g.Err != "":
				return nil, errors.New(g.Err)
			}
			return g.Text, nil
		}))
	} else {
		_, err = ParseUnit(t.Name, t.Text, t.Model)
	}
	if err != nil {
		result.Err = strings.ToValidUTF8(cmp.Or(err.Error(), "it cannot be read"), "?")
	}
	if to.Encode(result) != nil {
		os.Exit(killed)
	}
	os.Exit(0)
}
