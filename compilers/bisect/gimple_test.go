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

const dumpOfThree = `intD_6 __GIMPLE (ssa,guessed_local(118111600))
f.constpropD_2042 (intD_6 aD_1985)
{
  unsigned intD_7 D_2076;
  volatile intD_6 aD_2031;
  intD_6 aD_2030;
  intD_6 cD_1990;
  intD_6 _1;
  unsigned intD_7 _8(D);

  __BB(2,guessed_local(118111600)):
  _1 = a_2(D) + 1;
  aD_2031 ={v} _1;
  a_4 = _1;
  c_3 = a_4;
  return c_3;

}

intD_6 __GIMPLE (ssa)
f.constpropD_2043 (intD_6 aD_1985)
{
  __BB(2):
  return a_2(D);

}

intD_6 __GIMPLE (ssa)
mainD_2000 ()
{
  intD_6 vD_2001;
  intD_6 _4;
  intD_6 iftmp.0_5;

  __BB(2):
  vD_1980 ={v} 1;
  vD_2001 = 2;
  _4 = f.constpropD_2043 (2);
  return _4;

}
`

// Dumps are read back with the declarations of the source. Words that only a dump has are
// left out, variables and functions of one name are told apart, and functions that gcc
// has made are declared.
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
int f_constpropD2042 (int aD_1985);
int f_constpropD2043 (int aD_1985);

int __GIMPLE (ssa)
f_constpropD2042 (int aD_1985)
{
  volatile int aD_2031;
  int _1;
  int _3;
  int _4;
  __BB(2):
  _1 = aD_1985_2(D) + 1;
  aD_2031 = _1;
  _4 = _1;
  _3 = _4;
  return _3;

}

int __GIMPLE (ssa)
f_constpropD2043 (int aD_1985)
{
  __BB(2):
  return aD_1985_2(D);

}

int __GIMPLE (ssa)
main ()
{
  int vD_2001;
  int _4;
  __BB(2):
  v = 1;
  vD_2001 = 2;
  _4 = f_constpropD2043 (2);
  return _4;

}
`, parseDump(dumpOfThree).readBack(source))
}

// Where two variables of one name differ in type, a dump does not tell whose a version
// is, nor which is meant by the first of two of a parameter's.
func TestReadBackUnclear(t *testing.T) {
	for _, code := range []string{"  unsigned intD_7 aD_2;\n\n  __BB(2):\n  a_3 = 1u;\n", "  intD_6 aD_2;\n\n  __BB(2):\n  g (a_3(D), a_4(D));\n"} {
		assert.Empty(t, parseDump("intD_6 __GIMPLE (ssa)\nfD_9 (intD_6 aD_1)\n{\n"+code+"}\n").readBack("int f(int a)\n{\n}\n"), code)
	}
}

// The program that gcc reads back is the one that it has dumped.
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
		dump := run(gcc, append(strings.Fields("-Os -c -w a.c"), dumps("tree-"+pass)...)...)
		l := parseDump(dump)
		assert.Subset(t, l.names, []string{"f", "main"}, pass)
		write("b.c", l.readBack(source))
		run(gcc, "-O0", "-w", "-fgimple", "b.c", "-o", "b")
		assert.Equal(t, want, run("./b"), pass)
	}
}

// Names stand in the order in which gcc was done with them.
func TestParseDump(t *testing.T) {
	text := func(name, line string) string {
		return "int __GIMPLE (ssa)\n" + name + " ()\n{\n  " + line + ";\n}\n\n"
	}
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
