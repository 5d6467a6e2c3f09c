package jvm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/emit/jvm"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// expected returns the graph of a function as Graphs has it.
func expected(f *ir.Function) [][]int {
	var want [][]int
	for _, succs := range f.Graph() {
		list := append([]int{}, succs...)
		slices.Sort(list)
		want = append(want, list)
	}
	return want
}

// Equal units make equal classes, and what is written can be read.
func TestText(t *testing.T) {
	for _, profile := range []string{"focus", "wild", "paper"} {
		list := units(cases(t, profile, 0, 10))
		c := emit(t, list)
		assert.Equal(t, c.Binary, emit(t, units(cases(t, profile, 0, 10))).Binary)
		text, err := jvm.Text(c.Binary)
		require.NoError(t, err)
		for _, u := range list {
			assert.Contains(t, text, fmt.Sprintf("Method %s:", u.Claim.Func.Name))
		}
		for _, line := range c.Answers {
			assert.Contains(t, text, "// "+line[:len(line)-1][:min(10, len(line)-1)])
		}
		assert.Positive(t, jvm.Instructions(c.Binary))
	}
}

// A style is what its text says.
func TestStyle(t *testing.T) {
	seen := map[string]bool{}
	draws := choice.From(0)
	jvm.DrawStyle(draws)
	for i := range 500 {
		s := choice.From(uint64(i))
		style := jvm.DrawStyle(s)
		assert.Equal(t, draws.Draws(), s.Draws())
		back, err := jvm.ParseStyle(style.String())
		require.NoError(t, err)
		assert.Equal(t, style, back)
		for _, form := range jvm.Forms(style.String()) {
			_, err := jvm.ParseStyle(form)
			assert.NoError(t, err)
		}
		seen[style.String()] = true
	}
	assert.Greater(t, len(seen), 100)
	_, err := jvm.ParseStyle("flat round")
	assert.EqualError(t, err, `unknown word "round" in a style of Java bytecode`)
}

// A jump that is too far for 16 bits is one of 32.
func TestFar(t *testing.T) {
	text := "func @f(%a i32) i32 {\n  entry:\n    if %a > 0 goto b1 else exit\n  b1:\n"
	for range 3000 {
		text += "    %a = %a * 1234567 / 7 + (%a >> 3)\n"
	}
	text += "    if %a > 1000 goto b1 else exit\n  exit:\n    return %a\n}\ncase f(a = -1) = -1 path entry exit\n"
	p := ir.MustParse(text)
	c := emit(t, []jvm.Unit{{Claim: p.Claims[0], Style: jvm.Style{Frames: true, Gotos: true}}})
	asm, err := jvm.Text(c.Binary)
	require.NoError(t, err)
	assert.True(t, strings.Contains(asm, "goto_w"))
	graphs, err := jvm.Graphs(c.Binary, c.Locations)
	require.NoError(t, err)
	assert.Equal(t, expected(p.Funcs[0]), graphs[0])
}

func FuzzClass(f *testing.F) {
	for _, profile := range []string{"focus", "wild"} {
		f.Add(emit(f, units(cases(f, profile, 0, 2))).Binary)
	}
	f.Fuzz(func(t *testing.T, class []byte) {
		class = class[:min(len(class), need.MostInput)]
		var text string
		var err error
		need.Little(t, func() { text, err = jvm.Text(class) })
		if err != nil {
			return
		}
		again, err := jvm.Text(slices.Clone(class))
		require.NoError(t, err)
		require.Equal(t, text, again)
		need.Little(t, func() { _, _ = jvm.Graphs(class, [][]jvm.Location{{{}}}) }) // what it says of nonsense is no matter
	})
}
