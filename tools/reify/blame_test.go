package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/tools/need"
)

func TestBlame(t *testing.T) {
	status, _ := command(t, "blame")
	assert.NotZero(t, status)
	status, _ = command(t, "blame", "no-such-file.txtar")
	assert.NotZero(t, status)
	need.Command(t, "gcc-12")
	status, out := command(t, "blame", "../../corpus/crash-gcc-12-Os-b7b90d33.txtar")
	assert.Zero(t, status)
	assert.Contains(t, out, "mended by -fno-aggressive-loop-optimizations")
	assert.Contains(t, out, "-fwrapv mends it: true")
}
