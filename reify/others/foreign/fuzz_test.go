package foreign

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
	"goreify/tools/need"
)

// FuzzRow reads functions that a stranger's database may hold.
func FuzzRow(f *testing.F) {
	d, err := Open(filepath.Join(f.TempDir(), "f.db"))
	require.NoError(f, err)
	f.Cleanup(func() { _ = d.Close() })
	one := &Function{Symbol: "r1", Text: "int r1(int x) { return x; }", Params: []ir.Int{ir.I32}, Result: ir.I32, Class: Any, Models: LP64}
	_, err = d.Add(Source{Sum: "0"}, []Harvest{{Function: one, Pairs: []Pair{{Args: []int64{1}, Want: 1, Steps: 1}}}}, nil)
	require.NoError(f, err)
	f.Add(one.Text, `["i32"]`, "i32", `{"Arith":1}`, "any", packed([]int64{1}))
	f.Fuzz(func(t *testing.T, text, params, result, shape, class string, args []byte) {
		if len(text)+len(params)+len(shape)+len(args) > need.MostInput {
			return
		}
		_, err := d.db.Exec(`UPDATE function SET text = ?, params = ?, result = ?, shape = ?, class = ?`, text, params, result, shape, class)
		require.NoError(t, err)
		_, err = d.db.Exec(`UPDATE answer SET args = ?`, args)
		require.NoError(t, err)
		d.mu.Lock()
		d.drawn = nil
		clear(d.known)
		d.mu.Unlock()
		need.Little(t, func() {
			if f, err := d.Function("r1"); err == nil {
				_, _ = d.Pairs(f)
			}
			_, _ = d.Sum()
		})
	})
}
