package triage

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/corpus"
)

// The command for a report says what the program needs to be built and to run, and no more.
func TestCommand(t *testing.T) {
	for _, test := range []struct {
		target  compilers.Target
		verdict compilers.Verdict
		want    string
	}{
		{native.Toolchain{Name: "gcc-12"}.With("-g"), compilers.Crash, "gcc-12 -g -O2 reduced.c -o reduced && ./reduced"},
		{native.Toolchain{Name: "gcc-12"}, compilers.Endless, "gcc-12 -O2 reduced.c -o reduced && timeout 10 ./reduced"},
		{native.Toolchain{Name: "gcc-12"}, compilers.InternalError, "gcc-12 -O2 reduced.c -c"},
		{native.Toolchain{Name: "gcc-12"}, compilers.SlowCompile, "timeout 60 gcc-12 -O2 reduced.c -c"},
		{native.Toolchain{Name: "vax-gcc@trunk", Triple: "vax-linux-gnu"}, compilers.InternalError, "vax-gcc -O2 reduced.c -c"},
	} {
		f := &failure{verdict: test.verdict, entry: &corpus.Entry{Language: compilers.C, Main: corpus.MainC}}
		r := &Reduction{target: test.target, job: compilers.Job{Mode: "-O2"}}
		assert.Equal(t, test.want, f.command(r))
	}
}
