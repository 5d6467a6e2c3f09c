package native

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/events"
)

// vectorisable is a program of two files, each with a loop.
func vectorisable() compilers.Job {
	return compilers.Job{
		Files: []compilers.File{
			{Name: compilers.MainC, Content: []byte(`#include <stdio.h>
int a[1024], b[1024];
int sum(int n);
int main(void) { for (int i = 0; i < 1024; i++) a[i] = b[i] * 3 + i; printf("%d\n", sum(2)); return 0; }
`)},
			{Name: "more.c", Content: []byte("extern int a[1024]; int sum(int n) { int s = 0; for (int i = 0; i < 1024; i++) s += a[i] * n; return s; }\n")},
		},
		Mode: "-O3",
	}
}

var vectorised = map[string]events.Counter{
	"gcc":   {Pass: "vect", Name: "Vectorized loops"},
	"clang": {Pass: "loop-vectorize", Name: "passed Vectorized"},
}

func TestOptimisations(t *testing.T) {
	ws := newWorkspace(t)
	for _, tc := range installed(t) {
		job := vectorisable()
		counts, _, err := tc.Optimisations(t.Context(), ws, job, roomy())
		require.NoError(t, err)
		assert.EqualValues(t, 2, counts[vectorised[tc.Family]], "%v: %v", tc, counts)

		job.Mode = "-O0"
		low, _, err := tc.Optimisations(t.Context(), ws, job, roomy())
		require.NoError(t, err)
		require.NotNil(t, low)
		assert.Zero(t, low[vectorised[tc.Family]])
	}
	requireNothingLeft(t, ws)
}

// A report of an unknown form is an error, and so is silence.
func TestNoOptimisations(t *testing.T) {
	job := compilers.Job{Files: compilers.Single([]byte("c\n")), Mode: "-O3"}
	for name, tt := range map[string]struct{ body, want string }{
		"known":   {`echo '1 ccp "x" 2' >repro.c.1t.statistics`, ""},
		"unknown": {`echo '{"ccp": 2}' >repro.c.1t.statistics`, "gcc-99 99.1.0: statistics: line 1 is"},
		"silent":  {`:`, "gcc-99 99.1.0 does not say"},
	} {
		t.Run(name, func(t *testing.T) {
			ws := newWorkspace(t)
			counts, _, err := fake(t, tt.body).Optimisations(t.Context(), ws, job, roomy())
			requireNothingLeft(t, ws)
			if tt.want == "" {
				require.NoError(t, err)
				assert.Equal(t, events.Counts{{Pass: "ccp", Name: "x"}: 2}, counts)
				return
			}
			assert.ErrorContains(t, err, tt.want)
			assert.Nil(t, counts)
		})
	}
}
