package triage

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/compilers/native"
)

// A search for the culprit that took too long is made up for, also if it has
// found no flag at all.
func TestBlameCut(t *testing.T) {
	for _, flags := range [][]string{nil, {"-fno-a", "-fno-b"}} {
		e := entry(t, compilers.WrongAnswer)
		e.Culprit, e.MendedBy, e.Bucket = "tree-old", []string{"-fno-old"}, "old"
		f := &failure{entry: e, target: native.Toolchain{Family: "gcc"}}
		b := &bisect.Blame{Cut: true, Flags: flags}
		f.take(b)
		assert.True(t, f.cut)
		assert.Empty(t, e.Bucket)
		assert.Empty(t, e.Culprit)
		assert.Equal(t, flags, f.mending())
		f.target = native.Toolchain{Family: "clang"}
		assert.Empty(t, f.mending(), "how many passes may run means nothing for another program")
		f.fill(b)
		assert.NotEmpty(t, e.Bucket)
	}
}
