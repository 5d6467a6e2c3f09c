// Package goreify_test holds the fuzz targets that ask compilers, and the replay of
// the corpus. See package fuzzing. The tests do without testify, which needs net/http:
// the engine has all that it runs compiled anew, so less is waited for.
package goreify_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/tools/fuzzing"
	"goreify/tools/need"
)

// The compilers for each language. Those that are asked where REIFY_CC is not set are always
// here, except Java's and clang, which is asked about LLVM IR.
var (
	inC    = &fuzzing.Bench{Language: compilers.C}
	inGo   = &fuzzing.Bench{Language: compilers.Go, CC: "gc"}
	inWasm = &fuzzing.Bench{Language: compilers.Wasm, CC: "wazero"}
	inJava = &fuzzing.Bench{Language: compilers.JVM, CC: "java", Need: "java"}
	inLLVM = &fuzzing.Bench{Language: compilers.LLVM, CC: "llvm", Need: "clang"}
)

func TestMain(m *testing.M) { os.Exit(fuzzing.Main(m, inC, inGo, inWasm, inJava, inLLVM)) }

// FuzzGenerate makes one case of its input and checks it without a compiler.
func FuzzGenerate(f *testing.F) {
	for i := range uint64(12) {
		r := reify.FromSeed(i)
		f.Add(r.Config, r.Graph, r.Path, r.Body)
	}
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

// functions are small batches, so that one that fails is looked into before the engine
// loses patience: of what has found most in gcc, and some of all else.
var functions = fuzzing.Mix{
	{Weight: 4, Profile: "focus", Size: 30},
	{Weight: 4, Profile: "strength", Size: 30},
	{Weight: 3, Profile: "coefficients", Size: 30},
	{Weight: 2, Profile: "mixed", Size: 30},
	{Weight: 2, Profile: "motion", Size: 30},
	{Weight: 2, Profile: "swarm", Size: 30},
	{Weight: 1, Profile: "wild", Size: 30},
	{Weight: 1, Profile: "narrow", Size: 30},
	{Weight: 1, Profile: "lanes", Size: 30},
}

// programs are whole ones of several functions each.
var programs = fuzzing.Mix{
	{Weight: 4, Profile: "focus", Size: 4, Programs: true},
	{Weight: 2, Profile: "swarm", Size: 4, Programs: true},
	{Weight: 1, Profile: "wild", Size: 4, Programs: true},
	{Weight: 1, Profile: "calls", Size: 4, Programs: true},
}

// FuzzReify makes a batch of functions of its input, has one compiler compile them as
// one translation unit at one level, and looks into what does not give the known
// answers. See package fuzzing.
func FuzzReify(f *testing.F) { inC.Fuzz(f, 3, functions) }

// FuzzProgram is FuzzReify with whole programs.
func FuzzProgram(f *testing.F) { inC.Fuzz(f, 2, programs) }

// FuzzGo is FuzzReify in Go: it asks the versions of gc that REIFY_CC names, or gc.
func FuzzGo(f *testing.F) { inGo.Fuzz(f, 1, functions) }

// FuzzWasm is FuzzReify in WebAssembly: it asks the engines that REIFY_CC names, or wazero.
func FuzzWasm(f *testing.F) { inWasm.Fuzz(f, 1, functions) }

// FuzzJVM is FuzzReify in Java bytecode: it asks the virtual machines that REIFY_CC
// names, or that on PATH.
func FuzzJVM(f *testing.F) { inJava.Fuzz(f, 1, functions) }

// TestCorpus replays each reproducer in corpus/ under one of the compilers present, that
// which knows it best, in one or two modes. One that fails though it is listed as right is
// a regression; one that the reproducer has not heard of may take it over: see reify
// triage. make replay asks all at all levels. With -short every eighth is asked about.
func TestCorpus(t *testing.T) {
	files := corpus.LoadDir("corpus")
	if len(files) == 0 {
		t.Fatal("there is nothing in corpus/")
	}
	benches := []*fuzzing.Bench{inC, inGo, inWasm, inJava, inLLVM}
	for n, file := range files {
		t.Run(file.Path, func(t *testing.T) {
			if file.Err != nil {
				t.Fatal(file.Err)
			}
			if n%8 != 0 {
				need.Long(t)
			}
			language := file.Entry.Language
			i := slices.IndexFunc(benches, func(b *fuzzing.Bench) bool { return b.Language == language })
			if i < 0 {
				t.Fatalf("no compilers for %s", language)
			}
			o, err := benches[i].Oracle(t).Of(language)
			if err != nil && os.Getenv("REIFY_CC") != "" {
				t.Skipf("REIFY_CC names no compiler for %s: %v", language, err)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Parallel()
			o.Targets = []compilers.Target{closest(o.Targets, file.Entry)}
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

// closest returns the target of which a reproducer says most: that which it was found
// with, else one that is listed as wrong, as right, or one of the family; the newest.
func closest(targets []compilers.Target, e *corpus.Entry) compilers.Target {
	listed := func(list []corpus.Configuration, id compilers.ID) bool {
		return slices.ContainsFunc(list, func(c corpus.Configuration) bool { return c.Family == id.Family && c.Version == id.Version })
	}
	rank := func(t compilers.Target) int {
		switch id := t.ID(); {
		case id.Family == e.Family && id.Version == e.Version:
			return 4
		case listed(e.Bad, id):
			return 3
		case listed(e.Good, id):
			return 2
		case id.Family == e.Family:
			return 1
		}
		return 0
	}
	best := targets[0]
	for _, t := range targets {
		if rank(t) >= rank(best) {
			best = t
		}
	}
	return best
}
