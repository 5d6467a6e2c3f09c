package need

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A fake is a test that only notes what becomes of it.
type fake struct {
	testing.TB
	failed, skipped, done bool
	text                  string
}

func (f *fake) Helper()                   {}
func (f *fake) Failed() bool              { return f.failed }
func (f *fake) Log(args ...any)           { f.text += fmt.Sprint(args...) }
func (f *fake) Errorf(s string, a ...any) { f.failed, f.text = true, f.text+fmt.Sprintf(s, a...) }
func (f *fake) Fatalf(s string, a ...any) { f.Errorf(s, a...); f.FailNow() }
func (f *fake) FailNow()                  { f.failed = true; runtime.Goexit() }
func (f *fake) SkipNow()                  { f.skipped = true; runtime.Goexit() }

func TestNeed(t *testing.T) {
	missing := func(t testing.TB) { Missing(t, "z3", "no %s", "proofs") }
	partly := func(t testing.TB) { Partly(t, "z3", "no proofs") }
	absent := func(t testing.TB) { Command(t, "cvise", "no-such-command", "nor-this") }
	disk := func(t testing.TB) { Disk(t, "/proc/none", 1<<20) }
	present := func(t testing.TB) { Command(t, "gcc", "no-such-command", "sh") }
	for name, tt := range map[string]struct {
		required string
		test     func(testing.TB)
		want     fake
	}{
		"missing":            {"", missing, fake{skipped: true, text: "NOT TESTED: no proofs"}},
		"missing, required":  {"clang,z3", missing, fake{failed: true, text: "NOT TESTED: no proofs; REIFY_REQUIRE requires z3"}},
		"another required":   {"clang", missing, fake{skipped: true, text: "NOT TESTED: no proofs"}},
		"partly":             {"", partly, fake{done: true, text: "NOT TESTED: no proofs"}},
		"partly, required":   {"z3", partly, fake{failed: true, done: true, text: "NOT TESTED: no proofs; REIFY_REQUIRE requires z3"}},
		"absent":             {"", absent, fake{skipped: true, text: "NOT TESTED: there is no no-such-command, nor-this on PATH"}},
		"absent, required":   {"cvise", absent, fake{failed: true, text: "NOT TESTED: there is no no-such-command, nor-this on PATH; REIFY_REQUIRE requires cvise"}},
		"no mount":           {"", disk, fake{skipped: true, text: "NOT TESTED: a disk of 1048576 bytes; mounting one takes root: no such file or directory"}},
		"no mount, required": {"mount", disk, fake{failed: true, text: "NOT TESTED: a disk of 1048576 bytes; mounting one takes root: no such file or directory; REIFY_REQUIRE requires mount"}},
		"present":            {"gcc", present, fake{done: true}},
		"unknown name": {"z3,clnag", present, fake{failed: true,
			text: `REIFY_REQUIRE=z3,clnag: there is no "clnag"; there are box, landlock, gcc, gcc-12, clang, z3, m32, cross, valgrind, cvise, chromium, csmith, dot, mount, node, bun, gccgo, wizer, wasm-opt, wasm-interp, java, zero, tcc, trunk, harness`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(Var, tt.required)
			var got fake
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				tt.test(&got)
				got.done = true
			}()
			<-ended
			assert.Equal(t, tt.want, got)
		})
	}
	assert.Panics(t, func() { Partly(t, "z4", "") })
}

func TestDisk(t *testing.T) {
	dir := t.TempDir()
	t.Run("mounted", func(t *testing.T) {
		Disk(t, dir, 64<<10)
		assert.ErrorIs(t, os.WriteFile(filepath.Join(dir, "large"), make([]byte, 65<<10), 0o600), syscall.ENOSPC)
	})
	left, err := os.ReadDir(dir)
	assert.NoError(t, err)
	assert.Empty(t, left, "it is unmounted")
}

// Even where no test needs anything, the names must be right.
func TestNames(t *testing.T) { required(t, Names[0]) }
