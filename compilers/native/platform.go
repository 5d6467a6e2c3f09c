package native

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"goreify/compilers"
)

// A platform is what a toolchain says of the processor and system that it writes
// programs for, with certain arguments.
type platform struct {
	Triple       string `json:",omitzero"` // "s390x-linux-gnu"; empty if it would not say
	BigEndian    bool   `json:",omitzero"`
	CharUnsigned bool   `json:",omitzero"`
	Long         int    // sizes in bytes
	Pointer      int
	No128        bool     `json:",omitzero"` // it has no type of 128 bits
	Tools        []string `json:",omitzero"` // the arguments for LLVM's tools that say as much, if it is clang
	Has          []string `json:",omitzero"` // the features that it was found to have, if it is of another package's family
}

// usual is the platform of one that does not say it: x86-64 Linux.
var usual = platform{Long: 8, Pointer: 8}

// A survey holds what was asked of a compiler. Copies of a toolchain share it.
type survey struct {
	space *compilers.Workspace // where it is asked

	mu    sync.Mutex
	known map[string]platform // by the arguments, with blanks between
	lists map[string]string   // of models of processors, by the path of an emulator
}

// once returns what is known of a key. It asks for it first if nothing is, within a minute.
func once[T any](s *survey, known map[string]T, key string, ask func(context.Context) T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	is, ok := known[key]
	if !ok {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		is = ask(ctx)
		known[key] = is
	}
	return is
}

// platform returns what the toolchain compiles for with its arguments. It asks
// once for each list of arguments, which costs a millisecond for gcc and twenty
// for clang. One that was made by hand is not asked.
func (t Toolchain) platform() platform {
	s := t.survey
	if s == nil {
		p := usual
		p.Triple = t.Triple
		return p
	}
	return once(s, s.known, t.words(), func(ctx context.Context) platform {
		if t.other != nil {
			p, _ := t.askParts(ctx, s.space) // it lacks what it does not say
			return p
		}
		p, _ := t.askPlatform(ctx, s.space) // what it does not say is as usual
		return p
	})
}

// words returns the arguments as one text.
func (t Toolchain) words() string { return strings.Join(t.Clang().Args, " ") }

// askPlatform asks the toolchain for the macros that it has defined beforehand.
// With -v, both families name their target, too.
func (t Toolchain) askPlatform(ctx context.Context, space *compilers.Workspace) (platform, compilers.Exit) {
	e := t.says(ctx, space, slices.Concat(t.Clang().Args, []string{"-v", "-dM", "-E", "-x", "c", os.DevNull})...)
	p := platformOf(string(e.Stdout))
	p.Tools = generation(string(e.Stderr))
	p.Triple = cmp.Or(tripleOf(string(e.Stderr)), tripleOf(string(e.Stdout)))
	return p, e
}

var macro = regexp.MustCompile(`(?m)^#define __(CHAR_UNSIGNED|BYTE_ORDER|SIZEOF_LONG|SIZEOF_POINTER|SIZEOF_INT128|BITINT_MAXWIDTH)__ (\w+)\s*$`)

// platformOf returns what macros say.
func platformOf(macros string) platform {
	p := usual
	wide := macros == ""
	for _, m := range macro.FindAllStringSubmatch(macros, -1) {
		n, _ := strconv.Atoi(m[2]) // byte orders are no numbers
		switch m[1] {
		case "CHAR_UNSIGNED":
			p.CharUnsigned = true
		case "BYTE_ORDER":
			p.BigEndian = m[2] == "__ORDER_BIG_ENDIAN__"
		case "SIZEOF_LONG":
			p.Long = n
		case "SIZEOF_POINTER":
			p.Pointer = n
		case "SIZEOF_INT128":
			wide = true
		case "BITINT_MAXWIDTH": // that of clang is no type of 128 bits with -m32
			wide = wide || n >= 128 && !strings.Contains(macros, "#define __clang__ ")
		}
	}
	p.No128 = !wide
	return p
}

// Traits returns what the compiler says of its target, and the runner of its programs:
// qemu-user if they are for another processor, unless the kernel itself calls that.
func (t Toolchain) Traits() compilers.Traits {
	p := t.platform()
	traits := compilers.Traits{ByteOrder: binary.LittleEndian, CharSigned: !p.CharUnsigned, Long: p.Long, Pointer: p.Pointer, Emulated: Emulated(p.Triple), Lacks: t.lacks(p), Partial: t.other != nil}
	if p.BigEndian {
		traits.ByteOrder = binary.BigEndian
	}
	if !traits.Emulated {
		return traits
	}
	model, other := models(emulator(p), t.Clang().Args)
	path, err := t.emulatorPath()
	if err != nil {
		return traits
	}
	switch {
	case t.emulates(path, model):
		traits.Runner = []string{path, "-cpu", model}
	case !registered(emulator(p)):
		traits.Runner = []string{path}
	}
	if traits.Runner != nil && t.emulates(path, other) {
		traits.Other = []string{path, "-cpu", other}
	}
	return traits
}

// emulates tells whether an emulator says that it knows a model of a processor, which
// may have settings after a comma. It is asked once.
func (t Toolchain) emulates(path, model string) bool {
	s := t.survey
	if model == "" || s == nil {
		return false
	}
	list := once(s, s.lists, path, func(ctx context.Context) string {
		return string(t.hear(ctx, s.space, path, "-cpu", "help").Stdout)
	})
	name, _, _ := strings.Cut(model, ",")
	return regexp.MustCompile(`(?m)(^|[\s'])` + regexp.QuoteMeta(name) + `($|[\s'])`).MatchString(list)
}

// models returns the names by which an emulator knows the processor that arguments ask
// for, and another one that has all its instructions; nothing where the usual one will do.
func models(emulator string, args []string) (model, other string) {
	for _, arg := range slices.Backward(machined(args)) {
		switch emulator {
		case "qemu-ppc64", "qemu-ppc64le":
			_, name, _ := strings.Cut(arg, "=")
			if n, err := strconv.Atoi(strings.TrimLeft(name, "powerd")); err == nil && n >= 7 && n < 10 {
				return "power" + strconv.Itoa(n), "power10"
			}
			return "power10", ""
		case "qemu-s390x":
			return "max", "gen16a"
		case "qemu-riscv64":
			return "max", "max,vlen=256" // of which programs may not depend
		case "qemu-aarch64":
			return "max", "neoverse-n2"
		case "qemu-loongarch64":
			return "max", "la464"
		case "qemu-arm":
			return "max", ""
		case "qemu-mips64", "qemu-mips64el":
			switch {
			case strings.HasSuffix(arg, "r6"): // which lacks instructions of those before it
				return "I6400", "I6500"
			case arg == "-mmsa":
				return "Loongson-3A4000", ""
			}
		}
	}
	return "", ""
}

// emulated returns the traits, or nil if its programs are this machine's own.
func (t Toolchain) emulated() *compilers.Traits {
	if traits := t.Traits(); traits.Emulated {
		return &traits
	}
	return nil
}

// emulatorPath returns the program that runs programs of the toolchain's.
func (t Toolchain) emulatorPath() (string, error) {
	name := emulator(t.platform())
	if path := compilers.LookEmulator(t.Root, t.searchPath, name); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("programs for %s are run by %s, which is not on PATH%s (package qemu-user)", t.platform().Triple, name, in(t.Root))
}

// Emulated tells whether programs for a target are for another processor than this
// machine's.
func Emulated(triple string) bool {
	processor, _, _ := strings.Cut(triple, "-")
	switch runtime.GOARCH {
	case "amd64":
		return processor != "" && processor != "x86_64" && !intel32.MatchString(processor)
	case "arm64":
		return processor != "" && processor != "aarch64"
	}
	return false
}

var intel32 = regexp.MustCompile(`^i[3-6]86$`)

// emulators are the names of processors in those of qemu's programs where they
// are not what triples have.
var emulators = map[string]string{"powerpc": "ppc", "powerpc64": "ppc64", "powerpc64le": "ppc64le", "i486": "i386", "i586": "i386", "i686": "i386"}

// emulator returns the name of the program that runs programs for a platform.
func emulator(p platform) string {
	processor, _, _ := strings.Cut(p.Triple, "-")
	if strings.HasPrefix(processor, "arm") {
		processor = "arm"
		if p.BigEndian {
			processor = "armeb"
		}
	}
	if name, ok := emulators[processor]; ok {
		processor = name
	}
	return "qemu-" + processor
}

// registered tells whether the kernel has an emulator run what it does not know
// how to execute (binfmt_misc).
func registered(emulator string) bool {
	text, err := os.ReadFile(filepath.Join("/proc/sys/fs/binfmt_misc", emulator))
	return err == nil && strings.HasPrefix(string(text), "enabled")
}
