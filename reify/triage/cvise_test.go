package triage

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/tools/need"
)

const plainC = `int printf(const char *, ...);
#ifndef WRONG
#define WRONG 0
#endif
static int unused(int a)
{
    return a - 1;
}
int main(void)
{
    int x = 14;

    unused(3);
    printf("%d\n", x * 3 + WRONG);
    return 0;
}
`

// cFileOf returns plainC, or another text, with a compiler that is gcc but for
// what script does at -O2 if the text has a product with 3.
func cFileOf(t *testing.T, text, script string) CFile {
	t.Helper()
	gcc := need.Command(t, "gcc")
	tool := filepath.Join(t.TempDir(), "gcc-99")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\ncase $* in *-O2*) grep -q 'x \\* 3' test.c && "+script+" ;; esac\nexec gcc \"$@\"\n"), 0o755))
	right := native.Toolchain{Name: gcc, Family: "gcc"}
	return CFile{
		Source: []byte(text), Target: native.Toolchain{Name: tool, Family: "gcc"}, Mode: "-O2",
		Judges: [2]compilers.Target{right, right}, Sanitized: []compilers.Target{right.With("-fsanitize=undefined,address", "-fno-sanitize-recover=all")},
	}
}

// The script finds out how a file fails, and what is wrong with one that is not
// fit to be reduced.
func TestInteresting(t *testing.T) {
	need.Long(t)
	for name, tt := range map[string]struct {
		text, script, want string
		complaint          string
	}{
		"wrong":      {plainC, `exec gcc -DWRONG=1 "$@"`, "wrong", ""},
		"crash":      {plainC, `exec gcc '-DWRONG=*(volatile int *)0' "$@"`, "crash", ""},
		"ice":        {plainC, `{ echo "test.c:1: internal compiler error: in f, at g.c:1"; exit 1; }`, "ice", ""},
		"right":      {plainC, `true`, "", "wrong: it is right"},
		"undefined":  {"int printf(const char *, ...);\n#ifndef WRONG\n#define WRONG 0\n#endif\nint g[2]; int main(void) { volatile int x = 2; printf(\"%d\\n\", (x * 3, g[x]) + WRONG); }\n", `exec gcc -DWRONG=1 "$@"`, "", "a sanitizer complains"},
		"overflow":   {"int printf(const char *, ...);\n#ifndef WRONG\n#define WRONG 0\n#endif\nint main(void) { volatile int x = 2147483647; x = x * 3; printf(\"%d\\n\", WRONG); }\n", `exec gcc -DWRONG=1 "$@"`, "", "a sanitizer complains"},
		"assumption": {"int printf(const char *, ...);\n#if !defined(__builtin_assume)\n#define __builtin_assume(x)\n#endif\n#ifndef WRONG\n#define WRONG 0\n#endif\nint main(void) { volatile int x = 2; int y = x * 3; __builtin_assume(y == 5); printf(\"%d\\n\", y + WRONG); }\n", `exec gcc -DWRONG=1 "$@"`, "", "a sanitizer complains"},
	} {
		t.Run(name, func(t *testing.T) {
			f, space := cFileOf(t, tt.text, tt.script), workspace(t)
			dir, err := space.NewDir()
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "test.c"), f.Source, 0o600))
			got, _, err := attempt{f, space, dir}.prepare(t.Context())
			assert.Equal(t, tt.want, got)
			if tt.complaint == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, tt.complaint)
			}
		})
	}
}

func TestCvise(t *testing.T) {
	need.Long(t)
	f := cFileOf(t, plainC, `exec gcc -DWRONG=1 "$@"`)
	if _, err := exec.LookPath("cvise"); err != nil {
		need.Partly(t, "cvise", "cvise, but for its absence: %v", err)
	} else {
		space := workspace(t)
		wall, reason, err := space.Enclose(t.Context(), compilers.BoxAuto)
		require.NoError(t, err)
		t.Log(wall, reason)
		space.Show(compilers.Dirs(f.Target.(native.Toolchain).Name)...)
		r, err := Cvise(t.Context(), space, f, 2*time.Second, 1)
		require.NoError(t, err)
		assert.Equal(t, "wrong", r.Failing)
		assert.Contains(t, string(r.Source), "x * 3")
		assert.Positive(t, r.CPU)
	}
	t.Setenv("PATH", t.TempDir())
	_, err := Cvise(t.Context(), workspace(t), f, 0, 1)
	require.ErrorIs(t, err, ErrNoCvise)
}

// When its time is up cvise is stopped, with its children; what it has come to
// counts, and nothing is left behind.
func TestCviseIsStopped(t *testing.T) {
	need.Long(t)
	f := cFileOf(t, plainC, `exec gcc -DWRONG=1 "$@"`)
	bin, tmp := t.TempDir(), t.TempDir()
	pid := filepath.Join(bin, "pid")
	fake := "#!/bin/sh\nmktemp -d >/dev/null\necho '/* smaller */' >>test.c\n(trap '' TERM; exec sleep 1000 >/dev/null 2>&1) &\necho $! >" + pid + "\nexec sleep 1000\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "cvise"), []byte(fake), 0o700))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("TMPDIR", tmp)
	space := workspace(t)
	r, err := Cvise(t.Context(), space, f, time.Second, 1)
	require.NoError(t, err)
	assert.Contains(t, string(r.Source), "smaller")
	assert.False(t, r.Finished)
	require.NoError(t, space.Close())
	left, err := filepath.Glob(filepath.Join(tmp, "*", "*", "*"))
	require.NoError(t, err)
	assert.Empty(t, left)
	text, err := os.ReadFile(pid)
	require.NoError(t, err)
	child, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	assert.Eventually(t, func() bool { return syscall.Kill(child, 0) != nil }, 10*time.Second, 10*time.Millisecond)
}

// A program leads files of its directory out of it, and neither is what is there written
// nor printed.
func TestCviseOfIllWill(t *testing.T) {
	need.Long(t)
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	for _, name := range []string{"interesting.sh", "test.c", "ice.txt"} {
		// The program is the one at -O2, as the others have no warnings to be tried without.
		link := strings.Replace(plainC, "int main(void)\n{", "int unlink(const char *), symlink(const char *, const char *);\nint main(void)\n{\n    if (WRONG)\n        unlink(\""+name+"\"), symlink(\""+secret+"\", \""+name+"\");\n", 1)
		f := cFileOf(t, link, `exec gcc -DWRONG=1 "$@"`)
		bin := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(bin, "cvise"), []byte("#!/bin/sh\nexit 0\n"), 0o700))
		t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
		r, err := Cvise(t.Context(), workspace(t), f, 0, 1)
		if err == nil {
			assert.Equal(t, link, string(r.Source), name)
		}
		text, err := os.ReadFile(secret)
		require.NoError(t, err)
		assert.Equal(t, "secret", string(text), name)
	}
}

// Another internal error than that of the file is not interesting.
func TestInterestingError(t *testing.T) {
	need.Long(t)
	f, space := cFileOf(t, plainC, `{ echo "test.c:1: internal compiler error: in $(cat where), at g.c:1"; exit 1; }`), workspace(t)
	dir, err := space.NewDir()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "test.c"), f.Source, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "where"), []byte("fold"), 0o600))
	got, script, err := attempt{f, space, dir}.prepare(t.Context())
	require.NoError(t, err)
	interesting := func(where string) error {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "where"), []byte(where), 0o600))
		return attempt{f, space, dir}.interesting(t.Context(), script)
	}
	assert.Equal(t, "ice", got)
	assert.NoError(t, interesting("fold"))
	assert.Error(t, interesting("gimplify"))

	for text, want := range map[string]string{
		"clang: /a/b.cpp:7: void f(): Assertion `x && \"y\"' failed.\nPLEASE submit a bug report": "Assertion `x && \"y\"' failed",
		"Stack dump:\n3.\tRunning pass \"instcombine<max-iterations=1>\" on function \"f\"":       `Running pass "instcombine`,
		"PLEASE submit a bug report": "",
	} {
		assert.Equal(t, want, native.ErrorMark(text))
	}
}

// A program that prints for ever does not fill the disk.
func TestInterestingOutput(t *testing.T) {
	const text = "int printf(const char *, ...);\nint main(void) { volatile int x = 1; for (;;) printf(\"%0999d\\n\", x * 3); }\n"
	f, dir := cFileOf(t, text, "true"), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "test.c"), f.Source, 0o600))
	_, _, err := attempt{f, nil, dir}.prepare(t.Context())
	require.ErrorContains(t, err, "does not end by itself")
	info, err := os.Stat(filepath.Join(dir, "one.txt"))
	require.NoError(t, err)
	assert.LessOrEqual(t, info.Size(), int64(2<<20))
}
