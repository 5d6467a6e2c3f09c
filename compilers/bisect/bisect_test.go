package bisect

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
)

func TestTry(t *testing.T) {
	only := os.Getenv("BISECT")
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer ws.Close()
	entries := corpus.LoadDir("../../corpus")
	for _, e := range entries {
		tcs, err := compilers.Find(t.Context(), compilers.Env{Path: os.Getenv("PATH"), CC: e.Entry.Compiler})
		require.NoError(t, err)
		job := compilers.Job{Source: []byte(e.Entry.Sources[corpus.Main]), Want: []byte(e.Entry.Want), Level: e.Entry.Level, Extra: e.Entry.Flags}
		if only != "" && !strings.Contains(e.Path, only) {
			continue
		}
		limits := compilers.DefaultLimits()
		limits.RunCPU = 100 * time.Millisecond
		first := tcs[0].Test(t.Context(), ws, job, limits)
		b, err := Find(t.Context(), NewTest(tcs[0], ws, job, limits, first))
		fmt.Println(e.Path, first.Verdict, b, err)
		if b != nil {
			fmt.Println("   wrapv", b.Wrapv, "nsa", b.NoStrictAliasing, b.Tests, b.CPU)
		}
	}
}

func TestMinimal(t *testing.T) {
	all := strings.Fields("a b c d e f g h i j k l m n o p")
	for _, want := range []string{"a", "p", "h", "a p", "b c", "d h l", "a b c d e f g h i j k l m n o p"} {
		need := strings.Fields(want)
		tests := 0
		got := minimal(all, func(list []string) bool {
			tests++
			for _, n := range need {
				if !slices.Contains(list, n) {
					return false
				}
			}
			return true
		})
		assert.Equal(t, need, got)
		assert.LessOrEqual(t, tests, 120, want)
	}
}
