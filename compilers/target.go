package compilers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Language is what programs are written in, as reproducers name it.
type Language = string

// The languages: C for gcc and clang, Go for gc, WebAssembly for engines such as wazero
// and V8, the bytecode of Java, and the intermediate language of LLVM.
const (
	C    Language = "C"
	Go   Language = "Go"
	Wasm Language = "Wasm"
	JVM  Language = "JVM"
	LLVM Language = "LLVM"
)

// A Mode is a way to ask a target, a word without spaces: an optimisation level
// such as "-O2", or a tier of an engine such as "@c2".
type Mode = string

// An ID tells one target from others. Reproducers store it.
type ID struct {
	Name    string   // as the user calls it: "gcc-12"
	Args    []string // that each call gets: "-m32"
	Family  string   // a line of targets that share options and messages: "gcc"
	Version string   // "12.2.0", "12.2.0 s390x-linux-gnu"; empty if it would not say
	Triple  string   // of the processor and system it compiles for; empty if not known
}

// String returns the name and the arguments, as REIFY_CC takes them.
func (id ID) String() string { return strings.Join(append([]string{id.Name}, id.Args...), " ") }

// Same tells whether two IDs have one name and the same arguments.
func (id ID) Same(other ID) bool { return id.String() == other.String() }

// Traits are what differs between targets in the meaning of a program.
type Traits struct {
	ByteOrder     binary.ByteOrder
	CharSigned    bool
	Long, Pointer int      // sizes in bytes
	Emulated      bool     // programs are of another processor, and run by an emulator
	Runner        []string // command that runs what was built; nothing if the kernel does
	// Other is a Runner that emulates another model of the processor, or nil. A program
	// that fails with one and not with the other accuses the emulator.
	Other []string
	// Lacks are the features of C that it does not have; see NeedsOf.
	Lacks []string
	// Partial says that it was asked what it lacks, of parts that are known: it may lack
	// others, too, and a program that it rejects is no finding.
	Partial bool
}

// Alike tells whether programs mean the same with either traits, wherever they run.
func (t Traits) Alike(o Traits) bool {
	return t.ByteOrder == o.ByteOrder && t.CharSigned == o.CharSigned && t.Long == o.Long && t.Pointer == o.Pointer
}

// String returns the traits in a line: "little-endian, signed char, long 8 and
// pointers 8 bytes".
func (t Traits) String() string {
	order, char := "little-endian", "unsigned"
	if t.ByteOrder == binary.BigEndian {
		order = "big-endian"
	}
	if t.CharSigned {
		char = "signed"
	}
	text := fmt.Sprintf("%s, %s char, long %d and pointers %d bytes", order, char, t.Long, t.Pointer)
	switch {
	case len(t.Runner) > 0:
		text += ", run by " + strings.Join(t.Runner, " ")
	case t.Emulated:
		text += ", emulated"
	}
	return text
}

// A Target is a compiler or an engine that programs are tried on. It may be used
// concurrently. Some have abilities, small interfaces that callers ask for by assertion:
// Bare, Commander, Compiler, Configurable, Engine, Identified, Installed, Lenient, Linker,
// Lister, Prober, Ruler, Sanitizer, Screener, Sibling, Sourced, Spoken, Stamped, Tunable.
type Target interface {
	ID() ID
	Language() Language
	Modes() []Mode   // to be asked in, at least one
	Reference() Mode // that does the least, whether or not it is among Modes
	Traits() Traits
	// Build makes something that runs of a job. There is something unless the
	// verdict is not OK; it is to be removed when it has served.
	Build(ctx context.Context, ws *Workspace, job Job, limits Limits) (Built, Outcome)
	// Run runs what was built, with arguments, and compares what it prints.
	Run(ctx context.Context, built Built, args []string, want []byte, limits Limits) Outcome
}

// A Commander knows the commands that do what it does. Commands returns two lines
// to paste into a shell, in a directory with the job's files: one that builds its
// program under a name, and one that runs it.
type Commander interface {
	Target
	Commands(job Job, binary string) []string
}

// A Configurable target takes further arguments. With returns a copy that has
// them after its own.
type Configurable interface {
	Target
	With(args ...string) Target
}

// A Bare target can be had without its arguments. A compiler that needs them to write
// programs for another processor then writes programs for its usual one.
type Bare interface {
	Target
	WithoutArgs() Target
}

// A Screener takes arguments from strangers. Screen returns nil if they change
// only how a program is compiled. Else the error names one that could do more:
// start, read or write what is no part of the program.
type Screener interface {
	Configurable
	Screen(args ...string) error
}

// An Identified target knows itself again. Changed returns nil, or an error that
// says how its executable differs from the one that was found.
type Identified interface {
	Target
	Changed() error
}

// A Prober says whether it can be used at all: Probe returns nil if a trivial
// program is built and run, else an error that says what went wrong.
type Prober interface {
	Target
	Probe(ctx context.Context, ws *Workspace, limits Limits) error
}

// An Installed target tells which directories must be seen where it runs; see
// Workspace.Show.
type Installed interface {
	Target
	Dirs() []string
}

// A Tool has the abilities that all compilers and engines here have.
type Tool interface {
	Bare
	Commander
	Configurable
	Identified
	Installed
	Prober
	Screener
	Stamped
}

// A Compiler can do without linking what it has compiled.
type Compiler interface {
	Target
	// Compile is Build of a program that will not be run, and leaves nothing behind.
	Compile(ctx context.Context, ws *Workspace, job Job, limits Limits) Outcome
}

// A Lister shows the code that it makes.
type Lister interface {
	Target
	// List compiles a job and returns the code of each function, by name, such that equal
	// code is equal text. There is none unless the verdict is OK.
	List(ctx context.Context, ws *Workspace, job Job, limits Limits) (functions map[string]string, o Outcome, err error)
}

// A Ruler can be made anew of its own source, such that rules by which it rewrites programs
// can be left out.
type Ruler interface {
	Target
	// Rules returns the compiler that is made so, and takes what -fired says: it prints the
	// number of each rule that fires.
	Rules(ctx context.Context, ws *Workspace) (Ruled, error)
}

// A Ruled is a compiler whose rules can be left out.
type Ruled interface {
	Target
	// LeaveOut returns the argument that leaves out rules by their numbers.
	LeaveOut(ids ...int) string
	// Rule returns the place and the text of a rule, and whether it is for one processor.
	Rule(id int) (text string, own bool)
}

// A Sourced target runs programs of the language that its own is usually compiled from.
type Sourced interface {
	Target
	RunSource(ctx context.Context, ws *Workspace, file File, flags []string, limits Limits) Outcome
	SourceCommand(file string, flags []string) string
}

// A Sibling knows the other versions of itself that are here, whether or not they are
// asked about programs.
type Sibling interface {
	Target
	Siblings() []Target
}

// A Spoken target is asked for what it says of itself, which trackers want to see.
type Spoken interface {
	Target
	Introduces() []Query
}

// Words returns what a target says of itself, each answer behind its question, or nothing.
// The directory of an executable is left out.
func Words(ctx context.Context, ws *Workspace, t Target) string {
	s, ok := Plain(t).(Spoken)
	if !ok {
		return ""
	}
	text := ""
	for _, q := range s.Introduces() {
		e, err := Ask(ctx, Env{Space: ws, Path: os.Getenv("PATH")}, q)
		if err != nil {
			return ""
		}
		said := strings.TrimSpace(string(e.Stdout) + string(e.Stderr))
		text += "$ " + CommandLine(filepath.Base(q.Path), q.Args) + "\n" + strings.ReplaceAll(said, q.Path+"\n", filepath.Base(q.Path)+"\n") + "\n"
	}
	return text
}

// A Linker can be made cheaper by calling the linker itself.
type Linker interface {
	Target
	// LinkDirectly returns the cheaper target. With an error, which says what is
	// missing, it returns the target as Plain does.
	LinkDirectly(ctx context.Context, ws *Workspace, limits Limits) (Target, error)
	Plain() Target // as its users know it
	Direct() bool  // whether LinkDirectly made it
}

// An Engine compiles a program and makes its calls in one process, whose limit of CPU
// time is those of compiling and of running together.
type Engine interface {
	Target
	// Training returns the arguments with which the reference mode makes as many calls
	// as a mode does; none if it does without them.
	Training(mode Mode) []string
}

// ErrNoSanitizers is the error of a Sanitizer of a line of compilers that have none. It
// comes wrapped.
var ErrNoSanitizers = errors.New("has no sanitizers")

// A Sanitizer has variants that report undefined behaviour.
type Sanitizer interface {
	Target
	// Sanitized returns the target with sanitizers on, to be asked in its
	// Reference mode under Limits.ForSanitizers, or an error that says what is
	// missing. It costs two compilations.
	Sanitized(ctx context.Context, ws *Workspace, limits Limits) (Target, error)
}

// A Lenient target can take mistakes in a program, of which no sanitizer tells, for
// what their author may have meant.
type Lenient interface {
	Configurable
	// Filled are arguments, each of which gives a value of its own to all variables
	// that are not initialised. Older versions may reject them.
	Filled() []string
	// Forgiving are arguments with which objects may be accessed as any type, and
	// each operation on floating-point numbers rounds.
	Forgiving() []string
}

// Timed returns the job of a target's reference mode that does as much as a job in
// another mode, and whether compiling and running have one limit of CPU time.
func Timed(t Target, job Job) (reference Job, together bool) {
	if tuned, ok := t.(Tuned); ok {
		t = tuned.Target
	}
	e, together := t.(Engine)
	if together {
		job.Extra = append(slices.Clip(job.Extra), e.Training(job.Mode)...)
	}
	job.Mode = t.Reference()
	return job, together
}

// Name returns the words that stand for a target in a mode: "gcc-12 -m32 -O2".
func Name(t Target, mode Mode) string { return t.ID().String() + " " + mode }

// Plain returns the target as its users know it: a finding is confirmed with the
// commands that they type.
func Plain(t Target) Target {
	if l, ok := t.(Linker); ok {
		return l.Plain()
	}
	return t
}

// Direct tells whether the target calls a linker itself.
func Direct(t Target) bool {
	l, ok := t.(Linker)
	return ok && l.Direct()
}

// With returns the target with further arguments, or false if it takes none.
func With(t Target, args ...string) (Target, bool) {
	if c, ok := t.(Configurable); ok {
		return c.With(args...), true
	}
	return t, len(args) == 0
}

// Screen returns nil if a stranger may give the target these arguments. One that
// cannot tell takes none.
func Screen(t Target, args ...string) error {
	if s, ok := t.(Screener); ok {
		return s.Screen(args...)
	}
	if len(args) > 0 {
		return fmt.Errorf("%v takes no arguments such as %v from a reproducer", t.ID(), args)
	}
	return nil
}

// Changed returns an error if the target is not what was found. One that does not
// know itself has not changed.
func Changed(t Target) error {
	if i, ok := t.(Identified); ok {
		return i.Changed()
	}
	return nil
}

// Probe returns nil if the target can be used. One that cannot be asked can.
func Probe(ctx context.Context, t Target, ws *Workspace, limits Limits) error {
	if p, ok := t.(Prober); ok {
		return p.Probe(ctx, ws, limits)
	}
	return nil
}

// ProbeWith is Prober.Probe with a job that any usable target gets right.
func ProbeWith(ctx context.Context, t Target, ws *Workspace, job Job, limits Limits) error {
	if o := Test(ctx, t, ws, job, limits); o.Verdict != OK {
		return fmt.Errorf("%v cannot be used: %s: %v", t, strings.Join(o.Command, " && "), o)
	}
	return nil
}

// ProbeAll returns the targets that can be used, in their order, and the errors
// of the others joined, or nil. Their directories are shown in the workspace.
func ProbeAll(ctx context.Context, ws *Workspace, targets []Target, limits Limits) (usable []Target, unusable error) {
	for _, t := range targets {
		if i, ok := t.(Installed); ok {
			ws.Show(i.Dirs()...)
		}
	}
	var errs []error
	for _, t := range targets {
		if err := Probe(ctx, t, ws, limits); err != nil {
			errs = append(errs, err)
			continue
		}
		usable = append(usable, t)
	}
	return usable, errors.Join(errs...)
}

// TestFor is Test for callers that only compare the outcome with a verdict. If that is a
// verdict on a compiler, such as InternalError, and the target can do without, nothing is
// linked and run.
func TestFor(ctx context.Context, verdict Verdict, t Target, ws *Workspace, job Job, limits Limits) Outcome {
	c, ok := t.(Compiler)
	if ok && (verdict == InternalError || verdict == SlowCompile || verdict == Rejected) {
		return c.Compile(ctx, ws, job, limits)
	}
	return Test(ctx, t, ws, job, limits)
}

// Test builds the job's program, runs it, and leaves nothing behind. The
// outcome is the build's unless that is OK.
func Test(ctx context.Context, t Target, ws *Workspace, job Job, limits Limits) Outcome {
	built, o := t.Build(ctx, ws, job, limits)
	if o.Verdict != OK {
		return o
	}
	ran := t.Run(ctx, built, nil, job.Want, limits).After(o)
	built.Remove()
	return ran
}
