package sketch_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/sketch"
)

// The tags of a field are the only declaration of a share: no text beside them in the
// packages that read them has its name, and a feature is explained once.
func TestSharesAreDeclaredOnce(t *testing.T) {
	var code strings.Builder
	for _, pattern := range []string{"*.go", "*/*.go", "../*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				code.Write(text)
			}
		}
	}
	require.Contains(t, code.String(), `"Blocks"`, "settings, which have their names as texts")
	declared := regexp.MustCompile("(?m)^\\s+(\\w+)\\s+int `feature:").FindAllStringSubmatch(code.String(), -1)
	require.Len(t, declared, len(sketch.Shares()))
	times := map[string]int{}
	for _, m := range declared {
		times[m[1]]++
	}

	features := map[string]string{}
	for _, share := range sketch.Shares() {
		assert.Equal(t, 1, times[share.Name], share.Name)
		assert.NotContains(t, code.String(), `"`+share.Name+`"`, "a second declaration")
		assert.NotEmpty(t, share.Feature, share.Name)
		assert.True(t, share.Typical > 0 && share.Typical <= 100, share.Name)
		if share.About != "" {
			assert.Empty(t, features[share.Feature], "%s explains %s again", share.Name, share.Feature)
			features[share.Feature] = share.About
		}
	}
}

// At returns the field of the share's name, and bounds of scalars are added up.
func TestShareAt(t *testing.T) {
	var p sketch.Policy
	for i, share := range sketch.Shares() {
		*share.At(&p) = i + 1
	}
	assert.Equal(t, "Narrow", sketch.Shares()[p.Narrow-1].Name)
	assert.Equal(t, "Facts", sketch.Shares()[p.Facts-1].Name)
	some := sketch.Policy{
		TripShares: sketch.TripShares{Trips: 1}, LaneShares: sketch.LaneShares{Lanes: 1}, AggregateShares: sketch.AggregateShares{Casts: 1},
	}
	assert.Equal(t, 260+110, some.Scalars())
	assert.Zero(t, (&sketch.Policy{}).Scalars())
}
