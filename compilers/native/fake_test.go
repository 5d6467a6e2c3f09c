package native

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// writes is a fake compiler that leaves a program of the given text.
func writes(program string) string {
	return "cat > repro <<'END'\n#!/bin/sh\n" + program + "\nEND\nchmod +x repro"
}

// Compilers and programs may do all of this, and each is told by its verdict.
func TestFakeCompilers(t *testing.T) {
	need.Long(t)
	small := func(l *compilers.Limits) { l.FileSize = 1 << 16 }
	short := func(l *compilers.Limits) { l.CompileWall = time.Second }
	for name, tt := range map[string]struct {
		body    string
		limits  func(*compilers.Limits)
		verdict compilers.Verdict
		message string // part of it
	}{
		"right":                   {writes("echo 42"), nil, compilers.OK, ""},
		"wrong":                   {writes("echo 43; exit 1"), nil, compilers.WrongAnswer, `printed "43\n", want "42\n"`},
		"wrong but status":        {writes("echo 43"), nil, compilers.WrongAnswer, `printed "43\n", want "42\n"`},
		"right but status":        {writes("echo 42; exit 1"), nil, compilers.WrongAnswer, "exit status 1"},
		"other status":            {writes("echo 42; exit 7"), nil, compilers.WrongAnswer, "exit status 7"},
		"more output":             {writes("echo 42; echo"), nil, compilers.WrongAnswer, `"42\n\n"`},
		"run crash":               {writes("kill -SEGV $$"), nil, compilers.Crash, "killed by SIGSEGV"},
		"run trap":                {writes("kill -FPE $$"), nil, compilers.Crash, "killed by SIGFPE"},
		"run stubborn":            {writes("trap '' TERM XCPU; while :; do :; done"), nil, compilers.Endless, "CPU time"},
		"run prints":              {writes("exec yes"), nil, compilers.Endless, "printed more than"},
		"run killed":              {writes("kill -KILL $$"), nil, compilers.Discarded, "killed by SIGKILL"},
		"run terminated":          {writes("kill -TERM $$"), nil, compilers.Discarded, "killed by SIGTERM"},
		"run sleeps":              {writes("sleep 1000"), func(l *compilers.Limits) { l.RunWall = time.Second }, compilers.Discarded, "without using its CPU time"},
		"run no such interpreter": {"printf '#!/none/sh\n' > repro; chmod +x repro", nil, compilers.Discarded, "could not start"},

		"compile endless": {"while :; do :; done", nil, compilers.SlowCompile, "CPU time"},
		"compile prints":  {"exec yes >&2", nil, compilers.SlowCompile, "printed more than"},
		"compile sleeps":  {"sleep 1000", short, compilers.Discarded, "without using its CPU time"},
		"compile killed":  {"kill -KILL $$", nil, compilers.Discarded, "killed by SIGKILL"},
		"compile crash":   {"kill -SEGV $$", nil, compilers.InternalError, "compiler killed by SIGSEGV"},
		"cc1 killed":      {"echo 'gcc: fatal error: Killed signal terminated program cc1' >&2; exit 1", nil, compilers.Discarded, "Killed signal"},
		"gcc ICE":         {"cat >&2 <<'END'\n" + gccICE + "END\nexit 1", nil, compilers.InternalError, "during RTL pass: reload: internal compiler error: in regstat"},
		"clang ICE":       {"cat >&2 <<'END'\n" + clangDumpTop + "END\nexit 1", nil, compilers.InternalError, "crash in llvm::InstCombinerImpl::visitSub"},
		"rejected":        {"echo 'repro.c:1:1: error: no' >&2; exit 1", nil, compilers.Rejected, "repro.c:1:1: error: no"},
		"unimplemented":   {"echo 'repro.c:1:1: sorry, unimplemented: no' >&2; exit 1", nil, compilers.Rejected, "repro.c:1:1: sorry, unimplemented: no"},
		"mute":            {"exit 1", nil, compilers.Discarded, "no error is named"},
		"no executable":   {"exit 0", nil, compilers.Discarded, "no executable"},
		"out of memory":   {"echo 'virtual memory exhausted: Cannot allocate memory' >&2; exit 1", nil, compilers.Discarded, "virtual memory exhausted"},
		"disk full":       {"cp /bin/sh /dev/full || exit 1", nil, compilers.Discarded, "No space left on device"},
		"file size":       {"exec cp /dev/zero repro", small, compilers.Discarded, "file size limit"},
		"missing":         {"exec /none/cc1", nil, compilers.Discarded, "/none/cc1"},

		"leaves children":      {"sleep 1000 & (sleep 1000 & sleep 1000 &)\n" + writes("sleep 1000 & echo 42"), nil, compilers.OK, ""},
		"leaves busy children": {"(trap '' HUP TERM; while :; do :; done) &\n" + writes("echo 42"), nil, compilers.OK, ""},
		"hangs with children":  {"sleep 1000 & sleep 1000 & wait", short, compilers.Discarded, "without using its CPU time"},
	} {
		// Written before any test runs in parallel: a child that another test
		// is starting would hold the script open for writing (golang/go#22315).
		tc := fake(t, tt.body)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws, limits := newWorkspace(t), patient()
			if tt.limits != nil {
				tt.limits(&limits)
			}
			job := compilers.Job{Files: compilers.Single([]byte("int main(void) { return 0; }\n")), Want: []byte("42\n"), Mode: "-O2"}
			o := compilers.Test(t.Context(), tc, ws, job, limits)
			assert.Equal(t, tt.verdict, o.Verdict, "%v\n%s", o, o.Stderr)
			assert.Contains(t, o.Message, tt.message)
			assert.NotContains(t, o.String(), ws.Dir(), "no paths that differ from run to run")
			assert.Equal(t, "gcc-99 -O2 -w repro.c -o repro", o.Command[0])
			assert.LessOrEqual(t, len(o.Stdout), limits.Output)
			assert.LessOrEqual(t, len(o.Stderr), limits.Output)
			requireNothingLeft(t, ws)
			entries, err := os.ReadDir(ws.Dir())
			require.NoError(t, err)
			assert.Empty(t, entries, "files left behind")
		})
	}
}

func TestOutcomeTellsWhatItCost(t *testing.T) {
	need.Long(t)
	ws := newWorkspace(t)
	tc := fake(t, writes("while :; do :; done"))
	o := compilers.Test(t.Context(), tc, ws, compilers.Job{Files: compilers.Single(nil), Mode: "-O0", Extra: []string{"-g", "-DX=a b"}}, patient())
	assert.Equal(t, []string{"gcc-99 -O0 -w -g '-DX=a b' repro.c -o repro", "./repro"}, o.Command)
	assert.InDelta(t, time.Second, o.RunCPU, float64(500*time.Millisecond))
	assert.Positive(t, o.CompileCPU)
	assert.Equal(t, syscall.SIGXCPU, o.Signal)
}

// The CPU time of a driver's children counts, though it never waited for them.
func TestWallLimitOnABusyGroup(t *testing.T) {
	need.Long(t)
	ws, limits := newWorkspace(t), patient()
	// Each process stays under its own limit, and the group goes on for ever.
	busy := "while :; do timeout --foreground 0.3 sh -c 'while :; do :; done'; done"
	tc := fake(t, strings.Repeat(busy+" &\n", 4)+"wait")
	o := compilers.Outcome{Verdict: compilers.Discarded}
	// On a busy machine the group gets little of a second.
	for limits.CompileWall = 2 * time.Second; o.Verdict == compilers.Discarded && limits.CompileWall < time.Minute; limits.CompileWall *= 3 {
		o = compilers.Test(t.Context(), tc, ws, compilers.Job{}, limits)
	}
	assert.Equal(t, compilers.SlowCompile, o.Verdict, o.Message)
	requireNothingLeft(t, ws)
}

func TestCancelled(t *testing.T) {
	ws := newWorkspace(t)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	o := compilers.Test(ctx, fake(t, "sleep 1000"), ws, compilers.Job{}, patient()) // more than a test may take
	assert.Equal(t, compilers.Discarded, o.Verdict)
	assert.Equal(t, "cancelled", o.Message)
	requireNothingLeft(t, ws)

	o = compilers.Test(ctx, fake(t, writes("")), ws, compilers.Job{}, patient())
	assert.Equal(t, "discarded: cancelled", o.String(), "nothing is started any more")
}
