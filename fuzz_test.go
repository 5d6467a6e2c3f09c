// Package goreify_test holds the fuzz targets and the replay of the corpus.
// The bytes of an input are a recipe; see package reify.
package goreify_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/program"
	"goreify/reify/subject"
	"goreify/reify/triage"
	"goreify/tools/need"
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
	for _, l := range oracles {
		l.close()
	}
	os.Exit(code)
}

// shared is the oracle of this process, made when first asked for.
var shared lazyOracle

// sharedGo and sharedWasm ask what is always here, unless REIFY_CC names others;
// sharedJVM what is not.
var (
	sharedGo   = lazyOracle{cc: "gc"}
	sharedWasm = lazyOracle{cc: "wazero"}
	sharedJVM  = lazyOracle{cc: "java", need: "java"}
)

// oracles are those of programs in each language.
var oracles = map[compilers.Language]*lazyOracle{compilers.C: &shared, compilers.Go: &sharedGo, compilers.Wasm: &sharedWasm, compilers.JVM: &sharedJVM}

type lazyOracle struct {
	cc      string // what REIFY_CC is if it is not set
	need    string // what tests need for that, if it is not always here; see package need
	once    sync.Once
	oracle  *oracle.Oracle
	goOn    bool // a finding is saved and told of, and does not fail the test
	closers []func()
	err     error
}

// get returns the oracle and says which compilers it does without.
func (l *lazyOracle) get(t testing.TB) *oracle.Oracle {
	l.once.Do(func() {
		if l.err = l.open(); l.err != nil {
			return
		}
		l.oracle.Reserve = reserve
		for _, u := range l.oracle.Unusable {
			fmt.Fprintln(os.Stderr, "goreify: not used:", u)
		}
	})
	switch {
	case l.err != nil && l.need != "" && os.Getenv("REIFY_CC") == "":
		need.Missing(t, l.need, "%v", l.err)
	case l.err != nil:
		t.Fatal(l.err)
	}
	return l.oracle
}

func (l *lazyOracle) open() error {
	policy, err := compilers.ParseBoxPolicy(os.Getenv("REIFY_BOX"))
	if err != nil {
		return err
	}
	space, err := compilers.NewWorkspace(os.TempDir())
	if err != nil {
		return err
	}
	l.closers = append(l.closers, func() { _ = space.Close() }) // what stays is swept by the next
	if _, _, err := space.Enclose(context.Background(), policy); err != nil {
		return err
	}
	env := compilers.EnvFrom(os.Environ())
	env.Space = space
	env.CC = cmp.Or(env.CC, l.cc)
	found, named, err := targets.Find(context.Background(), env)
	if err != nil {
		return err
	}
	if l.oracle, err = oracle.New(context.Background(), space, found, named); err != nil {
		return err
	}
	if err := l.oracle.Judged(); err != nil {
		return err
	}
	l.goOn, err = goOn(os.Getenv(goOnVar))
	l.goOn = l.goOn && fuzzing()
	return err
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

// mostAsked is how many configurations are asked about a seed where no engine
// runs.
const mostAsked = 4

// seedsOnly reports whether the targets only go once through their seeds.
func seedsOnly() bool {
	fuzz := flag.Lookup("test.fuzz").Value.String()
	worker := flag.Lookup("test.fuzzworker").Value.String()
	return fuzz == "" && worker == "false"
}

// sparing returns what is asked about an input, and in what time. Where only the
// seeds are run no clock decides: of each the next few configurations are asked.
func sparing(o *oracle.Oracle) (*oracle.Oracle, time.Duration) {
	if !seedsOnly() {
		return o, budget
	}
	brief, left := *o, mostAsked
	brief.Ask = func(compilers.Target, compilers.Mode) bool { left--; return left >= 0 }
	return &brief, 5 * time.Minute
}

// counter returns a function that adds up what the seeds of a target come to.
// The target fails if that is nothing, for it passes if it does nothing. Some of
// the seeds, chosen with -run, may come to nothing.
func counter(f *testing.F, what string) (add func(int)) {
	sum := 0
	f.Cleanup(func() {
		if some := strings.Contains(flag.Lookup("test.run").Value.String(), "/"); seedsOnly() && !some {
			if f.Logf("%s: %d", what, sum); sum == 0 {
				f.Errorf("the seeds came to nothing: no %s", what)
			}
		}
	})
	return func(n int) { sum += n }
}

// FuzzGenerate makes one case of its input and checks it without a compiler.
func FuzzGenerate(f *testing.F) {
	addSeeds(f, seeds)
	made := counter(f, "functions solved")
	f.Fuzz(func(t *testing.T, config, graph, path, body []byte) {
		r := reify.Recipe{Config: config, Graph: graph, Path: path, Body: body}
		_, c := r.Plan()
		k, err := reify.Make("f", r, c, search.Engine{})
		if solve.Unsolved(err) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		made(1)
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
		for _, one := range back.Claims {
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
func FuzzReify(f *testing.F) { fuzzSource(f, &shared, seeds, function.Source{}, function.FromRecipe) }

// FuzzGo is FuzzReify in Go: it asks the versions of gc that REIFY_CC names, or gc.
func FuzzGo(f *testing.F) {
	fuzzSource(f, &sharedGo, 3, function.Source{}, func(r reify.Recipe) source.Input { return function.FromRecipeIn(compilers.Go, r) })
}

// FuzzWasm is FuzzReify in WebAssembly: it asks the engines that REIFY_CC names, or wazero.
func FuzzWasm(f *testing.F) {
	fuzzSource(f, &sharedWasm, 3, function.Source{}, func(r reify.Recipe) source.Input { return function.FromRecipeIn(compilers.Wasm, r) })
}

// FuzzJVM is FuzzReify in Java bytecode: it asks the virtual machines that REIFY_CC
// names, or that on PATH.
func FuzzJVM(f *testing.F) {
	fuzzSource(f, &sharedJVM, 2, function.Source{}, func(r reify.Recipe) source.Input { return function.FromRecipeIn(compilers.JVM, r) })
}

// FuzzProgram makes a whole program of its input and goes on like FuzzReify. Each
// takes as long as a batch.
func FuzzProgram(f *testing.F) { fuzzSource(f, &shared, 4, program.Source{}, program.FromRecipe) }

// fuzzSource asks every compiler about what a source makes of recipes.
func fuzzSource(f *testing.F, oracles *lazyOracle, seeds uint64, from source.Source, input func(reify.Recipe) source.Input) {
	addSeeds(f, seeds)
	o := oracles.get(f) // before the engine counts seconds
	made, asked := counter(f, "functions made"), counter(f, "configurations asked")
	f.Fuzz(func(t *testing.T, config, graph, path, body []byte) {
		o, budget := sparing(o)
		ctx, cancel := context.WithTimeout(context.Background(), budget)
		defer cancel()
		r := reify.Recipe{Config: config, Graph: graph, Path: path, Body: body}
		s, err := from.Make(context.Background(), input(r))
		if errors.Is(err, source.ErrNone) {
			return
		}
		if err != nil {
			t.Fatal(saveBug(err))
		}
		made(s.Weight())
		report, err := o.Check(ctx, s, rotation(r))
		if err != nil {
			t.Fatal(saveBug(err))
		}
		asked(report.Asked)
		for _, f := range report.Suspicions {
			keep(t, "out/unconfirmed", dated(t, f))
		}
		if report.Finding != nil {
			reportFinding(t, o, report.Finding)
		}
	})
}

// toldFile is the file whose new lines tools/fuzz.sh prints in the end. The
// engine drops whatever its workers print. Lines of findings begin with FAIL.
const toldFile = "out/told.txt"

// goOnVar is a variable of the environment: on, or off, the default.
const goOnVar = "REIFY_GO_ON"

// goOn tells whether a value of goOnVar asks that the fuzzing goes on after a
// finding.
func goOn(value string) (bool, error) {
	if value != "" && value != "on" && value != "off" {
		return false, fmt.Errorf("%s=%q: want on or off", goOnVar, value)
	}
	return value == "on", nil
}

// fuzzing tells whether this process runs inputs for the fuzzing engine, whose
// workers have this flag.
func fuzzing() bool {
	f := flag.Lookup("test.fuzzworker")
	return f != nil && f.Value.String() == "true"
}

// tell adds a line to toldFile.
func tell(t *testing.T, format string, args ...any) {
	if err := os.MkdirAll(filepath.Dir(toldFile), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(toldFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
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
	e := dated(t, f)
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
		tell(t, "FAIL: %v: %v, saved as %s", f.Config, f.Outcome.Verdict, path)
		return
	}
	t.Fatalf("%v\nsaved as %s; go run ./tools/reify reduce %s", f, path, path)
}

func TestGoOnVariable(t *testing.T) {
	for value, want := range map[string]bool{"": false, "off": false, "on": true} {
		got, err := goOn(value)
		require.NoError(t, err)
		assert.Equal(t, want, got, value)
	}
	_, err := goOn("1")
	assert.ErrorContains(t, err, `REIFY_GO_ON="1": want on or off`)
}

// Findings that do not end the run are saved and told of, each once but for
// workers that meet it at the same time.
func TestGoOn(t *testing.T) {
	made, err := function.Source{}.Make(t.Context(), function.FromRecipe(reify.FromSeed(1)))
	require.NoError(t, err)
	f := &oracle.Finding{
		Subject: made.(subject.Group).Members()[0],
		Config:  oracle.Config{Target: native.Toolchain{Name: "gcc-99", Family: "gcc", Version: "99.1.0"}, Mode: "-O2"},
		Outcome: compilers.Outcome{Verdict: compilers.WrongAnswer, Command: []string{"gcc-99 -O2 repro.c -o repro", "./repro"}},
		Bad:     []corpus.Configuration{{Family: "gcc", Version: "99.1.0", Modes: []string{"-O2"}}},
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
	text, err := os.ReadFile(toldFile)
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
		"no finding":  {"echo gcc is slow >>out/told.txt", "", 0, "gcc is slow\n"},
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
func dated(t *testing.T, f *oracle.Finding) *corpus.Entry {
	e, err := f.Entry()
	if err != nil {
		t.Fatal(saveBug(err))
	}
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

// saveBug keeps what a bug of our own was about outside the corpus.
func saveBug(err error) error {
	if !source.OurBug(err) {
		return err
	}
	file, ferr := os.CreateTemp("", "goreify-generator-bug-*.txt")
	if ferr != nil {
		return err
	}
	_, werr := file.WriteString(err.Error())
	return errors.Join(fmt.Errorf("%w\nsaved as %s", err, file.Name()), werr, file.Close())
}

// TestCorpus replays the reproducers in corpus/ under the compilers present, in one or
// two modes each. A compiler that fails though it is listed as right is a regression; one
// that the reproducer has not heard of may take it over: see reify adopt. make replay
// asks all at all levels.
func TestCorpus(t *testing.T) {
	files := corpus.LoadDir("corpus")
	if len(files) == 0 {
		t.Fatal("there is nothing in corpus/")
	}
	for _, file := range files {
		t.Run(file.Path, func(t *testing.T) {
			if file.Err != nil {
				t.Fatal(file.Err)
			}
			language := file.Entry.Language
			if oracles[language] == nil {
				t.Fatalf("nobody is asked about programs in %s", language)
			}
			o := oracles[language].get(t)
			if _, err := o.Of(language); err != nil && os.Getenv("REIFY_CC") != "" {
				t.Skipf("REIFY_CC names nobody who knows %s: %v", language, err)
			}
			asked := 0
			for _, r := range o.ReplayBriefly(t.Context(), file.Entry) {
				switch r.Status {
				case oracle.Regression:
					t.Errorf("%v fails and is listed as right: %v %s", r.Config, r.Outcome.Verdict, r.Outcome.Message)
				case oracle.AlsoFails:
					t.Logf("%v also fails: %v %s", r.Config, r.Outcome.Verdict, r.Outcome.Message)
				case oracle.Fixed:
					t.Logf("%v is listed as bad and passes: fixed", r.Config)
				case oracle.Unclear:
					t.Logf("%v: %s", r.Config, r.Outcome.Message)
					continue
				}
				asked++
			}
			switch processor, _, _ := strings.Cut(file.Entry.Triple, "-"); {
			case asked > 0:
			case slices.Contains([]string{"x86_64", "amd64", "wasm32", "jvm"}, processor):
				t.Error("no compiler could be asked")
			default:
				need.Partly(t, "cross", "no compiler for %s could be asked", processor)
			}
		})
	}
}
