package answers

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is written is read; what else a program prints is no answer.
func TestNames(t *testing.T) {
	text := Line(Name("f", 0), "17") + Line(Name("f", 1), Stated("-4", "145329873")) + Line("g", Stated(Trap("null"), ""))
	assert.Equal(t, "f 17\nf#2 -4 state 145329873\ng traps null\n", text)
	names, ok := Names([]byte(text))
	assert.True(t, ok)
	assert.Equal(t, []string{"f", "f#2", "g"}, names)
	for _, garbage := range []string{"f\n", "f 17", "f x\n", "f 17 and more\n", "f 17 state x\n", "\n"} {
		_, ok := Names([]byte(garbage))
		assert.False(t, ok, "%q", garbage)
	}
}
