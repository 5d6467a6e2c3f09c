package pool_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/oracle"
	"goreify/reify/others/csource"
	"goreify/reify/others/pool"
	"goreify/tools/need"
)

// judges returns an oracle of gcc and clang.
func judges(t *testing.T) *oracle.Oracle {
	need.Command(t, "gcc")
	need.Command(t, "clang")
	found, named, err := targets.Find(t.Context(), compilers.Env{Path: os.Getenv("PATH"), CC: "gcc,clang", Modes: "-O1"})
	require.NoError(t, err)
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, space.Close()) })
	o, err := oracle.New(t.Context(), space, found, named)
	require.NoError(t, err)
	return o
}

const good = `#include <stdio.h>
int main(void) { int i, n = 0; for (i = 0; i < 9; i++) if (i == 12) n = 7; else n += i; printf("%d\n", n); return 0; }
`

// What is admitted is known with its answer and with what of it is executed, and
// what is refused with the reason.
func TestAdmission(t *testing.T) {
	need.Long(t)
	o := judges(t)
	j, err := pool.NewJudge(o.Targets, o.Sanitizers, o.Space)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "new", "pool.db")
	p, err := pool.Open(path)
	require.NoError(t, err)
	seed, err := j.Admit(t.Context(), pool.Candidate{Name: "good.c", Text: []byte(good)})
	require.NoError(t, err)
	assert.Equal(t, "36\n", string(seed.Want))
	for _, want := range []bool{true, false} {
		added, err := p.Add(seed)
		require.NoError(t, err)
		assert.Equal(t, want, added)
	}

	program := func(body string) string {
		return "#include <stdio.h>\nint a[3];\nint main(int argc, char **argv)\n{\n\t" + body + "\n\treturn 0;\n}\n"
	}
	refused := map[string]int{}
	for _, tt := range []struct{ reason, text, says string }{
		{pool.ReasonParse, "int main(void) { return }", "bad.c:1:"},
		{pool.ReasonParse, "#include <pthread.h>\n", "pthread.h"},
		{pool.ReasonLarge, program("puts(\"" + strings.Repeat("x", pool.MaxText) + "\");"), "1048576 are the most"},
		{pool.ReasonStatus, program("puts(\"x\"); return 1;"), "exit status 1"},
		{pool.ReasonStatus, program("return 3;"), "exit status 3"},
		{pool.ReasonSilent, program(";"), "prints nothing"},
		{pool.ReasonOutput, program("printf(\"x\");"), "does not end in a newline"},
		{pool.ReasonOutput, program("puts(\"x\\n-- a --\");"), "starts with two dashes"},
		{pool.ReasonParse, "#include <stdio.h>\nint main(void) { extern int rand(void); printf(\"%d\\n\", rand() * 0); return 0; }", "needs rand"},
		{pool.ReasonEndless, program("for (;;) a[0]++;"), "CPU time"},
		{pool.ReasonCrash, program("puts(\"x\"); *(volatile int *)0 = 1;"), "SIGSEGV"},
		{pool.ReasonDiffers, program("printf(\"%p\\n\", (void *)&argc);"), "printed"},
		{pool.ReasonSanitizer, program("int n = 2147483647; n += argc; printf(\"%d\\n\", n);"), "signed integer overflow"},
		{pool.ReasonSanitizer, program("printf(\"%d\\n\", a[argc + 2] * 0);"), "index 3 out of bounds"},
	} {
		_, err := j.Admit(t.Context(), pool.Candidate{Name: "bad.c", Text: []byte(tt.text)})
		var r *pool.Refusal
		require.ErrorAs(t, err, &r, "%s", tt.text)
		assert.Equal(t, tt.reason, r.Reason, "%v", err)
		assert.ErrorContains(t, err, tt.says)
		assert.ErrorContains(t, err, "bad.c")
		require.NoError(t, p.Refuse(r))
		refused[r.Reason]++
		admitted, again, err := p.Known(r.Sum)
		require.NoError(t, err)
		assert.True(t, again && !admitted)
	}
	status, err := p.Status()
	require.NoError(t, err)
	assert.Equal(t, 1, status.Seeds)
	for _, c := range status.Refusals {
		assert.Equal(t, refused[c.Reason], c.Count, c.Reason)
		delete(refused, c.Reason)
	}
	assert.Empty(t, refused)
	require.NoError(t, p.Close())

	// It is read back, with the profile.
	p, err = pool.Read(path)
	require.NoError(t, err)
	sums, err := p.Sums()
	require.NoError(t, err)
	require.Equal(t, []string{seed.Sum}, sums)
	back, err := p.Seed(seed.Sum)
	require.NoError(t, err)
	assert.Equal(t, seed, back)
	profile, err := back.Profile()
	require.NoError(t, err)
	dead := 0
	for i, s := range profile.Program.Stmts {
		if text := string(profile.Program.Text[s.From:s.To]); profile.Hits[i] == 0 && text == "n = 7;" {
			dead++
		}
	}
	assert.Equal(t, 1, dead)
	assert.NotEmpty(t, profile.Rows)

	require.NoError(t, p.Ban(seed.Sum, "no good"))
	require.NoError(t, p.Ban(seed.Sum, "another reason"))
	_, err = p.Seed(seed.Sum)
	require.ErrorIs(t, err, pool.ErrGone)
	assert.ErrorContains(t, err, "(no good)")
	sums, err = p.Sums()
	require.NoError(t, err)
	assert.Empty(t, sums)
	_, err = p.Seed("0123456789abcdef")
	assert.ErrorIs(t, err, pool.ErrGone)
	require.NoError(t, p.Close())
}

// What a program executes is what it does with any of its inputs, and its answer what
// it prints with all, one after the other.
func TestInputs(t *testing.T) {
	need.Long(t)
	o := judges(t)
	j, err := pool.NewJudge(o.Targets, o.Sanitizers, o.Space)
	require.NoError(t, err)
	k := pool.Candidate{Name: "calc.c", Text: []byte(`#include <stdio.h>
#include <stdlib.h>
int spare, calls;
int main(int argc, char **argv)
{
	int n, sum = 0;
	calls++;
	if (argc != 2) { puts("usage"); exit(0); }
	while (scanf("%d", &n) == 1) sum += n;
	if (argv[1][0] == '+') printf("%d %d\n", sum, calls);
	else if (argv[1][0] == '?') printf("%c\n", sum % 26 + 'a');
	else { spare = sum; printf("%d\n", spare); }
}
`)}
	dead := func(inputs ...csource.Input) (want string, dead []string) {
		k.Inputs = inputs
		seed, err := j.Admit(t.Context(), k)
		require.NoError(t, err)
		p, err := seed.Profile()
		require.NoError(t, err)
		for i, ok := range p.Program.Deletable(p.Hits) {
			if s := p.Program.Stmts[i]; ok && s.Next == i+1 {
				dead = append(dead, string(p.Program.Text[s.From:s.To]))
			}
		}
		return string(seed.Want), dead
	}
	plus := csource.Input{Args: []string{"+"}, Stdin: []byte("1 2\n3\n")}
	want, left := dead(plus)
	assert.Equal(t, "6 1\n", want)
	assert.Equal(t, []string{`puts("usage");`, "exit(0);", `printf("%c\n", sum % 26 + 'a');`, "spare = sum;", `printf("%d\n", spare);`}, left)
	want, left = dead(plus, csource.Input{Args: []string{"??/"}, Stdin: []byte("27")}, csource.Input{}, plus)
	assert.Equal(t, "6 1\nb\nusage\n6 1\n", want)
	assert.Equal(t, []string{"spare = sum;", `printf("%d\n", spare);`}, left)

	// The status of each counts, and what cannot have inputs is refused.
	k.Text = []byte("#include <stdio.h>\nint main(int n, char **v) { puts(v[1]); return n > 2; }\n")
	k.Inputs = []csource.Input{{Args: []string{"a"}}, {Args: []string{"a", "b"}}}
	_, err = j.Admit(t.Context(), k)
	assert.ErrorContains(t, err, "exit status 1")
	for text, says := range map[string]string{
		"int main(int n, char **v, char **e) { return 0; }":           "main has 3 parameters",
		"void main(void) { }":                                         "no main that returns int",
		"int write(int n) { return n; } int main(void) { return 0; }": "it defines write",
	} {
		k.Text = []byte(text)
		_, err = pool.Prepare(k)
		assert.ErrorContains(t, err, says)
		var r *pool.Refusal
		require.ErrorAs(t, err, &r)
		assert.NotEqual(t, pool.Sum(k.Text), r.Sum, "without inputs it may be a seed")
	}
	k.Text, k.Inputs = []byte("int main(void) { return 0; }"), []csource.Input{{Stdin: make([]byte, csource.MaxStdin+1)}}
	_, err = pool.Prepare(k)
	assert.ErrorContains(t, err, "32768 are the most")
}

// A program that prints nothing tells that it came to its end; its checks stay.
func TestSilent(t *testing.T) {
	need.Long(t)
	o := judges(t)
	j, err := pool.NewJudge(o.Targets, o.Sanitizers, o.Space)
	require.NoError(t, err)
	k := pool.Candidate{Name: "silent.c", Text: []byte("void abort(void);\nint n = 3;\nint main(void) { if (n != 3) abort(); if (n > 3) n++; return 0; }\n")}
	seed, err := j.Admit(t.Context(), k)
	require.NoError(t, err)
	assert.Equal(t, "ended\n", string(seed.Want))
	text, err := pool.Prepare(k)
	require.NoError(t, err)
	assert.Equal(t, pool.Sum(text), seed.Sum)
	p, err := seed.Profile()
	require.NoError(t, err)
	var deleted []string
	for i, ok := range p.Program.Deletable(p.Hits) {
		if s := p.Program.Stmts[i]; ok {
			deleted = append(deleted, string(p.Program.Text[s.From:s.To]))
		}
	}
	assert.Equal(t, []string{"n++;"}, deleted)
	k.Text = []byte("void abort(void);\nint main(void) { abort(); }\n")
	_, err = j.Admit(t.Context(), k)
	assert.ErrorContains(t, err, "SIGABRT")
}

// Two who make a pool at a time make one.
func TestOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pool.db")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if p, err := pool.Open(path); assert.NoError(t, err) {
				assert.NoError(t, p.Close())
			}
		})
	}
	group.Wait()
}

// What csmith made is not put to sanitizers, and headers are found where it says.
func TestTrusted(t *testing.T) {
	o := judges(t)
	j, err := pool.NewJudge(o.Targets, nil, o.Space)
	require.NoError(t, err)
	k := pool.Candidate{Name: "a.c", Text: []byte("#include <stdio.h>\n#include \"n.h\"\nint main(void) { printf(\"%d\\n\", N); return 0; }\n"),
		Dirs: []fs.FS{fstest.MapFS{"n.h": {Data: []byte("#define N 4\n")}}}}
	_, err = j.Admit(t.Context(), k)
	assert.ErrorContains(t, err, "sanitizers of gcc and of clang are needed")
	assert.NotErrorAs(t, err, new(*pool.Refusal))
	k.Trusted = true
	seed, err := j.Admit(t.Context(), k)
	require.NoError(t, err)
	assert.Equal(t, "4\n", string(seed.Want))

	// A machine that gives no answer refuses nothing.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = j.Admit(ctx, k)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = pool.NewJudge(o.Targets[:1], nil, o.Space)
	assert.ErrorContains(t, err, "gcc and clang must agree on the output of a program, and only [")
}

// What is no pool, or none that is whole, is left alone.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing.db")
	_, err := pool.Read(missing)
	assert.ErrorContains(t, err, "reify others add -n 100 -db "+missing)
	assert.NoFileExists(t, missing)
	for name, text := range map[string]string{"text.db": "a poem\n", "sqlite.db": "SQLite format 3\x00" + strings.Repeat("\x00", 200)} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		for _, open := range []func(string) (*pool.Pool, error){pool.Open, pool.Read} {
			_, err := open(path)
			require.ErrorIs(t, err, pool.ErrForeign)
		}
		left, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, text, string(left))
	}
	path := filepath.Join(dir, "pool.db")
	p, err := pool.Open(path)
	require.NoError(t, err)
	require.NoError(t, p.Close())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := 4096; i < len(data); i++ {
		data[i] ^= 0xa5
	}
	require.NoError(t, os.WriteFile(path, data, 0o600))
	_, err = pool.Read(path)
	assert.ErrorContains(t, err, "the pool is damaged")
	require.NoError(t, os.Truncate(path, 0)) // as by a command that was killed when it made the file
	p, err = pool.Open(path)
	require.NoError(t, err)
	require.NoError(t, p.Close())
}

// Options of csmith are those of the number, and differ.
func TestCsmithOptions(t *testing.T) {
	distinct := map[string]bool{}
	for n := range uint64(50) {
		options := pool.CsmithOptions(n)
		assert.Equal(t, options, pool.CsmithOptions(n))
		assert.Contains(t, options, "--no-unions")
		distinct[strings.Join(options, " ")] = true
	}
	assert.Greater(t, len(distinct), 40)
}
