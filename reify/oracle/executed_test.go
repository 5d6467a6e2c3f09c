package oracle_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/subject"
)

// An executed text can be run without a compiler; right and known say what comes of that.
type executed struct {
	text
	right, known bool
	big          *[]bool // the byte orders that it was run with
}

func (s executed) Execute(big bool) (right, known bool) {
	*s.big = append(*s.big, big)
	return s.right, s.known
}

// Where no compiler is right without optimising, the text itself vouches for its answer, or
// accuses the writer; one that cannot be executed does neither.
func TestExecutedTexts(t *testing.T) {
	far := compilers.Traits{ByteOrder: binary.BigEndian, Long: 8, Pointer: 8, Emulated: true}
	two := far // the emulator may be wrong, unless another model of it agrees
	two.Other = []string{"another"}
	for name, tt := range map[string]struct {
		right, known bool
		traits       compilers.Traits
		finding      bool
	}{
		"right":            {right: true, known: true, finding: true},
		"right, elsewhere": {right: true, known: true, traits: far},
		"two models":       {right: true, known: true, traits: two, finding: true},
		"wrong":            {known: true},
		"wrong, elsewhere": {known: true, traits: far},
		"not known":        {},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := standIns(t)
			o.Targets, o.Sanitizers = o.Targets[:1], nil
			one := o.Targets[0].(*standIn)
			one.traits = tt.traits
			one.change = func(_ compilers.Job, _ []string, right compilers.Outcome) compilers.Outcome {
				right.Stdout = []byte("garbled\n")
				return right
			}
			var big []bool
			report, err := o.Check(t.Context(), executed{text{words: []string{"a"}}, tt.right, tt.known, &big}, 0)
			assert.Contains(t, big, tt.traits.ByteOrder == binary.BigEndian)
			assert.NotContains(t, big, tt.traits.ByteOrder != binary.BigEndian)
			if tt.known && !tt.right {
				var c *oracle.Contradiction
				require.ErrorAs(t, err, &c)
				assert.True(t, c.Ours())
				assert.ErrorContains(t, err, "the text, executed")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.finding, report.Finding != nil)
			if tt.finding {
				assert.Contains(t, report.Finding.Witnesses, corpus.Witness{Who: "the text, executed", Said: "ok"})
			}
		})
	}
}

var _ subject.Executed = executed{}
