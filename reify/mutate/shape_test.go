package mutate

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// shapes is a function with a live loop, two dead blocks, a dead operand and values
// that are known.
const shapes = `
func @f(%a i32, %b i32) u32 {
    local %c i32 = 1
    local %d i32 = 7
  entry:
    if %a < 9 goto b1 else b2
  b1:
    %c = %c * 3
    %d = %b > 4 ? %d + 1 : %d * 777
    if %c < 70 goto b1 else exit
  b2:
    %c = abs(-1234)
    %d = %d * 4321
    goto b3
  b3:
    %d = %d * 5432
    goto exit
  exit:
    return checksum(%c, %d)
}
case f(a = 2, b = 5) = 732932912 path entry b1 b1 b1 b1 exit
case f(a = 3, b = 6) = 732932912 path entry b1 b1 b1 b1 exit
`

// A variant is what a shape is looked for in.
type variant struct {
	f    *ir.Function
	path []int
	text string
}

func (v variant) block(name string) *ir.Block {
	if i := slices.IndexFunc(v.f.Blocks, func(b *ir.Block) bool { return b.Name == name }); i >= 0 {
		return v.f.Blocks[i]
	}
	return nil
}

// lines returns the statements of a block and its terminator; none if it has gone.
func (v variant) lines(name string) (list []string) {
	if b := v.block(name); b != nil {
		for _, st := range b.Stmts {
			list = append(list, st.String())
		}
		list = append(list, b.Term.String())
	}
	return list
}

// seed returns the function of shapes as a variant of itself.
func shapesSeed(t *testing.T) (*Seed, variant) {
	p := ir.MustParse(shapes)
	require.NoError(t, p.Check())
	seed, err := NewSeed(p.Claims)
	require.NoError(t, err)
	return seed, variant{p.Funcs[0], p.Claims[0].Path, p.Funcs[0].String()}
}

// stands are compilers in the small, one a pass: each goes wrong on a shape that
// one edit of that pass makes and no other does.
var stands = map[string]func(seed, v variant) bool{
	"prune": func(seed, v variant) bool { // b2 has lost a statement that is nowhere else
		return v.block("b2") != nil && !strings.Contains(v.text, "4321") && len(v.lines("b2")) < len(seed.lines("b2"))
	},
	"insert": func(seed, v variant) bool { // a dead statement is there twice
		return strings.Count(v.text, "%d * 4321") == 2 && len(v.f.Blocks) == len(seed.f.Blocks)
	},
	"modify": func(seed, v variant) bool { // a constant of a builtin
		return v.block("b2") != nil && regexp.MustCompile(`abs\(`).MatchString(v.lines("b2")[0]) && v.lines("b2")[0] != seed.lines("b2")[0]
	},
	"condition": func(_, v variant) bool { return strings.Contains(v.text, "switch") },
	"edge": func(_, v variant) bool { // a dead block leads into the live loop
		return v.block("b3") != nil && slices.Contains(v.lines("b3"), "goto b1")
	},
	"move": func(_, v variant) bool { // from one dead block to the other
		return slices.Contains(v.lines("b3"), "%d = %d * 4321") && strings.Count(v.text, "4321") == 1
	},
	"alias": func(_, v variant) bool { return strings.Contains(v.text, "= &%") },
	"fcb": func(seed, v variant) bool { // one block more on each visit of a block
		n := len(v.path) - len(seed.path)
		return n == 1 && !strings.Contains(v.text, "held")
	},
	"tg": func(seed, v variant) bool { // two blocks more on each of the four visits of b1
		return len(v.path)-len(seed.path) == 8 && !strings.Contains(v.text, "held")
	},
	"tcb": func(_, v variant) bool { // saved and restored
		return regexp.MustCompile(`= %held\n`).MatchString(v.text)
	},
	"relate": func(seed, v variant) bool { // another expression, no other statement
		return slices.Equal(seed.path, v.path) && len(v.lines("b1")) == len(seed.lines("b1")) && v.lines("b1")[0] != seed.lines("b1")[0]
	},
	"clone": func(seed, v variant) bool { // the first round has a block of its own
		return strings.Count(v.text, "%c = %c * 3") == 2 && v.path[1] != v.path[2] && len(v.path) == len(seed.path)
	},
	"arm": func(_, v variant) bool { // of the ?: that is still there
		return strings.Contains(v.text, "%b > 4 ?") && !strings.Contains(v.text, "777")
	},
}

// Each pass makes its shape, and without it nobody does.
func TestShapes(t *testing.T) {
	seed, of := shapesSeed(t)
	seen := func(stand func(seed, v variant) bool, only []string) bool {
		for n := range uint64(500) {
			list, _, err := seed.Mutate("f", Options{Edits: 1, Only: only}, choice.New(choice.Derive(n, "variant")))
			require.NoError(t, err)
			if stand(of, variant{list[0].Func, list[0].Path, list[0].Func.String()}) {
				return true
			}
		}
		return false
	}
	for name, stand := range stands {
		assert.False(t, stand(of, of), "%s: the seed has the shape", name)
		assert.True(t, seen(stand, []string{name}), "%s does not make its shape", name)
		others := slices.DeleteFunc(Passes(), func(other string) bool { return other == name })
		assert.False(t, seen(stand, others), "the shape of %s is made by others", name)
	}
	assert.Len(t, stands, len(Passes())-1, "foreign is for other seeds: see TestForeign")
}
