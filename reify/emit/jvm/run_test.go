package jvm_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	engines "goreify/compilers/jvm"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/emit/jvm"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/link"
	"goreify/reify/lower"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

// cases makes functions of a profile, as many as there are seeds less those without
// a case and those that are too large.
func cases(t testing.TB, profile string, first, n int) (list []*reify.Case) {
	p, err := reify.FindProfile(profile)
	require.NoError(t, err)
	p = p.Without(jvm.Masked...)
	for i := range n {
		r := reify.FromSeed(uint64(first + i))
		k, err := reify.Make(fmt.Sprintf("f%d", first+i), r, p.Configure(r), search.Engine{})
		if solve.Unsolved(err) {
			continue
		}
		require.NoError(t, err)
		lowered(k.Claims()...)
		if err := jvm.Supports(k.Func); err != nil {
			require.ErrorIs(t, err, jvm.ErrUnsupported)
			continue
		}
		list = append(list, k)
	}
	return list
}

// lowered has claims be about what their function, which is the same, is lowered to.
func lowered(list ...*ir.Claim) {
	f := lower.Function(list[0].Func, jvm.Lacks)
	for _, c := range list {
		c.Func = f
	}
}

func units(list []*reify.Case) (all []jvm.Unit) {
	for _, k := range list {
		all = append(all, jvm.Unit{Claim: k.Claim, More: k.More, Style: jvm.DrawStyle(k.Recipe.Style().Fork("jvm"))})
	}
	return all
}

// asked returns the machine on PATH, as it is asked by servers.
func asked(t *testing.T) (compilers.Target, *compilers.Workspace) {
	path := need.Command(t, "java")
	found, unknown, err := engines.Finder.Find(t.Context(), compilers.Env{CC: "java=" + path, Path: os.Getenv("PATH")})
	require.NoError(t, err)
	require.Empty(t, unknown)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, ws.Close()) })
	machine, err := found[0].(compilers.Linker).LinkDirectly(t.Context(), ws, compilers.DefaultLimits())
	require.NoError(t, err)
	return machine, ws
}

// All that is drawn of all profiles can be written, in styles of all kinds, and HotSpot's
// interpreter agrees with ours.
func TestAnswers(t *testing.T) {
	machine, ws := asked(t)
	const n = 8 // of each
	total := 0
	for _, profile := range reify.Profiles() {
		list := units(cases(t, profile, 0, n))
		if len(list) == 0 {
			continue
		}
		list[0].Style.Frames = total%2 == 1
		total++
		agree(t, machine, ws, list, machine.Reference())
	}
}

// linked returns functions of programs of a profile that call each other, from a seed on,
// with what the interpreter says that they return: all of a program, or nothing of it.
func linked(t testing.TB, profile string, first, programs int) (list []jvm.Unit) {
	for i := range programs {
		var leaves []*link.Leaf
		var args [][]int64
		for _, k := range cases(t, profile, 1000*(first+i), 5) {
			l, err := link.NewLeaf(k.Claims()...)
			require.NoError(t, err)
			leaves, args = append(leaves, l), append(args, k.Args)
		}
		s := choice.New(choice.Derive(uint64(first+i), "link"))
		o := link.DefaultOptions()
		o.Deciding, o.Helpers = 30, 50*(i%2)
		p, err := link.Link(leaves, o, s)
		require.NoError(t, err)
		var units []jvm.Unit
		for n, f := range lower.Program(p.IR, jvm.Lacks).Funcs {
			if n >= len(args) {
				f.Name = fmt.Sprintf("h%d_%s", first+i, f.Name)
				continue
			}
			in := args[n]
			for range len(f.Params()) - len(in) {
				in = append(in, 3) // calls that are real
			}
			for _, under := range []ir.Under{ir.C, interp.JVM} {
				r, err := interp.Run(f, in, interp.Options{Under: under})
				c := &ir.Claim{Func: f, Args: in, Want: r.Value, Path: r.Path, Under: under}
				if trap := (*interp.Trap)(nil); errors.As(err, &trap) {
					c.Trap, c.Want = trap.Kind, 0
				} else if err != nil {
					continue
				}
				units = append(units, jvm.Unit{Claim: c, Style: jvm.DrawStyle(s)})
				break
			}
		}
		if !slices.ContainsFunc(units, func(u jvm.Unit) bool { return jvm.Supports(u.Claim.Func) != nil }) {
			list = append(list, units...)
		}
	}
	return list
}

// Functions call each other and themselves, in all places and styles, and the state of
// all begins anew before each call.
func TestCalls(t *testing.T) {
	need.Long(t)
	machine, ws := asked(t)
	const n = 6
	functions := 0
	for _, profile := range []string{"mixed", "wild", "calls"} {
		for first := 0; first < n; first += 10 {
			list := linked(t, profile, first, min(10, n-first))
			if len(list) == 0 {
				continue
			}
			list[0].Style.Frames = (first/10+len(profile))%2 == 1
			functions += len(list)
			agree(t, machine, ws, list, "@int")
			if first == 0 {
				agree(t, machine, ws, list, "@c2")
			}
		}
	}
	t.Log(functions, "functions")
	assert.Greater(t, functions, n)
}

// Arguments are evaluated from left to right and before the call; a trap of a function that
// is called is one of that function's style, and ends all.
func TestCallTraps(t *testing.T) {
	machine, ws := asked(t)
	const text = `
func @gNAME(%a i32) i32 {
    static @n i32 = 1
  entry:
    @n = @n * 2
    unreachable unless %a != @n
    goto exit
  exit:
    return @n
}
func @NAME(%a i32, %b i32) i32 {
    static @s i32 = 5
    local %x [2]i32 = {@gNAME(7), 3}
    local %f i32 = @gNAME(7)
  entry:
    if %b <= 0 goto exit else again
  again:
    @s = 77
    %x[1] = @NAME(%x[%a], %b - 1) + @gNAME(32 / %b)
    goto exit
  exit:
    return %x[0] + %x[1] + %f
}
case NAME(a = 1, b = 0) = 9 path entry exit
case gNAME(a = 2) under jvm traps unreachable path entry
`
	styles := []string{"plain", "cast instance", "store fields frames", "negative flat shared", "null locked monitors handlers"}
	var list []jvm.Unit
	for i, style := range styles {
		p := ir.MustParse(strings.ReplaceAll(text, "NAME", fmt.Sprintf("f%d", i)))
		f := p.Funcs[1]
		s, err := jvm.ParseStyle(style)
		require.NoError(t, err)
		u := jvm.Unit{Style: s}
		kinds := map[ir.Trap]bool{}
		for a := range int64(3) {
			for b := range int64(6) {
				r, err := interp.Run(f, []int64{a, b}, interp.Options{Under: interp.JVM})
				c := &ir.Claim{Func: f, Args: []int64{a, b}, Under: interp.JVM, Path: r.Path, Want: r.Value}
				if trap := (*interp.Trap)(nil); errors.As(err, &trap) {
					c.Trap = trap.Kind
				} else if err != nil {
					continue
				}
				kinds[c.Trap] = true
				u.More = append(u.More, c)
			}
		}
		require.Len(t, kinds, 3)
		u.Claim, u.More = u.More[0], u.More[1:]
		list = append(list, u)
		if i%2 == 0 {
			list = append(list, jvm.Unit{Claim: p.Claims[1], Style: list[0].Style})
		}
	}
	for range 2 {
		agree(t, machine, ws, list, "@int")
		agree(t, machine, ws, list, "@c2")
		slices.Reverse(list)
	}
}

// Calls may be as deep as the interpreter lets them be.
func TestDeep(t *testing.T) {
	const text = `
func @NAME(%a i32) i32 {
    local %x [64]i64
    local %p *i64 = &%x[5]
  entry:
    if %a == 0 goto last else again
  last:
    *%p = 3
    goto exit
  again:
    *%p = i64(@NAME(%a - 1))
    goto exit
  exit:
    return i32(*%p) + 1
}
`
	machine, ws := asked(t)
	var list []jvm.Unit
	for i, style := range []string{"plain", "instance locked"} {
		f := ir.MustParse(strings.ReplaceAll(text, "NAME", fmt.Sprintf("f%d", i))).Funcs[0]
		in := []int64{interp.DefaultDepth}
		r, err := interp.Run(f, in, interp.Options{})
		require.NoError(t, err)
		s, err := jvm.ParseStyle(style)
		require.NoError(t, err)
		list = append(list, jvm.Unit{Claim: &ir.Claim{Func: f, Args: in, Want: r.Value, Path: r.Path}, Style: s})
	}
	agree(t, machine, ws, list, "@int")
	agree(t, machine, ws, list, "@c2")
}

// agree writes units as a class, about which a machine is to say what we do.
func agree(t *testing.T, machine compilers.Target, ws *compilers.Workspace, list []jvm.Unit, mode compilers.Mode) {
	t.Helper()
	c := emit(t, list)
	job := compilers.Job{Files: []compilers.File{{Name: engines.MainFile, Content: engines.Encode(c.Binary)}}, Want: []byte(strings.Join(c.Answers, "")), Mode: mode}
	o := compilers.Test(t.Context(), machine, ws, job, compilers.DefaultLimits().ForFunctions(len(list)))
	if assert.Equal(t, compilers.OK, o.Verdict, "%s, %s: %v", list[0].Claim.Func.Name, mode, o) {
		return
	}
	rest := string(o.Stdout)
	for i, want := range c.Answers {
		if !strings.HasPrefix(rest, want) {
			t.Fatalf("%s for %s%v\n%s", rest[:min(len(want), len(rest))], want, list[i].Style, list[i].Claim.Func)
		}
		rest = rest[len(want):]
	}
	t.FailNow()
}

const trapText = `
func @NAME(%a i32, %b i64) i32 {
    local %x [2][3]i32 = {1, 2, 3, 4, 5, 6}
    static @g i32 = 5
  entry:
    goto b1
  b1:
    @g = @g + %a
    unreachable unless %a != 3
    %x[%a][1] = 100 / (%a - 1)
    @g = @g * 2 + %x[%a][%b]
    if %a > 0 goto b1 else exit
  exit:
    unreachable unless %b != 2
    return @g / i32(%b - 1) + %x[1][%b]
}
case NAME(a = 0, b = 0) = -7 path entry b1 exit
case NAME(a = 3, b = 0) under jvm traps unreachable path entry b1
case NAME(a = 1, b = 0) under jvm traps divide-by-zero path entry b1
case NAME(a = 2, b = 0) under jvm traps out-of-bounds path entry b1
case NAME(a = -1, b = 1) under jvm traps out-of-bounds path entry b1
case NAME(a = 0, b = 4294967297) under jvm traps out-of-bounds path entry b1
case NAME(a = 0, b = 2) under jvm traps unreachable path entry b1 exit
case NAME(a = 0, b = 1) under jvm traps divide-by-zero path entry b1 exit
`

// Traps are the exceptions that they should be, after what came before them and nothing
// else, in all tiers, whatever throws them.
func TestTraps(t *testing.T) {
	var list []jvm.Unit
	want := map[string]int{}
	for i, style := range []string{"plain", "negative", "cast handlers", "null instance monitors", "store locked fields", "negative shared flat frames"} {
		p := ir.MustParse(strings.ReplaceAll(trapText, "NAME", fmt.Sprintf("f%d", i)))
		for _, c := range p.Claims {
			require.NoError(t, interp.Verify(c), "%v", c)
		}
		s, err := jvm.ParseStyle(style)
		require.NoError(t, err)
		list = append(list, jvm.Unit{Claim: p.Claims[0], More: p.Claims[1:], Style: s})
	}
	machine, ws := asked(t)
	for range 2 {
		c := emit(t, list)
		text := strings.Join(c.Answers, "")
		for line := range strings.Lines(text) {
			if _, kind, ok := strings.Cut(line, " traps "); ok {
				want[strings.Fields(kind)[0]]++
				assert.Contains(t, line, " state ")
			}
		}
		for _, mode := range []string{"@int", "@c1", "@c2", "@tiered"} {
			job := compilers.Job{Files: []compilers.File{{Name: engines.MainFile, Content: engines.Encode(c.Binary)}}, Want: []byte(text), Mode: mode}
			o := compilers.Test(t.Context(), machine, ws, job, compilers.DefaultLimits())
			assert.Equal(t, compilers.OK, o.Verdict, "%s: %v", mode, o)
		}
		list[0], list[5] = list[5], list[0] // with frames
	}
	assert.Len(t, want, 7)
}

// Of two operands that trap, it is the one that the interpreter comes to first, whatever
// the types and wherever they are.
func TestTrapsInOrder(t *testing.T) {
	need.Long(t)
	machine, ws := asked(t)
	zero, far, null := "(1 / (%a - %a))", "%y[%a]", "*%n"
	var list []jvm.Unit
	kinds := map[ir.Trap]int{}
	for _, form := range []string{
		"%x[X].b = Y", "%x[X].a = i5(Y)", "%x[X].c = f32(Y)", "%x[X].d = %p + Y", "%x[X] = %x[Y]", "*(%p + X) = Y", "%v[X] = Y",
		"%w[X] = <4>i32{%a, 1, 2, Y}", "%w[X] = %w[0] / %w[Y]", "%o[0] = %o[X] + %o[Y]", "%o[0] = X < Y", "%o[0] = X ? 1 : Y", "%o[0] = %a && X || Y",
		"%o[1], %o[2] = add_overflow(X, Y)", "%o[X], %o[1] = add_overflow(%a, Y)", "%o[1], %o[X] = add_overflow(%a, Y)",
		"memcpy(%p + X, %p + 2, Y)", "memset(%p, X, Y)", "*(X ? %n : %p) = Y", "%s->e[X] = Y", "%o[0] = %s->e[X] + Y", "*%s = %x[X]", "%x[X] = *%s",
		"*%s = *(%t + X)", "(*%r)[X][Y] = %a", "%o[0] = (*%r)[X][Y]", "%x[X].e[Y] = %a", "%o[0] = %x[X].e[Y]", "%m[X][Y] = %a", "%o[0] = %m[X][Y]", "%q[X][Y] = &%a",
		"%o[0] = %q[1][X] == &%o[Y & 3]", "*(*%t).d = %x[X].b + Y", "%o[0] = %s->b + X", "@g = @g + 1 + %x[X].b + Y",
		"memcpy(%s, %t, X)", "memmove(%t, %s, Y)", "memset(%r, X, 1)", "%z = *%u", "%z = *%u + %z / <2>i64{i64(X), i64(Y)}", "%p = &(*%r)[0][2]", "%q[1][0] = &(*%r)[X][Y]", "%p = &%s->e[X]", "*%u = %z / <2>i64{i64(X), i64(Y)}",
		"%p = &(*%r)[X & 1][2]", "%o[0] = &(*%r)[1][0] == %p", "%o[0] = (*%r)[%a][Y]", "(*%r)[0][%a] = 1", "%o[0] = i32((*%k).b[%a + 9])", "(*%k).b[%a + 9] = u8(Y)",
		"%w[%a] = *%j", "%w[X] = *%j + %w[0]", "%w[1] = *%j + %w[%a]", "%w[1] = *%j + <4>i32{1, 2, 3, X}", "%w[1] = -(*%j) + %w[X]", "%w[1] = shuffle(*%j, %w[X], 1, 2, 3, 4)", "%o[0] = (*%j)[%a]", "(*%j)[%a] = 1",
	} {
		for _, pair := range [][2]string{{zero, far}, {far, zero}, {zero, null}, {null, far}, {"0", zero}, {"1", far}} {
			text := fmt.Sprintf(orderText, len(list), strings.NewReplacer("X", pair[0], "Y", pair[1]).Replace(form), null)
			p := ir.MustParse(text)
			require.NoError(t, ir.Check(p.Funcs[0]), text)
			r, err := interp.Run(p.Funcs[0], []int64{5}, interp.Options{Under: interp.JVM})
			trap := (*interp.Trap)(nil)
			if !errors.As(err, &trap) {
				continue // it has no answer, or is no trap
			}
			kinds[trap.Kind]++
			c := &ir.Claim{Func: p.Funcs[0], Args: []int64{5}, Under: interp.JVM, Trap: trap.Kind, Path: r.Path}
			lowered(c)
			require.NoError(t, interp.Verify(c), text)
			require.NoError(t, jvm.Supports(c.Func), text)
			list = append(list, jvm.Unit{Claim: c, Style: jvm.DrawStyle(choice.New(choice.Derive(uint64(len(list)), "style")))})
		}
	}
	t.Log(kinds)
	assert.Greater(t, len(list), 150)
	assert.Len(t, kinds, 3)
	for frames := range 2 {
		list[0].Style.Frames = frames == 1
		agree(t, machine, ws, list, "@int")
	}
	agree(t, machine, ws, list, "@c2")
}

const orderText = `
func @f%d(%%a i32) i32 {
    struct S {
        a i32:5,
        b i32,
        c f32,
        d *i32,
        e [3]i32
    }
    cast C {w u64, b [8]u8}
    static @g i32 = 1
    local %%x [4]S
    local %%o [4]i32 = {0, 0, 0, 0}
    local %%y [4]i32 = {0, 0, 0, 0}
    local %%m [2][3]i32 = {0, 0, 0, 0, 0, 0}
    local %%v <4>i32 = {1, 2, 3, 4}
    local %%w [4]<4>i32 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
    local %%z <2>i64 = {1, 2}
    local %%q [2][2]*i32
    local %%p *i32 = &%%o[0]
    local %%n *i32 = null
    local %%s *S = null
    local %%t *S = &%%x[1]
    local %%r *[2][3]i32 = null
    local %%u *<2>i64 = null
    local %%j *<4>i32 = null
    local %%k *C = null
  entry:
    @g = 2
    %s
    @g = 3
    @g = %s
    goto exit
  exit:
    return 0
}
`

// one returns the cases of a text, about a function whose name is NAME in it, in styles.
func one(t *testing.T, text string, styles ...string) (list []jvm.Unit) {
	for i, style := range styles {
		p := ir.MustParse(strings.ReplaceAll(text, "NAME", fmt.Sprintf("f%d", i)))
		for _, c := range p.Claims {
			require.NoError(t, interp.Verify(c), "%v", c)
		}
		lowered(p.Claims...)
		require.NoError(t, ir.Check(p.Claims[0].Func))
		require.NoError(t, jvm.Supports(p.Claims[0].Func))
		s, err := jvm.ParseStyle(style)
		require.NoError(t, err)
		list = append(list, jvm.Unit{Claim: p.Claims[0], More: p.Claims[1:], Style: s})
	}
	return list
}

// Where a record is copied to is decided before anything is stored, and what throws does
// so in order. A field of bytes holds an u8.
func TestCopy(t *testing.T) {
	const alias = `
func @NAMEa(%a i32) i32 {
    struct S {x i32, y i32}
    static @s [2]S = {0, 5, 1, 7}
    static @b u8 = 200
  entry:
    @b = u8(i32(@b) + 50)
    @s[@s[0].x] = @s[1 / (%a - 1)]
    goto exit
  exit:
    return @s[0].y * 10 + @s[1].y + i32(@b)
}
case NAMEa(a = 2) = 327 path entry exit
`
	const order = `
func @NAMEb(%a i32) i32 {
    struct S {x i32, y i32}
    local %s [2]S = {0, 5, 1, 7}
  entry:
    %s[1 / (%a - 1)] = %s[%a]
    goto exit
  exit:
    return %s[0].y * 10 + %s[1].y
}
case NAMEb(a = 0) under jvm traps out-of-bounds path entry
case NAMEb(a = 2) under jvm traps out-of-bounds path entry
case NAMEb(a = 1) under jvm traps divide-by-zero path entry
`
	const swapped = `
func @NAMEc(%a i32) i32 {
    struct S {x i32, y i32}
    local %s [2]S = {0, 5, 1, 7}
  entry:
    %s[1 / %a] = %s[%a + 2]
    goto exit
  exit:
    return %s[0].y * 10 + %s[1].y
}
case NAMEc(a = 0) under jvm traps out-of-bounds path entry
`
	styles := []string{"plain", "flat shared", "instance fields", "frames"}
	list := append(append(one(t, alias, styles...), one(t, order, styles...)...), one(t, swapped, styles...)...)
	machine, ws := asked(t)
	c := emit(t, list)
	job := compilers.Job{Files: []compilers.File{{Name: engines.MainFile, Content: engines.Encode(c.Binary)}}, Want: []byte(strings.Join(c.Answers, "")), Mode: "@int"}
	o := compilers.Test(t.Context(), machine, ws, job, compilers.DefaultLimits())
	assert.Equal(t, compilers.OK, o.Verdict, "%v", o)
}

// A method that is so long that jumps need 32 bits is verified, in the style frames, too.
// One that would be too long is written in another style.
func TestLong(t *testing.T) {
	for _, n := range []int{380, 630} {
		long(t, n)
	}
}

func long(t *testing.T, n int) {
	text := "func @NAME(%a i32) i32 {\n    local %x i64 = 0\n    local %f i32 = 0\n  entry:\n    if %a > 0 goto b1 else exit\n  b1:\n" +
		strings.Repeat("    %f, %x = mul_overflow(%x, u64(%x) + 77777777777)\n", n) +
		"    if %a > 1000 goto b1 else exit\n  exit:\n    return %a\n}\ncase NAME(a = -1) = -1 path entry exit\n"
	machine, ws := asked(t)
	p := ir.MustParse(strings.ReplaceAll(text, "NAME", "f0"))
	lowered(p.Claims...)
	style, err := jvm.ParseStyle("frames instance fields")
	require.NoError(t, err)
	c := emit(t, []jvm.Unit{{Claim: p.Claims[0], Style: style}})
	asm, err := jvm.Text(c.Binary)
	require.NoError(t, err)
	require.Contains(t, asm, "goto_w")
	job := compilers.Job{Files: []compilers.File{{Name: engines.MainFile, Content: engines.Encode(c.Binary)}}, Want: []byte(strings.Join(c.Answers, "")), Mode: "@int"}
	o := compilers.Test(t.Context(), machine, ws, job, compilers.DefaultLimits())
	assert.Equal(t, compilers.OK, o.Verdict, "%v", o)
}

// numbers returns so many constants that are all different.
func numbers(n int) string {
	var list []string
	for i := range n {
		list = append(list, strconv.Itoa(1000000+i))
	}
	return strings.Join(list, ", ")
}

// What no method holds, and what leaves no room for other functions, is said to be so.
func TestTooLong(t *testing.T) {
	const head, tail = "func @f(%a i32) i32 {\n", "    goto exit\n  exit:\n    return %a\n}\ncase f(a = 1) = 1 path entry exit\n"
	for name, text := range map[string]string{
		"copies":    "    struct S {x [60][2]i32}\n    local %s [2][2]S = {" + strings.Repeat("7, ", 479) + "7}\n  entry:\n" + strings.Repeat("    %s[%a][%a - 1] = %s[%a - 1][%a]\n", 28),
		"overflows": "    local %f i32 = 0\n    local %x i64 = 0\n  entry:\n" + strings.Repeat("    %f, %x = mul_overflow(u64(33333333), 3333333)\n", 1100),
		"constants": "    local %s [3000]i32 = {" + numbers(3000) + "}\n  entry:\n",
	} {
		p := ir.MustParse(head + text + tail)
		f := lower.Function(p.Funcs[0], jvm.Lacks)
		require.NoError(t, ir.Check(f), name)
		assert.ErrorIs(t, jvm.Supports(f), jvm.ErrUnsupported, name)
	}
	params := "%p0 i64"
	for i := 1; i < 127; i++ {
		params += fmt.Sprintf(", %%p%d i64", i)
	}
	const body = ") i32 {\n  entry:\n    goto exit\n  exit:\n    return 1\n}\n"
	assert.NoError(t, jvm.Supports(ir.MustParse("func @f(" + params + body).Funcs[0]))
	assert.ErrorIs(t, jvm.Supports(ir.MustParse("func @f(" + params + ", %q i64" + body).Funcs[0]), jvm.ErrUnsupported)
}

// emit writes units about claims that were made by hand.
func emit(t testing.TB, list []jvm.Unit) *jvm.Class {
	for _, u := range list {
		require.NoError(t, interp.Close(u.Claims()...))
	}
	return jvm.Emit(list)
}
