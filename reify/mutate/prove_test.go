package mutate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A pass that goes wrong is found out, and named.
func TestProve(t *testing.T) {
	for want, spoil := range map[string]func(m *mutant){
		"returns 1": func(m *mutant) { m.exit().Term.(*ir.Return).Val = &ir.Const{T: ir.U32, V: 1} },
		"undefined behaviour: UninitializedRead": func(m *mutant) {
			v := m.addLocal("n", ir.U32)
			m.exit().Term.(*ir.Return).Val = load(v)
		},
		"EndlessLoop":            func(m *mutant) { m.f.Blocks[1].Stmts, m.f.Blocks[1].Term = nil, &ir.Goto{To: m.f.Blocks[1]} },
		"has a predecessor":      func(m *mutant) { m.f.Blocks[2].Term = &ir.Goto{To: m.entry()} },
		"both targets are the s": func(m *mutant) { m.entry().Term.(*ir.If).Then = m.f.Blocks[2] },
	} {
		seed, _ := shapesSeed(t)
		m := newMutant(seed, "f", Options{}, choice.New(nil))
		_, err := m.prove()
		require.NoError(t, err)
		m.done = []Mutation{{"clone", "b1"}, {"edge", "b3"}}
		spoil(m)
		_, err = m.prove()
		var bug *reify.GeneratorBug
		require.ErrorAs(t, err, &bug, want)
		assert.ErrorContains(t, err, "variant by clone@b1 edge@b3: ")
		assert.ErrorContains(t, err, want)
		assert.Contains(t, bug.Program, "func @f(")
	}
}

func TestNewSeed(t *testing.T) {
	for want, text := range map[string]string{
		"calls @f":        "func @f(%a i32) i32 {\n  exit:\n    return @f(%a)\n}\ncase f(a = 1) = 1 path exit\n",
		"has symbols":     "func @f(%a i32) i32 {\n  exit:\n    return ?0\n}\ncase f(a = 1) = 1 path exit\n",
		"case 0: @f retu": "func @f(%a i32) i32 {\n  exit:\n    return %a\n}\ncase f(a = 1) = 2 path exit\n",
		"case 1 is one of @g, not of @f": "func @f(%a i32) i32 {\n  exit:\n    return %a\n}\nfunc @g(%a i32) i32 {\n  exit:\n    return %a\n}\n" +
			"case f(a = 1) = 1 path exit\ncase g(a = 1) = 1 path exit\n",
	} {
		_, err := NewSeed(ir.MustParse(text).Claims)
		assert.ErrorContains(t, err, want)
	}
}

func TestOptions(t *testing.T) {
	seed, _ := shapesSeed(t)
	for want, o := range map[string]Options{
		`unknown pass "x": want some of prune,`:         {Only: []string{"edge", "x"}},
		"number of edits is -1, want 0 to 1000":         {Edits: -1},
		"shares to prune are 101 and 0, want 0 to 100":  {PParent: 101},
		"shares to prune are 20 and -20, want 0 to 100": {PParent: 20, PLeaf: -20},
	} {
		_, _, err := seed.Mutate("f", o, choice.New(nil))
		assert.ErrorContains(t, err, want)
	}
	// With 100 % all that is dead goes, and without any edit nothing changes.
	list, done, err := seed.Mutate("f", Options{Edits: 1, Only: []string{"prune"}, PParent: 100, PLeaf: 100}, choice.New(nil))
	require.NoError(t, err)
	assert.Equal(t, []Mutation{{"prune", "entry"}}, done)
	assert.Len(t, list[0].Func.Blocks, 3)
	assert.Equal(t, "goto b1", list[0].Func.Blocks[0].Term.String())
}

// A straight line without dead code gets some from the live passes only.
func TestStraightLine(t *testing.T) {
	p := ir.MustParse("func @f(%a i32) i32 {\n  exit:\n    return %a + 3\n}\ncase f(a = 1) = 4 path exit\n")
	seed, err := NewSeed(p.Claims)
	require.NoError(t, err)
	some := false
	for n := range uint64(50) {
		for _, pass := range table {
			list, done, err := seed.Mutate("f", Options{Edits: 1, Only: []string{pass.name}}, choice.New(choice.Derive(n, "straight")))
			require.NoError(t, err)
			if !pass.live {
				assert.Empty(t, done, pass.name)
				assert.Equal(t, p.Funcs[0].String(), list[0].Func.String())
			}
			some = some || len(done) > 0
		}
	}
	assert.True(t, some)
}

// Predicates hold on every visit, or on none, and neither the types nor a value
// that never varies decides most of them.
func TestPredicate(t *testing.T) {
	seed, _ := shapesSeed(t)
	varied, all := 0, 0
	for n := range uint64(400) {
		m := newMutant(seed, "f", Options{}, choice.New(choice.Derive(n, "predicate")))
		at := m.spot()
		want := n%2 == 0
		e := m.predicate(at, want)
		if e == nil {
			continue
		}
		all++
		// A branch on it, by which a wrong one would return something else.
		rest := m.split(at.b, at.k)
		wrong := m.addBlock(at.b, false)
		wrong.Stmts = []ir.Stmt{&ir.Unreachable{}}
		wrong.Term = &ir.Goto{To: rest}
		branch := &ir.If{Cond: e, Then: rest, Else: wrong}
		if !want {
			branch.Then, branch.Else = wrong, rest
		}
		at.b.Term = branch
		_, err := m.prove()
		require.NoError(t, err, "%s is not %v", e, want)
		if at.b.Name == "b1" || rest.Name == "b1" {
			varied++
		}
	}
	assert.Greater(t, all, 300)
	assert.Positive(t, varied)
}
