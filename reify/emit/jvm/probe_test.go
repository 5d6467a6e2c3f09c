package jvm_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	engines "goreify/compilers/jvm"
	"goreify/reify/emit/jvm"
	"goreify/reify/ir"
)

var update = flag.Bool("update", false, "write the files that tests compare with")

// The class with which machines are tried is one of ours.
func TestProbe(t *testing.T) {
	p := ir.MustParse("func @f(%a i32) i32 {\n  entry:\n    goto exit\n  exit:\n    return %a + 40\n}\ncase f(a = 2) = 42 path entry exit\n")
	want := engines.Encode(emit(t, []jvm.Unit{{Claim: p.Claims[0]}}).Binary)
	const path = "../../../compilers/jvm/probe.class.hex"
	if *update {
		require.NoError(t, os.WriteFile(path, want, 0o644))
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}
