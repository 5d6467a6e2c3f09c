package search_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// switches has a switch in a loop; %x takes new values each time round.
const switches = `
func @f(%%a i32, %%k u64) u32 {
    local %%x i32 = ?100
  entry:
    goto head
  head:
    %%x = %%x + ?101
    switch %s
  b1:
    %%a = %%a ^ 1
    goto head
  b2:
    %%a = %%a ^ 2
    goto head
  b3:
    %%a = %%a ^ 4
    goto exit
  exit:
    return checksum(%%a, %%x)
}
`

func TestSwitches(t *testing.T) {
	tests := []struct {
		name, body string
		path       []int
		can        bool
	}{
		{"labels in turn", "%x {?0: b1, ?1: b2, ?2: b3, else b3}", []int{0, 1, 2, 1, 3, 1, 4, 5}, true},
		{"default in between", "%x {?0: b1, ?1: b2, ?2: b3, else b2}", []int{0, 1, 3, 1, 2, 1, 3, 1, 4, 5}, true},
		{"ranges", "%x {?0..?1: b1, ?2..?3: b2, ?4: b1, else b3}", []int{0, 1, 2, 1, 3, 1, 2, 1, 4, 5}, true},
		{"constants", "%x & 3 {0: b1, 1: b2, else b3}", []int{0, 1, 2, 1, 3, 1, 4, 5}, true},
		{"constants to reach", "%a + ?0 {5: b1, 6..9: b2, else b3}", []int{0, 1, 2, 1, 4, 5}, true},
		{"a constant to reach", "%a + ?0 & 1023 {100: b1, 6..9: b2, ?1: b2, else b3}", []int{0, 1, 2, 1, 3, 1, 4, 5}, true},
		{"more ways than labels", "i32(%k) {?0: b1, else b3}", []int{0, 1, 2, 1, 4, 5}, false}, // %k stands still
		{"no label", "%x {?0: b1, else b3}", []int{0, 1, 3, 1, 4, 5}, false},
		{"u64", "%k + u64(%x) {?0: b1, ?1..?2: b2, 18446744073709551615: b2, else b3}", []int{0, 1, 2, 1, 3, 1, 4, 5}, true},
		{"half a range", "%x {?0..100: b1, 200..?1: b2, else b3}", []int{0, 1, 4, 5}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := ir.MustParse(fmt.Sprintf(switches, test.body)).Funcs[0]
			require.NoError(t, ir.Check(f))
			solved, found := 0, map[string]int{}
			for seed := range uint64(30) {
				s := choice.New(choice.Derive(seed, test.name))
				m, err := search.Engine{}.Solve(solve.Problem{Func: f, Path: test.path}, s)
				if err == nil {
					judge(t, f, test.path, m)
					solved++
				}
				path, m, _, err := search.Engine{}.Find(f, solve.Target{Length: 4 + int(seed)%9, Sticky: 30}, s)
				if err == nil {
					judge(t, f, path, m)
					found[fmt.Sprint(path)]++
				}
			}
			if test.can {
				assert.GreaterOrEqual(t, solved, 10)
				assert.NotEmpty(t, found, "paths of its own")
			} else {
				assert.Zero(t, solved)
			}
		})
	}
}

// Labels of a switch that the path met all have values in the end, those of
// others none.
func TestLabelsAreSetIfMet(t *testing.T) {
	f := ir.MustParse(`
func @f(%a i32) i32 {
  entry:
    goto b1
  b1:
    switch %a {?0: b2, ?1..?2: b2, ?3: exit, else exit}
  b2:
    switch %a {?4: exit, ?5: b1, else exit}
  exit:
    return %a
}
`).Funcs[0]
	for seed := range uint64(40) {
		m, err := search.Engine{}.Solve(solve.Problem{Func: f, Path: []int{0, 1, 3}}, choice.New(choice.Derive(seed, "labels")))
		require.NoError(t, err)
		assert.Equal(t, []bool{true, true, true, true, false, false}, m.Set)
		assert.LessOrEqual(t, m.Syms[1], m.Syms[2])
		judge(t, f, []int{0, 1, 3}, m)
	}
}
