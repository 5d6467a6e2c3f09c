package wasm_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/emit/golang"
	"goreify/reify/emit/wasm"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/lower"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

// cases makes functions of a profile, as many as there are seeds less those without
// a case.
func cases(t testing.TB, profile string, first, n int) (list []*reify.Case) {
	p, err := reify.FindProfile(profile)
	require.NoError(t, err)
	p = p.Without(wasm.Masked...)
	for i := range n {
		r := reify.FromSeed(uint64(first + i))
		conf := p.Configure(r)
		k, err := reify.Make(fmt.Sprintf("f%d", first+i), r, conf, search.Engine{})
		if solve.Unsolved(err) {
			continue
		}
		require.NoError(t, err)
		f := lower.Function(k.Func, wasm.Lacks)
		for _, c := range k.Claims() {
			c.Func = f
		}
		require.NoError(t, wasm.Supports(k.Func), "%s %d", profile, first+i)
		list = append(list, k)
	}
	return list
}

func units(list []*reify.Case) (all []wasm.Unit) {
	for _, k := range list {
		all = append(all, wasm.Unit{Claim: k.Claim, More: k.More, Style: wasm.DrawStyle(k.Recipe.Style().Fork("wasm"))})
	}
	return all
}

// printed makes the calls of a module in this process, as servers do.
func printed(t testing.TB, conf wazero.RuntimeConfig, binary []byte) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // an endless loop, however busy the machine is
	defer cancel()
	r := wazero.NewRuntimeWithConfig(ctx, conf.WithCloseOnContextDone(true))
	defer r.Close(ctx)
	c, err := r.CompileModule(ctx, binary)
	require.NoError(t, err)
	mod, err := r.InstantiateModule(ctx, c, wazero.NewModuleConfig())
	require.NoError(t, err)
	var out strings.Builder
	for line := range strings.Lines(callsOf(c)) {
		f := strings.Fields(line)
		if reset := mod.ExportedFunction(f[1] + ".reset"); reset != nil {
			_, err := reset.Call(ctx)
			require.NoError(t, err)
		}
		var args []uint64
		for _, a := range f[3:] {
			v, err := strconv.ParseInt(strings.TrimSuffix(a, "n"), 10, 64)
			require.NoError(t, err)
			if !strings.HasSuffix(a, "n") {
				v = int64(uint32(v))
			}
			args = append(args, uint64(v))
		}
		got, err := mod.ExportedFunction(f[1]).Call(ctx, args...)
		if err != nil {
			fmt.Fprintf(&out, "%s %s", f[0], trapped(err))
			printState(t, &out, mod, f[1])
			continue
		}
		v := int64(got[0])
		if f[2] != "i64" && f[2] != "u64" {
			v = int64(int32(v))
		}
		kind := map[string]ir.Int{"bool": ir.Bool, "i8": ir.I8, "i16": ir.I16, "i32": ir.I32, "i64": ir.I64, "u8": ir.U8, "u16": ir.U16, "u32": ir.U32, "u64": ir.U64}[f[2]]
		if kind == ir.U32 {
			v = int64(uint32(v))
		}
		fmt.Fprintf(&out, "%s %s", f[0], kind.Format(v))
		printState(t, &out, mod, f[1])
	}
	return out.String()
}

func printState(t testing.TB, out *strings.Builder, mod api.Module, name string) {
	if state := mod.ExportedFunction(name + ".state"); state != nil {
		got, err := state.Call(context.Background())
		require.NoError(t, err)
		fmt.Fprintf(out, " state %d", uint32(got[0]))
	}
	out.WriteString("\n")
}

// trapped returns what is printed of a call that ends with an error.
func trapped(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	for _, k := range [][2]string{{"divide by zero", "divide-by-zero"}, {"overflow", "overflow"}, {"unreachable", "unreachable"}} {
		if strings.Contains(text, k[0]) {
			return "traps " + k[1]
		}
	}
	return text
}

func callsOf(c wazero.CompiledModule) string {
	for _, s := range c.CustomSections() {
		if s.Name() == wasm.CallsSection {
			return string(s.Data())
		}
	}
	return ""
}

// differences returns the lines that differ.
func differences(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out strings.Builder
	if len(a) != len(b) {
		fmt.Fprintf(&out, "%d lines, got %d\n", len(a), len(b))
	}
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			fmt.Fprintf(&out, "want %s, got %s\n", a[i], b[i])
		}
	}
	return out.String()
}

// All that is drawn of all profiles can be written, in styles of all kinds, and wazero
// agrees with the interpreter.
func TestAnswers(t *testing.T) {
	need.Long(t)
	const n = 40 // of each
	for _, profile := range reify.Profiles() {
		if profile == "calls" {
			continue
		}
		t.Run(profile, func(t *testing.T) {
			m := emit(t, units(cases(t, profile, 0, n)))
			for name, conf := range map[string]wazero.RuntimeConfig{"interpreter": wazero.NewRuntimeConfigInterpreter(), "compiler": wazero.NewRuntimeConfigCompiler()} {
				got := printed(t, conf, m.Binary)
				if d := differences(strings.Join(m.Answers, ""), got); d != "" {
					t.Errorf("%s: %s", name, d)
				}
			}
		})
	}
}

// claim returns what the interpreter says of the first function of a text.
func claim(t testing.TB, text string, args ...int64) *ir.Claim {
	f := lower.Function(ir.MustParse(text).Funcs[0], wasm.Lacks)
	require.NoError(t, ir.Check(f))
	require.NoError(t, wasm.Supports(f))
	got, err := interp.Run(f, args, interp.Options{Under: interp.Wasm})
	c := &ir.Claim{Func: f, Args: args, Path: got.Path, Want: got.Value, Under: interp.Wasm}
	if trap := (*interp.Trap)(nil); errors.As(err, &trap) {
		c.Trap, err = trap.Kind, nil
	}
	require.NoError(t, err)
	return c
}

// agree writes a claim in some styles, and wants wazero to agree with it.
func agree(t *testing.T, c *ir.Claim) {
	for i := range 12 {
		u := wasm.Unit{Claim: c, Style: wasm.DrawStyle(choice.New(choice.Derive(uint64(i), "style")))}
		m := emit(t, []wasm.Unit{u})
		require.Equal(t, m.Answers[0], printed(t, wazero.NewRuntimeConfigInterpreter(), m.Binary), "%s: %s", u.Style, c.Func)
	}
}

// Functions of others are C.
func TestForeign(t *testing.T) {
	p := ir.MustParse(`
foreign @r0(%a i32) i32 {
    answer(1) = 2
    c "int r0(int a) { return a + 1; }"
}
func @f(%a i32) i32 {
  entry:
    goto exit
  exit:
    return @r0(%a)
}
`)
	require.NoError(t, p.Check())
	for _, f := range p.Funcs {
		require.ErrorIs(t, wasm.Supports(f), wasm.ErrUnsupported)
		require.ErrorIs(t, golang.Supports(f), golang.ErrUnsupported)
	}
}

// Of two operands that trap, it is the one that the interpreter comes to first.
func TestTrapsInOrder(t *testing.T) {
	const zero, huge = "(1 / (%a - %a))", "i32(3e9)"
	for _, form := range []string{
		"%x[X].b = Y", "%x[X].a = i5(Y)", "%x[X].c = f32(Y)", "%x[X].d = %p + Y", "%x[X] = %x[Y]", "*(%p + X) = Y", "%v[X] = Y",
		"%w[X] = <4>i32{%a, 1, 2, Y}", "%o[0] = %o[X] + %o[Y]", "%o[0] = X < Y", "%o[0] = X ? 1 : Y", "%o[0] = %a && X || Y",
		"%o[1], %o[2] = add_overflow(X, Y)", "%o[X], %o[1] = add_overflow(%a, Y)", "%o[1], %o[X] = add_overflow(%a, Y)",
		"memcpy(%p + X, %p + 2, Y)", "memset(%p, X, Y)",
	} {
		for _, s := range []string{strings.NewReplacer("X", zero, "Y", huge).Replace(form), strings.NewReplacer("X", huge, "Y", zero).Replace(form)} {
			c := claim(t, `
func @f(%a i32) i32 {
    struct S {
        a i32:5,
        b i32,
        c f32,
        d *i32
    }
    local %x [4]S
    local %o [4]i32 = {0, 0, 0, 0}
    local %v <4>i32
    local %w [4]<4>i32
    local %p *i32 = &%o[0]
  entry:
    `+s+`
    goto exit
  exit:
    return 0
}
`, 5)
			require.NotEmpty(t, c.Trap, s)
			agree(t, c)
		}
	}
}

// What a call stores to a bit-field stays there, whoever stores to one beside it.
func TestBitFieldOfCall(t *testing.T) {
	agree(t, claim(t, `
func @f(%a i32) i32 {
    struct S {
        a i32:5,
        b i32:5
    }
    static @s S = {0:i5, 0:i5}
  entry:
    if %a == 0 goto last else again
  last:
    @s.b = 7:i5
    goto exit
  again:
    @s.a = i5(@f(%a - 1))
    goto exit
  exit:
    return i32(@s.a) + 100 * i32(@s.b)
}
`, 1))
}

// A bit-field that begins at zero has the type that its bits need, not the declared one.
func TestBitFieldOfWideType(t *testing.T) {
	agree(t, claim(t, `
func @f(%a i32) i32 {
    struct S {
        a u64:5
    }
    local %x S
  entry:
    %x.a = u5(%a)
    goto exit
  exit:
    return i32(%x.a)
}
`, 5))
}

// The stack is as large as the calls need.
func TestStack(t *testing.T) {
	agree(t, claim(t, `
func @f(%a i32) i32 {
    local %x [17000]i32
  entry:
    %x[%a] = %a
    goto exit
  exit:
    return %x[5]
}
`, 5))
	agree(t, claim(t, `
func @f(%a i32) i32 {
    local %x [64]i32
    local %p *i32 = &%x[5]
  entry:
    if %a == 0 goto last else again
  last:
    *%p = 3
    goto exit
  again:
    *%p = @f(%a - 1)
    goto exit
  exit:
    return *%p + 1
}
`, 255))
}

// A conversion that traps does so in a function that is called, whatever its own style.
func TestTruncateInCallee(t *testing.T) {
	c := claim(t, `
func @f(%a i32) i32 {
  entry:
    return @g(%a)
}
func @g(%a i32) i32 {
  entry:
    return i32(f64(%a) * 3.5)
}
`, 1<<30)
	require.Equal(t, ir.Truncate, c.Trap)
	for call := range c.Func.Calls() {
		g := call.Func
		saturate := wasm.Style{Saturate: true}
		own := wasm.Unit{Claim: &ir.Claim{Func: g, Args: []int64{2}, Want: 7, Path: []int{0}, Under: interp.Wasm}, Style: saturate}
		for _, units := range [][]wasm.Unit{
			{{Claim: c, Called: map[*ir.Function]wasm.Style{g: saturate}}},
			{{Claim: c}, own},
			{own, {Claim: c}},
		} {
			m := emit(t, units)
			require.Equal(t, strings.Join(m.Answers, ""), printed(t, wazero.NewRuntimeConfigInterpreter(), m.Binary))
		}
	}
}

// emit writes units about claims that were made by hand.
func emit(t testing.TB, list []wasm.Unit) *wasm.Module {
	for _, u := range list {
		require.NoError(t, interp.Close(u.Claims()...))
	}
	return wasm.Emit(list)
}
