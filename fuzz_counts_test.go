package goreify_test

import (
	"flag"
	"strings"
	"testing"
	"time"

	"goreify/compilers"
	"goreify/reify/oracle"
)

// mostAsked is how many configurations are asked about a seed where no engine
// runs.
const mostAsked = 4

// seedsOnly reports whether the targets only go once through their seeds.
func seedsOnly() bool {
	fuzz := flag.Lookup("test.fuzz").Value.String()
	worker := flag.Lookup("test.fuzzworker").Value.String()
	return fuzz == "" && worker == "false"
}

// sparing returns what is asked about an input, and in what time. Where only the
// seeds are run no clock decides: of each the next few configurations are asked.
func sparing(o *oracle.Oracle) (*oracle.Oracle, time.Duration) {
	if !seedsOnly() {
		return o, budget
	}
	brief, left := *o, mostAsked
	brief.Ask = func(compilers.Toolchain, string) bool { left--; return left >= 0 }
	return &brief, 5 * time.Minute
}

// counter returns a function that adds up what the seeds of a target come to.
// The target fails if that is nothing, for it passes if it does nothing. Some of
// the seeds, chosen with -run, may come to nothing.
func counter(f *testing.F, what string) (add func(int)) {
	sum := 0
	f.Cleanup(func() {
		if some := strings.Contains(flag.Lookup("test.run").Value.String(), "/"); seedsOnly() && !some {
			if f.Logf("%s: %d", what, sum); sum == 0 {
				f.Errorf("the seeds came to nothing: no %s", what)
			}
		}
	})
	return func(n int) { sum += n }
}
