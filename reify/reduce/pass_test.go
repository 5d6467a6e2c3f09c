package reduce

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCursor lists the attempts at n edits of which none brings anything.
func TestCursor(t *testing.T) {
	for name, c := range map[string]struct {
		order order
		n     int
		want  [][2]int
	}{
		"chunks of none": {chunks, 0, nil},
		"chunks of one":  {chunks, 1, [][2]int{{0, 1}}},
		"chunks of six":  {chunks, 6, [][2]int{{0, 6}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}},
		"chunks of nine": {chunks, 9, [][2]int{{0, 9}, {0, 2}, {2, 4}, {4, 6}, {6, 8}, {8, 9}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}}},
		"alone of none":  {alone, 0, nil},
		"alone of three": {alone, 3, [][2]int{{0, 1}, {1, 2}, {2, 3}}},
		"bold of none":   {bold, 0, nil},
		"bold of ten":    {bold, 10, [][2]int{{9, 10}, {4, 5}, {1, 2}, {0, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			at := c.order.first(c.n)
			var got [][2]int
			for {
				from, to := at.next(c.n)
				if from == to {
					break
				}
				got = append(got, [2]int{from, to})
			}
			assert.Equal(t, c.want, got)
		})
	}
}
