package events

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func testdata(t *testing.T, name string) []byte {
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return text
}

// gcc-12.txt is what gcc-12 12.2.0 wrote about sample.c at -O3.
func TestStatisticsRecorded(t *testing.T) {
	counts, err := ParseStatistics(testdata(t, "gcc-12.txt"))
	require.NoError(t, err)
	assert.Len(t, counts, 66) // of 105 lines
	for c, want := range map[Counter]int64{
		{"combine", "two-insn combine"}:         3,
		{"vect", "Vectorized loops"}:            1,
		{"fre", "RPO num values == #"}:          5,                               // in four runs of the pass
		{"fre", "RPO block visited times == #"}: 6 + 1 + 4 + 2 + 1 + 4 + 17 + 17, // a histogram
	} {
		assert.Equal(t, want, counts[c], c)
	}
}

func TestStatistics(t *testing.T) {
	counts, err := ParseStatistics([]byte("1 a \"x 12 y == 7\" 3\n2 a \"x 1 y == 123\" 4\n3 b2 \"x\" 9223372036854775807\n"))
	require.NoError(t, err)
	assert.Equal(t, Counts{{"a", "x # y == #"}: 7, {"b#", "x"}: 9223372036854775807}, counts)

	counts, err = ParseStatistics(nil)
	require.NoError(t, err)
	assert.Empty(t, counts)
}

func TestStatisticsUnknown(t *testing.T) {
	_, err := ParseStatistics([]byte("39 ccp \"Statements folded\" \"f\" 4\n"))
	assert.ErrorContains(t, err, "line 1 is", "without -stats")
	for _, bad := range []string{
		"\n", "x", "39 ccp \"Statements folded\"\n", "39 ccp Statements 4\n", "ccp \"Statements folded\" 4\n",
		"39 ccp \"Statements folded\" -4\n", "39 ccp \"\" 4\n", "39 ccp \"x\" 0\n",
		"39 ccp \"x\" 9223372036854775808\n", "39 ccp \"x\" 4\r\n",
	} {
		_, err := ParseStatistics([]byte("1 a \"x\" 1\n" + bad))
		assert.ErrorContains(t, err, "line 2 is", bad)
	}
}
