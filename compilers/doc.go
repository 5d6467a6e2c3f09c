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
//	llvm       the smallest test in LLVM IR of a failure of clang
//
// A compiler under test may do anything, so each child runs under resource
// limits, in a process group of its own that is killed before its leader is
// reaped, with no terminal, no inherited descriptors and a fixed environment.
// A finding is something only the compiler can be blamed for: a machine that
// runs out of memory, disk or patience gives Discarded. Memory is the compiler's
// fault where it took much of it, see Bounds.TookMemory.
//
// The package knows nothing of how programs are made, and needs Linux.
//
// # Security
//
// A reproducer, and what a wrong compiler makes of a program, may do anything. Two walls
// stand against that.
//
// Programs that run. Compilers are those that the user names or that are on PATH; a header
// only chooses among them. Flags that a reproducer brings are compared with a list of what
// may stand there (compilers/native/flags.go); others are refused.
//
// Where it runs. Compilers, linkers, programs, valgrind and cvise run in boxes
// (compilers/box.go). A box is this very program, started once more behind a wall; it runs
// one child at a time and kills all that is left of it before the next. A child costs half a
// millisecond more than without (measured).
//
//   - namespaces: no network, no other processes, IPC, terminals or keys; everything except
//     the system's directories (/usr, /etc, /opt ...) and compilers is hidden, and only the
//     workspace can be written; no capabilities, no way to any; children of root are nobody,
//     so that limits hold for them
//   - Landlock, where namespaces are forbidden: files outside of the workspace, /usr, /opt,
//     /proc, compilers and what everyone may read in /etc cannot be read, by root neither;
//     none outside of the workspace can be written; no signals to others and no abstract
//     sockets, if the kernel knows of it; no network
//   - none: no network; limits on CPU time, memory, files, disk and output
//   - -box off: limits on CPU time, memory, files, disk and output
//
// Behind each but the last the kernel refuses calls that no compiler needs, by a filter of
// seccomp(2) (compilers/box_seccomp.go): sockets of other families than AF_UNIX (with 32
// bits: all that come by socketcall) and, where the network is an empty one, AF_INET and
// AF_INET6; ptrace, except for what sets limits, and other ways into processes; namespaces,
// mounts, modules, keys, clocks, bpf, io_uring, userfaultfd, perf_event_open, typing into
// terminals; without namespaces, shared memory and queues of System V, too. It holds for 64
// and 32 bits. Calls of other ABIs (x32) do not exist. On other processors than amd64 and
// arm64, and on kernels without seccomp, there is none.
//
// With each, nothing that a child in a box has started outlives it, also if it has left its
// process group, nor our own death by SIGKILL or SIGHUP. -box require and REIFY_BOX=require
// insist on namespaces. The box is up before the first compiler is asked for its version.
//
// Strangers' programs. A stranger's program takes namespaces: without these, every command
// that compiles or runs it refuses it, and says that -box auto and -box off do it all the
// same, and what is not held then. Ours are programs that we generate, and reproducers with
// the content of one of this repository's, which is in the binary (corpus/own.go); the bytes
// that are compared are those that are parsed, and what a file or its directory is called
// says nothing. So make keep and triage need nothing renewed: the next go run has the new
// content. All C files, reproducers of other hunts, pools and databases of functions are
// strangers'. Not refused is the directory that a hunt goes on in, which is yours: batches
// that are open in it run again.
//
// Limits of a box: it is no virtual machine, and a program that knows a bug of the kernel
// gets out. Children can read what everyone can (/etc, /usr, /opt), see how busy the machine
// is, and write to the directories of other jobs of the same command. Without namespaces
// they are of our own user: behind Landlock children of root read what root may in /usr and
// /opt, since compilers in root's home take that; they see which processes there are,
// connect to sockets that the file system names (Landlock knows of these from its version 9
// on), and a child that kills its box with SIGKILL leaves behind what it has started in
// sessions of their own. Outside of any box run tools of the user that see no stranger's
// file: git, csmith and yarpgen, go list; and dot, which draws a graph of ours.
//
// Files that are opened. A child, or a stranger, may leave a link, a pipe or a device where
// we read or write next. So files in the directories of jobs, in directories that the user
// names, and of archives are opened by package safefile: below a directory that is open, as
// a regular file of bounded size and no link; what is written is a new file, renamed at the
// end. A path that the user gives may be a link, except for a reproducer. Scripts that we
// run, and archives that later programs are linked with, stand in a directory that children
// can only read. reify/files_test.go walks the code and lists the places that open files by
// name, each with its reason.
//
// Text that is read. Text of strangers is data that may be made to cost much, so each kind
// has bounds, and one place for them.
//
//   - C, and what it includes: headers are regular files of the tree that was named, of -I
//     or of the system; 100,000 searches, 16 MB, two million tokens, each as often as it is
//     included (others/csource/include.go). A process of its own expands the macros of any
//     C, and parses that of strangers first (csource/try.go): it has a second of CPU time
//     and half a GB, and three and half a GB more for each MB of text, as package cc cannot
//     be interrupted. Headers it asks of us
//   - directories that are walked: 64 deep, 262,144 files, no links (safefile.Walk)
//   - databases: no link or pipe, nor one beside; tables and indexes that compute nothing;
//     SQLite's quick check before anything else, within a minute (database.Check). Commands
//     that only look open them read-only
//   - what is shown: control characters, those that turn the direction, and bytes that are
//     no text are escaped on both outputs and in reports (printable); only show -as source
//     and files have the bytes
//   - commands in reports: made again of words that may be in one of ours, or left out
//     (report/command.go)
//
// No bound is there for time that our own commands take about good text of strangers, nor
// for files that another process exchanges between the look at a database and SQLite's own
// opening of it. Without a box, and without namespaces for an ordinary user, children are
// our own user, and only descriptors stand between them and our files.
//
// Root directories. A compiler that is newer than this machine's C library lives, with its
// programs, in a root directory: gcc-17@trunk. The box shows that directory read-only, with
// the workspace, /proc and /dev mounted in it, and starts the child with chroot. So a box
// keeps the capability to do that; children inherit none. It takes namespaces: behind
// another wall such a compiler is one that cannot be used. The directory is trusted as /usr
// is.
//
// There are no cgroups. Version 2 gives limits only to children of a cgroup that has no
// processes of its own, so we and the shell that started us would have to move, in a tree
// that belongs to systemd or a container's engine unless it was delegated. Other limits
// hold: processes are limited by number for the user that children are, which Linux counts
// for each box's user namespace from 5.14 on; memory by process; disk by looking at the
// directory of a job four times a second. So files that are open but removed, and those in
// the directories of other jobs, count for nothing until the child or the command ends; nor
// does memory of many processes or of files without a name. If memory runs out, the kernel
// ends what is in boxes before all else, and a child behind namespaces cannot change that.
// To have one limit for all, start the command in a cgroup: systemd-run --user --scope -p
// MemoryMax=8G -p TasksMax=2000 go run ./tools/reify ....
//
// # Decisions
//
// The filter of system calls is written out. elastic/go-seccomp-bpf, which needs no cgo,
// makes filters for one ABI and lets the calls of all others pass, and a program of amd64
// makes those of i386 by one instruction. So the filter is two lists of numbers and thirty
// lines that make jumps of them, and no library. socketcall, whose arguments no filter sees,
// is refused to 32 bits.
package compilers
