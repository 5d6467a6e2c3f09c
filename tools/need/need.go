package need

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Var is the environment variable that names what must not be missing, with
// commas between: REIFY_REQUIRE=z3,clang. A name that is not in Names fails
// every test that needs something.
const Var = "REIFY_REQUIRE"

// Names are all that a test may need: programs, libz3 (z3), 32-bit libraries for
// the compilers (m32), compilers for other processors with qemu-user (cross), what
// make trunk WITH=java makes (trunk), harnesses of compilers' own tests (harness), the right to mount file systems (mount), which root has, and
// what the kernel keeps compilers and programs in with: user namespaces (box) and Landlock
// (landlock). A compiler stands for its sanitizers too.
var Names = []string{"box", "landlock", "gcc", "gcc-12", "clang", "z3", "m32", "cross", "valgrind", "cvise", "chromium", "csmith", "dot", "mount", "node", "bun", "gccgo", "wizer", "wasm-opt", "wasm-interp", "java", "zero", "tcc", "trunk", "harness"}

// Missing skips a test that cannot do without the named thing, and says why. If
// the thing is required, the test fails.
func Missing(t testing.TB, name, why string, args ...any) {
	t.Helper()
	Partly(t, name, why, args...)
	if t.Failed() {
		t.FailNow()
	}
	t.SkipNow()
}

// Partly says what a test leaves out for want of the named thing. The test goes
// on. If the thing is required, it fails.
func Partly(t testing.TB, name, why string, args ...any) {
	t.Helper()
	text := "NOT TESTED: " + fmt.Sprintf(why, args...)
	if required(t, name) {
		t.Errorf("%s; %s requires %s", text, Var, name)
		return
	}
	t.Log(text)
}

// Named skips a test, and says so, unless it is asked for by its name: it takes tens of seconds,
// and what it is about is tested in part by others. make faults asks for all of these.
func Named(t testing.TB) {
	t.Helper()
	if run := flag.Lookup("test.run"); run == nil || !strings.Contains(run.Value.String(), t.Name()) {
		t.Skipf("NOT TESTED: %s, which takes long, as make faults has it", t.Name())
	}
}

// Command returns the path of the first of the commands that is on PATH, by
// default of the one of that name. Without any it goes on like Missing.
func Command(t testing.TB, name string, commands ...string) string {
	t.Helper()
	required(t, name)
	if len(commands) == 0 {
		commands = []string{name}
	}
	for _, c := range commands {
		if path, err := exec.LookPath(c); err == nil {
			return path
		}
	}
	Missing(t, name, "there is no %s on PATH", strings.Join(commands, ", "))
	return ""
}

// Sanitizers is Command for gcc or clang, with sanitizers, which packages of their own may have.
func Sanitizers(t testing.TB, name string) {
	t.Helper()
	path := Command(t, name)
	all := []string{"undefined,address"}
	if name == "clang" {
		all = append(all, "memory")
	}
	for _, list := range all {
		cmd := exec.Command(path, "-fsanitize="+list, "-x", "c", "-", "-o", filepath.Join(t.TempDir(), "a.out"))
		cmd.Stdin = strings.NewReader("int main(void) { return 0; }\n")
		if out, err := cmd.CombinedOutput(); err != nil {
			Missing(t, name, "%s cannot be linked with -fsanitize=%s: %v: %s", name, list, err, out)
		}
	}
}

// Disk mounts an empty file system of so many bytes at a directory until the test ends.
// A user who may not mount is handled like Missing.
func Disk(t testing.TB, dir string, bytes int) {
	t.Helper()
	required(t, "mount")
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0755", bytes)); err != nil {
		Missing(t, "mount", "a disk of %d bytes; mounting one takes root: %v", bytes, err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Errorf("unmounting %s: %v", dir, err)
		}
	})
}

// required reports whether the environment requires a thing.
func required(t testing.TB, name string) bool {
	t.Helper()
	if !slices.Contains(Names, name) {
		panic("need: no name: " + name)
	}
	list := os.Getenv(Var)
	if list == "" {
		return false
	}
	all := strings.Split(list, ",")
	for _, s := range all {
		if !slices.Contains(Names, s) {
			t.Fatalf("%s=%s: there is no %q; there are %s", Var, list, s, strings.Join(Names, ", "))
		}
	}
	return slices.Contains(all, name)
}
