package hunt_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/oracle"
	"goreify/reify/source"
	"goreify/reify/subject"
	"goreify/reify/triage"
	"goreify/tools/reify/hunt"
	"goreify/tools/reify/report"
)

// toy is a language in which each line prints a sum or a difference.
const toy = "Toy"

// toyProgram is a program whose answer is known to be toyAnswer.
const (
	toyMain    = "repro.toy"
	toyProgram = "40 + 2\n1 - 3\n"
	toyAnswer  = "42\n-2\n"
)

// toySource makes the one program.
type toySource struct{}

func (toySource) Name() string { return "toy" }

func (toySource) Draw(s *choice.Stream) source.Input {
	return source.Input{Source: "toy", Version: "1", Data: binary.LittleEndian.AppendUint64(nil, s.Uint64())}
}

func (toySource) Make(context.Context, source.Input) (subject.Subject, error) {
	return toySubject{}, nil
}

type toySubject struct{}

func (toySubject) Name() string         { return "sums" }
func (toySubject) Trust() subject.Trust { return subject.Proved }
func (toySubject) Weight() int          { return 1 }

func (toySubject) Artefact() subject.Artefact {
	return subject.Artefact{
		Language: toy,
		Files:    []compilers.File{{Name: toyMain, Content: []byte(toyProgram)}},
		Want:     []byte(toyAnswer),
	}
}

func (s toySubject) Entry() (*corpus.Entry, error) {
	return &corpus.Entry{
		Tool: "test", Language: toy, Source: "toy", Trust: corpus.Proved, Main: toyMain,
		Sources: map[string]string{toyMain: toyProgram}, Want: toyAnswer,
	}, nil
}

// toyScript compiles by copying, and interprets what it has copied. In the mode
// @fast it takes a difference for a sum.
const toyScript = `#!/bin/sh
case $1 in
build) { echo "$2"; cat "$3"; } >"$4" ;;
run)
	{
		read -r mode
		while read -r a op b; do
			[ "$mode$op" != @fast- ] || op=+
			echo $((a $op b))
		done
	} <"$2" ;;
esac
`

// A toyTarget is the script, in the directory with that path.
type toyTarget struct{ dir string }

func newToyTarget(t *testing.T) toyTarget {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "toyc"), []byte(toyScript), 0o700))
	return toyTarget{dir}
}

func (toyTarget) ID() compilers.ID {
	return compilers.ID{Name: "toyc", Family: "toy", Version: "1.0", Triple: "toy-none"}
}

func (toyTarget) Language() compilers.Language { return toy }
func (toyTarget) Modes() []compilers.Mode      { return []compilers.Mode{"@slow", "@fast"} }
func (toyTarget) Reference() compilers.Mode    { return "@slow" }

func (toyTarget) Traits() compilers.Traits {
	return compilers.Traits{ByteOrder: binary.BigEndian, Long: 8, Pointer: 4}
}

func (c toyTarget) Build(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (string, compilers.Outcome) {
	dir, err := ws.NewDir()
	if err == nil {
		err = job.Write(dir)
	}
	if err != nil {
		return "", compilers.NoRoom(err)
	}
	child := compilers.Child{
		Path: filepath.Join(c.dir, "toyc"), Args: []string{"build", job.Mode, job.Names()[0], "repro"}, Dir: dir,
		Env: compilers.FixedEnv("/usr/bin:/bin", dir), Bounds: limits.Compile(),
	}
	e := child.Run(ctx)
	o := compilers.Outcome{CompileCPU: e.CPU, Command: []string{compilers.CommandLine("toyc", child.Args)}}
	if err := e.Failure(); err != nil {
		o.Message = err.Error()
		return "", o
	}
	o.Verdict = compilers.OK
	return filepath.Join(dir, "repro"), o
}

func (c toyTarget) Run(ctx context.Context, built string, args []string, want []byte, limits compilers.Limits) compilers.Outcome {
	o := compilers.Run(ctx, filepath.Join(c.dir, "toyc"), append([]string{"run", built}, args...), want, limits)
	o.Command = []string{"toyc run " + filepath.Base(built)}
	return o
}

// The packages of a hunt and what follows it know no source, no language and no
// family: those that a test has made up go all the way.
func TestHouse(t *testing.T) {
	target := newToyTarget(t)
	o, closer, err := oracle.New(t.Context(), []compilers.Target{target}, true, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(closer)
	dir := t.TempDir()

	// The hunt.
	plan, err := hunt.ParsePlan("toyc @slow; toy @fast")
	require.NoError(t, err)
	kinds := []hunt.Kind{{Name: "toys", Language: toy, Seeds: 1, Weight: 1, Source: toySource{}}}
	sum, err := hunt.Start(t.Context(), o, hunt.Options{Dir: dir, Seeds: 2, Workers: 1, Plan: plan, Kinds: kinds, Mix: kinds, Log: io.Discard})
	require.NoError(t, err)
	assert.EqualValues(t, 2, sum.Batches)
	assert.EqualValues(t, 4, sum.Compilations)
	assert.EqualValues(t, 2, sum.Findings)
	require.Len(t, sum.ByBucket, 1)
	assert.Equal(t, []hunt.Count{{Name: "toyc", Findings: 2, Buckets: 1}}, sum.ByCompiler)

	// Its reproducer, and the script beside it.
	saved := filepath.Join(dir, corpus.FindingsDir, sum.ByBucket[0].Saved)
	e, err := corpus.Load(filepath.Join(saved, corpus.FindingFile))
	require.NoError(t, err)
	assert.Contains(t, string(e.Format()), fmt.Sprintf("goreify: test/%d\n", corpus.FormatVersion))
	assert.Equal(t, []string{"toyc @fast: wrong-answer", toy, "toy", corpus.Proved, toyMain, "toy", "1.0", "toy-none", "@fast"},
		[]string{e.Title, e.Language, e.Source, e.Trust, e.Main, e.Family, e.Version, e.Triple, e.Mode})
	assert.Equal(t, []string{"42, -2", "42, 4"}, []string{e.Expected, e.Got})
	assert.Equal(t, []corpus.Witness{{Who: "toyc @slow", Said: "ok"}}, e.Witness)
	path, err := corpus.Save(t.TempDir(), e)
	require.NoError(t, err)
	again, err := corpus.Load(path)
	require.NoError(t, err)
	assert.Equal(t, e, again)
	reproduce := func(env ...string) int {
		cmd := exec.Command("/bin/sh", filepath.Join(saved, "repro.sh"))
		cmd.Env = env
		text, _ := cmd.CombinedOutput() // its status says it
		t.Logf("%s", text)
		return cmd.ProcessState.ExitCode()
	}
	assert.Equal(t, 1, reproduce("PATH="+target.dir+":/usr/bin:/bin"))
	assert.Equal(t, 2, reproduce("PATH=/usr/bin:/bin"), "it is not there")
	assert.Equal(t, 2, reproduce("PATH="+target.dir+":/usr/bin:/bin", "REPRO_CC=gcc"), "another one cannot be asked")

	// Replays of it.
	replay := func() map[string]oracle.Status {
		got := map[string]oracle.Status{}
		for _, r := range o.Replay(t.Context(), again) {
			got[r.Config.String()] = r.Status
		}
		return got
	}
	assert.Equal(t, map[string]oracle.Status{"toyc @slow": oracle.Passes, "toyc @fast": oracle.Known}, replay())
	again.Mode, again.Bad, again.Witness = "@slow", nil, nil
	assert.Equal(t, map[string]oracle.Status{"toyc @slow": oracle.Fixed, "toyc @fast": oracle.Regression}, replay())

	// Triage, with nobody who could blame or reduce.
	r, err := triage.Finding(t.Context(), o, e, triage.Options{})
	require.ErrorIs(t, err, triage.ErrNotReduced)
	assert.EqualError(t, err, `not reduced: there is no way to reduce programs of source "toy"`)
	assert.Equal(t, "toy/wrong-answer/unknown/@fast", r.Entry.Bucket)
	assert.Equal(t, []corpus.Configuration{{Family: "toy", Version: "1.0", Modes: []string{"@slow"}}}, r.Entry.Good)
	require.NoError(t, corpus.Update(filepath.Join(saved, corpus.FindingFile), r.Entry))

	// The report.
	found, err := report.Load(dir)
	require.NoError(t, err)
	buckets := report.Group(found)
	require.Len(t, buckets, 1)
	assert.Equal(t, r.Entry.Bucket, buckets[0].Key)
	out := t.TempDir()
	require.NoError(t, report.Write(t.Context(), out, buckets, report.Options{}))
	text, err := os.ReadFile(filepath.Join(out, buckets[0].Name+".md"))
	require.NoError(t, err)
	for _, want := range []string{
		"# wrong code at @fast\n",
		"| Version | toy 1.0 |\n",
		"| Target | toy-none |\n",
		"Save this as `repro.toy`:\n\n```toy\n" + toyProgram + "```\n",
		"```sh\ntoyc build @fast repro.toy repro && ",
		"| compiler | @fast | @slow |\n|---|---|---|\n| toy 1.0 | **fails** | works |\n",
		"an interpreter\nexecuted it and met no undefined behaviour",
	} {
		assert.Contains(t, string(text), want)
	}
	page, err := os.ReadFile(filepath.Join(out, report.Index))
	require.NoError(t, err)
	assert.Contains(t, string(page), "wrong code at @fast")
	if t.Failed() {
		t.Logf("%s", text)
	}
}
