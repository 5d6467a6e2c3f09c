package native

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"goreify/compilers"
)

// Output of the compilers, cut down. Failed assertions have the form of builds with
// assertions; Debian's have none.
const (
	gccICE = `cc1: note: disable pass rtl-ira for functions in the range of [0, 4294967295]
during RTL pass: reload
repro.c: In function 'main':
repro.c:2:40: internal compiler error: in regstat_free_n_sets_and_refs, at regstat.cc:88
    2 | int main(void){return 0;}
0x7f8261f2d249 __libc_start_call_main
	../sysdeps/nptl/libc_start_call_main.h:58
Please submit a full bug report, with preprocessed source (by using -freport-bug).
`
	clangDumpTop = `PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include the crash backtrace, preprocessed source, and associated run script.
Stack dump:
0.	Program arguments: /usr/lib/llvm-19/bin/clang -cc1 -o /tmp/goreify-0/pid7-1/job-5/tmp/repro-4ea053.o repro.c
1.	<eof> parser at end of file
2.	Optimizer
3.	Running pass "function<eager-inv>(instcombine<max-iterations=1>)" on module "repro.c"
4.	Running pass "instcombine<max-iterations=1;no-verify-fixpoint>" on function "f17"
 #0 0x00007f1f6d8b73c6 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/lib/libLLVM.so.19.1+0xeb73c6)
 #1 0x00007f1f6d8b5070 llvm::sys::RunSignalHandlers() (/usr/lib/libLLVM.so.19.1+0xeb5070)
 #2 0x00007f1f6d8b7a8b (/usr/lib/libLLVM.so.19.1+0xeb7a8b)
 #3 0x00007f1f6c85a050 (/lib/x86_64-linux-gnu/libc.so.6+0x3c050)
 #4 0x00007f1f75220eb9 raise ./signal/../sysdeps/posix/raise.c:27:6
 #5 0x00007f1f7521a3fc llvm::InstCombinerImpl::visitSub(llvm::BinaryOperator&) (/usr/lib/libLLVM.so.19.1+0xc1a3fc)
#10 0x00007f1f772fd725 main (/usr/lib/llvm-19/bin/clang+0x11bf9)
`
	clangFailedText = "clang-19: error: clang frontend command failed due to signal (use -v to see invocation)\n"
)

func TestJudgeCompile(t *testing.T) {
	b := compilers.Limits{CompileCPU: 2 * time.Second, CompileWall: 6 * time.Second, CompileMemory: 1 << 30, Output: 100}.Compile()
	const MB = 1 << 20
	for name, tt := range map[string]struct {
		e       compilers.Exit
		verdict compilers.Verdict
		message string
	}{
		"success": {compilers.Exit{}, compilers.OK, ""},
		"gcc ICE": {compilers.Exit{Status: 1, Stderr: []byte(gccICE)}, compilers.InternalError, "during RTL pass: reload: internal compiler error: in regstat_free_n_sets_and_refs, at regstat.cc:88"},
		"gcc ICE, no pass": {compilers.Exit{Status: 1, Stderr: []byte("repro.c:1:1: internal compiler error: tree check: expected ssa_name, have integer_cst in f, at tree.h:12\n")}, compilers.InternalError,
			"internal compiler error: tree check: expected ssa_name, have integer_cst in f, at tree.h:12"},
		"cc1 segfault": {compilers.Exit{Status: 4, Stderr: []byte("gcc-12: internal compiler error: Segmentation fault signal terminated program cc1\n")}, compilers.InternalError,
			"internal compiler error: Segmentation fault signal terminated program cc1"},
		"driver segfault": {compilers.Exit{Status: -1, Signal: syscall.SIGSEGV}, compilers.InternalError, "compiler killed by SIGSEGV"},
		"crash near the memory limit": {compilers.Exit{Status: 4, RSS: 900 * MB, Stderr: []byte("gcc-12: internal compiler error: Segmentation fault signal terminated program cc1\n")}, compilers.Discarded,
			"internal compiler error: Segmentation fault signal terminated program cc1, near the memory limit"},
		"clang crash": {compilers.Exit{Status: 1, Stderr: []byte(clangDumpTop + "clang-19: error: unable to execute command: Segmentation fault (core dumped)\n" + clangFailedText)}, compilers.InternalError,
			`segmentation fault (core dumped) in llvm::InstCombinerImpl::visitSub, Running pass "instcombine<max-iterations=1;no-verify-fixpoint>"`},
		"clang assertion": {compilers.Exit{Status: 1, Stderr: []byte("clang-19: /build/llvm/lib/IR/Value.cpp:99: void llvm::Value::f(llvm::Use*): Assertion `New && \"no 'x'\"' failed.\n" + clangDumpTop)}, compilers.InternalError,
			"Value.cpp:99: Assertion `New && \"no 'x'\"' failed"},
		"clang unreachable": {compilers.Exit{Status: 1, Stderr: []byte("Unknown opcode\nUNREACHABLE executed at /build/llvm/lib/X86.cpp:7!\n" + clangDumpTop)}, compilers.InternalError,
			"Unknown opcode: unreachable at X86.cpp:7"},
		"clang backend": {compilers.Exit{Status: 70, Stderr: []byte("fatal error: error in backend: Cannot select: 0x55d0c0ffee: i32 = add\nclang: error: clang frontend command failed with exit code 70\n")}, compilers.InternalError,
			"error in backend: Cannot select: 0x?: i32 = add"},
		"broken":      {compilers.Exit{Status: 1, Stderr: []byte("Instruction does not dominate all uses!\n  %33 = mul nsw i32 %a.b5.lcssa, 2\n  %b.b4 = phi i32 [ %33, %b5 ]\nLLVM ERROR: Broken module found, compilation aborted!\n" + clangDumpTop)}, compilers.InternalError, "LLVM ERROR: Broken module found: Instruction does not dominate all uses!"},
		"LLVM ERROR":  {compilers.Exit{Status: 1, Stderr: []byte("LLVM ERROR: Broken function found, compilation aborted!\n" + clangDumpTop)}, compilers.InternalError, "LLVM ERROR: Broken function found, compilation aborted!"},
		"clang mute":  {compilers.Exit{Status: 1, Stderr: []byte(clangFailedText)}, compilers.InternalError, "clang frontend command failed due to signal (use -v to see invocation)"},
		"gcc rejects": {compilers.Exit{Status: 1, Stderr: []byte("repro.c: In function 'f':\nrepro.c:1:5: error: expected ';' before '}' token\n")}, compilers.Rejected, "repro.c:1:5: error: expected ';' before '}' token"},
		"ld rejects": {compilers.Exit{Status: 1, Stderr: []byte("/usr/bin/ld: /tmp/goreify-0/pid7-1/job-5/tmp/ccAb12Cd.o: in function `main':\nrepro.c:(.text+0x5): undefined reference to `f'\ncollect2: error: ld returned 1 exit status\n")}, compilers.Rejected,
			"repro.c:(.text+0x?): undefined reference to `f'"},
		"assembler rejects": {compilers.Exit{Status: 1, Stderr: []byte("/tmp/goreify-0/pid7-1/job-5/tmp/ccAb12Cd.s: Assembler messages:\n/tmp/goreify-0/pid7-1/job-5/tmp/ccAb12Cd.s:9: Error: no such instruction: `foo'\n")}, compilers.Rejected,
			"?.s:9: Error: no such instruction: `foo'"},
		"ld crashes": {compilers.Exit{Status: 1, Stderr: []byte("collect2: fatal error: ld terminated with signal 11 [Segmentation fault]\ncompilation terminated.\n")}, compilers.Rejected,
			"collect2: fatal error: ld terminated with signal 11 [Segmentation fault]"},

		"cc1 met its CPU limit":    {compilers.Exit{Status: 4, Stderr: []byte("gcc-12: internal compiler error: CPU time limit exceeded signal terminated program cc1\n")}, compilers.SlowCompile, "used its CPU time"},
		"clang met its CPU limit":  {compilers.Exit{Status: 1, CPU: 3 * time.Second, Stderr: []byte(clangDumpTop + "clang-19: error: unable to execute command: Killed\n" + clangFailedText)}, compilers.SlowCompile, "used its CPU time"},
		"driver met its CPU limit": {compilers.Exit{Status: -1, Signal: syscall.SIGXCPU, CPU: 2 * time.Second}, compilers.SlowCompile, "used its CPU time of 2 s"},
		"killed, busy":             {compilers.Exit{Status: -1, Signal: syscall.SIGKILL, CPU: 3 * time.Second}, compilers.SlowCompile, "used its CPU time of 2 s"},
		"prints for ever":          {compilers.Exit{Status: -1, Signal: syscall.SIGKILL, Overflow: true}, compilers.SlowCompile, "printed more than 100 bytes"},

		"cc1 killed":            {compilers.Exit{Status: 1, Stderr: []byte("gcc-12: fatal error: Killed signal terminated program cc1\ncompilation terminated.\n")}, compilers.Discarded, "Killed signal terminated program"},
		"cc1 killed, old gcc":   {compilers.Exit{Status: 4, Stderr: []byte("gcc: internal compiler error: Killed (program cc1)\n")}, compilers.Discarded, "internal compiler error: Killed (program"},
		"clang killed":          {compilers.Exit{Status: 1, CPU: time.Second, Stderr: []byte("clang-19: error: unable to execute command: Killed\n" + clangFailedText)}, compilers.Discarded, "unable to execute command: Killed"},
		"ld killed":             {compilers.Exit{Status: 1, Stderr: []byte("collect2: fatal error: ld terminated with signal 9 [Killed]\n")}, compilers.Discarded, "terminated with signal 9 ["},
		"driver terminated":     {compilers.Exit{Status: -1, Signal: syscall.SIGTERM}, compilers.Discarded, "killed by SIGTERM"},
		"gcc out of memory":     {compilers.Exit{Status: 1, Stderr: []byte("cc1: out of memory allocating 65536 bytes after a total of 4 bytes\n")}, compilers.Discarded, "out of memory"},
		"gcc old out of memory": {compilers.Exit{Status: 1, Stderr: []byte("virtual memory exhausted: Cannot allocate memory\n")}, compilers.Discarded, "virtual memory exhausted"},
		"clang took it all":     {compilers.Exit{Status: 1, RSS: 1100 * MB, Stderr: []byte("LLVM ERROR: out of memory\nAllocation failed\n" + clangDumpTop)}, compilers.InternalError, "out of memory"},
		"clang out of memory":   {compilers.Exit{Status: 1, Stderr: []byte("LLVM ERROR: out of memory\nAllocation failed\n" + clangDumpTop)}, compilers.Discarded, "out of memory"},
		"clang bad_alloc":       {compilers.Exit{Status: 1, Stderr: []byte("terminate called after throwing an instance of 'std::bad_alloc'\n" + clangDumpTop)}, compilers.Discarded, "std::bad_alloc"},
		"ld disk full":          {compilers.Exit{Status: 1, Stderr: []byte("/usr/bin/ld: final link failed: No space left on device\ncollect2: error: ld returned 1 exit status\n")}, compilers.Discarded, "No space left on device"},
		"as file size":          {compilers.Exit{Status: 4, Stderr: []byte("gcc-12: internal compiler error: File size limit exceeded signal terminated program as\n")}, compilers.Discarded, "File size limit exceeded"},
		"clang file size":       {compilers.Exit{Status: 1, Stderr: []byte(clangDumpTop + "clang-19: error: unable to execute command: File size limit exceeded\n")}, compilers.Discarded, "File size limit exceeded"},
		"ld bus error":          {compilers.Exit{Status: 1, Stderr: []byte("collect2: fatal error: ld terminated with signal 7 [Bus error]\n")}, compilers.Discarded, "terminated with signal 7 [Bus error]"},
		"no more processes":     {compilers.Exit{Status: 1, Stderr: []byte("gcc: fatal error: cannot execute 'cc1': vfork: Resource temporarily unavailable\n")}, compilers.Discarded, "Resource temporarily unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			v, message := judgeCompile(tt.e, b)
			assert.Equal(t, tt.verdict, v)
			assert.Equal(t, tt.message, message)
		})
	}
}

func TestInternalErrorIgnoresAddresses(t *testing.T) {
	a := internalError("error: 0xdeadbeef\nfatal error: error in backend: bad 0xdeadbeef\n")
	b := internalError("error: 0x1234\nfatal error: error in backend: bad 0x1234\n")
	assert.Equal(t, a, b)
	assert.NotEmpty(t, a)
}
