package jvm_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	engines "goreify/compilers/jvm"
	"goreify/reify"
	"goreify/reify/emit/jvm"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

// cases makes functions of a profile, as many as there are seeds less those without
// a case and those that are too large.
func cases(t testing.TB, profile string, first, n int) (list []*reify.Case) {
	p, err := reify.FindProfile(profile)
	require.NoError(t, err)
	p = p.Without(jvm.Masked...)
	for i := range n {
		r := reify.FromSeed(uint64(first + i))
		k, err := reify.Make(fmt.Sprintf("f%d", first+i), r, p.Configure(r), search.Engine{})
		if solve.Unsolved(err) {
			continue
		}
		require.NoError(t, err)
		if err := jvm.Supports(k.Func); err != nil {
			require.ErrorIs(t, err, jvm.ErrUnsupported)
			continue
		}
		list = append(list, k)
	}
	return list
}

func units(list []*reify.Case) (all []jvm.Unit) {
	for _, k := range list {
		all = append(all, jvm.Unit{Claim: k.Claim, More: k.More, Style: jvm.DrawStyle(k.Recipe.Style().Fork("jvm"))})
	}
	return all
}

// count returns the number that an environment variable has, or another one.
func count(t testing.TB, name string, usual int) int {
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// All that is drawn of all profiles can be written, in styles of all kinds, and HotSpot's
// interpreter agrees with ours. ANSWERS is the number of functions of each.
func TestAnswers(t *testing.T) {
	path := need.Command(t, "java")
	found, unknown, err := engines.Finder.Find(t.Context(), compilers.Env{CC: "java=" + path, Path: os.Getenv("PATH")})
	require.NoError(t, err)
	require.Empty(t, unknown)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	defer ws.Close()
	machine, err := found[0].(compilers.Linker).LinkDirectly(t.Context(), ws, compilers.DefaultLimits())
	require.NoError(t, err)
	n, total := count(t, "ANSWERS", 8), 0
	for _, profile := range reify.Profiles() {
		if profile == "calls" {
			continue
		}
		for first := 0; first < n; first += 60 {
			list := units(cases(t, profile, first, min(60, n-first)))
			if len(list) == 0 {
				continue
			}
			list[0].Style.Frames = total%2 == 1
			total++
			c := jvm.Emit(list)
			job := compilers.Job{Files: []compilers.File{{Name: engines.MainFile, Content: engines.Encode(c.Binary)}}, Want: []byte(strings.Join(c.Answers, "")), Mode: machine.Reference()}
			o := compilers.Test(t.Context(), machine, ws, job, compilers.DefaultLimits().ForFunctions(len(list)))
			assert.Equal(t, compilers.OK, o.Verdict, "%s, from %d: %v", profile, first, o)
		}
	}
}
