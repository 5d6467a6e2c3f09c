// Package goreify_test holds the fuzz targets and the replay of the corpus.
// The bytes of an input are a recipe; see package reify.
package goreify_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/events"
	"goreify/compilers/events/beacon"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/triage"
)

// The engine kills a worker whose execution takes 10 s. Past the budget no
// compilation is started, reserve is kept of it for looking into a failure.
const (
	budget  = 7500 * time.Millisecond
	reserve = 4500 * time.Millisecond
)

// seeds are the numbers of the recipes that the targets start from, but FuzzProgram.
const seeds = 12

func TestMain(m *testing.M) {
	// The engine's own descriptors must not reach a compiler: one that hangs
	// would hang the engine.
	if err := compilers.SealDescriptors(); err != nil {
		fmt.Fprintln(os.Stderr, "goreify:", err)
		os.Exit(2)
	}
	code := m.Run()
	shared.close()
	os.Exit(code)
}

// shared is the oracle of this process, made when first asked for.
var shared lazyOracle

type lazyOracle struct {
	once    sync.Once
	oracle  *oracle.Oracle
	ear     *beacon.Ear
	goOn    bool // a finding is saved and told of, and does not fail the test
	closers []func()
	err     error
}

// get returns the oracle and says which compilers it does without.
func (l *lazyOracle) get(t testing.TB) *oracle.Oracle {
	l.once.Do(func() {
		var closer func()
		l.oracle, closer, l.err = oracle.New(context.Background(), compilers.EnvFrom(os.Environ()), os.TempDir())
		if l.err == nil {
			l.closers = append(l.closers, closer)
			l.ear, l.err = beacon.NewEar(os.Environ(), beacon.Fuzzing())
		}
		if l.err == nil {
			l.goOn, l.err = beacon.On(os.Environ(), beacon.GoOnVar, false)
			l.goOn = l.goOn && beacon.Fuzzing()
		}
		if l.err == nil {
			l.oracle.Reserve, l.oracle.Listen = reserve, l.ear.Listens()
			for _, u := range l.oracle.Unusable {
				fmt.Fprintln(os.Stderr, "goreify: not used:", u)
			}
		}
	})
	if l.err != nil {
		t.Fatal(l.err)
	}
	return l.oracle
}

func (l *lazyOracle) close() {
	for _, c := range l.closers {
		c()
	}
}

func addSeeds(f *testing.F, n uint64) {
	for i := range n {
		r := reify.FromSeed(i)
		f.Add(r.Config, r.Graph, r.Path, r.Body)
	}
}

// makeCase returns the case of a recipe, or nil if no path could be solved. A
// generator bug ends the test.
func makeCase(t *testing.T, name string, r reify.Recipe, c reify.Config) *reify.Case {
	k, err := reify.Make(name, r, c, search.Engine{})
	switch {
	case err == nil:
		return k
	case errors.Is(err, solve.ErrUnknown), errors.Is(err, solve.ErrUnsat):
		return nil
	}
	t.Fatal(err)
	return nil
}

// FuzzGenerate makes one case of its input and checks it without a compiler.
func FuzzGenerate(f *testing.F) {
	addSeeds(f, seeds)
	solved := counter(f, "functions solved")
	f.Fuzz(func(t *testing.T, config, graph, path, body []byte) {
		r := reify.Recipe{Config: config, Graph: graph, Path: path, Body: body}
		_, c := r.Plan()
		k := makeCase(t, "f", r, c)
		if k == nil {
			return
		}
		solved(1)
		text := k.Program().String()
		back, err := ir.Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got := back.String(); got != text {
			t.Fatalf("prints, parses and prints differently:\n%s\n%s", text, got)
		}
		if err := back.Check(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, one := range back.Cases {
			if err := interp.Verify(one); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
	})
}

// FuzzReify makes a batch of functions of its input, compiles them as one
// translation unit with every compiler at every level, and fails if a program
// does not give the known answers. The reproducer is written to corpus/. A bug
// with the fingerprint of one that is there already is logged and passed.
func FuzzReify(f *testing.F) {
	addSeeds(f, seeds)
	o := shared.get(f) // before the engine counts seconds
	made, asked := counter(f, "functions made"), counter(f, "configurations asked")
	f.Fuzz(func(t *testing.T, config, graph, path, body []byte) {
		o, budget := sparing(o)
		ctx, cancel := context.WithTimeout(context.Background(), budget)
		defer cancel()
		r := reify.Recipe{Config: config, Graph: graph, Path: path, Body: body}
		n, c := r.Plan()
		var cases []*reify.Case
		for i := range n {
			if k := makeCase(t, fmt.Sprintf("f%d", i), r.Nth(i), c); k != nil {
				cases = append(cases, k)
			}
		}
		if len(cases) == 0 {
			return
		}
		made(len(cases))
		report, err := o.Check(ctx, cases, rotation(r))
		asked(report.Asked)
		judge(t, o, report, err)
	})
}

// FuzzProgram makes a whole program of its input and goes on like FuzzReify.
func FuzzProgram(f *testing.F) {
	addSeeds(f, 4)     // each takes as long as a batch
	o := shared.get(f) // before the engine counts seconds
	made, asked := counter(f, "functions made"), counter(f, "configurations asked")
	f.Fuzz(func(t *testing.T, config, graph, path, body []byte) {
		o, budget := sparing(o)
		ctx, cancel := context.WithTimeout(context.Background(), budget)
		defer cancel()
		r := reify.Recipe{Config: config, Graph: graph, Path: path, Body: body}
		_, c := r.Plan()
		p, err := oracle.MakeProgram(r, oracle.ProgramSize(r), c, search.Engine{})
		if errors.Is(err, solve.ErrUnknown) {
			return
		}
		if err != nil {
			t.Fatal(saveBug(err))
		}
		made(1)
		report, err := o.CheckProgram(ctx, p, rotation(r))
		asked(report.Asked)
		judge(t, o, report, err)
	})
}

// hear turns what the compilers said of their optimisations into coverage.
func (l *lazyOracle) hear(t *testing.T, report *oracle.Report) {
	var all []events.Counts
	for _, h := range report.Heard {
		all = append(all, h.Events)
		if l.ear.Deaf(h.Toolchain.String(), h.Err) {
			tell(t, "%v %s was not heard, the first time: %v", h.Toolchain, h.Level, h.Err)
		}
	}
	if err := l.ear.Hear(all); err != nil {
		t.Fatal(err)
	}
}

// judge fails the test if a compiler, or what was made, is wrong.
func judge(t *testing.T, o *oracle.Oracle, report *oracle.Report, err error) {
	if report != nil {
		shared.hear(t, report)
	}
	if err != nil {
		t.Fatal(saveBug(err))
	}
	for _, f := range report.Suspicions {
		keep(t, "out/unconfirmed", dated(f))
	}
	if report.Finding != nil {
		reportFinding(t, o, report.Finding)
	}
}

// tell adds a line to the file of what was told.
func tell(t *testing.T, format string, args ...any) {
	if err := os.MkdirAll(filepath.Dir(beacon.ToldFile), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(beacon.ToldFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintln(file, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

// rotation decides which configuration is asked first.
func rotation(r reify.Recipe) uint64 {
	var buf []byte
	for _, data := range [][]byte{r.Graph, r.Path, r.Body} {
		buf = binary.LittleEndian.AppendUint64(buf, xxhash.Sum64(data))
	}
	return xxhash.Sum64(buf)
}

// reportFinding saves a finding and fails the test, or goes on if it is to. If
// there is one with its fingerprint, or it belongs in a known bucket, it may be
// the same bug, and is put aside.
func reportFinding(t *testing.T, o *oracle.Oracle, f *oracle.Finding) {
	e := dated(f)
	if _, ok := knownBucket(t, o, e); ok {
		keep(t, "out/duplicates", e)
		return
	}
	for _, known := range corpus.LoadDir("corpus") {
		if known.Err == nil && known.Entry.Fingerprint() == e.Fingerprint() {
			keep(t, "out/duplicates", e)
			return
		}
	}
	path, err := corpus.Save("corpus", e)
	if err != nil {
		t.Fatalf("%v\nnot saved: %v\n%s", f, err, e.Format())
	}
	if shared.goOn {
		tell(t, "FAIL: %v %s: %v, saved as %s", f.Toolchain, f.Level, f.Outcome.Verdict, path)
		return
	}
	t.Fatalf("%v\nsaved as %s; go run ./tools/reify reduce %s", f, path, path)
}

// Findings that do not end the run are saved and told of, each once but for
// workers that meet it at the same time.
func TestGoOn(t *testing.T) {
	r := reify.FromSeed(1)
	_, c := r.Plan()
	f := &oracle.Finding{
		Cases: []*reify.Case{makeCase(t, "f", r, c)}, Level: "-O2",
		Toolchain: compilers.Toolchain{Name: "gcc-99", Family: compilers.GCC, Version: "99.1.0"},
		Outcome:   compilers.Outcome{Verdict: compilers.WrongAnswer},
		Bad:       []corpus.Bad{{Family: "gcc", Version: "99.1.0", Levels: []string{"-O2"}}},
	}
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("corpus", 0o755))
	shared.goOn = true
	defer func() { shared.goOn = false }()
	for range 2 {
		reportFinding(t, nil, f) // without a file of known buckets no compiler is asked
	}
	saved, err := filepath.Glob("corpus/*.txtar")
	require.NoError(t, err)
	require.Len(t, saved, 1)
	aside, err := filepath.Glob("out/duplicates/*.txtar")
	require.NoError(t, err)
	assert.Len(t, aside, 1)
	text, err := os.ReadFile(beacon.ToldFile)
	require.NoError(t, err)
	assert.Equal(t, "FAIL: gcc-99 -O2: wrong-answer, saved as "+saved[0]+"\n", string(text))
}

// A run that goes on after findings fails in the end, and says what was told in it.
func TestFuzzScript(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "bin"), 0o755))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "tools"), 0o755))
	script, err := os.ReadFile("tools/fuzz.sh")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tools", "fuzz.sh"), script, 0o644))
	// The real one prints a line where there is no libz3.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tools", "tags.sh"), nil, 0o644))
	for name, tt := range map[string]struct {
		engine string // a shell script in place of go
		pkg    string
		status int
		want   string
	}{
		"nothing":     {"echo PASS", "", 0, "PASS\n"},
		"fails":       {"echo FAIL; exit 1", "", 1, "FAIL\n"},
		"time is up":  {"echo context deadline exceeded; exit 1", "", 0, "context deadline exceeded\ntime is up\n"},
		"deaf":        {"echo gcc was not heard >>out/told.txt", "", 0, "gcc was not heard\n"},
		"finding":     {"echo FAIL: gcc >>out/told.txt; echo PASS", "", 1, "PASS\nFAIL: gcc\n"},
		"package":     {"echo FAIL: gcc >>reify/out/told.txt; echo PASS", "./reify", 1, "PASS\nFAIL: gcc\n"},
		"interrupted": {"echo FAIL: gcc >>out/told.txt; kill -INT 0; sleep 5", "", 1, "FAIL: gcc\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, pkg := range []string{"", "reify"} {
				out := filepath.Join(dir, pkg, "out")
				require.NoError(t, os.MkdirAll(out, 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(out, "told.txt"), []byte("FAIL: of an earlier run\n"), 0o644))
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, "bin", "go"), []byte("#!/bin/sh\n"+tt.engine+"\n"), 0o755))
			cmd := exec.Command("sh", strings.Fields("tools/fuzz.sh FuzzX 1s "+tt.pkg)...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "TMPDIR="+dir, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			got, err := cmd.Output()
			if tt.status == 0 {
				require.NoError(t, err)
			}
			assert.Equal(t, tt.status, cmd.ProcessState.ExitCode())
			assert.Equal(t, tt.want, string(got))
			left, err := filepath.Glob(filepath.Join(dir, "tmp.*"))
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}

// matchTime is what is left of the engine's patience when the budget is spent.
const matchTime = 1500 * time.Millisecond

// knownBucket returns the known bucket that a reproducer belongs in, if any.
func knownBucket(t *testing.T, o *oracle.Oracle, e *corpus.Entry) (corpus.Known, bool) {
	known, err := triage.LoadKnown(filepath.Join("corpus", corpus.KnownFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return corpus.Known{}, false
	case err != nil:
		t.Log(err) // no reason to lose the finding
	}
	ctx, cancel := context.WithTimeout(context.Background(), matchTime)
	defer cancel()
	return known.Match(ctx, o, e)
}

// dated returns the reproducer of a finding of today.
func dated(f *oracle.Finding) *corpus.Entry {
	e := f.Entry()
	e.Date = time.Now().Format(time.DateOnly)
	return e
}

// mostKept bounds the reproducers in a directory that nobody may ever look at.
const mostKept = 200

// keep saves a reproducer outside the corpus, for reify replay to look into.
func keep(t *testing.T, dir string, e *corpus.Entry) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err == nil && len(files) >= mostKept {
		return
	}
	if _, err := corpus.Save(dir, e); err != nil {
		t.Fatalf("%v\n%s", err, e.Format())
	}
}

// saveBug keeps what a generator bug was about outside the corpus.
func saveBug(err error) error {
	var bug *reify.GeneratorBug
	if !errors.As(err, &bug) {
		return err
	}
	file, ferr := os.CreateTemp("", "goreify-generator-bug-*.txt")
	if ferr != nil {
		return err
	}
	_, werr := file.WriteString(bug.Program)
	return errors.Join(fmt.Errorf("%w\nsaved as %s", err, file.Name()), werr, file.Close())
}

// TestCorpus replays the reproducers in corpus/ under the compilers present: those
// of a family that has failed at all levels, others at one. A compiler that fails
// though it is not known to is a regression. make replay asks all at all levels.
func TestCorpus(t *testing.T) {
	files := corpus.LoadDir("corpus")
	if len(files) == 0 {
		t.Fatal("there is nothing in corpus/")
	}
	o := shared.get(t)
	for _, file := range files {
		t.Run(file.Path, func(t *testing.T) {
			if file.Err != nil {
				t.Fatal(file.Err)
			}
			asked := 0
			for _, r := range o.ReplayBriefly(t.Context(), file.Entry) {
				switch r.Status {
				case oracle.Regression:
					t.Errorf("%v %s fails and is not known to: %v %s", r.Toolchain, r.Level, r.Outcome.Verdict, r.Outcome.Message)
				case oracle.Fixed:
					t.Logf("%v %s is listed as bad and passes: fixed", r.Toolchain, r.Level)
				case oracle.Unclear:
					t.Logf("%v %s: %s", r.Toolchain, r.Level, r.Outcome.Message)
					continue
				}
				asked++
			}
			if asked == 0 {
				t.Error("no compiler could be asked")
			}
		})
	}
}
