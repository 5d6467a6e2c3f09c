package gc

import (
	"go/format"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each rule of generated code can be left out and tells when it fires, except for one after
// which there is nothing.
func TestNumbered(t *testing.T) {
	text, rules := numbered(`// Code generated from _gen/X.rules using 'go generate'; DO NOT EDIT.

package ssa

func rewriteValueX_OpXExt(v *Value) bool {
	v_0 := v.Args[0]
	// match: (Ext (Shift [c] x))
	// cond: c < 8
	// result: x
	for {
		if v_0.Op != OpXShift {
			break
		}
		v.copyOf(v_0.Args[0])
		return true
	}
	return false
}

func rewriteValueX_OpAdd(v *Value) bool {
	// match: (Add x y)
	// result: (XADD x y)
	for {
		v.reset(OpXADD)
		return true
	}
}

func rewriteBlockX(b *Block) bool {
	switch b.Kind {
	case BlockXEQ:
		// match: (EQ (FlagEQ) yes no)
		// result: (First yes no)
		for b.Controls[0].Op == OpXFlagEQ {
			b.Reset(BlockFirst)
			return true
		}
	}
	return false
}
`, 7)
	assert.Equal(t, []string{"(Ext (Shift [c] x)) && c < 8 => x", "(Add x y) => (XADD x y)", "(EQ (FlagEQ) yes no) => (First yes no)"}, rules)
	formatted, err := format.Source([]byte(text))
	require.NoError(t, err)
	assert.Contains(t, string(formatted), "	for {\n		if ruleOff[7] {\n			break\n		}\n		if v_0.Op")
	assert.Contains(t, string(formatted), "	return ruleFired(7, v.Block.Func)")
	assert.NotContains(t, string(formatted), "ruleOff[8]")
	assert.Contains(t, string(formatted), "	return ruleFired(8, v.Block.Func)")
	assert.Contains(t, string(formatted), "OpXFlagEQ {\n			if ruleOff[9] {")
	assert.Contains(t, string(formatted), "	return ruleFired(9, b.Func)")
}

func TestLinesOf(t *testing.T) {
	lines := linesOf(`// Rules.
(Add(8|16) x y) => (XADD(B|H) x y) // as they are
(Ext (Shift  [c] x))
	&& c < 8
	=> x
`)
	assert.Equal(t, map[string]int{"(Add8xy)=>(XADDBxy)": 2, "(Add16xy)=>(XADDHxy)": 2, "(Ext(Shift[c]x))&&c<8=>x": 3}, lines)
	assert.Equal(t, "X.rules:3 a => b", rule{"X.rules", 3, "a => b"}.String())
	assert.Equal(t, "X.rules a => b", rule{"X.rules", 0, "a => b"}.String())
}
