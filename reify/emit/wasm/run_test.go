package wasm_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"

	"goreify/reify"
	"goreify/reify/emit/wasm"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
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
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
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
			fmt.Fprintf(&out, "%s %s\n", f[0], strings.Split(err.Error(), "\n")[0])
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
		if state := mod.ExportedFunction(f[1] + ".state"); state != nil {
			got, err := state.Call(ctx)
			require.NoError(t, err)
			fmt.Fprintf(&out, " state %d", uint32(got[0]))
		}
		out.WriteString("\n")
	}
	return out.String()
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
// agrees with the interpreter. ANSWERS is the number of functions of each.
func TestAnswers(t *testing.T) {
	n := 40
	if text := os.Getenv("ANSWERS"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	for _, profile := range reify.Profiles() {
		if profile == "calls" {
			continue
		}
		t.Run(profile, func(t *testing.T) {
			for first := 0; first < n; first += 60 {
				list := cases(t, profile, first, min(60, n-first))
				m := wasm.Emit(units(list))
				for name, conf := range map[string]wazero.RuntimeConfig{"interpreter": wazero.NewRuntimeConfigInterpreter(), "compiler": wazero.NewRuntimeConfigCompiler()} {
					got := printed(t, conf, m.Binary)
					if d := differences(strings.Join(m.Answers, ""), got); d != "" {
						t.Errorf("%s: %s", name, d)
					}
				}
			}
		})
	}
}
