package compilers

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers/events"
)

// vectorisable is a program of two files, each with a loop.
func vectorisable() Job {
	return Job{
		Source: []byte(`#include <stdio.h>
int a[1024], b[1024];
int sum(int n);
int main(void) { for (int i = 0; i < 1024; i++) a[i] = b[i] * 3 + i; printf("%d\n", sum(2)); return 0; }
`),
		More:   []File{{"more.c", []byte("extern int a[1024]; int sum(int n) { int s = 0; for (int i = 0; i < 1024; i++) s += a[i] * n; return s; }\n")}},
		Want:   []byte("1047552\n"),
		Level:  "-O3",
		Listen: true,
	}
}

var vectorised = map[Family]events.Counter{
	GCC:   {Pass: "vect", Name: "Vectorized loops"},
	Clang: {Pass: "loop-vectorize", Name: "passed Vectorized"},
}

func TestListen(t *testing.T) {
	ws := newWorkspace(t)
	for _, tc := range installed(t) {
		direct, err := tc.LinkDirectly(t.Context(), ws, roomy())
		require.NoError(t, err)
		job := vectorisable()

		binary, o := tc.Build(t.Context(), ws, job, roomy())
		require.Equal(t, OK, o.Verdict, o)
		require.NoError(t, o.Unheard)
		assert.EqualValues(t, 2, o.Events[vectorised[tc.Family]], "%v: %v", tc, o.Events)
		left, err := filepath.Glob(filepath.Join(filepath.Dir(binary), "*.*"))
		require.NoError(t, err)
		assert.Len(t, left, 2, left) // the C files
		require.NoError(t, ws.Remove(binary))

		again := direct.Test(t.Context(), ws, job, roomy())
		assert.Equal(t, OK, again.Verdict, again)
		assert.Positive(t, again.LinkCPU)
		assert.Equal(t, o.Events, again.Events, "linked in another way")
		compiled := direct.Listen(t.Context(), ws, job, roomy())
		require.Equal(t, OK, compiled.Verdict, compiled)
		assert.Equal(t, o.Events, compiled.Events, "compiled only")

		job.Apart = true
		apart := tc.Listen(t.Context(), ws, job, roomy())
		require.NoError(t, apart.Unheard)
		for c, v := range apart.Events {
			assert.LessOrEqual(t, v, o.Events[c], "%v: %v", tc, c)
		}
		for _, name := range []string{"main", "sum"} {
			assert.EqualValues(t, 1, apart.Functions[name][vectorised[tc.Family]], "%v: %v", tc, apart.Functions)
		}

		job.Level = "-O0"
		low := tc.Listen(t.Context(), ws, job, roomy())
		require.NoError(t, low.Unheard)
		require.NotNil(t, low.Events, low)
		assert.Zero(t, low.Events[vectorised[tc.Family]])

		job.Listen = false
		o = tc.Test(t.Context(), ws, job, roomy())
		assert.Nil(t, o.Events)
		assert.NoError(t, o.Unheard)
	}
	requireNothingLeft(t, ws)
}

// What a compiler does only because it is listened to accuses nobody, and what
// it says in a language that nobody knows is not silence.
func TestUnheard(t *testing.T) {
	const build = `for a; do [ "$a" = -fdump-statistics-stats ] && listen=1; done
make() { printf '#!/bin/sh\necho 42\n' >repro; chmod +x repro; }
`
	job := Job{Source: []byte("c\n"), Want: []byte("42\n"), Level: "-O3", Listen: true}
	for name, tt := range map[string]struct{ body, unheard string }{
		"known":   {`echo '1 ccp "x" 2' >repro.c.1t.statistics; make`, ""},
		"unknown": {`echo '{"ccp": 2}' >repro.c.1t.statistics; make`, "gcc-99 99.1.0: statistics: line 1 is"},
		"silent":  {`make`, "gcc-99 99.1.0 does not say"},
		"crash": {`[ "$listen" ] && { echo "during GIMPLE pass: vect
repro.c:1:1: internal compiler error: in x, at y.c:1" >&2; exit 1; }; make`, "internal-error: "},
	} {
		t.Run(name, func(t *testing.T) {
			ws := newWorkspace(t)
			o := fake(t, build+tt.body).Test(t.Context(), ws, job, roomy())
			assert.Equal(t, OK, o.Verdict, o)
			if tt.unheard == "" {
				assert.NoError(t, o.Unheard)
				assert.Equal(t, events.Counts{{Pass: "ccp", Name: "x"}: 2}, o.Events)
				return
			}
			assert.ErrorContains(t, o.Unheard, tt.unheard)
			assert.Nil(t, o.Events)
			requireNothingLeft(t, ws)
		})
	}

	ws := newWorkspace(t)
	o := fake(t, `echo "repro.c:1:1: error: no C" >&2; exit 1`).Test(t.Context(), ws, job, roomy())
	assert.Equal(t, Rejected, o.Verdict, o)
	assert.NoError(t, o.Unheard, "it does so in any case")
	o = fake(t, `exit 1`).Listen(t.Context(), ws, job, roomy())
	assert.Equal(t, Rejected, o.Verdict, o)
	assert.Nil(t, o.Events)
	left, err := os.ReadDir(ws.Dir())
	require.NoError(t, err)
	assert.Empty(t, left)
}
