package triage

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/corpus"
)

// The command for a report says all that the program needs to be built and to run.
func TestCommand(t *testing.T) {
	for _, test := range []struct {
		target  compilers.Target
		verdict compilers.Verdict
		want    string
	}{
		{native.Toolchain{Name: "gcc-12"}, compilers.Crash, "gcc-12 -g -O2 -w reduced.c -o reduced && timeout 10 ./reduced"},
		{native.Toolchain{Name: "gcc-12"}, compilers.InternalError, "timeout 60 gcc-12 -g -O2 -w reduced.c -o reduced"},
		{native.Toolchain{Name: "vax-gcc@trunk", Triple: "vax-linux-gnu"}, compilers.InternalError, "timeout 60 vax-gcc -static -O2 -w reduced.c -o reduced"},
	} {
		f := &failure{target: test.target, verdict: test.verdict, entry: &corpus.Entry{Language: compilers.C, Main: corpus.MainC, Compiler: "gcc-12", Mode: "-O2", Flags: []string{"-g"}}}
		assert.Equal(t, test.want, f.command())
	}
}
