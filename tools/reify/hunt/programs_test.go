package hunt

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/subject"
	"goreify/tools/need"
)

// A compiler that gets programs wrong is asked about each on its own, and each
// is a finding.
func TestPrograms(t *testing.T) {
	need.Long(t)
	o := fake(t, `[ "$level" = -O2 ] && sed -i 's/unsigned crc = run_cases();/unsigned crc = run_cases() + 1;/' repro.c`, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 3)
	opt.Kinds, opt.Mix = linkedKind(3), linkedKind(3)
	sum := finished(t, o, opt)
	assert.Equal(t, []string{"wrong-answer program-0", "wrong-answer program-1", "wrong-answer program-2"},
		query(t, opt.Dir, `SELECT verdict || ' ' || functions FROM findings ORDER BY functions`))
	assert.EqualValues(t, 1, sum.Buckets)
	assert.EqualValues(t, 3, sum.Programs)
	assert.Greater(t, sum.Functions, sum.Programs)
	requireSound(t, opt.Dir, 1)
}

// As long as nothing is wrong, programs are compiled together.
func TestProgramsInOneUnit(t *testing.T) {
	o := fake(t, "", "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 3)
	opt.Kinds, opt.Mix = linkedKind(3), linkedKind(3)
	sum := finished(t, o, opt)
	assert.EqualValues(t, 2, sum.Compilations)
	assert.EqualValues(t, 3, sum.Programs)
	assert.Zero(t, sum.Findings)
}

// What the programs meet together, and none alone, leaves a trace.
func TestDiscardedBundle(t *testing.T) {
	o := fake(t, `[ "$level" = -O2 ] && grep -q p1_ "$src" && { echo "virtual memory exhausted: Cannot allocate memory" >&2; exit 1; }`, "-O0", "-O2")
	opt := options(t, t.TempDir(), 1, 2)
	opt.Kinds, opt.Mix = linkedKind(2), linkedKind(2)
	sum, err := Start(t.Context(), o, opt)
	require.ErrorIs(t, err, ErrUnanswered)
	assert.EqualValues(t, 1, sum.Discards)
	assert.EqualValues(t, 1, sum.Unfinished)
	assert.Zero(t, sum.Findings)
	events := query(t, opt.Dir, `SELECT text FROM log`)
	require.Len(t, events, 1)
	assert.Contains(t, events[0], "batch 0 (programs): no answer, 1 of 3 times, the next run asks again: gcc-99 -O2: virtual memory exhausted")
}

func TestProgramsAreTheSame(t *testing.T) {
	s := linkedKind(2)[0].Source
	one, err := s.Make(t.Context(), s.Draw(stream(1, 7)))
	require.NoError(t, err)
	two, err := s.Make(t.Context(), s.Draw(stream(1, 7)))
	require.NoError(t, err)
	assert.Equal(t, one.Artefact(), two.Artefact())
	members, again := one.(subject.Group).Members(), two.(subject.Group).Members()
	require.Len(t, members, 2)
	for i, m := range members {
		assert.Equal(t, m.Artefact(), again[i].Artefact())
		e, err := m.Entry()
		require.NoError(t, err)
		assert.Equal(t, reify.FromSeed(stream(1, 7).Uint64()+uint64(i)).Streams(), e.Recipe)
	}
}
