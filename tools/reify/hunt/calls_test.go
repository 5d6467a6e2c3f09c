package hunt

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/wasm"
	"goreify/corpus"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/reify/triage"
	"goreify/tools/need"
	"goreify/tools/reify/report"
)

// An engine that gets answers wrong which are 7 modulo 50, in modules of several functions, is
// found with whole programs: of a batch the guilty one is told from the others, reduced to what
// the engine needs, reported, and known when it is replayed.
func TestProgramsInWasm(t *testing.T) {
	need.Named(t)
	node := need.Command(t, "node")
	dir := t.TempDir()
	lying := strings.Replace(wasm.Runner, "text = `${v}`;", "if (several && BigInt(v) % 50n === 7n) v++;\n\t\ttext = `${v}`;", 1)
	lying = strings.Replace(lying, "function run(bytes, say, compiled) {", `let several = false;

// count returns how many functions a module has.
function count(b) {
	let i = 8;
	const u = () => { let n = 0, s = 0, x; do { x = b[i++]; n |= (x & 127) << s; s += 7; } while (x & 128); return n; };
	for (;;) { const id = b[i++], end = u() + i; if (id === 10) return u(); i = end; }
}

function run(bytes, say, compiled) {
	several = count(bytes) > 1;`, 1)
	lying = strings.Replace(lying, "new URL('repro.wasm.hex', import.meta.url)", "'repro.wasm.hex'", 1) // this one is elsewhere
	require.Equal(t, 3, strings.Count(lying, "several"))
	runner := filepath.Join(dir, "lying.mjs")
	require.NoError(t, os.WriteFile(runner, []byte(lying), 0o600))
	script := fmt.Sprintf(`#!/bin/bash
case "$*" in
*--no-liftoff*) args=(); for a; do [ "$a" = %s ] && a=%s; args+=("$a"); done; set -- "${args[@]}" ;;
esac
exec %s "$@"
`, wasm.RunnerFile, runner, node)
	fake := filepath.Join(dir, "node")
	require.NoError(t, os.WriteFile(fake, []byte(script), 0o700))
	found, unknown, err := wasm.Finder.Find(t.Context(), compilers.Env{CC: "node=" + fake + ",wazero", Modes: "@liftoff,@turbofan,@interpreter", Path: os.Getenv("PATH")})
	require.NoError(t, err)
	require.Empty(t, unknown)
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer space.Close()
	o, err := oracle.New(t.Context(), space, found, true)
	require.NoError(t, err)

	opt := options(t, t.TempDir(), 1, 1)
	opt.Kinds, err = SelectKinds(Kinds(), "wasm-programs")
	require.NoError(t, err)
	opt.Mix, opt.Seeds = opt.Kinds, int64(opt.Kinds[0].Seeds)
	sum := finished(t, o, opt)
	require.EqualValues(t, 1, sum.Buckets, "%s", opt.Log)
	path := firstFinding(opt, sum)
	e, err := corpus.Load(path)
	require.NoError(t, err)
	assert.Equal(t, []string{string(compilers.Wasm), corpus.ProgramSource, "@turbofan"}, []string{string(e.Language), e.Source, e.Mode})
	before, err := ir.Parse(e.Program)
	require.NoError(t, err)
	assert.Less(t, e.Weight, int(sum.Functions), "one program of the batch")
	assert.Greater(t, e.Weight, 1)
	assert.Len(t, e.AllNotes(corpus.NoteStyle), len(before.Funcs))

	r, err := triage.Finding(t.Context(), o, e, triage.Options{Progress: func(line string) { t.Log(line) }})
	require.NoError(t, err)
	t.Log(r, "\n"+r.Entry.ReducedProgram)
	after, err := ir.Parse(r.Entry.ReducedProgram)
	require.NoError(t, err)
	assert.Less(t, len(after.Funcs), 3)
	assert.Less(t, len(after.String()), 1000)
	require.NoError(t, corpus.Update(path, r.Entry))

	all, err := report.Load(opt.Dir)
	require.NoError(t, err)
	require.NoError(t, report.Write(t.Context(), opened(t, t.TempDir()), report.Group(all), report.Options{}))
	replaysAsKnown(t, o, path, func(c oracle.Config) bool { return c.Mode == "@turbofan" })
}
