package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/source/matrix"
	"goreify/tools/need"
)

// Each operation on standard integers, by itself, of the newest compilers at -O2, in turn. A
// compiler that is wrong is told of; it is an error if its witnesses say that we are.
func TestSingles(t *testing.T) {
	need.Long(t)
	o := machine(t)
	asked := newest(o)
	turn := 0
	o.Ask = func(target compilers.Target, mode compilers.Mode) bool {
		return mode == "-O2" && asked[turn].ID().Same(target.ID())
	}
	s := matrix.Source{Options: matrix.Options{Only: "*.bool,*.[iu]8,*.[iu]16,*.[iu]32,*.[iu]64", Size: 300, Language: compilers.C}}
	cells, start, cost := 0, compilers.SelfCPU(), compilers.SelfCPU()*0
	for n := range s.Blocks() {
		turn = int(n) % len(asked)
		block, err := s.Make(t.Context(), s.Block(n))
		require.NoError(t, err)
		report, err := o.Check(t.Context(), block, 0)
		require.NoError(t, err)
		if report.Finding != nil {
			t.Logf("FOUND: %v", report.Finding)
		}
		assert.Empty(t, report.Discards)
		cells += block.Weight()
		cost += report.Cost.Total()
	}
	t.Logf("%d cells, %d compilers: %.1f CPU s of ours, %.1f of theirs", cells, len(asked), (compilers.SelfCPU() - start).Seconds(), cost.Seconds())
	assert.Greater(t, cells, 1000)
}
