package hunt

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/tools/need"
)

// blamed is what a triage would say that knows one culprit only.
func blamed(e *corpus.Entry) string { return e.Culprit }

// A culprit is a yield once, of the kind that found it first, however many buckets
// there are; what triage has not seen counts as it is.
func TestYieldsAreCulprits(t *testing.T) {
	s, err := openStore(t.TempDir())
	require.NoError(t, err)
	defer s.close()
	_, err = s.db.Exec(`
INSERT INTO runs (id, started, seen, version, plan, toolchains, workers) VALUES (1, 1, 2, '1', 'all', 'gcc', 1);
INSERT INTO batches (number, run, kind, part, seeds, done) VALUES (0, 1, 'a', 'all', 4, 1), (1, 1, 'b', 'all', 4, 1), (2, 1, 'c', 'all', 4, 1);
INSERT INTO buckets VALUES ('f1', 'one', 1, 'b', 9, '', 1, '', ''), ('f2', 'two', 0, 'a', 9, '', 1, '', ''), ('f3', 'three', 1, 'b', 9, '', 1, '', ''),
	('f4', 'four', 1, 'b', 9, '', 1, '', ''), ('f5', 'five', 0, 'a', 9, 'known', 1, '', '');`)
	require.NoError(t, err)
	yields := func() map[string]int {
		tx, err := s.db.Begin()
		require.NoError(t, err)
		defer func() { _ = tx.Rollback() }()
		past, err := history(tx)
		require.NoError(t, err)
		got := map[string]int{}
		for kind, y := range past {
			got[kind] = y.buckets
		}
		return got
	}
	assert.Equal(t, map[string]int{"a": 1, "b": 3, "c": 0}, yields())
	for _, name := range []string{"one", "two", "three"} {
		require.NoError(t, s.blame(name, "gcc/crash/tree-vrp2"))
	}
	assert.Equal(t, map[string]int{"a": 1, "b": 1, "c": 0}, yields(), "of b the one that nobody has looked at")
	require.NoError(t, s.blame("three", "gcc/crash/tree-pre"))
	assert.Equal(t, map[string]int{"a": 1, "b": 2, "c": 0}, yields(), "it was blamed again")
}

// The hunt learns from its own triage, and at its start from what was done since.
func TestLearnsFromTriage(t *testing.T) {
	need.Long(t)
	o := fake(t, miscompile, "-O0", "-O2")
	opt := options(t, t.TempDir(), 3, 8)
	opt.Culprit = blamed
	write := func(path, culprit string) error {
		e, err := corpus.Load(path)
		if err != nil {
			return err
		}
		e.Culprit = culprit
		return os.WriteFile(path, e.Format(), 0o600)
	}
	opt.Triage = func(_ context.Context, path string) error { return write(path, "tree-one") }
	sum := finished(t, o, opt)
	require.Greater(t, sum.Buckets, int64(1))
	require.Len(t, sum.ByKind, 1)
	assert.EqualValues(t, 1, sum.ByKind[0].Buckets)
	assert.Equal(t, "tree-one", sum.ByBucket[0].Culprit)

	require.NoError(t, write(firstFinding(opt, sum), "tree-two"))
	sum = finished(t, o, opt)
	assert.EqualValues(t, 2, sum.ByKind[0].Buckets)
	assert.Equal(t, "tree-two", sum.ByBucket[0].Culprit)
}
