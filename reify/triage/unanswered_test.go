package triage

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/tools/need"
)

// A disk that fills up at any question stores no conclusion that a healthy machine
// would not come to, and the next run, with room, ends as if nothing had been.
func TestFullDiskConcludesNothing(t *testing.T) {
	need.Named(t)
	want, err := Finding(t.Context(), fake(t, ""), entry(t, compilers.WrongAnswer), Options{})
	require.NoError(t, err)
	marked := 0
	for _, questions := range []int{0, 8, 20, 50} {
		calls := filepath.Join(t.TempDir(), "calls")
		require.NoError(t, os.WriteFile(calls, nil, 0o600))
		limit := filepath.Join(filepath.Dir(calls), "limit")
		require.NoError(t, os.WriteFile(limit, fmt.Append(nil, questions), 0o600))
		o := fake(t, `printf x >>`+calls+`
[ $(stat -c %s `+calls+`) -gt $(cat `+limit+`) ] && { echo "No space left on device" >&2; exit 1; }`)
		path := filepath.Join(t.TempDir(), "x.txtar")
		require.NoError(t, os.WriteFile(path, entry(t, compilers.WrongAnswer).Format(), 0o600))
		r, _, err := File(t.Context(), o, path, Options{})
		require.ErrorIs(t, err, compilers.ErrMachine, "after %d questions", questions)
		assert.ErrorContains(t, err, "No space left on device")
		assert.Nil(t, r)
		e, err := corpus.Load(path)
		require.NoError(t, err)
		assert.Contains(t, e.Note(corpus.NoteUntriaged), "No space left on device")
		assert.False(t, Done(e))
		if e.Bucket != "" {
			marked++
			assert.Equal(t, want.Entry.Bucket, e.Bucket)
		}

		require.NoError(t, os.WriteFile(limit, []byte("1000000"), 0o600))
		r, skipped, err := File(t.Context(), o, path, Options{})
		require.NoError(t, err)
		assert.False(t, skipped)
		assert.Equal(t, string(want.Entry.Format()), string(r.Entry.Format()))
	}
	assert.Positive(t, marked, "the last ones come after the culprit is known")
}

// Nor does one on which only those find no room that look for undefined behaviour.
func TestFullDiskAtTheEnd(t *testing.T) {
	need.Named(t)
	for name, fails := range map[string]string{"the sanitizers": "*-fsanitize*", "valgrind": "*"} {
		t.Run(name, func(t *testing.T) {
			full := filepath.Join(t.TempDir(), "full")
			o := fake(t, "[ -e "+full+" ] && case $args in "+fails+`) echo "No space left on device" >&2; exit 1 ;; esac`)
			sanitizer, ok := compilers.With(o.Targets[0], "-fsanitize=undefined")
			require.True(t, ok)
			o.Sanitizers = []compilers.Target{sanitizer}
			valgrind := filepath.Join(os.Getenv("PATH"), "valgrind")
			require.NoError(t, os.WriteFile(valgrind, []byte("#!/bin/sh\n"), 0o700))
			healthy := entry(t, compilers.WrongAnswer)
			want, err := Finding(t.Context(), o, healthy, Options{})
			require.NoError(t, err)
			require.Len(t, want.Clean, 2)

			if name == "valgrind" {
				require.NoError(t, os.WriteFile(valgrind, []byte("#!/bin/sh\n: >"+full+"\nexit 1\n"), 0o700))
			} else {
				require.NoError(t, os.WriteFile(full, nil, 0o600))
			}
			path := filepath.Join(t.TempDir(), "x.txtar")
			require.NoError(t, os.WriteFile(path, healthy.Format(), 0o600))
			_, _, err = File(t.Context(), o, path, Options{})
			require.ErrorIs(t, err, compilers.ErrMachine)
			e, err := corpus.Load(path)
			require.NoError(t, err)
			assert.False(t, Done(e))

			require.NoError(t, os.Remove(full))
			require.NoError(t, os.WriteFile(valgrind, []byte("#!/bin/sh\n"), 0o700))
			r, _, err := File(t.Context(), o, path, Options{})
			require.NoError(t, err)
			assert.Equal(t, string(want.Entry.Format()), string(r.Entry.Format()))
		})
	}
}

// A wrong bucket of an entry that is marked is mended, and so is one that names
// nobody of an entry without a reduced test.
func TestWrongBucketIsMended(t *testing.T) {
	need.Long(t)
	o := fake(t, "")
	r, err := Finding(t.Context(), o, entry(t, compilers.WrongAnswer), Options{})
	require.NoError(t, err)
	want := string(r.Entry.Format())
	for what, spoil := range map[string]func(e *corpus.Entry){
		"marked": func(e *corpus.Entry) { e.SetNote(corpus.NoteUntriaged, "no room") },
		"nobody": func(e *corpus.Entry) { e.Reduced, e.ReducedProgram, e.ReducedBad, e.ReducedGood = "", "", nil, nil },
	} {
		e := *r.Entry
		e.Bucket, e.Culprit, e.MendedBy = "gcc/wrong-answer/unknown/O2,O3", "", nil
		spoil(&e)
		path := filepath.Join(t.TempDir(), "x.txtar")
		require.NoError(t, os.WriteFile(path, e.Format(), 0o600))
		_, skipped, err := File(t.Context(), o, path, Options{})
		require.NoError(t, err)
		assert.False(t, skipped)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, want, string(text), what)
	}
}

// What compilers have said that are not asked now stays.
func TestNarrowReduction(t *testing.T) {
	need.Long(t)
	o := fake(t, "")
	r, err := Finding(t.Context(), o, entry(t, compilers.WrongAnswer), Options{})
	require.NoError(t, err)
	e := *r.Entry
	clang := corpus.Configuration{Family: "clang", Version: "19.1.0", Modes: []string{"-O1", "-O2"}}
	e.Good, e.ReducedGood, e.ReducedBad = append(e.Good, clang), append(e.ReducedGood, clang), modes("-O1", "-O2", "-O3")
	e.Witness = append(e.Witness, corpus.Witness{Who: "clang-19 -O0", Said: "ok"})
	require.NoError(t, e.Check())

	dir := filepath.Dir(o.Targets[0].(native.Toolchain).Path)
	o.Targets, _, err = targets.Find(t.Context(), compilers.Env{Path: dir + ":" + path, CC: "gcc-99", Modes: "-O1,-O2,-O3"})
	require.NoError(t, err)
	narrow, err := Finding(t.Context(), o, &e, Options{})
	require.NoError(t, err)
	require.Equal(t, e.Reduced, narrow.Entry.Reduced, "the test needs it")
	assert.Equal(t, e.Bad, narrow.Entry.Bad)
	assert.Equal(t, e.Witness, narrow.Entry.Witness)
	// -O0 has not been asked, -O1 has a new word.
	assert.Equal(t, []corpus.Configuration{modes("-O0", "-O1")[0], clang}, narrow.Entry.Good)
	assert.Equal(t, []corpus.Configuration{modes("-O0", "-O1")[0], clang}, narrow.Entry.ReducedGood)
	assert.Equal(t, modes("-O2", "-O3"), narrow.Entry.ReducedBad)
}
