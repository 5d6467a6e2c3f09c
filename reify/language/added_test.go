package language_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/choice"
	"goreify/reify/language"
	"goreify/reify/source/function"
)

// A shell is a target of the toy.
type shell struct{}

func (shell) ID() compilers.ID             { return compilers.ID{Name: "sh", Family: "sh"} }
func (shell) Language() compilers.Language { return language.Sh.Name }
func (shell) Modes() []compilers.Mode      { return []compilers.Mode{"@usual"} }
func (shell) Reference() compilers.Mode    { return "@usual" }
func (shell) Traits() compilers.Traits     { return compilers.Traits{Runner: []string{"/bin/sh"}} }

func (s shell) Build(_ context.Context, ws *compilers.Workspace, job compilers.Job, _ compilers.Limits) (compilers.Built, compilers.Outcome) {
	dir, err := ws.NewDir(job.Files...)
	if err != nil {
		return compilers.Built{}, compilers.NoRoom(err)
	}
	traits := s.Traits()
	return compilers.Built{Path: filepath.Join(dir, job.Names()[0]), Space: ws, Traits: &traits}, compilers.Outcome{Verdict: compilers.OK}
}

func (shell) Run(ctx context.Context, built compilers.Built, args []string, want []byte, limits compilers.Limits) compilers.Outcome {
	return compilers.Run(ctx, built, args, want, limits)
}

// A further language is a writer, a row and a target, as DESIGN.md says: functions are drawn
// for it, proved, written, run and kept as in any other.
func TestAdded(t *testing.T) {
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	from := function.Source{Options: function.Options{Profile: "focus", Language: language.Sh.Name, Size: 20}}
	s, err := from.Make(t.Context(), from.Draw(choice.From(5)))
	require.NoError(t, err)
	batch := s.(*function.Batch)
	require.Greater(t, len(batch.Cases), 15)
	a := batch.Artefact()
	o := compilers.Test(t.Context(), shell{}, ws, a.Job("@usual"), compilers.DefaultLimits())
	require.Equal(t, compilers.OK, o.Verdict, "%v\n%s%s\n%s", o, o.Stdout, o.Stderr, a.Files[0].Content)

	// One wrong answer accuses its function alone, which is kept with all it is made of.
	a.Want = []byte(strings.Replace(string(a.Want), "f3 ", "f3 1", 1))
	o = compilers.Test(t.Context(), shell{}, ws, a.Job("@usual"), compilers.DefaultLimits())
	assert.Equal(t, compilers.WrongAnswer, o.Verdict)
	o.Stdout = a.Want
	require.Equal(t, []int{3}, batch.Guilty(o))
	e, err := batch.Members()[3].Entry()
	require.NoError(t, err)
	forms, err := language.Sh.Forms(batch.Cases[3].Program(), []string{e.Note("style")})
	require.NoError(t, err)
	assert.Len(t, forms, 1)
	assert.Len(t, batch.Translations(), 1, "C vouches for the answers")
}
