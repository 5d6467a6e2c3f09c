package csource_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/others/csource"
	"goreify/tools/need"
)

// build compiles a text and runs it, and returns what it prints; it must return 0.
// A text for which that fails stays in the directory of temporary files.
func build(t *testing.T, text []byte, args ...string) []byte {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.c")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args = append(args, "-w", "-o", filepath.Join(dir, "a"), file)
	out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput()
	if err != nil {
		keep := filepath.Join(os.TempDir(), "csource-failed.c")
		_ = os.WriteFile(keep, text, 0o600)
		t.Fatalf("%v: %v\n%s", args, err, out[:min(len(out), 2000)])
	}
	var stdout bytes.Buffer
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "a"))
	cmd.Stdout = &stdout
	if err = cmd.Run(); err != nil {
		_ = os.WriteFile(filepath.Join(os.TempDir(), "csource-failed.c"), text, 0o600)
		t.Fatalf("run: %v", err)
	}
	return stdout.Bytes()
}

var (
	ofC      = flag.String("files", "", "pattern of files of C to test with, as far as they are parsed")
	ofCsmith = flag.String("csmith", "", "seeds of csmith's programs to test with, 1-500")
)

// programs returns those of testdata, or those that the flags name.
func programs(t *testing.T) map[string]*csource.Program {
	list := map[string]*csource.Program{}
	add := func(name string, text []byte) error {
		text, err := csource.Preprocess(name, text, csource.LP64, os.DirFS("/usr/include/csmith"))
		if err != nil {
			return err
		}
		p, err := csource.Parse(name, text, csource.LP64)
		if err == nil {
			list[name] = p
		}
		return err
	}
	pattern, seeds := *ofC, *ofCsmith
	own := pattern == "" && seeds == ""
	if own {
		pattern = "testdata/*.c"
	}
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		err = add(filepath.Base(f), text)
		assert.True(t, !own || err == nil, "%v", err)
	}
	first, last := 1, 0
	if seeds != "" {
		_, err := fmt.Sscanf(seeds, "%d-%d", &first, &last)
		require.NoError(t, err)
	}
	for seed := first; seed <= last; seed++ {
		text := csmith(t, seed)
		require.NoError(t, add(fmt.Sprintf("csmith-%d.c", seed), text))
	}
	return list
}

// csmith returns the program of a seed. It runs where it may leave platform.info.
func csmith(t testing.TB, seed int) []byte {
	cmd := exec.Command(need.Command(t, "csmith"), "--seed", strconv.Itoa(seed))
	cmd.Dir = t.TempDir()
	text, err := cmd.Output()
	require.NoError(t, err)
	return text
}

// ends says whether a program compiles and returns 0 within some seconds.
func ends(t *testing.T, gcc string, text []byte) bool {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	bin := filepath.Join(t.TempDir(), "seed")
	cmd := exec.CommandContext(ctx, gcc, "-O1", "-w", "-x", "c", "-o", bin, "-")
	cmd.Stdin = bytes.NewReader(text)
	return cmd.Run() == nil && exec.CommandContext(ctx, bin).Run() == nil
}

// What a program's destructors execute is counted, too.
func TestDestructors(t *testing.T) {
	need.Long(t)
	text := "int n;\n__attribute__((destructor)) static void end(void) { n = 1; }\nint main(void) { return 0; }\n"
	p, err := csource.Parse("a.c", []byte(text), csource.LP64)
	require.NoError(t, err)
	for _, family := range []string{"gcc", "clang"} {
		_, hits, err := p.Hits(build(t, p.Counters(), need.Command(t, family), "-O0"))
		require.NoError(t, err)
		assert.Equal(t, []uint32{1, 1}, hits, family)
	}
}

// callees are two functions that Inject has programs call, and one for dead code.
var callees = []csource.Callee{
	{Name: "r1a", Params: []string{"unsigned", "signed char"}, Answers: []csource.Answer{{[]int64{4294967290, -3}, -9}, {[]int64{7, 5}, 12}},
		Text: "long long r1a(unsigned x, signed char y) { return (int)x + y; }"},
	{Name: "r2b", Params: []string{"unsigned long long"}, Answers: []csource.Answer{{[]int64{-1}, -2}, {[]int64{1 << 40}, 2 << 40}, {[]int64{0}, 0}},
		Text: "struct r2b_s { int a; };\nunsigned long long r2b(unsigned long long x) { return x + x; }\n"},
	{Name: "r3c", Params: []string{"int"}, Text: "int r3c(int x) { return *(int *)(__UINTPTR_TYPE__)x / 0; }"},
}

// TestVariants asks compilers at -O0: variants of all kinds print what the seed
// prints, and what was never executed in the seed is not in a variant.
func TestVariants(t *testing.T) {
	need.Long(t)
	gcc := []string{need.Command(t, "gcc"), "-O0"}
	clang := []string{need.Command(t, "clang"), "-O0"}
	for name, p := range programs(t) {
		t.Run(name, func(t *testing.T) {
			if !ends(t, gcc[0], p.Text) {
				t.Skip("does not compile, fails or does not end in time")
			}
			want := build(t, p.Text, gcc...)
			printed, hits, err := p.Hits(build(t, p.Counters(), gcc...))
			require.NoError(t, err)
			require.Equal(t, string(want), string(printed))
			// A function named as one of the library may be executed by one family only.
			_, also, err := p.Hits(build(t, p.Counters(), clang...))
			require.NoError(t, err)
			for i := range hits {
				hits[i] = max(hits[i], also[i])
			}
			dead, live := 0, 0
			for i, h := range hits {
				if p.Stmts[i].Kind == csource.Declaration {
				} else if h == 0 {
					dead++
				} else {
					live++
				}
			}
			points := p.Points(hits)
			if len(points) > 60 {
				s := choice.From(3)
				s.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
				points = points[:60]
			}
			var rows [2][]csource.Rows
			for i, cc := range [][]string{gcc, clang} {
				printed, rows[i], err = p.Rows(points, build(t, p.Values(points), cc...))
				require.NoError(t, err)
				require.Equal(t, string(want), string(printed))
			}
			common := csource.Common(rows[0], rows[1])
			t.Logf("%d statements dead, %d live, %d points, %d bytes", dead, live, len(common), len(p.Text))
			made := 0
			for n := range uint64(3) {
				prune := csource.Prune(p, hits, csource.Orion, choice.From(n))
				insert := csource.Insert(p, hits, csource.Options{Edits: 20}, choice.From(n))
				guard := csource.Guard(p, common, csource.Options{Edits: 30}, choice.From(n))
				inject := csource.Inject(p, hits, common, callees, csource.Options{Edits: 30}, choice.From(n))
				all := slices.Concat(guard, prune, insert)
				made += len(all)
				for i, edits := range [][]csource.Edit{prune, insert, guard, all, inject} {
					text := p.Apply(edits)
					cc := gcc
					if (int(n)+i)%2 == 1 {
						cc = clang
					}
					assert.Equal(t, string(want), string(build(t, text, cc...)), "%d %d", n, i)
					_, err := csource.Parse(name, text, p.Model)
					assert.NoError(t, err)
				}
			}
			t.Logf("%d edits", made)
			assert.True(t, made > 0 || *ofC != "")
			var edits []csource.Edit
			edits, err = csource.Rename(p, "p0_")
			if *ofC != "" && err != nil {
				return // assembly
			}
			require.NoError(t, err)
			one := p.Apply(edits)
			edits, err = csource.Rename(p, "p1_")
			require.NoError(t, err)
			two := p.Apply(edits)
			call := "\nint main(int c, char **v) { return ((int (*)(int, char **))p0_main)(c, v); }\n"
			both := slices.Concat(one, two, []byte(call))
			assert.Equal(t, string(want), string(build(t, both, clang...)))
		})
	}
}
