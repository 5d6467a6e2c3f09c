package interp_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// A memoryProgram draws statements that read and write one memory in many ways:
// by name and through pointers, as members, elements and wholes.
type memoryProgram struct{ s *choice.Stream }

const memoryDecls = `
    struct S {x i32, f i32:5, g u16, y [2]i64, p *i32}
    union U {i i32, l i64, s S, h [2]i16}
    struct T {u U, n [2]S, v <4>i32}
    cast K {w u64, b [8]u8, i i64, h [4]i16, f f64, g [2]u32}
    cast L {w i32, b [4]i8, f f32, u u32}
    local %c K = {1, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _}
    static @e [2]L
    local %pc *K = &%c
    local %acc u64 = 1
    local %i i32 = 1
    local %j u32 = 2
    local %l i64 = 3
    local %m [2][3]i32 = {1, 2, 3, 4, 5, 6}
    local %s S = {1, 2, 3, 4, 5, &%i}
    local %k S
    local %u U
    local %t T
    local %d f64 = 8
    local %v <4>i32 = {1, 2, 3, 4}
    static @g [4]i32
    static @z T
    local %p *i32 = &%i
    local %q *i32 = &@g[1]
    local %w *u32 = &%j
    local %pp **i32 = &%p
    local %pl *i64 = &%l
    local %ps *S = &%s
    local %pu *U = &%u
    local %row *[3]i32 = &%m[1]`

func (g memoryProgram) pick(list ...string) string { return choice.Pick(g.s, list) }

func (g memoryProgram) number() string { return fmt.Sprint(g.s.Range(-1, 3)) }

func (g memoryProgram) record() string {
	return g.pick("%s", "%k", "*%ps", "%u.s", "%t.n["+g.number()+"]", "@z.u.s", "%pu->s", "@z.n[1]")
}

func (g memoryProgram) union() string { return g.pick("%u", "%t.u", "@z.u", "*%pu") }

// member returns a member of a place.
func member(of, name string) string {
	if p, ok := strings.CutPrefix(of, "*"); ok {
		return p + "->" + name
	}
	return of + "." + name
}

// int32 returns a place of type i32 that has an address.
func (g memoryProgram) int32() string {
	switch g.s.Intn(8) {
	case 0:
		return member(g.record(), "x")
	case 1:
		return member(g.union(), "i")
	case 2:
		return "%m[" + g.number() + "][" + g.number() + "]"
	case 3:
		return "(*%row)[" + g.number() + "]"
	case 4:
		return "@g[" + g.number() + "]"
	case 5:
		return "*" + member(g.record(), "p")
	default:
		return g.pick("%i", "*%p", "*%q", "**%pp", "*cast(*i32, %w)")
	}
}

func (g memoryProgram) int64() string {
	switch g.s.Intn(4) {
	case 0:
		return member(g.record(), "y["+g.number()+"]")
	case 1:
		return member(g.union(), "l")
	}
	return g.pick("%l", "*%pl")
}

// addressed returns the operand of & for a place.
func addressed(place string) string {
	if p, ok := strings.CutPrefix(place, "*"); ok {
		return p
	}
	return "&" + place
}

// pointer returns an expression of type *i32.
func (g memoryProgram) pointer() string {
	switch g.s.Intn(6) {
	case 0:
		return g.pick("%p", "%q", "*%pp", "null:*i32") + " + " + g.number()
	case 1:
		return g.pick("cast(*i32, %w)", "cast(*i32, &%s)", "cast(*i32, %pl)", "cast(*i32, cast(*u32, %p))")
	case 2:
		return member(g.record(), "p")
	case 3:
		return g.pick("%p", "%q", "*%pp")
	}
	return addressed(g.int32())
}

// value returns an expression of type i64.
func (g memoryProgram) value() string {
	switch g.s.Intn(10) {
	case 0:
		return "i64(" + g.pick("%p", "%q", "&%i", "null:*i32") + g.pick(" == ", " != ", " < ") + g.pick("%p", "%q", "&@g[1]") + ")"
	case 1:
		return "(" + g.pick("%p", "%q", "*%pp") + " - " + g.pick("%p", "%q", "&%m[1][0]", "&@g[3]") + ")"
	case 2:
		return "i64(" + member(g.record(), g.pick("f", "g")) + ")"
	case 3:
		return "i64(" + member(g.union(), "h["+g.number()+"]") + ")"
	case 4:
		return "i64(" + g.pick("%j", "*%w", "*cast(*u32, %p)", "%v["+g.number()+"]") + ")"
	case 5, 6:
		return g.int64()
	}
	return "i64(" + g.int32() + ")"
}

// cast returns a member of a union by which bits are cast, as an i64 if it is not one that
// is assigned to.
func (g memoryProgram) cast(assigned bool) string {
	name, t := g.pick("%c", "*%pc"), "i64"
	part := g.pick("w:u64", "i:i64", "b["+g.number()+"]:u8", "h["+g.number()+"]:i16", "g["+g.number()+"]:u32", "f:f64")
	if g.s.Chance(1, 2) {
		name = "@e[" + g.number() + "]"
		part = g.pick("w:i32", "u:u32", "b["+g.number()+"]:i8", "f:f32")
	}
	part, t, _ = strings.Cut(part, ":")
	if assigned {
		return member(name, part) + " = " + t + "(" + g.value() + ")"
	}
	return "i64(" + member(name, part) + ")"
}

func (g memoryProgram) stmt() string {
	switch g.s.Intn(15) {
	case 14:
		return "%acc = %acc * 33 + u64(" + g.cast(false) + ")"
	case 12:
		return g.cast(true)
	case 13:
		return g.pick("@e["+g.number()+"] = @e["+g.number()+"]", "%c = *%pc", "%c.f = f64(i16(%l))")
	case 0:
		return g.record() + " = " + g.record()
	case 1:
		return g.union() + " = " + g.union()
	case 2:
		return g.pick("%p", "%q", "*%pp", member(g.record(), "p")) + " = " + g.pointer()
	case 3:
		return g.pick("%pp = &", "%pp = &") + g.pick("%p", "%q", "%s.p", "%k.p")
	case 4:
		return g.pick("%pl = "+addressed(g.int64()), "%ps = "+addressed(g.record()), "%pu = "+addressed(g.union()),
			"%row = %row + "+g.number(), "%row = &%m["+g.number()+"]", "%w = cast(*u32, "+g.pointer()+")", "%ps = cast(*S, &%s.x)")
	case 5:
		return g.int64() + " = " + g.value()
	case 6:
		return member(g.record(), "f") + " = i5(" + g.value() + ")"
	case 7:
		return member(g.union(), "h["+g.number()+"]") + " = i16(" + g.value() + ")"
	case 8:
		return g.pick("%i", "@g[2]") + ", " + g.int32() + " = " + g.pick("add", "sub", "mul") + "_overflow(" + g.value() + ", " + g.value() + ")"
	case 9:
		return g.pick("%d = f64("+g.value()+")", "%d = %d * 0.5", "%l = i64(%d)", "%v = %v ^ @z.v", "%t.v = %v + %v", "@z.v = %t.v",
			"%v["+g.number()+"] = i32("+g.value()+")")
	}
	return g.int32() + " = i32(" + g.value() + ")"
}

// program draws a program of n statements that are defined, and counts the
// undefined ones that were drawn on the way.
func (g memoryProgram) program(t *testing.T, name string, n int, undefined map[interp.Kind]int) *ir.Claim {
	t.Helper()
	var body strings.Builder
	// As soon as there is a value it counts.
	function := func(more string) *ir.Function {
		return parse(t, fmt.Sprintf("func @%s() u32 {%s\n  entry:\n%s%s    return checksum(%%acc, %%m, %%i, %%j, %%l, %%d, %%v, @g, %%c, @e)\n}\n",
			name, memoryDecls, body.String(), more))
	}
	for i := 0; i < n; {
		stmt := "    " + g.stmt() + "\n"
		if g.s.Chance(1, 2) {
			stmt = "    %acc = %acc * 31 + u64(" + g.value() + ")\n"
		}
		f := function(stmt)
		if ir.Check(f) != nil { // %i, %i = ...
			continue
		}
		_, err := interp.Run(f, nil, interp.Options{})
		var ub *interp.UB
		if errors.As(err, &ub) {
			undefined[ub.Kind]++
			continue
		}
		require.NoError(t, err)
		body.WriteString(stmt)
		i++
	}
	f := function("")
	r, err := interp.Run(f, nil, interp.Options{})
	require.NoError(t, err)
	return &ir.Claim{Func: f, Want: r.Value, Path: r.Path}
}

// Compilers agree with the interpreter on what programs do that it calls
// defined, with optimisations that lean on aliasing rules and bounds as well.
func TestMemoryAgreesWithCompilers(t *testing.T) {
	const programs, statements = 40, 30
	g := memoryProgram{choice.New([]byte("memory"))}
	undefined := map[interp.Kind]int{}
	var units []c.Unit
	for i := range programs {
		units = append(units, c.Unit{Claim: g.program(t, fmt.Sprintf("f%d", i), statements, undefined)})
	}
	for _, k := range []interp.Kind{
		interp.UninitializedRead, interp.OutOfBounds, interp.NullDereference, interp.StrictAliasing,
		interp.UnrelatedPointers, interp.InactiveMember, interp.OverlappingStore,
	} {
		assert.NotZero(t, undefined[k], "%s was not drawn", k)
	}
	t.Logf("%d programs of %d statements; undefined and left out: %v", programs, statements, undefined)
	for _, compiler := range []string{"gcc -O0", "gcc -O2", "clang -O0", "clang -O2"} {
		name, flag, _ := strings.Cut(compiler, " ")
		names := []string{name, name + "-19", name + "-16", name + "-14", name + "-12"}
		bin := compile(t, t.TempDir(), units, need.Command(t, name, names...), flag, "-w")
		out, err := exec.Command(bin).Output()
		if !assert.NoError(t, err, "%s: a program crashed or returned a wrong answer", compiler) {
			reportDifferences(t, units, string(out))
			continue
		}
		assert.Equal(t, c.Want(units), string(out), "%s", compiler)
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
