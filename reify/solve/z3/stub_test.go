//go:build !cgo || !z3

package z3

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/solve"
	"goreify/tools/need"
)

func TestUnavailable(t *testing.T) {
	s, err := New(Options{})
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "build with -tags z3")
	require.Nil(t, s)
	_, err = new(Solver).Solve(solve.Problem{}, nil)
	require.ErrorIs(t, err, ErrUnavailable)
	need.Missing(t, "z3", "what Z3 answers, and its proofs of rewrites in reify/repair: %v", err)
}
