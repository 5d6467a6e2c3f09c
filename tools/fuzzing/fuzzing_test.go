package fuzzing

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/choice"
	"goreify/reify/oracle"
)

// A standIn is a target of C that is right, but for the lines of some functions in one
// of its modes.
type standIn struct {
	bad   compilers.Mode
	wrong string // names of functions, with a space after each
	mu    sync.Mutex
	jobs  map[string]compilers.Job
	asked []string // modes
}

func (s *standIn) ID() compilers.ID {
	return compilers.ID{Name: "gcc-99", Family: "gcc", Version: "99.1.0", Triple: "x86_64-linux-gnu"}
}
func (s *standIn) Language() compilers.Language { return compilers.C }
func (s *standIn) Modes() []compilers.Mode      { return []compilers.Mode{"-O0", "-O1", "-O2"} }
func (s *standIn) Reference() compilers.Mode    { return "-O0" }
func (s *standIn) Traits() compilers.Traits     { return compilers.Traits{} }

func (s *standIn) Build(_ context.Context, ws *compilers.Workspace, job compilers.Job, _ compilers.Limits) (compilers.Built, compilers.Outcome) {
	dir, err := ws.NewDir()
	if err != nil {
		return compilers.Built{}, compilers.NoRoom(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs[dir] = job
	s.asked = append(s.asked, job.Mode)
	return compilers.Built{Path: filepath.Join(dir, "built"), Space: ws}, compilers.Outcome{Verdict: compilers.OK}
}

func (s *standIn) Run(_ context.Context, built compilers.Built, args []string, want []byte, _ compilers.Limits) compilers.Outcome {
	s.mu.Lock()
	job := s.jobs[filepath.Dir(built.Path)]
	s.mu.Unlock()
	var out bytes.Buffer
	for line := range strings.Lines(string(want)) {
		if name, _, _ := strings.Cut(line, " "); job.Mode == s.bad && strings.Contains(s.wrong, strings.SplitN(name, "#", 2)[0]+" ") {
			line = name + " 0\n"
		}
		out.WriteString(line)
	}
	o := compilers.Outcome{Verdict: compilers.OK, Stdout: out.Bytes(), Command: []string{"gcc-99 " + job.Mode + " repro.c -o repro", "./repro"}}
	if !bytes.Equal(o.Stdout, want) {
		o.Verdict = compilers.WrongAnswer
	}
	return o
}

var small = Mix{{Weight: 1, Profile: "focus", Size: 4}}

// standInSession returns the session of a worker that asks a stand-in, in an empty
// directory, and its run.
func standInSession(t *testing.T, target *standIn) *session {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir(CorpusDir, 0o755))
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	target.jobs = map[string]compilers.Job{}
	o := &oracle.Oracle{Space: ws, Limits: compilers.DefaultLimits(), Targets: []compilers.Target{target}}
	s := &session{bench: &Bench{Language: compilers.C}, oracle: o, mix: small, worker: true, run: runOf(1), budget: budget, asked: map[uint64]bool{}}
	require.NoError(t, s.run.open())
	return s
}

// inputFor returns an input that asks for a mode.
func inputFor(t *testing.T, s *session, mode compilers.Mode, after int) []byte {
	for i := after; i < after+1000; i++ {
		data := seed(uint64(i))
		if pick(choice.From(xxhash.Sum64(data)).Fork("configuration"), s.oracle.Targets).Mode == mode {
			return data
		}
	}
	t.Fatalf("no input asks for %s", mode)
	return nil
}

// An execution asks about one batch in one mode, and about nothing twice.
func TestExecute(t *testing.T) {
	target := &standIn{}
	s := standInSession(t, target)
	data := inputFor(t, s, "-O2", 0)
	s.execute(t, data)
	assert.Equal(t, []string{"-O2"}, target.asked)
	sum := s.run.sum()
	assert.Equal(t, []string{"gcc-99 -O2"}, keys(sum))
	assert.Equal(t, 1, sum.total().Batches)
	assert.InDelta(t, 4, sum.functions(), 1)
	s.execute(t, data)
	assert.Len(t, target.asked, 1)
	s.execute(t, inputFor(t, s, "-O1", 0))
	assert.Equal(t, []string{"-O2", "-O1"}, target.asked)
	assert.Equal(t, 2, s.run.sum().total().Batches)
	assert.Regexp(t, `^asked about \d functions in 2 compilations by gcc-99, 0 CPU s; findings: 0 new$`, s.run.sum().String())
}

func keys(t tally) (list []string) {
	for config := range t {
		list = append(list, config)
	}
	return list
}

// A finding is saved and told of. What looks like it later is put aside, counted, and
// told of once in a run.
func TestFound(t *testing.T) {
	s := standInSession(t, &standIn{bad: "-O2", wrong: "f0 f1 f2 f3 "})
	s.execute(t, inputFor(t, s, "-O2", 0))
	found, err := filepath.Glob(FoundDir + "/*.txtar")
	require.NoError(t, err)
	require.Len(t, found, 1)
	text := s.run.told(0)
	assert.Regexp(t, `^FOUND: gcc-99 -O2, wrong code: a wrong answer \(f\d \d+, right is f\d \d+\)\n  to see it    go run ./tools/reify show `+found[0]+`\n  to run it    go run ./tools/reify replay `+found[0]+`\n  to reduce it go run ./tools/reify triage `+found[0]+`\n$`, text)
	assert.Equal(t, 1, s.run.sum().total().New)

	for i := range 2 {
		s.execute(t, inputFor(t, s, "-O2", 1000*(i+1)))
	}
	assert.Regexp(t, `^AGAIN: gcc-99 -O2, .*\n  looks like   `+found[0]+`: .*\n  to see it    go run ./tools/reify show out/duplicates/\S+\n.*\n.*\n$`, s.run.told(int64(len(text))))
	aside, err := filepath.Glob(AgainDir + "/*.txtar")
	require.NoError(t, err)
	assert.Len(t, aside, 2)
	assert.Contains(t, s.run.sum().String(), "; findings: 1 new, 2 like 1 that are in corpus or out/findings")

	require.NoError(t, os.Rename(found[0], filepath.Join(CorpusDir, filepath.Base(found[0]))))
	require.NoError(t, s.run.open()) // another run
	s.execute(t, inputFor(t, s, "-O2", 5000))
	assert.Contains(t, s.run.told(0), "  looks like   "+filepath.Join(CorpusDir, filepath.Base(found[0])))
}

// The same bytes always ask the same, others something else. The reference mode is
// asked for seldom, the others as often.
func TestSameBytes(t *testing.T) {
	modes, inputs := map[string]int{}, map[string]bool{}
	target := []compilers.Target{&standIn{}}
	const n = 3200
	for i := range uint64(n) {
		stream := choice.From(xxhash.Sum64(seed(i)))
		config := pick(stream.Fork("configuration"), target)
		_, in := small.draw(stream.Fork("batch"), compilers.C)
		again := choice.From(xxhash.Sum64(seed(i)))
		_, same := small.draw(again.Fork("batch"), compilers.C)
		require.Equal(t, in, same)
		require.Equal(t, config, pick(again.Fork("configuration"), target))
		modes[config.Mode]++
		inputs[string(in.Data)] = true
	}
	assert.Len(t, inputs, n)
	assert.InDelta(t, n/referenceEvery/3, modes["-O0"], n/referenceEvery/3.)
	assert.InDelta(t, modes["-O1"], modes["-O2"], n/10)
}

func TestMixDraws(t *testing.T) {
	m := Mix{{Weight: 3, Profile: "focus", Size: 4}, {Weight: 1, Profile: "swarm", Size: 2, Programs: true}}
	drawn := map[string]int{}
	for i := range uint64(400) {
		from, in := m.draw(choice.From(i).Fork("batch"), compilers.Go)
		assert.Contains(t, string(in.Data), `"Language":"Go"`)
		drawn[from.Name()]++
	}
	assert.InDelta(t, 300, drawn["function"], 50)
	assert.InDelta(t, 100, drawn["program"], 50)
}

func TestGoOnVariable(t *testing.T) {
	for value, want := range map[string]bool{"": false, "off": false, "on": true} {
		got, err := goOn(value)
		require.NoError(t, err)
		assert.Equal(t, want, got, value)
	}
	_, err := goOn("1")
	assert.ErrorContains(t, err, `REIFY_GO_ON="1": want on or off`)
}
