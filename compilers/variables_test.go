package compilers

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCheckEnv(t *testing.T) {
	assert.NoError(t, CheckEnv(nil))
	known := []string{"HOME=/root", "REIFY_CC=gcc", "REIFY_MODES=", "REIFY_BOX=auto", "REIFY_TRUNK=/t", "REIFY_REQUIRE=gcc",
		"REIFY_GO_ON=1", "REIFY_BOX_SERVES=namespaces", "REIFY_TEST_COMMAND=1", "REIFYING=1"}
	assert.NoError(t, CheckEnv(known))
	for want, environ := range map[string][]string{
		"unknown variables in the environment: REIFY_LEVELS (now REIFY_MODES); want REIFY_CC, REIFY_MODES, ": {"REIFY_LEVELS=-O2"},
		"unknown variables in the environment: REIFY_CCS, REIFY_cc; want ":                                   {"REIFY_cc=gcc", "REIFY_CC=gcc", "REIFY_CCS"},
	} {
		assert.ErrorContains(t, CheckEnv(environ), want)
	}
}
