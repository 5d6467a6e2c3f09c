package reify

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
)

func TestParseProfiles(t *testing.T) {
	list, err := parseProfiles(`
# a comment
profile a 1
Vars 3..5   # another
Loops 0
profile b 0
like a
Vars 7 9
Vars 8
features 1..2
again a
Vars 6
MinLen 3
`)
	require.NoError(t, err)
	require.Len(t, list, 2)
	assert.Equal(t, "profile a 1\nVars           3 4 5\nLoops          0\nVars           6\nMinLen         3\n", list[0].String())
	assert.Equal(t, "profile b 0\nfeatures       1 2\nLoops          0\nVars           7 9\nVars           8\n", list[1].String())
	assert.Equal(t, 8, list[1].Draw(choice.New(nil)).Sketch.Vars, "the last draw wins")

	for text, want := range map[string]string{
		"Vars 3":                     "line 1: Vars before the first profile",
		"profile":                    "want a name and a weight",
		"profile a many":             `weight is "many"`,
		"profile a 1\nVirs 3":        "line 2: unknown setting Virs",
		"profile a 1\nVars":          "no values",
		"profile a 1\nVars 5..2":     `"5..2" is neither a number nor a range`,
		"profile a 1\nVars x":        `"x" is neither`,
		"profile a 1\nlike b":        "like b: no profile of that name above",
		"profile a 1\nagain b":       "line 2: again b: no profile of that name above",
		"profile a 1\nVars -1":       `"-1" is neither`,
		"profile a 1\nVars 1..99999": "neither",
	} {
		_, err := parseProfiles(text)
		assert.ErrorContains(t, err, want, text)
	}
}

func TestAcyclic(t *testing.T) {
	p, err := FindProfile("yarpgen")
	require.NoError(t, err)
	for i := range uint64(300) {
		s := choice.New(choice.Derive(i, ""))
		c := p.Draw(s)
		g := graph(c, s)
		require.False(t, g.Loops())
		require.Equal(t, c.Graph.Blocks+2, g.Len())
		valid(t, g.Succs)
	}
}

// valid fails unless the graph is one that package cfg would accept.
func valid(t *testing.T, succs [][]int) {
	t.Helper()
	_, err := cfg.New(succs)
	require.NoError(t, err)
}
