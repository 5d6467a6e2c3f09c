package triage

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/compilers"
	"goreify/compilers/bisect"
)

// A search for the culprit that took too long is made up for, also if it has
// found no flag at all.
func TestBlameCut(t *testing.T) {
	for _, flags := range [][]string{nil, {"-fno-a", "-fno-b"}} {
		e := entry(t, compilers.WrongAnswer)
		e.Culprit, e.MendedBy, e.Bucket = "tree-old", []string{"-fno-old"}, "old"
		s := &subject{entry: e, tool: compilers.Toolchain{Family: compilers.GCC}}
		b := &bisect.Blame{Cut: true, Flags: flags}
		s.take(b)
		assert.True(t, s.cut)
		assert.Empty(t, e.Bucket)
		assert.Empty(t, e.Culprit)
		assert.Equal(t, flags, s.mending())
		s.tool.Family = compilers.Clang
		assert.Empty(t, s.mending(), "how many passes may run means nothing for another program")
		s.fill(b)
		assert.NotEmpty(t, e.Bucket)
	}
}
