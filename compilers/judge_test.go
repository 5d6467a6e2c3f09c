package compilers

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the compilers printed, cut down. Those of assertions are of the form
// that builds with assertions print; Debian's have none.
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
	b := bounds{cpu: 2 * time.Second, wall: 6 * time.Second, memory: 1 << 30, output: 100}
	const MB = 1 << 20
	for name, tt := range map[string]struct {
		e       exit
		verdict Verdict
		message string
	}{
		"success": {exit{}, OK, ""},
		"gcc ICE": {exit{status: 1, stderr: []byte(gccICE)}, InternalError, "during RTL pass: reload: internal compiler error: in regstat_free_n_sets_and_refs, at regstat.cc:88"},
		"gcc ICE, no pass": {exit{status: 1, stderr: []byte("repro.c:1:1: internal compiler error: tree check: expected ssa_name, have integer_cst in f, at tree.h:12\n")}, InternalError,
			"internal compiler error: tree check: expected ssa_name, have integer_cst in f, at tree.h:12"},
		"cc1 segfault": {exit{status: 4, stderr: []byte("gcc-12: internal compiler error: Segmentation fault signal terminated program cc1\n")}, InternalError,
			"internal compiler error: Segmentation fault signal terminated program cc1"},
		"driver segfault": {exit{status: -1, signal: syscall.SIGSEGV}, InternalError, "compiler killed by SIGSEGV"},
		"crash near the memory limit": {exit{status: 4, rss: 900 * MB, stderr: []byte("gcc-12: internal compiler error: Segmentation fault signal terminated program cc1\n")}, Discarded,
			"internal compiler error: Segmentation fault signal terminated program cc1, near the memory limit"},
		"clang crash": {exit{status: 1, stderr: []byte(clangDumpTop + "clang-19: error: unable to execute command: Segmentation fault (core dumped)\n" + clangFailedText)}, InternalError,
			`segmentation fault (core dumped) in llvm::InstCombinerImpl::visitSub, Running pass "instcombine<max-iterations=1;no-verify-fixpoint>"`},
		"clang assertion": {exit{status: 1, stderr: []byte("clang-19: /build/llvm/lib/IR/Value.cpp:99: void llvm::Value::f(llvm::Use*): Assertion `New && \"no 'x'\"' failed.\n" + clangDumpTop)}, InternalError,
			"Value.cpp:99: Assertion `New && \"no 'x'\"' failed"},
		"clang unreachable": {exit{status: 1, stderr: []byte("Unknown opcode\nUNREACHABLE executed at /build/llvm/lib/X86.cpp:7!\n" + clangDumpTop)}, InternalError,
			"Unknown opcode: unreachable at X86.cpp:7"},
		"clang backend": {exit{status: 70, stderr: []byte("fatal error: error in backend: Cannot select: 0x55d0c0ffee: i32 = add\nclang: error: clang frontend command failed with exit code 70\n")}, InternalError,
			"error in backend: Cannot select: 0x?: i32 = add"},
		"LLVM ERROR":  {exit{status: 1, stderr: []byte("LLVM ERROR: Broken function found, compilation aborted!\n" + clangDumpTop)}, InternalError, "LLVM ERROR: Broken function found, compilation aborted!"},
		"clang mute":  {exit{status: 1, stderr: []byte(clangFailedText)}, InternalError, "clang frontend command failed due to signal (use -v to see invocation)"},
		"gcc rejects": {exit{status: 1, stderr: []byte("repro.c: In function 'f':\nrepro.c:1:5: error: expected ';' before '}' token\n")}, Rejected, "repro.c:1:5: error: expected ';' before '}' token"},
		"ld rejects": {exit{status: 1, stderr: []byte("/usr/bin/ld: /tmp/goreify-0/pid7-1/job-5/tmp/ccAb12Cd.o: in function `main':\nrepro.c:(.text+0x5): undefined reference to `f'\ncollect2: error: ld returned 1 exit status\n")}, Rejected,
			"repro.c:(.text+0x?): undefined reference to `f'"},
		"assembler rejects": {exit{status: 1, stderr: []byte("/tmp/goreify-0/pid7-1/job-5/tmp/ccAb12Cd.s: Assembler messages:\n/tmp/goreify-0/pid7-1/job-5/tmp/ccAb12Cd.s:9: Error: no such instruction: `foo'\n")}, Rejected,
			"?.s:9: Error: no such instruction: `foo'"},
		"ld crashes": {exit{status: 1, stderr: []byte("collect2: fatal error: ld terminated with signal 11 [Segmentation fault]\ncompilation terminated.\n")}, Rejected,
			"collect2: fatal error: ld terminated with signal 11 [Segmentation fault]"},

		"cc1 met its CPU limit":    {exit{status: 4, stderr: []byte("gcc-12: internal compiler error: CPU time limit exceeded signal terminated program cc1\n")}, SlowCompile, "used its CPU time"},
		"clang met its CPU limit":  {exit{status: 1, cpu: 3 * time.Second, stderr: []byte(clangDumpTop + "clang-19: error: unable to execute command: Killed\n" + clangFailedText)}, SlowCompile, "used its CPU time"},
		"driver met its CPU limit": {exit{status: -1, signal: syscall.SIGXCPU, cpu: 2 * time.Second}, SlowCompile, "used its CPU time of 2 s"},
		"wall limit, busy":         {exit{status: -1, signal: syscall.SIGKILL, stop: stoppedByWall, cpu: 3 * time.Second}, SlowCompile, "used its CPU time of 2 s"},
		"prints for ever":          {exit{status: -1, signal: syscall.SIGKILL, stop: stoppedByOutput, overflow: true}, SlowCompile, "printed more than 100 bytes"},

		"wall limit, idle":      {exit{status: -1, signal: syscall.SIGKILL, stop: stoppedByWall}, Discarded, "took longer than 6s without using its CPU time"},
		"cancelled":             {exit{status: -1, signal: syscall.SIGKILL, stop: stoppedByContext, cpu: 3 * time.Second}, Discarded, "cancelled"},
		"cc1 killed":            {exit{status: 1, stderr: []byte("gcc-12: fatal error: Killed signal terminated program cc1\ncompilation terminated.\n")}, Discarded, "Killed signal terminated program"},
		"cc1 killed, old gcc":   {exit{status: 4, stderr: []byte("gcc: internal compiler error: Killed (program cc1)\n")}, Discarded, "internal compiler error: Killed (program"},
		"clang killed":          {exit{status: 1, cpu: time.Second, stderr: []byte("clang-19: error: unable to execute command: Killed\n" + clangFailedText)}, Discarded, "unable to execute command: Killed"},
		"ld killed":             {exit{status: 1, stderr: []byte("collect2: fatal error: ld terminated with signal 9 [Killed]\n")}, Discarded, "terminated with signal 9 ["},
		"driver terminated":     {exit{status: -1, signal: syscall.SIGTERM}, Discarded, "killed by SIGTERM"},
		"gcc out of memory":     {exit{status: 1, stderr: []byte("cc1: out of memory allocating 65536 bytes after a total of 4 bytes\n")}, Discarded, "out of memory"},
		"gcc old out of memory": {exit{status: 1, stderr: []byte("virtual memory exhausted: Cannot allocate memory\n")}, Discarded, "virtual memory exhausted"},
		"clang out of memory":   {exit{status: 1, stderr: []byte("LLVM ERROR: out of memory\nAllocation failed\n" + clangDumpTop)}, Discarded, "out of memory"},
		"clang bad_alloc":       {exit{status: 1, stderr: []byte("terminate called after throwing an instance of 'std::bad_alloc'\n" + clangDumpTop)}, Discarded, "std::bad_alloc"},
		"ld disk full":          {exit{status: 1, stderr: []byte("/usr/bin/ld: final link failed: No space left on device\ncollect2: error: ld returned 1 exit status\n")}, Discarded, "No space left on device"},
		"as file size":          {exit{status: 4, stderr: []byte("gcc-12: internal compiler error: File size limit exceeded signal terminated program as\n")}, Discarded, "File size limit exceeded"},
		"clang file size":       {exit{status: 1, stderr: []byte(clangDumpTop + "clang-19: error: unable to execute command: File size limit exceeded\n")}, Discarded, "File size limit exceeded"},
		"ld bus error":          {exit{status: 1, stderr: []byte("collect2: fatal error: ld terminated with signal 7 [Bus error]\n")}, Discarded, "terminated with signal 7 [Bus error]"},
		"no more processes":     {exit{status: 1, stderr: []byte("gcc: fatal error: cannot execute 'cc1': vfork: Resource temporarily unavailable\n")}, Discarded, "Resource temporarily unavailable"},
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

func TestOutcomeSame(t *testing.T) {
	ice := Outcome{Verdict: InternalError, Message: "in foo, at bar.cc:1"}
	other := Outcome{Verdict: InternalError, Message: "in foo, at bar.cc:2"}
	assert.True(t, ice.Same(ice))
	assert.False(t, ice.Same(other))
	assert.False(t, ice.Same(Outcome{Verdict: OK}))
	assert.True(t, Outcome{Verdict: WrongAnswer, Message: "a"}.Same(Outcome{Verdict: WrongAnswer, Message: "b"}))
}

func TestCommandLine(t *testing.T) {
	assert.Equal(t, `gcc -O2 '-DX="a b"' 'it'\''s' '' ./repro`, CommandLine("gcc", []string{"-O2", `-DX="a b"`, "it's", "", "./repro"}))
}

func TestParseStat(t *testing.T) {
	pgid, used, ok := parseStat("17 (a) b (c) R 1 42 17 0 -1 4194304 100 0 0 0 150 50 20 5 20 0 1 0 100 0 0")
	require.True(t, ok)
	assert.Equal(t, 42, pgid)
	assert.Equal(t, 2250*time.Millisecond, used)
	for _, bad := range []string{"", "17 (a", "17 (a) R 1", "17 (a) R 1 x 17 0 -1 4194304 100 0 0 0 150 50 20 5 20"} {
		_, _, ok := parseStat(bad)
		assert.False(t, ok, bad)
	}
}
