package hunt

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/safefile"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/program"
	"goreify/reify/subject"
)

// newOracle returns an oracle that asks the gcc-99 in dir, without sanitizers,
// and has its files in tmp.
func newOracle(ctx context.Context, dir, tmp string, levels ...string) (*oracle.Oracle, func(), error) {
	found, err := findFake(ctx, dir, levels...)
	if err != nil {
		return nil, nil, err
	}
	space, err := compilers.NewWorkspace(tmp)
	if err != nil {
		return nil, nil, err
	}
	limits := compilers.DefaultLimits()
	// 8 functions, too, get the one second that is the least there is.
	limits.CompileCPU, limits.CompileWall, limits.RunWall = 800*time.Millisecond, time.Minute, time.Minute
	return &oracle.Oracle{Targets: found, Space: space, Limits: limits}, func() { _ = space.Close() }, nil
}

// findFake returns the gcc-99 in dir.
func findFake(ctx context.Context, dir string, levels ...string) ([]compilers.Target, error) {
	found, _, err := targets.Find(ctx, compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: "gcc-99", Modes: strings.Join(levels, ",")})
	return found, err
}

// Miscompiler returns a gcc-99 that has the bugs of miscompile, for tests outside
// the package.
func Miscompiler(t testing.TB, levels ...string) []compilers.Target {
	t.Helper()
	dir := t.TempDir()
	writeFake(t, dir, miscompile)
	found, err := findFake(t.Context(), dir, levels...)
	require.NoError(t, err)
	return found
}

// pathOf returns the executable of the first target.
func pathOf(o *oracle.Oracle) string { return o.Targets[0].(native.Toolchain).Path }

// fake returns an oracle that asks a gcc-99 with the given script.
func fake(t testing.TB, script string, levels ...string) *oracle.Oracle {
	t.Helper()
	dir := t.TempDir()
	writeFake(t, dir, script)
	o, closer, err := newOracle(t.Context(), dir, t.TempDir(), levels...)
	require.NoError(t, err)
	t.Cleanup(closer)
	return o
}

// tiny is a kind of small batches.
func tiny(size int) []Kind {
	return []Kind{functions("tiny", size, 1, function.Options{Profile: "focus"})}
}

// linkedKind is a kind of batches of whole programs.
func linkedKind(size int) []Kind {
	o := function.Options{Profile: "focus", Size: size}
	return []Kind{{Name: "programs", Language: compilers.C, Seeds: size, Weight: 1, Source: program.Source{Options: o}}}
}

// A watched source tells a test what is made.
type watched struct {
	source.Source
	before func(source.Input)
}

func (w watched) Make(ctx context.Context, in source.Input) (subject.Subject, error) {
	w.before(in)
	return w.Source.Make(ctx, in)
}

// watch has f called before a batch is made of what the options ask for.
func (o *Options) watch(f func(source.Input)) {
	k := o.Kinds[0]
	k.Source = watched{k.Source, f}
	o.Kinds, o.Mix = []Kind{k}, []Kind{k}
}

// calledAt returns what calls f before batch n is made, counted from 0.
func calledAt(n int, f func()) func(source.Input) {
	made := 0
	return func(source.Input) {
		if made == n {
			f()
		}
		made++
	}
}

// change executes statements on the state in dir.
func change(t testing.TB, dir string, statements ...string) {
	t.Helper()
	s, err := openStore(dir)
	require.NoError(t, err)
	for _, text := range append(statements, `UPDATE batches SET sum = ''`) { // as if an earlier version had written them
		_, err = s.db.Exec(text)
		require.NoError(t, err)
	}
	require.NoError(t, s.close())
}

// options are those of a hunt for so many batches of so many functions, from a seed whose first
// functions compilers such as miscompile get wrong.
func options(t testing.TB, dir string, batches, size int) Options {
	t.Helper()
	plan, err := ParsePlan("all")
	require.NoError(t, err)
	return Options{Dir: dir, Seed: 5, Seeds: int64(batches * size), Workers: 1, Plan: plan, Kinds: tiny(size), Mix: tiny(size), Log: &buffer{}}
}

// A buffer is a bytes.Buffer for concurrent use.
type buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// findings returns what is recorded, a line a finding, sorted.
func findings(t testing.TB, dir string) []string {
	return query(t, dir, `SELECT name || ' ' || batch || ' ' || functions || ' ' || fingerprint FROM findings ORDER BY name`)
}

// query returns the first column of a query.
func query(t testing.TB, dir, text string) []string {
	t.Helper()
	s, err := readStore(dir)
	require.NoError(t, err)
	defer s.close()
	rows, err := s.db.Query(text)
	require.NoError(t, err)
	defer rows.Close()
	var list []string
	for rows.Next() {
		var v string
		require.NoError(t, rows.Scan(&v))
		list = append(list, v)
	}
	require.NoError(t, rows.Err())
	return list
}

// saved returns the names of the directories of findings.
func saved(t testing.TB, dir string) []string {
	t.Helper()
	dirs, err := os.ReadDir(filepath.Join(dir, corpus.FindingsDir))
	require.NoError(t, err)
	var names []string
	for _, d := range dirs {
		names = append(names, d.Name())
	}
	return names
}

// requireSound fails unless what is on disk and what is recorded agree, and
// all batches are done.
func requireSound(t testing.TB, dir string, batches int) {
	t.Helper()
	require.Equal(t, []string{fmt.Sprintf("%d %d", batches, batches)}, query(t, dir, `SELECT COUNT(*) || ' ' || SUM(done) FROM batches`))
	require.Equal(t, query(t, dir, `SELECT finding FROM buckets ORDER BY finding`), saved(t, dir))
	for _, name := range saved(t, dir) {
		files, err := os.ReadDir(filepath.Join(dir, corpus.FindingsDir, name))
		require.NoError(t, err)
		var names []string
		for _, f := range files {
			names = append(names, f.Name())
		}
		require.Subset(t, names, []string{corpus.FindingFile, scriptName, "repro.c", "want.txt"}, strings.Join(names, " "))
	}
}

func opened(t *testing.T, dir string) *safefile.Dir {
	d, err := safefile.Make(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// finished returns what a hunt has come to that ends without an error.
func finished(t testing.TB, o *oracle.Oracle, opt Options) *Summary {
	t.Helper()
	sum, err := Start(t.Context(), o, opt)
	require.NoError(t, err, "%s", opt.Log)
	return sum
}

// firstFinding returns the path of the finding that is saved of the first bucket.
func firstFinding(opt Options, sum *Summary) string {
	return filepath.Join(opt.Dir, corpus.FindingsDir, sum.ByBucket[0].Saved, corpus.FindingFile)
}

// replaysAsKnown asserts that a reproducer fails where failing says, and nowhere else.
func replaysAsKnown(t *testing.T, o *oracle.Oracle, path string, failing func(oracle.Config) bool) {
	t.Helper()
	e, err := corpus.Load(path)
	require.NoError(t, err)
	for _, replay := range o.Replay(t.Context(), e) {
		want := oracle.Passes
		if failing(replay.Config) {
			want = oracle.Known
		}
		assert.Equal(t, want, replay.Status, "%v: %v", replay.Config, replay.Outcome)
	}
}
