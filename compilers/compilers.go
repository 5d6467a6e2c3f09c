// Package compilers asks a compiler or an engine to build a program whose answer
// is known, runs the result, and says what happened.
//
//	found, named, err := targets.Find(ctx, compilers.EnvFrom(os.Environ()))
//	ws, err := compilers.NewWorkspace(os.TempDir())
//	defer ws.Close()
//	limits := compilers.DefaultLimits()
//	usable, unusable := compilers.ProbeAll(ctx, ws, found, limits)
//	job := compilers.Job{Files: compilers.Single(c), Want: []byte("1873461\n"), Mode: "-O2"}
//	o := compilers.Test(ctx, usable[0], ws, job, limits)
//	if o.Verdict.Finding() {
//		same := o.Same(compilers.Test(ctx, usable[0], ws, job, limits))
//		...
//	}
//
// The types:
//
//	Env        what the environment asks for: PATH, REIFY_CC, REIFY_MODES
//	Target     a compiler or engine, which is asked in modes; some have abilities
//	Feature    a part of C that a target may lack, and a program need
//	Job        a program, the answer it must print, the mode and arguments
//	Outcome    a Verdict with its message, output, cost and commands
//	Limits     CPU time, wall time, memory, output, files, processes
//	Workspace  a directory for this process alone, swept when it is dead
//	Child      a process under limits, which targets are built from
//
// The packages below:
//
//	native     gcc and clang, and what compilers of C have in common
//	tcc        the Tiny C Compiler
//	gc         Go's own compiler
//	gccgo      GCC's compiler of Go
//	served     engines that are asked by servers
//	wasm       engines of WebAssembly
//	jvm        virtual machines of Java
//	own        what users' files make known
//	targets    the table of all kinds of targets
//	bisect     which pass of a compiler is to blame
//	events     what compilers say about their optimisations
//
// A compiler under test may do anything, so each child runs under resource
// limits, in a process group of its own that is killed before its leader is
// reaped, with no terminal, no inherited descriptors and a fixed environment.
// A finding is something only the compiler can be blamed for: a machine that
// runs out of memory, disk or patience gives Discarded. Memory is the compiler's
// fault where it took much of it, see Bounds.TookMemory.
//
// The package knows nothing of how programs are made, and needs Linux.
package compilers
