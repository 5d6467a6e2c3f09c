package triage

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/compilers"
	"goreify/corpus"
)

// What a compiler says of itself stays with a finding of its version, without its directory.
func TestIntroduce(t *testing.T) {
	o := fake(t, "")
	target := o.Targets[0]
	e := &corpus.Entry{Version: target.ID().Version}
	Introduce(t.Context(), o.Space, target, e)
	said := e.Members[corpus.CompilerFile]
	assert.Regexp(t, `^\$ gcc-99 -v\n`, said)
	other := &corpus.Entry{Version: "0"}
	Introduce(t.Context(), o.Space, target, other)
	assert.Empty(t, other.Members)
	assert.Empty(t, compilers.Words(t.Context(), o.Space, dumb{target}), "it has no such ability")
}

type dumb struct{ compilers.Target }
