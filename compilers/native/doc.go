// Package native makes gcc and clang two families of compilers.Target, and other compilers
// of C families of other packages: see Family. It finds them on PATH, builds and runs programs with them, and judges the outcome. For example, gcc-12
// at -O2 goes through
//
//	Find      gcc-12 on PATH → Toolchain: family gcc, version 12.2.0, modes -O0 ... -O3
//	Build     gcc-12 -O2 -w repro.c -o repro, in a box, under limits
//	Run       ./repro, whose output is compared with the wanted one
//	verdict   ok, wrong-answer, internal-error, crash, ...
//
// A Toolchain is a gcc or clang with the arguments of every call of it.
//
// # Other processors
//
// Programs for another processor are linked statically and run by qemu-user: by the kernel
// where that is registered with binfmt_misc, else it is called. Such a target's triple is a
// part of its version, 12.2.0 s390x-linux-gnu. It gets more address space if its pointers
// have 32 bits, which the emulator reserves all of. It has no sanitizers, so a compiler of
// this machine's own with sanitizers must be among those that are asked. A wrong answer
// counts only if a target of the same traits gets it right in its reference mode. A compiler
// whose programs use instructions that the emulator does not know cannot be used.
//
// # LLVM's tools
//
// llc-24, opt-24 and lli-24 are toolchains, too, whose programs are LLVM IR. The clang beside
// the tool links, and its own command line says what --target and -march= are to the tools: a
// list of processors and features of ours would be wrong with the next version. A mode of llc is a level or
// a selector of instructions; one of opt is a pass (passes-llvm.txt), after which code is made
// without optimising, so that a mode names its culprit; one of lli is a level. Passes as arguments (-passes=)
// run before that of the mode: hunts draw them as flags, and leave out those that a failure
// does not need. In the reference mode nothing runs before code is made. opt and llc have one
// numbering of passes, as if they were clang, and are blamed as clang is.
//
// # Decisions
//
// An emulator is asked as another model. qemu is told of the processor that the compiler is
// told of. A failure with one model and not with another that has all its instructions is
// the emulator's, and no answer.
//
// Flags are a dimension of hunts. The tables in compilers/native/flagsets-*.txt have what
// distributions and hunters use, and nothing that changes a program's meaning. About half of
// the batches of the plan sample ask with the vectors of today's processors
// (-march=x86-64-v3, -v4); flags in a plan draws others by what they have yielded. A failure
// is first shown with as few flags as will do, and without any at another level rather than
// with some. A failure with hidden flags alone (-mllvm ...) is a note: its maintainers do not mend it.
package native
