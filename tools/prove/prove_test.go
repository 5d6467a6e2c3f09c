package prove

import (
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
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
	q.Note = func(text string) { t.Log(text) }
	q.Missing = func(name, why string) { need.Partly(t, name, "%s", why) }
	q.From = max(q.From, 1)
	r, err := opened(t).Prove(t.Context(), q)
	require.NoError(t, err)
	require.Empty(t, r.Objections)
	assert.GreaterOrEqual(t, r.Done, q.N)
	t.Log(&r)
	return r
}

func TestFunctions(t *testing.T) {
	proved(t, Question{What: Functions, Language: compilers.C, N: 50, Profile: Plan})
	for _, lang := range []compilers.Language{compilers.Go, compilers.Wasm, compilers.JVM} {
		t.Run(lang, func(t *testing.T) {
			if lang == compilers.JVM {
				need.Command(t, "java")
			}
			r := proved(t, Question{What: Functions, Language: lang, N: 120})
			for _, of := range []string{"traps", "states", "answers under its own rules"} {
				assert.Positive(t, r.Get(of), of)
			}
		})
	}
}
