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

// Arguments that are settings are no part of the version.
func TestSettings(t *testing.T) {
	for line, want := range map[string]Configuration{
		"gc 1.26.8 s390x GOARCH=s390x : @N @O":         {Family: "gc", Version: "1.26.8 s390x", Args: []string{"GOARCH=s390x"}, Modes: []string{"@N", "@O"}},
		"jsc 1.4.5 BUN_JSC_useOMGJIT=0 -x : @omg":      {Family: "jsc", Version: "1.4.5", Args: []string{"BUN_JSC_useOMGJIT=0", "-x"}, Modes: []string{"@omg"}},
		"gcc 12.2.0 s390x-linux-gnu -march=z13 : -O2":  {Family: "gcc", Version: "12.2.0 s390x-linux-gnu", Args: []string{"-march=z13"}, Modes: []string{"-O2"}},
		"gc 1.26.8 386 GOARCH=386 -d=ssa/cse/off : @O": {Family: "gc", Version: "1.26.8 386", Args: []string{"GOARCH=386", "-d=ssa/cse/off"}, Modes: []string{"@O"}},
	} {
		c, err := parseConfiguration(line)
		require.NoError(t, err)
		assert.Equal(t, want, c)
		assert.Equal(t, line, c.String())
	}
}
