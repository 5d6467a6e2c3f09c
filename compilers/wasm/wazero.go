package wasm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"

	"goreify/compilers"
	"goreify/reify/answers"
)

// serve, with a mode behind it, has this program be a process that runs modules in wazero:
// the module of a file, or those that are asked for, as Runner does. Compiled code
// shares the memory of the process that runs it, and cannot be stopped.
const serve = "wazero"

func init() {
	if len(os.Args) < 3 || os.Args[1] != serve || !strings.HasPrefix(os.Args[2], "@") {
		return
	}
	debug.SetGCPercent(400)
	os.Exit(wazeroMain(os.Args[2], os.Args[3:]))
}

func wazeroMain(name string, args []string) int {
	var conf wazero.RuntimeConfig
	switch name {
	case "@interpreter":
		conf = wazero.NewRuntimeConfigInterpreter()
	case "@compiler":
		conf = wazero.NewRuntimeConfigCompiler()
	case "@checks":
		conf = wazero.NewRuntimeConfigCompiler().WithCloseOnContextDone(true)
	default:
		fmt.Fprintf(os.Stderr, "%s %s: want @interpreter, @compiler or @checks\n", serve, name)
		return 2
	}
	conf = conf.WithDebugInfoEnabled(false).WithCustomSections(true)
	err := errors.New("want a file or two pipes")
	switch len(args) {
	case 1:
		err = wazeroFile(conf, args[0])
	case 2:
		err = wazeroServe(conf, args[0], args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}

func wazeroFile(conf wazero.RuntimeConfig, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	module, err := Decode(text)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	compile, calls := wazeroRun(conf, module, io.MultiWriter(os.Stdout, &out), func() { fmt.Fprintln(os.Stderr, "compiled") })
	fmt.Fprintf(os.Stderr, "end %d %d 0\n", compile.Microseconds(), calls.Microseconds())
	if i := bytes.LastIndex(module, []byte("\x07"+answersSection)); i >= 0 && !bytes.Equal(module[i+1+len(answersSection):], out.Bytes()) {
		os.Exit(1)
	}
	return nil
}

func wazeroServe(conf wazero.RuntimeConfig, from, to string) error {
	requests, err := os.OpenFile(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	replies, err := os.OpenFile(to, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(requests, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil // the other end of the pipe is closed
		}
		module := make([]byte, base64.StdEncoding.DecodedLen(len(line)))
		n, err := base64.StdEncoding.Decode(module, line[:len(line)-1])
		if err != nil {
			return err
		}
		compile, calls := wazeroRun(conf, module[:n], replies, func() {})
		if _, err := fmt.Fprintf(replies, "end %d %d %d\n", compile.Microseconds(), calls.Microseconds(), resident()); err != nil {
			return err
		}
	}
}

// resident returns the bytes of this process that are in memory.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// wazeroTraps are the kinds of traps by what wazero says of them.
var wazeroTraps = []struct{ text, kind string }{
	{"integer divide by zero", "divide-by-zero"},
	{"integer overflow", "overflow"},
	{"invalid conversion to integer", "overflow"},
	{"out of bounds memory access", "out-of-bounds"},
	{"unreachable", "unreachable"},
}

// wazeroRun compiles a module and makes its calls, a line for each.
func wazeroRun(conf wazero.RuntimeConfig, module []byte, out io.Writer, compiled func()) (compile, calls time.Duration) {
	ctx := context.Background()
	start := compilers.SelfCPU()
	r := wazero.NewRuntimeWithConfig(ctx, conf)
	defer r.Close(ctx)
	c, err := r.CompileModule(ctx, module)
	if err != nil {
		fmt.Fprintf(out, "rejected %s\n", firstLine(err))
		return compilers.SelfCPU() - start, 0
	}
	mod, err := r.InstantiateModule(ctx, c, wazero.NewModuleConfig())
	if err != nil {
		fmt.Fprintf(out, "rejected %s\n", firstLine(err))
		return compilers.SelfCPU() - start, 0
	}
	compiled()
	ready := compilers.SelfCPU()
	list := ""
	for _, s := range c.CustomSections() {
		if s.Name() == callsSection {
			list = string(s.Data())
		}
	}
	var text []byte
	for line := range strings.Lines(list) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		if reset := mod.ExportedFunction(f[1] + ".reset"); reset != nil {
			if _, err := reset.Call(ctx); err != nil {
				text = append(text, "reset: "...)
			}
		}
		var answer string
		args := make([]uint64, 0, 8)
		for _, a := range f[3:] {
			digits, wide := strings.CutSuffix(a, "n")
			v, err := strconv.ParseInt(digits, 10, 64)
			if err != nil {
				answer = err.Error()
			}
			if !wide {
				v = int64(uint32(v))
			}
			args = append(args, uint64(v))
		}
		fn := mod.ExportedFunction(f[1])
		if fn == nil {
			answer += "no export " + f[1]
		} else if got, err := fn.Call(ctx, args...); err != nil {
			answer += answers.Trap(trapOf(firstLine(err)))
		} else if len(got) != 1 { // a module that others wrote
			answer += "no result"
		} else {
			answer += string(appendValue(nil, f[2], got[0]))
		}
		if state := mod.ExportedFunction(f[1] + ".state"); state != nil {
			if got, err := state.Call(ctx); err == nil && len(got) == 1 {
				answer = answers.Stated(answer, strconv.FormatUint(uint64(uint32(got[0])), 10))
			}
		}
		text = append(text, answers.Line(f[0], answer)...)
		// Each line at once: then the call in flight when it dies is known.
		if _, err := out.Write(text); err != nil {
			return ready - start, compilers.SelfCPU() - ready
		}
		text = text[:0]
	}
	return ready - start, compilers.SelfCPU() - ready
}

// callsSection is the custom section with the calls, answersSection the one with what
// they print, the last of a module; see package reify/emit/wasm.
const (
	callsSection   = "calls"
	answersSection = "answers"
)

func appendValue(text []byte, kind string, v uint64) []byte {
	switch kind {
	case "i64":
		return strconv.AppendInt(text, int64(v), 10)
	case "u64":
		return strconv.AppendUint(text, v, 10)
	case "u32":
		return strconv.AppendUint(text, uint64(uint32(v)), 10)
	}
	return strconv.AppendInt(text, int64(int32(v)), 10)
}

// trapOf returns the kind of a trap by what an engine says of it, or else that.
func trapOf(text string) string {
	for _, t := range wazeroTraps {
		if strings.Contains(text, t.text) {
			return t.kind
		}
	}
	return text
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
