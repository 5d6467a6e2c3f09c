package solve_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/solve"
)

func TestTargetOff(t *testing.T) {
	open := solve.Target{Length: 20}
	looped := solve.Target{Length: 20, Rounds: 6, Loop: 1}
	twice := solve.Target{Length: 20, Rounds: 2, Loop: 1}
	for _, test := range []struct {
		target         solve.Target
		length, rounds int
		near           bool
	}{
		{open, 20, 0, true},
		{open, 13, 0, true},
		{open, 27, 99, true},
		{open, 12, 0, false},
		{open, 28, 0, false},
		{looped, 20, 6, true},
		{looped, 20, 3, true},
		{looped, 20, 9, true},
		{looped, 20, 2, false},
		{looped, 20, 10, false},
		{looped, 40, 6, false},
		{twice, 20, 3, true},
		{twice, 20, 1, false}, // that is not round at all
	} {
		assert.Equal(t, test.near, test.target.Off(test.length, test.rounds) == 0, test)
	}
	assert.Less(t, looped.Off(29, 6), looped.Off(40, 6))
	assert.Less(t, looped.Off(20, 11), looped.Off(20, 15))
	assert.Less(t, twice.Off(20, 1), twice.Off(20, 9))
}

func TestTargetMet(t *testing.T) {
	path := []int{0, 1, 2, 1, 2, 1, 3}
	length, rounds := solve.Target{Length: 7, Rounds: 3, Loop: 1}.Met(path)
	assert.True(t, length)
	assert.True(t, rounds)
	length, rounds = solve.Target{Length: 30, Rounds: 9, Loop: 2}.Met(path)
	assert.False(t, length)
	assert.False(t, rounds)
}
