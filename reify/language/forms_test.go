package language

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify"
	"goreify/reify/ir"
	"goreify/reify/solve/search"
)

// Go's own compiler takes the plainest forms of whatever is drawn, and is right about them.
func TestShortFormsOfGo(t *testing.T) {
	env := compilers.EnvFrom(os.Environ())
	env.CC = "gc"
	found, _, err := targets.Find(t.Context(), env)
	require.NoError(t, err)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer func() { require.NoError(t, ws.Close()) }()
	each := 1
	if !testing.Short() {
		each = 2
	}
	asked, rejected := 0, 0
	for _, name := range reify.Profiles() {
		p, err := reify.FindProfile(name)
		require.NoError(t, err)
		p = p.Without(Go.Masked...)
		for i := range each {
			r := reify.FromSeed(uint64(i))
			k, err := reify.Make("f", r, p.Configure(r), search.Engine{})
			if err != nil || Go.Supports(k.Func) != nil {
				continue
			}
			style := Go.DrawStyle(r.Style(), nil)
			forms, err := Go.Forms(&ir.Program{Funcs: []*ir.Function{k.Func}, Claims: k.Claims()[:1]}, []string{style.String()})
			require.NoError(t, err)
			for _, form := range []Form{forms[i%3], forms[3]} {
				text, want := form.Write(&ir.Program{Funcs: []*ir.Function{k.Func}, Claims: k.Claims()[:1]})
				job := compilers.Job{Files: []compilers.File{{Name: compilers.MainGo, Content: []byte(text)}}, Want: []byte(want), Mode: "@N"}
				o := compilers.Test(t.Context(), found[0], ws, job, compilers.DefaultLimits())
				asked++
				if o.Verdict == compilers.Rejected { // constants that Go computes
					rejected++
					t.Log(name, i, o.Message)
					continue
				}
				assert.Equal(t, compilers.OK, o.Verdict, "%s %d: %v\n%s", name, i, o, text)
			}
		}
	}
	assert.Greater(t, asked, 20)
	assert.Less(t, rejected, asked/10)
}
