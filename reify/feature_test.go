package reify

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/solve/search"
)

// A feature brings no other with it, on the path or off it.
func TestFeaturesAreIndependent(t *testing.T) {
	signs := map[string]*regexp.Regexp{
		"float":    regexp.MustCompile(`\bf(32|64)\b`),
		"ptr":      regexp.MustCompile(`cast\(|null:|&[%@]`),
		"builtin":  regexp.MustCompile(`\b(clz|ctz|popcount|parity|ffs|bswap|abs|expect)\(|unreachable`),
		"switch":   regexp.MustCompile(`switch `),
		"struct":   regexp.MustCompile(`struct `),
		"union":    regexp.MustCompile(`union `),
		"vector":   regexp.MustCompile(`<\d+>`),
		"overflow": regexp.MustCompile(`_overflow\(`),
		"volatile": regexp.MustCompile(`volatile `),
	}
	p, err := FindProfile("wild")
	require.NoError(t, err)
	for _, feature := range Features() {
		seen := false
		for seed := range uint64(40) {
			r := FromSeed(seed)
			c, err := p.Configure(r).With("-all,+" + feature)
			require.NoError(t, err)
			c.Sketch.Hostile = 100
			k, err := Make("f", r, c, search.Engine{})
			require.NoError(t, err)
			text := k.Func.String()
			for name, sign := range signs {
				if !sign.MatchString(text) {
					continue
				}
				seen = seen || name == feature
				require.Equal(t, feature, name, "%s in\n%s", sign.FindString(text), text)
			}
		}
		if signs[feature] != nil {
			assert.True(t, seen, "%s does not show", feature)
		}
	}
}
