package c

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/tools/need"
)

func TestStyleText(t *testing.T) {
	assert.Equal(t, "plain", Style{}.String())
	full := Style{Extern, true, true, true, FallThrough, true, true, 7, true, true, Hex, true, true, true, true, true, true, true, true, true,
		Declared{Hot, true, true, true, 32}, VLA, true}
	assert.Equal(t, "extern noinline volatile-args global-params cond=fallthrough structured flat-braces order=7 "+
		"compound implicit-casts consts=hex arrows designated computed-goto param-struct result-struct pointer-params restrict array-sums rows hot declare-purity declare-pointers getters aligned=32 storage=vla by-value", full.String())

	s := choice.New([]byte("styles"))
	seen := map[string]bool{}
	draws := -1
	for i := range 2000 {
		before := s.Draws()
		style := DrawStyle(s)
		style.Declared = DrawDeclared(s)
		style.Storage = Storage(i % int(numStorages))
		style.ByValue = i%2 == 0
		style.Rows = i%3 == 0
		if draws >= 0 {
			require.Equal(t, draws, s.Draws()-before)
		}
		draws = s.Draws() - before
		back, err := ParseStyle(style.String())
		require.NoError(t, err)
		require.Equal(t, style, back)
		of := FuncStyle{Style: style, NoClone: i%2 == 0, Purity: Purity(i % 3)}
		same, err := ParseFuncStyle(of.String())
		require.NoError(t, err)
		require.Equal(t, of, same)
		for _, word := range strings.Fields(style.String()) {
			key, _, _ := strings.Cut(word, "=")
			seen[key], seen[word] = true, true
		}
	}
	for _, word := range strings.Fields(full.String() + " inline cond=else cond=inverted consts=octal consts=char") {
		assert.Contains(t, seen, strings.TrimSuffix(word, "=7"))
	}

	for _, bad := range []string{"Plain", "cond", "cond=", "cond=x", "order", "order=-1", "order=4294967296", "structured=1", "noinline,structured", "aligned", "aligned=3", "aligned=0", "hot=1", "tepid"} {
		_, err := ParseStyle(bad)
		assert.ErrorContains(t, err, "unknown word", bad)
	}
}

// Names that clash with each other, with ours, and with what C has already.
func TestNames(t *testing.T) {
	need.Long(t)
	const text = `
func @NAME(%got i32, %NAME i32, %crc i32, %linux i32, %NAME_wrong i32) u32 {
    local %NAME_x i32 = 3
    global @wrong i32 = 7
    static @x i32 = 4
    static @got_ i32 = 5
    global @crc_2 i32 = 6
  main:
    goto unix
  unix:
    @wrong = @wrong + %got
    goto NOIPA
  NOIPA:
    return checksum(%got, %NAME, %crc, %linux, %NAME_x, @x, @got_, @crc_2, @wrong, %NAME_wrong)
}
`
	var units []Unit
	for _, name := range []string{"f", "f", "f_2", "exit", "exit_", "rows_run", "vec_f", "abs", "main", "write", "crc32", "test_f", "f_x", "printf", "y1"} {
		f := parseOne(t, strings.ReplaceAll(text, "NAME", name))
		for i, style := range []string{"plain", "extern volatile-args", "extern global-params", "rows"} {
			u := unitOf(t, f, []int64{1, 2, 3, 4, 5}, Style{})
			var err error
			u.Style, err = ParseStyle(style)
			require.NoError(t, err)
			if i == 0 {
				alone := Emit([]Unit{u})
				assert.NotContains(t, alone, "atoi")
			}
			units = append(units, u)
			u.More = []*ir.Claim{unitOf(t, f, []int64{5, 6, 7, 8, 9}, Style{}).Claim}
			units = append(units, u)
		}
	}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(Want(units)), "\n") {
		name, _, _ := strings.Cut(line, " ")
		require.False(t, seen[name], name)
		seen[name] = true
	}
	requireRight(t, units)
}

func TestEmitIsDeterministic(t *testing.T) {
	texts := map[string]bool{}
	for range 20 {
		s := choice.New([]byte("same"))
		var units []Unit
		for i := range 10 {
			f := randomFunction(s, "f"+strconv.Itoa(i%3), 20)
			units = append(units, Unit{Claim: &ir.Claim{Func: f, Args: []int64{1}}, Style: DrawStyle(s)})
		}
		texts[Emit(units)] = true
	}
	assert.Len(t, texts, 1)
}

func TestEmitLongPath(t *testing.T) {
	f := randomFunction(choice.New(nil), "f", 5)
	c := &ir.Claim{Func: f, Args: []int64{1}, Path: make([]int, 1000)}
	text := Emit([]Unit{{Claim: c}})
	assert.Contains(t, text, " and 940 more. */")
	for _, line := range strings.Split(text, "\n") {
		assert.LessOrEqual(t, len(line), 100)
	}
}

// Conditionals, each in a branch of the one before, are indented until the text
// is as deep as it may be.
func TestEmitDepth(t *testing.T) {
	const blocks = 4 * maxDepth
	var text strings.Builder
	text.WriteString("func @f(%a i32) i32 {\n  b0:\n    goto b1\n")
	for i := 1; i < blocks-1; i++ {
		fmt.Fprintf(&text, "  b%d:\n    if %%a > %d goto b%d else b%d\n", i, i, i+1, blocks)
	}
	fmt.Fprintf(&text, "  b%d:\n    goto b%d\n  b%d:\n    return %%a\n}\n", blocks-1, blocks, blocks)
	u := unitOf(t, parseOne(t, text.String()), []int64{blocks / 2}, Style{Structured: true})
	deepest := 0
	for line := range strings.Lines(Emit([]Unit{u})) {
		deepest = max(deepest, len(line)-len(strings.TrimLeft(line, " ")))
	}
	require.Equal(t, (maxDepth+1)*indentWidth, deepest)
	require.Len(t, blanks, deepest+indentWidth)
}

func TestEmitSymbol(t *testing.T) {
	f := parseOne(t, "func @f() i32 {\n  entry:\n    goto x\n  x:\n    return ?0\n}\n")
	assert.PanicsWithValue(t, "emit/c: symbol ?0 in f, which is to be concrete", func() {
		Emit([]Unit{{Claim: &ir.Claim{Func: f}}})
	})
}

func BenchmarkEmit(b *testing.B) {
	for _, structured := range []bool{false, true} {
		b.Run(map[bool]string{false: "flat", true: "structured"}[structured], func(b *testing.B) {
			s := choice.New([]byte("bench"))
			var units []Unit
			for i := range 16 {
				f := randomFunction(s, "f"+strconv.Itoa(i), 45)
				units = append(units, Unit{Claim: &ir.Claim{Func: f, Args: []int64{1}}, Style: Style{Structured: structured, Order: 1}})
			}
			for b.Loop() {
				Emit(units)
			}
			b.ReportMetric(float64(b.N)*float64(len(units))/b.Elapsed().Seconds(), "functions/s")
		})
	}
}
