package llvm

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/tools/need"
)

// found returns the compilers of some names, in boxes.
func found(t testing.TB, names ...string) (list []native.Toolchain, ws *compilers.Workspace) {
	t.Helper()
	env := compilers.EnvFrom(os.Environ())
	if _, err := os.Stat(env.Roots["trunk"]); err != nil {
		need.Missing(t, "trunk", "%v", err)
	}
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	wall, why, err := ws.Enclose(t.Context(), compilers.BoxAuto)
	require.NoError(t, err)
	if wall != compilers.Namespaces {
		need.Missing(t, "box", "%v", why)
	}
	env.CC, env.Space = strings.Join(names, ","), ws
	all, _, err := targets.Find(t.Context(), env)
	require.NoError(t, err)
	for _, target := range all {
		list = append(list, compilers.Plain(target).(native.Toolchain))
	}
	return list, ws
}

// harnessed tells how what Runnable returns runs with the bad code, and with that of a good way.
func harnessed(b *testing.B, tools Tools, test *Test) string {
	text, err := Runnable(test.String())
	if err != nil {
		return err.Error()
	}
	var said []string
	for _, args := range [][]string{test.Args, append(slices.Clone(test.Args), "-O0")} {
		if test.Tool == "opt" {
			return "opt"
		}
		code, o := tools.llc(args...).make(b.Context(), text, object)
		if o.Verdict == compilers.OK {
			job := compilers.Job{Files: []compilers.File{{Name: "f.o", Content: code}}, Mode: "-O0"}
			o = compilers.Test(b.Context(), tools.Clang, tools.Space, job, tools.Limits)
		}
		said = append(said, o.Verdict.String())
	}
	return strings.Join(said, ", ")
}

// BenchmarkFind makes a test in LLVM IR of each finding of clang-24 in the corpus.
func BenchmarkFind(b *testing.B) {
	files, err := filepath.Glob("../../corpus/*clang-24*.txtar")
	require.NoError(b, err)
	var lines []int
	var cpu []float64
	for _, file := range files {
		e, err := corpus.Load(file)
		require.NoError(b, err)
		b.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(b *testing.B) {
			for b.Loop() {
				flags := strings.Join(e.Flags, " ")
				clangs, ws := found(b, "clang-24@trunk "+flags, "clang-23@trunk "+flags)
				tools, err := Beside(clangs[0], ws, compilers.DefaultLimits())
				require.NoError(b, err)
				verdict, err := compilers.ParseVerdict(e.Verdict)
				require.NoError(b, err)
				before := compilers.SelfCPU() + ws.ChildrenCPU()
				job := compilers.Job{Files: compilers.Single([]byte(e.Reduced)), Mode: e.Mode}
				test, err := Find(b.Context(), tools, Finding{Job: job, Verdict: verdict, Others: clangs[1:]})
				spent := (compilers.SelfCPU() + ws.ChildrenCPU() - before).Seconds()
				cpu = append(cpu, spent)
				if err != nil {
					fmt.Printf("%s: %.1f CPU s: %v\n", file, spent, err)
					continue
				}
				lines = append(lines, test.Lines)
				fmt.Printf("%s: %.1f CPU s, %d candidates, %d lines, runs %s, %v\n%s", file, spent, test.Asked, test.Lines, harnessed(b, tools, test), test.Targets, test)
			}
		})
	}
	slices.Sort(lines)
	slices.Sort(cpu)
	if len(lines) > 0 {
		fmt.Printf("%d of %d; median %d lines, %.1f CPU s\n", len(lines), len(cpu), lines[len(lines)/2], cpu[len(cpu)/2])
	}
}
