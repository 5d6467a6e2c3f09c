package events

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clang-14.yaml and clang-22.yaml are what clang 14.0.6 and 22.1.8 wrote about
// sample.c at -O3.
func TestRecordRecorded(t *testing.T) {
	for file, want := range map[string]Counts{
		"clang-14.yaml": {
			{"inline", "passed Inlined"}: 1, {"loop-vectorize", "passed Vectorized"}: 1,
			{"regalloc", "missed LoopSpillReloadCopies"}: 1, {"asm-printer", "analysis InstructionMix"}: 10,
		},
		"clang-22.yaml": {
			{"loop-unroll", "passed Peeled"}: 1, {"loop-vectorize", "passed Vectorized"}: 1,
			{"regalloc", "missed LoopSpillReloadCopies"}: 2, {"asm-printer", "instruction JCC_#"}: 9,
		},
	} {
		counts, err := ParseRecord(testdata(t, file))
		require.NoError(t, err)
		for c, v := range want {
			assert.Equal(t, v, counts[c], "%s: %v", file, c)
		}
	}
}

const remark = `--- !Passed
Pass:            'loop-unroll'
Name:            Peeled2
DebugLoc:        { File: repro.c, Line: 5, Column: 56 }
Function:        f
Hotness:         3
Args:
  - String:          ' peeled
      loop '
...
`

func TestRecord(t *testing.T) {
	mix := "--- !Analysis\nPass: asm-printer\nName: InstructionMix\nArgs:\n" +
		"  - INST_MOV32rr:    '5'\n  - INST_MOV64rr: '2'\n  - INST_: '7'\n  - INST_X: 'y'\n...\n"
	counts, err := ParseRecord([]byte(remark + strings.Replace(remark, "Passed", "AnalysisAliasing", 1) + remark + mix))
	require.NoError(t, err)
	assert.Equal(t, Counts{
		{"loop-unroll", "passed Peeled#"}: 2, {"loop-unroll", "analysis Peeled#"}: 1,
		{"asm-printer", "analysis InstructionMix"}: 1, {"asm-printer", "instruction MOV#rr"}: 7,
	}, counts)

	counts, err = ParseRecord(nil)
	require.NoError(t, err)
	assert.Empty(t, counts)
}

func TestRecordUnknown(t *testing.T) {
	for _, bad := range []struct{ old, new, want string }{
		{"!Passed", "!Guessed", "line 11 is \"--- !Guessed\": unknown kind"},
		{"--- !Passed\n", "", "line 11 is"},
		{"...\n", "--- !Passed\n", "line 20 is"},
		{"...\n", "", "line 19: ends within"},
		{"Hotness:", "Warmth:", "line 16 is"},
		{"Hotness:         3", "Hotness", "line 16 is"},
		{"Pass: ", "Step: ", "line 12 is"},
		{"Pass:            'loop-unroll'\n", "", "line 19 is \"...\": a remark ends"},
		{"Name:            Peeled2", "Name:", "line 13 is"},
		{"...\n", "...\r\n", "line 20 is"},
		{remark, "REMARKS\x00\x00", "line 11 is"}, // the binary format
		{remark, "[]\n", "line 11 is"},
	} {
		_, err := ParseRecord([]byte(remark + strings.Replace(remark, bad.old, bad.new, 1)))
		assert.ErrorContains(t, err, bad.want, bad)
	}
}

func TestStats(t *testing.T) {
	counts, err := ParseStats([]byte(`{"adce.NumRemoved": 12, "gvn.NumGVN.x2": 0, "x86-isel.NumLoads2": 3, "file-search.NumDirLookups": 10, "time.pass.wall": 0.5}`))
	require.NoError(t, err)
	assert.Equal(t, Counts{{"adce", "NumRemoved"}: 12, {"x#-isel", "NumLoads#"}: 3}, counts)

	counts, err = ParseStats([]byte("{\n\n}\n"))
	require.NoError(t, err)
	assert.Empty(t, counts)

	for _, bad := range []string{"", "Statistics are disabled.", `{"adce": 1}`, `{"adce.": 1}`, `{"adce.x": "y"}`, `{"adce.x": -1}`, `{"adce.x": 1.5}`, `{"adce.x": [1]}`} {
		_, err := ParseStats([]byte(bad))
		assert.ErrorContains(t, err, "LLVM statistics", bad)
	}
}

func FuzzParsers(f *testing.F) {
	f.Add([]byte(remark))
	f.Add([]byte("39 ccp \"Statements folded\" 4\n"))
	f.Add([]byte(`{"adce.NumRemoved": 12}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for name, parse := range map[string]func([]byte) (Counts, error){"record": ParseRecord, "statistics": ParseStatistics, "stats": ParseStats} {
			counts, err := parse(text)
			if err != nil {
				continue
			}
			for c, v := range counts {
				assert.True(t, v > 0 && c.Pass != "" && c.Name != "", "%s: %v: %d", name, c, v)
			}
		}
	})
}
