package hunt

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/tools/need"
)

// What belongs in a known bucket is counted and not saved; what does not is
// handed to triage, once for each bucket.
func TestKnownBuckets(t *testing.T) {
	need.Long(t)
	o := fake(t, miscompile, "-O0", "-O2")
	opt := options(t, t.TempDir(), 3, 8)
	opt.Workers = 2
	var mu sync.Mutex
	var triaged []string
	opt.Known = func(_ context.Context, e *corpus.Entry) string {
		if e.Verdict == "crash" {
			return "gcc/crash/unknown/O2"
		}
		return ""
	}
	opt.Triage = func(_ context.Context, path string) error {
		mu.Lock()
		defer mu.Unlock()
		triaged = append(triaged, path)
		return errors.New("no luck")
	}
	sum := finished(t, o, opt)
	require.EqualValues(t, 1, sum.KnownBuckets)
	require.Greater(t, sum.Buckets, sum.KnownBuckets)
	var want []string
	for _, name := range saved(t, opt.Dir) {
		assert.False(t, strings.HasPrefix(name, "crash"), name)
		want = append(want, filepath.Join(opt.Dir, corpus.FindingsDir, name, corpus.FindingFile))
	}
	slices.Sort(triaged)
	assert.Equal(t, want, triaged)
	for _, path := range triaged {
		_, err := os.Stat(path)
		assert.NoError(t, err)
	}
	events := strings.Join(query(t, opt.Dir, `SELECT text FROM log`), "\n")
	assert.Contains(t, events, "triage: no luck")

	var text bytes.Buffer
	require.NoError(t, sum.Write(&text))
	assert.Contains(t, text.String(), ", 1 known,")
	assert.Contains(t, text.String(), "known: gcc/crash/unknown/O2")
	for _, m := range sum.ByKind {
		assert.Equal(t, sum.Buckets-sum.KnownBuckets, m.Buckets, "new ones")
	}

	// Without the list they are as others.
	all := options(t, t.TempDir(), 3, 8)
	whole := finished(t, o, all)
	assert.Equal(t, sum.Buckets, whole.Buckets)
	assert.Equal(t, sum.Findings, whole.Findings)
	assert.Zero(t, whole.KnownBuckets)
}

// Of each bucket as many are saved as are asked for, and all are counted.
func TestKeep(t *testing.T) {
	need.Long(t)
	o := fake(t, miscompile, "-O2")
	opt := options(t, t.TempDir(), 6, 12)
	opt.Keep = 2
	sum := finished(t, o, opt)
	var want int64
	most := int64(0)
	for _, b := range sum.ByBucket {
		want += min(b.Findings, 2)
		most = max(most, b.Findings)
	}
	require.Greater(t, most, int64(2), "the test needs a bucket of three")
	saved, err := os.ReadDir(filepath.Join(opt.Dir, corpus.FindingsDir))
	require.NoError(t, err)
	assert.Len(t, saved, int(want))
	assert.Greater(t, sum.Findings, want)
}
