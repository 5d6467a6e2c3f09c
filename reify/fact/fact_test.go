package fact_test

import (
	"errors"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/fact"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve/search"
)

const example = `func @f(%a i32, %n u8) i32 {
    global @g [4]i32 = {1, 2, 3, 4}
    local %p *i32 = &@g[2]
    local %q *i32 = &%a
    local %i i32 = 0
    local %v i32 = 3
  entry:
    goto loop
  loop:
    *%p = *%p + 8
    %i = %i + 4
    if %i < 9 + i32(%n) goto loop else next
  next:
    if %a > 1000 goto off else exit
  off:
    %a = 1 / %i
    goto exit
  exit:
    return *%p + %a
}
case f(a = 5, n = 16) = 64 path entry loop loop loop loop loop loop loop next exit
case f(a = 9, n = 0) = 36 path entry loop loop loop next exit
`

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	var got strings.Builder
	for seed := range uint64(3) {
		p := ir.MustParse(example)
		require.NoError(t, fact.Add(p.Claims, 60, choice.From(seed)))
		got.WriteString(p.String() + "\n")
	}
	const file = "testdata/facts.ir"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got.String()), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got.String())
}

// Facts are true of all claims, whatever is drawn, and come in all forms, which are
// strong as well: most do not hold for some other value.
func TestFacts(t *testing.T) {
	seen := map[string]int{}
	forms := map[string]*regexp.Regexp{
		"interval":         regexp.MustCompile(`%i >= -?\d+ && %i <= \d+`),
		"window":           regexp.MustCompile(`u32\([%*@]\w+\) - \d+ <= \d+`),
		"bits":             regexp.MustCompile(`& \d+\) == \d+`),
		"remainder":        regexp.MustCompile(`% \d+ == \d+`),
		"one of":           regexp.MustCompile(`%a == 5 \|\| %a == 9`),
		"other":            regexp.MustCompile(`%a != `),
		"narrow":           regexp.MustCompile(`i32\([iu](8|16)\(\S+\)\) == `),
		"idle":             regexp.MustCompile(`<= 2147483647`),
		"relation":         regexp.MustCompile(`(%a|%i) [<>=!]=? (%a|%i)`),
		"difference":       regexp.MustCompile(`u32\(\S+\) - u32\(\S+\) == `),
		"not null":         regexp.MustCompile(`%p != null`),
		"pointer":          regexp.MustCompile(`%p == &@g\[2\]`),
		"pointers":         regexp.MustCompile(`%[pq] != %[pq]`),
		"behind a pointer": regexp.MustCompile(`(assume|unless) [^\n]*\*%p`),
		"assumption":       regexp.MustCompile(`(?m)^    assume `),
		"branch":           regexp.MustCompile(`(?m)^    unreachable unless `),
		"off the path":     regexp.MustCompile(`  off:\n    (assume|unreachable unless) `),
		"hint":             regexp.MustCompile(`if expect_probably\(`),
	}
	for seed := range uint64(600) {
		p := ir.MustParse(example)
		require.NoError(t, fact.Add(p.Claims, 60, choice.From(seed)))
		require.NoError(t, p.Check(), p.String())
		again := ir.MustParse(p.String())
		for _, c := range again.Claims {
			require.NoError(t, interp.Verify(c), p.String())
		}
		for name, form := range forms {
			if form.MatchString(p.String()) {
				seen[name]++
			}
		}
		same := ir.MustParse(example)
		require.NoError(t, fact.Add(same.Claims, 60, choice.From(seed)))
		require.Equal(t, p.String(), same.String())
	}
	for name := range forms {
		assert.NotZero(t, seen[name], name)
	}
}

// What is assumed off the path contradicts what holds at the end of the block before.
func TestFactsOffThePathDoNotHold(t *testing.T) {
	false, all := 0, 0
	for seed := range uint64(300) {
		p := ir.MustParse(example)
		require.NoError(t, fact.Add(p.Claims, 60, choice.From(seed)))
		f := p.Funcs[0]
		next, off := f.Blocks[2], f.Blocks[3]
		if _, ok := off.Stmts[0].(*ir.Assume); !ok {
			continue
		}
		all++
		next.Term = &ir.Goto{To: off}
		for _, c := range p.Claims {
			_, err := interp.Run(f, c.Args, interp.Options{})
			var ub *interp.UB
			if errors.As(err, &ub) && ub.Kind == interp.UnreachableReached && ub.Block == "off" {
				false++
			}
		}
	}
	require.NotZero(t, all)
	assert.Equal(t, 2*all, false)
}

func TestFactsOfWrongClaims(t *testing.T) {
	for _, wrong := range []string{
		strings.Replace(example, "= 64 path", "= 63 path", 1),
		strings.Replace(example, "next exit", "next off exit", 1),
		strings.Replace(example, "%a > 1000", "%a > 1 / (%i - %i)", 1),
	} {
		p := ir.MustParse(wrong)
		assert.Error(t, fact.Add(p.Claims, 60, choice.From(1)))
	}
}

// Functions of the profile have facts, most of them several, on the path and off it.
func TestProfile(t *testing.T) {
	profile, err := reify.FindProfile("facts")
	require.NoError(t, err)
	with, many, off := 0, 0, 0
	const n = 400
	for seed := range uint64(n) {
		r := reify.FromSeed(seed)
		k, err := reify.Make("f", r, profile.Configure(r), search.Engine{})
		require.NoError(t, err)
		visited := map[int]bool{}
		for _, c := range k.Claims() {
			for _, b := range c.Path {
				visited[b] = true
			}
		}
		on, beside := 0, 0
		for i, b := range k.Func.Blocks {
			for _, s := range b.Stmts {
				if _, ok := s.(*ir.Assume); ok && visited[i] {
					on++
				} else if ok {
					beside++
				}
			}
		}
		if on > 0 {
			with++
		}
		if on > 2 {
			many++
		}
		if beside > 0 {
			off++
		}
	}
	t.Logf("of %d functions %d have facts, %d more than two, %d off the path", n, with, many, off)
	assert.Greater(t, with, n*9/10)
	assert.Greater(t, many, n/2)
	assert.Greater(t, off, n/20)
}
