package jvm

import (
	"context"
	"embed"
	"encoding/binary"
	"path/filepath"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/served"
)

// The files of a program: the class in hexadecimal, and what runs it.
const (
	MainFile   = compilers.MainClass
	RunnerFile = "Repro.java"
)

// Runner is the text of RunnerFile.
//
//go:embed Repro.java
var Runner string

//go:embed Repro.class Repro$Call.class
var runnerClasses embed.FS

// runnerFiles are what javac makes of the runner.
var runnerFiles = func() (list []compilers.File) {
	for _, name := range []string{"Repro.class", "Repro$Call.class"} {
		content, err := runnerClasses.ReadFile(name)
		if err != nil {
			panic("jvm: " + err.Error())
		}
		list = append(list, compilers.File{Name: name, Content: content})
	}
	return list
}()

// A Machine is a virtual machine that can be asked.
type Machine struct {
	compilers.Installation

	Root   string // directory that is / for it; "" is that of this machine
	served bool   // by servers
	own    *kind  // of a machine that a user's file tells of; nil for HotSpot and Zero
}

// A kind is a line of machines that have modes in common.
type kind struct {
	family    string
	modes     compilers.Ways[mode]
	common    []string // flags in all modes
	household []string // see household
}

// kind returns what is true of all machines like this one.
func (m Machine) kind() kind {
	if m.own != nil {
		return *m.own
	}
	k := kind{hotspot, modes, common, household}
	if m.zero() {
		k.family, k.modes = zero, modes[:1]
	}
	return k
}

// Own returns the machine of a line of a user's file.
func Own(ctx context.Context, env compilers.Env, l compilers.Line, entry string) (m Machine, err error) {
	k := kind{family: l.Name, common: l.Flags}
	for _, one := range l.Modes {
		k.modes = append(k.modes, mode{name: one.Mode, args: one.Flags})
	}
	m.own = &k
	m.Installation, err = l.Found(ctx, env, entry)
	return m, err
}

// A mode is a way to ask.
type mode struct {
	name compilers.Mode
	args []string
	rare bool // asked in if it is named
}

func (m mode) Way() (name compilers.Mode, rare bool) { return m.name, m.rare }

// modes are all there are. The first one interprets.
var modes = compilers.Ways[mode]{
	{name: "@int", args: []string{"-Xint"}},
	{name: "@c1", args: []string{"-Xcomp", "-XX:TieredStopAtLevel=1", sumsApart}},
	{name: "@c2", args: []string{"-Xcomp", "-XX:-TieredCompilation", sumsApart}},
	{name: "@c2-stress", rare: true, args: []string{"-Xcomp", "-XX:-TieredCompilation",
		"-XX:+StressIGVN", "-XX:+StressGCM", "-XX:+StressLCM", "-XX:+StressCCP", "-XX:StressSeed=1"}},
	// Each function is called often, and reaches all tiers with a profile of its calls.
	{name: "@tiered", rare: true, args: []string{"-Xbatch", "-XX:CompileThresholdScaling=0.002", training + "400"}},
	// Loops that go round often are replaced on the stack.
	{name: "@osr", rare: true, args: []string{"-Xbatch", "-XX:-TieredCompilation", "-XX:CompileThresholdScaling=0.002"}},
}

// Flags returns what a mode gives HotSpot, none for one that is not known.
func Flags(name compilers.Mode) []string {
	m, _ := modes.Find(name)
	return slices.DeleteFunc(slices.Clone(m.args), func(arg string) bool { return arg == sumsApart || strings.HasPrefix(arg, training) })
}

// training is how the runner is told to make calls again and again.
const training = "-Dtrain="

// Training returns the flags with which any mode makes as many calls as a mode does.
func (m Machine) Training(name compilers.Mode) []string {
	one, _ := m.kind().modes.Find(name)
	return served.Training(training, one.args, m.Args)
}

// The families of machines, and the flag that tells them apart.
const (
	hotspot  = "hotspot"
	zero     = "zero"
	zeroFlag = "-zero"
)

func (m Machine) zero() bool { return m.own == nil && slices.Contains(m.Args, zeroFlag) }

// all returns the modes that there are of the machine.
func (m Machine) all() []compilers.Mode { return m.kind().modes.Names() }

// sumsApart keeps the checksum, which is the same everywhere, from being inlined: C2 took
// half of its time for that. Other modes inline it.
const sumsApart = "-XX:CompileCommand=dontinline,Cases::crc*"

// common are the flags in all modes: only what is tested is compiled, and all of that.
var common = []string{
	"-XX:+UnlockDiagnosticVMOptions", "-XX:+IgnoreUnrecognizedVMOptions", "-XX:-DontCompileHugeMethods",
	"-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,Cases::f*",
}

// household are those that change nothing of what is compiled: what a process costs, and
// where it says that it has failed or warns. Users do without them.
var household = []string{
	// The runner decodes what it gets, and few methods cost much if they are interpreted.
	"-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,java.util.Base64$Decoder::decode0",
	"-Xmx512m", "-Xshare:auto", "-XX:+UseSerialGC", "-XX:ReservedCodeCacheSize=128m", "-XX:CompressedClassSpaceSize=128m",
	"-XX:-UsePerfData", "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=/dev/null", "-XX:+DisplayVMOutputToStderr", "-Xlog:disable",
}

// room is address space that it reserves without using it.
const room = 6 << 30

var _ interface {
	compilers.Tool
	compilers.Engine
	compilers.Linker
	compilers.Sibling
	compilers.Tunable
} = Machine{}

// ID returns the name, arguments, family and version.
func (m Machine) ID() compilers.ID { return m.Identity(m.kind().family, "jvm") }

// Language returns Java bytecode.
func (m Machine) Language() compilers.Language { return compilers.JVM }

// Modes returns those that REIFY_MODES names, or those that are usual.
func (m Machine) Modes() []compilers.Mode {
	if m.Chosen != nil {
		return m.Chosen
	}
	return m.kind().modes.Usual()
}

// Reference returns the mode of the interpreter.
func (m Machine) Reference() compilers.Mode { return m.kind().modes[0].name }

// Traits returns what Java says, the same everywhere.
func (m Machine) Traits() compilers.Traits {
	return compilers.Traits{ByteOrder: binary.LittleEndian, CharSigned: true, Long: 8, Pointer: 8, Partial: m.own != nil}
}

// Dirs returns the directories that it is installed in, if they are no usual ones.
func (m Machine) Dirs() []string {
	if m.Root != "" {
		return nil
	}
	return m.Installation.Dirs()
}

// Stamped returns the machine with a digest in its version.
func (m Machine) Stamped(digest string) compilers.Target {
	m.Version = compilers.StampVersion(m.Version, digest)
	return m
}

// With returns the machine with more flags.
func (m Machine) With(args ...string) compilers.Target {
	m.Args = slices.Concat(m.Args, args)
	return m
}

// WithoutArgs returns the machine as it is called by its name alone.
func (m Machine) WithoutArgs() compilers.Target {
	zero := m.zero()
	if m.Args = nil; zero {
		m.Args = []string{zeroFlag}
	}
	return m
}

// Introduces asks for the version.
func (m Machine) Introduces() []compilers.Query {
	return []compilers.Query{{Root: m.Root, Path: m.Path, Args: append(slices.Clone(m.Args), "-version")}}
}

// LinkDirectly returns the machine as it is asked by servers.
func (m Machine) LinkDirectly(context.Context, *compilers.Workspace, compilers.Limits) (compilers.Target, error) {
	m.served = true
	return m, nil
}

// Plain returns the machine as its users know it: a process for each class.
func (m Machine) Plain() compilers.Target {
	m.served = false
	return m
}

// Direct tells whether servers are asked.
func (m Machine) Direct() bool { return m.served }

// probe is a class whose function f adds 40 and its argument; a test in reify/emit/jvm
// makes it.
//
//go:embed probe.class.hex
var probe []byte

// Probe returns nil if the machine runs a trivial class in its reference mode.
func (m Machine) Probe(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) error {
	job := compilers.Job{Files: []compilers.File{{Name: MainFile, Content: probe}}, Want: []byte("f 42\n"), Mode: m.Reference()}
	return compilers.ProbeWith(ctx, m, ws, job, limits)
}

// Encode returns a class as the main file of a program holds it.
func Encode(class []byte) []byte { return served.Encode(class) }

// Decode returns the class of a main file. The error says where it is corrupt.
func Decode(text []byte) ([]byte, error) { return served.Decode(MainFile, text) }

// Build has the machine load the class of a job and make its calls: what they print, Run
// compares.
func (m Machine) Build(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (compilers.Built, compilers.Outcome) {
	o := compilers.Outcome{Command: m.Commands(job, "")[:1]}
	flags, ok := m.flags(job)
	if !ok {
		o.Message = job.Mode + " is no mode of " + m.kind().family
		return compilers.Built{}, o
	}
	class, err := Decode(job.Files[0].Content)
	if err != nil {
		o.Verdict, o.Message = compilers.Rejected, err.Error()
		return compilers.Built{}, o
	}
	asker := served.Asker{
		Child: func(dir string, limits compilers.Limits) compilers.Child { return m.child(flags, dir, limits) },
		Alone: func(main string) []string { return []string{main} },
		Files: runnerFiles,
		Judge: judge,
	}
	a := asker.Ask(ctx, ws, job, class, limits, m.served)
	a.Command = o.Command
	return served.Leave(ws, a)
}

// Run compares what the calls printed with want. The arguments are of no use.
func (m Machine) Run(_ context.Context, built compilers.Built, _ []string, want []byte, _ compilers.Limits) compilers.Outcome {
	return served.Run(built, want)
}

// flags returns the flags for a job, or false if there is no such mode.
func (m Machine) flags(job compilers.Job) ([]string, bool) {
	k := m.kind()
	one, ok := k.modes.Find(job.Mode)
	return slices.Concat(k.common, one.args, m.Args, job.Extra), ok
}

// child returns the process that makes the calls.
func (m Machine) child(flags []string, dir string, limits compilers.Limits) compilers.Child {
	return compilers.Child{
		Root: m.Root, Path: m.Path, Args: slices.Concat(m.kind().household, flags, []string{"-cp", ".", "Repro"}),
		Env: compilers.FixedEnv(m.Host.Path, filepath.Join(dir, "tmp")), Bounds: served.Together(limits, room),
	}
}

// Commands returns the line that makes the calls, and one that does nothing: what is
// built runs at once.
func (m Machine) Commands(job compilers.Job, _ string) []string {
	flags, _ := m.flags(job)
	name, path, given := strings.Cut(m.Name, "=")
	name, _, _ = strings.Cut(name, compilers.RootMark)
	switch {
	case m.own != nil, given && m.Root == "":
		name = m.Path
	case given:
		name = path
	case name != "java" && strings.HasPrefix(m.Path, debianDir): // which is not on PATH
		name = m.Path
	}
	args := append(flags, RunnerFile)
	if main := job.Files[0].Name; main != MainFile {
		args = append(args, main)
	}
	return []string{compilers.CommandLine(name, args), "true"}
}
