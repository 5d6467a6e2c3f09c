// Package compilers finds the C compilers of the machine, asks them to compile
// a program whose answer is known, runs the result, and says what happened.
//
//	env := compilers.EnvFrom(os.Environ())
//	found, err := compilers.Find(ctx, env)           // gcc-11, gcc-12, clang-19 ...
//	ws, err := compilers.NewWorkspace(os.TempDir())
//	defer ws.Close()
//	limits := compilers.DefaultLimits()
//	usable, unusable := compilers.ProbeAll(ctx, ws, found, limits)
//	job := compilers.Job{Source: c, Want: []byte("1873461\n"), Level: "-O2"}
//	o := usable[0].Test(ctx, ws, job, limits)
//	if o.Verdict.Finding() {
//		again, same := usable[0].Confirm(ctx, ws, job, limits, o)
//		...
//	}
//
// The types:
//
//	Env        what the environment asks for: PATH, REIFY_CC, REIFY_LEVELS
//	Toolchain  a compiler with its version and extra arguments
//	Workspace  a directory for this process alone, swept when it is dead
//	Job        a program, the answer it must print, the level and flags
//	Limits     CPU time, wall time, memory, output, files, processes
//	Outcome    a Verdict with its message, output, cost and commands
//
// Toolchain.LinkDirectly makes a toolchain cheaper, by calling the linker
// without the driver; Toolchain.Plain makes it ordinary again.
//
// Toolchain.Optimisations returns what the compiler says it optimised, which
// package events reads.
//
// A compiler under test may do anything, so each child runs under resource
// limits, in a process group of its own that is killed before its leader is
// reaped, with no terminal, no inherited descriptors and a fixed environment.
// A finding is something only the compiler can be blamed for: a machine that
// runs out of memory, disk or patience gives Discarded.
//
// The package knows nothing of how programs are made. It needs Linux.
package compilers
