package feedback

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
)

// burning is a gcc that takes a tenth of a second of CPU time, and as much again
// when it is listened to; it crashes on what says so. At -O3 it says nothing.
const burning = `#!/bin/sh
burn() { until read -r _ _ _ _ _ _ _ _ _ _ _ _ _ user system _ </proc/$$/stat && [ $((user + system)) -ge $1 ]; do :; done; }
for a; do
	case $a in
	--version) echo "gcc-99 (Fake) 99.1.0"; echo "Copyright (C) Free Software Foundation, Inc."; exit ;;
	-O*) level=$a ;;
	-fdump-statistics-stats) listened=yes of= ;;
	-fdump-statistics) listened=yes of='"f" ' ;;
	esac
done
grep -q CRASH repro.c && exit 1
burn 10
[ -z "$listened" ] || burn 20
[ -z "$listened" ] || [ $level = -O3 ] || echo "39 ccp \"Statements folded\" ${of}4" >repro.c.000i.statistics
printf '#!/bin/sh\n' >repro
chmod +x repro
`

func TestMeasureCost(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gcc-99"), []byte(burning), 0o700))
	found, err := compilers.Find(t.Context(), compilers.Env{Path: dir + ":" + os.Getenv("PATH"), CC: "gcc-99"})
	require.NoError(t, err)
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer func() { assert.NoError(t, space.Close()) }()
	limits := compilers.DefaultLimits()
	limits.CompileWall = time.Minute
	jobs := []compilers.Job{{Source: []byte("x")}, {Source: []byte("CRASH")}, {Source: []byte("y")}}

	var log strings.Builder
	opt := CostOptions{Toolchains: found, Levels: []string{"-O2"}, Jobs: jobs, Turns: 2, Space: space, Limits: limits, Log: &log}
	costs, err := MeasureCost(t.Context(), opt)
	require.NoError(t, err)
	require.Len(t, costs, 2)
	for i, c := range costs {
		assert.Equal(t, i == 1, c.Apart)
		assert.Equal(t, 2, c.Batches)
		assert.InDelta(t, 1, c.Share, 0.5, "%+v", c)
		assert.Greater(t, c.On, c.Off)
	}
	assert.Equal(t, 2, strings.Count(log.String(), "batch 1 is left out: gcc-99 -O2: "), log.String())

	opt.Levels = []string{"-O3"}
	_, err = MeasureCost(t.Context(), opt)
	assert.ErrorContains(t, err, "no batch compiled with gcc-99 -O3")
	assert.ErrorContains(t, err, "does not say what it optimised")
}

func TestCostOfPairs(t *testing.T) {
	var p pairs
	p.add(100*time.Millisecond, 110*time.Millisecond)
	p.add(300*time.Millisecond, 303*time.Millisecond)
	p.add(200*time.Millisecond, 204*time.Millisecond)
	c := Cost{Toolchain: compilers.Toolchain{Name: "clang-19", Family: compilers.Clang}, Level: "-O2"}
	p.into(&c)
	assert.Equal(t, 3, c.Batches)
	assert.Equal(t, 200*time.Millisecond, c.Off)
	assert.Equal(t, 204*time.Millisecond, c.On)
	assert.InDelta(t, 0.02, c.Share, 1e-9)
	assert.InDelta(t, 0.015, c.Low, 1e-9)
	assert.InDelta(t, 0.06, c.High, 1e-9)
	p.add(time.Second, 1060*time.Millisecond)
	p.into(&c)
	assert.Equal(t, 250*time.Millisecond, c.Off)
	assert.InDelta(t, 0.04, c.Share, 1e-9)

	var b strings.Builder
	require.NoError(t, CostTable(&b, []Cost{c}))
	assert.Regexp(t, `clang-19 +-O2 +4 +250\.0 +253\.5 +4\.0 % +1\.8 to 7\.0 % +at most 15 %`, b.String())
}

func TestCostJobs(t *testing.T) {
	jobs, err := CostJobs(2)
	require.NoError(t, err)
	require.Len(t, jobs, 2)
	assert.NotEqual(t, jobs[0].Source, jobs[1].Source)
	for _, j := range jobs {
		assert.GreaterOrEqual(t, strings.Count(string(j.Want), "\n"), Functions)
	}
}
