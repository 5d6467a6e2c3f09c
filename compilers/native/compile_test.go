package native

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
)

func TestCompile(t *testing.T) {
	ws := newWorkspace(t)
	job := compilers.Job{Files: compilers.Single([]byte("c\n")), Mode: "-O3", Extra: []string{"-flag"}}

	content, o, err := fake(t, `echo "$@" >notes`).Compile(t.Context(), ws, job, "notes", roomy())
	require.NoError(t, err)
	assert.Equal(t, compilers.OK, o.Verdict, o)
	assert.Equal(t, "-O3 -w -flag repro.c -c\n", string(content))
	assert.Equal(t, []string{"gcc-99 -O3 -w -flag repro.c -c"}, o.Command)

	_, o, err = fake(t, "exit 0").Compile(t.Context(), ws, job, "notes", roomy())
	assert.Equal(t, compilers.OK, o.Verdict, o)
	assert.True(t, errors.Is(err, fs.ErrNotExist), err)

	content, o, err = fake(t, `echo x >notes; echo "repro.c:1:1: error: no C" >&2; exit 1`).Compile(t.Context(), ws, job, "notes", roomy())
	require.NoError(t, err)
	assert.Equal(t, compilers.Rejected, o.Verdict, o)
	assert.Nil(t, content)
	requireNothingLeft(t, ws)
}

// A real compiler writes a file that an argument of the job names.
func TestCompileReal(t *testing.T) {
	gcc := firstOf(t, "gcc")
	job := compilers.Job{Files: compilers.Single(program("")), Mode: "-O3", Extra: []string{"-fdump-statistics-stats=counters"}}
	content, o, err := gcc.Compile(t.Context(), newWorkspace(t), job, "counters", roomy())
	require.NoError(t, err)
	assert.Equal(t, compilers.OK, o.Verdict, o)
	assert.Positive(t, o.CompileCPU)
	assert.NotEmpty(t, content)
}
