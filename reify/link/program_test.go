package link_test

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/link"
)

// Programs are right, whatever is drawn, and between them have all that programs can
// have.
func TestPrograms(t *testing.T) {
	all := append(made(t, 1, 62, drawn), parseLeaf(t, reader), parseLeaf(t, adder))
	all = append(all, parsed(t, inputs(t, "language"))...)
	s := choice.New([]byte("programs"))
	seen := map[string]int{}
	for range 300 {
		n := s.Range(1, 12)
		s.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		p, err := link.Link(link.Fresh(all[:n]), link.DefaultOptions(), s)
		require.NoError(t, err)
		require.NoError(t, p.IR.Check(), "%s", p.IR)
		require.NoError(t, interp.VerifyProgram(p.IR))
		notice(t, p, seen)
	}
	t.Log(seen)
	for _, what := range []string{
		"operand", "index", "initial value", "argument", "off the path", "variable passed", "recursion", "self-call",
		"cut short", "two real calls", "pure", "const", "not called", "counter passed", "lane", "index of a pointer",
	} {
		assert.NotZero(t, seen[what], what)
	}
}

// The same over the whole language, a few features in each function.
func TestProgramsOfTheWholeLanguage(t *testing.T) {
	wild, err := reify.FindProfile("wild")
	require.NoError(t, err)
	all := made(t, 1, 80, func(r reify.Recipe) reify.Config { return wild.Draw(choice.Named("config", r.Config)) })
	s := choice.New([]byte("language"))
	seen := map[string]int{}
	for range 200 {
		n := s.Range(2, 12)
		s.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		p, err := link.Link(link.Fresh(all[:n]), link.DefaultOptions(), s)
		require.NoError(t, err)
		require.NoError(t, p.IR.Check(), "%s", p.IR)
		require.NoError(t, interp.VerifyProgram(p.IR), "%s", p.IR)
		notice(t, p, seen)
	}
	t.Log(seen)
}

// Functions that may be declared pure, or even const.
const (
	reader = `
func @reader(%a i32) i32 {
    global @k i32 = 7
  entry:
    if %a < 3 goto exit else b1
  b1:
    %a = %a + 100
    goto exit
  exit:
    return %a + @k
}
case reader(a = 3) = 110 path entry b1 exit
`
	adder = `
func @adder(%a i32) i32 {
  entry:
    if %a < 3 goto exit else b1
  b1:
    %a = %a + 100
    goto exit
  exit:
    return %a + 9
}
case adder(a = 1) = 10 path entry exit
`
)

func parseLeaf(t *testing.T, text string) *link.Leaf {
	l, err := link.NewLeaf(ir.MustParse(text).Claims...)
	require.NoError(t, err)
	return l
}

// notice counts what there is in a program.
func notice(t *testing.T, p *link.Linked, seen map[string]int) {
	count := func(what string, is bool) {
		if is {
			seen[what]++
		}
	}
	for i, f := range p.IR.Funcs {
		count("pure", p.Purity[i] == link.Pure)
		count("const", p.Purity[i] == link.Const)
		count("counter passed", len(f.Params()) > 0 && f.Params()[len(f.Params())-1].Name == "left")
		for _, v := range f.Vars {
			for j := range v.Init {
				for range calls(&v.Init[j]) {
					seen["initial value"]++
				}
			}
		}
		for _, b := range f.Blocks {
			for at := range b.Exprs() {
				if e, ok := (*at).(*ir.Load); ok {
					if elem, ok := e.Place.(*ir.Elem); ok {
						for range calls(&elem.Index) {
							seen["index"]++
						}
					}
				}
			}
		}
		for _, b := range f.Blocks {
			for _, s := range b.Stmts {
				if s, ok := s.(*ir.Assign); ok {
					for range stmtCalls(s) {
						switch s.Dst.Type().(type) {
						case ir.Vector:
							seen["lane"]++
						case ir.Pointer:
							seen["index of a pointer"]++
						}
					}
				}
			}
		}
		for c := range f.Calls() {
			_, on := p.Answers[c]
			count("off the path", !on)
			count("operand", on)
			count("self-call", on && c.Func == f)
			for j := range c.Args {
				for range calls(&c.Args[j]) {
					seen["argument"]++
				}
				for e := range ir.SubExprs(&c.Args[j]) {
					_, load := (*e).(*ir.Load)
					count("variable passed", on && load)
				}
			}
		}
	}
	// A compiler may call a pure function where the program does not: among
	// these no call leads back, off the path included.
	order := map[*ir.Function]int{}
	for i, f := range p.IR.Funcs {
		order[f] = i
	}
	for i, f := range p.IR.Funcs {
		for c := range f.Calls() {
			if p.Purity[i] != link.Impure {
				require.NotEqual(t, link.Impure, p.Purity[order[c.Func]])
				require.Greater(t, order[c.Func], i)
			}
		}
	}
	active := map[*ir.Function]int{}
	real := map[*ir.Function]int{}
	_, err := interp.RunProgram(p.IR, interp.Options{
		Enter: func(c interp.Call) {
			active[c.Func]++
			count("recursion", active[c.Func] > 1)
		},
		Leave: func(c interp.Call) {
			active[c.Func]--
			if len(c.Path) == 2 && c.Func.Blocks[0].Name == "guard" {
				seen["cut short"]++
				return
			}
			real[c.Func]++
			count("two real calls", real[c.Func] == 2)
		},
	})
	require.NoError(t, err)
	for _, f := range p.IR.Funcs {
		count("not called", real[f] == 0)
	}
}

// The number of calls stays within any bound, however many functions there are
// and however densely they call each other.
func TestMaxCalls(t *testing.T) {
	all := made(t, 100, 64, drawn)
	s := choice.New([]byte("bounds"))
	linked, calls := 0, 0 // where there is room for many
	for _, most := range []int{1, 2, 3, 10, 64, 100, 1000, 20000} {
		for _, edges := range []int{0, 100, 2000} {
			for _, n := range []int{1, 2, 10, 64} {
				p, err := link.Link(link.Fresh(all[:n]), link.Options{MaxCalls: most, Edges: edges, Sites: 3, Off: 5}, s)
				require.NoError(t, err)
				require.NoError(t, p.IR.Check())
				assert.LessOrEqual(t, p.Calls, most)
				if most >= 100 && n >= 10 && edges > 0 {
					linked, calls = linked+1, calls+p.Calls
				}
			}
		}
	}
	assert.Greater(t, calls, 10*linked)
}

// calls yields the calls in an expression.
func calls(e *ir.Expr) iter.Seq[*ir.Call] {
	return func(yield func(*ir.Call) bool) {
		for at := range ir.SubExprs(e) {
			if c, ok := (*at).(*ir.Call); ok && !yield(c) {
				return
			}
		}
	}
}

// stmtCalls yields the calls in a statement.
func stmtCalls(s ir.Stmt) iter.Seq[*ir.Call] {
	return func(yield func(*ir.Call) bool) {
		for at := range ir.StmtExprs(s) {
			if c, ok := (*at).(*ir.Call); ok && !yield(c) {
				return
			}
		}
	}
}

// The same leaves and bytes give the same program.
func TestDeterministic(t *testing.T) {
	var texts []string
	for range 2 {
		p, err := link.Link(made(t, 5, 10, drawn), link.DefaultOptions(), choice.New([]byte{1, 2, 3}))
		require.NoError(t, err)
		texts = append(texts, p.IR.String())
	}
	assert.Equal(t, texts[0], texts[1])
}

// Programs that are joined stay as they are, and the joined one does what they do.
func TestJoin(t *testing.T) {
	all := made(t, 30, 12, drawn)
	s := choice.New([]byte("join"))
	var list []*link.Linked
	var texts []string
	answers, calls := 0, 0
	for i := 0; i < len(all); i += 4 {
		p, err := link.Link(all[i:i+4], link.DefaultOptions(), s)
		require.NoError(t, err)
		list, texts = append(list, p), append(texts, p.IR.String())
		answers, calls = answers+len(p.Answers), calls+p.Calls
	}
	joined := link.Join(list)
	for i, p := range list {
		assert.Equal(t, texts[i], p.IR.String())
	}
	require.NoError(t, joined.IR.Check(), "names are unique")
	require.NoError(t, interp.VerifyProgram(joined.IR))
	assert.Equal(t, "p2_"+all[8].Func().Name, joined.IR.Claims[2].Func.Name)
	assert.Equal(t, calls, joined.Calls)
	assert.Len(t, joined.Answers, answers)
	returned, err := interp.Answers(joined.IR)
	require.NoError(t, err)
	require.NotEmpty(t, returned)
	for call, answer := range returned {
		assert.Equal(t, answer, joined.Answers[call], "%s", call)
	}
}
