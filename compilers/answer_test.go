package compilers

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		ask, control []Verdict // one after the other
		want         Verdict
		err          error
	}{
		"at once":                 {ask: []Verdict{OK}, want: OK},
		"the second time":         {ask: []Verdict{Discarded, Crash}, want: Crash},
		"its own fault":           {ask: []Verdict{Discarded, Discarded, Discarded}, control: []Verdict{Crash}, want: Discarded},
		"there was no room":       {ask: []Verdict{Discarded, Discarded, OK}, control: []Verdict{Crash}, want: OK},
		"the machine is at fault": {ask: []Verdict{Discarded, Discarded}, control: []Verdict{Discarded}, err: ErrMachine},
	} {
		next := func(list *[]Verdict) func() Outcome {
			return func() Outcome {
				require.NotEmpty(t, *list, name)
				v := (*list)[0]
				*list = (*list)[1:]
				return Outcome{Verdict: v}
			}
		}
		o, err := Answer(t.Context(), next(&tt.ask), next(&tt.control))
		require.ErrorIs(t, err, tt.err, name)
		if err == nil {
			assert.Equal(t, tt.want, o.Verdict, name)
		}
		assert.Empty(t, tt.ask, name)
		assert.Empty(t, tt.control, name)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	none := func() Outcome { return Outcome{} }
	_, err := Answer(ctx, none, none)
	require.ErrorIs(t, err, context.Canceled)
}
