package triage

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
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
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skipf("NOT TESTED: %v", err)
	}
	tool := filepath.Join(t.TempDir(), "gcc-99")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\ncase $* in *-O2*) grep -q 'x \\* 3' test.c && "+script+" ;; esac\nexec gcc \"$@\"\n"), 0o700))
	right := compilers.Toolchain{Name: "gcc", Path: gcc, Family: compilers.GCC}
	return CFile{
		Source: []byte(text), Tool: compilers.Toolchain{Name: "gcc-99", Path: tool, Family: compilers.GCC}, Level: "-O2",
		GCC: right, Clang: right, Sanitized: []compilers.Toolchain{right.Sanitized()},
	}
}

// The script finds out how a file fails, and what is wrong with one that is not
// fit to be reduced.
func TestInteresting(t *testing.T) {
	for name, tt := range map[string]struct {
		text, script, want string
		complaint          string
	}{
		"wrong":     {plainC, `exec gcc -DWRONG=1 "$@"`, "wrong", ""},
		"crash":     {plainC, `exec gcc '-DWRONG=*(volatile int *)0' "$@"`, "crash", ""},
		"ice":       {plainC, `{ echo "test.c:1: internal compiler error: in f, at g.c:1"; exit 1; }`, "ice", ""},
		"right":     {plainC, `true`, "", "wrong: it is right"},
		"undefined": {"int printf(const char *, ...);\nint g[2]; int main(void) { volatile int x = 2; printf(\"%d\\n\", (x * 3, g[x]) + WRONG); }\n", `exec gcc -DWRONG=1 "$@"`, "", "at -O0"},
		"overflow":  {"int printf(const char *, ...);\n#ifndef WRONG\n#define WRONG 0\n#endif\nint main(void) { volatile int x = 2147483647; x = x * 3; printf(\"%d\\n\", WRONG); }\n", `exec gcc -DWRONG=1 "$@"`, "", "a sanitizer complains"},
	} {
		t.Run(name, func(t *testing.T) {
			f, dir := cFileOf(t, tt.text, tt.script), t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "test.c"), f.Source, 0o600))
			got, err := f.prepare(t.Context(), dir, filepath.Join(dir, "interesting.sh"))
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
	f := cFileOf(t, plainC, `exec gcc -DWRONG=1 "$@"`)
	if _, err := exec.LookPath("cvise"); err != nil {
		t.Logf("NOT TESTED but for its absence: %v", err)
	} else {
		r, err := Cvise(t.Context(), f, 4*time.Second, 1)
		require.NoError(t, err)
		assert.Equal(t, "wrong", r.Failing)
		assert.Contains(t, string(r.Source), "x * 3")
		assert.LessOrEqual(t, len(r.Source), len(plainC))
		assert.Positive(t, r.CPU)
	}
	t.Setenv("PATH", t.TempDir())
	_, err := Cvise(t.Context(), f, 0, 1)
	require.ErrorIs(t, err, ErrNoCvise)
}
