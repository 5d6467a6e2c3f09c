package triage

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/corpus"
)

func TestBucket(t *testing.T) {
	bad := func(version string, modes ...string) corpus.Configuration {
		return corpus.Configuration{Family: "gcc", Version: version, Modes: modes}
	}
	e := corpus.Entry{Family: "gcc", Version: "11.3.0", Verdict: "crash", Mode: "-Os"}
	for _, tt := range []struct {
		change func(e *corpus.Entry)
		crash  string
		want   string
	}{
		{func(*corpus.Entry) {}, "", "gcc/crash/unknown/Os"},
		{func(e *corpus.Entry) { e.MendedBy = []string{"-fno-a", "-fno-b"} }, "", "gcc/crash/-fa -fb/Os"},
		{func(e *corpus.Entry) { e.Culprit = "X86 Byte/Word Fixup" }, "", "gcc/crash/X86 Byte-Word Fixup/Os"},
		{func(e *corpus.Entry) { e.Bad = []corpus.Configuration{bad("11.3.0", "-O3", "-Os")} }, "", "gcc/crash/unknown/O3,Os"},
		{func(e *corpus.Entry) { e.Bad = []corpus.Configuration{bad("11.3.0", "-Os"), bad("9.5.0", "-O1")} }, "", "gcc/crash/unknown/Os"},
		{func(e *corpus.Entry) {
			e.Bad = []corpus.Configuration{bad("11.3.0", "-Os"), bad("12.2.0", "-O3", "-O2")}
		}, "", "gcc/crash/unknown/O2,O3"},
		{func(e *corpus.Entry) { e.Bad = []corpus.Configuration{bad("11.3.1", "-O2"), bad("11.3", "-O1")} }, "", "gcc/crash/unknown/O2"},
		{func(e *corpus.Entry) { e.Mode = "@c2" }, "", "gcc/crash/unknown/@c2"},
		{func(e *corpus.Entry) { e.Verdict = "internal-error" }, "in f, at a/b.c", "gcc/internal-error/unknown/in f, at a/b.c"},
	} {
		e := e
		tt.change(&e)
		assert.Equal(t, tt.want, Bucket(&e, tt.crash))
	}
}

// Where the place of a fault is known the bucket follows it, and not how it shows: the pairs that
// were looked into by hand are one bucket each, and what one pass of Go uncovers is two.
func TestBucketOfFault(t *testing.T) {
	bucket := func(verdict, version, culprit string, notes ...string) string {
		e := &corpus.Entry{Verdict: verdict, Culprit: culprit, Mode: "-O2", Reduced: "x"}
		e.Family, e.Version, _ = strings.Cut(version, " ")
		for i := 0; i < len(notes); i += 2 {
			e.SetNote(notes[i], notes[i+1])
		}
		e.ReducedBad = corpus.Add(e.ReducedBad, e.Family, e.Version, nil, "-O2")
		e.ReducedGood = corpus.Add(e.ReducedGood, "clang", "23.1.4", nil, "-O2")
		if culprit == "code generation for loongarch64 (loongarch-isel)" && slices.Contains(notes, "23") {
			e.ReducedBad, e.ReducedGood = corpus.Add(e.ReducedBad, "clang", "23.1.4", nil, "-O2"), nil
		}
		return Bucket(e, "")
	}
	sext := bucket("wrong-answer", "clang 24.0.0", "code generation for aarch64 (aarch64-isel)", corpus.NoteMends, "FastISel")
	assert.Equal(t, "clang/wrong-code/code generation for aarch64 (aarch64-isel)/selection, since 24", sext)
	assert.Equal(t, sext, bucket("crash", "clang 24.0.0", "code generation for aarch64 (aarch64-isel)", corpus.NoteUncovered, "tailcallelim"))
	choice := bucket("wrong-answer", "clang 24.0.0", "code generation for loongarch64 (loongarch-isel)", corpus.NoteMends, bisect.NoCombine)
	rotate := bucket("wrong-answer", "clang 24.0.0", "code generation for loongarch64 (loongarch-isel)", corpus.NoteMends, bisect.NoCombine, "x-since", "23")
	assert.NotEqual(t, choice, rotate, "they are of another age")
	alone := &corpus.Entry{Family: "llc", Bucket: strings.TrimSuffix(sext, ", since 24"), Culprit: "code generation for aarch64 (aarch64-isel)"}
	join(alone, []Named{{Entry: &corpus.Entry{Bucket: sext}}, {Entry: &corpus.Entry{Bucket: choice}}})
	assert.Equal(t, sext, alone.Bucket, "no other version was asked")
	alone.Bucket, alone.Culprit = rotate, "code generation for loongarch64 (loongarch-isel)"
	join(alone, []Named{{Entry: &corpus.Entry{Bucket: choice}}, {Entry: &corpus.Entry{Bucket: rotate}}})
	assert.Equal(t, rotate, alone.Bucket, "two faults are known")
	e := &corpus.Entry{Family: "clang", Version: "24.0.0", Verdict: "wrong-answer", Mode: "-O2", Culprit: "code generation for powerpc64"}
	e.Members = map[string]string{"reduced.ll": "define i8 @f(ptr %p, i8 %x) {\n  %a = load i8, ptr %p\n  %b = call i8 @llvm.fshl.i8(i8 %a, i8 %x, i8 3)\n  %c = select i1 true, i8 %b, i8 %x\n  ret i8 %c\n}\n"}
	assert.Equal(t, "clang/wrong-code/code generation for powerpc64/fshl select", Bucket(e, ""), "no part of it is known")
	final := bucket("wrong-answer", "gcc 17.0.0", "tree-sccp", corpus.NoteSeen, corpus.SeenOverflow)
	assert.Equal(t, final, bucket("endless", "gcc 17.0.0", "tree-sccp", corpus.NoteSeen, corpus.SeenOverflow))
	le := bucket("wrong-answer", "gc 1.27.4 ppc64le", "code generation for ppc64le (lower)", corpus.NoteRule, "PPC64.rules:638 (MOVHZreg x) => x", corpus.NoteUncovered, "inline")
	assert.Equal(t, "gc/wrong-code/PPC64.rules/(MOVHZreg x) => x", le)
	assert.Equal(t, le, bucket("wrong-answer", "gc 1.26.8 ppc64", "code generation for ppc64 (late lower)", corpus.NoteRule, "PPC64.rules:612 (MOVHZreg x) => x"))
	assert.NotEqual(t, le, bucket("wrong-answer", "gc 1.27.4 ppc64", "code generation for ppc64", corpus.NoteRule, "DIVW destroys the flags, and is not declared to", corpus.NoteUncovered, "inline"))
	assert.Equal(t, "gc/wrong-answer/inline/O2", bucket("wrong-answer", "gc 1.27.4", "inline"), "only what shows it is known")
	assert.True(t, alike(wrongCodeName, "endless"))
	assert.False(t, alike(wrongCodeName, "internal-error"))
	assert.False(t, alike("wrong-answer", "endless"))
}

func TestCulprit(t *testing.T) {
	for bucket, want := range map[string]string{
		"gcc/wrong-answer/tree-vrp2/O2,O3":     "gcc/wrong-answer/tree-vrp2",
		"gcc/internal-error/evrp/in f, at a/b": "gcc/internal-error/evrp/in f, at a/b",
		"gcc/wrong-code/tree-vrp2/overflow":    "gcc/wrong-code/tree-vrp2/overflow",
		"":                                     "",
	} {
		_, verdict, _, _ := parseBucket(bucket)
		assert.Equal(t, want, Culprit(&corpus.Entry{Bucket: bucket, Verdict: verdict, Culprit: "tree-vrp2"}))
	}
	assert.Equal(t, "gcc/crash/-fa/O2", Culprit(&corpus.Entry{Bucket: "gcc/crash/-fa/O2", Verdict: "crash"}), "nobody to blame")
	assert.Equal(t, "gcc/crash/-fa", Culprit(&corpus.Entry{Bucket: "gcc/crash/-fa/O2", Verdict: "crash", MendedBy: []string{"-fno-a"}}))
}

func TestKnown(t *testing.T) {
	o := fake(t, "")
	var none *Known
	_, ok := none.Match(t.Context(), o, entry(t, compilers.WrongAnswer))
	assert.False(t, ok)

	dir := t.TempDir()
	list := filepath.Join(dir, corpus.KnownFile)
	_, err := LoadKnown(list)
	require.ErrorIs(t, err, os.ErrNotExist)
	e := entry(t, compilers.WrongAnswer)
	e.Bucket, e.Culprit, e.MendedBy = "gcc/wrong-answer/tree-vrp2/O2,O3", "tree-vrp2", []string{"-fno-tree-vrp"}
	_, err = corpus.Save(dir, e)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.txtar"), []byte("?"), 0o600))
	known := corpus.Known{Bucket: e.Bucket, Link: "https://example.org/1"}
	require.NoError(t, corpus.MarkKnown(list, known))
	k, err := LoadKnown(list)
	require.NoError(t, err)

	other := func(change func(e *corpus.Entry)) *corpus.Entry {
		e := entry(t, compilers.WrongAnswer)
		e.Bad = modes("-O2") // another fingerprint
		change(e)
		return e
	}
	for name, tt := range map[string]struct {
		e  *corpus.Entry
		ok bool
	}{
		"fingerprint":       {entry(t, compilers.WrongAnswer), true},
		"bucket":            {other(func(e *corpus.Entry) { e.Bucket = known.Bucket; e.Verdict = "crash" }), true},
		"mended by flags":   {other(func(*corpus.Entry) {}), true},
		"another verdict":   {other(func(e *corpus.Entry) { e.Verdict = "crash" }), false},
		"no such compiler":  {other(func(e *corpus.Entry) { e.Compiler, e.Version = "gcc-98", "98" }), false},
		"not mended":        {other(func(e *corpus.Entry) { e.Want = "?\n" }), false},
		"another language":  {other(func(e *corpus.Entry) { e.Language = "Go" }), false},
		"of another family": {other(func(e *corpus.Entry) { e.Family = "clang" }), false},
	} {
		got, ok := k.Match(t.Context(), o, tt.e)
		assert.Equal(t, tt.ok, ok, name)
		if tt.ok {
			assert.Equal(t, known, got, name)
		}
	}
}

// known returns what a list of known buckets and the entries beside it tell.
func known(t *testing.T, bucket string, entries ...*corpus.Entry) *Known {
	t.Helper()
	dir := t.TempDir()
	for _, e := range entries {
		_, err := corpus.Save(dir, e)
		require.NoError(t, err)
	}
	list := filepath.Join(dir, corpus.KnownFile)
	require.NoError(t, corpus.MarkKnown(list, corpus.Known{Bucket: bucket}))
	k, err := LoadKnown(list)
	require.NoError(t, err)
	return k
}

// A bug is known in all versions but those that are listed as right, and after
// them.
func TestKnownAcrossVersions(t *testing.T) {
	o := fakes(t, map[string]string{"99.1.0": "", "100.1.0": ""})
	const bucket = "gcc/wrong-answer/tree-vrp2/O2,O3"
	good := func(version string, modes ...string) corpus.Configuration {
		return corpus.Configuration{Family: "gcc", Version: version, Modes: modes}
	}
	e := entry(t, compilers.WrongAnswer)
	e.Bucket, e.Culprit, e.MendedBy = bucket, "tree-vrp2", []string{"-fno-tree-vrp"}
	found := entry(t, compilers.WrongAnswer)
	found.Compiler, found.Version, found.Bad = "gcc-100", "100.1.0", nil
	for name, tt := range map[string]struct {
		good []corpus.Configuration
		bad  []corpus.Configuration
		want bool
	}{
		"not heard of":           {nil, nil, true},
		"right":                  {[]corpus.Configuration{good("100.1.0", "-O0", "-O2")}, nil, false},
		"right in another mode":  {[]corpus.Configuration{good("100.1.0", "-O0", "-O1")}, nil, true},
		"right before":           {[]corpus.Configuration{good("99.9.0 20261020", "-O2")}, nil, false},
		"right long before":      {[]corpus.Configuration{good("98.1.0", "-O2")}, nil, true},
		"right after":            {[]corpus.Configuration{good("101.1.0", "-O2")}, nil, true},
		"right, and wrong again": {[]corpus.Configuration{good("99.9.0", "-O2")}, []corpus.Configuration{good("99.9.1", "-O3")}, true},
		"right in some modes":    {[]corpus.Configuration{good("100.1.0", "-O2")}, []corpus.Configuration{good("100.1.0", "-O3")}, true},
	} {
		e := *e
		e.Good, e.Bad = tt.good, append(slices.Clone(e.Bad), tt.bad...)
		_, ok := known(t, bucket, &e).Match(t.Context(), o, found)
		assert.Equal(t, tt.want, ok, name)
		another := e
		another.Good = nil
		_, ok = known(t, bucket, &e, &another).Match(t.Context(), o, found)
		assert.True(t, ok, "%s, but another is not fixed", name)
	}

	// The findings of a hunt count, too, where the list is in its directory.
	dir := t.TempDir()
	list := filepath.Join(dir, corpus.KnownFile)
	require.NoError(t, corpus.MarkKnown(list, corpus.Known{Bucket: "gcc/wrong-answer/unknown/O2"}))
	unnamed := *e
	unnamed.Bucket = "gcc/wrong-answer/unknown/O2"
	require.NoError(t, os.MkdirAll(filepath.Join(dir, corpus.FindingsDir, "a"), 0o777))
	require.NoError(t, corpus.Update(filepath.Join(dir, corpus.FindingsDir, "a", corpus.FindingFile), &unnamed))
	k, err := LoadKnown(list)
	require.NoError(t, err)
	_, ok := k.Match(t.Context(), o, found)
	assert.True(t, ok)

	// What has moved is known by its old name, and knows how its new home fails.
	moved := *e
	moved.Leave()
	moved.Bucket, moved.Compiler, moved.Version, moved.MendedBy = "gcc/wrong-answer/tree-vrp1/O1", "gcc-100", "100.1.0", nil
	_, ok = known(t, bucket, &moved).Match(t.Context(), o, found)
	assert.True(t, ok)
	_, ok = known(t, "gcc/wrong-answer/tree-vrp1/O2", &moved).Match(t.Context(), o, found)
	assert.False(t, ok, "a bucket that it was never in")
	found.Notes = moved.Notes
	_, ok = known(t, bucket).Match(t.Context(), o, found)
	assert.True(t, ok, "it was there itself")
}

// Where there is no reproducer beside the list, the name tells.
func TestKnownByName(t *testing.T) {
	o := fakes(t, map[string]string{"99.1.0": "", "100.1.0": `[ -z "$wrong" ] || wrong=ice`})
	ice := entry(t, compilers.InternalError)
	ice.Compiler, ice.Version, ice.Bad = "gcc-100", "100.1.0", nil
	for name, want := range map[string][]bool{ // of the wrong answer, and of the internal error
		"gcc/wrong-answer/tree-vrp2/O1":                               {true, false},
		"gcc/wrong-answer/-ftree-vrp/O3":                              {true, false},
		"gcc/wrong-answer/tree-vrp1/O2,O3":                            {false, false},
		"gcc/wrong-answer/unknown/O2,O3":                              {false, false},
		"gcc/crash/tree-vrp2/O2,O3":                                   {false, false},
		"clang/wrong-answer/tree-vrp2/O2,O3":                          {false, false},
		"gcc/wrong-answer/=evil/O2,O3":                                {false, false},
		"gcc/internal-error/unknown/in vrp_fold, at tree-vrp.c":       {false, true},
		"gcc/internal-error/unknown/in vrp_fold, at tree-vrp.cc":      {false, false},
		"gcc/wrong-answer/unknown/in vrp_fold, at tree-vrp.c":         {false, false},
		"gcc/internal-error/tree-vrp2/during: in a, at b.c, or so/no": {false, true}, // mended by leaving out the pass
		"tree-vrp2": {false, false},
	} {
		k := known(t, name)
		for i, e := range []*corpus.Entry{entry(t, compilers.WrongAnswer), ice} {
			_, ok := k.Match(t.Context(), o, e)
			assert.Equal(t, want[i], ok, "%s: %s", name, e.Verdict)
		}
	}
}

// Families without flags that mean the same elsewhere are told by their messages.
func TestKnownMessages(t *testing.T) {
	o := fake(t, "")
	const bucket = "clang/crash/SLPVectorizerPass/O2,O3"
	e := entry(t, compilers.Crash)
	e.Family, e.Version, e.Bucket, e.Message = "clang", "19.1.7", bucket, "killed by SIGSEGV"
	e.Bad = []corpus.Configuration{{Family: "clang", Version: "19.1.7", Modes: []string{"-O3"}}, {Family: "clang", Version: "20.1.0", Modes: []string{"-O3"}}}
	for name, tt := range map[string]struct {
		change func(found *corpus.Entry)
		want   bool
	}{
		"a newer version":                {func(f *corpus.Entry) { f.Version = "24.0.0 20261025" }, true},
		"in other modes":                 {func(f *corpus.Entry) { f.Version, f.Bad = "24.0.0 20261025", nil }, false},
		"a listed version":               {func(f *corpus.Entry) { f.Version, f.Mode, f.Bad = "20.1.0", "-O3", nil }, true},
		"a listed version, in its modes": {func(f *corpus.Entry) { f.Version = "20.1.0" }, false},
		"another family":                 {func(f *corpus.Entry) { f.Family, f.Version = "gcc", "24.1.0" }, false},
	} {
		found := *e
		found.Bucket, found.Bad = "", append(slices.Clone(e.Bad), corpus.Configuration{Family: "clang", Version: "24.0.0 20261025", Modes: []string{"-O3"}})
		found.Bad[1].Modes = []string{"-O3"}
		tt.change(&found)
		_, ok := known(t, bucket, e).Match(t.Context(), o, &found)
		assert.Equal(t, tt.want, ok, name)
	}
	mute := *e
	mute.Message = ""
	newer := mute
	newer.Bucket, newer.Version, newer.Bad = "", "24.0.0 20261025", []corpus.Configuration{{Family: "clang", Version: "24.0.0 20261025", Modes: []string{"-O3"}}}
	require.Equal(t, mute.Symptoms()[mute.Version], newer.Symptoms()[newer.Version])
	_, ok := known(t, bucket, &mute).Match(t.Context(), o, &newer)
	assert.False(t, ok, "all wrong answers look alike")
}
