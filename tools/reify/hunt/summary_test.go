package hunt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSummaryCountsRuns(t *testing.T) {
	for n, want := range map[int]string{0: "; 0 runs\n", 1: "; 1 run\n", 2: "; 2 runs\n", pastRuns: "; 10 runs or more\n"} {
		var text strings.Builder
		require.NoError(t, (&Summary{Runs: make([]Past, n)}).Write(&text))
		assert.Contains(t, text.String(), want)
	}
}
