package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/events"
	"goreify/compilers/native"
)

const loopC = "int a[256];\nvoid f(void) { for (int i = 0; i < 256; i++) a[i] *= 3; }\n"

func TestEventsCommand(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc")
	t.Setenv("REIFY_MODES", "-O0,-O3")
	dir := t.TempDir()
	file := filepath.Join(dir, "loop.c")
	require.NoError(t, os.WriteFile(file, []byte(loopC), 0o644))
	known := filepath.Join(dir, "corpus")
	require.NoError(t, os.Mkdir(known, 0o755))
	reproducer, err := os.ReadFile("../../corpus/wrong-answer-gcc-12-O1-17d6b725.txtar")
	require.NoError(t, err)
	entry := filepath.Join(known, "a.txtar")
	require.NoError(t, os.WriteFile(entry, reproducer, 0o644))

	status, out := command(t, "events", "-corpus", known, file)
	require.Zero(t, status, out)
	assert.Regexp(t, `vect +Vectorized loops +- +1 +0 \*\n`, out)

	status, out = command(t, "events", "-corpus", known, file, entry)
	require.Zero(t, status, out)
	assert.Contains(t, out, "== "+entry)
	assert.Contains(t, out, "of 1\n")

	status, out = command(t, "events", "-corpus", "", file)
	require.Zero(t, status, out)
	assert.NotContains(t, out, "*")

	require.NoError(t, os.WriteFile(file, []byte("no C\n"), 0o644))
	status, out = command(t, "events", "-corpus", "", file)
	assert.Equal(t, 2, status)
	assert.Contains(t, out, "FAILED: gcc -O3")
	for _, args := range [][]string{nil, {"-corpus", "", "none.c"}, {"-corpus", "none", file}, {"-corpus", "", "none.txtar"}} {
		status, _ := command(t, append([]string{"events"}, args...)...)
		assert.Equal(t, 2, status, args)
	}
}

func TestIsRare(t *testing.T) {
	for _, tt := range []struct {
		n, total int
		want     bool
	}{{0, 0, true}, {1, 3, true}, {2, 3, false}, {2, 39, false}, {2, 40, true}, {3, 40, false}} {
		assert.Equal(t, tt.want, isRare(tt.n, tt.total), tt)
	}
}

func TestEventTables(t *testing.T) {
	set := func(name string) eventSet {
		return eventSet{{Counter: events.Counter{Pass: "p", Name: name}}: true}
	}
	gcc, clang := native.Toolchain{Name: "gcc-99", Version: "99.1"}, native.Toolchain{Name: "clang-9", Version: "9.0"}
	var b strings.Builder
	require.NoError(t, printEventTables(&b, []compilation{
		{gcc, "-O0", events.Counts{}, nil},
		{gcc, "-O2", events.Counts{{Pass: "p", Name: "a"}: 1, {Pass: "q", Name: "b"}: 17}, nil},
		{clang, "-O2", nil, errors.New("clang crashed")},
	}, []eventSet{set("a"), set("a"), set("c")}))
	assert.Equal(t, `gcc-99 99.1: 2 counters
pass  counter  -O0  -O2  of 3
p     a        -    1    2
q     b        -    17   0 *

clang-9 9.0: 0 counters
pass  counter  -O2  of 3
FAILED: clang-9 -O2: clang crashed

`, b.String())
}

// A source is compiled with its flags by the family that they are for.
func TestEventSourceFlags(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc")
	t.Setenv("REIFY_MODES", "-O0,-O3")
	r, closer, err := newEventReader(t.Context(), &cli.Command{})
	require.NoError(t, err)
	defer closer()
	text := strings.ReplaceAll(loopC, "256", "N")
	s := eventSource{language: compilers.C, job: compilers.Job{Files: compilers.Single([]byte(text))}, flags: []string{"-DN=256"}, family: "gcc"}
	list := r.compile(t.Context(), s)
	require.Len(t, list, 2)
	require.NoError(t, list[1].err)
	vect := events.Event{Counter: events.Counter{Pass: "vect", Name: "Vectorized loops"}}
	assert.False(t, allEvents(list[:1])[vect])
	assert.True(t, allEvents(list)[vect])

	s.family = "clang"
	assert.ErrorContains(t, r.compile(t.Context(), s)[0].err, "rejected: ")
}

// An engine is a target that says what it optimised and takes no arguments.
type engine struct{ compilers.Target }

func (engine) ID() compilers.ID             { return compilers.ID{Name: "toy", Family: "toy"} }
func (engine) Language() compilers.Language { return "Toy" }
func (engine) Modes() []compilers.Mode      { return []compilers.Mode{"@c2"} }

func (engine) Optimisations(context.Context, *compilers.Workspace, compilers.Job, compilers.Limits) (events.Counts, error) {
	return events.Counts{{Pass: "inline", Name: "calls"}: 1}, nil
}

// Whoever says what it optimised is listened to, but not about a source whose flags
// it cannot be given.
func TestEventsOfOthers(t *testing.T) {
	r := eventReader{toolchains: []events.Reporter{engine{}}}
	s := eventSource{language: "Toy", family: "toy"}
	assert.Len(t, r.compile(t.Context(), s), 1)
	s.flags = []string{"-Xint"}
	assert.NoError(t, r.admit(s))
	assert.Empty(t, r.compile(t.Context(), s))
	s.family = "gcc"
	assert.Len(t, r.compile(t.Context(), s), 1)
}
