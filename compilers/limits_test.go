package compilers

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestLimitsForFunctions(t *testing.T) {
	l := DefaultLimits()
	for n, want := range map[int]time.Duration{
		0:  2 * time.Second,
		1:  2 * time.Second, // what makes a compilation endless
		16: 3 * time.Second,
		31: 4 * time.Second,
		61: 6 * time.Second,
	} {
		got := l.ForFunctions(n)
		assert.Equal(t, want, got.CompileCPU, "%d", n)
		assert.Equal(t, 3*want, got.CompileWall, "%d", n)
		got.CompileCPU, got.CompileWall = l.CompileCPU, l.CompileWall
		assert.Equal(t, l, got, "the others stay")
	}
	assert.Equal(t, Limits{}, Limits{}.ForFunctions(60), "no limit stays none")
}
