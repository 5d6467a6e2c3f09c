package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
)

// An oracle that listens compiles nothing twice, hears nothing from -O0, and
// confirms what it finds without listening.
func TestHeard(t *testing.T) {
	script, compilations := logged(t, wrongF3)
	o := fake(t, script, "-O0", "-O2")
	o.Toolchains, o.Sanitizers, o.Listen = o.Toolchains[1:], nil, true
	report, err := o.Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	require.Nil(t, report.Finding)
	assert.Equal(t, 2, report.Asked)
	assert.Equal(t, 1, compilations())
	require.Len(t, report.Heard, 1)
	heard := report.Heard[0]
	assert.Equal(t, "gcc-99 -O2", heard.Toolchain.String()+" "+heard.Level)
	assert.NoError(t, heard.Err)
	assert.Greater(t, len(heard.Events), 30)

	report, err = o.Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	assert.Equal(t, heard.Events, report.Heard[0].Events, "the same twice")

	report, err = o.Check(t.Context(), cases(t, 4), 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Equal(t, compilers.WrongAnswer, report.Finding.Outcome.Verdict)
	assert.NotContains(t, report.Finding.Outcome.Command[0], "statistics")

	o.Listen = false
	report, err = o.Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	assert.Empty(t, report.Heard)
}
