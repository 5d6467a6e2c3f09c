package bisect

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

const dumpOfTwo = `f (int a)
int __GIMPLE (ssa,guessed_local(118111600))
f.constprop (int a)
{
  unsigned int D_2076;
  int c;
  int _1;
  unsigned int _8(D);

  __BB(2,guessed_local(118111600)):
  _1 = a_2(D) + 1;
  c_3 = _1;
  return c_3;

}

int __GIMPLE (ssa)
main ()
{
  int _4;

  __BB(2):
  v ={v} 1;
  _4 = f.constprop (2);
  return _4;

}
`

// Dumps are read back with the declarations of the source. What only a dump has is
// left out, and functions that gcc has made are declared.
func TestReadBack(t *testing.T) {
	const source = `volatile int v;
static int f(int a)
{
    return a;
}
int main(void)
{
    return f(2);
}
`
	assert.Equal(t, `typedef __SIZE_TYPE__ sizetype;
typedef __PTRDIFF_TYPE__ ssizetype;
volatile int v;
static int f(int a);
int main(void);
int f_constprop (int a);

int __GIMPLE (ssa)
f_constprop (int a)
{
  int _1;
  int _3;
  __BB(2):
  _1 = a_2(D) + 1;
  _3 = _1;
  return _3;

}

int __GIMPLE (ssa)
main ()
{
  int _4;
  __BB(2):
  v = 1;
  _4 = f_constprop (2);
  return _4;

}
`, parseDump(dumpOfTwo).readBack(source))
}

// What gcc reads back is the program that it has dumped.
func TestReadBackReal(t *testing.T) {
	gcc := need.Command(t, "gcc-12")
	const source = `extern int printf(const char *, ...);
static volatile int v = 3;
static __attribute__((noinline)) int f(int a, int b)
{
    int sum = 0, list[4] = {1, 2, 3, 4};
    for (int i = 0; i < a; i++) {
        sum += list[i & 3] * b;
        if (sum > 100)
            sum -= b - 2147483647 + 2147483647;
    }
    return sum;
}
int main(void)
{
    printf("%d %d\n", f(17, v), f(v, 7));
    return 0;
}
`
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("a.c", source)
	run(gcc, "-O0", "-w", "a.c", "-o", "a")
	want := run("./a")
	for _, pass := range []string{"ssa", "evrp", "cunroll", "ivopts", "optimized"} {
		dump := run(gcc, append(strings.Fields("-Os -c -w a.c"), dumps("tree-" + pass)...)...)
		l := parseDump(dump)
		assert.Subset(t, l.names, []string{"f", "main"}, pass)
		write("b.c", l.readBack(source))
		run(gcc, "-O0", "-w", "-fgimple", "b.c", "-o", "b")
		assert.Equal(t, want, run("./b"), pass)
	}
}

// Names stand in the order in which gcc was done with them.
func TestParseDump(t *testing.T) {
	text := func(name, line string) string { return "int __GIMPLE (ssa)\n" + name + " ()\n{\n  " + line + ";\n}\n\n" }
	l := parseDump(text("g", "1") + text("f", "2") + text("f", "3") + text("main", "4") + text("g", "5"))
	assert.Equal(t, []string{"f", "main", "g"}, l.names)
	assert.Contains(t, l.texts["g"], "5")
	assert.Contains(t, l.texts["f"], "3")
	mixed := l.with(parseDump(text("f", "6")+text("main", "7")), 1)
	assert.Contains(t, mixed.texts["f"], "6")
	assert.Contains(t, mixed.texts["main"], "4")
	assert.Contains(t, l.texts["f"], "3", "it is a copy")
	assert.Empty(t, parseDump("nothing").names)
}
