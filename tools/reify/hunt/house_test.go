package hunt_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/oracle"
	"goreify/reify/safefile"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
	"goreify/reify/triage"
	"goreify/tools/reify/hunt"
	"goreify/tools/reify/report"
)

// toy is a language in which each line prints a sum or a difference.
const toy = "Toy"

const toyMain = "repro.toy"

// toySums are the lines of programs, with their answers.
var toySums = []struct{ name, line, answer string }{{"add", "40 + 2\n", "42\n"}, {"sub", "1 - 3\n", "-2\n"}}

// toySource makes all sums, in one program.
type toySource struct{}

func (toySource) Name() string { return "toy" }

func (toySource) Draw(s *choice.Stream) source.Input {
	return source.Input{Source: "toy", Version: "1", Data: binary.LittleEndian.AppendUint64(nil, s.Uint64())}
}

func (toySource) Make(context.Context, source.Input) (subject.Subject, error) {
	return toySubject{0, 1}, nil
}

// A toySubject is a group of sums, by their indices.
type toySubject []int

// join returns what of has of each sum, one after the other.
func (s toySubject) join(of func(i int) string, between string) string {
	var texts []string
	for _, i := range s {
		texts = append(texts, of(i))
	}
	return strings.Join(texts, between)
}

func (s toySubject) program() string {
	return s.join(func(i int) string { return toySums[i].line }, "")
}
func (s toySubject) answer() string {
	return s.join(func(i int) string { return toySums[i].answer }, "")
}

func (s toySubject) Name() string {
	return s.join(func(i int) string { return toySums[i].name }, " ")
}
func (toySubject) Trust() subject.Trust { return subject.Proved }
func (s toySubject) Weight() int        { return len(s) }

func (s toySubject) Artefact() subject.Artefact {
	return subject.Artefact{
		Language: toy,
		Files:    []compilers.File{{Name: toyMain, Content: []byte(s.program())}},
		Want:     []byte(s.answer()),
	}
}

func (s toySubject) Members() (list []subject.Subject) {
	for _, i := range s {
		list = append(list, toySubject{i})
	}
	return list
}

func (s toySubject) Only(members ...int) (subject.Subject, error) {
	var some toySubject
	for _, m := range members {
		some = append(some, s[m])
	}
	return some, nil
}

// Guilty compares line by line.
func (s toySubject) Guilty(o compilers.Outcome) (guilty []int) {
	lines := strings.SplitAfter(string(o.Stdout), "\n")
	if len(lines) != len(s)+1 {
		return nil
	}
	for m, i := range s {
		if lines[m] != toySums[i].answer {
			guilty = append(guilty, m)
		}
	}
	return guilty
}

func (s toySubject) Entry() (*corpus.Entry, error) {
	return &corpus.Entry{
		Tool: "test", Language: toy, Source: "toy", Trust: corpus.Proved, Main: toyMain,
		Sources: map[string]string{toyMain: s.program()}, Want: s.answer(),
	}, nil
}

// toyScript compiles by copying, and interprets what it has copied. In the mode
// @fast, with -fold, it takes a difference for a sum.
const toyScript = `#!/bin/sh
case $1 in
build) { echo "$2 $5"; cat "$3"; } >"$4" ;;
run)
	{
		read -r mode
		while read -r a op b; do
			[ "$mode$op" != "@fast -fold-" ] || op=+
			echo $((a $op b))
		done
	} <"$2" ;;
esac
`

// A toyTarget is the script, in the directory with that path, with arguments.
type toyTarget struct {
	dir  string
	args []string
}

func newToyTarget(t *testing.T) toyTarget {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "toyc"), []byte(toyScript), 0o700))
	return toyTarget{dir: dir}
}

func (c toyTarget) With(args ...string) compilers.Target {
	return toyTarget{c.dir, slices.Concat(c.args, args)}
}

// Screen lets strangers give it the one argument that it knows.
func (toyTarget) Screen(args ...string) error {
	if slices.ContainsFunc(args, func(a string) bool { return a != "-fold" }) {
		return fmt.Errorf("%v: no arguments of toyc", args)
	}
	return nil
}

func (c toyTarget) ID() compilers.ID {
	return compilers.ID{Name: "toyc", Args: c.args, Family: "toy", Version: "1.0", Triple: "toy-none"}
}

func (toyTarget) Language() compilers.Language { return toy }
func (toyTarget) Modes() []compilers.Mode      { return []compilers.Mode{"@slow", "@fast"} }
func (toyTarget) Reference() compilers.Mode    { return "@slow" }

func (toyTarget) Traits() compilers.Traits {
	return compilers.Traits{ByteOrder: binary.BigEndian, Long: 8, Pointer: 4}
}

func (c toyTarget) Build(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (compilers.Built, compilers.Outcome) {
	dir, err := ws.NewDir(job.Files...)
	if err != nil {
		return compilers.Built{}, compilers.NoRoom(err)
	}
	child := compilers.Child{
		Path: filepath.Join(c.dir, "toyc"), Args: append([]string{"build", job.Mode, job.Names()[0], "repro"}, c.args...), Dir: dir,
		Env: compilers.FixedEnv("/usr/bin:/bin", dir), Bounds: limits.Compile(),
	}
	e := child.Run(ctx)
	o := compilers.Outcome{CompileCPU: e.CPU, Command: []string{compilers.CommandLine("toyc", child.Args)}}
	if err := e.Failure(); err != nil {
		o.Message = err.Error()
		return compilers.Built{}, o
	}
	o.Verdict = compilers.OK
	return compilers.Built{Path: filepath.Join(dir, "repro"), Space: ws}, o
}

func (c toyTarget) Run(ctx context.Context, built compilers.Built, args []string, want []byte, limits compilers.Limits) compilers.Outcome {
	o := compilers.Run(ctx, compilers.Built{Path: filepath.Join(c.dir, "toyc"), Space: built.Space}, append([]string{"run", built.Path}, args...), want, limits)
	o.Command = []string{"toyc run " + filepath.Base(built.Path)}
	return o
}

// The packages of a hunt and what follows it know no source, no language and no
// family: those that a test has made up go all the way.
func TestHouse(t *testing.T) {
	target := newToyTarget(t)
	folding := target.With("-fold")
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, space.Close()) })
	o, err := oracle.New(t.Context(), space, []compilers.Target{folding}, true)
	require.NoError(t, err)
	dir := t.TempDir()

	// The hunt, of two languages.
	gcc := hunt.Miscompiler(t, "-O0", "-O2")
	o.Targets = append(o.Targets, gcc...)
	kinds := []hunt.Kind{
		{Name: "toys", Language: toy, Seeds: 2, Weight: 1, Source: toySource{}},
		{Name: "tiny", Language: compilers.C, Seeds: 8, Weight: 1, Source: function.Source{Options: function.Options{Profile: "focus", Size: 8}}},
	}
	var log strings.Builder
	sum, err := hunt.Start(t.Context(), o, hunt.Options{Dir: dir, Seeds: 20, Workers: 1, Kinds: kinds, Mix: kinds, Log: &log})
	require.NoError(t, err)
	assert.Contains(t, log.String(), "; toy @fast flags arch one), ", "the default plan")
	assert.EqualValues(t, 4, sum.Batches)
	assert.EqualValues(t, 2*2+2*8, sum.Functions)
	assert.Zero(t, sum.Discards)
	assert.EqualValues(t, 2, sum.ByKind[slices.IndexFunc(sum.ByKind, func(m hunt.OfKind) bool { return m.Name == "toys" })].Batches)
	require.Len(t, sum.ByCompiler, 2)
	ofToy := slices.IndexFunc(sum.ByCompiler, func(c hunt.Count) bool { return c.Name == "toyc -fold" })
	require.GreaterOrEqual(t, ofToy, 0, "%v", sum.ByCompiler)
	assert.Equal(t, hunt.Count{Name: "toyc -fold", Findings: 2, Buckets: 1}, sum.ByCompiler[ofToy])
	assert.Equal(t, "gcc-99", sum.ByCompiler[1-ofToy].Name)
	assert.Positive(t, sum.ByCompiler[1-ofToy].Findings)

	// Its reproducer, and the script beside it.
	saved := filepath.Join(dir, corpus.FindingsDir, sum.ByBucket[slices.IndexFunc(sum.ByBucket, func(b hunt.Bucket) bool { return strings.HasPrefix(b.Saved, "wrong-answer-toyc") })].Saved)
	e, err := corpus.Load(filepath.Join(saved, corpus.FindingFile))
	require.NoError(t, err)
	assert.Contains(t, string(e.Format()), fmt.Sprintf("goreify: test/%d\n", corpus.FormatVersion))
	assert.Equal(t, []string{"toyc -fold @fast: wrong-answer", toy, "toy", corpus.Proved, toyMain, "toy", "1.0", "toy-none", "@fast"},
		[]string{e.Title, e.Language, e.Source, e.Trust, e.Main, e.Family, e.Version, e.Triple, e.Mode})
	assert.Equal(t, []string{"-2", "4"}, []string{e.Expected, e.Got}, "of the one that fails")
	assert.Equal(t, []string{"-fold"}, e.Flags)
	assert.Equal(t, []corpus.Witness{{Who: "toyc -fold @slow", Said: "ok"}}, e.Witness)
	path, err := corpus.Save(t.TempDir(), e)
	require.NoError(t, err)
	again, err := corpus.Load(path)
	require.NoError(t, err)
	assert.Equal(t, e, again)
	reproduce := func(path string, args ...string) int {
		cmd := exec.Command("/bin/sh", append([]string{filepath.Join(saved, "repro.sh")}, args...)...)
		cmd.Env = []string{"PATH=" + path}
		text, _ := cmd.CombinedOutput() // its status says it
		t.Logf("%s", text)
		return cmd.ProcessState.ExitCode()
	}
	assert.Equal(t, 1, reproduce(target.dir+":/usr/bin:/bin"))
	assert.Equal(t, 2, reproduce("/usr/bin:/bin"), "it is not there")
	assert.Equal(t, 2, reproduce(target.dir+":/usr/bin:/bin", "gcc"), "another one cannot be asked")

	// Replays of it, by one that gets the arguments from it.
	o.Targets = append([]compilers.Target{target}, gcc...)
	replay := func() map[string]oracle.Status {
		got := map[string]oracle.Status{}
		for _, r := range o.Replay(t.Context(), again) {
			got[r.Config.String()] = r.Status
		}
		return got
	}
	assert.Equal(t, map[string]oracle.Status{"toyc -fold @slow": oracle.Passes, "toyc -fold @fast": oracle.Known}, replay())
	again.Mode, again.Bad, again.Witness = "@slow", nil, nil
	assert.Equal(t, map[string]oracle.Status{"toyc -fold @slow": oracle.Fixed, "toyc -fold @fast": oracle.AlsoFails}, replay())
	again.Good = []corpus.Configuration{{Family: "toy", Version: "1.0", Args: []string{"-fold"}, Modes: []string{"@fast"}}}
	assert.Equal(t, oracle.Regression, replay()["toyc -fold @fast"])

	// Triage, with nobody who could blame or reduce.
	r, err := triage.Finding(t.Context(), o, e, triage.Options{})
	require.ErrorIs(t, err, triage.ErrNotReduced)
	assert.EqualError(t, err, `not reduced: programs of source "toy" cannot be reduced`)
	assert.Equal(t, "toy/wrong-answer/unknown/@fast", r.Entry.Bucket)
	assert.Equal(t, []corpus.Configuration{{Family: "toy", Version: "1.0", Args: []string{"-fold"}, Modes: []string{"@slow"}}}, r.Entry.Good)
	require.NoError(t, corpus.Update(filepath.Join(saved, corpus.FindingFile), r.Entry))

	// The report.
	found, err := report.Load(dir)
	require.NoError(t, err)
	buckets := report.Group(found)
	assert.Greater(t, len(buckets), 1)
	at := slices.IndexFunc(buckets, func(b report.Bucket) bool { return b.Key == r.Entry.Bucket })
	require.GreaterOrEqual(t, at, 0)
	out := t.TempDir()
	reports, err := safefile.Make(out)
	require.NoError(t, err)
	defer reports.Close() // written files are closed
	require.NoError(t, report.Write(t.Context(), reports, buckets, report.Options{}))
	text, err := os.ReadFile(filepath.Join(out, buckets[at].Name+".md"))
	require.NoError(t, err)
	for _, want := range []string{
		"# wrong code at @fast\n",
		"| Version | toy 1.0 |\n",
		"| Target | toy-none |\n",
		"Save this as `repro.toy`:\n\n```toy\n" + toySums[1].line + "```\n",
		"| compiler | @fast | @slow |\n|---|---|---|\n| toy 1.0 -fold | **fails** | works |\n",
		"an interpreter\nexecuted it and met no undefined behaviour",
	} {
		assert.Contains(t, string(text), want)
	}
	assert.NotContains(t, string(text), "toyc build", "a stranger may have written a command that no compiler of ours has")
	page, err := os.ReadFile(filepath.Join(out, report.Index))
	require.NoError(t, err)
	assert.Contains(t, string(page), "wrong code at @fast")
	if t.Failed() {
		t.Logf("%s", text)
	}
}
