package tcc

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// What tcc is, and what it lacks, is as it says.
func TestTCC(t *testing.T) {
	need.Command(t, "tcc")
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	env := compilers.Env{Path: os.Getenv("PATH"), CC: "tcc", Space: ws}
	found, unknown, err := Finder.Find(t.Context(), env)
	require.NoError(t, err)
	require.Empty(t, unknown)
	require.Len(t, found, 1)
	tcc := found[0]
	assert.Equal(t, "tcc", tcc.ID().Family)
	assert.Regexp(t, `^0\.9\.\d`, tcc.ID().Version)
	assert.Equal(t, []compilers.Mode{"-O0"}, tcc.Modes())
	traits := tcc.Traits()
	assert.Subset(t, traits.Lacks, []string{"vector", "int128", "bitint", "overflow", "other-types"})
	assert.NotContains(t, traits.Lacks, "computed-goto")
	assert.NotContains(t, traits.Lacks, "switch")
	assert.NoError(t, compilers.Probe(t.Context(), tcc, ws, compilers.DefaultLimits()))
	_, err = tcc.(compilers.Sanitizer).Sanitized(t.Context(), ws, compilers.DefaultLimits())
	assert.ErrorIs(t, err, compilers.ErrNoSanitizers)

	job := compilers.Job{Files: compilers.Single([]byte("int main(void) { return __builtin_add_overflow(1, 2, (int *)0); }\n")), Mode: "-O0"}
	assert.Equal(t, compilers.Rejected, compilers.Test(t.Context(), tcc, ws, job, compilers.DefaultLimits()).Verdict)
	assert.False(t, traits.Meet(compilers.NeedsOf(job.Files)), "so nobody asks")
}
