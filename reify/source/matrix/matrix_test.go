package matrix

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/source"
	"goreify/tools/need"
)

var _ source.Source = Source{}

// Each cell that is enumerated has the name that makes it, and most have a function.
func TestNames(t *testing.T) {
	s := Source{Options{Language: compilers.C}}.space()
	made, n := 0, 0
	check := func(c Cell) {
		again, err := Parse(c.String())
		require.NoError(t, err)
		assert.Equal(t, c.String(), again.String())
		assert.Equal(t, c.Key(), again.Key())
		n++
		if _, err := again.Make("f", ir.C); err == nil {
			made++
		} else {
			assert.ErrorIs(t, err, errNone, "%s", c)
		}
	}
	for i := range 400 {
		check(s.single(i * (s.singles() / 400)))
		check(s.composed(i*1001, 2))
		check(s.composed(i*1001, 3))
	}
	t.Logf("%d of %d cells have a function", made, n)
	assert.Greater(t, made, n*6/10)
}

// Four of five cells of a language have a function that it can write.
func TestLanguages(t *testing.T) {
	for _, l := range language.All() {
		s, made, n := Source{Options{Size: 60, Language: l.Name}}, 0, 0
		for block := range int64(8) {
			names := s.Names(block * s.Blocks() / 8)
			b, err := s.Make(t.Context(), Of(l.Name, names...))
			require.NoError(t, err)
			made, n = made+b.Weight(), n+len(names)
		}
		assert.Greater(t, made, n*4/5, l.Name)
	}
}

func TestParse(t *testing.T) {
	for name, want := range map[string]string{
		"":                                   "want an operation and a type",
		"add":                                "want an operation and a type",
		"nothing.u8":                         "no operation nothing on u8",
		"add.u129":                           `unknown type "u129"`,
		"add.v1u8":                           `unknown type "v1u8"`,
		"add.v2u1":                           `unknown type "v2u1"`,
		"add.v2u65":                          `unknown type "v2u65"`,
		"add.u08":                            `unknown type "u08"`,
		"add.u8.const256":                    `no operand "const256" of type u8`,
		"add.u8.const07":                     `no operand "const07" of type u8`,
		"add.u8.first":                       `no operand "first" of type u8`,
		"add.u8.arg":                         `is called "add.u8"`,
		"add.u8.const1.const2":               "add has 2 operands",
		"add.u8.zero+add.u8":                 `no operand "zero"`,
		"neg.u8.flip":                        `no operand "flip"`,
		"neg.u8.const1.const2":               "neg has 1 operands",
		"add.u8+neg.u8.const1":               "neg has 1 operands",
		"add.u8+add.u8+add.u8+add.u8+add.u8": "more than 4 steps",
	} {
		_, err := Parse(name)
		assert.ErrorContains(t, err, want, name)
	}
	c, err := Parse("rotl.u17.const16+lt.i64.first.flip.branch")
	require.NoError(t, err)
	assert.Equal(t, "rotl.odd+lt.i64", c.Key())
	assert.Equal(t, "rotl+lt", c.Operation())
	assert.Equal(t, "u17+i64", c.Type())
}

// Texts of cells, which names make anew everywhere.
func TestText(t *testing.T) {
	for name, want := range map[string]string{
		"add.u8": `func @f(%a u8, %b u8) u8 {
    local %v1 u8 = 0
  entry:
    %v1 = u8(i32(%a) + i32(%b))
    goto exit
  exit:
    return %v1
}
`,
		"sextlow.u32.resignedcall": `func @f(%a u32, %b u64) i64 {
    local %v1 u32 = 0
    global @g2 u32 = 0
    local %v3 i32 = 0
    local %v4 i64 = 0
    global @g5 u32 = 0
  entry:
    %v1 = u32(u32(i16(%a)))
    @g2 = %v1
    %v3 = i32(%v1)
    %v4 = i64(%v3)
    @g5 = checksum(%b)
    goto exit
  exit:
    return %v4
}
`,
		"rotr.u64.const3+mov.i32+xor.u64.before.sign": `func @f(%a u64) i32 {
    local %v1 u64 = 0
    local %v2 i32 = 0
    local %v3 i32 = 0
    local %v4 u64 = 0
    local %v5 u64 = 0
    local %v6 i32 = 0
  entry:
    %v1 = u64(u64(%a) >> (u64(3:u64) & 63) | u64(%a) << (u64(0 - (u64(3:u64) & 63)) & 63))
    %v2 = i32(%v1)
    %v3 = i32(%v2)
    %v4 = u64(%v3)
    %v5 = u64(%v4 ^ %v1)
    if 0 > %v5 goto yes else no
  yes:
    %v6 = 1
    goto exit
  no:
    %v6 = 2
    goto exit
  exit:
    return %v6
}
`,
		"mov.i8.widths": `func @f(%a i8, %b i32) u64 {
    local %v1 i8 = 0
    local %v2 i32 = 0
    local %v3 i32 = 0
    local %v4 u64 = 0
  entry:
    %v1 = i8(i32(%a))
    %v2 = i32(%v1) ^ %b
    %v3 = i32(%v1) >> 31
    %v4 = u64(%v1) + u64(%v2) + u64(%v3)
    goto exit
  exit:
    return %v4
}
`,
		"ctz.u64.known1": `func @f(%a i32) i32 {
    local %v1 u64 = 0
    local %v2 i32 = 0
  entry:
    %v1 = u64(%a > 5 && %a < 3 ? 18446744073709551614:u64 : 1:u64)
    %v2 = i32(ctz(u64(%v1)))
    goto exit
  exit:
    return %v2
}
`,
		"rotl.u16.const3+lt.i32.first.branch": `func @f(%a u16) i32 {
    local %v1 u16 = 0
    local %v2 i32 = 0
    local %v3 i32 = 0
    local %v4 i32 = 0
    local %v5 i32 = 0
  entry:
    %v1 = u16(u32(u16(i32(%a))) << (u32(u16(3)) & 15) | u32(u16(i32(%a))) >> (u32(u16(0 - (u32(u16(3)) & 15))) & 15))
    %v2 = i32(%v1)
    %v3 = i32(%a)
    %v4 = i32(%v2 < %v3)
    if %v4 goto yes else no
  yes:
    %v5 = 1
    goto exit
  no:
    %v5 = 2
    goto exit
  exit:
    return %v5
}
`,
	} {
		c, err := Parse(name)
		require.NoError(t, err)
		k, err := c.Make("f", ir.C)
		require.NoError(t, err)
		assert.Equal(t, want, k.Func.String(), name)
	}
}

// Blocks are the same each time, and a pattern selects cells of all of them.
func TestBlocks(t *testing.T) {
	need.Long(t)
	s := Source{Options{Size: 50, Language: compilers.C}}
	for _, n := range []int64{0, 1, 3, 7, s.Blocks() - 1} {
		a, err := s.Make(t.Context(), s.Block(n))
		require.NoError(t, err)
		b, err := s.Make(t.Context(), s.Block(n))
		require.NoError(t, err)
		assert.Equal(t, a.Artefact(), b.Artefact())
		assert.Equal(t, s.Names(n), s.Names(n))
	}
	some := Source{Options{Only: "rotl.u8*", Size: 50, Language: compilers.C}}
	n := 0
	for _, block := range some.selected() {
		for _, name := range block {
			assert.True(t, strings.HasPrefix(name, "rotl.u8"), name)
			n++
		}
	}
	assert.Greater(t, n, 50)
	const name = "umulwide.i49+mad.i30.const100.same.loop4" // which is not drawn any more
	assert.Equal(t, [][]string{{name}}, Source{Options{Only: name, Size: 50, Language: compilers.C}}.selected())
	assert.Error(t, Options{Only: "["}.Check())
	_, err := s.Make(t.Context(), s.Draw(choice.From(7)))
	assert.NoError(t, err)
}

// Patterns match as path.Match says, with any ends.
func TestPatterns(t *testing.T) {
	names := []string{"", "a", "rotl.u8.const3", "rotl.u16", "mad.i8+rotl.u8", "a]b", "a*b", `a\b`}
	for _, p := range append([]string{"*", "?", "rotl.u8*", "*.[iu]8", "*.[iu]*", "*.[^u]8", "*[a-z]*", "[iu]", `a\*b`, `a\]b`, `a\\b`, `*\]b`, "*+*", "*8?*"}, names...) {
		for _, name := range names {
			want, err := path.Match(p, name)
			require.NoError(t, err, p)
			assert.Equal(t, want, patternOf(p).matches(name), "%s: %s", p, name)
		}
	}
}

// Of two blocks of a range the first needs no integers of more than 64 bits.
func TestWide(t *testing.T) {
	need.Long(t)
	s := Source{Options{Size: 200, Language: compilers.C}}
	for n := range int64(40) {
		for _, name := range s.Names(n) {
			c, err := Parse(name)
			require.NoError(t, err)
			k, err := c.Make("f", ir.C)
			if err != nil {
				continue
			}
			for _, v := range k.Func.Vars {
				if w, ok := v.Type.(ir.Wide); ok && w.Bits > 64 && n%2 == 0 {
					t.Errorf("%s in block %d: %s", name, n, v.Type)
				}
			}
		}
	}
}

// Around a cell are a block of others that differ from it in part: most have a function, and many
// have one operation more.
func TestNear(t *testing.T) {
	for _, s := range []Source{{Options{Size: 240, Language: compilers.C}}, {Options{Size: 240, Language: "Go"}}} {
		for _, name := range []string{"rotl.u16.const3", "sub.u8+lt.u8.first.branch", "ffs.i64.known8", "mov.i32.narrowed.widened", "add.v4u32.mix0+min.v4u32+neg.v4i32.loop16"} {
			in, ok := s.Near(s.Block(0), name)
			require.True(t, ok, name)
			names, err := s.Cells(in)
			require.NoError(t, err)
			assert.Greater(t, len(names), 150, name)
			again, _ := s.Near(s.Block(3), name)
			assert.Equal(t, in, again)
			sub, err := s.Make(t.Context(), in)
			require.NoError(t, err)
			assert.Greater(t, len(strings.Fields(sub.Name())), 120, "%s in %s", name, s.Language)
			contexts, longer := map[string]bool{}, 0
			for _, n := range names {
				c, err := Parse(n)
				require.NoError(t, err)
				contexts[c.context] = true
				if strings.Count(n, "+") == strings.Count(name, "+")+1 {
					longer++
				}
			}
			assert.Greater(t, len(contexts), 5, name)
			assert.True(t, longer > 80 || strings.Count(name, "+") == 2, "%s: %d", name, longer)
			_, ok = s.Near(in, names[0])
			assert.False(t, ok, "it would never end")
		}
	}
}

// Inputs of strangers cost no more than a block.
func TestInput(t *testing.T) {
	for _, data := range []string{"", "{}", `{"Size":1000000000}`, `{"Size":1,"Block":-1}`, `{"Size":1,"Only":"["}`, `{"Size":1,"Cells":["x"],"Language":"C"}`, `{"Size":1,"Language":"COBOL"}`} {
		_, err := Source{}.Make(t.Context(), source.Input{Source: Name, Data: []byte(data)})
		assert.Error(t, err, data)
	}
	for only, want := range map[string]string{strings.Repeat("*+*,", 200): "patterns of 801 bytes", strings.Repeat("add.u8,", 1<<14): "114688 bytes", strings.Repeat("add.u8,", 200) + "rot*": ""} {
		_, err := SourceOf(Source{Options{Size: 1, Only: only, Language: compilers.C}}.Block(0))
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, want)
		}
	}
	s, err := Source{}.Make(t.Context(), Of(compilers.C, "add.u8", "div.v3i8", "sub.i64.const1.zero"))
	require.NoError(t, err)
	assert.Equal(t, "c0 c2", s.Name())
}
