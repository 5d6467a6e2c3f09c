package prove

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/subject"
	"goreify/tools/need"
)

var (
	bench     *Bench
	openBench sync.Once
)

func TestMain(m *testing.M) {
	status := m.Run()
	if bench != nil && bench.env.Space.Close() != nil && status == 0 {
		status = 1
	}
	os.Exit(status)
}

// opened returns the bench of all tests.
func opened(t *testing.T) *Bench {
	openBench.Do(func() {
		env := compilers.EnvFrom(os.Environ())
		env.CC, env.Modes = "", ""
		var err error
		env.Space, err = compilers.NewWorkspace(os.TempDir())
		require.NoError(t, err)
		_, _, err = env.Space.Enclose(t.Context(), compilers.BoxAuto)
		require.NoError(t, err)
		bench = NewBench(env)
	})
	require.NotNil(t, bench, "an earlier test could not open it")
	return bench
}

// proved answers a question, to which nobody may object.
func proved(t *testing.T, q Question) Result {
	q.Note = func(text string) {
		t.Log(text)
		assert.NotContains(t, text, "NOT COMPARED")
	}
	q.Missing = func(name, why string) { need.Partly(t, name, "%s", why) }
	q.From = max(q.From, 1)
	r, err := opened(t).Prove(t.Context(), q)
	require.NoError(t, err)
	require.Zero(t, len(r.Objections), "they are above")
	assert.GreaterOrEqual(t, r.Done, q.N)
	t.Log(&r)
	return r
}

// otherLanguages are the languages beside C, each asked about by a test of its own.
func otherLanguages(t *testing.T, test func(t *testing.T, lang compilers.Language)) {
	for _, lang := range []compilers.Language{compilers.Go, compilers.Wasm, compilers.JVM} {
		t.Run(lang, func(t *testing.T) {
			if lang == compilers.JVM {
				need.Command(t, "java")
			}
			test(t, lang)
		})
	}
}

func TestFunctions(t *testing.T) {
	need.Long(t)
	proved(t, Question{What: Functions, Language: compilers.C, N: 24, Profile: Plan})
	otherLanguages(t, func(t *testing.T, lang compilers.Language) {
		r := proved(t, Question{What: Functions, Language: lang, N: 36})
		for _, of := range []string{"traps", "states", "answers under its own rules"} {
			assert.Positive(t, r.Get(of), of)
		}
	})
}

func TestPrograms(t *testing.T) {
	need.Long(t)
	r := proved(t, Question{What: Programs, Language: compilers.C, N: 3, Profile: Plan})
	assert.Greater(t, r.Get("functions"), 5)
	assert.Positive(t, r.Get("calls"))
	otherLanguages(t, func(t *testing.T, lang compilers.Language) {
		r := proved(t, Question{What: Programs, Language: lang, N: 8})
		for _, of := range []string{"traps", "states", "answers under its own rules"} {
			assert.Positive(t, r.Get(of), of)
		}
	})
}

func TestVariants(t *testing.T) {
	need.Long(t)
	proved(t, Question{What: Variants, Language: compilers.C, N: 10, Profile: Plan})
}

// All operators are compared.
func TestExpressions(t *testing.T) {
	need.Long(t)
	proved(t, Question{What: Expressions, Language: compilers.C, N: 2000, From: 4001}) // a part that has all
	otherLanguages(t, func(t *testing.T, lang compilers.Language) {
		r := proved(t, Question{What: Expressions, Language: lang, N: 3000})
		assert.Positive(t, r.Get("traps"))
		assert.Less(t, 10*r.Get("that the language cannot write"), r.Get("expressions"))
	})
}

func TestGraphs(t *testing.T) {
	need.Long(t)
	otherLanguages(t, func(t *testing.T, lang compilers.Language) {
		r := proved(t, Question{What: Graphs, Language: lang, N: 10 * len(turns(Graphs))})
		assert.Greater(t, r.Get("blocks"), 5*r.Get("functions"))
		proved(t, Question{What: Graphs, Language: lang, N: 3, Profile: "calls"}) // functions that call each other
	})
}

func TestPaths(t *testing.T) {
	need.Long(t)
	need.Command(t, "gcc")
	need.Command(t, "gcc", "gcov")
	r := proved(t, Question{What: Paths, Language: compilers.C, N: 50})
	assert.Greater(t, r.Get("blocks"), 10*r.Get("functions"))
}

// A said is a subject that is given.
type said struct{ artefact subject.Artefact }

func (s said) Name() string                  { return "given" }
func (s said) Artefact() subject.Artefact    { return s.artefact }
func (s said) Trust() subject.Trust          { return subject.Proved }
func (s said) Weight() int                   { return 1 }
func (s said) Entry() (*corpus.Entry, error) { return nil, errors.ErrUnsupported }

// A test that no witness objects in is worth what they would object to.
func TestWitnessesObject(t *testing.T) {
	need.Long(t)
	r := &run{Question: Question{Language: compilers.C, Missing: func(name, why string) { need.Partly(t, name, "%s", why) }}, bench: opened(t)}
	list, err := r.witnesses(t.Context())
	require.NoError(t, err)
	for name, test := range map[string]struct {
		statement string
		checked   bool // only those with sanitizers object
	}{
		"nothing":                {"r = 7;", false},
		"wrong answer":           {"r = 8;", false},
		"overflow":               {"int x = 2147483647; x += one; r = 7;", true},
		"bounds":                 {"int x[3] = {7, 7, 7}, *p = x; x[0] = p[2 + one]; r = 7;", true},
		"division by zero":       {"double x = one / (one - 1.0); r = x > 1 ? 7 : 8;", true},
		"conversion of a double": {"double x = one * 1e30; r = (int)x; r = 7;", true},
	} {
		t.Run(name, func(t *testing.T) {
			source := "int printf(const char *, ...);\nint main(void) { volatile int one = 1; int r; " + test.statement + " printf(\"%d\\n\", r); return 0; }\n"
			about := said{subject.Artefact{Language: compilers.C, Files: compilers.Single([]byte(source)), Want: []byte("7\n")}}
			objecting := map[bool]int{}
			for _, c := range r.ask(t.Context(), list, about, true) {
				objecting[c.checks]++
			}
			plain, checked := 0, 0
			for _, w := range list {
				if w.checks {
					checked++
				} else {
					plain++
				}
			}
			want := map[bool]int{}
			switch {
			case test.checked:
				want[true] = checked
			case name != "nothing":
				want[true], want[false] = checked, plain
			}
			require.Equal(t, want, objecting)
		})
	}
}

// A liar is a compiler that gives up where a function is.
type liar struct {
	compilers.Target
	about string
}

func (l liar) ID() compilers.ID         { return compilers.ID{Name: "liar", Family: "liar"} }
func (l liar) Traits() compilers.Traits { return compilers.Traits{Pointer: 8, Long: 8} }

func (l liar) Build(_ context.Context, ws *compilers.Workspace, job compilers.Job, _ compilers.Limits) (compilers.Built, compilers.Outcome) {
	if bytes.Contains(job.Files[0].Content, []byte(l.about)) {
		return compilers.Built{}, compilers.Outcome{Verdict: compilers.InternalError, Message: "no"}
	}
	dir, err := ws.NewDir()
	if err != nil {
		return compilers.Built{}, compilers.NoRoom(err)
	}
	return compilers.Built{Path: filepath.Join(dir, "x"), Space: ws}, compilers.Outcome{Verdict: compilers.OK}
}

func (l liar) Run(context.Context, compilers.Built, []string, []byte, compilers.Limits) compilers.Outcome {
	return compilers.Outcome{Verdict: compilers.OK}
}

// An objection names the seed and has the program, and a check says where to go on. Too
// many objections end it.
func TestObjections(t *testing.T) {
	for about, want := range map[string]int{" f3(": 2, "int": mostObjections} {
		r := &run{Question: Question{What: Functions, Language: compilers.C, N: 120}, Result: Result{Next: 201}, bench: opened(t)}
		err := r.subjects(t.Context(), []*witness{{Target: liar{about: about}, mode: "-O0"}}, r.functionMaker())
		require.Equal(t, want, len(r.Objections)) // f3 of both batches
		if want == mostObjections {
			assert.ErrorIs(t, err, errEnough)
			continue
		}
		require.NoError(t, err)
		o := r.Objections[0]
		assert.Equal(t, uint64(204), o.Seed)
		assert.Contains(t, o.Program, "func @f3(")
		assert.Contains(t, o.String(), "seed 204, f3:\nliar -O0: internal-error: no\n")
		assert.Equal(t, 120, r.Done)
		assert.GreaterOrEqual(t, r.Next, uint64(321))
		assert.Contains(t, r.String(), "120 functions, ")
	}
	_, err := opened(t).Prove(t.Context(), Question{What: Graphs, Language: compilers.C})
	assert.EqualError(t, err, "there are no graphs to prove in C")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := opened(t).Prove(ended, Question{What: Expressions, Language: compilers.C, N: 20, From: 41})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 0, got.Done)
}
