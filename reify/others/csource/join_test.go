package csource_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/others/csource"
	"goreify/tools/need"
)

// Programs that exit, fail or say at the end that they have come to it do so one by
// one when they are joined.
func TestJoin(t *testing.T) {
	gcc := need.Command(t, "gcc")
	parse := func(text string) *csource.Program {
		p, err := csource.Parse("a.c", []byte(text), csource.LP64)
		require.NoError(t, err)
		return p
	}
	const declares = "int printf(const char *, ...);\nvoid exit(int);\n"
	const ends = "__attribute__((destructor)) static void __reify_ends(void) { __builtin_printf(\"%s\\n\", \"ended\"); }\n"
	list := []*csource.Program{
		parse(declares + "int n;\nint main(void) { printf(\"%d\", n++); exit(0); }\n" + ends),
		parse(declares + "static int n = 4;\nint main(int argc, char **argv) { printf(\"%d %s\\n\", n++ + argc, argv[0]); }\n"),
	}
	run := func(list []*csource.Program, args ...string) (string, error) {
		text, err := csource.Join(list)
		require.NoError(t, err)
		_, err = csource.Parse("joined.c", text, csource.LP64)
		require.NoError(t, err)
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), text, 0o600))
		out, err := exec.Command(gcc, "-o", filepath.Join(dir, "a"), filepath.Join(dir, "a.c")).CombinedOutput()
		require.NoError(t, err, "%s", out)
		out, err = exec.Command(filepath.Join(dir, "a"), args...).Output()
		return string(out), err
	}
	label := parse("int x(int i) { static const void *j[] = {&& x, && y}; goto *j[i]; x: return 2; y: return 3; }\n" +
		"int n = 1;\nint main(void) { return !(x(0) == 2 && x(1) == 3 && n); }\n") // which has the name of a function
	out, err := run([]*csource.Program{label, label})
	require.NoError(t, err)
	assert.Empty(t, out)
	out, err = run(list)
	require.NoError(t, err)
	assert.Equal(t, "0ended\n5 repro\n", out)
	out, err = run(list, "1")
	require.NoError(t, err)
	assert.Equal(t, "5 repro\n", out)
	out, err = run(append(list, parse("int main(void) { return *(volatile char *)0; }"), list[0]))
	require.Error(t, err)
	assert.Equal(t, "0ended\n5 repro\n0ended\n", out)

	for text, says := range map[string]string{
		"int f(void) { return 0; }":                                                         "no main",
		"int main(void) { asm(\"\"); return 0; }":                                           "asm may name what is renamed",
		"__attribute__((constructor)) static void f(void) { } int main(void) { return 0; }": "constructor may do",
	} {
		_, err := csource.Join([]*csource.Program{parse(text)})
		assert.ErrorContains(t, err, says)
	}
}
