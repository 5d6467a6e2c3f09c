package corpus

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMerge(t *testing.T) {
	list := func(lines ...string) (list []Configuration) {
		for _, line := range lines {
			c, err := parseConfiguration(line)
			require.NoError(t, err)
			list = append(list, c)
		}
		return list
	}
	text := func(list []Configuration) string {
		var lines []string
		for _, c := range list {
			lines = append(lines, c.String())
		}
		return strings.Join(lines, "; ")
	}
	bad, good := list("gcc 12 : -O2 -O3", "gcc 12 -m32 : -O2"), list("gcc 12 : -O0 -O1", "clang 19 : -O0")
	before := text(bad) + text(good)
	mergedBad, mergedGood := Merge(bad, good, list("gcc 12 : -O1 -O2", "gcc 13 : -O2"), list("gcc 12 : -O3", "gcc 12 -m32 : -O2"))
	assert.Equal(t, "gcc 12 : -O1 -O2; gcc 13 : -O2", text(mergedBad))
	assert.Equal(t, "gcc 12 : -O0 -O3; clang 19 : -O0; gcc 12 -m32 : -O2", text(mergedGood))
	assert.Equal(t, before, text(bad)+text(good), "they stay as they are")
	mergedBad, mergedGood = Merge(bad, good, nil, nil)
	assert.Equal(t, before, text(mergedBad)+text(mergedGood))
}
