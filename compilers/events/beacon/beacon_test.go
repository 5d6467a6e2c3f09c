package beacon

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers/events"
	"goreify/compilers/events/beacon/board"
)

func TestLampsAreAsGenerated(t *testing.T) {
	var want bytes.Buffer
	board.Write(&want)
	got, err := os.ReadFile("lamps.go")
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want.Bytes(), got), "lamps.go is not what go generate makes")
}

// hidden is how many events there are in the end-to-end test.
const hidden = 64

// FuzzHidden is the target of TestEngineKeepsOneInputAnEvent: each input has one
// of a few events, which only a hash tells, as if a compiler had said so.
func FuzzHidden(f *testing.F) {
	f.Add([]byte("seed"))
	ear, err := NewEar(os.Environ(), Fuzzing())
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, data []byte) {
		n := xxhash.Sum64(data) % hidden
		require.NoError(t, ear.Hear([]events.Counts{{{Pass: "hidden", Name: strconv.FormatUint(n, 10)}: 1}}))
	})
}

// The fuzzing engine keeps an input for each event if the beacon shows them, and
// hardly any if it does not.
func TestEngineKeepsOneInputAnEvent(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "beacon.test")
	out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-fuzz=^FuzzHidden$", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	kept := map[string]int{}
	for _, feedback := range []string{"on", "off"} {
		cache, log := filepath.Join(dir, "cache-"+feedback), filepath.Join(dir, "events-"+feedback)
		cmd := exec.CommandContext(t.Context(), binary, "-test.run=^$", "-test.fuzz=^FuzzHidden$", "-test.fuzztime=3000x",
			"-test.fuzzminimizetime=0x", "-test.parallel=1", "-test.fuzzcachedir="+cache)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), FeedbackVar+"="+feedback, EventsVar+"="+log, "GODEBUG=fuzzseed=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		files, err := os.ReadDir(filepath.Join(cache, "FuzzHidden"))
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		kept[feedback] = len(files)
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, bytes.Count(text, []byte("\n")), hidden-4, "3000 inputs meet nearly all events")
	}
	t.Log("inputs kept:", kept)
	assert.Greater(t, kept["on"], hidden*3/4)
	assert.Less(t, kept["off"], hidden/4)
}

func TestNewEar(t *testing.T) {
	for _, tt := range []struct {
		environ []string
		fuzzing bool
		listens bool
	}{
		{nil, true, byDefault},
		{[]string{"REIFY_FEEDBACK="}, true, byDefault},
		{[]string{"REIFY_FEEDBACK=on"}, true, true},
		{[]string{"REIFY_FEEDBACK=off"}, true, false},
		{[]string{"REIFY_FEEDBACK=on"}, false, false},
		{[]string{"REIFY_FEEDBACK=off", "REIFY_EVENTS=" + filepath.Join(t.TempDir(), "x")}, true, true},
	} {
		e, err := NewEar(tt.environ, tt.fuzzing)
		require.NoError(t, err)
		assert.Equal(t, tt.listens, e.Listens(), tt)
		assert.NoError(t, e.Hear([]events.Counts{{{Pass: "a", Name: "b"}: 3}}))
		assert.NoError(t, e.Close())
	}
	_, err := NewEar([]string{"REIFY_FEEDBACK=yes"}, false)
	assert.ErrorContains(t, err, `REIFY_FEEDBACK="yes"`)
	_, err = NewEar([]string{"REIFY_EVENTS=/none/x"}, true)
	assert.ErrorContains(t, err, "REIFY_EVENTS")
}

func TestDeaf(t *testing.T) {
	e, err := NewEar(nil, true)
	require.NoError(t, err)
	assert.False(t, e.Deaf("gcc", nil))
	assert.True(t, e.Deaf("gcc", os.ErrExist))
	assert.False(t, e.Deaf("gcc", os.ErrClosed))
	assert.True(t, e.Deaf("clang", os.ErrClosed))
}

func TestOn(t *testing.T) {
	for _, byDefault := range []bool{false, true} {
		for _, tt := range []struct {
			environ []string
			want    bool
		}{
			{nil, byDefault},
			{[]string{"REIFY_GO_ON="}, byDefault},
			{[]string{"REIFY_GO_ON=on"}, true},
			{[]string{"REIFY_GO_ON=on", "REIFY_GO_ON=off", "REIFY_GO_ON_=on"}, false},
		} {
			got, err := On(tt.environ, GoOnVar, byDefault)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got, tt)
		}
	}
	_, err := On([]string{"REIFY_GO_ON=1"}, GoOnVar, false)
	assert.ErrorContains(t, err, `REIFY_GO_ON="1": want on or off`)
}
