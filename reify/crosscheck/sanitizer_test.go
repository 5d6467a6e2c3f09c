package crosscheck

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// perKind is how many undefined expressions of a kind the sanitizer is asked
// about.
const perKind = 60

// seen are the kinds of undefined behaviour that clang's sanitizer reports. See
// visible.
var seen = []interp.Kind{
	interp.SignedOverflow, interp.DivisionByZero, interp.OutOfBounds, interp.ShiftAmount, interp.ShiftOverflow,
	interp.BuiltinArgument, interp.NullDereference, interp.ConversionOutOfRange,
}

// What the interpreter calls undefined stops clang's sanitizer, and what it
// calls defined does not.
func TestSanitizer(t *testing.T) {
	need.Long(t)
	env := compilers.EnvFrom(os.Environ())
	env.CC, env.Modes = "clang", ""
	found, err := native.Toolchains(t.Context(), env)
	if err != nil {
		need.Missing(t, "clang", "%v", err)
	}
	clang := found[len(found)-1]
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	limits := compilers.DefaultLimits().ForSanitizers()
	limits.CompileCPU, limits.CompileWall, limits.RunWall = time.Minute, 5*time.Minute, time.Minute

	unit := func(m Member) c.Unit { return c.Unit{Claim: m.Claim} }
	var good, bad []c.Unit
	why := map[int]error{}
	asked, passed := map[interp.Kind]int{}, map[interp.Kind]int{}
	for n := range 60 {
		r := drawRoom(choice.New(choice.Derive(uint64(n), "sanitizer")), fmt.Sprintf("f%d", n), whole)
		r.draw(whole, PerRoom)
		m, err := r.member(r.name, r.made...)
		require.NoError(t, err)
		good = append(good, unit(m))
		for i, u := range r.undefined {
			k := u.err.Kind
			if !visible(u) {
				passed[k]++
				continue
			}
			if asked[k] < perKind {
				asked[k]++
				f := r.function(fmt.Sprintf("f%d_%d", n, i), u.made)
				why[len(bad)] = u.err
				bad = append(bad, c.Unit{Claim: &ir.Claim{Func: f, Args: r.args, Path: []int{0}}})
			}
		}
	}
	defined, undefined, err := StraightLines(0, 300, 300)
	require.NoError(t, err)
	for i := range defined {
		good, bad = append(good, unit(defined[i])), append(bad, unit(undefined[i]))
	}
	build := func(units []c.Unit) compilers.Built {
		job := compilers.Job{Files: compilers.Single([]byte(c.Emit(units))), Mode: "-O0",
			Extra: []string{"-fsanitize=undefined,float-cast-overflow,float-divide-by-zero", "-fsanitize-trap=all"}}
		binary, o := clang.Build(t.Context(), ws, job, limits)
		require.Equal(t, compilers.OK, o.Verdict, "%v\n%.2000s", o, o.Stderr)
		return binary
	}
	o := compilers.Run(t.Context(), build(good), nil, []byte(c.Want(good)), limits)
	assert.Equal(t, compilers.OK, o.Verdict, "the sanitizer stopped a defined program: %v", o)

	binary := build(bad)
	for i, u := range bad {
		o := compilers.Run(t.Context(), binary, []string{strconv.Itoa(i)}, nil, limits)
		if o.Verdict != compilers.Crash {
			t.Errorf("%v has nothing to say (%v) of %v:\n%s", clang, o, why[i], u.Claim.Func)
		}
	}
	for _, k := range seen {
		assert.NotZero(t, asked[k], "no %v was drawn", k)
	}
	t.Logf("%d defined functions pass the sanitizer of %v, %d undefined ones do not: %v; not asked about: %v", len(good), clang, len(bad), asked, passed)
}

// visible tells whether clang's sanitizer looks at such things: not at lanes of
// vectors, before clang 19 or so not at abs, and of pointers only whether null
// is followed.
func visible(u undefined) bool {
	assign, ok := u.stmts[0].(*ir.Assign)
	if !ok {
		return false
	}
	if _, ok := assign.Dst.Type().(ir.Int); !ok || !slices.Contains(seen, u.err.Kind) || strings.HasPrefix(u.err.Detail, "abs(") {
		return false
	}
	if u.pointers {
		_, follows := assign.Src.(*ir.Load)
		return follows && u.err.Kind == interp.NullDereference
	}
	return true
}
