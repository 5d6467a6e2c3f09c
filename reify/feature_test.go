package reify

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/link"
	"goreify/reify/sketch"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

// A sign tells by the text of a function that it has a feature.
type sign struct {
	shows  func(text string) bool
	sketch bool   // looked for in the sketch alone, where symbols are not yet constants
	also   string // other features that have it
	with   string // the feature that this one is a part of
	// program says that it is looked for in the program that the function becomes.
	program bool
}

func matches(pattern string) func(string) bool {
	return regexp.MustCompile(pattern).MatchString
}

// common finds two variables joined in the same way twice.
func common(text string) bool {
	seen := map[string]bool{}
	for _, e := range regexp.MustCompile(`[%@]\w+ [-+*] [%@]\w+`).FindAllString(text, -1) {
		if seen[e] {
			return true
		}
		seen[e] = true
	}
	return false
}

var signs = map[string]sign{
	"array":        {shows: matches(`\[\d+\]`), also: "simd trips loop struct union vector bitfield lanes aggregate cast"},
	"memory":       {shows: matches(`(?m)^ +(global|static) `), also: "trips loop machine"},
	"volatile":     {shows: matches(`volatile `), also: "param"},
	"switch":       {shows: matches(`switch `), also: "machine"},
	"types":        {shows: matches(`[%@]\w+ ([iu](8|16|64)|u32)\b`), also: "bitint int128"},
	"bool":         {shows: matches(`[%@]\w+ bool\b`)},
	"const":        {shows: matches(`\bconst\b`), also: "param"},
	"context":      {shows: matches(`(?m)^ .* = .* [*/%&|^] \(?\??-?\d+\)?$`), sketch: true, also: "int128 odd truth narrow induction loop trips lanes aggregate cast"},
	"bitwise":      {shows: matches(`[|^&] \??-?\d+`), sketch: true, also: "bitint int128 odd simd truth narrow builtin context idiom induction loop near shift switch trips lanes aggregate cast"},
	"shift":        {shows: matches(`<<|>>`), also: "bitint int128 odd simd truth narrow context idiom induction loop vector trips lanes aggregate cast"},
	"unary":        {shows: matches(`~|!\(|![%@]`), also: "bitint int128 simd facts truth narrow idiom vector"},
	"logic":        {shows: matches(`&&|\|\|`), also: "facts truth narrow idiom"},
	"select":       {shows: matches(` \? `), also: "odd truth narrow idiom loop induction trips aggregate cast int128 bitint"},
	"builtin":      {shows: matches(`\b(clz|ctz|popcount|parity|ffs|bswap|abs|expect)\(|unreachable`), also: "facts narrow int128"},
	"nest":         {shows: matches(`(?m)^    (if|%|@).*[%@]\w+ [-+*] [%@]\w+`), sketch: true, also: "bitint simd reuse idiom unary vector product invariant trips lanes loop narrow aggregate cast int128"},
	"reuse":        {shows: common, sketch: true, also: "simd nest product invariant lanes loop aggregate cast int128 bitint"},
	"near":         {shows: matches(`& \d+\) \+ 2147483\d+|-2147483\d+ - \(`), sketch: true, also: "lanes aggregate cast"},
	"idiom":        {shows: matches(`1664525|3988292384|-306674912`)},
	"constant":     {shows: matches(`[-+*/%] -?\d+\b`), sketch: true, also: "coefficients bitint int128 odd simd truth narrow context float idiom induction loop machine switch near product trips lanes aggregate cast"},
	"overflow":     {shows: matches(`_overflow\(`), also: "truth narrow int128"},
	"induction":    {shows: matches(`(?m)^    [%@]\w+ = [%@]\w+ \+ \?\d+$`), sketch: true, also: "shape machine lanes"},
	"loop":         {shows: matches(`(?m)^    [%@]\w+ = [%@]\w+ \+ 1$`), sketch: true, also: "trips induction machine lanes"},
	"shape":        {shows: matches(`(?m)^    [%@]\S+ = -?\d+$`), also: "trips loop machine aggregate cast"},
	"machine":      {shows: matches(`switch [%@]\w+ {\d+: b`), also: "switch"},
	"lanes":        {shows: matches(`(    local %\w+ i32 = 0\n){16}`)},
	"aggregate":    {shows: matches(`mem(cpy|move|set)\(`)},
	"cast":         {shows: matches(`(?m)^    cast [A-Z]`), with: "aggregate"},
	"simd":         {shows: matches(`(?m)^    (global|static|local) [%@]\w+ <.*\n    (global|static|local) [%@]\w+ <`), also: "vector"},
	"struct":       {shows: matches(`struct `), also: "aggregate cast"},
	"bitfield":     {shows: matches(`:\d+`), with: "struct"},
	"union":        {shows: matches(`union `)},
	"ptr":          {shows: matches(`\bcast\(|null:|&[%@]`), also: "aggregate cast"},
	"float":        {shows: matches(`\bf(32|64)\b`), also: "cast"},
	"vector":       {shows: matches(`<\d+>`), also: "simd"},
	"product":      {shows: matches(`\* [%@]\w+ / \d+ \+|[%@]\w+ / \d+ \+ -?\d+\) \*`), sketch: true},
	"invariant":    {shows: matches(`[%@]\w+ \* [%@]\w+`), sketch: true, also: "simd nest reuse product lanes loop"},
	"division":     {shows: matches(`[/%] \?\d+ [/%]`), sketch: true, also: "context"},
	"coefficients": {shows: matches(`% \d+ \* -?\d{4}|/ -?\d{4,} \* -?\d{4}`), sketch: true},
	"narrow":       {shows: matches(`\([iu](8|16)\(`), sketch: true, also: "idiom float cast"},
	"facts":        {shows: matches(`(?m)^    (assume|unreachable unless) |expect_probably\(`)},
	"odd":          {shows: matches(`<< \d+\) >> \d+|& \d+ \^ \d+\) - \d+`), also: "narrow idiom int128 bitint"},
	"int128":       {shows: matches(`\b[iu]128\(`)},
	"bitint":       {shows: matches(`\bu?bit\d+\(`)},
	"truth":        {shows: matches(` [|^&] \(?[%@]\w+ [<>](=| )| [<>]=? -?\d+ [|^&] `), sketch: true, also: "simd context"},
	"trips":        {shows: matches(`(?m)^    if [^?]*[%@]\w+ [<>=!]=? [^?]* goto`), sketch: true},
	"calls":        {shows: matches(`@h\d+\(`), program: true},
	"param":        {shows: matches(`(?m)^func .*(const|volatile) `)},
}

// linked returns the case as a program: with helpers, if it is to have some.
func linked(t *testing.T, k *Case) *ir.Program {
	if k.Config.Calls.Helpers == 0 {
		return k.Program()
	}
	leaf, err := link.NewLeaf(k.Claim)
	require.NoError(t, err)
	p, err := link.Link([]*link.Leaf{leaf}, link.Options{MaxCalls: 1, Helpers: k.Config.Calls.Helpers}, choice.New(nil))
	require.NoError(t, err)
	return p.IR
}

// Every feature shows, and brings no other with it, on the path or off it.
func TestFeaturesAreIndependent(t *testing.T) {
	need.Long(t)
	p, err := FindProfile("wild")
	require.NoError(t, err)
	require.Len(t, signs, len(Features()))
	for _, feature := range Features() {
		own, ok := signs[feature]
		require.True(t, ok, "%s has no sign", feature)
		change := "-all,+" + feature
		if own.with != "" {
			change += ",+" + own.with
		}
		seen := false
		for seed := uint64(0); seed < 20 || seed < 40 && !seen; seed++ {
			r := FromSeed(seed)
			c, err := p.Configure(r).With(change)
			require.NoError(t, err)
			c.Sketch.Hostile = 100
			k, err := Make("f", r, c, search.Engine{})
			require.NoError(t, err)
			sketched := sketch.Function("f", k.Graph, c.Sketch, choice.Named("body", r.Body)).String()
			solved, program := k.Program().String(), linked(t, k).String()
			for name, s := range signs {
				text := solved
				if s.program {
					text = program
				}
				if !s.shows(sketched) && (s.sketch || !s.shows(text)) {
					continue
				}
				seen = seen || name == feature
				if name != own.with {
					require.Contains(t, append(strings.Fields(s.also), name), feature, "%s shows in\n%s\n%s", name, sketched, solved)
				}
			}
		}
		assert.True(t, seen, "%s does not show", feature)
	}
}
