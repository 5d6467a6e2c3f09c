package hunt

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/tools/need"
)

// narrow and wide ask the compiler that is wrong at one level, and two at two.
var (
	narrow = []string{"REIFY_MODES=-O2"}
	wide   = []string{"REIFY_CC=gcc-99,gcc"}
)

// oneFinding hunts, and returns a copy of the first finding in a directory of its
// own. The hunt's keeps what it has.
func (t *trial) oneFinding() (file string) {
	files, err := filepath.Glob(filepath.Join(t.dir, corpus.FindingsDir, "*", corpus.FindingFile))
	require.NoError(t, err)
	if len(files) == 0 {
		t.run()
		files, err = filepath.Glob(filepath.Join(t.dir, corpus.FindingsDir, "*", corpus.FindingFile))
		require.NoError(t, err)
	}
	require.NotEmpty(t, files, "the test needs something to find")
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	file = filepath.Join(t.TempDir(), "a.txtar")
	require.NoError(t, os.WriteFile(file, text, 0o644))
	return file
}

// triaged runs triage, and returns its status and the finding.
func (t *trial) triaged(file string) (status int, e *corpus.Entry) {
	status, said := t.with(patienceOfTrial, wide, "triage", filepath.Dir(file))
	t.Logf("triage: status %d: %s", status, strings.TrimSpace(said))
	e, err := corpus.Load(file)
	require.NoError(t, err)
	return status, e
}

// fullInTriage has TMPDIR be full from some part of the time of triage on: what is
// concluded by then is marked, or is what it would be anyway, and with room again it
// is.
func fullInTriage(t *trial) {
	file := t.oneFinding()
	began := time.Now()
	_, want := t.triaged(file)
	whole := time.Since(began)
	if want.Culprit == "" || want.Reduced == "" {
		t.complain("the test needs what can be triaged")
	}
	need.Disk(t, t.tmp, 8<<20)
	for _, part := range []float64{0.25, 0.6} {
		file = t.oneFinding()
		free := t.fillFrom(time.Duration(part * float64(whole)))
		status, e := t.triaged(file)
		free()
		switch {
		case status == 0 && string(e.Format()) != string(want.Format()):
			t.complain("triage ends well with\n%s\nwant\n%s", e.Format(), want.Format())
			t.count.false++
		case status != 0 && (status != 2 || e.Note(corpus.NoteUntriaged) == ""):
			t.complain("status %d, and it is not marked that triage did not come to its end", status)
		case e.Bucket != "" && e.Bucket != want.Bucket:
			t.complain("bucket %s, want %s", e.Bucket, want.Bucket)
			t.count.false++
		}
		if status, e = t.triaged(file); status != 0 || string(e.Format()) != string(want.Format()) {
			t.complain("with room, triage ends with status %d and\n%s\nwant\n%s", status, e.Format(), want.Format())
			t.count.false++
		}
	}
}

// fillFrom fills TMPDIR after a time, and keeps it full until free is called.
func (t *trial) fillFrom(wait time.Duration) (free func()) {
	ended, freed := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(freed)
		for {
			select {
			case <-ended:
				_ = os.Remove(filepath.Join(t.tmp, "filler")) // there may be none
				return
			case <-time.After(wait):
				t.fill(t.tmp)
				wait = 10 * time.Millisecond
			}
		}
	}()
	return func() { close(ended); <-freed }
}

// reducedNarrowly has reduce ask one compiler at one level about a finding of
// which more is known.
func reducedNarrowly(t *trial) {
	file := t.oneFinding()
	_, before := t.triaged(file)
	if status, said := t.with(patienceOfTrial, narrow, "triage", "-do", "reduce", file); status != 0 {
		t.complain("reduce: status %d: %s", status, said)
	}
	e, err := corpus.Load(file)
	require.NoError(t, err)
	for what, list := range map[string][2][]corpus.Configuration{
		"good": {before.Good, e.Good}, "bad": {before.Bad, e.Bad},
		"reduced-good": {before.ReducedGood, e.ReducedGood}, "reduced-bad": {before.ReducedBad, e.ReducedBad},
	} {
		if len(list[0]) == 0 {
			t.complain("%s: the test needs some", what)
		}
		for _, c := range list[0] {
			if !slices.ContainsFunc(list[1], func(d corpus.Configuration) bool {
				return d.Family == c.Family && d.Version == c.Version && slices.Equal(d.Modes, c.Modes)
			}) {
				t.complain("%s: %v is lost: %v", what, c, list[1])
				t.count.lost++
			}
		}
	}
	if !slices.Equal(e.Witness, before.Witness) {
		t.complain("what witnesses said is lost: %v", e.Witness)
		t.count.lost++
	}
}
