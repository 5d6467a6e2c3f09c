package compilers

import "time"

// Limits bound what a child may use. A limit of zero or less is no limit. The
// CPU limits hold for each process and are rounded up to whole seconds, which
// is all the kernel offers; one of less than a second holds for all processes
// of a child together, and may be overrun by as much again. The memory limits
// are of address space, and are raised to twice the most that this process has
// ever had resident.
type Limits struct {
	CompileCPU    time.Duration // CPU time of one process of the compiler
	CompileWall   time.Duration // from its start to its end
	CompileMemory int64         // bytes

	RunCPU    time.Duration // CPU time of the program
	RunWall   time.Duration
	RunMemory int64 // bytes; must be 0 under AddressSanitizer, see ForSanitizers

	Output    int   // bytes of standard output, and as many of standard error
	FileSize  int64 // bytes of any file written
	Disk      int64 // bytes of all files in the directory of a job, about: it is looked at now and then
	Processes int   // processes and threads of a box of namespaces, else of the user, not only ours; root is exempt then
}

// DefaultLimits returns the limits that fit a fuzzing execution of 8 s: 2 s of
// CPU, 6 s in all and 4 GB to compile a program of one function, for more see
// ForFunctions; 1 s of CPU, 4 s in all and 1 GB to run; 1 MB of output, files of
// 64 MB, and 256 MB of them. The bound on processes is wide because the kernel counts all those of
// the user; it stops a fork bomb, no more.
func DefaultLimits() Limits {
	return Limits{
		CompileCPU:    2 * time.Second,
		CompileWall:   6 * time.Second,
		CompileMemory: 4 << 30,
		RunCPU:        time.Second,
		RunWall:       4 * time.Second,
		RunMemory:     1 << 30,
		Output:        1 << 20,
		FileSize:      64 << 20,
		Disk:          256 << 20,
		Processes:     8192,
	}
}

// perFunction is the share of a program's limits that each function after its
// first adds. 60 small functions have taken 0.4 to 1.7 s to compile at -O2,
// depending on the compiler and on what else the machine did: with the default
// limits they get 6 s, which leaves a slower machine three times that.
const perFunction = 30

// ForFunctions returns the limits for compiling a program of n functions: those of one
// function, and a 30th of them more for each further one. A batch that takes long accuses
// no compiler; the limit of a single function tells an endless compilation.
func (l Limits) ForFunctions(n int) Limits {
	more := time.Duration(max(n-1, 0))
	l.CompileCPU += l.CompileCPU * more / perFunction
	l.CompileWall += l.CompileWall * more / perFunction
	return l
}

// ForSanitizers returns the limits for programs built with sanitizers:
// AddressSanitizer reserves terabytes of address space, so memory at run time
// is not limited, and instrumented code gets three times the time.
func (l Limits) ForSanitizers() Limits {
	l.RunMemory = 0
	return l.Times(3)
}

// WithCompile returns the limits under which a program of one function may take d of CPU
// time to be compiled; zero or less is no limit. The wall time changes by the same
// factor. The limits of larger programs, of sanitizers, of the linker and of engines,
// which compile as they run, are made of these two, so they follow. The limits of running
// stay: a slow compiler makes no slow programs.
func (l Limits) WithCompile(d time.Duration) Limits {
	switch {
	case d <= 0:
		d, l.CompileWall = 0, 0
	case l.CompileCPU <= 0:
		l.CompileWall = 0
	default:
		l.CompileWall = time.Duration(float64(l.CompileWall) * float64(d) / float64(l.CompileCPU))
	}
	l.CompileCPU = d
	return l
}

// Times returns the limits with n times the time, of all kinds.
func (l Limits) Times(n time.Duration) Limits {
	l.CompileCPU *= n
	l.CompileWall *= n
	l.RunCPU *= n
	l.RunWall *= n
	return l
}

// Patience is how many times as long as a reference mode a target may take before it is
// said not to end.
const Patience = 10

// Spent returns what of an outcome's CPU time a verdict of time is about, and what the
// limit of that is. An engine has one limit for all; see Timed.
func (l Limits) Spent(v Verdict, o Outcome, together bool) (took, limit time.Duration) {
	switch {
	case together:
		return o.CompileCPU + o.RunCPU, l.CompileCPU + l.RunCPU
	case v == SlowCompile:
		return o.CompileCPU, l.CompileCPU
	}
	return o.RunCPU, l.RunCPU
}

// emulatorRoom is the address space that an emulator takes for a program with
// pointers of 32 bits, all of which it reserves, and for itself.
const emulatorRoom = 5 << 30

// forEmulator returns the limits for programs of a target, with what an emulator
// needs.
func (l Limits) forEmulator(t Traits) Limits {
	if t.Emulated && t.Pointer < 8 && l.RunMemory > 0 {
		l.RunMemory += emulatorRoom
	}
	return l
}

// Compile returns what one child may use that builds.
func (l Limits) Compile() Bounds {
	return Bounds{l.CompileCPU, l.CompileWall, l.CompileMemory, l.Output, l.FileSize, l.Processes, l.Disk}.above(ownPeak())
}

func (l Limits) run() Bounds {
	return Bounds{l.RunCPU, l.RunWall, l.RunMemory, l.Output, l.FileSize, l.Processes, l.Disk}.above(ownPeak())
}

// Bounds are the limits of one child.
type Bounds struct {
	cpu, wall time.Duration
	memory    int64
	output    int
	fileSize  int64
	processes int
	disk      int64
}

// fine reports whether the CPU limit is less than the kernel can count.
func (b Bounds) fine() bool { return 0 < b.cpu && b.cpu < time.Second }

// cpuSeconds returns the CPU limit in whole seconds, rounded up.
func (b Bounds) cpuSeconds() int64 { return int64((b.cpu + time.Second - 1) / time.Second) }

// MetCPU tells whether a child that used so much CPU time met its limit. The
// kernel checks at clock ticks, so a child may die a tick early.
func (b Bounds) MetCPU(used time.Duration) bool {
	const tick = 10 * time.Millisecond
	return b.cpu > 0 && used >= time.Duration(b.cpuSeconds())*time.Second-tick
}

// NearMemory tells whether a child whose largest process had rss bytes
// resident was so close to its limit that its failing proves nothing.
func (b Bounds) NearMemory(rss int64) bool {
	return b.memory > 0 && rss >= b.memory/4*3
}

// TookMemory tells whether a child whose largest process had rss bytes resident ran
// out of memory by its own fault: it had a gigabyte, and half of its limit, which what
// doubles its memory has when it asks for all of it.
func (b Bounds) TookMemory(rss int64) bool {
	return b.memory > 0 && rss >= max(b.memory/2, 1<<30)
}

// above returns the bounds with a memory limit of at least twice peak bytes.
//
// The kernel counts the peak of the process that starts a child to the child: until it
// calls exec it runs in our memory (CLONE_VM). Were our peak near the limit, every crash
// would look like one for want of memory, and one for want of memory could not be told
// from the rest. With twice our peak, a peak near the limit is the child's own.
func (b Bounds) above(peak int64) Bounds {
	if b.memory > 0 {
		b.memory = max(b.memory, 2*peak)
	}
	return b
}
