package c_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/link"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

// generated returns n functions of a profile with a case each.
func generated(t testing.TB, profile string, n int) []*ir.Program {
	t.Helper()
	p, err := reify.FindProfile(profile)
	require.NoError(t, err)
	var all []*ir.Program
	for seed := uint64(1); len(all) < n; seed++ {
		r := reify.FromSeed(seed)
		k, err := reify.Make("f", r, p.Configure(r), search.Engine{})
		if err != nil {
			continue
		}
		one := k.Claims()[0]
		all = append(all, &ir.Program{Funcs: []*ir.Function{one.Func}, Claims: []*ir.Claim{one}})
	}
	return all
}

// linked returns n programs of four functions of a profile.
func linked(t testing.TB, profile string, n int) []*ir.Program {
	t.Helper()
	functions := generated(t, profile, 4*n)
	var all []*ir.Program
	for i := range n {
		var leaves []*link.Leaf
		for _, p := range functions[4*i : 4*i+4] {
			one := p.Claims[0]
			one.Func.Name = "f" + strconv.Itoa(len(leaves))
			l, err := link.NewLeaf(one)
			require.NoError(t, err)
			leaves = append(leaves, l)
		}
		p, err := link.Link(leaves, link.DefaultOptions(), choice.New(choice.Derive(uint64(i), "link")))
		require.NoError(t, err)
		q := p.IR.Clone()
		q.Claims = q.Claims[:1]
		require.NoError(t, interp.VerifyProgram(q))
		all = append(all, q)
	}
	return all
}

// A batch is many tests in one translation unit, where each has names of its
// own by way of macros, and abort is to return to the batch's main.
type batch struct {
	text  strings.Builder
	calls []string // by test: an expression that says whether it finds the answer wrong
	want  []string // by test: what it prints if it does not
}

func (b *batch) add(p *ir.Program, form c.TestForm) {
	n := strconv.Itoa(len(b.calls))
	names := c.FileNames(p, form)
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
	for _, name := range names {
		b.text.WriteString("#define " + name + " " + name + "_in_" + n + "\n")
	}
	b.text.WriteString(c.EmitTest(p, form))
	for _, name := range names {
		b.text.WriteString("#undef " + name + "\n")
	}
	b.calls = append(b.calls, "(wrong = 0, main_in_"+n+"(), wrong)")
	b.want = append(b.want, c.WantTest(p, form))
}

// run compiles and runs the batch, and returns for each test whether it found
// the answer wrong.
func (b *batch) run(t *testing.T, compiler string, flags ...string) []bool {
	t.Helper()
	text := "static int wrong;\n#define __builtin_abort() (void)(wrong = 1)\n" + b.text.String() + "int putchar(int);\nint main(void)\n{\n"
	for _, call := range b.calls {
		text += "    putchar(" + call + " ? '!' : '.');\n    putchar('\\n');\n"
	}
	text += "}\n"
	dir := t.TempDir()
	in, out := filepath.Join(dir, "batch.c"), filepath.Join(dir, "batch")
	require.NoError(t, os.WriteFile(in, []byte(text), 0o666))
	msg, err := exec.Command(compiler, append(flags, "-w", "-o", out, in)...).CombinedOutput()
	require.NoError(t, err, "%.2000s", msg)
	got, err := exec.Command(out).Output()
	require.NoError(t, err)
	var answers []bool
	printed := ""
	for line := range strings.Lines(string(got)) {
		if line != "!\n" && line != ".\n" { // one that a test has printed
			printed += line
			continue
		}
		answers = append(answers, line == "!\n" || printed != b.want[len(answers)])
		printed = ""
	}
	require.Len(t, answers, len(b.calls))
	return answers
}

// TestTestFormsAreRight compiles generated functions and linked programs in all
// forms: tests find the answer right and, if another one is expected, wrong.
func TestTestFormsAreRight(t *testing.T) {
	need.Long(t)
	need.Command(t, "gcc-12")
	programs := slices.Concat(generated(t, "paper", 25), generated(t, "wild", 50), linked(t, "wild", 7), linked(t, "focus", 3))
	forms := c.TestFormsOf(c.Style{ComputedGoto: true, ParamStruct: true, ResultStruct: true, PointerParams: true, Structured: true, Order: 5})
	tests := 0
	for _, target := range []string{"-m64", "-m32"} {
		if target == "-m32" && !has32(t) {
			need.Partly(t, "m32", "-m32: gcc-12 has no 32-bit libraries")
			continue
		}
		var b batch
		var want []bool
		var names []string
		for i, p := range programs {
			for k := range 3 { // the last one is wrong
				if target == "-m32" && k != i%3 {
					continue
				}
				if k == 2 {
					p = p.Clone()
					p.Claims[0].Want = p.Claims[0].Func.Result.Wrap(p.Claims[0].Want ^ 1)
				}
				form := forms[(i+k*7)%len(forms)]
				b.add(p, form)
				want = append(want, k == 2)
				names = append(names, fmt.Sprintf("program %d, form %q", i, form))
			}
		}
		for i, wrong := range b.run(t, "gcc-12", "-O0", target) {
			assert.Equal(t, want[i], wrong, "%s at %s", names[i], target)
		}
		tests += len(want)
	}
	t.Logf("%d tests of %d programs", tests, len(programs))
}

// has32 reports whether gcc-12 can link a program at -m32.
func has32(t *testing.T) bool {
	in := filepath.Join(t.TempDir(), "in.c")
	require.NoError(t, os.WriteFile(in, []byte("int main(void) { return 0; }\n"), 0o666))
	return exec.Command("gcc-12", "-m32", "-o", in+".out", in).Run() == nil
}

// TestTestFormsStandAlone compiles some as they are, with warnings that the
// form alone is to blame for as errors, and looks at the output and the exit status.
func TestTestFormsStandAlone(t *testing.T) {
	need.Long(t)
	need.Command(t, "gcc-12")
	programs := slices.Concat(generated(t, "wild", 16), linked(t, "focus", 2))
	forms := c.TestForms()
	for i, p := range programs {
		form := forms[i%len(forms)]
		for _, wrong := range []int64{0, 1} {
			p.Claims[0].Want = p.Claims[0].Func.Result.Wrap(p.Claims[0].Want ^ wrong)
			in := filepath.Join(t.TempDir(), "in.c")
			text := c.EmitTest(p, form)
			require.NoError(t, os.WriteFile(in, []byte(text), 0o666))
			msg, err := exec.Command("gcc-12", "-O0", "-Wall", "-Werror", "-Wno-unused-but-set-variable", "-Wno-unused-variable",
				"-Wno-unused-label", "-Wno-int-in-bool-context", "-Wno-overflow", "-Wno-div-by-zero", "-Wno-shift-count-overflow",
				"-Wno-shift-count-negative", "-Wno-shift-overflow", "-Wno-maybe-uninitialized", "-Wno-uninitialized", "-Wno-bool-operation",
				"-Wno-array-bounds", "-Wno-bool-compare", "-Wno-tautological-compare", "-o", in+".out", in).CombinedOutput()
			require.NoError(t, err, "%s: %s\n%s", form, msg, text)
			got, err := exec.Command(in + ".out").Output()
			assert.Equal(t, wrong != 0, err != nil || string(got) != c.WantTest(p, form), "%s\n%s", form, text)
		}
	}
}
