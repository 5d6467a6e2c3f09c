package measure

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/solve/search"
)

// A fakeClock stands still but when a test moves it.
type fakeClock struct{ process, thread time.Duration }

func (f *fakeClock) clocks() clocks {
	return clocks{func() time.Duration { return f.process }, func() time.Duration { return f.thread }}
}

// The charge is for making, and for the collector at any time; not for what is
// done between.
func TestTimes(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	var now fakeClock
	made := 0
	o := Options{Recipes: 40, Seed: 7, Solver: search.Engine{},
		Configure: func(reify.Recipe) reify.Config {
			took := time.Millisecond
			switch made++; made {
			case 5:
				took = TimeLimit // which is not too long
			case 20:
				took = TimeLimit + 1
			}
			now.process, now.thread = now.process+took, now.thread+took
			return reify.DefaultConfig()
		},
		Progress: func() {
			now.process += 20*time.Millisecond + time.Microsecond // a microsecond of the collector
			now.thread += 20 * time.Millisecond
		}}
	r, err := run(t.Context(), o, now.clocks())
	require.NoError(t, err)
	assert.Equal(t, procs, runtime.GOMAXPROCS(0), "GOMAXPROCS is put back")
	charged := 38*time.Millisecond + 2*TimeLimit + 1 + 40*time.Microsecond
	assert.Equal(t, charged.Seconds(), r.CPUSeconds)
	assert.Equal(t, float64(r.Functions)/charged.Seconds(), r.Rate)
	assert.Equal(t, float64(TimeLimit+1)/float64(time.Millisecond), r.MaxCPU)
	assert.EqualValues(t, 7+19, r.SlowestSeed)
	assert.Equal(t, 1.0/40, r.Timeout)
	assert.Greater(t, r.Allocs, 10.0)
	assert.Greater(t, r.Bytes, 1000.0)
}

// The real clocks move, and a thread uses no more than its process.
func TestClocks(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	process, thread := processCPU(), threadCPU()
	for threadCPU() < thread+time.Millisecond {
	}
	spent := threadCPU() - thread
	assert.LessOrEqual(t, spent, processCPU()-process)
	r, err := Run(t.Context(), Options{Recipes: 5, Configure: func(reify.Recipe) reify.Config { return reify.DefaultConfig() }, Solver: search.Engine{}})
	require.NoError(t, err)
	assert.Positive(t, r.CPUSeconds)
	assert.LessOrEqual(t, r.CPUSeconds, (processCPU() - process).Seconds())
}
