package interp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// crosscheckPrograms is how many programs an ordinary run compares. The
// environment variable REIFY_CROSSCHECK overrides it.
const crosscheckPrograms = 2000

// perFile is how many functions one translation unit holds.
const perFile = 500

// Random straight-line programs return what the interpreter says when gcc
// compiles them without optimisation.
func TestInterpreterAgreesWithGcc(t *testing.T) {
	gcc := need.Command(t, "gcc")
	want := crosscheckPrograms
	if text := os.Getenv("REIFY_CROSSCHECK"); text != "" {
		n, err := strconv.Atoi(text)
		require.NoError(t, err, "REIFY_CROSSCHECK is the number of programs")
		want = n
	}
	dir := t.TempDir()
	d := newDrawer("gcc -O0")
	agreed := 0
	for agreed < want {
		defined, _ := d.draw(t, min(perFile, want-agreed), 0)
		bin := compile(t, dir, defined, gcc, "-O0", "-w")
		out, err := exec.Command(bin).Output()
		if !assert.NoError(t, err, "a program crashed or returned a wrong answer") {
			reportDifferences(t, defined, string(out))
			t.FailNow()
		}
		require.Equal(t, c.Want(defined), string(out))
		agreed += len(defined)
	}
	t.Logf("%d programs agreed with gcc -O0; %.1f %% of those drawn were defined, the others: %v",
		agreed, 100*d.share(), d.undefined)

	assert.Greater(t, d.share(), 0.3, "the share of programs that are defined")
	assert.Less(t, d.share(), 0.9, "the share of programs that are defined")
	for _, op := range []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne} {
		for _, typ := range []ir.Int{ir.I32, ir.U32, ir.I64, ir.U64} {
			assert.NotZero(t, d.operators[operator{op, typ}], "%s of %s was not compared", op, typ)
		}
	}
	for _, from := range intTypes {
		for _, to := range intTypes {
			assert.NotZero(t, d.conversions[[2]ir.Int{from, to}], "conversion of %s to %s was not compared", from, to)
		}
	}
}

// What the interpreter calls undefined stops clang's sanitizer, and what it
// calls defined does not. The sanitizer does not see uninitialised variables
// and unsequenced reads.
func TestInterpreterAgreesWithSanitizer(t *testing.T) {
	clang := need.Command(t, "clang", "clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14")
	sanitize := []string{"-O0", "-w", "-fsanitize=signed-integer-overflow,integer-divide-by-zero,array-bounds", "-fsanitize-trap=all"}
	dir := t.TempDir()
	d := newDrawer("sanitizer")
	defined, undefined := d.draw(t, 300, 300)

	out, err := exec.Command(compile(t, dir, defined, clang, sanitize...)).Output()
	if !assert.NoError(t, err, "the sanitizer stopped a defined program") {
		reportDifferences(t, defined, string(out))
	}

	bin := compile(t, dir, undefined, clang, sanitize...)
	for i, u := range undefined {
		err := exec.Command(bin, strconv.Itoa(i)).Run()
		var exit *exec.ExitError
		if assert.ErrorAs(t, err, &exit) && !assert.Equal(t, -1, exit.ExitCode(), "no signal ended the program") {
			_, err := interp.Run(u.Claim.Func, u.Claim.Args, interp.Options{})
			t.Logf("interpreter: %v\n%s%s", err, u.Claim.Func, u.Claim)
		}
	}
	t.Logf("%d defined and %d undefined programs agreed with the sanitizer of %s", len(defined), len(undefined), clang)
}

// A drawer draws programs and counts what is in them.
type drawer struct {
	s              *choice.Stream
	drawn, defined int
	undefined      map[interp.Kind]int

	// In the defined programs:
	operators   map[operator]int
	conversions map[[2]ir.Int]int // from, to
}

// An operator on operands of a type.
type operator struct {
	op ir.Op
	of ir.Int
}

func newDrawer(name string) *drawer {
	return &drawer{
		s:           choice.New([]byte(name)),
		undefined:   map[interp.Kind]int{},
		operators:   map[operator]int{},
		conversions: map[[2]ir.Int]int{},
	}
}

func (d *drawer) share() float64 { return float64(d.defined) / float64(d.drawn) }

// draw returns as many defined and undefined programs as asked for; the latter
// are undefined for a reason that a sanitizer sees.
func (d *drawer) draw(t *testing.T, nDefined, nUndefined int) (defined, undefined []c.Unit) {
	t.Helper()
	for len(defined) < nDefined || len(undefined) < nUndefined {
		f, args := drawStraightLine(d.s, fmt.Sprintf("f%d", d.drawn))
		d.drawn++
		require.NoError(t, ir.Check(f))
		r, err := interp.Run(f, args, interp.Options{})
		unit := c.Unit{Claim: &ir.Claim{Func: f, Args: args, Want: r.Value, Path: r.Path}}
		if err == nil {
			d.defined++
			if len(defined) < nDefined {
				defined = append(defined, unit)
				d.count(f)
			}
			continue
		}
		var ub *interp.UB
		require.ErrorAs(t, err, &ub)
		d.undefined[ub.Kind]++
		seen := ub.Kind != interp.UninitializedRead && ub.Kind != interp.UnsequencedAccess
		if seen && len(undefined) < nUndefined {
			undefined = append(undefined, unit)
		}
	}
	return defined, undefined
}

func (d *drawer) count(f *ir.Function) {
	for e := range f.Exprs() {
		switch e := (*e).(type) {
		case *ir.Binary:
			d.operators[operator{e.Op, e.X.Type()}]++
		case *ir.Convert:
			d.conversions[[2]ir.Int{e.X.Type(), e.T}]++
		}
	}
}

// compile returns the path of the program that the compiler makes of units.
// The program before it in dir, if any, is gone.
func compile(t *testing.T, dir string, units []c.Unit, compiler string, flags ...string) string {
	t.Helper()
	source := filepath.Join(dir, "cases.c")
	require.NoError(t, os.WriteFile(source, []byte(c.Emit(units)), 0o666))
	bin := strings.TrimSuffix(source, ".c")
	out, err := exec.Command(compiler, append(flags, "-o", bin, source)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return bin
}

// reportDifferences logs the first units whose line of out is not as expected.
func reportDifferences(t *testing.T, units []c.Unit, out string) {
	t.Helper()
	want := strings.SplitAfter(c.Want(units), "\n")
	got := strings.SplitAfter(out, "\n")
	logged := 0
	for i, u := range units {
		if i < len(got) && got[i] == want[i] {
			continue
		}
		line := "nothing"
		if i < len(got) {
			line = got[i]
		}
		trace, _ := interp.Trace(u.Claim.Func, u.Claim.Args, interp.Options{})
		t.Logf("want %sgot %s\n%s%s%s", want[i], line, u.Claim.Func, u.Claim, trace)
		if logged++; logged == 3 {
			return
		}
	}
}
